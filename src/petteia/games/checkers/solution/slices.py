"""Slices: all placements of so many men and kings a side, each with a number.

A slice is stored once for both colours: turning the board exchanges them. Inside a slice a
placement's number is made of four ranks, that of Black's men among their 28 squares, of White's
men among theirs, of Black's kings among the squares that are left, of White's kings among the
rest. Squares are ranked by the combinatorial number system: the rank of squares a < b < c is
C(a, 1) + C(b, 2) + C(c, 3). Placements on which men of both colours share a square do not exist;
their numbers stay empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from petteia.compiled import byte_swap, popcount
from petteia.core.words import U, Words
from petteia.games.checkers.rules.board import ALL, bit_of, mask

__all__ = [
    "BINOMIALS",
    "DIRECTORY",
    "MOST_A_SIDE",
    "Slice",
    "number_of_placement",
    "placement",
    "size_of",
    "slices",
    "slot_of",
    "turned_words",
]  # fmt: skip

MOST_A_SIDE = 6
"""Men or kings of one colour in a slice, at most."""
_BASE = MOST_A_SIDE + 1
DIRECTORY = _BASE**4 + 1
"""Words in a directory of tables: one for each slice, and the most pieces."""
_BLACK_MEN = mask(*range(1, 29))
_WHITE_MEN = mask(*range(5, 33))
BINOMIALS = np.array([[comb(n, k) for k in range(MOST_A_SIDE + 2)] for n in range(33)], np.int64)
BITS = np.array([1 << bit_of(number) for number in range(1, 33)], np.uint64)
"""The squares in the order of their numbers."""


@dataclass(frozen=True, order=True)
class Slice:
    """How many of each sort stand on the board."""

    black_men: int
    black_kings: int
    white_men: int
    white_kings: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return (self.black_men, self.black_kings, self.white_men, self.white_kings)

    @property
    def pieces(self) -> int:
        return sum(self.counts)

    @property
    def men(self) -> int:
        return self.black_men + self.white_men

    @property
    def turned(self) -> Slice:
        """The slice with the colours exchanged."""
        return Slice(self.white_men, self.white_kings, self.black_men, self.black_kings)

    @property
    def stored(self) -> Slice:
        """The one of both under which it is stored: White is at least as strong."""

        def strength(men: int, kings: int) -> tuple[int, int]:
            return (men + kings, kings)

        is_stored = strength(*self.counts[:2]) <= strength(*self.counts[2:])
        return self if is_stored else self.turned

    @property
    def name(self) -> str:
        """For instance ``KM v K``: White's pieces first."""
        white = "K" * self.white_kings + "M" * self.white_men
        return f"{white} v {'K' * self.black_kings + 'M' * self.black_men}"

    @cached_property
    def size(self) -> int:
        """How many numbers it has for one side to move."""
        return int(size_of(*self.counts))

    @property
    def array(self) -> np.ndarray:
        """As kernels take it."""
        return np.array(self.counts, np.int64)

    @property
    def slot(self) -> int:
        """Its place in a directory."""
        return int(slot_of(*self.counts))

    def crowned(self) -> Iterator[Slice]:
        """The slices to which a crowning leads, as they are stored."""
        a, b, c, d = self.counts
        if a:
            yield Slice(a - 1, b + 1, c, d).stored
        if c:
            yield Slice(a, b, c - 1, d + 1).stored


def slices(pieces: int, a_side: int) -> list[Slice]:
    """The stored slices with at most so many pieces, and so many a side, in an order in which
    each leads only to earlier ones and to itself."""
    found = set()
    for total in range(2, pieces + 1):
        for black in range(1, total):
            for a in range(black + 1):
                for c in range(total - black + 1):
                    one = Slice(a, black - a, c, total - black - c)
                    if max(black, total - black) <= a_side:
                        found.add(one.stored)
    return sorted(found, key=lambda one: (one.pieces, one.men, one))


# --- kernels ------------------------------------------------------------------------------------


def slot_of(black_men: int, black_kings: int, white_men: int, white_kings: int) -> int:
    """Kernel: the place of a slice in a directory."""
    return ((black_men * _BASE + black_kings) * _BASE + white_men) * _BASE + white_kings


