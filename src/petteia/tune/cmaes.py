"""CMA-ES, the evolution strategy that learns the shape of the hill; by the library ``cma``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.tune.question import Question
from petteia.tune.setting import Setting
from petteia.tune.tuner import Candidate, Plan, Tuner, as_weights, wanted

__all__ = ["CmaEs"]


class CmaEs(Tuner):
    """A population of candidates plays with the same dice, and moves towards the better ones. The
    result is the mean of the distribution, not its luckiest member."""

    name = "cmaes"
    about = "an evolution strategy that learns the shape of the hill (extra: tune)"

    def __init__(
        self, setting: Setting, plan: Plan, step: float = 0.3, population: int = 0
    ) -> None:
        """``step`` is the initial standard deviation, in units of each weight's size; without a
        ``population`` the library chooses one by the number of weights."""
        super().__init__(setting, plan)
        try:
            import cma
        except ImportError:
            raise PetteiaError(
                "method cmaes needs the extra 'tune': pip install 'petteia[tune]'"
            ) from None
        if step <= 0 or (population != 0 and population < 4):
            raise PetteiaError("method cmaes needs a step above 0 and a population of 4 or more")
        if len(self.bench.names) < 2:
            raise PetteiaError("method cmaes needs two weights or more; spsa tunes a single one")
        rng = np.random.default_rng(derive(setting.seed, "cmaes"))

        def normal(*shape: int) -> np.ndarray:
            return rng.standard_normal(shape)

        # The library would take the seed and the numbers of the whole process.
        options: dict[str, Any] = {"verbose": -9, "seed": np.nan, "randn": normal}
        if population:
            options["popsize"] = population
        start = self.bench.start / self.scale
        self._strategy: Any = cma.CMAEvolutionStrategy(start, step, options)
        self.population = int(self._strategy.popsize)
        self.iterations = wanted(plan.iterations, plan.budget, self.population * setting.series, 20)
        self._step = 0
        self._asked: list[np.ndarray] = []
        self._score: float | None = None

    @property
    def games(self) -> int:
        return (self.iterations * self.population + 1) * self.setting.games

    def ask(self) -> list[Question]:
        if self._step == self.iterations and self._score is None:
            return [self.trial(self.best.weights, "search/end")]
        if self._step >= self.iterations:
            return []
        self._asked = self._strategy.ask()
        dice = f"search/{self._step}"
        return [self.trial(place * self.scale, dice) for place in self._asked]

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        scores = [self.score(points) for points in answers]
        if self._step == self.iterations:
            self._score = scores[0]
            self.mark(0, self._step, self._score, True, self.best.weights)
            return
        self._strategy.tell(self._asked, [-score for score in scores])
        for place, score in zip(self._asked, scores, strict=True):
            self.mark(0, self._step, score, score == max(scores), as_weights(place * self.scale))
        self._step += 1

    @property
    def best(self) -> Candidate:
        return Candidate(as_weights(self._strategy.mean * self.scale), self._score)
