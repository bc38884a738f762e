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

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.core.words import U
from petteia.games.breakthrough.solution.layout import Layout

__all__ = ["MOVES", "Exact", "bit_at", "is_won", "sweep"]

_MOST = 64  # moves of one kind in a block: 3 a worker and 16 workers in the middle

_MOVE = np.dtype(
    [
        ("block", np.int64),  # the first bit of the block after it
        ("mirrored", np.int64),  # whether that block stands there in the mirror
        (
            "source",
            np.int64,
        ),  # the home square that is left, as a bit; 0 for a worker in the middle
        ("target", np.int64),  # the home square that is reached, as a bit, or the column
        ("straight", np.int64),
    ]
)
_LIST = np.dtype([("count", np.int64), ("move", _MOVE, (_MOST,))])
MOVES = np.dtype(
    [
        ("within", _LIST),  # the middle
        ("into", _LIST),  # the middle from the home rows
        ("behind", _LIST),  # it, from the first home row to the second
        ("onto", _LIST),  # the last row but one
    ]
)
"""The moves of a block, for whatever stands on the home rows."""


class Exact(NamedTuple):
    """A table of exact values, and where each position stands in it."""

    layout: Layout
    bits: np.ndarray
    """Set where the mover wins."""


def bit_at(bits: np.ndarray, at: int) -> bool:
    """Whether a bit of the table is set."""
    return (bits[at >> 6] >> U(at & 63)) & U(1) != U(0)


def place_of(layout: Layout, own: int, enemy: int) -> int:
    """Twice the place of a block, plus 1 if it stands there in the mirror; -1 if it does not."""
    return int(layout.slots[layout.ternary[own] + layout.ternary_enemy[enemy]])


def add_move(
    moves: Any, layout: Layout, place: int, source: int, target: int, straight: int
) -> None:
    """Notes a move to the block at a place."""
    move = moves.move[moves.count]
    move.block = (place >> 1) << (4 * layout.columns)
    move.mirrored = place & 1
    move.source, move.target, move.straight = source, target, straight
    moves.count += 1


