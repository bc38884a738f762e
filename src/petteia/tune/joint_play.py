"""Games in which both choose at once against oneself: an equilibrium of the next turn, with some
random moves."""

from __future__ import annotations

import random

import numpy as np

from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words
from petteia.search.contract import Limits, Question
from petteia.search.nash import NashSearch
from petteia.search.stepper import Look, stepper_of
from petteia.tune.hindsight import Seen

__all__ = ["JointPlay", "any_step"]

_LONG = 120
"""A game without dice that takes more plies counts as a draw: long endings are much alike."""

Choice = tuple[float, Words]
"""What a position is worth to player 0, and the one after it."""


def any_step(game: Game, p: Words, seen: Look, chance: random.Random) -> Words:
    """The position after a throw of the dice, or after a random move of whoever chooses."""
    if seen.kind == CHANCE:
        return stepper_of(game).play(p, chance.choices(seen.moves, seen.chances)[0])
    if seen.kind == SIMULTANEOUS:
        pair = chance.choice(seen.moves), chance.choice(seen.others)
        return stepper_of(game).play_both(p, *pair)
    return stepper_of(game).play(p, chance.choice(seen.moves))


class JointPlay:
    """An evaluation that plays itself. One that says nothing plays at random."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        self.game = game
        self.evaluation = evaluation
        self.search = NashSearch(game, evaluation)
        self._weights = evaluation.array
        self._most = game.max_plies if game.has_chance else _LONG

    def play(self, epsilon: float, seed: int) -> Seen:
        """A game in which so many moves are random."""
        chance, stepper, p = random.Random(seed), stepper_of(self.game), self.game.start()
        knows = self.evaluation.point == 1.0
        epsilon = 1.0 if self.evaluation.says_nothing else epsilon
        rows = list[tuple[Words, int, float, float, bool]]()
        while (seen := stepper.look(p)).kind != TERMINAL and len(rows) < self._most:
            strays = seen.kind != CHANCE and chance.random() < epsilon
            if strays or seen.kind == CHANCE:
                value = self._value(p, 1) if knows else np.nan
                after = any_step(self.game, p, seen, chance)
            else:
                value, after = self._choice(p, seen, chance)
            # A throw is looked through, to the next choice; a choice is not.
            foreseen = self._value(after, int(seen.kind == CHANCE)) if knows else np.nan
            rows.append((p, seen.kind, value if knows else np.nan, foreseen, strays))
            p = after
        positions, kinds, values, foreseen_, strayed = zip(*rows, strict=True)
        return Seen(
            np.array(positions, np.uint64), np.array(kinds), np.array(values),
            np.array(foreseen_), np.array(strayed), seen.result,
        )  # fmt: skip

    def _value(self, p: Words, depth: int) -> float:
        return self.search.value(Question(p, self._weights, Limits(depth)))

    def _choice(self, p: Words, seen: Look, chance: random.Random) -> Choice:
        question, stepper = Question(p, self._weights, Limits(1), seen.mover), stepper_of(self.game)
        if seen.kind != SIMULTANEOUS:
            best = self.search.answer(question).best
            assert best.value is not None  # where a player decides alone
            return (best.value if seen.mover == 0 else -best.value), stepper.play(p, best.move)
        value, strategies = self.search.both(question)
        (first,) = chance.choices(seen.moves, strategies[0].tolist())
        (second,) = chance.choices(seen.others, strategies[1].tolist())
        return value, stepper.play_both(p, first, second)
