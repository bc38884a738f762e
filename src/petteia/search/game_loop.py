"""The one loop that plays a game to its end at native speed.

Who chooses (``Players``) and what is made of the game (``Observer``) are known to the compiler, as
the game is: their functions become part of the loop. What they need at run time stands in the
loop's memory, one record with a name for everything; each may add fields of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from petteia.compiled import random_below, random_unit, signed
from petteia.core.compile_time import CompileTime
from petteia.core.evaluation import Evaluation
from petteia.core.policy import Playable, Policy
from petteia.core.rules import CHANCE, SLACK, TERMINAL, Rules, drawn_outcome
from petteia.core.words import U, Words
from petteia.search.chance import dice_unit, nth_word

__all__ = [
    "EXPLORING_FIELDS", "SILENT", "Chooser", "Exploring", "Observer", "Opponents", "Players",
    "can_duel", "chooser_of", "exploring_of", "game_memory", "opponents_of", "play_out",
]  # fmt: skip

_SCRATCH = 64
"""Numbers that a policy may note while it chooses."""


def can_duel(game: Rules) -> bool:
    """Whether the loop can play whole games of this kind: no rule that looks back, and one player
    to move at a time."""
    return not game.has_simultaneous and game.repetitions == 0


def game_memory(game: Rules, fields: Sequence[tuple[Any, ...]] = ()) -> Any:
    """The memory of the loop, of its policies and its dice, and further fields: one record."""
    size = game.max_moves + SLACK
    layout = [
        ("ply", np.int64),  # moves and throws before this one, those of an opening included
        ("kind", np.int64),  # of the position
        ("move", np.int64),  # that is made there, or the outcome of the dice
        ("outcomes", np.int64),  # how many the dice have; they stand in ``out`` and ``prob``
        ("fell", np.int64),  # the place of the one that fell
        ("is_over", np.int64),  # whether the game was played to its end
        ("result", np.float64),  # the points of player 0; 0 where the game was given up
        ("dice", np.uint64),  # the seed of the dice
        ("seeds", np.uint64, (2,)),  # of the players
        ("asked", np.int64, (2,)),  # how many moves each player made
        ("first_plays", np.int64),  # which player the first of two choosers is
        ("state", np.uint64, (1,)),  # randomness of a policy's own
        ("out", np.int64, (size,)),
        ("prob", np.float64, (size,)),
        ("scratch", np.float64, (_SCRATCH,)),
    ]
    # Those fields come first: Numba takes a record that begins like another for one of its kind.
    return np.zeros(1, np.dtype([*fields, *layout])).view(np.recarray)


class Chooser(CompileTime):
    """A policy with the evaluation that it asks."""

    def __init__(self, policy: Policy, evaluation: Evaluation) -> None:
        self.policy = policy
        self.evaluation = evaluation

    def pick(self, game: Any, p: Words, w: np.ndarray, seed: np.uint64, memory: Any) -> int:
        """Kernel: the chosen legal move."""
        return self.policy.pick(game, self.evaluation, p, w, signed(seed), memory)


class Players(CompileTime):
    """Who chooses, and which numbers decide the dice."""

    def unit(self, memory: Any) -> float:
        """Kernel: the number in [0, 1) that decides a throw."""
        return dice_unit(U(memory.dice), memory.ply)

    def choose(self, game: Any, p: Words, weights: Any, memory: Any) -> int:
        """Kernel: the move at a decision. ``weights`` are those that the loop was given."""
        raise NotImplementedError


class Opponents(Players):
    """Two choosers, with an array of weights each; every move has a seed of its own."""

    def __init__(self, first: Chooser, second: Chooser) -> None:
        self.first = first
        self.second = second

    def choose(self, game: Any, p: Words, weights: Any, memory: Any) -> int:
        player = game.mover(p)
        seed = nth_word(U(memory.seeds[player]), memory.asked[player])
        memory.asked[player] += 1
        if player == memory.first_plays:
            return self.first.pick(game, p, weights[0], seed, memory)
        return self.second.pick(game, p, weights[1], seed, memory)


EXPLORING_FIELDS = [
    ("epsilon", np.float64),  # the share of random moves
    ("whims", np.uint64, (1,)),  # what decides them
]


class Exploring(Players):
    """One chooser for both sides that makes a random move now and then."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser

    def choose(self, game: Any, p: Words, weights: Any, memory: Any) -> int:
        if random_unit(memory.whims) < memory.epsilon:
            end = game.moves(p, memory.out, 0)
            return memory.out[random_below(memory.whims, end)]
        seed = nth_word(U(memory.dice), memory.ply)
        return self.chooser.pick(game, p, weights, seed, memory)


# Kernels are found by what they are compiled for: equal things are one thing.


@lru_cache(maxsize=64)
def chooser_of(policy: Policy, evaluation: Evaluation) -> Chooser:
    """The chooser of a policy and an evaluation's tag."""
    return Chooser(policy, evaluation)


@lru_cache(maxsize=64)
def _opponents(first: Chooser, second: Chooser) -> Opponents:
    return Opponents(first, second)


def opponents_of(first: Playable, second: Playable) -> Opponents:
    """Two who play each other."""
    return _opponents(
        chooser_of(first.policy, first.evaluation), chooser_of(second.policy, second.evaluation)
    )


@lru_cache(maxsize=64)
def _exploring(chooser: Chooser) -> Exploring:
    return Exploring(chooser)


def exploring_of(policy: Policy, evaluation: Evaluation) -> Exploring:
    """One who plays itself."""
    return _exploring(chooser_of(policy, evaluation))


class Observer(CompileTime):
    """What is made of a game; this one makes nothing of it."""

    def begin(self, memory: Any) -> None:
        """Kernel: before the first move."""

    def has_enough(self, memory: Any) -> bool:
        """Kernel: whether the rest of the game is not wanted."""
        return False

    def throw(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        """Kernel: an outcome of the dice fell, and is not played yet. ``out`` and ``prob`` are free
        beyond the outcomes."""

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        """Kernel: a move or an outcome leads from one position to the next."""

    def end(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        """Kernel: after the last move."""


SILENT = Observer()
"""Observes nothing: ``memory.result`` is enough."""


def play_out(game: Any, p: Words, players: Any, weights: Any, observer: Any, memory: Any) -> Words:
    """Kernel: plays on from a position that is ``memory.ply`` plies into the game; the last one.

    A game that outlasts ``max_plies`` is given up.
    """
    memory.result, memory.is_over = 0.0, 0
    observer.begin(memory)
    ply = memory.ply
    while True:
        kind = memory.kind = game.kind(p)
        if kind == TERMINAL:
            memory.result, memory.is_over = game.result(p), 1
            break
        if ply >= game.max_plies or observer.has_enough(memory):
            break
        if kind == CHANCE:
            end = game.chances(p, memory.out, memory.prob, 0)
            fell = drawn_outcome(memory.prob, end, players.unit(memory))
            memory.outcomes, memory.fell = end, fell
            observer.throw(game, players, weights, p, memory)
            move = memory.move = memory.out[fell]
        else:
            move = memory.move = players.choose(game, p, weights, memory)
        after = game.play(p, move)
        observer.step(game, players, weights, p, after, memory)
        p = after
        ply += 1
        memory.ply = ply
    observer.end(game, players, weights, p, memory)
    return p
