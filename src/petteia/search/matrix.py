"""Matrix games: two players choose at the same time, one wins what the other loses.

The row player, player 0, wants the entry high, the column player low. ``MatrixSolver.solve`` finds
an optimal mixed strategy for both, and the value: a saddle point if there is one; else dominated
choices are taken out as long as there are any, and the simplex method solves the rest. Regret
matching is there as well: it needs no more than the ability to multiply, and is what tree searches
use.

All memory of the kernels is one record, in which the matrix lies row by row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.search.regret import loss, regret_matching
from petteia.search.simplex import simplex

__all__ = [
    "REGRET_MATCHING", "SIMPLEX", "MatrixSolution", "MatrixSolver", "exploitability",
    "matrix_memory", "quantal", "soft_answer", "solve",
]  # fmt: skip

SIMPLEX, REGRET_MATCHING = 0, 1
_ITERATIONS, _ENOUGH = 20_000, 1e-4
"""Regret matching in place of the simplex method: at most so many iterations, or until so little is
lost."""


def matrix_memory(most: int) -> np.dtype[Any]:
    """The layout of the memory for matrices of at most this many rows and columns. What has two
    rows is the row player's first, then the column player's."""
    return np.dtype(
        [
            ("counts", np.int64, (2,)),  # how many choices each player has
            ("method", np.int64),  # SIMPLEX or REGRET_MATCHING
            ("matrix", np.float64, (most * most,)),  # row by row
            ("strategy", np.float64, (2, most)),  # the probability of each choice
            ("left_counts", np.int64, (2,)),  # how many choices no other dominates
            ("left", np.int64, (2, most)),  # and which
            ("pivots", np.int64),  # of the simplex method
            ("tableau", np.float64, ((most + 1) * (most + 1),)),
            ("basis", np.int64, (2 * most + 2,)),  # the variables of the rows, then of the columns
            ("iterations", np.int64),  # of regret matching
            ("regret", np.float64, (2, most)),
            ("now", np.float64, (2, most)),  # the strategies of this iteration
        ],
        align=True,
    )


# --- kernels -------------------------------------------------------------------------------------


def saddle(ws: Any) -> bool:
    """Whether an entry is lowest in its row and highest in its column; if so it is played."""
    m, rows, columns = ws.matrix, ws.counts[0], ws.counts[1]
    best, at_row = -np.inf, -1
    for i in range(rows):
        lowest = np.inf
        for j in range(columns):
            lowest = min(lowest, m[i * columns + j])
        if lowest > best:
            best, at_row = lowest, i
    for j in range(columns):
        if m[at_row * columns + j] == best:
            highest = -np.inf
            for i in range(rows):
                highest = max(highest, m[i * columns + j])
            if highest == best:
                ws.strategy[0, at_row] = ws.strategy[1, j] = 1.0
                ws.left[0, 0], ws.left[1, 0] = at_row, j
                ws.left_counts[0] = ws.left_counts[1] = 1
                return True
    return False


def all_left(ws: Any) -> None:
    """No choice is taken out yet."""
    for player in range(2):
        for a in range(ws.counts[player]):
            ws.left[player, a] = a
        ws.left_counts[player] = ws.counts[player]


def take_out(ws: Any, player: int) -> bool:
    """Takes out the choices of a player that another one is never below, of equal ones all but the
    first; whether there were any. An equilibrium of the rest is one of the whole."""
    m, other = ws.matrix, 1 - player
    own, across = (ws.counts[1], 1) if player == 0 else (1, ws.counts[1])
    sign = 1.0 if player == 0 else -1.0
    count, changed = ws.left_counts[player], False
    a = 0
    while a < count:
        mine = ws.left[player, a] * own
        for b in range(count):
            if b == a:
                continue
            better = ws.left[player, b] * own
            worse = True
            for k in range(ws.left_counts[other]):
                j = ws.left[other, k]
                if sign * m[mine + j * across] > sign * m[better + j * across]:
                    # The choice that told them apart will soon tell others apart as well.
                    ws.left[other, k], ws.left[other, 0] = ws.left[other, 0], j
                    worse = False
                    break
            if worse:
                count -= 1
                ws.left[player, a] = ws.left[player, count]
                changed = True
                break
        else:
            a += 1
    ws.left_counts[player] = count
    return changed


def reset(ws: Any) -> None:
    """No choice is played."""
    for player in range(2):
        for a in range(ws.counts[player]):
            ws.strategy[player, a] = 0.0


def solve(ws: Any) -> None:
    """Writes optimal strategies for both players of the game in the memory."""
    reset(ws)
    ws.pivots = ws.iterations = 0
    if saddle(ws):
        return
    all_left(ws)
    changed = True
    while changed:
        changed = take_out(ws, 0)
        changed |= take_out(ws, 1)
    if ws.method == REGRET_MATCHING or not simplex(ws):
        reset(ws)
        regret_matching(ws, _ITERATIONS, _ENOUGH)


def worth(ws: Any) -> float:
    """What the strategies bring the row player against each other."""
    value: Any = 0.0
    for a in range(ws.left_counts[0]):
        i = ws.left[0, a]
        if ws.strategy[0, i] > 0.0:
            for b in range(ws.left_counts[1]):
                j = ws.left[1, b]
                value += ws.strategy[0, i] * ws.matrix[i * ws.counts[1] + j] * ws.strategy[1, j]
    return value


@kernel
def solve_matrix(ws: Any) -> float:
    """``solve`` for Python; the value for the row player."""
    solve(ws)
    return worth(ws)


@kernel
def match_regrets(ws: Any, iterations: int, enough: float) -> float:
    """``regret_matching`` of a whole matrix for Python; what the strategies lose together."""
    all_left(ws)
    ws.iterations = 0
    regret_matching(ws, iterations, enough)
    return loss(ws, 1)


# --- for Python ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatrixSolution:
    """What a matrix game is worth, and how to play it."""

    value: float
    row: np.ndarray
    """The row player's strategy: a probability for every row."""
    column: np.ndarray
    """The column player's."""
    left: tuple[int, int]
    """Rows and columns that no other dominated; (1, 1) at a saddle point."""


