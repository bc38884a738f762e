"""Matrix games: two players choose at the same time, one wins what the other loses.

The row player wants the entry high, the column player low. ``solve`` finds an optimal mixed
strategy for both, and the value: a saddle point if there is one, else dominated choices are taken
out as long as there are any and the simplex method solves the rest. Regret matching is there as
well: it needs no more than the ability to multiply, and is what tree searches use.

The functions are kernels or called by kernels, on arrays that the caller owns. A matrix lies row by
row in a flat array with ``wide`` entries a row, so that a part of a larger one needs no copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError

__all__ = [
    "SIMPLEX", "Solution", "Solver", "exploitability", "quantal", "regret_matching", "soft_answer",
    "solve_part",
    "workspace",
]  # fmt: skip

_CLOSE = 1e-11
"""Differences below this, in parts of the matrix's range, are rounding."""
SIMPLEX, REGRET_MATCHING = 0, 1


def workspace(most: int) -> Any:
    """The memory to solve matrices of at most this many rows and columns."""
    layout = np.dtype(
        [
            ("tableau", np.float64, ((most + 1) * (most + 1),)),
            ("basis", np.int64, (2 * most + 2,)),
            ("rows", np.int64, (most,)),
            ("columns", np.int64, (most,)),
            ("row_regret", np.float64, (most,)),
            ("column_regret", np.float64, (most,)),
            ("row_now", np.float64, (most,)),
            ("column_now", np.float64, (most,)),
            ("counts", np.int64, (4,)),  # rows and columns left, pivots, regret iterations
        ],
        align=True,
    )
    return np.zeros(1, layout).view(np.recarray)[0]


# --- saddle points and dominance ---------------------------------------------------------------


def saddle(m: np.ndarray, wide: int, rows: int, columns: int) -> tuple[int, int]:
    """Kernel: a row and a column whose entry is lowest in its row and highest in its column, or
    (-1, -1)."""
    best, at_row = -np.inf, -1
    for i in range(rows):
        lowest = np.inf
        for j in range(columns):
            lowest = min(lowest, m[i * wide + j])
        if lowest > best:
            best, at_row = lowest, i
    for j in range(columns):
        if m[at_row * wide + j] == best:
            highest = -np.inf
            for i in range(rows):
                highest = max(highest, m[i * wide + j])
            if highest == best:
                return at_row, j
    return -1, -1


def undominated(m: np.ndarray, wide: int, rows: int, columns: int, ws: Any) -> None:
    """Kernel: takes out rows that another row is never below, and columns likewise, again and
    again. Of equal ones the first stays. What is left stands in ``rows`` and ``columns``.

    An equilibrium of the rest is one of the whole.
    """
    for i in range(rows):
        ws.rows[i] = i
    for j in range(columns):
        ws.columns[j] = j
    left, wide_left = rows, columns
    changed = True
    while changed:
        changed = False
        a = 0
        while a < left:
            row = ws.rows[a] * wide
            for b in range(left):
                if b == a:
                    continue
                other = ws.rows[b] * wide
                worse = True
                for k in range(wide_left):
                    j = ws.columns[k]
                    if m[row + j] > m[other + j]:
                        # The column that told them apart will soon tell others apart as well.
                        ws.columns[k], ws.columns[0] = ws.columns[0], j
                        worse = False
                        break
                if worse:
                    left -= 1
                    ws.rows[a] = ws.rows[left]
                    changed = True
                    break
            else:
                a += 1
        a = 0
        while a < wide_left:
            column = ws.columns[a]
            for b in range(wide_left):
                if b == a:
                    continue
                other = ws.columns[b]
                worse = True
                for k in range(left):
                    i = ws.rows[k]
                    if m[i * wide + column] < m[i * wide + other]:
                        ws.rows[k], ws.rows[0] = ws.rows[0], i
                        worse = False
                        break
                if worse:
                    wide_left -= 1
                    ws.columns[a] = ws.columns[wide_left]
                    changed = True
                    break
            else:
                a += 1
    ws.counts[0], ws.counts[1] = left, wide_left


