"""Searches to read: recursive, in plain Python, as close to the textbook as can be.

They are slow and meant to be. The compiled searches are tested to give the same values, and the
same node counts where the algorithm is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from petteia.core.game import CHANCE, TERMINAL, Game
from petteia.core.words import Words
from petteia.search.values import WIN, terminal_value

__all__ = ["Counts", "alphabeta", "expectimax", "minimax", "negamax"]

Evaluate = Callable[[Words], float]


@dataclass
class Counts:
    """How many nodes a search met."""

    interior: int = 0
    leaves: int = 0


def minimax(
    game: Game,
    p: Words,
    depth: int,
    evaluate: Evaluate,
    searcher: int,
    counts: Counts,
    ply: int = 0,
) -> float:
    """The value for the searcher when both play their best for ``depth`` plies."""
    if game.kind(p) == TERMINAL:
        counts.leaves += 1
        return terminal_value(game, p, searcher, ply)
    if depth == 0:
        counts.leaves += 1
        return evaluate(p)
    counts.interior += 1
    best = max if game.mover(p) == searcher else min
    return best(
        minimax(game, game.play(p, move), depth - 1, evaluate, searcher, counts, ply + 1)
        for move in game.legal_moves(p)
    )


def alphabeta(
    game: Game,
    p: Words,
    depth: int,
    evaluate: Evaluate,
    searcher: int,
    counts: Counts,
    alpha: float = -math.inf,
    beta: float = math.inf,
    ply: int = 0,
) -> float:
    """Minimax that leaves out what cannot matter: its value is the same."""
    if game.kind(p) == TERMINAL:
        counts.leaves += 1
        return terminal_value(game, p, searcher, ply)
    if depth == 0:
        counts.leaves += 1
        return evaluate(p)
    counts.interior += 1
    maximise = game.mover(p) == searcher
    best = -math.inf if maximise else math.inf
    for move in game.legal_moves(p):
        after = game.play(p, move)
        value = alphabeta(game, after, depth - 1, evaluate, searcher, counts, alpha, beta, ply + 1)
        if maximise:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def negamax(game: Game, p: Words, depth: int, evaluate: Evaluate, ply: int = 0) -> float:
    """What the engine computes, without any of its short cuts: the value for the mover.

    ``evaluate`` speaks for the mover too. Forced ends count at once; a restless position is
    searched on, and noisy moves are still looked at below the depth, where the mover may also
    stand still.
    """
    if game.kind(p) == TERMINAL:
        return terminal_value(game, p, game.mover(p), ply)
    forced = game.forced(p) if ply > 0 else 0  # at the root moves are wanted
    if forced > 0:
        return WIN - (ply + forced)
    if forced < 0:
        return -(WIN - (ply - forced))
    if depth > 0 or game.restless(p, -depth):
        best, moves = -math.inf, game.legal_moves(p)
    else:
        best, moves = evaluate(p), game.legal_moves(p, only_noisy=True)
    for move in moves:
        after = game.play(p, move)
        value = negamax(game, after, depth - 1, evaluate, ply + 1)
        best = max(best, value if game.mover(after) == game.mover(p) else -value)
    return best


def expectimax(
    game: Game,
    p: Words,
    depth: int,
    evaluate: Evaluate,
    searcher: int,
    point: float | None = None,
    ply: int = 0,
) -> float:
    """The mean value for the searcher when both play their best for ``depth`` moves.

    Throws of the dice do not count as moves. ``point`` is what a point at the end is worth.
    """
    kind = game.kind(p)
    if kind == TERMINAL:
        if point is None:
            return terminal_value(game, p, searcher, ply)
        return point * game.result(p) * (1 if searcher == 0 else -1)
    if depth == 0:
        return evaluate(p)
    if kind == CHANCE:
        return sum(
            chance * expectimax(game, game.play(p, outcome), depth, evaluate, searcher, point, ply)
            for outcome, chance in game.outcomes(p)
        )
    best = max if game.mover(p) == searcher else min
    return best(
        expectimax(game, game.play(p, move), depth - 1, evaluate, searcher, point, ply + 1)
        for move in game.legal_moves(p)
    )
