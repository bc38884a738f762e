"""The diagonal sweep, compiled or as plain Python. (The idea is Thomas Ahle's, see numberlink.)

Cells are visited by anti-diagonals, within one from the top right to the bottom left. A cell
decides only its links to the east and to the south; those to the north and west were decided on
the diagonal before. A dot needs one link and another cell two, so that there are never more than
two ways to go on.

*Mates.* ``mate[x]`` is the other end of the piece of path that ends in x. A link that would join a
piece to itself closes a ring, one that joins dots of two colours is wrong; both are seen at once.
Entries of cells inside a piece go stale and are never read.

*Corners.* Where no path may touch itself, the cell diagonally inside a bend has another colour,
hence no link towards the bend's arms; so it is the same bend again, or a dot. Every bend therefore
begins a spike of equal bends that ends in a dot, and a table made beforehand says where bends are
possible at all. Holes and walls end the argument: there a bend is always possible.

The board is looked at in one of eight orientations and has a border around it, so that no step
leaves it. The search can be stopped after any number of visits and goes on from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.puzzles.flow.rules.memory import CELLS, Layout

__all__ = ["END", "LAYOUT", "LIMIT", "SOLUTION", "prepare", "sweep"]

SOLUTION, END, LIMIT = range(3)
N, E, S, W = 1, 2, 4, 8
EAST, SOUTH = 1, 2  # of the bits that tell of a cell's two forward links
BEND_SE, BEND_NE, BEND_SW, BEND_NW = 1, 2, 4, 8
HARD_NW, HARD_NE = 1, 2

LAYOUT: Layout = [
    ("control", np.int64, 16),
    # What is given, by the cell's number on the puzzle.
    ("board", np.int32, CELLS),  # a dot's colour, -1 empty, -2 hole
    ("walls", np.int32, CELLS),  # EAST, SOUTH: a wall there
    ("required", np.int32, CELLS),  # EAST, SOUTH: this link must be
    ("first", np.int32, CELLS),  # the first dot of each colour
    # What is prepared, by the cell's place on the turned board with its border.
    ("ink", np.int32, CELLS),  # a dot's colour + 1, 0 empty, -1 hole or border
    ("near", np.int32, CELLS),  # EAST, SOUTH: there is a neighbour, to which a link may be made
    ("must", np.int32, CELLS),  # EAST, SOUTH: a link must be made
    ("bend", np.int32, CELLS),  # the bends that are possible
    ("hard", np.int32, CELLS),  # whether the blocks to the NW and NE have neither holes nor walls
    ("order", np.int32, CELLS),
    ("back", np.int32, CELLS),  # the cell on the puzzle
    ("place", np.int32, CELLS),  # of a cell of the puzzle
    # The search.
    ("links", np.int32, CELLS),
    ("mate", np.int32, CELLS),
    ("left", np.int32, CELLS),  # by the number of the visit: the ways not tried yet, as bits
    ("made", np.int32, CELLS),  # the way that was taken, EAST + SOUTH
    ("ends", np.int32, 4 * CELLS),  # for two links each, the ends that they joined
    # The answer.
    ("colour", np.int32, CELLS),  # by place
    ("path", np.int32, CELLS),  # the cells of all paths, one after the other
    ("stop", np.int32, CELLS),  # where each path ends in it
]
# Places in control.
WIDTH, HEIGHT, TURN, RULE, VISITS, AT, FRESH, NODES, COLOURS, STRIDE, MOST = range(11)
STRICT, NO_BLOCK, TOUCHING = range(3)


def between(m: Any, field: Any, a: int, b: int) -> bool:
    """Whether a field of EAST and SOUTH bits tells of the link between two neighbours."""
    low, high = min(a, b), max(a, b)
    across = high - low == 1 and m.control[WIDTH] > 1
    return field[low] & (EAST if across else SOUTH) != 0


def lay_out(m: Any) -> None:
    """Places the puzzle's cells on the turned board, and the order of visits."""
    control = m.control
    width, height, turn = control[WIDTH], control[HEIGHT], control[TURN]
    rows, columns = height, width
    if turn & 4:
        rows, columns = width, height
    stride = columns + 2
    control[STRIDE] = stride
    for p in range(stride * (rows + 2)):
        m.ink[p] = -1
        m.near[p] = m.must[p] = m.bend[p] = m.hard[p] = m.links[p] = 0
        m.mate[p] = p
    for r in range(height):
        for c in range(width):
            cell = r * width + c
            y = height - 1 - r if turn & 1 else r
            x = width - 1 - c if turn & 2 else c
            if turn & 4:
                y, x = x, y
            p = (y + 1) * stride + x + 1
            m.place[cell] = p
            m.back[p] = cell
            m.ink[p] = m.board[cell] + 1
    visits = 0
    for diagonal in range(rows + columns - 1):
        for y in range(max(0, diagonal - columns + 1), min(rows, diagonal + 1)):
            p = (y + 1) * stride + diagonal - y + 1
            if m.ink[p] >= 0:
                m.order[visits] = p
                visits += 1
    control[VISITS] = visits