# --- the simplex method --------------------------------------------------------------------------


def simplex(m: np.ndarray, wide: int, x: np.ndarray, y: np.ndarray, ws: Any) -> bool:
    """Kernel: solves what is left in ``ws.rows`` and ``ws.columns``; writes the strategies.

    With the entries moved into [1, 2], the column player maximises the sum of q under A q <= 1
    (Dantzig 1951): q = 0 is feasible, so that one phase is enough. The tableau holds no identity
    columns: a pivot exchanges a row's and a column's variable in place. False if it gave up.
    """
    rows, columns = ws.counts[0], ws.counts[1]
    t, basis = ws.tableau, ws.basis
    low, high = np.inf, -np.inf
    for a in range(rows):
        for b in range(columns):
            value = m[ws.rows[a] * wide + ws.columns[b]]
            low, high = min(low, value), max(high, value)
    scale = 1.0 / (high - low) if high > low else 1.0
    size = columns + 1
    for a in range(rows):
        for b in range(columns):
            value = m[ws.rows[a] * wide + ws.columns[b]]
            t[a * size + b] = 1.0 + (value - low) * scale
        t[a * size + columns] = 1.0
        basis[a] = columns + a
    for b in range(columns):
        t[rows * size + b] = -1.0
        basis[rows + b] = b
    t[rows * size + columns] = 0.0
    most = 20 * (rows + columns) + 50
    for step in range(most):
        # Dantzig's rule at first; Bland's, which never goes in a circle, if it takes long.
        enter, best, first = -1, -_CLOSE, step > most // 2
        for b in range(columns):
            price = t[rows * size + b]
            if price < best:
                if not first:
                    enter, best = b, price
                elif enter < 0 or basis[rows + b] < basis[rows + enter]:
                    enter = b
        if enter < 0:
            break
        leave, smallest = -1, np.inf
        for a in range(rows):
            if t[a * size + enter] > 1e-9:
                ratio = t[a * size + columns] / t[a * size + enter]
                if ratio < smallest or (ratio == smallest and basis[a] < basis[leave]):
                    leave, smallest = a, ratio
        if leave < 0:
            return False
        ws.counts[2] += 1
        pivot(t, rows + 1, size, leave, enter)
        basis[leave], basis[rows + enter] = basis[rows + enter], basis[leave]
    else:
        return False
    total = t[rows * size + columns]
    if not total > 0.0:
        return False
    for a in range(rows):
        if basis[a] < columns:
            y[ws.columns[basis[a]]] = max(t[a * size + columns], 0.0) / total
    for b in range(columns):
        if basis[rows + b] >= columns:
            x[ws.rows[basis[rows + b] - columns]] = max(t[rows * size + b], 0.0) / total
    return True


def pivot(t: np.ndarray, rows: int, size: int, at_row: int, at_column: int) -> None:
    """Kernel: exchanges the variables of a row and a column of the tableau."""
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


# --- regret matching -----------------------------------------------------------------------------


def matched(regret: np.ndarray, out: np.ndarray, count: int) -> None:
    """Kernel: the strategy in proportion to positive regret; any choice where there is none."""
    total = 0.0
    for i in range(count):
        total += max(regret[i], 0.0)
    for i in range(count):
        out[i] = max(regret[i], 0.0) / total if total > 0.0 else 1.0 / count


