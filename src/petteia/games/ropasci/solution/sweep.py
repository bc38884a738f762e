"""A turn longer: the chances of a hunt with one turn more, from those with one turn fewer.

Each position is a matrix game of all pairs of moves, whose entries are the chances of placements.
It is solved by the double oracle (McMahan, Gordon and Blum 2003), which begins with the moves that
were played with one turn fewer: mostly they are right, and then only their rows and columns of the
matrix are looked at. Where the chosen moves of both are equally many they are tried as a whole:
each must make the other side's equal, which is a system of linear equations.

Chances are whole numbers, parts of ``ONE``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import Batch, trailing_zeros
from petteia.core.words import U
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.solution.hunts import OFF, place_of
from petteia.search.matrix import matrix_memory, solve

__all__ = ["CLOSE", "ONE", "SETTLED", "TURN_LONGER", "Space"]

ONE = 1 << 30
"""A certain win."""
SETTLED = ONE - ONE // 1_000_000
"""A chance of at least this much is not worked out again; more turns could only raise it."""
CLOSE = 1e-8
"""What both sides together may still gain when a matrix counts as solved."""
_MOST = 36
"""Moves of a side: three tokens beside each other have the most."""
_TINY = 1e-12
"""A probability below this is none; a pivot below this is no pivot."""


class Space(NamedTuple):
    """A hunt with the chances of all its placements."""

    uppers: int
    """How many tokens the hunting side has; the others are the enemy's."""
    open: np.ndarray
    """The places that are worked out."""
    hexes: np.ndarray
    """[number, token]: where the tokens stand there."""
    before: np.ndarray
    """By place: the chances with a turn fewer."""
    after: np.ndarray
    """[number]: the chances with a turn more."""
    gaps: np.ndarray
    """[number]: what both sides together could still have gained, at most about ``CLOSE``."""
    played: np.ndarray
    """[number, side]: the moves that were played with a turn fewer, as bits."""


_PAPER = np.dtype(
    [
        ("moves", np.int64, (2, _MOST)),  # as the rules write them
        ("stands", np.int64),  # the hexes of the four tokens, six bits each
        ("changes", np.int64, (2, _MOST)),  # what a move changes of that, to be added
        ("counts", np.int64, (2,)),  # how many moves each side has
        ("matrix", np.float64, (2, _MOST, _MOST)),  # row by row, then column by column
        ("filled", np.uint64, (2,)),  # the rows and the columns that are known, as bits
        ("chosen_counts", np.int64, (2,)),  # the small game: how many moves
        ("chosen", np.int64, (2, _MOST)),  # and which
        ("share", np.float64, (2, _MOST)),  # their probabilities
        ("system", np.float64, (_MOST, _MOST + 1)),  # of linear equations
        ("small", matrix_memory(_MOST)),
    ],
    align=True,
)


def list_moves(game: RoPaSciRules, stand: np.ndarray, uppers: int, ws: Any) -> None:
    """Writes both sides' moves, and what each changes. Tokens on one hex move alike."""
    upper = lower = U(0)
    ws.stands = 0
    for k in range(4):
        ws.stands |= int(stand[k]) << (6 * k)
        if stand[k] < OFF:
            if k < uppers:
                upper |= U(1) << U(stand[k])
            else:
                lower |= U(1) << U(stand[k])
    zero, throws = U(0), U(game.throws)
    p = (
        zero, zero, upper, zero, zero, zero, lower, zero, zero, zero, throws | throws << U(4)
    )  # fmt: skip
    for side in range(2):
        ws.counts[side] = game.moves_of(p, side, ws.moves[side], 0)
        first = 0 if side == 0 else uppers
        for i in range(ws.counts[side]):
            source, target = ws.moves[side, i] >> 6, ws.moves[side, i] & 63
            k = first
            while stand[k] != source:
                k += 1
            ws.changes[side, i] = (target - source) << (6 * k)


def chance_after(before: np.ndarray, stands: int) -> float:
    """The chance of the placement with these hexes, six bits each."""
    a, b, c, d = stands & 63, stands >> 6 & 63, stands >> 12 & 63, stands >> 18
    return float(before[place_of(a, b, c, d)]) / ONE


def fill(side: int, move: int, before: np.ndarray, ws: Any) -> None:
    """Fills a row (side 0) or a column of the matrix, if it is not known."""
    if ws.filled[side] >> U(move) & U(1) != U(0):
        return
    ws.filled[side] |= U(1) << U(move)
    other = 1 - side
    stands, known = ws.stands + ws.changes[side, move], ws.filled[other]
    for k in range(ws.counts[other]):
        if known >> U(k) & U(1) != U(0):
            ws.matrix[side, move, k] = ws.matrix[other, k, move]
        else:
            ws.matrix[side, move, k] = chance_after(before, stands + ws.changes[other, k])


