"""Writes files completely or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from petteia.core.errors import PetteiaError

__all__ = ["write_whole", "write_whole_bytes"]


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Writes a temporary file beside it and renames that: nobody ever sees half a file."""
    write_whole_bytes(path, [content.encode() if isinstance(content, str) else content])


def write_whole_bytes(path: str | Path, parts: Iterable[bytes]) -> None:
    """The same for bytes, which may come in parts."""
    target = Path(path).resolve()
    fresh = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        try:
            with fresh.open("xb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot write {path}: {error.strerror}") from None