def place_after(layout: Layout, left: int, there: int, enemy: int, straight: int) -> int:
    """The place after a step to a square of the middle; -1 if it is blocked. ``left`` are the
    mover's other workers there."""
    columns = layout.columns
    facing = (layout.rows - 5 - there // columns) * columns + there % columns  # as the enemy counts
    if (enemy >> facing) & 1 != 0:
        if straight != 0:
            return -1
        enemy &= ~(1 << facing)
    return place_of(layout, enemy, left | (1 << there))


def list_moves(layout: Layout, own: int, enemy: int, m: Any) -> None:
    """Writes the mover's moves in a block, for whatever stands on the home rows."""
    columns, rows = layout.columns, layout.rows
    m.within.count = m.into.count = m.behind.count = m.onto.count = 0
    # From the front, as advanced workers decide more often.
    for cell in range((rows - 2) * columns - 1, -1, -1):
        row, column = cell // columns, cell % columns
        here = cell - 2 * columns  # in the middle, if not below 0
        if here >= 0 and (own >> here) & 1 == 0:
            continue
        left = own & ~(1 << here) if here >= 0 else own
        source = 0 if here >= 0 else 1 << cell
        for aside in (0, -1, 1):
            to, straight = column + aside, 1 if aside == 0 else 0
            if to < 0 or to >= columns:
                continue
            if row == rows - 3:
                place = place_of(layout, left, enemy)
                if place >= 0:
                    add_move(m.onto, layout, place, source, to, straight)
            elif row == 0:
                place = place_of(layout, enemy, own)
                add_move(m.behind, layout, place, source, 1 << (columns + to), straight)
            else:
                there = (row - 1) * columns + to
                if (own >> there) & 1 != 0:
                    continue
                place = place_after(layout, left, there, enemy, straight)
                if place < 0:
                    continue
                if here >= 0:
                    add_move(m.within, layout, place, 0, 0, straight)
                else:
                    add_move(m.into, layout, place, source, 0, straight)


def breaks_through(exact: Exact, home: int, facing: int, m: Any) -> bool:
    """Whether a worker reaches the last row but one and the enemy cannot capture it in time."""
    columns, mirrored = exact.layout.columns, exact.layout.mirrored
    for k in range(m.onto.count):
        move = m.onto.move[k]
        source, to = move.source, move.target
        if source != 0 and home & source == 0:
            continue
        square = 1 << (columns + to)
        if move.straight != 0 and facing & square != 0:
            continue
        stands = True
        for d in (to - 1, to + 1):  # the enemy must capture it, from his home row
            if d < 0 or d >= columns or (facing >> d) & 1 == 0:
                continue
            mine, his = home & ~source, (facing & ~(1 << d)) | square
            if move.mirrored != 0:
                mine, his = mirrored[mine], mirrored[his]
            if not bit_at(exact.bits, move.block + (mine << (2 * columns)) + his):
                stands = False
                break
        if stands:
            return True
    return False


def wins(exact: Exact, home: int, facing: int, m: Any) -> bool:
    """Whether the mover wins with these home rows, his own and the enemy's, in a listed block."""
    if breaks_through(exact, home, facing, m):
        return True
    bits, mirrored, shift = exact.bits, exact.layout.mirrored, 2 * exact.layout.columns
    plain = (facing << shift) + home
    picture = (mirrored[facing] << shift) + mirrored[home]
    for k in range(m.within.count):
        move = m.within.move[k]
        if not bit_at(bits, move.block + (picture if move.mirrored != 0 else plain)):
            return True
    for k in range(m.into.count):
        move = m.into.move[k]
        if home & move.source != 0:
            at = picture - mirrored[move.source] if move.mirrored != 0 else plain - move.source
            if not bit_at(bits, move.block + at):
                return True
    for k in range(m.behind.count):
        move = m.behind.move[k]
        if home & move.source != 0 and home & move.target == 0:
            if move.mirrored != 0:
                at = picture - mirrored[move.source] + mirrored[move.target]
            else:
                at = plain - move.source + move.target
            if not bit_at(bits, move.block + at):
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
def sweep(exact: Exact, level: int, first: int, last: int, m: Any) -> int:
    """Solves the positions of one level in the blocks ``first`` to ``last`` (exclusive).

    Returns how many; a bit is set where the mover wins, and none is ever taken back, so that a
    level may be begun again.
    """
    t, bits = exact.layout, exact.bits
    columns, rows = t.columns, t.rows
    deepest = len(t.first_home) - 2
    done = 0
    for place in range(first, last):
        mine, his = int(t.own[place]), int(t.enemy[place])
        rest = level - rows_to_go(mine, columns, rows) - rows_to_go(his, columns, rows)
        if rest < 0 or rest > 2 * deepest:
            continue
        most, most_enemy = t.cap - count_of(mine), t.cap - count_of(his)
        listed = False
        base = place << (4 * columns)
        for part in range(max(0, rest - deepest), min(rest, deepest) + 1):
            for i in range(t.first_home[part], t.first_home[part + 1]):
                home = t.homes[i]
                if t.counts[home] > most:
                    break
                for j in range(t.first_home[rest - part], t.first_home[rest - part + 1]):
                    facing = t.homes[j]
                    if t.counts[facing] > most_enemy:
                        break
                    if not listed:
                        list_moves(t, mine, his, m)
                        listed = True
                    done += 1
                    if wins(exact, home, facing, m):
                        at = base + (home << (2 * columns)) + facing
                        bits[at >> 6] |= U(1) << U(at & 63)
    return done


@kernel
def is_won(exact: Exact, mine: int, his: int) -> int:
    """1 if the mover wins, 0 if not; both sides as their owners see them, nobody on his last row
    but one."""
    t = exact.layout
    shift = 2 * t.columns
    place = place_of(t, mine >> shift, his >> shift)
    low = (1 << shift) - 1
    home, facing = mine & low, his & low
    if place & 1 != 0:
        home, facing = t.mirrored[home], t.mirrored[facing]
    at = ((place >> 1) << (4 * t.columns)) + (home << shift) + facing
    return 1 if bit_at(exact.bits, at) else 0
