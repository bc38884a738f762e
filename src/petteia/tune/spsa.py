"""Simultaneous perturbation stochastic approximation: a gradient from two series per step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.tune.question import Question
from petteia.tune.setting import Setting
from petteia.tune.tuner import Candidate, Plan, Tuner, as_weights, wanted

__all__ = ["Spsa"]

# J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
# optimization", 1998: the exponents that he recommends for noisy measurements.
_ALPHA, _GAMMA = 0.602, 0.101


class Spsa(Tuner):
    """Two candidates on either side of the current weights play on the same dice; the weights
    move along the difference. The result is the mean of the second half of the way, which is
    steadier than its end."""

    name = "spsa"
    about = "steps along a slope that two candidates on either side show"

    def __init__(
        self, setting: Setting, plan: Plan, probe: float = 0.2, rate: float = 0.05
    ) -> None:
        """``probe`` is how far to either side, ``rate`` how far to go for a slope of one; both in
        units of each weight's size. Many short series work better than few long ones."""
        super().__init__(setting, plan)
        if not (probe > 0 and rate > 0):
            raise PetteiaError("method spsa needs probe and rate above 0")
        self.probe, self.rate = probe, rate
        self.iterations = wanted(plan.iterations, plan.budget, 2 * setting.series, 50)
        self._rng = np.random.default_rng(derive(setting.seed, "spsa"))
        self._place = self.bench.start / self.scale
        self._sides = np.ones(len(self._place))
        self._step = 0
        self._sum = np.zeros(len(self._place))
        self._counted = 0
        self._score: float | None = None

    @property
    def games(self) -> int:
        return (2 * self.iterations + 1) * self.setting.games

    def _reach(self) -> float:
        return float(self.probe / (self._step + 1) ** _GAMMA)

    def ask(self) -> list[Question]:
        if self._step == self.iterations and self._score is None:
            return [self.trial(self.best.weights, "search/end")]
        if self._step >= self.iterations:
            return []
        self._sides = self._rng.choice([-1.0, 1.0], len(self._place))
        reach = self._reach() * self._sides
        dice = f"search/{self._step}"
        both = (self._place + reach, self._place - reach)
        return [self.trial(place * self.scale, dice) for place in both]

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        scores = [self.score(points) for points in answers]
        if len(scores) == 1:
            self._score = scores[0]
            self.mark(0, self._step, self._score, True, self.best.weights)
            return
        settled = 0.1 * self.iterations  # Spall's A: a tenth of the steps
        rate = self.rate * ((settled + 1) / (settled + 1 + self._step)) ** _ALPHA
        slope = (scores[0] - scores[1]) / (2 * self._reach()) * self._sides
        self._place = self._place + rate * slope
        if 2 * self._step >= self.iterations:
            self._sum += self._place
            self._counted += 1
        self.mark(0, self._step, sum(scores) / 2, True, as_weights(self._place * self.scale))
        self._step += 1

    @property
    def best(self) -> Candidate:
        place = self._sum / self._counted if self._counted else self._place
        return Candidate(as_weights(place * self.scale), self._score)
