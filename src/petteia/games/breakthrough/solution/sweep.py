"""The sweep that solves a small board, in one pass.

Every move brings a worker a row nearer to its goal, and a capture takes one away besides: the rows
that all workers together have still to go become fewer with every ply. So positions are taken by
that number, the *level*, from few to many, and whatever a position can become is already known.

A piece of the sweep is a row of the table: a block and the mover's home rows. Pieces of one level
do not depend on each other and write to words of their own, so that processors share them in any
order. Neighbours on a GPU have the same block, hence the same moves, and mostly the same settings
of the enemy's home rows ahead of them: they read the same rows of the table together.

Moves are worked out once a block for all settings of the home rows. What a worker on its last row
but one brings about is resolved on the spot: whoever has one there to move wins, and the other
must capture it. The layout of the bits stands in ``layout``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import Batch, kernel, popcount
from petteia.core.words import U
from petteia.games.breakthrough.solution.layout import Layout

__all__ = ["SOLVE_ROW", "Exact", "Space", "bit_at", "is_won", "space_of"]

_MOVE = np.dtype(
    [
        ("place", np.int32),  # of the block after it: twice its number, plus 1 in the mirror
        ("source", np.int32),  # the home square that is left, as a bit; 0 for one in the middle
        ("target", np.int32),  # the home square that is reached, as a bit, or the column
        ("straight", np.int32),
    ]
)
_ONTO, _ALL = 0, 1


class Exact(NamedTuple):
    """A table of exact values, and where each position stands in it."""

    layout: Layout
    bits: np.ndarray
    """Set where the mover wins."""


class Space(NamedTuple):
    """The table with all that a sweep over it needs."""

    exact: Exact
    moves: np.ndarray
    """[block, number]: the mover's moves there, from the front, as advanced workers decide more
    often: those onto the last row but one come first."""
    ends: np.ndarray
    """[block, 0 or 1]: where the moves onto that row end, and where all end."""
    levels: np.ndarray
    """[block]: the rows that the workers in the middle have to go."""


def bit_at(bits: np.ndarray, at: int) -> bool:
    """Whether a bit of the table is set."""
    return (bits[at >> 6] >> U(at & 63)) & U(1) != U(0)


def place_of(layout: Layout, own: int, enemy: int) -> int:
    """Twice the place of a block, plus 1 if it stands there in the mirror; -1 if it does not."""
    return int(layout.slots[layout.ternary[own] + layout.ternary_enemy[enemy]])


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


def add_move(space: Space, at: int, place: int, source: int, target: int, straight: int) -> None:
    """Notes a move to the block at a place, if there is one."""
    if place < 0:
        return
    move = space.moves[at, space.ends[at, _ALL]]
    move.place, move.source, move.target, move.straight = place, source, target, straight
    space.ends[at, _ALL] += 1


def list_moves(at: int, memory: Any, space: Space) -> None:
    """Piece ``at``: writes the mover's moves in a block, for whatever stands on the home rows."""
    layout = space.exact.layout
    columns, rows = layout.columns, layout.rows
    own, enemy = int(layout.own[at]), int(layout.enemy[at])
    space.levels[at] = rows_to_go(own, columns, rows) + rows_to_go(enemy, columns, rows)
    space.ends[at, _ALL] = 0
    for row in range(rows - 3, -1, -1):
        for column in range(columns - 1, -1, -1):
            list_steps(space, at, own, enemy, row * columns + column)
        if row == rows - 3:
            space.ends[at, _ONTO] = space.ends[at, _ALL]


