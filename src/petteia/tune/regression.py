"""Weights by regression: on how games ended, on a teacher's values, on labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.reading import read_text
from petteia.core.spec import Spec
from petteia.tune.lessons import Lookahead, Outcomes, labelled_rows, school_of
from petteia.tune.question import Question
from petteia.tune.setting import Setting
from petteia.tune.tuner import Candidate, Plan, Tuner, as_weights, wanted

__all__ = ["LeastSquares", "Logistic", "fit_least_squares", "fit_logistic", "log_loss"]

_RIDGE = 1e-6
"""Keeps weights of features that say the same apart from infinity."""
_HELD_OUT = 10
"""One game out of this many is not learned from, but tested on."""


class _Standard:
    """Features with mean zero and deviation one; those that never change are left out."""

    def __init__(self, features: np.ndarray) -> None:
        self.mean = features.mean(axis=0)
        deviation = features.std(axis=0)
        self.moves = deviation > 1e-12 * (1 + np.abs(self.mean))
        self.deviation = np.where(self.moves, deviation, 1.0)

    def of(self, features: np.ndarray) -> np.ndarray:
        return np.where(self.moves, (features - self.mean) / self.deviation, 0.0)

    def weights(self, slopes: np.ndarray) -> np.ndarray:
        """The weights of the features as they stand, from those of the standard ones."""
        return np.where(self.moves, slopes / self.deviation, 0.0)


def fit_logistic(features: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights and the constant that make the results of the games most likely.

    The chance to win is 1 / (1 + exp(-(constant + weights . features))); a draw is half a win.
    P. Österlund's "Texel's tuning method" (2014) minimises squares; this the logarithms, which is
    convex and so has one answer.
    """
    from scipy.optimize import minimize

    standard = _Standard(features)
    design = np.column_stack([standard.of(features), np.ones(len(features))])

    def loss(slopes: np.ndarray) -> tuple[float, np.ndarray]:
        logits = design @ slopes
        value = float(np.mean(np.logaddexp(0, logits) - ends * logits))
        slant = design.T @ (_chance(logits) - ends) / len(ends)
        return value + _RIDGE / 2 * float(slopes @ slopes), slant + _RIDGE * slopes

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B")
    weights = standard.weights(found.x[:-1])
    return weights, float(found.x[-1] - weights @ standard.mean)


