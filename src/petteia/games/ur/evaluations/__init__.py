"""Evaluations of Ur. All values speak for the player who searches."""

from __future__ import annotations

import math

import numpy as np

from petteia.compiled import trailing_zeros
from petteia.core.evaluation import Evaluation, PlainEvaluation, WeightedEvaluation
from petteia.core.words import U, Words
from petteia.games.ur.rules import UrRules

__all__ = ["EVALUATIONS", "progress"]


def progress(game: UrRules, p: Words, player: int) -> int:
    """The steps that all pieces of a player have gone together."""
    total = game.home(p, player) * (game.squares + 1)
    squares = game.side(p, player) & game.on_board
    while squares != U(0):
        total += trailing_zeros(squares)
        squares &= squares - U(1)
    return total


def utility(game: UrRules, p: Words, player: int) -> float:
    """The report's measure: own steps, those of captured pieces taken off, less the opponent's."""
    return float(progress(game, p, player) - progress(game, p, 1 - player))


def advancement(game: UrRules, p: Words, player: int) -> float:
    """The same difference as a part of the whole way of all pieces, in points."""
    way = game.count * (game.squares + 1)
    return np.float64(progress(game, p, player) - progress(game, p, 1 - player)) / way


def slot_of(game: UrRules, square: int) -> int:
    """The square of a path of 14 that is as far along; the models have learned on that path."""
    return square if game.squares == 14 else 1 + (square - 1) * 13 // (game.squares - 1)


def model(game: UrRules, p: Words, player: int, w: np.ndarray) -> float:
    """A linear model of the side to roll, as expected points: 2 / (1 + exp(-w . x)) - 1."""
    mover = game.mover(p)
    total = w[32]
    for half in range(2):
        owner = mover if half == 0 else 1 - mover
        at = 16 * half
        total += w[at] * game.hand(p, owner) + w[at + 15] * game.home(p, owner)
        squares = game.side(p, owner) & game.on_board
        while squares != U(0):
            total += w[at + slot_of(game, trailing_zeros(squares))]
            squares &= squares - U(1)
    value = 2.0 / (1.0 + math.exp(-total)) - 1.0
    return value if mover == player else -value


def _model(name: str, about: str, weights: tuple[float, ...]) -> Evaluation:
    one_side = ["hand", *(f"square_{n}" for n in range(1, 15)), "home"]
    names = [*(f"my_{each}" for each in one_side), *(f"opp_{each}" for each in one_side), "roll"]
    evaluation = WeightedEvaluation(name, model, dict(zip(names, weights, strict=True)))
    evaluation.about = about
    return _in_points(evaluation)


def _in_points(evaluation: Evaluation) -> Evaluation:
    evaluation.point = 1.0
    return evaluation


# Logistic regression on the exact values of positions from nearly perfect play.
_FITTED = (
    -0.2373, -0.1800, -0.1548, -0.1251, -0.1597, -0.0932, -0.0688, -0.0416, 0.1191, 0.0000,
    0.0193, 0.0485, 0.0826, 0.1446, 0.0986, 0.2353, 0.2381, 0.1791, 0.1568, 0.1292, 0.1613,
    0.1281, 0.1249, 0.0937, -0.1978, 0.0370, 0.0188, -0.0225, -0.0603, -0.1472, -0.1006,
    -0.2334, 0.0488,
)  # fmt: skip

EVALUATIONS: dict[str, Evaluation] = {
    "utility": PlainEvaluation("utility", utility),
    "fitted": _model("fitted", "a linear model fitted to the exact solution", _FITTED),
    "advancement": _in_points(PlainEvaluation("advancement", advancement)),
}
