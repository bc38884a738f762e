"""Evaluations: how good a position is for a player, before the game is over.

An evaluation is a function of the game, the position and the player for whom it speaks. The
player is always the one who searches: that is how the course reports define their heuristics,
whose two sides need not be each other's negative.

    def my_eval(game, p, player): ...              a plain function
    def my_eval(game, p, player, w): ...           with weights, an array of numbers
    def my_features(game, p, player): ...          a tuple of numbers; value = weights . features

Weights are given when the program runs, so a tuner changes them without compiling anything.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from petteia.core.compile_time import CompileTime
from petteia.core.errors import PetteiaError, one_of
from petteia.core.own_code import blamed
from petteia.core.rules import Rules
from petteia.core.spec import Spec
from petteia.core.words import Words

__all__ = ["Evaluation", "LinearEvaluation", "PlainEvaluation", "WeightedEvaluation", "of_function"]

SEED = "seed"
"""The weight of this name is no weight but the seed of an evaluation's noise."""


class Evaluation(CompileTime):
    """A named evaluation with its weights."""

    remembers: ClassVar[bool] = False
    """Whether it writes into its weights what it last saw: then every search needs a copy of its
    own, as searches have, and threads must not share one."""

    def __init__(
        self, name: str, function: Callable[..., Any], weights: Mapping[str, float] | None = None
    ) -> None:
        self.name = name
        self.function = function
        self.weights = dict(weights or {})
        self.given: tuple[str, ...] = ()
        self.tag: Evaluation = self
        """What kernels take: one for all settings of the weights, which they take apart."""
        self.about = (inspect.getdoc(function) or "").split("\n")[0]
        self.point: float | None = None
        """What a point at the end of the game is worth in this evaluation's units; None where the
        end outweighs everything. With 1 the values are estimates of the points to come."""
        self.says_nothing = False
        """Whether it values all unfinished positions alike."""
        self.after_forced = False
        """Whether it speaks only where the game's ``forced`` sees no end, which comes first."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        """Kernel: the value of the position for the player."""
        raise NotImplementedError

    @property
    def array(self) -> np.ndarray:
        """The weights as the kernels take them."""
        return np.array(list(self.weights.values()), np.float64)

    @property
    def is_seeded(self) -> bool:
        """Whether it should get a fresh seed for its noise at every move."""
        return SEED in self.weights and SEED not in self.given

    @property
    def spec(self) -> Spec:
        """The spec that makes this evaluation again."""
        return Spec(self.name, tuple((key, self.weights[key]) for key in self.given))

    def with_weights(self, weights: Mapping[str, Any]) -> Evaluation:
        """The same evaluation with some weights changed."""
        for key, value in weights.items():
            if key not in self.weights:
                raise one_of(key, self.weights, what=f"weight of evaluation {self.name}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise PetteiaError(f"evaluation {self.name}: {key}={value} is not a number")
        changed = self._copy({**self.weights, **{k: float(v) for k, v in weights.items()}})
        changed.given = tuple(k for k in self.weights if k in self.given or k in weights)
        return changed

    def _copy(self, weights: Mapping[str, float]) -> Evaluation:
        copy = type(self)(self.name, self.function, weights)
        copy.about = self.about
        copy.point = self.point
        copy.after_forced = self.after_forced
        copy.tag = self.tag
        return copy

    def check(self, game: Rules) -> None:
        """Raises where this evaluation does not fit the game."""

    def of(self, game: Rules, p: Words, player: int) -> float:
        """The value for the player, by the interpreter."""
        return float(self.value(game, p, player, self.array))

    def shares(self, game: Rules, p: Words, player: int) -> dict[str, float]:
        """What each feature adds to the value; empty where the evaluation is not linear."""
        return {}


class PlainEvaluation(Evaluation):
    """A function of (game, p, player)."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        return float(self.function(game, p, player))


class WeightedEvaluation(Evaluation):
    """A function of (game, p, player, w)."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        return float(self.function(game, p, player, w))


class LinearEvaluation(Evaluation):
    """Weights times features; the function gives the features as a tuple."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        features = self.function(game, p, player)
        total = 0.0
        for i in range(len(features)):
            total += w[i] * features[i]
        return total

    def shares(self, game: Rules, p: Words, player: int) -> dict[str, float]:
        features = self.function(game, p, player)
        return {
            key: weight * float(feature)
            for (key, weight), feature in zip(self.weights.items(), features, strict=True)
        }


def of_function(
    name: str, function: Callable[..., Any], weights: Mapping[str, float] | None = None
) -> Evaluation:
    """The evaluation that a user's function means, by the number of its parameters.

    A function may carry its weights as an attribute: ``my_eval.weights = {"front": 2}``. A
    function of three parameters with weights gives features.
    """
    count = len(inspect.signature(function).parameters)
    weights = weights if weights is not None else getattr(function, "weights", None)
    if count == 4:
        return WeightedEvaluation(name, function, weights)
    if count == 3:
        return (LinearEvaluation if weights else PlainEvaluation)(name, function, weights)
    raise blamed(
        function,
        f"evaluation {name} takes {count} parameters; it should be a function of "
        "(game, p, player) or of (game, p, player, w)",
    )
