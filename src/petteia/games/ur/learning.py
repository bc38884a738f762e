"""Learning to play: a linear model of the chance of winning, from self-play or from examples.

The model is that of the evaluation ``fitted``: for the side to roll each square of its path on
which it stands, its pieces in hand and home, the same for the opponent, and a constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, random_below, random_unit, trailing_zeros
from petteia.core.game import CHANCE, DECISION, TERMINAL
from petteia.core.words import U, Words
from petteia.games.ur.evaluations import model, slot_of
from petteia.games.ur.solution.sweep import chance_after

__all__ = [
    "FEATURES",
    "greedy_move",
    "model_regret",
    "perfect_move",
    "self_play",
    "thrown",
    "visited",
]


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


def perfect_move(
    game: Any,
    p: Words,
    table: np.ndarray,
    index: Any,
    out: np.ndarray,
) -> int:
    """Kernel: the best move by the table of exact values."""
    mover = game.mover(p)
    end = game.moves(p, out, 0)
    best, chosen = -1.0, out[0]
    for i in range(end):
        after = game.play(p, out[i])
        chance = chance_after(game, after, mover, table, index)
        if chance > best:
            best, chosen = chance, out[i]
    return chosen


@kernel
def self_play(
    game: Any,
    games: int,
    rate: float,
    decay: float,
    w: np.ndarray,
    trace: np.ndarray,
    out: np.ndarray,
    state: np.ndarray,
) -> int:
    """TD(lambda): plays games against itself and learns after every move; returns the moves.

    A trace remembers which weights the recent predictions hung on, fading by ``decay`` (lambda).
    All predictions are taken as light's chance, so that consecutive ones can be compared.
    """
    moves = 0
    for _ in range(games):
        p = game.start()
        for k in range(len(trace)):
            trace[k] = 0.0
        while game.kind(p) != TERMINAL:
            chance = chance_of(game, p, w)
            sign = 1.0 if game.mover(p) == 0 else -1.0
            for k in range(len(trace)):
                trace[k] *= decay
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
            step = rate * (after - before)
            for k in range(len(trace)):
                w[k] += step * trace[k]
    return moves


@kernel
def visited(
    game: Any,
    table: np.ndarray,
    index: Any,
    slips: float,
    kind: int,
    every: int,
    out: np.ndarray,
    state: np.ndarray,
    found: np.ndarray,
) -> int:
    """Positions of perfect play in which one of so many moves is random; fills ``found``.

    ``kind`` says which positions: CHANCE before the dice, DECISION after them, where there is a
    choice; one in ``every`` is taken.
    """
    count, passed = 0, 0
    p = game.start()
    while count < len(found):
        if game.kind(p) == TERMINAL:
            p = game.start()
        if kind == CHANCE:
            passed += 1
            if passed % every == 0:
                found[count] = p[0]
                count += 1
                if count == len(found):
                    break
        q = thrown(game, p, state)
        end = game.moves(q, out, 0)
        if kind == DECISION and end > 1:
            passed += 1
            if passed % every == 0:
                found[count] = q[0]
                count += 1
        chosen = out[random_below(state, end)]
        if random_unit(state) >= slips:
            chosen = perfect_move(game, q, table, index, out)
        p = game.play(q, chosen)
    return count


@kernel
def model_regret(
    game: Any,
    where: np.ndarray,
    table: np.ndarray,
    index: Any,
    w: np.ndarray,
    out: np.ndarray,
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
            chance = chance_after(game, after, mover, table, index)
            best = max(best, chance)
            if out[i] == played:
                own = chance
        total += best - own
    return total
