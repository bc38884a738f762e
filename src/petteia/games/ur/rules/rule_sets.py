"""The rule sets of Ur: boards, paths, dice, and what rosettes and captures do.

Tiles have RoyalUr's names: column A is light's own, B is shared, C is dark's own, and the number
counts from the end at which pieces enter the shared column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

__all__ = ["RULE_SETS", "RuleSet", "mirrored"]


def mirrored(tile: str) -> str:
    """The same tile for the other side: A and C change places."""
    return {"A": "C", "B": "B", "C": "A"}[tile[0]] + tile[1:]


@dataclass(frozen=True)
class RuleSet:
    """What distinguishes one way of playing from another."""

    path: tuple[str, ...]
    """Light's tiles from the first to the last; dark's are the mirror image."""
    length: int
    """How many tiles the shared column has."""
    rosettes: frozenset[str]
    pieces: int
    dice: int
    """Binary dice: four, or three of which no mark at all counts as four."""
    safe: bool
    """Whether nobody can be captured on a rosette."""
    capture_rolls: bool
    """Whether a capture gives another roll."""
    closed: frozenset[str] = frozenset()
    """Tiles on which nobody may land."""

    @cached_property
    def meets(self) -> tuple[int, ...]:
        """For every square of the own path the opponent's number for the same tile, else 0.

        Squares count from 1; the table is the same for both sides.
        """
        other = {mirrored(tile): number for number, tile in enumerate(self.path, 1)}
        return (0, *(other.get(tile, 0) for tile in self.path))

    @cached_property
    def rosette_squares(self) -> tuple[int, ...]:
        """The rosettes by their number on the path."""
        return tuple(n for n, tile in enumerate(self.path, 1) if tile in self.rosettes)

    @cached_property
    def closed_squares(self) -> tuple[int, ...]:
        """The closed tiles by their number on the path."""
        return tuple(n for n, tile in enumerate(self.path, 1) if tile in self.closed)

    def chances(self, dice: int) -> tuple[float, ...]:
        """The probability of every roll from 0 to 4."""
        if dice == 3:
            return (0.0, 3 / 8, 3 / 8, 1 / 8, 1 / 8)
        return (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)


def _column(letter: str, first: int, last: int) -> tuple[str, ...]:
    step = 1 if last >= first else -1
    return tuple(f"{letter}{number}" for number in range(first, last + step, step))


_ENTRY = _column("A", 4, 1)
_BELL = (*_ENTRY, *_column("B", 1, 8), "A8", "A7")
_MASTERS = (*_ENTRY, *_column("B", 1, 7), "C7", "C8", "B8", "A8", "A7")
_ASEB = (*_ENTRY, *_column("B", 1, 12))
_ROSETTES = frozenset({"A1", "C1", "B4", "A7", "C7"})
_ASEB_ROSETTES = frozenset({"A1", "C1", "B4", "B8", "B12"})

RULE_SETS = {
    "finkel": RuleSet(_BELL, 8, _ROSETTES, 7, 4, safe=True, capture_rolls=False),
    "blitz": RuleSet(_MASTERS, 8, _ROSETTES, 5, 4, safe=False, capture_rolls=True),
    "masters": RuleSet(_MASTERS, 8, _ROSETTES, 7, 3, safe=False, capture_rolls=False),
    "aseb": RuleSet(_ASEB, 12, _ASEB_ROSETTES, 5, 4, safe=True, capture_rolls=False),
    # Finkel's rules as the original program of Project Ur plays them: it never lands on the
    # middle rosette.
    "project-ur": RuleSet(
        _BELL, 8, _ROSETTES, 7, 4, safe=True, capture_rolls=False, closed=frozenset({"B4"})
    ),
}
