"""What the sweep knows of a board before it begins: a graph of spots, and tables about them.

A *spot* is a cell, or one of the two strands of a bridge. Every spot has up to six *ways* to
neighbours, one bit each; a set of ways is a number below 64, and a set of such sets is one word. So
what a spot may do is a single word: ``allowed``, with a bit for each set of links that it may have
in the end. What a grid looks like is known here and only here; the search sees spots and ways.

Spots are numbered in the order in which they are visited, seen from one of the corners. On square
grids that is by diagonals, so that at most two ways of a cell lead onward. Hexagons are visited by
rows, and so are boards with warps, where that takes about a third less than diagonals.

*Blocks* are the cells around a point, four on a square grid and three on a hexagonal one. Where no
path may touch itself, a block of k cells has at most k - 2 links: one more would leave two cells of
one path side by side without a link, or close a ring.

*Bends.* On a square grid the cell inside a bend therefore has no link towards the bend's arms. If
it must be covered, it is the same bend again, or a dot. So every bend begins a spike of equal bends
that ends in a dot, and bends without such a spike are struck out beforehand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.puzzles.flow.rules.memory import CELLS, Layout

__all__ = ["LAYOUT", "connect", "order", "prepare"]

WAYS = 6
HOLE = -2
SQUARE, WARPS, HEX = range(3)
STRICT, NO_BLOCK, TOUCHING, SHORTEST = range(4)
NONE = -1

LAYOUT: Layout = [
    ("control", np.int64, 24),
    ("select", np.int64, 2 * WAYS),  # the sets without a way, and those with it; made once
    # What is given, by the spot's number on the puzzle.
    ("board", np.int32, CELLS),  # a dot's colour, -1 empty, -2 hole
    ("closed", np.int32, CELLS),  # the ways that a wall closes
    ("required", np.int32, CELLS),  # the ways of links that must be
    ("strand", np.int32, CELLS),  # of a bridge's cell, the spot that runs from north to south
    ("first", np.int32, CELLS),  # the first dot of each colour
    # What is prepared, by the number of the visit.
    ("place", np.int32, CELLS),  # the visit of a spot of the puzzle
    ("back", np.int32, CELLS),  # and the spot of a visit
    ("ink", np.int32, CELLS),  # a dot's colour + 1, else 0
    ("near", np.int32, WAYS * CELLS),  # the neighbour in each way
    ("side", np.int32, 2 * WAYS * CELLS),  # the blocks on both sides of each way
    ("inner", np.int32, 4 * CELLS),  # the cell inside the bend of a way and the next one
    ("allowed", np.int64, CELLS),  # sets of links
    ("corners", np.int32, 8 * CELLS),  # the cells of each block, four places each
    ("first_way", np.int32, 2 * CELLS),  # from its first cell to the second
    ("room", np.int32, 2 * CELLS),  # links that a block can still take
    # The search.
    ("links", np.int32, CELLS),  # the ways that are links
    ("open", np.int32, CELLS),  # the ways that are not decided
    ("sets", np.int64, CELLS),  # the sets of links that are left
    ("mate", np.int32, CELLS),
    ("queue", np.int32, CELLS),  # spots to look at
    ("waiting", np.int32, CELLS),  # whether a spot is among them
    ("trail", np.int32, 3 * WAYS * CELLS),  # decided ways, and the ends that a link has joined
    ("before", np.int64, 2 * WAYS * CELLS),  # the sets that were left at both ends of the way
    ("choice", np.int32, CELLS),  # by depth: the spot, the trail's length, the sets not tried
    ("mark", np.int32, CELLS),
    ("untried", np.int64, CELLS),
    # The answer.
    ("colour", np.int32, CELLS),  # by visit
    ("path", np.int32, CELLS),  # the spots of all paths, one after the other
    ("stop", np.int32, CELLS),  # where each path ends in it
]
# Places in control.
(
    WIDTH, HEIGHT, TURN, RULE, COVER, GRID, COLOURS, VISITS, BLOCKS, NODES, MOST, DEPTH, TRAIL,
    WAITING, STATE,
) = range(15)  # fmt: skip


def ways_of(grid: int) -> int:
    """How many ways a cell of a grid has; a way's opposite lies half of them further."""
    return 6 if grid == HEX else 4


