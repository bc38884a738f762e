"""Boards full of paths, none of which touches itself: laid at random, compiled.

The board begins with every cell a path of its own, but for bridges, whose strands are joined to the
cells on both sides for good. A move takes two neighbours of different paths, cuts each of them
loose from one of its two links if it has two, and joins them, if the two pieces touch nowhere else.
So the rule always holds; moves that leave more paths than before are seldom made, and the paths
grow fewer and longer until there are as few as was asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, random_below
from petteia.puzzles.flow.rules.memory import CELLS, Layout
from petteia.puzzles.flow.solution.sweep_board import (
    GRID,
    HOLE,
    VISITS,
    WAYS,
    connect,
    order,
    ways_of,
)

__all__ = ["LAYOUT", "lay"]

LAYOUT: Layout = [
    ("control", np.int64, 32),
    ("random", np.uint64, 1),
    # The board and its neighbours, as the sweep knows them.
    ("board", np.int32, CELLS),
    ("closed", np.int32, CELLS),
    ("strand", np.int32, CELLS),
    ("place", np.int32, CELLS),
    ("back", np.int32, CELLS),
    ("near", np.int32, WAYS * CELLS),
    # The paths.
    ("who", np.int32, CELLS),  # the path of each spot
    ("links", np.int32, CELLS),  # its ways that are links
    ("firm", np.int32, CELLS),  # those of them that stay
    ("length", np.int32, CELLS),  # of each path
    ("spare", np.int32, CELLS),  # names of paths that are not in use
    ("mark", np.int32, CELLS),
    ("cells", np.int32, CELLS),  # the spots in the order of the puzzle
]
# Places in control, after those of the sweep.
TARGET, SHORTEST, SPOTS, PATHS, SPARE, STAMP, SHORT = range(24, 31)


def begin(m: Any) -> None:
    """Every cell a path of its own, and bridges joined to their neighbours."""
    control = m.control
    order(m)
    connect(m)
    count = 0
    for spot in range(control[SPOTS]):
        if m.board[spot] == HOLE:
            continue
        p = m.place[spot]
        m.who[p], m.length[count], m.cells[count] = count, 1, p
        m.links[p] = m.firm[p] = m.mark[p] = 0
        count += 1
    control[PATHS] = control[SHORT] = count
    control[SPARE] = control[STAMP] = 0
    ways = ways_of(control[GRID])
    for spot in range(control[SPOTS]):
        second = m.strand[spot]
        if m.board[spot] == HOLE or second == 0:
            continue
        for way in range(ways):
            p = m.place[spot if way & 1 else second]
            if m.links[p] >> way & 1 == 0:
                merge(m, p, m.near[WAYS * p + way], way)
            m.firm[p] |= 1 << way
            m.firm[m.near[WAYS * p + way]] |= 1 << opposite(m, way)


def onward(m: Any, p: int, came: int) -> int:
    """The way on from a cell of a path, not back over the link just used; -1 at an end."""
    links = m.links[p] & ~came
    if links == 0:
        return -1
    way = 0
    while links >> way & 1 == 0:
        way += 1
    return way


def opposite(m: Any, way: int) -> int:
    """The way back."""
    ways = ways_of(m.control[GRID])
    return (way + ways // 2) % ways


def unlink(m: Any, p: int, way: int) -> None:
    """Takes a link away."""
    m.links[p] &= ~(1 << way)
    m.links[m.near[WAYS * p + way]] &= ~(1 << opposite(m, way))


def relink(m: Any, p: int, way: int) -> None:
    """Makes a link."""
    m.links[p] |= 1 << way
    m.links[m.near[WAYS * p + way]] |= 1 << opposite(m, way)


def name(m: Any, start: int, path: int) -> int:
    """Calls the piece that ends at a cell by a path's name; gives its length."""
    p, came, count = start, 0, 0
    while True:
        m.who[p] = path
        count += 1
        way = onward(m, p, came)
        if way < 0:
            return count
        p = m.near[WAYS * p + way]
        came = 1 << opposite(m, way)


