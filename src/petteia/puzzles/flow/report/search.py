"""The search of the course report's solvers, one event at a time: compiled, or plain Python.

``m`` is a memory of the fields in ``LAYOUT``. ``advance`` does one step and says what happened;
``search`` goes on until something happens that a caller must hear of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, popcount, trailing_zeros
from petteia.puzzles.flow.rules.memory import CELLS, Layout

__all__ = [
    "ASSIGN", "BACKTRACK", "END", "LAYOUT", "LIMIT", "MOST_COLOURS", "REJECT", "SOLUTION",
    "advance", "search",
]  # fmt: skip

MOST_COLOURS = 62
"""A domain is one number of 64 bits."""
WAYS = 6
"""The most neighbours that a cell has."""
_OPEN = -1

ASSIGN, REJECT, BACKTRACK, SOLUTION, END, LIMIT = range(6)

LAYOUT: Layout = [
    ("control", np.int64, 8),
    ("counts", np.int64, 6),
    ("colour", np.int64, CELLS),  # of each cell, -1 while it has none
    ("domain", np.int64, CELLS),  # the colours left, as bits
    ("need", np.int64, CELLS),  # neighbours of its own colour: 1 for a dot, 2 for others
    ("degree", np.int64, CELLS),
    ("around", np.int64, WAYS * CELLS),
    ("order", np.int64, CELLS),  # the empty cells in the order in which dumb takes them
    ("frame_cell", np.int64, CELLS),
    ("frame_values", np.int64, CELLS),  # the values still to try, as bits
    ("frame_mark", np.int64, CELLS),  # the trail's length before
    ("trail_cell", np.int64, (MOST_COLOURS + 2) * CELLS),
    ("trail_domain", np.int64, (MOST_COLOURS + 2) * CELLS),
    ("queue", np.int64, WAYS * CELLS),  # a ring of arcs; an arc is WAYS * cell + direction
    ("waiting", np.int64, WAYS * CELLS),
]
# Places in control.
KIND, EMPTIES, DEPTH, MARK, CELL, COLOUR, WHY, QUEUED = range(8)
DUMB, SMART, SMARTER, SMART_LITERAL = range(4)
# Places in counts.
TRIED, ASSIGNMENTS, BACKTRACKS, CHECKS, PRUNINGS, REVISIONS = range(6)


def passes(m: Any, cell: int) -> bool:
    """The normal violation test of one coloured cell.

    With ``a`` neighbours of its colour and ``u`` without any, a cell that is no dot needs
    a <= 2 and a + u >= 2, a dot a <= 1 and a + u >= 1.
    """
    m.counts[CHECKS] += 1
    own = m.colour[cell]
    same = unknown = 0
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        other = m.colour[m.around[k]]
        if other == own:
            same += 1
        elif other == _OPEN:
            unknown += 1
    need = m.need[cell]
    return same <= need and need <= same + unknown


def normal(m: Any, cell: int) -> bool:
    """Tests a newly coloured cell and its coloured neighbours.

    Where the board was sound before, that equals the report's test of the entire board.
    """
    if not passes(m, cell):
        return False
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        other = m.around[k]
        if m.colour[other] != _OPEN and not passes(m, other):
            return False
    return True


def narrow(m: Any, cell: int, left: int) -> bool:
    """Leaves a cell only these colours; False if that is none."""
    mark = m.control[MARK]
    m.trail_cell[mark], m.trail_domain[mark] = cell, m.domain[cell]
    m.control[MARK] = mark + 1
    m.counts[PRUNINGS] += popcount(m.domain[cell] ^ left)
    m.domain[cell] = left
    return left != 0


def undo(m: Any, cell: int, mark: int) -> None:
    """Takes the cell's colour away, and back what followed from it."""
    m.colour[cell] = _OPEN
    at = m.control[MARK]
    while at > mark:
        at -= 1
        m.domain[m.trail_cell[at]] = m.trail_domain[at]
    m.control[MARK] = at


def forward(m: Any, cell: int, strike: bool) -> bool:
    """Forward checking: fails if a neighbour has no colour left that passes the test.

    Colours that do not pass are struck from the neighbour's domain, unless it is only to be seen
    whether all of them fail.
    """
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        other = m.around[k]
        if m.colour[other] != _OPEN:
            continue
        left = domain = m.domain[other]
        while domain != 0:
            low = domain & -domain
            domain ^= low
            m.colour[other] = trailing_zeros(low)
            if not normal(m, other):
                left ^= low
        m.colour[other] = _OPEN
        if left == 0:
            return False
        if strike and left != m.domain[other]:
            narrow(m, other, left)
    return True


def enqueue(m: Any, cell: int, changed: int, size: int, end: int) -> int:
    """Puts the arcs of a cell into the ring, or only the one that leads to the changed cell."""
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        y = m.around[k]
        if m.colour[y] == _OPEN and m.waiting[k] == 0 and (changed < 0 or y == changed):
            m.waiting[k] = 1
            m.queue[end % size] = k
            end += 1
    return end


