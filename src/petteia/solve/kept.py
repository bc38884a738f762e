"""Tables in their places on this machine: what each holds, and how it can be tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from petteia.solve.tablefile import TableFile

__all__ = ["SAMPLE", "KeptTable", "sample_text"]

SAMPLE = 2000
"""Random positions of a table that are held against their successors."""


def sample_text(count: int) -> str:
    """How a table was verified by a sample."""
    if not count:
        return "none of its positions could be tried: the game is gone or has other rules now"
    return f"{count:,} random positions against their successors"


@dataclass(frozen=True)
class KeptTable:
    """A table's place on this machine; the file there may be damaged."""

    path: Path
    game: str
    rules: str
    """The spec with every rule on which the values depend."""
    solver: str
    """The spec by which ``petteia solve`` builds it."""
    kind: str
    of: str
    """What its header must say."""
    sample: Callable[[TableFile, int, int], int]
    """Holds so many random values, by a seed, against those of their successors; how many it could.
    An error if one is wrong."""

    def open(self) -> TableFile:
        """The table; an error if it is damaged or another."""
        return TableFile.open(self.path, self.kind, self.of)