def apart(m: Any, a: int, b: int) -> bool:
    """Whether the pieces that end in a and in b touch nowhere but there."""
    ways = ways_of(m.control[GRID])
    m.control[STAMP] += 1
    stamp = m.control[STAMP]
    p, came = a, 0
    while True:
        m.mark[p] = stamp
        way = onward(m, p, came)
        if way < 0:
            break
        p = m.near[WAYS * p + way]
        came = 1 << opposite(m, way)
    m.mark[a] = 0
    for k in range(ways):
        other = m.near[WAYS * a + k]
        if other >= 0 and other != b and m.who[other] == m.who[b]:
            m.mark[other] = -stamp  # beside a: not to be met in b's piece
    p, came = b, 0
    fine = True
    while fine:
        if m.mark[p] == -stamp:
            fine = False
        for k in range(ways):
            other = m.near[WAYS * p + k]
            if other >= 0 and m.mark[other] == stamp:
                fine = False
        way = onward(m, p, came)
        if way < 0:
            break
        p = m.near[WAYS * p + way]
        came = 1 << opposite(m, way)
    return fine


def count_short(m: Any, length: int, by: int) -> None:
    """Keeps count of the paths that are too short."""
    if length < m.control[SHORTEST]:
        m.control[SHORT] += by


def cut_off(m: Any, p: int, way: int) -> None:
    """Gives the piece beyond a link that was taken away a name of its own."""
    control = m.control
    old = m.who[p]
    control[SPARE] -= 1
    fresh = m.spare[control[SPARE]]
    rest = name(m, m.near[WAYS * p + way], fresh)
    count_short(m, m.length[old], -1)
    m.length[fresh], m.length[old] = rest, m.length[old] - rest
    count_short(m, rest, 1)
    count_short(m, m.length[old], 1)
    control[PATHS] += 1


def merge(m: Any, a: int, b: int, way: int) -> None:
    """Joins two paths by a link."""
    control = m.control
    one, two = m.who[a], m.who[b]
    count_short(m, m.length[one], -1)
    count_short(m, m.length[two], -1)
    name(m, b, one)
    m.length[one] += m.length[two]
    count_short(m, m.length[one], 1)
    m.spare[control[SPARE]] = two
    control[SPARE] += 1
    control[PATHS] -= 1
    relink(m, a, way)


def a_cut(m: Any, p: int) -> int:
    """One of the two links of a cell at random."""
    cut = onward(m, p, 0)
    if random_below(m.random, 2):
        cut = onward(m, p, 1 << cut)
    return cut


def is_firm(m: Any, p: int, way: int) -> bool:
    """Whether a link stays."""
    return way >= 0 and m.firm[p] >> way & 1 != 0


def try_move(m: Any, a: int, way: int, patience: int) -> None:
    """Tries to join a cell with its neighbour that way."""
    b = m.near[WAYS * a + way]
    if b < 0 or m.who[a] == m.who[b]:
        return
    cut_a = cut_b = -1
    links = m.links[a]
    if links & (links - 1):  # two links: one must go, either of them
        cut_a = a_cut(m, a)
    elif links and random_below(m.random, 4) == 0:
        cut_a = onward(m, a, 0)
    links = m.links[b]
    if links & (links - 1):
        cut_b = a_cut(m, b)
    if is_firm(m, a, cut_a) or is_firm(m, b, cut_b):
        return
    if cut_a >= 0 and cut_b >= 0 and random_below(m.random, patience):
        return  # one path more than before: seldom
    if cut_a >= 0:
        unlink(m, a, cut_a)
    if cut_b >= 0:
        unlink(m, b, cut_b)
    if not apart(m, a, b):
        if cut_a >= 0:
            relink(m, a, cut_a)
        if cut_b >= 0:
            relink(m, b, cut_b)
        return
    if cut_a >= 0:
        cut_off(m, a, cut_a)
    if cut_b >= 0:
        cut_off(m, b, cut_b)
    merge(m, a, b, way)


@kernel
def lay(m: Any, most: int) -> int:
    """Moves until the paths are few and long enough, or ``most`` times; gives the moves made."""
    control = m.control
    begin(m)
    count, ways = control[VISITS], ways_of(control[GRID])
    # The larger the board, the seldomer: else it never comes to rest.
    patience = 2 * count
    for moves in range(most):
        if control[PATHS] <= control[TARGET] and control[SHORT] == 0:
            return moves
        a = m.cells[random_below(m.random, count)]
        try_move(m, a, random_below(m.random, ways), patience)
    return most
