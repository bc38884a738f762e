"""What the searches share where both players choose at the same time: their memory, and where a
line ends or dice are thrown. All memory is one record, which travels as one pointer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petteia.compiled import nanoseconds
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.search.matrix import matrix_memory
from petteia.search.pvs import identity_key

__all__ = [
    "HURRY", "INFINITY", "MAX_SEEN", "after_pair", "is_seen", "joint_memory", "largest",
    "look_at_clock", "settled", "sign_of", "throw",
]  # fmt: skip

HURRY = 1e-6
"""A quicker win is worth this much more a ply, in parts of a win, where values are no points."""
_ABOVE = 10.0
"""No evaluation is above this many wins, or the most that a game brings where that is more."""
_THROWS = 8
"""Throws in a row, of as many outcomes as there may be, for which there is memory at each depth."""
MAX_SEEN = 1024
INFINITY = 1e18


def largest(most_points: float, win: float) -> float:
    """No value is further from 0."""
    return max(_ABOVE, most_points) * win


def joint_memory(most: int, levels: int, weights: np.ndarray) -> np.dtype[Any]:
    """The layout of the memory for positions of at most ``most`` moves a side, with a copy of
    weights like these."""
    return np.dtype(
        [
            ("stop", np.int64),  # set from outside, or when the time is up
            ("deadline", np.int64),  # on the kernels' clock
            ("interior", np.int64),
            ("leaves", np.int64),
            ("ply", np.int64),  # of the node that is looked at: turns and throws since the root
            ("searcher", np.int64),  # for whom the evaluation speaks
            ("first", np.int64),  # who moves first where the other sees it
            ("takes_mean", np.int64),  # whether hope takes the mean over the enemy's answers
            ("bounded", np.int64),  # whether cells are bounded by serial searches first
            ("ordered", np.int64),  # whether the answer that refuted the last move is tried first
            ("seen", np.int64),  # how many keys of positions stand in ``keys``
            ("exact", np.int64),  # address of the game's exact tables, or 0
            ("thrown", np.int64),  # how many outcomes of throws stand in ``outcomes``
            ("no_room", np.int64),  # whether so many throws followed one another that none was left
            ("beyond", np.float64),  # a value further from 0 than ``top`` that was met, or 0
            ("top", np.float64),  # no value may be further from 0
            ("win", np.float64),  # what a point at the end is worth
            ("hurry", np.float64),  # a quicker win is worth this much more a ply, in parts of it
            ("draw", np.float64),  # what a repetition is worth to player 0
            ("close", np.float64),  # equilibria within this are equal
            ("weights", weights.dtype, (max(len(weights), 1),)),
            ("keys", np.uint64, (MAX_SEEN,)),  # sorted: positions that would be a draw
            ("root_counts", np.int64, (2,)),  # how many moves of each player are given, or 0
            ("root_moves", np.int64, (2 * most,)),  # those of player 0, then those of player 1
            ("root_values", np.float64, (most,)),  # what each of the searcher's brings it
            ("moves", np.int64, (levels, 2 * most)),
            ("outcomes", np.int64, (levels * _THROWS * most,)),
            ("chance", np.float64, (levels * _THROWS * most,)),
            ("killer", np.int64, (levels,)),  # the place of the answer that refuted the last move
            # The double oracle at each depth; by player where there are two of a thing.
            ("counts", np.int64, (levels, 2)),  # how many moves a player has
            ("hope", np.float64, (levels, 2, most * most)),  # the most that a pair can bring it
            ("chosen_counts", np.int64, (levels, 2)),  # how many moves are in the small game
            ("chosen", np.int64, (levels, 2, most)),  # and which
            ("strategy", np.float64, (levels, 2, most)),  # the probability of each move
            ("answer", np.int64, (levels, 2)),  # the best answer to the other's strategy
            ("ceiling", np.float64, (levels, 2)),  # no more than this is the position worth to it
            ("guess", np.int64, (levels, 2)),  # the likeliest moves of the last solved node
            ("solver", matrix_memory(most)),
        ],
        align=True,
    )


def is_seen(ws: Any, key: np.uint64) -> bool:
    """Whether a position would be a draw because it stood before: a search in the sorted keys."""
    low, high = 0, ws.seen
    while low < high:
        middle = (low + high) // 2
        if ws.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < ws.seen and ws.keys[low] == key)


def settled(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> tuple[float, bool]:
    """The value where the game is over, repeated, or out of depth; and whether it is.

    The root itself stood before, of course, but must be searched all the same.
    """
    if game.kind(p) == TERMINAL:
        ws.leaves += 1
        value = game.result(p) * ws.win
        if abs(value) > ws.top:
            ws.beyond = value
        return value * (1.0 - ws.ply * ws.hurry), True
    if ws.ply > 0 and ws.seen > 0 and is_seen(ws, identity_key(game, p)):
        ws.leaves += 1
        return ws.draw, True
    if ws.ply > 0 and ws.exact != 0:
        points = game.exact_value(p, ws.exact)
        if not math.isnan(points):
            ws.leaves += 1
            return points * ws.win, True
    if depth == 0 or ws.stop != 0:
        ws.leaves += 1
        value = evaluation.value(game, p, np.int64(ws.searcher), ws.weights)
        if abs(value) > ws.top:
            ws.beyond = value
        return (value if ws.searcher == 0 else -value), True
    return 0.0, False


def look_at_clock(ws: Any) -> None:
    """Stops the search when its time is over."""
    ws.interior += 1
    if ws.interior & 15 == 0 and nanoseconds() > ws.deadline:
        ws.stop = 1


def throw(game: Any, p: Words, ws: Any) -> tuple[int, int]:
    """Writes the outcomes of the dice behind those of the throws above: from where to where.
    The caller resets ``ws.thrown`` afterwards."""
    begin = ws.thrown
    if begin + game.max_moves > len(ws.outcomes):
        ws.no_room = ws.stop = 1
        return begin, begin
    end = game.chances(p, ws.outcomes, ws.chance, begin)
    ws.thrown = end
    return begin, end


def sign_of(player: int) -> float:
    """What turns a value of player 0 into one of this player, and back."""
    return 1.0 if player == 0 else -1.0


def after_pair(game: Any, p: Words, player: int, own: int, answer: int) -> Words:
    """The position after a move of this player and one of the other."""
    if player == 0:
        return game.play_both(p, own, answer)
    return game.play_both(p, answer, own)
