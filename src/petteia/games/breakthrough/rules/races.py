"""Ends that are certain at a glance: arrivals, threats that stand, and races.

A *race* is won by a *runner*: a worker that does nothing but run, whom no enemy can stop and whose
enemies need longer. Whether a runner that is three moves or fewer from its goal can be stopped is
known for every setting of the enemies ahead (``patterns``). For a longer way there is the free
cone: an enemy ``v`` rows ahead and ``s`` columns aside can meet a runner that goes straight only if
``s <= v // 2`` when the runner moves first, ``s <= (v + 1) // 2`` when the enemy does, since both
approach each other by a row a turn and the enemy may change columns with each of its moves.

Races need no search, and they never err; they do not know helpers and zugzwang. A win is told only
where no quicker one is possible, so that the number of plies is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petteia.compiled import leading_zeros, popcount, signed, trailing_zeros
from petteia.core.words import U, Words

if TYPE_CHECKING:
    from petteia.games.breakthrough.rules import BreakthroughRules

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


def moves_left(game: BreakthroughRules, board: np.uint64, player: int) -> int:
    """The moves that the most advanced worker needs at least."""
    if player == 0:
        return game.rows - 1 - (63 - leading_zeros(board)) // game.columns
    return trailing_zeros(board) // game.columns


def row_from_goal(game: BreakthroughRules, board: np.uint64, player: int, moves: int) -> np.uint64:
    """The row from which a player needs so many moves, as a few bits, column a first."""
    row = game.rows - 1 - moves if player == 0 else moves
    return (board >> U(row * game.columns)) & game.goals[1]


def beside(game: BreakthroughRules, row: np.uint64) -> np.uint64:
    """The columns beside those of a row."""
    return ((row << U(1)) | (row >> U(1))) & game.goals[1]


def landings(
    game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int, moves: int
) -> np.uint64:
    """Where workers that need so many moves can step, as columns of the next row."""
    runners = row_from_goal(game, own, player, moves)
    there = row_from_goal(game, own, player, moves - 1)
    facing = row_from_goal(game, enemy, player, moves - 1)
    return (beside(game, runners) | (runners & ~facing)) & ~there


def stands_two(game: BreakthroughRules, enemy: np.uint64, player: int) -> np.uint64:
    """The columns in which a runner two moves from its goal gets home although the enemy moves
    first.

    It must not be captured, and then needs a step to the last row but one that no guard answers.
    Guards never come back to their home row. So a safe step to the side remains; a step straight
    ahead can be blocked by the enemy behind it alone, who guards both sides until he does so.
    """
    row = game.goals[1]
    near = row_from_goal(game, enemy, player, 1)
    guards = row_from_goal(game, enemy, player, 0)
    safe = row & ~beside(game, guards)
    opened = ((row << U(1)) & ~(guards << U(2))) | ((row >> U(1)) & ~(guards >> U(2)))
    straight = safe & ~near & (~guards | opened)
    return (beside(game, safe) | straight) & ~beside(game, near)


def stands_three(
    game: BreakthroughRules, enemy: np.uint64, player: int, places: np.uint64, two: np.uint64
) -> bool:
    """Whether a runner on one of the places, three moves from its goal, gets home although the
    enemy moves first; ``two`` are the columns of ``stands_two``."""
    # It must not be captured at once, and needs somewhere to go if the enemy moves elsewhere.
    facing = row_from_goal(game, enemy, player, 2)
    places &= (two | beside(game, two)) & ~beside(game, facing)
    if places == U(0):
        return False
    near = row_from_goal(game, enemy, player, 1) << U(2)
    guards = row_from_goal(game, enemy, player, 0) << U(3)
    while places != U(0):
        column = U(trailing_zeros(places))
        places &= places - U(1)
        index = (facing >> column) & U(1)
        index |= ((near >> column) & U(31)) << U(1)
        index |= ((guards >> column) & U(127)) << U(6)
        if (game.patterns[column, index >> U(6)] >> (index & U(63))) & U(1) != U(0):
            return True
    return False


def free_cone(
    game: BreakthroughRules,
    own: np.uint64,
    enemy: np.uint64,
    player: int,
    enemy_first: int,
    moves: int,
) -> bool:
    """Whether one of the workers that need so many moves, the quickest, has a free way."""
    row = game.rows - 1 - moves if player == 0 else moves
    runners = own & game.fields[player] & (game.goals[1] << U(row * game.columns))
    while runners != U(0):
        square = trailing_zeros(runners)
        runners &= runners - U(1)
        met = enemy & game.cones[player, enemy_first, square]
        if met | (own & game.ways[player, square]) == U(0):
            return True
    return False


def knocks(game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int) -> bool:
    """Whether there is a step to the last row but one that no enemy can answer by capture."""
    guards = row_from_goal(game, enemy, player, 0)
    return landings(game, own, enemy, player, 2) & ~beside(game, guards) != U(0)


def race_won(
    game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int, mine: int, his: int
) -> int:
    """The moves in which the mover's runner wins the race, or 0; there is no quicker win."""
    workers = popcount(enemy)  # few of them might all be captured sooner
    if mine <= 4 and his >= 3 and workers >= 3:
        two = stands_two(game, enemy, player)
        if mine <= 3 and landings(game, own, enemy, player, 3) & two != U(0):
            return 3
        # From the row of the quickest but one too, unless a win in five plies might be missed.
        if mine >= 3 and his >= 4 and workers >= 4 and game.rows > 4:
            places = landings(game, own, enemy, player, 4)
            if stands_three(game, enemy, player, places, two):
                return 4
    elif mine > 4 and workers >= mine and free_cone(game, own, enemy, player, 0, mine):
        return mine
    return 0


def race_lost(
    game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int, his: int
) -> bool:
    """Whether the enemy's quickest worker wins the race although the mover is first to move."""
    other = 1 - player
    if his > 3:
        return free_cone(game, enemy, own, other, 1, his)
    two = stands_two(game, own, other)
    runners = row_from_goal(game, enemy, other, his)
    if his == 2:
        return runners & two != U(0)
    return stands_three(game, own, other, runners, two)


def end_for(game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int) -> int:
    """``forced_end`` for one player, who is to move."""
    if own & game.thresholds[player] != U(0):
        return 1
    threats = enemy & game.thresholds[1 - player]
    if threats != U(0):
        captures = game.guarded(own, player)
        return -2 if popcount(threats) > 1 or threats & captures == U(0) else 0
    # Only a side with few workers can lose sooner than by an arrival: if all are captured.
    if popcount(enemy) > 1 and knocks(game, own, enemy, player):
        return 3
    mine, his = moves_left(game, own, player), moves_left(game, enemy, 1 - player)
    if mine <= his:
        moves = race_won(game, own, enemy, player, mine, his)
        return 2 * moves - 1 if moves > 0 else 0
    if popcount(own) >= his and race_lost(game, own, enemy, player, his):
        return -2 * his
    return 0


def forced_end(game: BreakthroughRules, p: Words) -> int:
    """n plies to a certain win of the mover, -n to its loss, 0 where neither is seen."""
    if signed(p[2]) == 0:
        return end_for(game, p[0], p[1], 0)
    return end_for(game, p[1], p[0], 1)
