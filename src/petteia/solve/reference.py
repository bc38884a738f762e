"""The general solver once more, as one would write it down: to be read, and for tests."""

from __future__ import annotations

import numpy as np

from petteia.core.game import Game
from petteia.core.rules import CHANCE, DECISION, SIMULTANEOUS, TERMINAL
from petteia.core.words import Words
from petteia.search.matrix import MatrixSolver
from petteia.solve.retrograde import NEVER
from petteia.solve.solved import Known

__all__ = ["by_iteration", "by_levels", "reachable"]


def reachable(game: Game) -> dict[Words, list[Words]]:
    """Every position that can be reached, with those that follow it."""
    found: dict[Words, list[Words]] = {}
    todo = [game.start()]
    while todo:
        p = todo.pop()
        if p in found:
            continue
        kind = game.kind(p)
        if kind == TERMINAL:
            found[p] = []
        elif kind == CHANCE:
            found[p] = [game.play(p, outcome) for outcome, _ in game.outcomes(p)]
        elif kind == SIMULTANEOUS:
            rows, columns = (game.legal_moves(p, player) for player in (0, 1))
            found[p] = [game.play_both(p, a, b) for a in rows for b in columns]
        else:
            found[p] = [game.play(p, move) for move in game.legal_moves(p)]
        todo += found[p]
    return found


def by_levels(game: Game) -> dict[Words, Known]:
    """A game of plain moves in which one point is won or lost: who wins in 0 plies, in 1, in 2,
    until nothing is added. The rest are draws."""
    after = reachable(game)
    known = {
        p: Known(float(game.result(p)), 0)
        for p in after
        if game.kind(p) == TERMINAL and game.result(p) != 0
    }
    plies = 0
    while len(known) > 0:
        plies += 1
        new = dict[Words, Known]()
        for p, nexts in after.items():
            if p in known or game.kind(p) != DECISION:
                continue
            wins = 1.0 if game.mover(p) == 0 else -1.0
            values = [known[q].points if q in known else 0.0 for q in nexts]
            if wins in values:
                new[p] = Known(wins, plies)
            elif all(value == -wins for value in values):
                new[p] = Known(-wins, plies)
        if not new:
            break
        known |= new
    return {p: known.get(p, Known(0.0, NEVER)) for p in after}


def by_iteration(game: Game, sweeps: int = 200) -> dict[Words, Known]:
    """Any game: so many times each position becomes what its successors say."""
    after = reachable(game)
    values = {p: float(game.result(p)) if game.kind(p) == TERMINAL else 0.0 for p in after}
    for _ in range(sweeps):
        for p in reversed(after):
            if game.kind(p) != TERMINAL:
                values[p] = _value(game, p, [values[q] for q in after[p]])
    return {p: Known(value, NEVER) for p, value in values.items()}


def _value(game: Game, p: Words, nexts: list[float]) -> float:
    kind = game.kind(p)
    if kind == CHANCE:
        return sum(chance * v for (_, chance), v in zip(game.outcomes(p), nexts, strict=True))
    if kind == SIMULTANEOUS:
        matrix = np.array(nexts).reshape(len(game.legal_moves(p, 0)), -1)
        return MatrixSolver(max(matrix.shape)).solve(matrix).value
    return max(nexts) if game.mover(p) == 0 else min(nexts)
