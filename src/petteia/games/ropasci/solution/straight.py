"""What is kept of curves that are too many to be kept whole: points with straight lines between."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from petteia.games.ropasci.solution.sweep import ONE
from petteia.games.ropasci.solution.table import WHOLE

__all__ = ["WITHIN", "StraightLines"]

WITHIN = 0.005
"""A turn is kept where a line past it would be off by more than this, in the middle."""

Chances = np.ndarray


def rounded(chances: Chances) -> Chances:
    """Chances in parts of ``WHOLE`` instead of ``ONE``."""
    return ((chances.astype(np.int64) * WHOLE + ONE // 2) // ONE).astype(np.uint16)


class StraightLines:
    """The chances of many places by turns. All have the same turns at which they are kept, so that
    what is better stays better: a line is off by about as much in all of them."""

    def __init__(self, count: int) -> None:
        self.turns = [0]
        """The turns that are kept."""
        self.rows = [np.zeros(count, np.uint16)]
        """The chances at each of them."""
        self.error = 0.0
        """By how much the lines are off at most."""
        self._since: list[Chances] = []  # at the turns after the last that is kept

    def go_on(self, turns: list[int], rows: Chances, error: float, chances: Chances) -> None:
        """Takes up what was kept when the last turn added had these chances."""
        self.turns, self.rows, self.error = turns, list(rows), error
        self._since = [rounded(chances)]

    def add(self, chances: Chances) -> bool:
        """One turn more; whether the turn before it is now the last that is kept."""
        self._since.append(rounded(chances))
        count = len(self._since)
        if self._off(count, [count // 2]) <= WITHIN:
            return False
        self._keep(count - 1)
        return True

    def finish(self, turn: int) -> None:
        """The turn that was added last is kept. Nothing changes from it to ``turn``."""
        self._keep(len(self._since))
        if self.turns[-1] < turn:
            self.turns.append(turn)
            self.rows.append(self.rows[-1])

    def _keep(self, count: int) -> None:
        """Keeps the last of so many turns."""
        self.error = max(self.error, self._off(count, range(1, count)))
        self.turns.append(self.turns[-1] + count)
        self.rows.append(self._since[count - 1])
        del self._since[:count]

    def _off(self, count: int, after: Iterable[int]) -> float:
        """By how much a line to the last of so many turns is off after these many, at most."""
        first = self.rows[-1].astype(np.float32)
        step = (self._since[count - 1] - first) / count
        found = [np.abs(first + step * k - self._since[k - 1]).max() for k in after if k > 0]
        return max(map(float, found), default=0.0) / WHOLE
