"""The board: 61 hexes in axial coordinates (r, q), numbered row by row from Lower's home up.

Hex 0 is (-4, 0), the left end of Lower's home row; hex 60 is (4, 0), the right end of Upper's.
"""

from __future__ import annotations

import numpy as np

from petteia.core.words import U

__all__ = [
    "ADJACENT",
    "HEXES",
    "NEARNESS",
    "NEIGHBOURS",
    "NUMBER",
    "distance",
    "mask_of",
    "zone",
]  # fmt: skip

Hex = tuple[int, int]

HEXES: tuple[Hex, ...] = tuple(
    (r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= r + q <= 4
)
"""The coordinates of every hex by its number."""
NUMBER: dict[Hex, int] = {place: number for number, place in enumerate(HEXES)}


def distance(a: Hex, b: Hex) -> int:
    """Steps from one hex to another on an empty board."""
    dr, dq = a[0] - b[0], a[1] - b[1]
    return max(abs(dr), abs(dq), abs(dr + dq))


ADJACENT: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n, other in enumerate(HEXES) if distance(place, other) == 1) for place in HEXES
)
"""The numbers of the hexes beside every hex."""


def mask_of(numbers: tuple[int, ...] | list[int]) -> np.uint64:
    """The word with the bits of these hexes set."""
    return U(sum(1 << number for number in numbers))


NEIGHBOURS = np.array([mask_of(beside) for beside in ADJACENT], np.uint64)
"""The same as words, for the kernels."""

NEARNESS = np.array(
    [[1.0 / max(distance(a, b), 1) for b in HEXES] for a in HEXES], np.float64
).reshape(-1)
"""One over the distance from hex a to hex b, at ``a * 61 + b``; 1 where they are the same."""


def zone(player: int, thrown: int) -> np.uint64:
    """Where a player who has thrown so many tokens may throw the next."""
    side = 1 if player == 0 else -1
    return mask_of([n for n, (r, _) in enumerate(HEXES) if side * r >= 4 - thrown])
