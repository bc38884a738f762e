"""Evaluations of Ur. All values speak for the player who searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petteia.compiled import trailing_zeros
from petteia.core.evaluation import Evaluation, PlainEvaluation
from petteia.core.words import U, Words

if TYPE_CHECKING:
    from petteia.games.ur.rules import Ur

__all__ = ["EVALUATIONS", "progress"]


def progress(game: Ur, p: Words, player: int) -> int:
    """The steps that all pieces of a player have gone together."""
    total = game.home(p, player) * (game.squares + 1)
    squares = game.side(p, player) & game.on_board
    while squares != U(0):
        total += trailing_zeros(squares)
        squares &= squares - U(1)
    return total


def utility(game: Ur, p: Words, player: int) -> float:
    """The report's measure: own steps, those of captured pieces taken off, less the opponent's."""
    return float(progress(game, p, player) - progress(game, p, 1 - player))


def advancement(game: Ur, p: Words, player: int) -> float:
    """The same difference as a part of the whole way of all pieces, in points."""
    way = game.count * (game.squares + 1)
    return np.float64(progress(game, p, player) - progress(game, p, 1 - player)) / way


def _in_points(evaluation: Evaluation) -> Evaluation:
    evaluation.point = 1.0
    return evaluation


EVALUATIONS: dict[str, Evaluation] = {
    "utility": PlainEvaluation("utility", utility),
    "advancement": _in_points(PlainEvaluation("advancement", advancement)),
}
