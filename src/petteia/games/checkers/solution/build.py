"""How a slice is worked out: backwards from its ends.

1. Forwards once over all placements: what cannot move has lost; moves that leave the slice, by a
   capture or a crowning, are looked up; moves inside it are counted.
2. Backwards in the order of plies: a position lost in d plies makes every position before it won
   in d + 1; a position won in d takes one from the open moves of every position before it, and
   one with no open move left is lost, one ply after the longest defence. Captures are compulsory:
   a position in which the mover could capture does not lie before a quiet move.
3. What stays open is a draw.

Writers and readers of one pass are different sides to move, and never the same bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, random_below
from petteia.core.words import U, Words
from petteia.games.checkers.rules.board import ALL, BLACK_HOME, WHITE_HOME
from petteia.games.checkers.rules.moves import CAPTURES, jumpers
from petteia.games.checkers.solution.probe import DRAW, NONE, value_of
from petteia.games.checkers.solution.slices import number_of_placement, placement, size_of

__all__ = ["LONGEST", "Side", "check", "look_forward", "sampled", "spread"]

LONGEST = 250
"""Distances that fit into a byte."""
_OUTSIDE_DRAW = 128
"""Marks, in the count of open moves, that a move out of the slice draws: no loss is possible."""
_EVERY_BYTE = 0x0101010101010101


class Side(NamedTuple):
    """A slice with one side to move."""

    counts: np.ndarray
    """Of men and kings, as ``placement`` takes them."""
    mover: int
    values: np.ndarray
    """Of every placement, filled up to whole words."""
    words: np.ndarray
    """The same bytes, eight at a time."""
    open_moves: np.ndarray
    """Moves inside the slice that have not lost yet."""
    longest: np.ndarray
    """The longest defence so far."""


class Outcomes(NamedTuple):
    """What the moves from a position lead to."""

    won: int
    """Plies to the quickest win, ``DRAW`` if there is none."""
    lost: int
    """Plies that the opponent's slowest win takes, -1 if there is none."""
    draws: int


_NO_MOVE = Outcomes(DRAW, -1, 0)


def with_successor(found: Outcomes, value: int) -> Outcomes:
    """Kernel: the outcomes with one more, the value of a position after a move."""
    if value == DRAW:
        return Outcomes(found.won, found.lost, found.draws + 1)
    if value & 1 == 0:
        return Outcomes(min(found.won, value + 1), found.lost, found.draws)
    return Outcomes(found.won, max(found.lost, value), found.draws)


def value_by(found: Outcomes, undecided: int) -> int:
    """Kernel: the value of a position with these outcomes, and moves whose outcome is not known."""
    if found.won < DRAW:
        return found.won
    return found.lost + 1 if found.draws + undecided == 0 else DRAW


@kernel
def look_forward(
    game: Any, side: Side, first: int, last: int, directory: np.ndarray, out: np.ndarray
) -> int:
    """Values what is decided outside the slice, and counts what is not. The highest value found,
    or -1 where a table is missing."""
    home = WHITE_HOME if side.mover == 0 else BLACK_HOME
    highest = 0
    for number in range(first, last):
        p = placement(number, side.counts, side.mover)
        side.open_moves[number] = side.longest[number] = 0
        if p[0] & p[1] != U(0):
            side.values[number] = NONE
            continue
        found, inside = _NO_MOVE, 0
        for i in range(game.moves(p, out, 0)):
            move = out[i]
            start, target = U(1) << U(move & 63), U(1) << U(move >> 6 & 63)
            if move >> CAPTURES == 0 and (p[2] & start != U(0) or target & home == U(0)):
                inside += 1
                continue
            value = value_of(game.play(p, move), directory)
            if value < 0:
                return -1
            found = with_successor(found, value)
        value = value_by(found, inside)
        side.values[number] = value
        if value < NONE:
            highest = max(highest, value)
        side.open_moves[number] = inside | (_OUTSIDE_DRAW if found.draws > 0 else 0)
        side.longest[number] = max(found.lost, 0)
    return highest


