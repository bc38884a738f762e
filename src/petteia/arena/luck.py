"""The luck of the dice in games that were played, by any evaluation of the positions after them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from petteia.arena.match import Pair
from petteia.arena.statistics import LuckAdjusted, luck_adjusted
from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.search.alphabeta import leaf
from petteia.search.game_loop import game_memory

__all__ = ["luck_of_game", "without_luck"]

_NONE = -1e18


@kernel
def luck_of_throw(
    game: Any, evaluation: Any, p: Words, after: Words, point: float, w: np.ndarray, memory: Any
) -> float:
    """What the throw that led from p to another position gave player 0: its value less the mean
    over all throws."""
    outcomes = game.chances(p, memory.out, memory.prob, 0)
    mean = found = 0.0
    for i in range(outcomes):
        q = game.play(p, memory.out[i])
        value = value_of_throw(game, evaluation, q, point, w, memory, outcomes)
        mean += memory.prob[i] * value
        if q == after:
            found = value
    return found - mean


def value_of_throw(
    game: Any, evaluation: Any, p: Words, point: float, w: np.ndarray, memory: Any, at: int
) -> float:
    """The value for player 0 after a throw: after the best move, where somebody decides. Where an
    evaluation has no measure for the end of a game (``point`` is 0), moves that end it are left
    out, and if all do, the position itself speaks."""
    if game.kind(p) != DECISION:
        return leaf(game, evaluation, p, 0, 0, w)
    mover = game.mover(p)
    end = game.moves(p, memory.out, at)
    best = _NONE
    for i in range(at, end):
        q = game.play(p, memory.out[i])
        if game.kind(q) != TERMINAL:
            best = max(best, leaf(game, evaluation, q, mover, 0, w))
        elif point > 0.0:
            points = game.result(q) * point
            best = max(best, points if mover == 0 else -points)
    if best == _NONE:
        return leaf(game, evaluation, p, 0, 0, w)
    return best if mover == 0 else -best


def luck_of_game(game: Game, played: Record, evaluation: Evaluation) -> float:
    """What the dice gave to player 0: at every throw the value of the best move after it less the
    mean over all throws.

    Its mean is zero for any players and any evaluation, however poor: it can be taken out of a
    result without changing what is measured.
    """
    weights, memory = evaluation.array.copy(), game_memory(game)[0]
    point = evaluation.point or 0.0
    total = 0.0
    for before, after in pairwise(replay(played, game)):
        if game.kind(before) == CHANCE:
            total += luck_of_throw(game, evaluation.tag, before, after, point, weights, memory)
    return total


def without_luck(game: Game, pairs: Sequence[Pair], evaluation: Evaluation) -> LuckAdjusted:
    """Agent A's mean points a game with the luck taken out as far as the evaluation explains it."""
    if not game.has_chance:
        raise PetteiaError(f"{game.spec.name} has no dice, so there is no luck to take out")
    if len(pairs) < 3:
        raise PetteiaError("taking out the luck needs at least three pairs")
    points, luck = [], []
    for pair in pairs:
        first, second = pair.games
        points.append((first.result - second.result) / 2)
        gained = luck_of_game(game, first.record, evaluation)
        luck.append((gained - luck_of_game(game, second.record, evaluation)) / 2)
    return luck_adjusted(points, luck, coefficient=None)
