"""The luck of the dice in games that were played, by any evaluation of the positions after them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from petteia.arena.match import Pair
from petteia.arena.statistics import LuckAdjusted, luck_adjusted
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, Game
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.search.alphabeta import leaf
from petteia.search.stepper import stepper_of

__all__ = ["luck_of_game", "without_luck"]


def luck_of_game(game: Game, played: Record, evaluation: Evaluation) -> float:
    """What the dice gave to player 0: at every throw the value after it less the mean over all.

    Its mean is zero for any players and any evaluation, however poor: it can be taken out of a
    result without changing what is measured.
    """
    weights = evaluation.array

    def value(p: Words) -> float:
        return leaf(game, evaluation.tag, p, 0, 0, weights)

    total = 0.0
    positions = replay(played, game)
    for before, after in pairwise(positions):
        seen = stepper_of(game).look(before)
        if seen.kind == CHANCE:
            mean = 0.0
            for outcome, chance in zip(seen.moves, seen.chances, strict=True):
                mean += chance * value(stepper_of(game).play(before, outcome))
            total += value(after) - mean
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
