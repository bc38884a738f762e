"""Retrograde analysis: the value of every position of a game of plain moves.

From the ends backwards, the most points first and of equal points the nearest first. A player who
can move to a position that is good for him does; one all of whose moves are bad for him has lost.
What is never reached this way is a draw: the game ends even, or goes round in circles. The winner
takes the shortest way, the loser the longest, so the distance is that of perfect play.
(Thompson 1986, "Retrograde analysis of certain endgames", for wins; here for any points.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.core.rules import TERMINAL
from petteia.solve.control import Control
from petteia.solve.graph import Graph

__all__ = ["NEVER", "Values", "retrograde"]

NEVER = -1
"""In place of a distance: nobody can force an end that is worth something."""
_AT_ONCE = 1_000_000


class Values(NamedTuple):
    """What every position of a graph is worth."""

    points: np.ndarray
    """To player 0 if both play perfectly."""
    plies: np.ndarray
    """To the end, or ``NEVER``."""


class _Backwards(NamedTuple):
    """The graph the other way round, and the work that is left."""

    starts: np.ndarray
    """Where the row of each position begins in ``before``."""
    before: np.ndarray
    """The positions from which one comes to it."""
    left: np.ndarray
    """Moves of a position that are not yet known to be bad for its player."""
    queue: np.ndarray
    """Positions whose values are known, in the order in which they became so."""


@kernel
def turn_round(starts: np.ndarray, after: np.ndarray, back: _Backwards) -> None:
    """Fills ``back.starts`` and ``back.before``. Counts first, then puts each where it belongs."""
    count = len(starts) - 1
    for e in range(len(after)):
        back.starts[after[e] + 1] += 1
    for i in range(count):
        back.starts[i + 1] += back.starts[i]
    for i in range(count):
        back.left[i] = starts[i + 1] - starts[i]
        for e in range(starts[i], starts[i + 1]):
            place = back.starts[after[e]]
            back.before[place] = i
            back.starts[after[e]] = place + 1
    for i in range(count, 0, -1):  # every start has moved to its end
        back.starts[i] = back.starts[i - 1]
    back.starts[0] = 0


@kernel
def spread(
    kinds: np.ndarray, back: _Backwards, values: Values, head: int, upto: int, tail: int
) -> int:
    """Takes the positions ``head`` to ``upto`` of the queue, which ends at ``tail``, and decides
    what it can of those before them; gives the new end."""
    points, plies, queue = values.points, values.plies, back.queue
    for place in range(head, upto):
        i = queue[place]
        for e in range(back.starts[i], back.starts[i + 1]):
            j = back.before[e]
            if plies[j] >= 0:
                continue
            is_good = (points[i] > 0.0) == (kinds[j] & 1 == 0)
            if not is_good:
                back.left[j] -= 1
            if is_good or back.left[j] == 0:
                points[j] = points[i]
                plies[j] = plies[i] + 1
                queue[tail] = j
                tail += 1
    return tail


def retrograde(graph: Graph, control: Control) -> Values:
    """The exact value and distance of every position of a game of plain moves."""
    g, count = graph.arrays, graph.positions
    back = _Backwards(
        np.zeros(count + 1, np.int64), np.zeros(graph.edges, np.uint32),
        np.zeros(count, np.int32), np.zeros(count, np.uint32),
    )  # fmt: skip
    control.report(0.5, "ways back")
    turn_round(g.starts, g.after, back)
    values = Values(g.points.copy(), np.full(count, NEVER, np.int32))
    is_end = (g.kinds >> 1) == TERMINAL
    done = 0
    for size in np.unique(np.abs(g.points[is_end]))[::-1]:
        if size == 0:
            break
        ends = np.flatnonzero(is_end & (np.abs(g.points) == size))
        tail = done + len(ends)
        back.queue[done:tail] = ends
        values.plies[ends] = 0
        while done < tail:
            control.report(0.6 + 0.3 * done / count, f"{done:,} of {count:,} positions decided")
            upto = min(tail, done + _AT_ONCE)
            tail = int(spread(g.kinds, back, values, done, upto, tail))
            done = upto
    return values
