"""The dice race of ``tests/toys.py`` with a linear evaluation, for tuners to work on.

Good play hurries; the weights to start from dawdle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from petteia.core.evaluation import Evaluation, LinearEvaluation
from petteia.core.words import U, Words
from tests.toys import Race

__all__ = ["LinearRace"]


def strides(game: LinearRace, p: Words, player: int) -> tuple[float, ...]:
    """How far both have come, and whether an exact throw could end it."""
    own, other = (p[0], p[1]) if player == 0 else (p[1], p[0])
    near = own + U(3) >= U(game.goal)
    return (float(own), float(other), 1.0 if near else 0.0)


_WEIGHTS = {"own": -0.5, "other": 0.25, "near": 0.0}


class LinearRace(Race):
    """A longer race with weights."""

    name = "linear_race"
    evaluations: ClassVar[Mapping[str, Evaluation]] = {
        "strides": LinearEvaluation("strides", strides, _WEIGHTS)
    }
    default_evaluation = "strides"

    def __init__(self, goal: int = 9) -> None:
        super().__init__(goal)