def regret_matching(
    m: np.ndarray, wide: int, x: np.ndarray, y: np.ndarray, ws: Any, iterations: int, enough: float
) -> None:
    """Kernel: regret matching+ on what is left in ``ws.rows`` and ``ws.columns``.

    The players take turns and later strategies weigh more (Tammelin 2014, section 4). Ends after
    the iterations, or when the strategies lose at most ``enough`` together.
    """
    rows, columns = ws.counts[0], ws.counts[1]
    for a in range(rows):
        ws.row_regret[a] = 0.0
        x[ws.rows[a]] = 0.0
    for b in range(columns):
        ws.column_regret[b] = 0.0
        y[ws.columns[b]] = 0.0
    matched(ws.row_regret, ws.row_now, rows)
    matched(ws.column_regret, ws.column_now, columns)
    for step in range(1, iterations + 1):
        total = 0.0
        for a in range(rows):
            value = 0.0
            for b in range(columns):
                value += m[ws.rows[a] * wide + ws.columns[b]] * ws.column_now[b]
            total += ws.row_now[a] * value
            ws.row_regret[a] += value
        for a in range(rows):
            ws.row_regret[a] = max(ws.row_regret[a] - total, 0.0)
        matched(ws.row_regret, ws.row_now, rows)
        total = 0.0
        for b in range(columns):
            value = 0.0
            for a in range(rows):
                value -= m[ws.rows[a] * wide + ws.columns[b]] * ws.row_now[a]
            total += ws.column_now[b] * value
            ws.column_regret[b] += value
        for b in range(columns):
            ws.column_regret[b] = max(ws.column_regret[b] - total, 0.0)
        matched(ws.column_regret, ws.column_now, columns)
        for a in range(rows):
            x[ws.rows[a]] += step * ws.row_now[a]
        for b in range(columns):
            y[ws.columns[b]] += step * ws.column_now[b]
        ws.counts[3] += 1
        if step % 25 == 0 and loss_of(m, wide, x, y, ws, step) <= enough:
            break
    done = 0.0
    for a in range(rows):
        done += x[ws.rows[a]]
    for a in range(rows):
        x[ws.rows[a]] /= done
    for b in range(columns):
        y[ws.columns[b]] /= done


def loss_of(m: np.ndarray, wide: int, x: np.ndarray, y: np.ndarray, ws: Any, step: int) -> float:
    """Kernel: what the sums of strategies so far would lose to best answers."""
    weight = 2.0 / (step * (step + 1.0))
    high, low = -np.inf, np.inf
    value: Any
    for a in range(ws.counts[0]):
        value = 0.0
        for b in range(ws.counts[1]):
            value += m[ws.rows[a] * wide + ws.columns[b]] * y[ws.columns[b]]
        high = max(high, value)
    for b in range(ws.counts[1]):
        value = 0.0
        for a in range(ws.counts[0]):
            value += m[ws.rows[a] * wide + ws.columns[b]] * x[ws.rows[a]]
        low = min(low, value)
    return (high - low) * weight


# --- all together --------------------------------------------------------------------------------


def solve_part(
    m: np.ndarray,
    wide: int,
    rows: int,
    columns: int,
    x: np.ndarray,
    y: np.ndarray,
    ws: Any,
    method: int,
) -> float:
    """Kernel: the value of the first rows and columns of a matrix, and optimal strategies."""
    for i in range(rows):
        x[i] = 0.0
    for j in range(columns):
        y[j] = 0.0
    at_row, at_column = saddle(m, wide, rows, columns)
    ws.counts[2] = ws.counts[3] = 0
    if at_row >= 0:
        x[at_row] = y[at_column] = 1.0
        ws.counts[0] = ws.counts[1] = 1
        return float(m[at_row * wide + at_column])
    undominated(m, wide, rows, columns, ws)
    if method == REGRET_MATCHING or not simplex(m, wide, x, y, ws):
        for i in range(rows):
            x[i] = 0.0
        for j in range(columns):
            y[j] = 0.0
        regret_matching(m, wide, x, y, ws, 20_000, 1e-4)
    value: Any = 0.0
    for a in range(ws.counts[0]):
        i = ws.rows[a]
        if x[i] > 0.0:
            for b in range(ws.counts[1]):
                value += x[i] * m[i * wide + ws.columns[b]] * y[ws.columns[b]]
    return value


@kernel
def solve_matrix(
    m: np.ndarray,
    rows: int,
    columns: int,
    x: np.ndarray,
    y: np.ndarray,
    ws: Any,
    method: int,
) -> float:
    """``solve_part`` for Python."""
    return solve_part(m, columns, rows, columns, x, y, ws, method)