def beside(m: Any, row: int, column: int, way: int) -> int:
    """The cell that lies one step in a way, or NONE past the border.

    Ways are north, east, south, west; on hexagons north-east, east, south-east, south-west, west,
    north-west, where odd rows are half a cell to the right.
    """
    width, height, grid = m.control[WIDTH], m.control[HEIGHT], m.control[GRID]
    if grid == HEX:
        if way == 1:
            column += 1
        elif way == 4:
            column -= 1
        else:
            right = way in (0, 2)
            column += row & 1 if right else (row & 1) - 1
            row += 1 if way in (2, 3) else -1
    elif way == 0:
        row -= 1
    elif way == 1:
        column += 1
    elif way == 2:
        row += 1
    else:
        column -= 1
    if grid == WARPS:
        row = (row + height) % height
        column = (column + width) % width
    if row < 0 or row >= height or column < 0 or column >= width:
        return NONE
    return row * width + column


def take_place(m: Any, cell: int) -> None:
    """Gives a cell's spots the next numbers."""
    if m.board[cell] == HOLE:
        return
    at = m.control[VISITS]
    m.place[cell], m.back[at] = at, cell
    if m.strand[cell] > 0:
        at += 1
        m.place[m.strand[cell]], m.back[at] = at, m.strand[cell]
    m.control[VISITS] = at + 1


def order(m: Any) -> None:
    """Numbers the spots: square grids by diagonals, others by rows, seen from a corner."""
    control = m.control
    width, height, turn = control[WIDTH], control[HEIGHT], control[TURN]
    rows, columns = height, width
    if turn & 4:
        rows, columns = width, height
    control[VISITS] = 0
    by_rows = control[GRID] != SQUARE
    for line in range(rows if by_rows else rows + columns - 1):
        low, high = max(0, line - columns + 1), min(rows, line + 1)
        if by_rows:
            low, high = 0, columns
        for k in range(low, high):
            y, x = k, line - k
            if by_rows:
                y, x = line, k
            if turn & 4:
                y, x = x, y
            if turn & 1:
                y = height - 1 - y
            if turn & 2:
                x = width - 1 - x
            take_place(m, y * width + x)


def spot_at(m: Any, cell: int, way: int) -> int:
    """The visit of the spot of a cell that is entered or left in a way."""
    if m.strand[cell] > 0 and way & 1 == 0:
        return m.place[m.strand[cell]]
    return m.place[cell]


