"""The one interface of all methods: a tuner asks, its driver answers.

    tuner = HillClimb(setting, Plan(restarts=2))
    while questions := tuner.ask():
        tuner.tell([question.answer(setting) for question in questions])
    tuner.best

A tuner draws its own random numbers from the setting's seed and sees nothing but the answers, so
the same answers lead it the same way: a run is resumed by answering again from its log.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.tune.question import Question, Trial, series_score
from petteia.tune.setting import Bench, Setting, Weights, bench_of

__all__ = ["Candidate", "Mark", "Plan", "Tuner", "as_weights", "wanted"]


@dataclass(frozen=True)
class Plan:
    """How long a search is; what is not given follows from the budget or from the method."""

    restarts: int | None = None
    iterations: int | None = None
    budget: int | None = None
    """Games in all."""


@dataclass(frozen=True)
class Candidate:
    """Weights and what they scored in the search."""

    weights: Weights
    score: float | None
    """In the series of the search; None while none was played."""
    restart: int = 0


@dataclass(frozen=True)
class Mark:
    """One point of a search, for its plot."""

    restart: int
    iteration: int
    """0 is the start."""
    score: float
    is_kept: bool
    """Whether the search went on from it."""
    weights: Weights


class Tuner(ABC):
    """A method of tuning; ``__init__`` takes the setting, the plan and the method's own options."""

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""

    def __init__(self, setting: Setting, plan: Plan) -> None:
        self.setting = setting
        self.plan = plan
        self.bench: Bench = bench_of(setting)
        self.marks: list[Mark] = []
        self.notes: dict[str, Any] = {}

    @abstractmethod
    def ask(self) -> list[Question]:
        """The work that is wanted now; nothing when the search is over."""

    @abstractmethod
    def tell(self, answers: Sequence[np.ndarray]) -> None:
        """The answers to the last questions, in their order."""

    @property
    @abstractmethod
    def best(self) -> Candidate:
        """What the search would end with now."""

    @property
    @abstractmethod
    def games(self) -> int:
        """The games of the whole search."""

    @property
    def pool(self) -> list[Candidate]:
        """The candidates worth a closer look, the best first."""
        return [self.best]

    @property
    def start(self) -> Weights:
        """The weights to start from."""
        return as_weights(self.bench.start)

    def trial(self, weights: Sequence[float] | np.ndarray, dice: str) -> Trial:
        """A series of a candidate."""
        return Trial(as_weights(weights), dice, self.setting.pairs)

    def score(self, points: np.ndarray) -> float:
        """The mean score of a series."""
        return series_score(points, self.setting)

    def mark(
        self, restart: int, iteration: int, score: float, is_kept: bool, weights: Sequence[float]
    ) -> None:
        """Notes a point of the search."""
        kept = as_weights(weights)
        self.marks.append(Mark(restart, iteration, score, is_kept, kept))

    @property
    def scale(self) -> np.ndarray:
        """How large a change of each weight is a change: its own size, or the usual one."""
        sizes = np.abs(self.bench.start)
        usual = float(sizes[sizes > 0].mean()) if sizes.any() else 1.0
        return np.where(sizes > 0, sizes, usual)


def as_weights(weights: Sequence[float] | np.ndarray) -> Weights:
    """Plain numbers, which print and travel the same everywhere."""
    return tuple(float(weight) for weight in weights)


def wanted(count: int | None, budget: int | None, games: int, usual: int) -> int:
    """How many rounds of this many games: as asked for, as the budget allows, or as usual."""
    found = count if count is not None else budget // games if budget is not None else usual
    if found < 1:
        raise PetteiaError(
            f"--budget {budget} is too small: one round takes {games} games"
            if count is None
            else f"{count} rounds are not possible; at least 1"
        )
    return found
