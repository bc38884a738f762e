"""Learning to play: a linear model of the chance of winning, from self-play or from examples.

The model is that of the evaluation ``fitted``: for the side to roll each square of its path on
which it stands, its pieces in hand and home, the same for the opponent, and a constant.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, random_below, random_unit, trailing_zeros
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.words import U, Words
from petteia.games.ur.evaluations import model, slot_of
from petteia.games.ur.solution.sweep import Exact, chance_after

__all__ = [
    "FEATURES", "Learner", "Walk", "greedy_move", "model_regret", "perfect_move", "self_play",
    "thrown", "visited",
]  # fmt: skip


FEATURES = 33
"""Sixteen a side (hand, squares 1 to 14, home) and a constant."""


def chance_of(game: Any, p: Words, w: np.ndarray) -> float:
    """Kernel: the model's chance of winning for the side to roll."""
    return 0.5 + 0.5 * model(game, p, game.mover(p), w)


def guess_after(game: Any, p: Words, mover: int, w: np.ndarray) -> float:
    """Kernel: the mover's chance at a position that a move has led to."""
    if game.kind(p) == TERMINAL:
        return 1.0
    chance = chance_of(game, p, w)
    return chance if game.mover(p) == mover else 1.0 - chance


def add_features(game: Any, p: Words, factor: float, trace: np.ndarray) -> None:
    """Kernel: adds the features of the side to roll, times a factor."""
    mover = game.mover(p)
    for half in range(2):
        player = mover if half == 0 else 1 - mover
        at = 16 * half
        trace[at] += factor * game.hand(p, player)
        trace[at + 15] += factor * game.home(p, player)
        squares = game.side(p, player) & game.on_board
        while squares != U(0):
            trace[at + slot_of(game, trailing_zeros(squares))] += factor
            squares &= squares - U(1)
    trace[32] += factor


def thrown(game: Any, p: Words, state: np.ndarray) -> Words:
    """Kernel: the position after the dice."""
    unit = random_unit(state)
    for roll in range(5):
        unit -= game.chance[roll]
        if unit < 0.0:
            return game.play(p, roll)
    return game.play(p, 4)


def greedy_move(game: Any, p: Words, w: np.ndarray, out: np.ndarray) -> int:
    """Kernel: the move after which the model sees the best chance."""
    mover = game.mover(p)
    end = game.moves(p, out, 0)
    best, chosen = -1.0, out[0]
    for i in range(end):
        chance = guess_after(game, game.play(p, out[i]), mover, w)
        if chance > best:
            best, chosen = chance, out[i]
    return chosen


def perfect_move(game: Any, p: Words, exact: Exact, out: np.ndarray) -> int:
    """Kernel: the best move by the table of exact values."""
    mover = game.mover(p)
    end = game.moves(p, out, 0)
    best, chosen = -1.0, out[0]
    for i in range(end):
        after = game.play(p, out[i])
        chance = chance_after(game, after, mover, exact)
        if chance > best:
            best, chosen = chance, out[i]
    return chosen


class Learner(NamedTuple):
    """A model that learns, and how."""

    w: np.ndarray
    """The weights."""
    trace: np.ndarray
    """Which weights the recent predictions hung on."""
    rate: float
    decay: float
    """How fast the trace fades: lambda."""


@kernel
def self_play(game: Any, games: int, learner: Learner, out: np.ndarray, state: np.ndarray) -> int:
    """TD(lambda): plays games against itself and learns after every move; returns the moves.

    All predictions are taken as light's chance, so that consecutive ones can be compared.
    """
    w, trace = learner.w, learner.trace
    moves = 0
    for _ in range(games):
        p = game.start()
        for k in range(len(trace)):
            trace[k] = 0.0
        while game.kind(p) != TERMINAL:
            chance = chance_of(game, p, w)
            sign = 1.0 if game.mover(p) == 0 else -1.0
            for k in range(len(trace)):
                trace[k] *= learner.decay
            add_features(game, p, sign * chance * (1.0 - chance), trace)
            before = chance if sign > 0.0 else 1.0 - chance
            q = thrown(game, p, state)
            p = game.play(q, greedy_move(game, q, w, out))
            moves += 1
            if game.kind(p) == TERMINAL:
                after = 1.0 if game.result(p) > 0.0 else 0.0
            else:
                after = chance_of(game, p, w)
                if game.mover(p) != 0:
                    after = 1.0 - after
            step = learner.rate * (after - before)
            for k in range(len(trace)):
                w[k] += step * trace[k]
    return moves


class Walk(NamedTuple):
    """Perfect play that errs now and then, and what is taken from it."""

    slips: float
    """The share of random moves."""
    kind: int
    """CHANCE for positions before the dice, DECISION for those after them with a choice."""
    every: int
    """One in so many is taken."""


@kernel
def visited(
    game: Any, exact: Exact, walk: Walk, out: np.ndarray, state: np.ndarray, found: np.ndarray
) -> int:
    """Fills ``found`` with positions of a walk."""
    count, passed = 0, 0
    p = game.start()
    while count < len(found):
        if game.kind(p) == TERMINAL:
            p = game.start()
        if walk.kind == CHANCE:
            passed += 1
            if passed % walk.every == 0:
                found[count] = p[0]
                count += 1
                if count == len(found):
                    break
        q = thrown(game, p, state)
        end = game.moves(q, out, 0)
        if walk.kind == DECISION and end > 1:
            passed += 1
            if passed % walk.every == 0:
                found[count] = q[0]
                count += 1
        chosen = out[random_below(state, end)]
        if random_unit(state) >= walk.slips:
            chosen = perfect_move(game, q, exact, out)
        p = game.play(q, chosen)
    return count


@kernel
def model_regret(
    game: Any, where: np.ndarray, exact: Exact, w: np.ndarray, out: np.ndarray
) -> float:
    """What the model's moves give up at all of these decisions together, as chances of winning."""
    total = 0.0
    for k in range(len(where)):
        p = (where[k], U(0))
        mover = game.mover(p)
        played = greedy_move(game, p, w, out)
        end = game.moves(p, out, 0)
        best, own = 0.0, 0.0
        for i in range(end):
            after = game.play(p, out[i])
            chance = chance_after(game, after, mover, exact)
            best = max(best, chance)
            if out[i] == played:
                own = chance
        total += best - own
    return total
