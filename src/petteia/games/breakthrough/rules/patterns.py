"""Race patterns: does a runner get home? Every setting of the enemies ahead of it, solved.

A *runner* does nothing but run, one row a move, and chooses its column as it goes. Of the enemies
only those in the *funnel* ahead can ever meet it: ``k`` rows ahead, at most ``k`` columns aside.
Nobody of its own side stands there. So a runner that needs ``m`` moves plays a game of its own on a
small board: in turns it runs, and an enemy of the funnel moves, or none does because the enemy
moves elsewhere. Working from the goal backwards, from ``m = 1`` on, gives the answer for every
setting of the enemies, edges of the board included.

A setting is a number. Of the row next ahead only the middle cell counts, bit 0: an enemy beside it
captures at once or never. Then come the 5 cells of the second row, from left to right, and the 7
cells of the third. Cells beyond the edge of the board are empty, and nobody can go there.
"""

from __future__ import annotations

from functools import cache

import numpy as np

__all__ = ["gets_home", "gets_home_first", "pattern_table"]

FARTHEST = 3
"""The moves that a runner of the table needs."""


def width(ahead: int) -> int:
    """The cells of a row of the funnel that count."""
    return 1 if ahead == 1 else 2 * ahead + 1


def start_of(ahead: int) -> int:
    """The bit at which a row of the funnel begins; of the row after the last: all bits."""
    return sum(width(each) for each in range(1, ahead))


def cell(ahead: int, aside: int) -> int:
    """The bit of a cell; ``aside`` is negative to the left. 0 where no cell counts."""
    half = width(ahead) // 2
    return 1 << (start_of(ahead) + half + aside) if abs(aside) <= half else 0


@cache
def gets_home_first(moves: int, left: int, right: int) -> np.ndarray:
    """By setting: whether the runner, to move, arrives in this many moves against every defence.

    ``left`` and ``right`` are the columns beside it, as far as they matter.
    """
    settings = np.arange(2 ** start_of(moves + 1), dtype=np.int32)
    found = np.zeros(len(settings), bool)
    for step in (-1, 0, 1):
        if (step < 0 and left == 0) or (step > 0 and right == 0):
            continue
        # Straight ahead nobody can be captured.
        arrives = settings & cell(1, 0) == 0 if step == 0 else np.ones(len(settings), bool)
        if moves > 1:
            after = np.zeros(len(settings), np.int32)
            for ahead in range(1, moves):
                half = width(ahead) // 2
                shift = start_of(ahead + 1) + (ahead + 1 - half) + step
                after |= ((settings >> shift) & (2 ** width(ahead) - 1)) << start_of(ahead)
            captors = cell(2, step - 1) | cell(2, step + 1)
            beside = (min(left + step, moves - 1), min(right - step, moves - 1))
            arrives = arrives & (settings & captors == 0) & gets_home(moves - 1, *beside)[after]
        found |= arrives
    return found


@cache
def gets_home(moves: int, left: int, right: int) -> np.ndarray:
    """The same with an enemy to move who cannot capture the runner at once."""
    settings = np.arange(2 ** start_of(moves + 1), dtype=np.int32)
    after = gets_home_first(moves, left, right)
    found = after.copy()  # the enemy moves elsewhere
    for ahead in range(1, moves + 1):
        for aside in range(-(width(ahead) // 2), width(ahead) // 2 + 1):
            source = cell(ahead, aside)
            for to in (aside - 1, aside, aside + 1):
                # Who goes out of the funnel is gone for good.
                target = cell(ahead - 1, to) if ahead > 1 else 0
                legal = (settings & source != 0) & (settings & target == 0)
                found &= ~legal | after[(settings ^ source) | target]
    return found


@cache
def pattern_table(columns: int) -> np.ndarray:
    """By column, one bit a setting: whether a runner that needs three moves gets home although an
    enemy moves first."""
    found = []
    for column in range(columns):
        beside = (min(column, FARTHEST), min(columns - 1 - column, FARTHEST))
        packed = np.packbits(gets_home(FARTHEST, *beside), bitorder="little")
        found.append(packed.view("<u8"))
    return np.array(found, np.uint64)
