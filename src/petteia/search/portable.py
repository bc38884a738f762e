"""Searches for processors that know no Python, such as the one of a visitor's browser.

Such a search is a kernel and its memory: a record, and one long array beside it. Whoever runs it
fills the record, calls the kernel until the record says ``done``, and reads what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from petteia.compiled import Kernel
from petteia.core.words import Words

if TYPE_CHECKING:
    from petteia.search.contract import Question

__all__ = ["Helping", "Portable", "found_fields"]


@dataclass(frozen=True)
class Helping:
    """How another processor helps, in the same table but with a record of its own."""

    pointer: str
    """The field of both records that holds the address of what they tell each other."""
    bytes: int
    """Its size; it begins with zeros."""
    fill: Mapping[str, int]
    """What stands in the helper's record alone. It searches until its field ``stop`` is 1."""


@dataclass(frozen=True)
class Portable:
    """A search as a kernel and its memory."""

    kernel: Kernel[..., None]
    arguments: Callable[[Words], tuple[Any, ...]]
    """What the kernel is given for a position: games, evaluations, words, the record, and perhaps
    the array."""
    memory: Any
    """The record, with ``found_fields``, and ``deadline`` where the search looks at a clock."""
    array: np.ndarray
    """As large as it shall be elsewhere."""
    fill: Callable[[Question], None]
    """Writes a question into the record."""
    pointer: str = ""
    """The field that holds the array's address, if it is no argument. Such an array is a table: it
    begins with zeros, and is kept from one search of a game to the next."""
    kept: tuple[str, ...] = ()
    """The fields that are kept too; all others are filled anew."""
    helping: Helping | None = None
    """If others can help."""


def found_fields(rows: int, longest: int) -> list[Any]:
    """What a record has to tell: at most so many moves, with lines of at most so many."""
    return [
        ("done", np.int64),  # whether nothing is left to search
        ("refused", np.int64),  # whether it met what cannot be searched
        ("found", np.int64),  # rows that are known, in any order but where there are visits
        ("found_depth", np.int64),
        ("found_nodes", np.int64),  # the leaves included
        ("found_leaves", np.int64),
        ("values", np.float64, (rows,)),  # for whoever asked; not a number where nothing is known
        ("lines", np.int64, (rows, longest + 1)),  # each begins with its move, and ends at -1
    ]
