"""The board as bits: 32 dark squares in a word, with a gap after every second row.

Squares carry their usual numbers 1 to 32, from the top left; Black's home is at the top. With
the gaps every step is a shift by 4 or 5, whatever the row, and what leaves the board at a side
falls into a gap:

         1   2   3   4            0  1  2  3
       5   6   7   8            4  5  6  7  (8)
         9  10  11  12            9 10 11 12
      13  14  15  16           13 14 15 16 (17)      and so on to 34
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import bit_reverse
from petteia.core.words import U

__all__ = [
    "ALL", "BLACK_HOME", "LAND", "OVER", "SIZE", "WHITE_HOME", "bit_of", "cell_of", "mask",
    "number_at", "number_of", "squares_of", "turned",
]  # fmt: skip

SIZE = 35
"""Bits 0 to 34 are used."""


def bit_of(number: int) -> int:
    """The bit of a square's number."""
    return number - 1 + (number - 1) // 8


def number_of(bit: int) -> int:
    """The number of the square at a bit."""
    return bit + 1 - bit // 9


def cell_of(number: int) -> tuple[int, int]:
    """Row and column of a square, both counted from 0 at the top left."""
    row = (number - 1) // 4
    return row, 2 * ((number - 1) % 4) + (row + 1) % 2


def number_at(row: int, column: int) -> int | None:
    """The square's number; None for light squares and outside the board."""
    if 0 <= row < 8 and 0 <= column < 8 and (row + column) % 2:
        return row * 4 + column // 2 + 1
    return None


def mask(*numbers: int) -> np.uint64:
    """These squares as bits."""
    return U(sum(1 << bit_of(number) for number in numbers))


def squares_of(board: np.uint64 | int) -> list[int]:
    """The numbers of the squares that are set, in rising order."""
    return [number for number in range(1, 33) if int(board) >> bit_of(number) & 1]


def turned(board: np.uint64) -> np.uint64:
    """The board seen from the other side: square n becomes 33 - n."""
    return bit_reverse(board) >> U(64 - SIZE)


ALL = mask(*range(1, 33))
BLACK_HOME = mask(1, 2, 3, 4)
"""Where White is crowned."""
WHITE_HOME = mask(29, 30, 31, 32)
"""Where Black is crowned."""


def _jumps() -> tuple[np.ndarray, np.ndarray]:
    """For every bit and direction (up left, up right, down left, down right) the square jumped
    over and the square landed on, 0 where a jump would leave the board."""
    over, land = np.zeros((SIZE, 4), np.uint64), np.zeros((SIZE, 4), np.uint64)
    for number in range(1, 33):
        row, column = cell_of(number)
        for way, (down, right) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
            middle = number_at(row + down, column + right)
            target = number_at(row + 2 * down, column + 2 * right)
            if middle is not None and target is not None:
                over[bit_of(number), way] = mask(middle)
                land[bit_of(number), way] = mask(target)
    return over, land


OVER, LAND = _jumps()
