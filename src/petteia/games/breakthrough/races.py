"""Ends that are certain at a glance: arrivals, threats that stand, and races.

A *runner* is a worker with a free way: straight ahead nobody stands, and no enemy can come to
capture it or to stand in its way in time. An enemy ``v`` rows ahead and ``s`` columns aside can
meet it only if ``s <= v // 2`` when the runner moves first, ``s <= (v + 1) // 2`` when the enemy
does: both approach each other by a row a turn, and the enemy may change columns with each of its
moves. A runner that needs no more moves than the quickest enemy, each counted by its rows alone,
wins the race. This is the free-cone test of race programs; it never errs, but it does not know
captures on the way, helpers and zugzwang. Only the most advanced workers are looked at, so that the
number of plies is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petteia.compiled import leading_zeros, popcount, signed, trailing_zeros
from petteia.core.words import U, Words

if TYPE_CHECKING:
    from petteia.games.breakthrough.rules import Breakthrough

__all__ = ["cones", "forced_end", "ways"]


def cones(columns: int, rows: int) -> np.ndarray:
    """By player, by whether the enemy moves first, and by square: where an enemy could meet a
    runner that starts there."""
    found = np.zeros((2, 2, columns * rows), np.uint64)
    for player in (0, 1):
        for enemy_first in (0, 1):
            for square in range(columns * rows):
                row, column = divmod(square, columns)
                cone = 0
                for ahead in range(1, rows):
                    there = row + ahead if player == 0 else row - ahead
                    reach = (ahead + enemy_first) // 2
                    for other in range(max(0, column - reach), min(columns, column + reach + 1)):
                        if 0 <= there < rows:
                            cone |= 1 << (there * columns + other)
                found[player, enemy_first, square] = cone
    return found


def ways(columns: int, rows: int) -> np.ndarray:
    """By player and square: the squares straight ahead."""
    found = np.zeros((2, columns * rows), np.uint64)
    for square in range(columns * rows):
        for other in range(columns * rows):
            if other % columns == square % columns and other != square:
                player = 0 if other > square else 1
                found[player, square] |= U(1 << other)
    return found


def moves_left(game: Breakthrough, board: np.uint64, player: int) -> int:
    """The moves that the most advanced worker needs at least."""
    if player == 0:
        return game.rows - 1 - (63 - leading_zeros(board)) // game.columns
    return trailing_zeros(board) // game.columns


def race(game: Breakthrough, p: Words, player: int, enemy_first: int, needed: int) -> bool:
    """Whether one of the workers that need so many moves, the quickest, has a free way."""
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    row = game.rows - 1 - needed if player == 0 else needed
    runners = own & game.fields[player] & (game.goals[1] << U(row * game.columns))
    while runners != U(0):
        square = trailing_zeros(runners)
        runners &= runners - U(1)
        met = enemy & game.cones[player, enemy_first, square]
        if met | (own & game.ways[player, square]) == U(0):
            return True
    return False


def knocks(game: Breakthrough, p: Words) -> bool:
    """Whether the mover has a step to the last row but one that no enemy can answer by capture."""
    straight, left, right = game.targets(p)
    if p[2] == U(0):
        safe = game.thresholds[0] & ~game.guarded(p[1], 1)
    else:
        safe = game.thresholds[1] & ~game.guarded(p[0], 0)
    return (straight | left | right) & safe != U(0)


def forced_end(game: Breakthrough, p: Words) -> int:
    """n plies to a certain win of the mover, -n to its loss, 0 where neither is seen."""
    player = signed(p[2])
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    if own & game.thresholds[player] != U(0):
        return 1
    threats = enemy & game.thresholds[1 - player]
    if threats != U(0):
        _, left, right = game.targets(p)
        return -2 if popcount(threats) > 1 or threats & (left | right) == U(0) else 0
    # Only who has few workers left can lose sooner than by an arrival: by having them all captured.
    if popcount(enemy) > 1 and knocks(game, p):
        return 3
    mine, his = moves_left(game, own, player), moves_left(game, enemy, 1 - player)
    if mine <= his:
        if popcount(enemy) >= mine and race(game, p, player, 0, mine):
            return 2 * mine - 1
    elif popcount(own) >= his and race(game, p, 1 - player, 1, his):
        return -2 * his
    return 0
