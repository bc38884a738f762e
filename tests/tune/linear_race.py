"""The dice race of ``tests/toys.py`` with a linear evaluation, for tuners to work on.

Good play hurries; the weights to start from dawdle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from petteia.core.agent import Agent, Decision
from petteia.core.evaluation import Evaluation, LinearEvaluation, PlainEvaluation
from petteia.core.policy import Playable, Policy
from petteia.core.words import U, Words
from tests.toys import Race

__all__ = ["LinearRace", "Whim"]


def strides(game: LinearRace, p: Words, player: int) -> tuple[float, ...]:
    """How far both have come, and whether an exact throw could end it."""
    own, other = (p[0], p[1]) if player == 0 else (p[1], p[0])
    near = own + U(3) >= U(game.goal)
    return (float(own), float(other), 1.0 if near else 0.0)


_WEIGHTS = {"own": -0.5, "other": 0.25, "near": 0.0}


class WhimPolicy(Policy):
    """The seed of the move chooses."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        end = game.moves(p, memory.out, 0)
        return memory.out[seed % end]  # type: ignore[no-any-return]


def nothing(game: Any, p: Words, player: int) -> float:
    return 0.0


_WHIM, _NOTHING = WhimPolicy(), PlainEvaluation("nothing", nothing)


class Whim(Agent):
    """Plays whatever the seed says."""

    name = "whim"

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        moves = self.game.legal_moves(p)
        return Decision(moves[seed % len(moves)])

    def playable(self) -> Playable:
        return Playable(_WHIM, _NOTHING, _NOTHING.array)


class LinearRace(Race):
    """A longer race with weights."""

    name = "linear_race"
    evaluations: ClassVar[Mapping[str, Evaluation]] = {
        "strides": LinearEvaluation("strides", strides, _WEIGHTS)
    }
    default_evaluation = "strides"
    agents: ClassVar[Mapping[str, type[Agent]]] = {"whim": Whim}

    def __init__(self, goal: int = 9) -> None:
        super().__init__(goal)
