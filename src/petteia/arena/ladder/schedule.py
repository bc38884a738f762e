"""Which meeting tells most about the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Ratings, bradley_terry

__all__ = ["Plan", "information"]

_ELO = 400 / math.log(10)


def information(ratings: Ratings) -> NDArray[np.float64]:
    """How much a game of every two players is expected to tell: (players, players).

    A game adds e (1 - e) to the information about their difference, e being the expected score. The
    logarithm of the determinant of all information then grows by log(1 + e (1 - e) v), v being the
    variance of the difference so far: the criterion of D-optimal designs (A. C. Atkinson, A. N.
    Donev and R. D. Tobias, Optimum Experimental Designs, with SAS, 2007).
    """
    strength = np.array(ratings.elo) / _ELO
    spread = 1 / np.cosh((strength[:, None] - strength[None, :]) / 2) ** 2 / 4  # e (1 - e)
    own = ratings.covariance.diagonal()
    variance = (own[:, None] + own[None, :] - 2 * ratings.covariance) / _ELO**2
    # Rounded, so that those who tell the same do so on every machine.
    return np.log1p(spread * np.maximum(0.0, variance)).round(9).astype(np.float64)


class Plan:
    """The meetings that are open, and which of them comes next."""

    def __init__(self, players: int) -> None:
        self._scores = np.zeros((players, players))
        self._open = np.zeros((players, players), bool)
        self._under_way = np.zeros((players, players), int)
        self._told: NDArray[np.float64] | None = None
        """The information of all meetings, until there are new results."""

    def add(self, first: int, second: int, pair_scores: Sequence[float]) -> None:
        """Takes in pairs of games by the first one's mean scores."""
        self._scores[first, second] += 2 * sum(pair_scores)
        self._scores[second, first] += 2 * sum(1 - score for score in pair_scores)
        self._told = None

    def open(self, first: int, second: int) -> None:
        """Two have pairs to play."""
        self._open[first, second] = True

    def close(self, first: int, second: int) -> None:
        """Two have no more pairs to play."""
        self._open[first, second] = False

    @property
    def is_open(self) -> bool:
        """Whether anybody has pairs to play."""
        return bool(self._open.any())

    def next(self) -> tuple[int, int]:
        """The open meeting of the largest information, which is then under way; those that are so
        already come last. Of those that tell the same, the first."""
        if self._told is None:
            self._told = information(bradley_terry(self._scores))
        waiting = self._open & (self._under_way == 0)
        choice = waiting if waiting.any() else self._open
        best = int(np.argmax(np.where(choice, self._told, -1.0)))
        first, second = divmod(best, len(self._scores))
        self._under_way[first, second] += 1
        return first, second

    def is_back(self, first: int, second: int) -> None:
        """Pairs of these two are no longer under way."""
        self._under_way[first, second] -= 1