def note_edges(m: Any) -> None:
    """Where neighbours are, and which links are possible or asked for."""
    stride = m.control[STRIDE]
    for i in range(m.control[VISITS]):
        p = m.order[i]
        for way in range(1, 3):
            q = p + (1 if way == EAST else stride)
            if m.ink[q] < 0:
                continue
            a, b = m.back[p], m.back[q]
            if between(m, m.walls, a, b):
                continue
            m.near[p] |= way
            if between(m, m.required, a, b):
                m.must[p] |= way


def is_hard(m: Any, a: int) -> bool:
    """Whether the 2x2 block whose top left cell is a has four cells and no wall."""
    b, c = a + 1, a + m.control[STRIDE]
    if m.ink[a] < 0 or m.ink[b] < 0 or m.ink[c] < 0 or m.ink[c + 1] < 0:
        return False
    whole = EAST | SOUTH
    return m.near[a] == whole and m.near[b] & SOUTH != 0 and m.near[c] & EAST != 0


def spike(m: Any, p: int, inside: int, block: int, bend: int, one: bool, two: bool) -> None:
    """Allows a bend at p if its inner cell is a dot that can leave, or bends the same way.

    ``one`` and ``two`` tell whether the bend's own two links are possible; they are what the cell
    before on the spike asks of a dot.
    """
    if not (one and two):
        return
    if not is_hard(m, block) or m.ink[inside] > 0 or m.bend[inside] & bend:
        m.bend[p] |= bend


def note_corners(m: Any) -> None:
    """Tables for the corner rule; a spike's end is visited before its beginning."""
    stride, visits = m.control[STRIDE], m.control[VISITS]
    if m.control[RULE] == TOUCHING:
        for i in range(visits):
            m.bend[m.order[i]] = 15
        return
    for i in range(visits):
        p = m.order[i]
        if is_hard(m, p - stride - 1):
            m.hard[p] |= HARD_NW
        if is_hard(m, p - stride):
            m.hard[p] |= HARD_NE
        north, west = m.near[p - stride] & SOUTH != 0, m.near[p - 1] & EAST != 0
        spike(m, p, p - stride - 1, p - stride - 1, BEND_NW, north, west)
    for i in range(visits - 1, -1, -1):
        p = m.order[i]
        east, south = m.near[p] & EAST != 0, m.near[p] & SOUTH != 0
        spike(m, p, p + stride + 1, p, BEND_SE, east, south)
    # The other two spikes run along a diagonal, which is visited from the top right.
    for i in range(visits):
        p = m.order[i]
        north, east = m.near[p - stride] & SOUTH != 0, m.near[p] & EAST != 0
        spike(m, p, p - stride + 1, p - stride, BEND_NE, north, east)
    for i in range(visits - 1, -1, -1):
        p = m.order[i]
        south, west = m.near[p] & SOUTH != 0, m.near[p - 1] & EAST != 0
        spike(m, p, p + stride - 1, p - 1, BEND_SW, south, west)


def prepare(m: Any) -> None:
    """Makes the search ready to begin."""
    lay_out(m)
    note_edges(m)
    note_corners(m)
    m.control[AT] = m.control[NODES] = 0
    m.control[FRESH] = 1


def ways(m: Any, x: int, had: int) -> int:
    """The ways to go on from a cell, as bits: 1 no link, 2 east, 4 south, 8 both."""
    count = (had & N) + (had >> 3)  # N is 1, W is 8
    if m.ink[x] > 0:
        count += 1
    if count > 2:
        return 0
    can, must = m.near[x], m.must[x]
    if count == 2:
        return 1 if must == 0 else 0
    if count == 0:
        return 8 if can == 3 else 0
    found = 0
    if can & EAST and must & SOUTH == 0:
        found |= 2
    if can & SOUTH and must & EAST == 0:
        found |= 4
    return found


def corners_hold(m: Any, x: int, had: int, way: int, stride: int) -> bool:
    """The corner rule for a cell with these links."""
    links = had | way << 1  # EAST becomes E, SOUTH becomes S
    hard = m.hard[x]
    if hard & HARD_NW:
        other = m.links[x - stride - 1] & (E | S)
        if other == E | S and had != 0:
            return False
        if had == N | W and other != 0:
            return False
    if hard & HARD_NE:
        other = m.links[x - stride + 1] & (W | S)
        if other == W | S and links & (N | E) != 0:
            return False
        if links & (N | E) == N | E and other != 0:
            return False
    if m.ink[x] > 0:
        return True
    bend = m.bend[x]
    if links == E | S:
        return bend & BEND_SE != 0
    if links == N | E:
        return bend & BEND_NE != 0
    if links == S | W:
        return bend & BEND_SW != 0
    if links == N | W:
        return bend & BEND_NW != 0
    return True


