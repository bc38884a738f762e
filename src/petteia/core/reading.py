"""Reads text files; what goes wrong is one line that names the file, or the line in it."""

from __future__ import annotations

import bisect
import codecs
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from petteia.core.errors import PetteiaError

__all__ = ["Lines", "naming", "number_of", "read_text"]

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How the texts of some editors on Windows begin."""
_WINDOWS = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
"""What Windows writes where Latin-1 has no sign."""


def read_text(path: str | Path, *, most: int | None = None, old: bool = False) -> str:
    """The text of a file in UTF-8, or in UTF-16 if it begins with that mark, of ``most`` bytes at
    most; ``old`` files that are in neither are read as Latin-1 with the dashes
    and quotes of Windows."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read() if most is None else file.read(most + 1)
    except OSError as error:
        raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # the name cannot be that of a file
        raise PetteiaError(f"cannot read {str(path)!r}: {error}") from None
    if most is not None and len(raw) > most:
        raise PetteiaError(f"{path} is too large; at most {most >> 20} MB can be read")
    is_wide = raw.startswith(_UTF_16)
    try:
        return raw.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if old:
            return raw.decode("latin-1").translate(_WINDOWS)
        form = "UTF-16" if is_wide else "UTF-8"
        raise PetteiaError(f"{path} is not text in {form}; byte {error.start} is wrong") from None


def number_of(digits: str) -> int:
    """The number that digits mean. No figure of a game is longer than nine, and Python does not
    convert thousands of them: a longer one stays too large, whatever follows."""
    return int(digits[:9])


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Puts the name of a file before what is wrong in it."""
    try:
        yield
    except PetteiaError as error:
        raise PetteiaError(f"{path}: {error}") from None


class Lines:
    """The numbers of the lines of a text."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, place: int) -> int:
        """The line, from 1, of the sign at a place."""
        return bisect.bisect_left(self._ends, place) + 1