def fit_least_squares(features: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights and the constant with the least squared differences from the values."""
    standard = _Standard(features)
    design = np.column_stack([standard.of(features), np.ones(len(features))])
    square = design.T @ design / len(values) + _RIDGE * np.eye(design.shape[1])
    slopes = np.linalg.solve(square, design.T @ values / len(values))
    weights = standard.weights(slopes[:-1])
    return weights, float(slopes[-1] - weights @ standard.mean)


def _chance(logits: np.ndarray) -> np.ndarray:
    chance: np.ndarray = 0.5 * (1 + np.tanh(logits / 2))
    return chance


def log_loss(features: np.ndarray, ends: np.ndarray, weights: np.ndarray, constant: float) -> float:
    """The mean log-loss of the predicted results, in nats; 0.693 is that of a coin."""
    logits = features @ weights + constant
    return float(np.mean(np.logaddexp(0, logits) - ends * logits))


class _Regression(Tuner):
    """Rounds of games and fits; a series of each result, for the record and not for choosing."""

    def __init__(self, setting: Setting, plan: Plan, epsilon: float, rounds: int) -> None:
        super().__init__(setting, plan)
        if not 0 <= epsilon <= 1:
            raise PetteiaError(
                f"method {self.name}: epsilon={epsilon} is not a fraction of the moves"
            )
        self.epsilon = epsilon
        self.iterations = wanted(plan.iterations, None, 1, rounds)
        self.lessons = max(1, (plan.budget or 2000 * self.iterations) // self.iterations)
        self._rows: list[np.ndarray] = []
        self._weights = self.start
        self._step = 0
        self._is_fitted = False
        self._score: float | None = None

    @property
    def games(self) -> int:
        return self.iterations * (self.lessons + self.setting.games)

    @property
    def best(self) -> Candidate:
        return Candidate(self._weights, self._score)

    def ask(self) -> list[Question]:
        if self._is_fitted:
            return [self.trial(self._weights, "search")]
        if self._step == self.iterations:
            return []
        return [self._lesson(self._step * self.lessons)]

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        if self._is_fitted:
            self._score = self.score(answers[0])
            self._step += 1
            self.mark(0, self._step, self._score, True, self._weights)
            self._is_fitted = False
            return
        self._rows.append(answers[0])
        rows = np.concatenate(self._rows)
        if len(rows) <= 10 * len(self._weights):
            raise PetteiaError(
                f"{len(rows)} positions are too few to learn from; give a larger --budget"
            )
        tested = rows[:, -1] % _HELD_OUT == _HELD_OUT - 1
        weights = self._fit(rows[~tested, :-1], rows[tested, :-1])
        self._weights = as_weights(weights)
        self._is_fitted = True

    def _lesson(self, first: int) -> Question:
        raise NotImplementedError

    def _fit(self, rows: np.ndarray, tested: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class Logistic(_Regression):
    """The agent plays against itself; the weights become those that best predict the results."""

    name = "logistic"
    about = "logistic regression on the ends of its own games (Texel's method)"

    def __init__(self, setting: Setting, plan: Plan, epsilon: float = 0.1) -> None:
        """``epsilon`` is the share of random moves, without which it would see too little."""
        super().__init__(setting, plan, epsilon, rounds=2)
        school_of(setting, self.name)

    def _lesson(self, first: int) -> Question:
        return Outcomes(self.name, self._weights, self.lessons, first, self.epsilon)

    def _fit(self, rows: np.ndarray, tested: np.ndarray) -> np.ndarray:
        weights, constant = fit_logistic(rows[:, :-1], rows[:, -1])
        held = tested if len(tested) else rows
        self.notes = {
            "positions": len(rows) + len(tested),
            "constant": constant,
            "log_loss": log_loss(rows[:, :-1], rows[:, -1], weights, constant),
            "held_out_log_loss": log_loss(held[:, :-1], held[:, -1], weights, constant),
        }
        return weights


class LeastSquares(_Regression):
    """The weights become those that come nearest to a teacher's values of moves, or to labels."""

    name = "least_squares"
    about = "least squares on the values of a deeper search, or on labelled positions"

    def __init__(
        self,
        setting: Setting,
        plan: Plan,
        teacher: Spec | None = None,
        labels: str = "",
        epsilon: float = 0.1,
        every: int = 5,
    ) -> None:
        """``teacher`` is an agent that gives moves values; ``labels`` a file of positions, each
        with a value for the player to move; the teacher is shown one decision in ``every``."""
        super().__init__(setting, plan, epsilon, rounds=1)
        if (teacher is None) == (labels == ""):
            raise PetteiaError(
                "method least_squares needs a teacher or labels, for instance "
                'least_squares(teacher=alphabeta(depth=3)) or least_squares(labels="states.tsv")'
            )
        if every < 1:
            raise PetteiaError(f"method least_squares: every={every} is not possible; at least 1")
        self.teacher, self.every = teacher, every
        if teacher is not None:
            school_of(setting, self.name)
            agents.make(teacher, self.bench.game)
            return
        rows = labelled_rows(setting, read_text(labels), self.name)
        self.iterations, self.lessons = 1, 0
        self._weights = as_weights(self._fit(rows, rows[:0]))
        self._is_fitted = True

    def _lesson(self, first: int) -> Question:
        return Lookahead(
            self.name, self._weights, self.lessons, first, self.epsilon,
            teacher=str(self.teacher), every=self.every,
        )  # fmt: skip

    def _fit(self, rows: np.ndarray, tested: np.ndarray) -> np.ndarray:
        weights, constant = fit_least_squares(rows[:, :-1], rows[:, -1])
        notes: dict[str, Any] = {"positions": len(rows) + len(tested), "constant": constant}
        notes["explained"] = _explained(rows, weights, constant)
        notes["held_out_explained"] = _explained(tested, weights, constant)
        self.notes = notes
        return weights


def _explained(rows: np.ndarray, weights: np.ndarray, constant: float) -> float | None:
    """The share of the values' variance that the fit explains; None without rows."""
    if len(rows) < 2 or not rows[:, -1].any():
        return None
    left = rows[:, -1] - rows[:, :-1] @ weights - constant
    total = rows[:, -1] - rows[:, -1].mean()
    return float(1 - (left @ left) / max(float(total @ total), 1e-300))
