"""Writes files completely or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from petteia.core.errors import PetteiaError

__all__ = ["make_folder", "write_whole", "writing_whole"]


def make_folder(path: Path) -> None:
    """Makes a folder, if it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot make the folder {str(path)!r}: {error.strerror}") from error


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Writes a temporary file beside it and renames that: nobody ever sees half a file."""
    with writing_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def writing_whole(path: str | Path) -> Iterator[BinaryIO]:
    """The same with a file to write to, which takes the place of ``path`` at the end."""
    target = Path(path).resolve()
    fresh = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        try:
            with fresh.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot write {path}: {error.strerror}") from None
