"""Compiled kernels on disk.

One file a kernel, named by its fingerprint: a line of JSON, then the object code. Files are
written beside their place and renamed, so a reader never sees half of one; a damaged file is
taken as absent. ``PETTEIA_CACHE`` names another folder, or ``off``; ``PETTEIA_CACHE_READ`` one more
that is only read, for those who must not write where others read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import platformdirs

__all__ = ["Entry", "folder", "prune", "read", "write"]

_MOST_FILES = 5000


@dataclass(frozen=True)
class Entry:
    """A compiled kernel."""

    symbol: str
    """The name of the function in the object code."""
    result: str
    """What it returns, as a sort of argument."""
    needs_numba: bool
    """Whether the code calls into Numba's runtime."""
    code: bytes
    """An object file of this platform."""


def _usable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    # Code is run from here: a folder that somebody else can write to or replace is refused.
    own, above = path.stat(), path.parent.stat()
    private = own.st_uid == os.getuid() and not own.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return private and above.st_uid in (os.getuid(), 0)


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """Where kernels are kept: the user's cache, else a private temporary folder, else nowhere."""
    named = os.environ.get("PETTEIA_CACHE", "")
    if named.lower() == "off":
        return None
    user = os.getuid() if hasattr(os, "getuid") else "user"
    places = [Path(named)] if named else [Path(platformdirs.user_cache_dir("petteia"))]
    places.append(Path(tempfile.gettempdir()) / f"petteia-{user}")
    return next((place / "kernels" for place in places if _usable(place / "kernels")), None)


def _file_name(name: str, key: str) -> str:
    return f"{name}-{key[:40]}.kernel"


def _path(name: str, key: str) -> Path | None:
    place = folder()
    return place / _file_name(name, key) if place else None


def read(name: str, key: str) -> Entry | None:
    """The kernel of this fingerprint, if it is there and whole."""
    path, more = _path(name, key), os.environ.get("PETTEIA_CACHE_READ", "")
    if more and not (path and path.exists()):
        path = Path(more) / _file_name(name, key)
    if path is None:
        return None
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        facts: dict[str, Any] = json.loads(head)
        if facts["key"] != key or facts["sha256"] != hashlib.sha256(code).hexdigest():
            return None
        with contextlib.suppress(OSError):  # the folder may be one that is only read
            # So that those go first that nobody has used for longest; many disks do not note it.
            os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        return Entry(facts["symbol"], facts["result"], facts["needs_numba"], code)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(name: str, key: str, entry: Entry) -> None:
    """Keeps a kernel; a full or read-only disk costs the next start some time and nothing more."""
    path = _path(name, key)
    if path is None:
        return
    head = {
        "key": key,
        "symbol": entry.symbol,
        "result": entry.result,
        "needs_numba": entry.needs_numba,
        "sha256": hashlib.sha256(entry.code).hexdigest(),
    }
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(head).encode() + b"\n" + entry.code)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        prune(path.parent)


def prune(place: Path, pattern: str = "*.kernel", most: int = _MOST_FILES) -> None:
    """Deletes the files that were not used for longest, so that no more than so many are left."""
    files = list(place.glob(pattern))
    if len(files) > most:
        files.sort(key=lambda file: file.stat().st_atime)
        for file in files[: len(files) - most]:
            file.unlink(missing_ok=True)