@kernel
def spread(side: Side, told: Side, plies: int, first: int, last: int) -> int:
    """Tells the other side's positions before it of every position with this many plies; gives the
    highest value written. ``first`` and ``last`` are in words."""
    pattern = U(plies) * U(_EVERY_BYTE)
    highest = 0
    for word in range(first, last):
        # Eight bytes at once: which of them are equal to the plies?
        differing = side.words[word] ^ pattern
        if (differing - U(_EVERY_BYTE)) & ~differing & U(_EVERY_BYTE << 7) == U(0):
            continue
        for number in range(8 * word, 8 * word + 8):  # what fills up a word has no plies
            if side.values[number] == plies:
                p = placement(number, side.counts, side.mover)
                highest = max(highest, tell(p, plies, told))
    return highest


def tell(p: Words, plies: int, told: Side) -> int:
    """Kernel: every position from which a quiet move leads here learns of it."""
    mover, before, open_moves = 1 - told.mover, told.values, told.open_moves
    own, other = (p[1], p[0]) if mover == 0 else (p[0], p[1])  # own: the side that has just moved
    empty = ALL & ~(own | other)
    highest = 0
    pieces = own
    while pieces != U(0):
        here = pieces & (~pieces + U(1))
        pieces ^= here
        is_king = p[2] & here != U(0)
        for way in range(4):  # where it came from: up by 5 or 4, down by 4 or 5
            # A man goes down if it is Black's, so that it came from above.
            if not is_king and (way < 2) != (mover == 1):
                continue
            if way == 0:
                origin = here >> U(5)
            elif way == 1:
                origin = here >> U(4)
            elif way == 2:
                origin = here << U(4)
            else:
                origin = here << U(5)
            origin &= empty
            if origin == U(0):
                continue
            moved = own ^ here ^ origin
            kings = p[2] ^ here ^ origin if is_king else p[2]
            up, down = (moved, moved & kings) if mover == 0 else (moved & kings, moved)
            if jumpers(up, down, other, ALL & ~(moved | other)) != U(0):
                continue
            q = (other, moved, kings, U(1)) if mover == 0 else (moved, other, kings, U(0))
            number = number_of_placement(q)
            if plies & 1 == 0:
                if before[number] > plies + 1:
                    before[number] = plies + 1
                    highest = plies + 1
            elif before[number] == DRAW:
                left = open_moves[number] - 1
                open_moves[number] = left
                if left == 0:
                    worst = int(told.longest[number])
                    value = (worst if worst > plies else plies) + 1
                    before[number] = value
                    highest = max(highest, value)
    return highest


@kernel
def check(
    game: Any, side: Side, first: int, last: int, directory: np.ndarray, out: np.ndarray
) -> int:
    """Holds every value against those of its successors; the first number that is wrong, or -1."""
    for number in range(first, last):
        p = placement(number, side.counts, side.mover)
        if p[0] & p[1] != U(0):
            continue
        found = _NO_MOVE
        for i in range(game.moves(p, out, 0)):
            found = with_successor(found, value_of(game.play(p, out[i]), directory))
        if side.values[number] != value_by(found, 0) or number_of_placement(p) != number:
            return number
    return -1


@kernel
def sampled(
    game: Any, counts: np.ndarray, count: int, state: np.ndarray, directory: np.ndarray,
    out: np.ndarray,
) -> int:  # fmt: skip
    """Holds so many random values of a slice against those of their successors: how many there
    were, or -1 less the first number that is wrong. What leads to a table that is not there is left
    out. ``state`` is the seed of the numbers."""
    size = size_of(counts[0], counts[1], counts[2], counts[3])
    held = 0
    for _ in range(8 * count):  # some numbers are of no placement
        if held == count:
            break
        mover, number = random_below(state, 2), random_below(state, size)
        p = placement(number, counts, mover)
        found, is_whole = _NO_MOVE, p[0] & p[1] == U(0)
        if is_whole:
            for i in range(game.moves(p, out, 0)):
                value = value_of(game.play(p, out[i]), directory)
                is_whole = is_whole and value >= 0
                found = with_successor(found, value)
        if is_whole:
            if value_of(p, directory) != value_by(found, 0):
                return -1 - number
            held += 1
    return held
