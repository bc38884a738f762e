"""What tuners ask: work for any process, whose answer is an array."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from petteia.arena.contest import Contest
from petteia.arena.points import pair_points
from petteia.tune.setting import Setting, Weights, bench_of, scores_of

__all__ = ["Question", "Trial", "series_score"]

PART = 32
"""Pairs in one piece of work. It does not depend on the workers, so that the log of a run is the
same wherever it runs."""


class Question(ABC):
    """A piece of work; a frozen dataclass of plain data."""

    @property
    @abstractmethod
    def games(self) -> int:
        """How many games it takes, for the estimate of time."""

    def parts(self) -> list[Question]:
        """The same work in pieces, whose answers are joined along the first axis."""
        return [self]

    @abstractmethod
    def answer(self, setting: Setting) -> np.ndarray:
        """Does the work, in whatever process it runs."""

    def contest(self, setting: Setting) -> tuple[Contest, range] | None:
        """The pairs of a contest whose points are the answer, where it is no more than that."""
        return None


@dataclass(frozen=True)
class Trial(Question):
    """Pairs of games of a candidate; the answer holds its points: (pairs, 2)."""

    weights: Weights
    dice: str
    """The name of the dice: candidates that are compared meet the same."""
    pairs: int
    first: int = 0
    """The number of the first pair."""
    against: Weights | None = None
    """The same agent with these weights is the opponent, instead of the setting's."""

    @property
    def games(self) -> int:
        return 2 * self.pairs

    def parts(self) -> list[Question]:
        ends = range(0, self.pairs, PART)
        return [
            replace(self, first=self.first + at, pairs=min(PART, self.pairs - at)) for at in ends
        ]

    def answer(self, setting: Setting) -> np.ndarray:
        return pair_points(*self.contest(setting))

    def contest(self, setting: Setting) -> tuple[Contest, range]:
        bench = bench_of(setting)
        other = setting.against if self.against is None else str(bench.agent_spec(self.against))
        contest = setting.contest(str(bench.agent_spec(self.weights)), other, self.dice)
        return contest, range(self.first, self.first + self.pairs)


def series_score(points: np.ndarray, setting: Setting) -> float:
    """A candidate's mean score in the games of a series, from the points of its pairs."""
    return float(scores_of(points.ravel()[: setting.series], setting.aim).mean())
