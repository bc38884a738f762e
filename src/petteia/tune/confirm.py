"""A search overrates its own result, so fresh games measure it.

The best of many noisy scores is lucky as well as good. So the weights that a search
ends with meet the opponent again on new dice, their start meets him on the same, and both meet
each other in a sequential test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from petteia.arena.statistics import Sample, Sprt, bias_note, pair_interval, pentanomial
from petteia.arena.statistics.interval import half_width
from petteia.tune.question import Question, Trial
from petteia.tune.setting import Setting, Weights, scores_of

__all__ = ["Confirmation"]

_STEP = 128
"""Pairs of the sequential test that are asked for at a time."""


@dataclass
class Confirmation:
    """The fresh games of a result, asked for like those of a search."""

    setting: Setting
    start: Weights
    tuned: Weights
    pairs: int
    """Of the fixed series, and the most of the sequential test."""
    sprt: Sprt
    points: list[np.ndarray] = field(default_factory=list)
    """Of the tuned weights and of the start, against the opponent."""
    met: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))
    """The points of the tuned weights against their start."""
    decision: str = "continue"
    llr: float = 0.0

    @property
    def games(self) -> int:
        """The most that it may take."""
        return 0 if self.is_start else 6 * self.pairs

    @property
    def is_start(self) -> bool:
        """Whether the search came back with what it began with: then there is nothing to test."""
        return self.tuned == self.start

    def ask(self) -> list[Question]:
        if not self.points:
            both = [Trial(self.tuned, "confirm", self.pairs)]
            if not self.is_start:
                both.append(Trial(self.start, "confirm", self.pairs))
            return list(both)
        left = self.pairs - len(self.met)
        if self.is_start or left == 0 or self.decision != "continue":
            return []
        first = len(self.met)
        return [Trial(self.tuned, "test", min(_STEP, left), first, against=self.start)]

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        if not self.points:
            self.points = list(answers)
            return
        for both in answers[0]:
            self.met = np.vstack([self.met, both])
            self.llr = self.sprt.llr(self._counts())
            self.decision = self.sprt.decision(self.llr)
            if self.decision != "continue":
                break

    def _counts(self) -> tuple[int, int, int, int, int]:
        return pentanomial(scores_of(self.met, "wins").tolist())

    def _means(self, who: int) -> np.ndarray:
        """The mean score of each pair."""
        means: np.ndarray = scores_of(self.points[who], self.setting.aim).mean(axis=1)
        return means

    def _interval(self, who: int) -> tuple[float, float]:
        means = self._means(who)
        if self.setting.aim == "wins":
            return pair_interval(means.tolist())
        half = half_width(means)
        return (float(means.mean()) - half, float(means.mean()) + half)

    @property
    def is_better(self) -> bool:
        """Whether the test has decided that the tuned weights beat their start."""
        return self.decision == "accept H1"

    def facts(self, series: float) -> dict[str, Any]:
        """What fresh games say of a result that scored so much in its search."""
        tuned = float(self._means(0).mean())
        start = float(self._means(-1).mean())
        gains = self._means(0) - self._means(-1)
        half = half_width(gains)
        counts = self._counts()
        return {
            "series_score": series,
            "confirmed_score": tuned,
            "interval": list(self._interval(0)),
            "start_score": start,
            "start_interval": list(self._interval(-1)),
            "gain": tuned - start,
            "gain_interval": [tuned - start - half, tuned - start + half],
            "luck": series - tuned,
            "confirmed_games": 2 * len(self.points[0]),
            "test": {
                "decision": self.decision,
                "llr": self.llr,
                "bounds": list(self.sprt.bounds),
                "hypotheses": [self.sprt.elo0, self.sprt.elo1],
                "pairs": len(self.met),
                "pentanomial": list(counts),
                "score": Sample.of_counts(counts).mean,
                "note": bias_note(self.sprt, counts) if len(self.met) else "",
            },
            "better": self.is_better,
        }
