"""The report's search to read: recursion, a dictionary, Python's heap. Slow, and meant to be.

``search.py`` is compared with it, value by value and node by node.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.checkers.face.paths import captures_of, ends_of
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import cell_of

__all__ = ["Saved", "Search", "points_of"]

_WIN = 10_000.0


@dataclass(frozen=True)
class Saved:
    """What the cache keeps of a position, by the board and the side to move."""

    depth: int
    """Plies from the root: the smaller, the deeper the search below it was."""
    alpha: float
    beta: float
    """The window on entry."""
    value: float


def points_of(game: CheckersRules, p: Words, move: int) -> int:
    """The report's points for a move."""
    row, column = cell_of(ends_of(move)[1])
    ahead = row if game.mover(p) == 0 else 7 - row  # rows from the mover's home
    points = 2 * len(captures_of(move))
    points += 21 * (row in (3, 4) and 2 <= column <= 5)
    points += 2 * (ahead == 0)
    points += 3 * (ahead == 7)
    points += 2 * (ahead >= 5)
    return points


@dataclass
class Search:
    """Minimax with alpha-beta to a depth, as the report describes it; Red (White) is Max."""

    game: CheckersRules
    evaluate: Callable[[Words], float]
    """For Red."""
    depth: int = 8
    cache: str = "printed"
    """none, printed, or corrected."""
    ordering: bool = True
    interior: int = 0
    leaves: int = 0
    hits: int = 0
    kept: dict[Words, Saved] = field(default_factory=dict)

    def value(
        self, p: Words, depth: int = 0, alpha: float = -math.inf, beta: float = math.inf
    ) -> float:
        """The value of a position ``depth`` plies below the root."""
        over = self.game.kind(p) == TERMINAL
        if over and self.game.result(p) != 0:
            self.leaves += 1
            return -float(self.game.result(p)) * (_WIN - depth)
        if over or depth == self.depth:  # the course knows no draws
            self.leaves += 1
            return self.evaluate(p)
        is_max = self.game.mover(p) == 1
        if depth > 0 and p in self.kept:
            saved = self.kept[p]
            if self.usable(saved, depth, alpha, beta, is_max):
                self.hits += 1
                return self.moved(saved.value, saved.depth - depth)
        self.interior += 1
        alpha0, beta0 = alpha, beta
        best = -math.inf if is_max else math.inf
        heap: list[tuple[int, int, int]] = []
        for number, move in enumerate(self.game.legal_moves(p)):
            points = points_of(self.game, p, move) if self.ordering else 0
            heapq.heappush(heap, (-points, number, move))
        while heap:
            move = heapq.heappop(heap)[2]
            value = self.value(self.game.play(p, move), depth + 1, alpha, beta)
            if is_max:
                best = max(best, value)
                if best >= beta:
                    break
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                if best <= alpha:
                    break
                beta = min(beta, best)
        if depth > 0 and self.cache != "none":
            self.kept[p] = Saved(depth, alpha0, beta0, best)
        return best

    def moved(self, value: float, plies: int) -> float:
        """The printed cache takes a win at its old distance; the corrected one moves it."""
        if self.cache == "printed" or abs(value) < _WIN / 2:
            return value
        return value + plies if value > 0 else value - plies

    def usable(self, saved: Saved, depth: int, alpha: float, beta: float, is_max: bool) -> bool:
        """Whether a saved value may stand for a search."""
        if saved.depth > depth:  # the saved search was not as deep
            return False
        if self.cache == "printed":
            return beta < saved.beta if is_max else alpha > saved.alpha
        here = self.moved(saved.value, saved.depth - depth)
        if saved.value <= saved.alpha:  # no more than an upper bound
            return here <= alpha
        if saved.value >= saved.beta:  # a lower bound
            return here >= beta
        return True
