"""What evaluations ask of a position: how many tokens stand where, and how near they are."""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["Planes", "closest", "count_on", "harmonic", "planes_of"]

Planes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


def planes_of(p: Words, player: int) -> Planes:
    """Kernel: the planes of a player's counts."""
    if player == 0:
        return (p[2], p[3], p[4], p[5])
    return (p[6], p[7], p[8], p[9])


def count_on(planes: Planes, hexes: np.uint64) -> int:
    """Kernel: how many tokens stand on these hexes."""
    total = popcount(planes[0] & hexes)
    if planes[1] | planes[2] | planes[3] != U(0):
        total += (
            2 * popcount(planes[1] & hexes)
            + 4 * popcount(planes[2] & hexes)
            + 8 * popcount(planes[3] & hexes)
        )
    return total


def closest(
    game: RoPaSciRules, own: np.uint64, enemy: Planes, prey: np.uint64, group: bool
) -> float:
    """Kernel: the largest sum of 1/distance from one of our hexes to the enemies on ``prey``.

    Prey and hunter never share a hex after a battle, so that no distance is 0.
    """
    best = 0.0
    targets = (enemy[0] | enemy[1] | enemy[2] | enemy[3]) & prey
    many = enemy[1] | enemy[2] | enemy[3]
    if targets == U(0):
        return 0.0
    while own != U(0):
        row = trailing_zeros(own) * 61
        own &= own - U(1)
        total, left = 0.0, targets
        while left != U(0):
            place = trailing_zeros(left)
            bit = left & (~left + U(1))
            left &= left - U(1)
            near = game.nearness[row + place]
            if not group:
                total = max(total, near)
            elif bit & many != U(0):
                total += near * count_on(enemy, bit)
            else:
                total += near
        best = max(best, total)
    return best


def harmonic(throws: int) -> float:
    """Kernel: 1 + 1/2 + ... + 1/throws."""
    total = 0.0
    for k in range(1, throws + 1):
        total += 1.0 / k
    return total
