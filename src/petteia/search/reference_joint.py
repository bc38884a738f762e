"""Where both choose at the same time: searches to read, recursive, in plain Python.

The compiled searches are tested to give the same values. Matrix games are solved as linear
programs by HiGHS, by fictitious play, and by the double oracle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.words import Words

__all__ = [
    "by_double_oracle", "by_fictitious_play", "by_linear_program", "hopeful", "nash", "paranoid",
]  # fmt: skip

Evaluate = Callable[[Words], float]
Solved = tuple[float, np.ndarray, np.ndarray]
"""The value for the row player, its strategy and the column player's."""


def by_linear_program(matrix: np.ndarray) -> Solved:
    """Each player's best worst case as a linear program (von Neumann 1928, Dantzig 1951)."""
    value, x = _best_worst_case(matrix)
    _, y = _best_worst_case(-matrix.T)
    return value, x, y


def _best_worst_case(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Maximises v under: x is a strategy, and against every column x wins at least v."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    cost = np.append(np.zeros(rows), -1.0)
    at_least = np.hstack([-matrix.T, np.ones((columns, 1))])
    adds_up = np.append(np.ones(rows), 0.0)[None, :]
    found = linprog(
        cost, A_ub=at_least, b_ub=np.zeros(columns), A_eq=adds_up, b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)], method="highs",
    )  # fmt: skip
    x = np.maximum(found.x[:rows], 0.0)
    return float(found.x[rows]), x / x.sum()


def by_fictitious_play(matrix: np.ndarray, iterations: int = 1000) -> Solved:
    """Each answers what the other did so far (Brown 1951): easy to see, slow to converge."""
    rows, columns = matrix.shape
    x, y = np.zeros(rows), np.zeros(columns)
    x[0] = y[0] = 1.0
    for _ in range(iterations):
        answer, reply = int(np.argmax(matrix @ y)), int(np.argmin(x @ matrix))
        x[answer] += 1.0
        y[reply] += 1.0
    x, y = x / x.sum(), y / y.sum()
    return float(x @ matrix @ y), x, y


def by_double_oracle(matrix: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, int]:
    """Solves the game of a few rows and columns, adds the best answers, until none is new
    (McMahan, Gordon and Blum 2003). Also gives how many cells were looked at."""
    rows, columns = [0], [0]
    seen = np.zeros(matrix.shape, bool)
    while True:
        seen[np.ix_(rows, columns)] = True
        value, part_x, part_y = by_linear_program(matrix[np.ix_(rows, columns)])
        x, y = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
        x[rows], y[columns] = part_x, part_y
        seen[:, y > 0] = True
        seen[x > 0, :] = True
        answer, reply = int(np.argmax(matrix @ y)), int(np.argmin(x @ matrix))
        gain = (matrix @ y)[answer] - (x @ matrix)[reply]
        if gain < 1e-9 or (answer in rows and reply in columns):
            return value, x, y, int(seen.sum())
        rows += [answer] if answer not in rows else []
        columns += [reply] if reply not in columns else []


def _settled(
    game: Game, p: Words, depth: int, ply: int, evaluate: Evaluate, win: float
) -> float | None:
    if game.kind(p) == TERMINAL:
        return float(game.result(p)) * win * (1 - 1e-6 * ply)
    return evaluate(p) if depth == 0 else None


def _of_one(game: Game, p: Words, below: Callable[[Words, bool], float]) -> float | None:
    """The mean over the dice, or the best of the player who moves alone; None where both choose.
    ``below`` is told whether a turn was made."""
    if game.kind(p) == CHANCE:
        return sum(chance * below(game.play(p, o), False) for o, chance in game.outcomes(p))
    if game.kind(p) == DECISION:
        best = max if game.mover(p) == 0 else min
        return best(below(game.play(p, move), True) for move in game.legal_moves(p))
    return None


def nash(
    game: Game, p: Words, depth: int, evaluate: Evaluate, win: float = 1000.0, ply: int = 0
) -> float:
    """The value for player 0 when both play an equilibrium for ``depth`` turns: a whole matrix and
    a linear program at every node. Throws cost no depth. ``evaluate`` speaks for player 0."""
    value = _settled(game, p, depth, ply, evaluate, win)
    if value is not None:
        return value

    def below(q: Words, turn: bool = True) -> float:
        return nash(game, q, depth - turn, evaluate, win, ply + 1)

    alone = _of_one(game, p, below)
    if alone is not None:
        return alone
    rows, columns = game.legal_moves(p, 0), game.legal_moves(p, 1)
    matrix = np.array([[below(game.play_both(p, a, b)) for b in columns] for a in rows])
    return by_linear_program(matrix)[0]


def paranoid(
    game: Game, p: Words, depth: int, first: int, evaluate: Evaluate, win: float = 1000.0,
    ply: int = 0,
) -> float:  # fmt: skip
    """The value for player 0 if in every turn player ``first`` moves and the other sees it."""
    value = _settled(game, p, depth, ply, evaluate, win)
    if value is not None:
        return value

    def below(q: Words, turn: bool = True) -> float:
        return paranoid(game, q, depth - turn, first, evaluate, win, ply + 1)

    alone = _of_one(game, p, below)
    if alone is not None:
        return alone
    rows, columns = game.legal_moves(p, 0), game.legal_moves(p, 1)
    if first == 0:
        return max(min(below(game.play_both(p, a, b)) for b in columns) for a in rows)
    return min(max(below(game.play_both(p, a, b)) for a in rows) for b in columns)


def hopeful(
    game: Game, p: Words, depth: int, searcher: int, evaluate: Evaluate, *, mean: bool,
    win: float = 1000.0,
) -> float:  # fmt: skip
    """The value for player 0 if the searcher moves best and the enemy best for it, or at random."""
    best = max if searcher == 0 else min

    def answered(values: list[float]) -> float:
        return sum(values) / len(values) if mean else best(values)

    def worth(p: Words, depth: int, ply: int) -> float:
        value = _settled(game, p, depth, ply, evaluate, win)
        if value is not None:
            return value

        def below(q: Words, turn: bool = True) -> float:
            return worth(q, depth - turn, ply + 1)

        if game.kind(p) == CHANCE:
            return sum(chance * below(game.play(p, o), False) for o, chance in game.outcomes(p))
        if game.kind(p) == DECISION:
            values = [below(game.play(p, move)) for move in game.legal_moves(p)]
            return best(values) if game.mover(p) == searcher else answered(values)
        rows, columns = game.legal_moves(p, 0), game.legal_moves(p, 1)
        table = [[below(game.play_both(p, a, b)) for b in columns] for a in rows]
        own = table if searcher == 0 else [list(column) for column in zip(*table, strict=True)]
        return best(answered(line) for line in own)

    return worth(p, depth, 0)
