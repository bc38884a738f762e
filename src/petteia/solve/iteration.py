"""Value iteration: the value of every position of a game with dice or simultaneous moves.

Each sweep sets every position to what its successors say: the mean over the dice, the best move, or
the value of the matrix game where both choose. The last positions that were found come first, so a
game without circles is exact after one sweep; else sweeps go on until no value changes by more than
the tolerance (Gauss-Seidel iteration; Shapley 1953, "Stochastic games"). Play that never ends is
worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.rules import CHANCE, SIMULTANEOUS, TERMINAL
from petteia.search.matrix import matrix_memory, solve, worth
from petteia.solve.control import Control, Stopped
from petteia.solve.graph import Arrays, Graph
from petteia.solve.parts import Parts

__all__ = ["TOLERANCE", "Iterated", "iterate"]

TOLERANCE = 1e-10
"""Sweeps end when no value changes by more than this share of the most points."""
_MOST_SWEEPS = 100_000
_AT_ONCE = 500_000


@dataclass(frozen=True)
class Iterated:
    """The values, and how well they agree with each other."""

    points: np.ndarray
    """To player 0, of every position."""
    residual: float
    """The largest difference between a value and what its successors say."""
    sweeps: int


@kernel
def sweep(g: Arrays, points: np.ndarray, ws: Any, first: int, last: int) -> float:
    """Sets the positions from ``last`` - 1 down to ``first``; the largest change."""
    change = 0.0
    for i in range(last - 1, first - 1, -1):
        kind = g.kinds[i] >> 1
        if kind == TERMINAL:
            continue
        begin, end = g.starts[i], g.starts[i + 1]
        value = 0.0
        if kind == CHANCE:
            for e in range(begin, end):
                value += g.chances[e] * points[g.after[e]]
        elif kind == SIMULTANEOUS:
            ws.counts[0] = g.rows[i]
            ws.counts[1] = (end - begin) // g.rows[i]
            for e in range(begin, end):
                ws.matrix[e - begin] = points[g.after[e]]
            solve(ws)
            value = worth(ws)
        else:
            sign = 1.0 if g.kinds[i] & 1 == 0 else -1.0
            value = points[g.after[begin]]
            for e in range(begin + 1, end):
                if sign * points[g.after[e]] > sign * value:
                    value = points[g.after[e]]
        change = max(change, abs(value - points[i]))
        points[i] = value
    return change


def iterate(graph: Graph, control: Control, parts: Parts) -> Iterated:
    """The values of all positions. If it is stopped, it keeps them in ``parts``."""
    g, count = graph.arrays, graph.positions
    facts = {"positions": count}
    kept = parts.load(["values"])
    points = kept[1]["values"].copy() if kept and kept[0] == facts else g.points.copy()
    ws: Any = np.zeros(1, matrix_memory(_widest(g))).view(np.recarray)[0]
    least = TOLERANCE * graph.game.most_points
    first, change = 0.0, 0.0
    try:
        for number in range(1, _MOST_SWEEPS + 1):
            change = 0.0
            for last in range(count, 0, -_AT_ONCE):
                part = sweep(g, points, ws, max(0, last - _AT_ONCE), last)
                change = max(change, float(part))
                share = _share(first, change, least)
                control.report(0.5 + 0.4 * share, f"sweep {number}, change {change:.1e}")
            first = first or change
            if change <= least:
                return Iterated(points, change, number)
    except Stopped:
        parts.save(facts, {"values": points})
        raise
    raise PetteiaError(
        f"{graph.game}: the values still change by {change:g} after {_MOST_SWEEPS:,} sweeps"
    )


def _share(first: float, now: float, least: float) -> float:
    """How much of the way from the first change to the least is done, in powers of ten."""
    if first <= least or now <= least:
        return 0.0 if first == 0.0 else 1.0
    return float(min(1.0, np.log(first / now) / np.log(first / least))) if now < first else 0.0


def _widest(g: Arrays) -> int:
    """The most moves that one player has where both choose; 1 if that never happens."""
    both = np.flatnonzero((g.kinds >> 1) == SIMULTANEOUS)
    if not len(both):
        return 1
    rows = g.rows[both]
    columns = (g.starts[both + 1] - g.starts[both]) // rows
    return int(max(rows.max(), columns.max()))