def connect(m: Any) -> None:
    """Finds every spot's neighbours."""
    control = m.control
    ways = ways_of(control[GRID])
    for k in range(WAYS * control[VISITS]):
        m.near[k] = NONE
    for row in range(control[HEIGHT]):
        for column in range(control[WIDTH]):
            cell = row * control[WIDTH] + column
            if m.board[cell] == HOLE:
                continue
            for way in range(1, ways // 2 + 1):  # one half of the ways; the others lead back
                other = beside(m, row, column, way)
                if other < 0 or m.board[other] == HOLE or m.closed[cell] >> way & 1:
                    continue
                p, q = spot_at(m, cell, way), spot_at(m, other, way)
                m.near[WAYS * p + way] = q
                m.near[WAYS * q + (way + ways // 2) % ways] = p


def clear(m: Any) -> None:
    """Nothing is known of any spot yet."""
    control = m.control
    for p in range(control[VISITS]):
        m.ink[p] = m.board[m.back[p]] + 1
        m.links[p], m.open[p], m.mate[p], m.waiting[p] = 0, 0, p, 0
    for k in range(2 * WAYS * control[VISITS]):
        m.side[k] = 0
    for k in range(4 * control[VISITS]):
        m.inner[k] = NONE


def add_side(m: Any, p: int, way: int, block: int) -> None:
    """Notes that a block lies on a side of a way, seen from both of its ends."""
    q = m.near[WAYS * p + way]
    half = ways_of(m.control[GRID]) // 2
    at = 2 * (WAYS * p + way)
    there = 2 * (WAYS * q + (way + half) % (2 * half))
    if m.side[at] != 0:
        at, there = at + 1, there + 1
    m.side[at] = m.side[there] = block


def add_block(m: Any, a: int, b: int, c: int, d: int, first: int) -> None:
    """Notes the block of the cells a, b, c and perhaps d, which lie around a point clockwise.

    ``first`` is the way from a to b. Where a wall parts two of the cells, the block takes any
    number of links.
    """
    size = 3 if d < 0 else 4
    if a < 0 or b < 0 or c < 0:
        return
    for k in range(size):
        cell = a if k == 0 else b if k == 1 else c if k == 2 else d
        if m.board[cell] == HOLE or m.strand[cell] > 0:
            return
    control = m.control
    control[BLOCKS] += 1
    block = control[BLOCKS]
    pa, pb, pc = m.place[a], m.place[b], m.place[c]
    pd = NONE if d < 0 else m.place[d]
    at = 4 * block
    m.corners[at], m.corners[at + 1], m.corners[at + 2], m.corners[at + 3] = pa, pb, pc, pd
    m.room[block], m.first_way[block] = 9, first
    ways = ways_of(control[GRID])
    turn = ways // size  # of the way, from one cell of the block to the next
    for k in range(size):
        p = m.corners[at + k]
        if m.near[WAYS * p + (first + k * turn) % ways] != m.corners[at + (k + 1) % size]:
            return
    for k in range(size):
        p, way = m.corners[at + k], (first + k * turn) % ways
        add_side(m, p, way, block)
        if size == 4:
            m.inner[4 * p + way] = m.corners[at + (k + 2) % 4]
    if control[RULE] != TOUCHING:
        m.room[block] = size - 2


def note_blocks(m: Any) -> None:
    """All blocks; number 0 is none, and takes any number of links."""
    control = m.control
    control[BLOCKS] = 0
    m.room[0] = 1 << 30
    control[NODES] = control[DEPTH] = control[TRAIL] = control[WAITING] = 0
    for row in range(control[HEIGHT]):
        for column in range(control[WIDTH]):
            cell = row * control[WIDTH] + column
            if control[GRID] == HEX:
                below, right = beside(m, row, column, 2), beside(m, row, column, 1)
                add_block(m, cell, right, below, NONE, 1)
                left = beside(m, row, column, 3)
                add_block(m, cell, below, left, NONE, 2)
            else:
                right, below = beside(m, row, column, 1), beside(m, row, column, 2)
                if right >= 0 and below >= 0:
                    across = below // control[WIDTH] * control[WIDTH] + right % control[WIDTH]
                    add_block(m, cell, right, across, below, 1)


def note_sets(m: Any) -> None:
    """The sets of links that a spot may have: a dot one, another two, or none at all."""
    control = m.control
    ways = ways_of(control[GRID])
    for p in range(control[VISITS]):
        found = 0
        for way in range(ways):
            if m.near[WAYS * p + way] < 0:
                continue
            m.open[p] |= 1 << way
            if m.ink[p] > 0:
                found |= 1 << (1 << way)
                continue
            for other in range(way):
                if m.near[WAYS * p + other] >= 0:
                    found |= 1 << (1 << way | 1 << other)
        if m.ink[p] == 0 and control[COVER] == 0:
            found |= 1
        must = m.required[m.back[p]]
        for way in range(ways):
            if must >> way & 1:
                found &= m.select[2 * way + 1]
        m.allowed[p] = found


def strike_bends(m: Any) -> None:
    """Strikes out the bends that no spike can begin with."""
    control = m.control
    if control[RULE] == TOUCHING or control[COVER] == 0 or control[GRID] == HEX:
        return
    visits = control[VISITS]
    again = True
    while again:
        # Each of the four spikes runs only forward or only back, unless it comes round the board.
        again = False
        for k in range(2 * visits):
            p = k if k < visits else 2 * visits - 1 - k
            if m.ink[p] > 0:
                continue
            for way in range(4):
                inside = m.inner[4 * p + way]
                if inside < 0:
                    continue
                one, two = 1 << way, 1 << (way + 1) % 4
                bend = 1 << (one | two)
                if m.allowed[p] & bend == 0:
                    continue
                wanted = 1 << one | 1 << two if m.ink[inside] > 0 else bend
                if m.allowed[inside] & wanted == 0:
                    m.allowed[p] &= ~bend
                    again = control[GRID] == WARPS


def prepare(m: Any) -> None:
    """Makes the search ready to begin."""
    if m.select[0] == 0:
        for links in range(49):  # no set of two ways is above 48
            for way in range(WAYS):
                m.select[2 * way + (links >> way & 1)] |= 1 << links
    order(m)
    connect(m)
    clear(m)
    note_blocks(m)
    note_sets(m)
    strike_bends(m)
    for p in range(m.control[VISITS]):
        m.sets[p] = m.allowed[p]
