"""Reads text files; what goes wrong is one line that names the file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from petteia.core.errors import PetteiaError

__all__ = ["naming", "read_text"]


def read_text(path: str | Path, *, most: int | None = None) -> str:
    """The text of a file in UTF-8, of ``most`` bytes at most."""
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
        raise PetteiaError(f"{path} is not text in UTF-8; byte {error.start} is wrong") from None


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Puts the name of a file before what is wrong in it."""
    try:
        yield
    except PetteiaError as error:
        raise PetteiaError(f"{path}: {error}") from None