@kernel
def match_regrets(
    m: np.ndarray,
    rows: int,
    columns: int,
    x: np.ndarray,
    y: np.ndarray,
    ws: Any,
    iterations: int,
    enough: float,
) -> float:
    """``regret_matching`` of a whole matrix for Python."""
    for i in range(rows):
        ws.rows[i] = i
    for j in range(columns):
        ws.columns[j] = j
    ws.counts[0], ws.counts[1], ws.counts[3] = rows, columns, 0
    regret_matching(m, columns, x, y, ws, iterations, enough)
    return loss_of(m, columns, x, y, ws, 1)


class Solution:
    """What a matrix game is worth, and how to play it."""

    def __init__(self, value: float, row: np.ndarray, column: np.ndarray, left: tuple[int, int]):
        self.value = value
        self.row = row
        """The row player's strategy: a probability for every row."""
        self.column = column
        """The column player's."""
        self.left = left
        """Rows and columns that no other dominated; (1, 1) at a saddle point."""


class Solver:
    """Solves matrices of at most ``most`` rows and columns, with one memory for all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.memory = workspace(most)

    def solve(self, matrix: np.ndarray, method: int = SIMPLEX) -> Solution:
        """An equilibrium of a matrix, shape (rows, columns), and its value for the row player."""
        flat, rows, columns = self._flat(matrix)
        x, y = np.zeros(rows), np.zeros(columns)
        value = solve_matrix(flat, rows, columns, x, y, self.memory, method)
        left = (int(self.memory["counts"][0]), int(self.memory["counts"][1]))
        return Solution(float(value), x, y, left)

    def by_regret(
        self, matrix: np.ndarray, iterations: int = 1000, enough: float = 0.0
    ) -> Solution:
        """An approximate equilibrium of the raw matrix by regret matching+."""
        flat, rows, columns = self._flat(matrix)
        x, y = np.zeros(rows), np.zeros(columns)
        match_regrets(flat, rows, columns, x, y, self.memory, iterations, float(enough))
        return Solution(float(x @ matrix @ y), x, y, (rows, columns))

    def _flat(self, matrix: np.ndarray) -> tuple[np.ndarray, int, int]:
        rows, columns = matrix.shape
        if not (0 < rows <= self.most and 0 < columns <= self.most):
            raise PetteiaError(
                f"a matrix of {rows} x {columns} is not possible; 1 to {self.most} each"
            )
        if not np.isfinite(matrix).all():
            raise PetteiaError("a matrix game needs finite numbers")
        return np.ascontiguousarray(matrix, np.float64).reshape(-1), rows, columns


def exploitability(matrix: np.ndarray, row: np.ndarray, column: np.ndarray) -> float:
    """What both players together lose to best answers; 0 exactly at an equilibrium."""
    return float((matrix @ column).max() - (row @ matrix).min())


def quantal(values: np.ndarray, softness: float) -> np.ndarray:
    """The quantal response to the values of one's choices: the probability of a choice falls by e
    for every ``softness`` of value that it is worse (McKelvey and Palfrey 1995). Softness 0 is the
    best response; equals share."""
    if softness <= 0:
        best = values >= values.max()
        return np.asarray(best / best.sum())
    weights = np.exp((values - values.max()) / softness)
    return np.asarray(weights / weights.sum())


def soft_answer(
    matrix: np.ndarray, softness: float, iterations: int = 300
) -> tuple[np.ndarray, float]:
    """The row player's best mixed strategy against a quantal response to it, and its value.

    It maximises the soft minimum -s log sum exp(-(x A)_j / s) over x, which is concave, by regret
    matching+. Softness near 0 gives an equilibrium, a large one the best row on average.
    """
    rows, columns = matrix.shape
    regret, x, total = np.zeros(rows), np.full(rows, 1 / rows), np.zeros(rows)
    for step in range(1, iterations + 1):
        values = matrix @ quantal(-(x @ matrix), softness)
        regret = np.maximum(regret + values - x @ values, 0.0)
        x = regret / regret.sum() if regret.any() else x
        total += step * x
    x = total / total.sum()
    against = x @ matrix
    low = against.min()
    soft = low - softness * np.log(np.exp(-(against - low) / softness).sum() / columns)
    return x, float(soft)
