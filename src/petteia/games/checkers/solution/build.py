"""How a slice is worked out: backwards from its ends.

1. Forwards once over all placements: what cannot move has lost; moves that leave the slice, by a
   capture or a crowning, are looked up; moves inside it are counted.
2. Backwards in the order of plies: a position lost in d plies makes every position before it won
   in d + 1; a position won in d takes one from the open moves of every position before it, and
   who has no open move left has lost, one ply after the longest defence. Captures are compulsory:
   a position in which the mover could capture does not lie before a quiet move.
3. What stays open is a draw.

Writers and readers of one pass are different sides to move, and never the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.words import U, Words
from petteia.games.checkers.rules.board import ALL, BLACK_HOME, WHITE_HOME
from petteia.games.checkers.rules.moves import CAPTURES, jumpers
from petteia.games.checkers.solution.probe import DRAW, NONE, value_of
from petteia.games.checkers.solution.slices import number_of_placement, placement

__all__ = ["LONGEST", "check", "look_forward", "spread"]

LONGEST = 250
"""Distances that fit into a byte."""
_OUTSIDE_DRAW = 128
"""Marks, in the count of open moves, that a move out of the slice draws: no loss is possible."""
_EVERY_BYTE = 0x0101010101010101


@kernel
def look_forward(
    game: Any,
    counts: np.ndarray,
    mover: int,
    first: int,
    last: int,
    values: np.ndarray,
    open_moves: np.ndarray,
    longest: np.ndarray,
    directory: np.ndarray,
    out: np.ndarray,
) -> int:
    """Values what is decided outside the slice, and counts what is not. The highest value found,
    or -1 where a table is missing."""
    home = WHITE_HOME if mover == 0 else BLACK_HOME
    highest = 0
    for number in range(first, last):
        p = placement(number, counts, mover)
        open_moves[number] = longest[number] = 0
        if p[0] & p[1] != U(0):
            values[number] = NONE
            continue
        end = game.moves(p, out, 0)
        if end == 0:
            values[number] = 0
            continue
        won, lost, inside, draws = DRAW, 0, 0, 0
        for i in range(end):
            move = out[i]
            start, target = U(1) << U(move & 63), U(1) << U(move >> 6 & 63)
            if move >> CAPTURES == 0 and (p[2] & start != U(0) or target & home == U(0)):
                inside += 1
                continue
            value = value_of(game.play(p, move), directory)
            if value < 0:
                return -1
            if value == DRAW:
                draws = _OUTSIDE_DRAW
            elif value & 1 == 0:
                won = min(won, value + 1)
            else:
                lost = max(lost, value)
        value = DRAW
        if won < DRAW:
            value = won
        elif inside == 0 and draws == 0:
            value = lost + 1
        values[number] = value
        if value < NONE:
            highest = max(highest, value)
        open_moves[number] = inside | draws
        longest[number] = lost
    return highest


@kernel
def spread(
    counts: np.ndarray,
    mover: int,
    plies: int,
    first: int,
    last: int,
    words: np.ndarray,
    values: np.ndarray,
    before: np.ndarray,
    open_moves: np.ndarray,
    longest: np.ndarray,
) -> int:
    """Tells the positions before it of every position with so many plies; ``values`` are those of
    the mover, ``before`` and the rest the other side's. Gives the highest value written.

    ``words`` are the same bytes as ``values``, eight at a time, ``first`` and ``last`` in words.
    """
    pattern = U(plies) * U(_EVERY_BYTE)
    highest = 0
    for word in range(first, last):
        # Eight bytes at once: which of them are equal to the plies?
        differing = words[word] ^ pattern
        if (differing - U(_EVERY_BYTE)) & ~differing & U(_EVERY_BYTE << 7) == U(0):
            continue
        for number in range(8 * word, min(8 * word + 8, len(before))):
            if values[number] == plies:
                p = placement(number, counts, mover)
                written = tell(p, mover, plies, before, open_moves, longest)
                highest = max(highest, written)
    return highest


def tell(
    p: Words,
    mover: int,
    plies: int,
    before: np.ndarray,
    open_moves: np.ndarray,
    longest: np.ndarray,
) -> int:
    """Kernel: every position from which a quiet move leads here learns of it."""
    own, other = (p[1], p[0]) if mover == 0 else (p[0], p[1])  # own: who has just moved
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
                    worst = int(longest[number])
                    value = (worst if worst > plies else plies) + 1
                    before[number] = value
                    highest = max(highest, value)
    return highest


@kernel
def check(
    game: Any,
    counts: np.ndarray,
    mover: int,
    first: int,
    last: int,
    values: np.ndarray,
    directory: np.ndarray,
    out: np.ndarray,
) -> int:
    """Holds every value against those of its successors; the first number that is wrong, or -1."""
    for number in range(first, last):
        p = placement(number, counts, mover)
        if p[0] & p[1] != U(0):
            continue
        end = game.moves(p, out, 0)
        won, lost, draws = DRAW, -1, 0
        for i in range(end):
            value = value_of(game.play(p, out[i]), directory)
            if value == DRAW:
                draws += 1
            elif value & 1 == 0:
                won = min(won, value + 1)
            else:
                lost = max(lost, value)
        right = DRAW
        if won < DRAW:
            right = won
        elif draws == 0:
            right = lost + 1
        if values[number] != right or number_of_placement(p) != number:
            return number
    return -1
