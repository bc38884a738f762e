"""What the tables say of a position.

A directory is an array of words: for every slice the address of its values, 0 where it is not
there; and in its last word the most pieces of any. The values of a slice are bytes, first those
with Black to move, then those with White to move: the plies to the end, odd where the player to
move wins, even where it loses, ``DRAW`` for a draw, ``NONE`` where there is no such placement.
At an even address they lie as they are; one above an even address they lie packed.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, signed, words_at
from petteia.core.words import U, Words
from petteia.games.checkers.solution.packed import NONE, packed_value
from petteia.games.checkers.solution.slices import (
    DIRECTORY,
    number_of_placement,
    size_of,
    slot_of,
    turned_words,
)

__all__ = ["DRAW", "NONE", "PACKED", "value_of"]

DRAW = 255
PACKED = 1
"""Added to the address of a packed table."""


def value_of(p: Words, directory: np.ndarray) -> int:
    """Kernel: the value of a position for its mover, -1 where no table has it."""
    black_men, white_men = popcount(p[0] & ~p[2]), popcount(p[1] & ~p[2])
    black_kings, white_kings = popcount(p[0] & p[2]), popcount(p[1] & p[2])
    if black_men + black_kings == 0 or white_men + white_kings == 0:
        return 0  # the player to move has lost its last piece
    mover = signed(p[3] & U(1))
    address = signed(directory[slot_of(black_men, black_kings, white_men, white_kings)])
    if address != 0:
        at = mover * size_of(black_men, black_kings, white_men, white_kings)
        at += number_of_placement(p)
    else:
        address = signed(directory[slot_of(white_men, white_kings, black_men, black_kings)])
        if address == 0:
            return -1
        at = (1 - mover) * size_of(white_men, white_kings, black_men, black_kings)
        at += number_of_placement(turned_words(p))
    if address & PACKED != 0:
        return packed_value(address - PACKED, at)
    values = words_at(address, (at >> 3) + 1)
    return signed(values[at >> 3] >> U(8 * (at & 7)) & U(255))


def most_pieces(tables: int) -> int:
    """Kernel: the most pieces of any table in the directory at an address."""
    return signed(words_at(tables, DIRECTORY)[DIRECTORY - 1])
