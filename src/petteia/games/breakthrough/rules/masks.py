"""Squares by rows and by weights, for evaluations: constants of the kernels, one set a board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petteia.core.words import U

__all__ = ["BANDS", "bands", "home_guards", "square_table", "weight_planes", "wings"]

BANDS = 7
"""Rows from home to the last but one; on other boards the rows are shared out among them."""

# Lorentz and Horey's table for Wanderer, from the home row to the goal row, the left half of the
# columns: edge, second, third, fourth.
_LORENTZ = (
    (5, 15, 15, 5),
    (2, 3, 3, 3),
    (4, 6, 6, 6),
    (7, 10, 10, 10),
    (11, 15, 15, 15),
    (16, 21, 21, 21),
    (20, 28, 28, 28),
    (36, 36, 36, 36),
)


def square_table(columns: int, rows: int) -> list[list[int]]:
    """Lorentz and Horey's table, stretched to a board of another size."""
    lines = []
    for row in range(rows):
        source = 0 if row == 0 else 1 + round((row - 1) * 6 / (rows - 2))
        half = [_LORENTZ[source][min(c, columns - 1 - c, 3)] for c in range(columns)]
        lines.append(half)
    return lines


def weight_planes(weights: Sequence[int], planes: int) -> tuple[np.uint64, ...]:
    """Bit k of every square's weight as a mask: the sum of weights is then a few popcounts."""
    assert max(weights) < 2**planes
    return tuple(
        U(sum(1 << square for square, weight in enumerate(weights) if weight >> k & 1))
        for k in range(planes)
    )


def bands(columns: int, rows: int) -> tuple[tuple[np.uint64, ...], ...]:
    """By player and band: its squares."""
    row = 2**columns - 1
    found = [[0] * BANDS, [0] * BANDS]
    for r in range(rows - 1):
        band = round(r * (BANDS - 1) / (rows - 2))
        found[0][band] |= row << (columns * r)
        found[1][band] |= row << (columns * (rows - 1 - r))
    return tuple(tuple(U(squares) for squares in side) for side in found)


def home_guards(columns: int, rows: int) -> tuple[np.uint64, np.uint64]:
    """The two pairs on the home row that guard all of it (Lorentz and Horey), by player."""
    places = {c for c in (1, 2, columns - 3, columns - 2) if 0 < c < columns - 1}
    row = sum(1 << c for c in places)
    return (U(row), U(row << (columns * (rows - 1))))


def wings(columns: int, rows: int) -> tuple[np.uint64, np.uint64]:
    """The left and the right half of the board; a column in the middle belongs to neither."""
    half = 2 ** (columns // 2) - 1
    left = sum(half << (columns * row) for row in range(rows))
    return (U(left), U(left << ((columns + 1) // 2)))