class MatrixSolver:
    """Solves matrices of at most ``most`` rows and columns, with one memory for all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.memory: Any = np.zeros(1, matrix_memory(most)).view(np.recarray)[0]

    def solve(self, matrix: np.ndarray, method: int = SIMPLEX) -> MatrixSolution:
        """An equilibrium of a matrix, shape (rows, columns), and its value for the row player."""
        self._take(matrix, method)
        return self._solution(float(solve_matrix(self.memory)))

    def by_regret(
        self, matrix: np.ndarray, iterations: int = 1000, enough: float = 0.0
    ) -> MatrixSolution:
        """An approximate equilibrium of the raw matrix by regret matching+."""
        self._take(matrix, REGRET_MATCHING)
        match_regrets(self.memory, iterations, float(enough))
        found = self._solution(0.0)
        return replace(found, value=float(found.row @ matrix @ found.column))

    def _take(self, matrix: np.ndarray, method: int) -> None:
        rows, columns = matrix.shape
        if not (0 < rows <= self.most and 0 < columns <= self.most):
            raise PetteiaError(
                f"a matrix of {rows} x {columns} is not possible; 1 to {self.most} each"
            )
        if not np.isfinite(matrix).all():
            raise PetteiaError("a matrix game needs finite numbers")
        self.memory["counts"], self.memory["method"] = matrix.shape, method
        self.memory["matrix"][: matrix.size] = matrix.reshape(-1)

    def _solution(self, value: float) -> MatrixSolution:
        rows, columns = self.memory["counts"].tolist()
        x, y = self.memory["strategy"]
        left: tuple[int, int] = tuple(self.memory["left_counts"].tolist())
        return MatrixSolution(value, x[:rows].copy(), y[:columns].copy(), left)


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
