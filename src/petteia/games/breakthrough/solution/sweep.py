"""The sweep that solves a small board, in one pass.

Every move brings a worker a row nearer to its goal, and a capture takes one away besides: the rows
that all workers together have still to go become fewer with every ply. So positions are taken by
that number, the *level*, from few to many, and whatever a position can become is already known.
Positions of one level do not depend on each other: threads share them by blocks.

Moves are worked out once a block for all settings of the home rows. What a worker on its last row
but one brings about is resolved on the spot: whoever has one there to move wins, and the other
must capture it. The layout of the bits stands in ``layout``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.words import U

__all__ = ["SCRATCH", "is_won", "sweep"]

_MOST = 64  # moves of one kind in a block: 3 a worker and 16 workers in the middle

SCRATCH = np.dtype(
    [
        ("whole", np.int64, (_MOST, 2)),  # first bit of the child's block, whether in the mirror
        ("enter", np.int64, (_MOST, 3)),  # and the home square that is left, as a bit
        ("step", np.int64, (_MOST, 4)),  # and from, to within the home rows; the last from
        ("knock", np.int64, (_MOST, 5)),  # and the home square left, the column, whether straight
        ("ends", np.int64, (4,)),
    ]
)
"""The moves of a block: in the middle, into it, behind it, and to the last row but one."""


def bit_at(bits: np.ndarray, at: int) -> bool:
    """Whether a bit of the table is set."""
    return (bits[at >> 6] >> U(at & 63)) & U(1) != U(0)


def place_of(
    own: int, enemy: int, ternary: np.ndarray, ternary_enemy: np.ndarray, slots: np.ndarray
) -> int:
    """Twice the place of a block, plus 1 if it stands there in the mirror; -1 if it does not."""
    return int(slots[ternary[own] + ternary_enemy[enemy]])


def turned_square(square: int, columns: int, rows: int) -> int:
    """A square of the middle as the enemy counts it."""
    return (rows - 5 - square // columns) * columns + square % columns


def list_moves(
    own: int,
    enemy: int,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    m: Any,
) -> None:
    """Writes the mover's moves in a block, for whatever stands on the home rows."""
    columns, rows = numbers[0], numbers[1]
    middle = (rows - 4) * columns
    whole = enter = step = knock = 0
    # From the front, as advanced workers decide more often.
    for cell in range(2 * columns + middle - 1, -1, -1):
        row, column = cell // columns, cell % columns
        here = cell - 2 * columns  # in the middle, if not below 0
        if here >= 0 and (own >> here) & 1 == 0:
            continue
        left = own & ~(1 << here) if here >= 0 else own
        bit = 0 if here >= 0 else 1 << cell
        for aside in (0, -1, 1):
            to = column + aside
            if to < 0 or to >= columns:
                continue
            if row == rows - 3:
                place = place_of(left, enemy, ternary, ternary_enemy, slots)
                if place >= 0:
                    m.knock[knock, 0] = (place >> 1) << (4 * columns)
                    m.knock[knock, 1] = place & 1
                    m.knock[knock, 2] = bit
                    m.knock[knock, 3] = to
                    m.knock[knock, 4] = 1 if aside == 0 else 0
                    knock += 1
            elif row == 0:
                place = place_of(enemy, own, ternary, ternary_enemy, slots)
                target = 1 << (columns + to)
                m.step[step, 0] = (place >> 1) << (4 * columns)
                m.step[step, 1] = place & 1
                m.step[step, 2] = bit
                m.step[step, 3] = target
                step += 1
            else:
                there = (row - 1) * columns + to  # its square in the middle
                facing = turned_square(there, columns, rows)
                if (own >> there) & 1 != 0:
                    continue
                against = enemy
                if (enemy >> facing) & 1 != 0:
                    if aside == 0:
                        continue
                    against = enemy & ~(1 << facing)
                place = place_of(against, left | (1 << there), ternary, ternary_enemy, slots)
                if place < 0:
                    continue
                if here >= 0:
                    m.whole[whole, 0] = (place >> 1) << (4 * columns)
                    m.whole[whole, 1] = place & 1
                    whole += 1
                else:
                    m.enter[enter, 0] = (place >> 1) << (4 * columns)
                    m.enter[enter, 1] = place & 1
                    m.enter[enter, 2] = bit
                    enter += 1
    m.ends[0], m.ends[1], m.ends[2], m.ends[3] = whole, enter, step, knock


