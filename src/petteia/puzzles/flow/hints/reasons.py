"""Reasons: why a link is made or closed, and how hard that is to see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["REASONS", "Contradiction", "Deduction"]

REASONS: dict[str, tuple[int, str]] = {
    "given": (0, "it is drawn"),
    "full": (1, "the cell has all its links"),
    "dead end": (1, "the cell would become a dead end: no other ways are left"),
    "colours": (1, "it would join two colours"),
    "ring": (1, "it would close a ring"),
    "touch": (2, "the path would run beside itself"),
    "corner": (2, "inside a bend there must be the same bend again, until a dot ends the row"),
    "reach": (3, "no colour reaches both cells"),
    "bottleneck": (3, "a colour must pass here to reach its other dot"),
    "trial": (4, "supposing the opposite soon leads to a contradiction"),
}
"""The reasons with their levels, the easiest first."""


class Contradiction(Exception):
    """What is drawn cannot be part of a solution."""

    def __init__(self, reason: str, cells: Iterable[int]) -> None:
        super().__init__(reason)
        self.reason, self.cells = reason, tuple(cells)


@dataclass(frozen=True)
class Deduction:
    """A link that was settled."""

    link: tuple[int, int]
    made: bool
    reason: str
    cells: tuple[int, ...]
    """The cells that show why."""

    @property
    def level(self) -> int:
        """How hard the step is, from 1."""
        return REASONS[self.reason][0]
