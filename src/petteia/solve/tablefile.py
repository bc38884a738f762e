"""Files of exact values: one array with what it means.

    line 1       petteia table 1
    line 2       JSON: what it is (kind, of), dtype, shape, checksum of the data, facts
    padding      spaces and a line's end, up to a multiple of 4096 bytes
    the data     as NumPy keeps it in memory, little-endian

A file is written beside its place and renamed when it is whole. Loading checks the header and the
size always, the data's checksum where the file is small enough for that to take no time; ``check``
reads all of it. The data is mapped into memory, not read.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from petteia.core.errors import PetteiaError
from petteia.core.writing import make_folder, writing_whole

__all__ = ["REPAIR", "TableFile", "folder"]

_FIRST = b"petteia table 1\n"
_PAGE = 4096
_LONGEST_HEADER = 1 << 20
_CHECKED_ALWAYS = 32 << 20
_BLOCK = 4 << 20
REPAIR = "petteia tables --verify builds it again"
"""What to do about a damaged table."""


def folder() -> Path:
    """Where tables are kept: the user's data folder, or what ``PETTEIA_TABLES`` names."""
    named = os.environ.get("PETTEIA_TABLES", "")
    return Path(named) if named else Path(platformdirs.user_data_dir("petteia")) / "tables"


def _checksum(data: np.ndarray) -> str:
    value = 0
    flat = data.reshape(-1).view(np.uint8).data
    for at in range(0, len(flat), _BLOCK):
        value = zlib.crc32(flat[at : at + _BLOCK], value)
    return f"{value:08x}"


def _header(kind: str, of: str, data: np.ndarray, facts: Mapping[str, Any]) -> bytes:
    line = json.dumps(
        {
            "kind": kind,
            "of": of,
            "dtype": data.dtype.newbyteorder("<").str,
            "shape": list(data.shape),
            "crc32": _checksum(data),
            "facts": dict(facts),
        }
    ).encode()
    size = len(_FIRST) + len(line) + 1
    if size > _LONGEST_HEADER - _PAGE:
        raise PetteiaError(f"the facts of the table {of} are too long for a file's header")
    return _FIRST + line + b" " * (-size % _PAGE) + b"\n"


@dataclass(frozen=True)
class TableFile:
    """A table on disk, opened for reading."""

    path: Path
    kind: str
    """What the numbers mean, for instance ``ur-values``."""
    of: str
    """The spec of what was solved."""
    facts: Mapping[str, Any] = field(repr=False)
    """What is known about the table as a whole."""
    data: np.ndarray = field(repr=False)
    """Read-only, mapped from the file."""
    crc32: str = field(repr=False, default="")

    @classmethod
    def write(
        cls, path: Path, kind: str, of: str, data: np.ndarray, facts: Mapping[str, Any]
    ) -> TableFile:
        """Writes the array whole, or not at all, and opens it."""
        data = np.ascontiguousarray(data)
        make_folder(path.parent)
        with writing_whole(path) as file:
            file.write(_header(kind, of, data, facts))
            flat = data.reshape(-1).view(np.uint8)
            for at in range(0, flat.size, _BLOCK):
                file.write(flat[at : at + _BLOCK].data)
        return cls.open(path, kind, of)

    @classmethod
    def open(cls, path: Path, kind: str, of: str) -> TableFile:
        """Opens a table that must be of this kind and of this spec."""
        found = cls.read(path)
        if (found.kind, found.of) != (kind, of):
            raise PetteiaError(
                f"{path} holds {found.kind} of {found.of}, not {kind} of {of}; {REPAIR}"
            )
        if found.data.nbytes <= _CHECKED_ALWAYS:
            found.check()
        return found

    @classmethod
    def read(cls, path: Path) -> TableFile:
        """Opens a table, whatever it holds."""
        try:
            with path.open("rb") as file:
                start = file.read(_LONGEST_HEADER)
        except OSError as error:
            raise PetteiaError(f"cannot read {path}: {error.strerror}") from None
        end = start.find(b"\n", len(_FIRST))
        if not start.startswith(_FIRST) or end < 0:
            raise PetteiaError(f"{path} is not a table of Petteia's; {REPAIR}")
        try:
            header = json.loads(start[len(_FIRST) : end])
            dtype, shape = np.dtype(header["dtype"]), tuple(int(n) for n in header["shape"])
            kind, of, facts = str(header["kind"]), str(header["of"]), dict(header["facts"])
            crc32 = str(header["crc32"])
        except (ValueError, KeyError, TypeError):
            raise PetteiaError(f"the header of {path} is damaged; {REPAIR}") from None
        wanted = end + 1 + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if path.stat().st_size != wanted:
            raise PetteiaError(
                f"{path} has {path.stat().st_size} bytes, expected {wanted}; {REPAIR}"
            )
        if 0 in shape:
            return cls(path, kind, of, facts, np.empty(shape, dtype), crc32)
        data = np.memmap(path, dtype, "r", offset=end + 1, shape=shape)
        return cls(path, kind, of, facts, data, crc32)

    def check(self) -> None:
        """Reads all of the data and compares its checksum."""
        if _checksum(self.data) != self.crc32:
            raise PetteiaError(f"the data of {self.path} are damaged; {REPAIR}")
