"""A game played step by step from Python at native speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.game import CHANCE, SIMULTANEOUS, SLACK, TERMINAL, Game
from petteia.core.words import Words

__all__ = ["Look", "Stepper"]


@dataclass(frozen=True)
class Look:
    """What can be done at a position."""

    kind: int
    mover: int
    moves: list[int]
    """Legal moves at a decision, outcomes at a chance node, player 0's moves where both choose."""
    others: list[int]
    """Player 1's moves where both choose."""
    chances: list[float]
    """The probabilities of the outcomes at a chance node."""
    result: float
    """The points of player 0 where the game is over."""


class Stepper:
    """The rules of one game with their buffers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._out = np.empty(2 * (game.max_moves + SLACK), np.int64)
        self._prob = np.empty(game.max_moves + SLACK, np.float64)
        self._facts = np.empty(4, np.int64)  # kind, mover, end of the first list, of the second

    def look(self, p: Words) -> Look:
        """Everything that the rules say about a position."""
        result = look(self.game, p, self._out, self._prob, self._facts)
        kind, mover, middle, end = self._facts.tolist()
        return Look(
            kind, mover, self._out[:middle].tolist(), self._out[middle:end].tolist(),
            self._prob[:middle].tolist() if kind == CHANCE else [], result,
        )  # fmt: skip

    def play(self, p: Words, move: int) -> Words:
        """The position after a legal move or an outcome."""
        return advance(self.game, p, move, -1)

    def play_both(self, p: Words, first: int, second: int) -> Words:
        """The position after both players' moves."""
        return advance(self.game, p, first, second)


@kernel
def look(game: Any, p: Words, out: np.ndarray, prob: np.ndarray, facts: np.ndarray) -> float:
    """Writes the kind, the mover and the moves of a position; returns its result if it is over."""
    kind = game.kind(p)
    facts[0], facts[1], facts[2], facts[3] = kind, 0, 0, 0
    if kind == TERMINAL:
        return game.result(p)
    if kind == CHANCE:
        facts[2] = game.chances(p, out, prob, 0)
        facts[3] = facts[2]
    elif kind == SIMULTANEOUS:
        facts[2] = game.moves_of(p, 0, out, 0)
        facts[3] = game.moves_of(p, 1, out, facts[2])
    else:
        facts[1] = game.mover(p)
        facts[2] = game.moves(p, out, 0)
        facts[3] = facts[2]
    return 0.0


@kernel
def advance(game: Any, p: Words, first: int, second: int) -> Words:
    """The next position; ``second`` counts only where both choose."""
    if game.kind(p) == SIMULTANEOUS:
        return game.play_both(p, first, second)
    return game.play(p, first)
