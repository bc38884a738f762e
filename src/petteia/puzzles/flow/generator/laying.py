"""Boards full of paths, none of which touches itself: laid at random, compiled.

The board begins with every cell a path of its own. A move takes two neighbours of different paths,
cuts each of them loose from one of its two links if it has two, and joins them, if the two pieces
touch nowhere else. So the rule always holds; moves that leave more paths than before are seldom
made, and the paths grow fewer and longer until there are as few as was asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, random_below
from petteia.puzzles.flow.rules.memory import CELLS, Layout

__all__ = ["LAYOUT", "lay"]

LAYOUT: Layout = [
    ("control", np.int64, 16),
    ("random", np.uint64, 1),
    ("who", np.int32, CELLS),  # the path of each cell, -1 for the border
    ("links", np.int32, CELLS),  # N 1, E 2, S 4, W 8
    ("length", np.int32, CELLS),  # of each path
    ("spare", np.int32, CELLS),  # names of paths that are not in use
    ("mark", np.int32, CELLS),
    ("cells", np.int32, CELLS),  # of the board, by number
]
WIDTH, HEIGHT, TARGET, SHORTEST, MOVES, PATHS, SPARE, STAMP, STRIDE, SHORT, BEGUN = range(11)


def step_of(way: int, stride: int) -> int:
    """The step in one of the directions 0 north, 1 east, 2 south, 3 west."""
    if way == 0:
        return -stride
    if way == 1:
        return 1
    return stride if way == 2 else -1


def begin(m: Any) -> None:
    """Every cell a path of its own."""
    control = m.control
    width, height = control[WIDTH], control[HEIGHT]
    stride = width + 2
    control[STRIDE] = stride
    for p in range(stride * (height + 2)):
        m.who[p] = -1
        m.links[p] = m.mark[p] = 0
    count = 0
    for r in range(height):
        for c in range(width):
            p = (r + 1) * stride + c + 1
            m.who[p], m.length[count], m.cells[count] = count, 1, p
            count += 1
    control[PATHS] = control[SHORT] = count
    control[SPARE] = control[STAMP] = 0
    control[BEGUN] = 1


def onward(m: Any, p: int, came: int, stride: int) -> int:
    """The way on from a cell of a path, not back over the link just used; -1 at an end."""
    links = m.links[p] & ~came
    if links & 1:
        return 0
    if links & 2:
        return 1
    if links & 4:
        return 2
    return 3 if links & 8 else -1


def opposite(way: int) -> int:
    """The bit of the link back."""
    return 1 << (way + 2) % 4


def unlink(m: Any, p: int, way: int, stride: int) -> None:
    """Takes a link away."""
    m.links[p] &= ~(1 << way)
    m.links[p + step_of(way, stride)] &= ~opposite(way)


def relink(m: Any, p: int, way: int, stride: int) -> None:
    """Makes a link."""
    m.links[p] |= 1 << way
    m.links[p + step_of(way, stride)] |= opposite(way)


def name(m: Any, start: int, path: int, stride: int) -> int:
    """Calls the piece that ends at a cell by a path's name; gives its length."""
    p, came, count = start, 0, 0
    while True:
        m.who[p] = path
        count += 1
        way = onward(m, p, came, stride)
        if way < 0:
            return count
        p += step_of(way, stride)
        came = opposite(way)


def apart(m: Any, a: int, b: int, stride: int) -> bool:
    """Whether the pieces that end in a and in b touch nowhere but there."""
    m.control[STAMP] += 1
    stamp = m.control[STAMP]
    p, came = a, 0
    while True:
        m.mark[p] = stamp
        way = onward(m, p, came, stride)
        if way < 0:
            break
        p += step_of(way, stride)
        came = opposite(way)
    m.mark[a] = 0
    for k in range(4):
        other = a + step_of(k, stride)
        if other != b and m.who[other] == m.who[b]:
            m.mark[other] = -stamp  # beside a: not to be met in b's piece
    p, came = b, 0
    fine = True
    while fine:
        if m.mark[p] == -stamp:
            fine = False
        for k in range(4):
            if m.mark[p + step_of(k, stride)] == stamp:
                fine = False
        way = onward(m, p, came, stride)
        if way < 0:
            break
        p += step_of(way, stride)
        came = opposite(way)
    return fine


def count_short(m: Any, length: int, by: int) -> None:
    """Keeps count of the paths that are too short."""
    if length < m.control[SHORTEST]:
        m.control[SHORT] += by


def cut_off(m: Any, p: int, way: int, stride: int) -> None:
    """Gives the piece beyond a link that was taken away a name of its own."""
    control = m.control
    old = m.who[p]
    control[SPARE] -= 1
    fresh = m.spare[control[SPARE]]
    rest = name(m, p + step_of(way, stride), fresh, stride)
    count_short(m, m.length[old], -1)
    m.length[fresh], m.length[old] = rest, m.length[old] - rest
    count_short(m, rest, 1)
    count_short(m, m.length[old], 1)
    control[PATHS] += 1


def try_move(m: Any, a: int, way: int, patience: int) -> None:
    """Tries to join a cell with its neighbour that way."""
    control = m.control
    stride = control[STRIDE]
    b = a + step_of(way, stride)
    one, two = m.who[a], m.who[b]
    if two < 0 or one == two:
        return
    cut_a = cut_b = -1
    links = m.links[a]
    if links & (links - 1):  # two links: one must go, either of them
        cut_a = onward(m, a, 0, stride)
        if random_below(m.random, 2):
            cut_a = onward(m, a, 1 << cut_a, stride)
    elif links and random_below(m.random, 4) == 0:
        cut_a = onward(m, a, 0, stride)
    links = m.links[b]
    if links & (links - 1):
        cut_b = onward(m, b, 0, stride)
        if random_below(m.random, 2):
            cut_b = onward(m, b, 1 << cut_b, stride)
    if cut_a >= 0 and cut_b >= 0 and random_below(m.random, patience):
        return  # one path more than before: seldom
    if cut_a >= 0:
        unlink(m, a, cut_a, stride)
    if cut_b >= 0:
        unlink(m, b, cut_b, stride)
    if not apart(m, a, b, stride):
        if cut_a >= 0:
            relink(m, a, cut_a, stride)
        if cut_b >= 0:
            relink(m, b, cut_b, stride)
        return
    if cut_a >= 0:
        cut_off(m, a, cut_a, stride)
    if cut_b >= 0:
        cut_off(m, b, cut_b, stride)
    one, two = m.who[a], m.who[b]
    count_short(m, m.length[one], -1)
    count_short(m, m.length[two], -1)
    name(m, b, one, stride)
    m.length[one] += m.length[two]
    count_short(m, m.length[one], 1)
    m.spare[control[SPARE]] = two
    control[SPARE] += 1
    control[PATHS] -= 1
    relink(m, a, way, stride)


@kernel
def lay(m: Any, most: int) -> int:
    """Moves until the paths are few and long enough, or ``most`` times; gives the moves made."""
    control = m.control
    if control[BEGUN] == 0:
        begin(m)
    count = control[WIDTH] * control[HEIGHT]
    # The larger the board, the seldomer: else it never comes to rest.
    patience = 2 * count
    for moves in range(most):
        if control[PATHS] <= control[TARGET] and control[SHORT] == 0:
            return moves
        a = m.cells[random_below(m.random, count)]
        try_move(m, a, random_below(m.random, 4), patience)
    return most
