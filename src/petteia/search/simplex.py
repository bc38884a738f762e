"""The simplex method for matrix games: kernels on the memory of ``search.matrix``."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["simplex"]

_CLOSE = 1e-11
"""Differences below this, in parts of the matrix's range, are rounding."""
_PIVOT = 1e-9
"""Smaller entries are no pivots: to divide by them would lose all digits."""


def simplex(ws: Any) -> bool:
    """Solves the game of the choices that are left, and writes the strategies.

    With the entries moved into [1, 2], the column player maximises the sum of q under A q <= 1
    (Dantzig 1951): q = 0 is feasible, so that one phase is enough. The tableau holds no identity
    columns: a pivot exchanges a row's and a column's variable in place. False if it gave up.
    """
    rows, columns = ws.left_counts[0], ws.left_counts[1]
    t, basis = ws.tableau, ws.basis
    fill_tableau(ws)
    most = 20 * (rows + columns) + 50
    for step in range(most):
        enter = entering(ws, step > most // 2)
        if enter < 0:
            return read_strategies(ws)
        leave = leaving(ws, enter)
        if leave < 0:
            return False
        ws.pivots += 1
        pivot(t, rows + 1, columns + 1, leave, enter)
        basis[leave], basis[rows + enter] = basis[rows + enter], basis[leave]
    return False


def fill_tableau(ws: Any) -> None:
    """The first tableau: the entries in [1, 2], a right side of ones, the costs below."""
    rows, columns, wide = ws.left_counts[0], ws.left_counts[1], ws.counts[1]
    t, basis, m = ws.tableau, ws.basis, ws.matrix
    low, high = np.inf, -np.inf
    for a in range(rows):
        for b in range(columns):
            value = m[ws.left[0, a] * wide + ws.left[1, b]]
            low, high = min(low, value), max(high, value)
    scale = 1.0 / (high - low) if high > low else 1.0
    size = columns + 1
    for a in range(rows):
        for b in range(columns):
            value = m[ws.left[0, a] * wide + ws.left[1, b]]
            t[a * size + b] = 1.0 + (value - low) * scale
        t[a * size + columns] = 1.0
        basis[a] = columns + a
    for b in range(columns):
        t[rows * size + b] = -1.0
        basis[rows + b] = b
    t[rows * size + columns] = 0.0


def entering(ws: Any, in_order: bool) -> int:
    """The column whose variable enters, or -1: by Dantzig's rule, or in the order of the variables
    by Bland's, which never goes in a circle."""
    rows, columns = ws.left_counts[0], ws.left_counts[1]
    t, basis = ws.tableau, ws.basis
    enter, best = -1, -_CLOSE
    for b in range(columns):
        price = t[rows * (columns + 1) + b]
        if price < best:
            if not in_order:
                enter, best = b, price
            elif enter < 0 or basis[rows + b] < basis[rows + enter]:
                enter = b
    return enter


def leaving(ws: Any, enter: int) -> int:
    """The row whose variable leaves: the first to become 0 as the other grows, or -1."""
    rows, columns = ws.left_counts[0], ws.left_counts[1]
    t, basis, size = ws.tableau, ws.basis, columns + 1
    leave, smallest = -1, np.inf
    for a in range(rows):
        if t[a * size + enter] > _PIVOT:
            ratio = t[a * size + columns] / t[a * size + enter]
            if ratio < smallest or (ratio == smallest and basis[a] < basis[leave]):
                leave, smallest = a, ratio
    return leave


def pivot(t: np.ndarray, rows: int, size: int, at_row: int, at_column: int) -> None:
    """Exchanges the variables of a row and a column of the tableau."""
    inverse = 1.0 / t[at_row * size + at_column]
    for b in range(size):
        t[at_row * size + b] *= inverse
    t[at_row * size + at_column] = inverse
    for a in range(rows):
        factor = t[a * size + at_column]
        if a != at_row and factor != 0.0:
            t[a * size + at_column] = 0.0
            for b in range(size):
                t[a * size + b] -= factor * t[at_row * size + b]


def read_strategies(ws: Any) -> bool:
    """Writes both strategies as the last tableau has them; False if they are no strategies."""
    rows, columns = ws.left_counts[0], ws.left_counts[1]
    t, basis, size = ws.tableau, ws.basis, columns + 1
    total = t[rows * size + columns]
    if not total > 0.0:
        return False
    for a in range(rows):
        if basis[a] < columns:
            ws.strategy[1, ws.left[1, basis[a]]] = max(t[a * size + columns], 0.0) / total
    for b in range(columns):
        if basis[rows + b] >= columns:
            chosen = ws.left[0, basis[rows + b] - columns]
            ws.strategy[0, chosen] = max(t[rows * size + b], 0.0) / total
    return True