def equalises(side: int, ws: Any) -> bool:
    """Whether a mix of a side's chosen moves makes all chosen moves of the other, equally many,
    worth the same; if so it is written. The sums M x = 1 by elimination, with M's entries raised
    by 1, then divided by their total."""
    n, t = ws.chosen_counts[side], ws.system
    for i in range(n):
        move = ws.chosen[1 - side, i]
        for j in range(n):
            t[i, j] = 1.0 + ws.matrix[side, ws.chosen[side, j], move]
        t[i, n] = 1.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(t[i, k]) > abs(t[best, k]):
                best = i
        if abs(t[best, k]) < _TINY:
            return False
        for j in range(k, n + 1):
            t[k, j], t[best, j] = t[best, j], t[k, j]
        for i in range(k + 1, n):
            factor = t[i, k] / t[k, k]
            for j in range(k + 1, n + 1):
                t[i, j] -= factor * t[k, j]
    total = 0.0
    for k in range(n - 1, -1, -1):
        value = t[k, n]
        for j in range(k + 1, n):
            value -= t[k, j] * ws.share[side, j]
        value /= t[k, k]
        if not value > -_TINY:
            return False
        ws.share[side, k] = max(value, 0.0)
        total += ws.share[side, k]
    for k in range(n):
        ws.share[side, k] /= total
    return True


def solve_small(ws: Any) -> None:
    """Solves the game of the chosen moves, whose rows and columns are known."""
    rows, columns = ws.chosen_counts[0], ws.chosen_counts[1]
    if rows == columns and equalises(0, ws) and equalises(1, ws):
        return
    small = ws.small
    small.counts[0], small.counts[1] = rows, columns
    for i in range(rows):
        for j in range(columns):
            small.matrix[i * columns + j] = ws.matrix[0, ws.chosen[0, i], ws.chosen[1, j]]
    solve(small)
    for side in range(2):
        for k in range(ws.chosen_counts[side]):
            ws.share[side, k] = small.strategy[side, k]


def best_answer(side: int, ws: Any) -> tuple[int, float]:
    """A side's best move against the other's mix, the first of equals, and what it brings the
    hunter."""
    other, sign = 1 - side, 1.0 if side == 0 else -1.0
    best, at = -np.inf, 0
    for i in range(ws.counts[side]):
        value = 0.0
        for k in range(ws.chosen_counts[other]):
            value += ws.share[other, k] * ws.matrix[other, ws.chosen[other, k], i]
        if sign * value > best:
            best, at = sign * value, i
    return at, sign * best


def add_move(side: int, move: int, ws: Any) -> bool:
    """Adds a move to the chosen ones; False if it is one of them."""
    count = ws.chosen_counts[side]
    for k in range(count):
        if ws.chosen[side, k] == move:
            return False
    ws.chosen[side, count] = move
    ws.chosen_counts[side] = count + 1
    return True


def begin(played: np.ndarray, ws: Any) -> None:
    """Chooses the moves that were played with a turn fewer, or the first of each side."""
    for side in range(2):
        ws.filled[side] = U(0)
        left, count = played[side], 0
        if left == U(0):
            left = U(1)
        while left != U(0):
            ws.chosen[side, count] = trailing_zeros(left)
            left &= left - U(1)
            count += 1
        ws.chosen_counts[side] = count


def turn_longer(i: int, ws: Any, game: RoPaSciRules, space: Space) -> None:
    """Piece ``i``: the chance of one place with a turn more. What is kept is what the hunter's mix
    is sure of."""
    old = space.before[space.open[i]]
    if old >= SETTLED:
        space.after[i], space.gaps[i] = old, 0.0
        return
    list_moves(game, space.hexes[i], space.uppers, ws)
    begin(space.played[i], ws)
    low, high, is_growing = 0.0, 0.0, True
    while is_growing:
        for side in range(2):
            for k in range(ws.chosen_counts[side]):
                fill(side, ws.chosen[side, k], space.before, ws)
        solve_small(ws)
        row, high = best_answer(0, ws)
        column, low = best_answer(1, ws)
        is_growing = False
        if high - low > CLOSE:
            is_growing = add_move(0, row, ws)
            is_growing |= add_move(1, column, ws)
    for side in range(2):
        played = U(0)
        for k in range(ws.chosen_counts[side]):
            if ws.share[side, k] > _TINY:
                played |= U(1) << U(ws.chosen[side, k])
        space.played[i, side] = played
    space.after[i] = int(np.floor(low * ONE + 0.5))
    space.gaps[i] = high - low


TURN_LONGER = Batch(turn_longer, _PAPER)
