"""Random-restart hill climbing, as L. Tucker describes it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from petteia.core.errors import PetteiaError, one_of
from petteia.core.seeds import derive
from petteia.tune.question import Question
from petteia.tune.setting import Setting
from petteia.tune.tuner import Candidate, Plan, Tuner, as_weights, wanted

__all__ = ["HillClimb", "moved"]

_STARTS = ("mixed", "given", "random")
_DICE = ("common", "fresh")


def moved(old: np.ndarray, step: np.ndarray, inward: np.ndarray, span: float = 1.0) -> np.ndarray:
    """The report's boundary rule: a weight that would leave [-span, span] goes a random share
    (``inward``, in [0, 1)) of the way from where it was to the bound instead."""
    new = old + step
    new = np.where(new > span, old + inward * (span - old), new)
    return np.where(old + step < -span, old + inward * (-span - old), new)


class _Climb:
    """One restart."""

    def __init__(self, start: np.ndarray, rng: np.random.Generator) -> None:
        self.rng = rng
        self.current = start
        self.candidate = start
        self.recorded = -math.inf  # the score of the current weights, which are not played again
        self.best: Candidate | None = None
        self.best_score = -math.inf


class HillClimb(Tuner):
    """All weights move at once by random steps that get shorter; what wins more games is kept.

    The current weights are not played again: a candidate has to beat the score on record. All
    restarts climb side by side, so that they can share workers; none looks at another.
    """

    name = "hillclimb"
    about = "random-restart hill climbing, as published by L. Tucker"

    def __init__(
        self,
        setting: Setting,
        plan: Plan,
        *,  # as a spec names them; each is a choice of the report's author, or ours beside it
        first: float = 1.0,
        last: float = 0.2,
        span: float = 1.0,
        starts: str = "mixed",
        dice: str = "common",
        annealing: float = 0.0,
    ) -> None:
        """``first`` and ``last`` are the compression of the first and the last step, even steps
        between; ``span`` is the bound of weights and the unit of steps; ``starts`` are ``given``,
        ``random`` or in turns; ``dice=fresh`` gives every candidate its own dice, as the report
        did; ``annealing`` is the first temperature, in units of the score."""
        super().__init__(setting, plan)
        if not (0 < last <= first and span > 0 and annealing >= 0):
            raise PetteiaError(
                "method hillclimb needs 0 < last <= first, span above 0 and annealing not below 0"
            )
        for value, known, what in ((starts, _STARTS, "starts"), (dice, _DICE, "dice")):
            if value not in known:
                raise one_of(value, known, what=what)
        self.first, self.last, self.span, self.annealing = first, last, span, annealing
        self.dice = dice
        games = setting.series
        if plan.iterations is None and plan.restarts is not None and plan.budget is not None:
            each = plan.budget // (plan.restarts * games) - 1
            self.iterations = wanted(None, max(each, 0), 1, 50)
            self.restarts = plan.restarts
        else:
            self.iterations = wanted(plan.iterations, None, games, 50)
            self.restarts = wanted(plan.restarts, plan.budget, games * (self.iterations + 1), 1)
        self._step = 0
        self._climbs = []
        for number in range(self.restarts):
            rng = np.random.default_rng(derive(setting.seed, "hillclimb", number))
            is_random = starts == "random" or (starts == "mixed" and number % 2 == 1)
            drawn = rng.uniform(-span, span, len(self.bench.names))
            self._climbs.append(_Climb(drawn if is_random else self.bench.start, rng))

    @property
    def games(self) -> int:
        return self.restarts * (self.iterations + 1) * self.setting.games

    def compression(self, step: int) -> float:
        """The factor of the steps, from the first iteration (1) to the last."""
        share = (step - 1) / max(1, self.iterations - 1)
        return self.first + (self.last - self.first) * share

    def ask(self) -> list[Question]:
        if self._step > self.iterations:
            return []
        if self._step > 0:
            size = self.compression(self._step) * self.span
            for climb in self._climbs:
                steps = size * climb.rng.uniform(-1, 1, len(climb.current))
                inward = climb.rng.uniform(0, 1, len(climb.current))
                climb.candidate = moved(climb.current, steps, inward, self.span)
        questions: list[Question] = []
        for number, climb in enumerate(self._climbs):
            dice = "search" if self.dice == "common" else f"search/{number}/{self._step}"
            questions.append(self.trial(climb.candidate, dice))
        return questions

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        for number, (climb, points) in enumerate(zip(self._climbs, answers, strict=True)):
            score = self.score(points)
            is_kept = score > climb.recorded or self._is_let_pass(climb, score)
            if is_kept:
                climb.current, climb.recorded = climb.candidate, score
            weights = as_weights(climb.candidate)
            if score > climb.best_score:
                climb.best, climb.best_score = Candidate(weights, score, number), score
            self.mark(number, self._step, score, is_kept, weights)
        self._step += 1

    def _is_let_pass(self, climb: _Climb, score: float) -> bool:
        """Annealing: the worse a candidate is, and the later, the less often it is accepted."""
        if self.annealing == 0:
            return False
        chance = climb.rng.uniform()
        heat = self.annealing * (1 - self._step / (self.iterations + 1))
        return bool(chance < math.exp((score - climb.recorded) / heat))

    @property
    def pool(self) -> list[Candidate]:
        """The best of every restart, the best first."""
        ranked = sorted(self._climbs, key=lambda climb: -climb.best_score)
        return [climb.best for climb in ranked if climb.best is not None]

    @property
    def best(self) -> Candidate:
        return self.pool[0] if self.pool else Candidate(self.start, None)
