"""Reads text files; what goes wrong is one line that names the file, or the line in it."""

from __future__ import annotations

import bisect
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from petteia.core.errors import PetteiaError

__all__ = ["Lines", "naming", "read_text"]


def read_text(path: str | Path, *, most: int | None = None, old: bool = False) -> str:
    """The text of a file in UTF-8, of ``most`` bytes at most; ``old`` files that are not in UTF-8
    are read as Latin-1."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read() if most is None else file.read(most + 1)
    except OSError as error:
        raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # the name cannot be that of a file
        raise PetteiaError(f"cannot read {str(path)!r}: {error}") from None
    if most is not None and len(raw) > most:
        raise PetteiaError(f"{path} is too large; at most {most >> 20} MB can be read")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if old:
            return raw.decode("latin-1")
        raise PetteiaError(f"{path} is not text in UTF-8; byte {error.start} is wrong") from None


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
