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

__all__ = ["Textbook", "expectimax", "negamax"]

Evaluate = Callable[[Words], float]


@dataclass
class Textbook:
    """A game searched for one player, who is Max, and how many nodes were met."""

    game: Game
    evaluate: Evaluate
    searcher: int
    interior: int = 0
    leaves: int = 0

    def minimax(self, p: Words, depth: int, ply: int = 0) -> float:
        """The value for the searcher when both play their best for ``depth`` plies."""
        if depth == 0 or self.game.kind(p) == TERMINAL:
            return self._leaf(p, ply)
        self.interior += 1
        best = max if self.game.mover(p) == self.searcher else min
        return best(
            self.minimax(self.game.play(p, move), depth - 1, ply + 1)
            for move in self.game.legal_moves(p)
        )

    def alphabeta(
        self, p: Words, depth: int, alpha: float = -math.inf, beta: float = math.inf, ply: int = 0
    ) -> float:
        """Minimax that leaves out what cannot matter: its value is the same."""
        if depth == 0 or self.game.kind(p) == TERMINAL:
            return self._leaf(p, ply)
        self.interior += 1
        maximise = self.game.mover(p) == self.searcher
        best = -math.inf if maximise else math.inf
        for move in self.game.legal_moves(p):
            value = self.alphabeta(self.game.play(p, move), depth - 1, alpha, beta, ply + 1)
            if maximise:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _leaf(self, p: Words, ply: int) -> float:
        self.leaves += 1
        if self.game.kind(p) == TERMINAL:
            return terminal_value(self.game, p, self.searcher, ply)
        return self.evaluate(p)


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