def link(m: Any, u: int, v: int, bit: int, at: int) -> bool:
    """Links u with v, which lies to its east or south; False if that is wrong."""
    ink, mate = m.ink, m.mate
    if ink[v] > 0 and m.links[v] != 0:
        return False
    a, b = mate[u], mate[v]
    if a == v:
        return False
    if ink[a] > 0 and ink[b] > 0 and ink[a] != ink[b]:
        return False
    mate[a], mate[b] = b, a
    m.ends[at], m.ends[at + 1] = a, b
    m.links[u] |= bit
    m.links[v] |= W if bit == E else N
    return True


def unlink(m: Any, u: int, v: int, bit: int, at: int) -> None:
    """Takes the last link back."""
    m.mate[m.ends[at]], m.mate[m.ends[at + 1]] = u, v
    m.links[u] &= ~bit
    m.links[v] &= ~(W if bit == E else N)


def go(m: Any, i: int, x: int, way: int, stride: int) -> bool:
    """Makes the links of a way."""
    if way & EAST and not link(m, x, x + 1, E, 4 * i):
        return False
    if way & SOUTH and not link(m, x, x + stride, S, 4 * i + 2):
        if way & EAST:
            unlink(m, x, x + 1, E, 4 * i)
        return False
    m.made[i] = way
    return True


def take_back(m: Any, i: int, x: int, stride: int) -> None:
    """Undoes the way that was taken at the i-th visit."""
    way = m.made[i]
    if way & SOUTH:
        unlink(m, x, x + stride, S, 4 * i + 2)
    if way & EAST:
        unlink(m, x, x + 1, E, 4 * i)


def paint(m: Any) -> None:
    """Follows each path from its first dot; writes the cells' colours and the paths."""
    stride, links = m.control[STRIDE], m.links
    end = 0
    for colour in range(m.control[COLOURS]):
        p, came = m.place[m.first[colour]], 0
        while True:
            m.colour[p] = colour
            m.path[end] = m.back[p]
            end += 1
            onward = links[p] & ~came
            if onward & N:
                p, came = p - stride, S
            elif onward & E:
                p, came = p + 1, W
            elif onward & S:
                p, came = p + stride, N
            elif onward & W:
                p, came = p - 1, E
            else:
                break
        m.stop[colour] = end


def rule_holds(m: Any) -> bool:
    """The test of a finished board, for what the corner rule does not see."""
    rule, stride = m.control[RULE], m.control[STRIDE]
    if rule == TOUCHING:
        return True
    for i in range(m.control[VISITS]):
        p = m.order[i]
        own = m.colour[p]
        if rule == STRICT:
            if m.near[p] & EAST and m.colour[p + 1] == own and m.links[p] & E == 0:
                return False
            if m.near[p] & SOUTH and m.colour[p + stride] == own and m.links[p] & S == 0:
                return False
        elif m.ink[p + 1] >= 0 and m.ink[p + stride] >= 0 and m.ink[p + stride + 1] >= 0:
            same = m.colour[p + 1] == own and m.colour[p + stride] == own
            if same and m.colour[p + stride + 1] == own:
                return False
    return True


@kernel
def sweep(m: Any) -> int:
    """Prepares at its first call, then goes on until a solution, the end, or MOST visits."""
    control = m.control
    most = control[MOST]
    if control[VISITS] == 0:
        prepare(m)
    order, left, links = m.order, m.left, m.links
    stride, visits = control[STRIDE], control[VISITS]
    corners = control[RULE] != TOUCHING
    i, fresh, nodes = control[AT], control[FRESH] != 0, control[NODES]
    found = END
    while True:
        if fresh and i == visits:
            fresh = False
            paint(m)
            if rule_holds(m):
                found = SOLUTION
                break
        if fresh:
            if nodes >= most:
                found = LIMIT
                break
            nodes += 1
            x = order[i]
            left[i] = ways(m, x, links[x])
        else:
            i -= 1
            if i < 0:
                i = 0
                left[0] = 0
                m.made[0] = 0
                break
            x = order[i]
            take_back(m, i, x, stride)
        had = links[x]
        fresh = False
        while left[i] != 0 and not fresh:
            low = left[i] & -left[i]
            left[i] ^= low
            # 1, 2, 4, 8 mean no link, east, south, both.
            way = 3 if low == 8 else low >> 1
            if not corners or corners_hold(m, x, had, way, stride):
                fresh = go(m, i, x, way, stride)
        if fresh:
            i += 1
        else:
            m.made[i] = 0
    control[AT], control[FRESH], control[NODES] = i, 1 if fresh else 0, nodes
    return found