def enqueue_around(m: Any, cell: int, size: int, end: int) -> int:
    """Puts all arcs from and to an open cell into the ring."""
    if m.colour[cell] != _OPEN:
        return end
    end = enqueue(m, cell, -1, size, end)
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        if m.colour[m.around[k]] == _OPEN:
            end = enqueue(m, m.around[k], cell, size, end)
    return end


def arcs(m: Any, cell: int) -> bool:
    """Arc consistency of the whole board.

    After the first cell all arcs are looked at. Later they were consistent before the new colour,
    which touches only the tests of arcs that begin or end at most two steps away.
    """
    size = m.control[QUEUED]  # every arc waits at most once
    at = end = 0
    if m.control[DEPTH] == 1:
        for i in range(m.control[EMPTIES]):
            if m.colour[m.order[i]] == _OPEN:
                end = enqueue(m, m.order[i], -1, size, end)
    for k in range(WAYS * cell, WAYS * cell + m.degree[cell]):
        near = m.around[k]
        end = enqueue_around(m, near, size, end)
        for j in range(WAYS * near, WAYS * near + m.degree[near]):
            end = enqueue_around(m, m.around[j], size, end)
    sound = True
    while at < end:
        arc = m.queue[at % size]
        at += 1
        m.waiting[arc] = 0
        if not sound:
            continue  # only to empty the ring
        m.counts[REVISIONS] += 1
        x = arc // WAYS
        left = supported(m, x, m.around[arc])
        if left == m.domain[x]:
            continue
        sound = narrow(m, x, left)
        if sound:
            for k in range(WAYS * x, WAYS * x + m.degree[x]):
                if m.colour[m.around[k]] == _OPEN:
                    end = enqueue(m, m.around[k], x, size, end)
    return sound


def supported(m: Any, x: int, y: int) -> int:
    """The colours of x for which some colour of y lets all touched cells pass."""
    left = domain = m.domain[x]
    while domain != 0:
        low = domain & -domain
        domain ^= low
        m.colour[x] = trailing_zeros(low)
        found = False
        others = m.domain[y]
        while others != 0 and not found:
            other = others & -others
            others ^= other
            m.colour[y] = trailing_zeros(other)
            found = normal(m, x) and normal(m, y)
        m.colour[y] = _OPEN
        if not found:
            left ^= low
    m.colour[x] = _OPEN
    return left


def push(m: Any) -> None:
    """Chooses the next cell: the first empty one, or the first with the fewest colours left."""
    best, fewest = -1, 99
    for i in range(m.control[EMPTIES]):
        cell = m.order[i]
        if m.colour[cell] == _OPEN:
            count = popcount(m.domain[cell]) if m.control[KIND] != DUMB else 0
            if count < fewest:
                best, fewest = cell, count
                if count == 0:
                    break
    depth = m.control[DEPTH]
    m.frame_cell[depth], m.frame_values[depth] = best, m.domain[best]
    m.frame_mark[depth] = m.control[MARK]
    m.control[DEPTH] = depth + 1


def advance(m: Any) -> int:
    """One event. A reason for a rejected value is 1 normal, 2 forward checking, 3 arcs."""
    control = m.control
    depth = control[DEPTH]
    if depth == 0:
        return END
    cell = m.frame_cell[depth - 1]
    control[CELL] = cell
    undo(m, cell, m.frame_mark[depth - 1])
    values = m.frame_values[depth - 1]
    if values == 0:
        control[DEPTH] = depth - 1
        m.counts[BACKTRACKS] += 1
        return BACKTRACK
    low = values & -values
    m.frame_values[depth - 1] = values ^ low
    m.counts[TRIED] += 1
    m.colour[cell] = control[COLOUR] = trailing_zeros(low)
    mark = control[MARK]
    m.trail_cell[mark], m.trail_domain[mark] = cell, m.domain[cell]
    control[MARK] = mark + 1
    m.domain[cell] = low
    kind = control[KIND]
    why = 0
    if not normal(m, cell):
        why = 1
    elif kind != DUMB and not forward(m, cell, kind != SMART_LITERAL):
        why = 2
    elif kind == SMARTER and not arcs(m, cell):
        why = 3
    control[WHY] = why
    if why > 0:
        undo(m, cell, mark)
        return REJECT
    m.counts[ASSIGNMENTS] += 1
    if depth == control[EMPTIES]:
        return SOLUTION
    push(m)
    return ASSIGN


@kernel
def search(m: Any, most: int) -> int:
    """Goes on until a solution, the end, or until this many values were tried in all."""
    while m.counts[TRIED] < most:
        event = advance(m)
        if event in (SOLUTION, END):
            return event
    return LIMIT