def list_steps(space: Space, at: int, own: int, enemy: int, cell: int) -> None:
    """The moves of a worker on a cell, as its owner counts them."""
    layout = space.exact.layout
    columns, rows = layout.columns, layout.rows
    row, column = cell // columns, cell % columns
    here = cell - 2 * columns  # in the middle, if not below 0
    if here >= 0 and (own >> here) & 1 == 0:
        return
    left = own & ~(1 << here) if here >= 0 else own
    source = 0 if here >= 0 else 1 << cell
    for aside in (0, -1, 1):
        to, straight = column + aside, 1 if aside == 0 else 0
        if to < 0 or to >= columns:
            continue
        if row == rows - 3:
            add_move(space, at, place_of(layout, left, enemy), source, to, straight)
        elif row == 0:
            target = 1 << (columns + to)
            add_move(space, at, place_of(layout, enemy, own), source, target, straight)
        else:
            there = (row - 1) * columns + to
            if (own >> there) & 1 == 0:
                place = place_after(layout, left, there, enemy, straight)
                add_move(space, at, place, source, 0, straight)


def breaks_through(space: Space, at: int, home: int, facing: int) -> bool:
    """Whether a worker reaches the last row but one and the enemy cannot capture it in time."""
    exact = space.exact
    columns, mirrored = exact.layout.columns, exact.layout.mirrored
    for k in range(space.ends[at, _ONTO]):
        move = space.moves[at, k]
        source, to = int(move.source), int(move.target)
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
            if move.place & 1 != 0:
                mine, his = mirrored[mine], mirrored[his]
            block = int(move.place >> 1) << (4 * columns)
            if not bit_at(exact.bits, block + (mine << (2 * columns)) + his):
                stands = False
                break
        if stands:
            return True
    return False


def wins(space: Space, at: int, home: int, facing: int) -> bool:
    """Whether the mover wins in a block with these home rows, his own and the enemy's."""
    if breaks_through(space, at, home, facing):
        return True
    bits, mirrored = space.exact.bits, space.exact.layout.mirrored
    shift = 2 * space.exact.layout.columns
    plain = (facing << shift) + home
    picture = (mirrored[facing] << shift) + mirrored[home]
    for k in range(space.ends[at, _ONTO], space.ends[at, _ALL]):
        move = space.moves[at, k]
        source, target = int(move.source), int(move.target)
        if home & source != source or home & target != 0:
            continue
        if move.place & 1 != 0:
            after = picture - mirrored[source] + mirrored[target]
        else:
            after = plain - source + target
        if not bit_at(bits, (int(move.place >> 1) << (2 * shift)) + after):
            return True
    return False


def rows_to_go(side: int, columns: int, rows: int) -> int:
    """What the workers in the middle add to the level."""
    total = 0
    for square in range((rows - 4) * columns):
        if (side >> square) & 1 != 0:
            total += rows - 4 - square // columns
    return total


def solve_row(i: int, memory: Any, space: Space, level: int) -> None:
    """Piece ``i``: solves the positions of one level in a row of the table.

    A bit is set where the mover wins, and none is ever taken back, so that a level may be begun
    again.
    """
    t, bits = space.exact.layout, space.exact.bits
    shift = 2 * t.columns
    at = i >> shift
    home = t.homes[i & ((1 << shift) - 1)]
    rest = level - space.levels[at] - t.to_go[home]
    if rest < 0 or rest > len(t.first_home) - 2:
        return
    if t.counts[home] > t.cap - popcount(U(t.own[at])):
        return
    most = t.cap - popcount(U(t.enemy[at]))
    row = (at << (2 * shift)) + (home << shift)
    for j in range(t.first_home[rest], t.first_home[rest + 1]):
        facing = t.homes[j]
        if t.counts[facing] > most:
            break
        if wins(space, at, home, facing):
            bits[(row + facing) >> 6] |= U(1) << U((row + facing) & 63)


_LIST_MOVES = Batch(list_moves, [("unused", np.int64)])
SOLVE_ROW = Batch(solve_row, [("unused", np.int64)])
"""Solves the positions of one level: a piece for every row of the table."""


def space_of(layout: Layout, bits: np.ndarray, threads: int) -> Space:
    """The table with its moves listed."""
    blocks, most = len(layout.own), 3 * (layout.rows - 2) * layout.columns
    space = Space(
        Exact(layout, bits),
        np.zeros((blocks, most), _MOVE),
        np.zeros((blocks, 2), np.int32),
        np.zeros(blocks, np.int32),
    )
    _LIST_MOVES(blocks, space, threads=threads)
    return space


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
