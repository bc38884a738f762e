"""The files of the tables, and the directory by which kernels find them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from petteia.games.checkers.solution.packed import unpack
from petteia.games.checkers.solution.probe import PACKED
from petteia.games.checkers.solution.slices import DIRECTORY, MOST_A_SIDE, Slice, slices
from petteia.solve import TableFile, folder

__all__ = [
    "KIND", "Tables", "are_there", "path_of", "slices_there", "table_name", "tables_there",
]  # fmt: skip

KIND = "checkers-distances-packed"


def table_name(one: Slice) -> str:
    """What the file's header says that it holds."""
    return f"checkers slice {''.join(map(str, one.counts))}"


def path_of(one: Slice) -> Path:
    """Where a slice is kept."""
    return folder() / "checkers" / f"{''.join(map(str, one.counts))}.table"


class Tables:
    """Tables that are open: packed, mapped into memory."""

    def __init__(self) -> None:
        self.directory = np.zeros(DIRECTORY, np.uint64)
        self.files: dict[Slice, TableFile] = {}
        self._plain: dict[Slice, np.ndarray] = {}

    def open(self, one: Slice) -> None:
        """Opens a slice's file and enters it into the directory."""
        found = TableFile.open(path_of(one), KIND, table_name(one))
        self.files[one] = found
        self._enter(one, found.data, PACKED)

    def values(self, one: Slice) -> np.ndarray:
        """The values of a slice, one byte each, in an array of their own."""
        if one in self._plain:
            return self._plain[one]
        out = np.empty(2 * one.size, np.uint8)
        unpack(self.files[one].data.__array_interface__["data"][0], out)
        return out

    def spread_out(self, one: Slice, values: np.ndarray | None = None) -> None:
        """Keeps a slice unpacked in memory, where it is read some times as fast."""
        self._plain[one] = self.values(one) if values is None else values
        self._enter(one, self._plain[one], 0)

    def _enter(self, one: Slice, data: np.ndarray, form: int) -> None:
        self.directory[one.slot] = data.__array_interface__["data"][0] + form
        self.directory[-1] = max(int(self.directory[-1]), one.pieces)


def are_there(pieces: int, a_side: int) -> bool:
    """Whether all tables of so many pieces, and so many a side, were built."""
    return all(path_of(one).exists() for one in slices(pieces, a_side))


def slices_there() -> list[Slice]:
    """The slices that have a file, damaged or not; each leads only to earlier ones."""
    found = [
        Slice(*map(int, path.stem))
        for path in (folder() / "checkers").glob("[0-9][0-9][0-9][0-9].table")
        if max(map(int, path.stem)) <= MOST_A_SIDE
    ]
    return sorted(found, key=lambda one: (one.pieces, one.men, one))


def tables_there() -> Tables | None:
    """All tables that were built on this machine; None if there are none."""
    stamps = tuple((one, path_of(one).stat().st_mtime_ns) for one in slices_there())
    return _opened(folder(), stamps) if stamps else None


@lru_cache(maxsize=2)
def _opened(where: Path, stamps: tuple[tuple[Slice, int], ...]) -> Tables:
    """Kept as long as the same files are in the same folder."""
    tables = Tables()
    for one, _ in stamps:
        tables.open(one)
    return tables