def wins(
    home: int, facing: int, columns: int, bits: np.ndarray, mirrored: np.ndarray, m: Any
) -> bool:
    """Whether the mover wins with these home rows, his own and the enemy's, in a listed block."""
    shift = 2 * columns
    for k in range(m.ends[3]):
        source, to = m.knock[k, 2], m.knock[k, 3]
        if source != 0 and home & source == 0:
            continue
        square = 1 << (columns + to)
        if m.knock[k, 4] != 0 and facing & square != 0:
            continue
        # The enemy must capture it, from his home row.
        stands = True
        for d in (to - 1, to + 1):
            if d < 0 or d >= columns or (facing >> d) & 1 == 0:
                continue
            mine, his = home & ~source, (facing & ~(1 << d)) | square
            if m.knock[k, 1] != 0:
                mine, his = mirrored[mine], mirrored[his]
            if not bit_at(bits, m.knock[k, 0] + (mine << shift) + his):
                stands = False
                break
        if stands:
            return True
    plain = (facing << shift) + home
    picture = (mirrored[facing] << shift) + mirrored[home]
    for k in range(m.ends[0]):
        at = m.whole[k, 0] + (picture if m.whole[k, 1] != 0 else plain)
        if not bit_at(bits, at):
            return True
    for k in range(m.ends[1]):
        source = m.enter[k, 2]
        if home & source != 0:
            at = picture - mirrored[source] if m.enter[k, 1] != 0 else plain - source
            if not bit_at(bits, m.enter[k, 0] + at):
                return True
    for k in range(m.ends[2]):
        source, target = m.step[k, 2], m.step[k, 3]
        if home & source != 0 and home & target == 0:
            if m.step[k, 1] != 0:
                at = picture - mirrored[source] + mirrored[target]
            else:
                at = plain - source + target
            if not bit_at(bits, m.step[k, 0] + at):
                return True
    return False


def rows_to_go(side: int, columns: int, rows: int) -> int:
    """What the workers in the middle add to the level."""
    total = 0
    for square in range((rows - 4) * columns):
        if (side >> square) & 1 != 0:
            total += rows - 4 - square // columns
    return total


def count_of(side: int) -> int:
    """The workers in a set of squares."""
    total = 0
    while side != 0:
        side &= side - 1
        total += 1
    return total


@kernel
def sweep(
    level: int,
    first: int,
    last: int,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    own: np.ndarray,
    enemy: np.ndarray,
    homes: np.ndarray,
    first_home: np.ndarray,
    mirrored: np.ndarray,
    counts: np.ndarray,
    bits: np.ndarray,
    m: Any,
) -> int:
    """Solves the positions of one level in the blocks ``first`` to ``last`` (exclusive).

    Returns how many; a bit is set where the mover wins, and none is ever taken back, so that a
    level may be begun again.
    """
    columns, rows, cap = numbers[0], numbers[1], numbers[2]
    deepest = len(first_home) - 2
    done = 0
    for place in range(first, last):
        mine, his = int(own[place]), int(enemy[place])
        rest = level - rows_to_go(mine, columns, rows) - rows_to_go(his, columns, rows)
        if rest < 0 or rest > 2 * deepest:
            continue
        most, most_enemy = cap - count_of(mine), cap - count_of(his)
        listed = False
        base = place << (4 * columns)
        for part in range(max(0, rest - deepest), min(rest, deepest) + 1):
            for i in range(first_home[part], first_home[part + 1]):
                home = homes[i]
                if counts[home] > most:
                    break
                for j in range(first_home[rest - part], first_home[rest - part + 1]):
                    facing = homes[j]
                    if counts[facing] > most_enemy:
                        break
                    if not listed:
                        list_moves(mine, his, numbers, ternary, ternary_enemy, slots, m)
                        listed = True
                    done += 1
                    if wins(home, facing, columns, bits, mirrored, m):
                        at = base + (home << (2 * columns)) + facing
                        bits[at >> 6] |= U(1) << U(at & 63)
    return done


@kernel
def is_won(
    mine: int,
    his: int,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    mirrored: np.ndarray,
    bits: np.ndarray,
) -> int:
    """1 if the mover wins, 0 if not; both sides as their owners see them, nobody on his last row
    but one."""
    columns = numbers[0]
    shift = 2 * columns
    place = place_of(mine >> shift, his >> shift, ternary, ternary_enemy, slots)
    low = (1 << shift) - 1
    home, facing = mine & low, his & low
    if place & 1 != 0:
        home, facing = mirrored[home], mirrored[facing]
    at = ((place >> 1) << (4 * columns)) + (home << shift) + facing
    return 1 if bit_at(bits, at) else 0
