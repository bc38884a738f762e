"""A hunt solved, turn by turn: value iteration over moves that both make at the same time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.solution.hunts import (
    HUNTS,
    PLACEMENTS,
    Hunt,
    outcomes_of,
    placements,
)
from petteia.games.ropasci.solution.sweep import ONE, TURN_LONGER, Space

__all__ = ["Chase", "Three"]

_GAME = RoPaSciRules()


class Chase:
    """A hunt with the chances of all its placements."""

    def __init__(self, hunt: Hunt, workers: int, three: Three | None = None) -> None:
        """``three`` is the solved hunt of three tokens, into which one of four may fall."""
        self._outcomes = found = outcomes_of(hunt)
        self._workers = workers
        self._places, hexes = placements(hunt)
        count = len(found.open)
        before = np.zeros(PLACEMENTS, np.int32)
        before[found.over] = np.rint(found.points * ONE)
        self._space = Space(
            len(hunt.upper), found.open, hexes[np.searchsorted(self._places, found.open)], before,
            np.zeros(count, np.int32), np.zeros(count), np.zeros((count, 2), np.uint64),
        )  # fmt: skip
        self.turn = 0
        """For how many turns the chances are."""
        self.residual = 0.0
        """By how much the chances may be too low, as equilibria are not quite exact."""
        self._falls, self._fallen = found.falls[:0], np.zeros((0, 1), np.int32)
        if three is not None:
            there, chances = three.at(found.into)
            self._falls, self._fallen = found.falls[there], np.rint(chances * ONE).astype(np.int32)

    @property
    def places(self) -> np.ndarray:
        """Where the hunt goes on, ascending."""
        return self._outcomes.open

    @property
    def chances(self) -> np.ndarray:
        """Of these, in parts of ``ONE``."""
        return self._space.before[self.places]

    @property
    def before(self) -> np.ndarray:
        """The chances of all placements, by place."""
        return self._space.before

    def go_on(self, turn: int, residual: float, before: np.ndarray) -> None:
        """Takes up what was kept."""
        self.turn, self.residual = turn, residual
        self._space.before[:] = before
        self._space.played[:] = 0

    def longer(self) -> bool:
        """One turn more; False if no chance has changed, and none will."""
        space, like = self._space, self._outcomes.like
        if len(self._falls):
            space.before[self._falls] = self._fallen[:, self.turn]
        TURN_LONGER(len(space.open), _GAME, space, threads=self._workers)
        has_changed = bool((space.before[space.open] != space.after).any())
        space.before[space.open] = space.after
        space.before[self._places] = space.before[like[self._places]]
        self.residual += float(space.gaps.max()) + 0.5 / ONE
        self.turn += 1
        return has_changed or bool((self._fallen[:, self.turn - 1 :] != self._fallen[:, -1:]).any())


@dataclass(frozen=True)
class Three:
    """The hunt of three tokens: by turns, the chances of all placements that have any."""

    places: np.ndarray
    """Ascending; those of equal placements too."""
    chances: np.ndarray
    """[place, turns]."""

    @classmethod
    def solved(cls, turns: int, workers: int, report: Callable[[float, str], None]) -> Three:
        """More turns never hurt the hunter: where it has no chance at last, it never had one."""
        chase, every = Chase(HUNTS[0], workers), placements(HUNTS[0])[0]
        line = [np.zeros(len(every), np.int32)]
        while chase.turn < turns:
            chase.longer()
            line.append(chase.before[every])
            report(chase.turn / turns, f"{chase.turn} turns")
        there = line[-1] > 0
        return cls(every[there], np.stack([each[there] for each in line], axis=1) / ONE)

    def at(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of these places have a chance, and the chances of those by turns."""
        if not len(self.places):
            return np.zeros(len(places), np.bool_), self.chances
        at = np.searchsorted(self.places, places).clip(max=len(self.places) - 1)
        there = self.places[at] == places
        return there, self.chances[at[there]]