def size_of(black_men: int, black_kings: int, white_men: int, white_kings: int) -> int:
    """Kernel: how many numbers a slice has."""
    free = 32 - black_men - white_men
    return (
        BINOMIALS[28, black_men]
        * BINOMIALS[28, white_men]
        * BINOMIALS[free, black_kings]
        * BINOMIALS[free - black_kings, white_kings]
    )


def rank(squares: np.uint64, among: np.uint64) -> int:
    """Kernel: the rank of a set of squares among all sets of as many."""
    total, k = 0, 1
    while squares != U(0):
        lowest = squares & (~squares + U(1))
        total += BINOMIALS[popcount(among & (lowest - U(1))), k]
        squares ^= lowest
        k += 1
    return total


def number_of_placement(p: Words) -> int:
    """Kernel: the number of a position in its slice, as it stands."""
    black_men, white_men = p[0] & ~p[2], p[1] & ~p[2]
    black_kings, white_kings = p[0] & p[2], p[1] & p[2]
    free = ALL & ~(black_men | white_men)
    number = rank(black_men, _BLACK_MEN) * BINOMIALS[28, popcount(white_men)]
    number += rank(white_men, _WHITE_MEN)
    number *= BINOMIALS[popcount(free), popcount(black_kings)]
    number += rank(black_kings, free)
    free &= ~black_kings
    number *= BINOMIALS[popcount(free), popcount(white_kings)]
    return number + rank(white_kings, free)


def squares_of_rank(number: int, count: int, highest: int, offset: int) -> np.uint64:
    """Kernel: the men with a rank; ``highest`` bounds the search, ``offset`` skips squares."""
    squares = U(0)
    at = highest
    for k in range(count, 0, -1):
        while BINOMIALS[at, k] > number:
            at -= 1
        number -= BINOMIALS[at, k]
        squares |= BITS[at + offset]
    return squares


def free_squares_of_rank(number: int, count: int, free: np.uint64) -> np.uint64:
    """Kernel: the kings with a rank among the free squares."""
    squares = U(0)
    at = popcount(free)
    left = free
    for k in range(count, 0, -1):
        at -= 1
        highest = highest_bit(left)
        while BINOMIALS[at, k] > number:
            left ^= highest
            highest = highest_bit(left)
            at -= 1
        number -= BINOMIALS[at, k]
        squares |= highest
        left ^= highest
    return squares


def highest_bit(word: np.uint64) -> np.uint64:
    """Kernel: the highest set bit alone."""
    word |= word >> U(1)
    word |= word >> U(2)
    word |= word >> U(4)
    word |= word >> U(8)
    word |= word >> U(16)
    word |= word >> U(32)
    return word ^ (word >> U(1))


def placement(number: int, counts: np.ndarray, mover: int) -> Words:
    """Kernel: the position with a number; where it does not exist, White's men lie on Black's."""
    free = 32 - counts[0] - counts[2]
    of_white_kings: Any = BINOMIALS[free - counts[1], counts[3]]
    white_kings_rank, number = number % of_white_kings, number // of_white_kings
    of_black_kings: Any = BINOMIALS[free, counts[1]]
    black_kings_rank, number = number % of_black_kings, number // of_black_kings
    of_white_men = BINOMIALS[28, counts[2]]
    black_men = squares_of_rank(number // of_white_men, counts[0], 28, 0)
    white_men = squares_of_rank(number % of_white_men, counts[2], 28, 4)
    empty = ALL & ~(black_men | white_men)
    black_kings = free_squares_of_rank(black_kings_rank, counts[1], empty)
    white_kings = free_squares_of_rank(white_kings_rank, counts[3], empty & ~black_kings)
    return (
        black_men | black_kings,
        white_men | white_kings,
        black_kings | white_kings,
        U(mover),
    )


def reversed_board(board: np.uint64) -> np.uint64:
    """Kernel: the board turned round."""
    board = byte_swap(board)
    board = (board >> U(4)) & U(0x0F0F0F0F0F0F0F0F) | (board & U(0x0F0F0F0F0F0F0F0F)) << U(4)
    board = (board >> U(2)) & U(0x3333333333333333) | (board & U(0x3333333333333333)) << U(2)
    board = (board >> U(1)) & U(0x5555555555555555) | (board & U(0x5555555555555555)) << U(1)
    return board >> U(29)


def turned_words(p: Words) -> Words:
    """Kernel: the position with the board turned and the colours exchanged."""
    return (reversed_board(p[1]), reversed_board(p[0]), reversed_board(p[2]), p[3] ^ U(1))
