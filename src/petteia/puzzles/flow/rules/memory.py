"""Memory for searches that run compiled or as plain Python from one code.

Compiled code gets one record of arrays, which travels as one pointer. Plain Python gets the same
fields as lists, which it reads and writes several times as fast as arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["CELLS", "Layout", "compiled_memory", "fields_of", "fill", "plain_memory", "read"]

CELLS = 10_000
"""Cells of the largest board, both strands of bridges counted."""

Layout = Sequence[tuple[str, type[np.generic], int]]
"""Name, sort and length of each field. Lengths are fixed: another length is another kernel."""


def compiled_memory(layout: Layout) -> Any:
    """The fields as arrays of one record, all zero."""
    kind = np.dtype([(name, sort, (length,)) for name, sort, length in layout])
    return np.zeros(1, kind).view(np.recarray)[0]


def fields_of(memory: Any) -> Any:
    """The fields of a record as attributes that are found at once; a record makes a new view of a
    field each time that it is asked."""
    return SimpleNamespace(**{name: memory[name] for name in memory.dtype.names})


def plain_memory(layout: Layout, cells: int) -> Any:
    """The fields as lists; a field of one entry a cell is as long as this board needs."""
    longest = cells + 2
    return SimpleNamespace(
        **{
            name: [0] * (length if length < CELLS else length // CELLS * longest)
            for name, _, length in layout
        }
    )


def fill(memory: Any, name: str, values: Sequence[int]) -> None:
    """Writes values to the beginning of a field."""
    getattr(memory, name)[: len(values)] = values


def read(memory: Any, name: str, count: int) -> list[int]:
    """The first values of a field as plain numbers."""
    values = getattr(memory, name)[:count]
    return values if isinstance(values, list) else values.tolist()
