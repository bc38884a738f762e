"""The agent that cannot be beaten where it can win: it looks moves up in a solved table."""

from __future__ import annotations

import time
from typing import cast

from petteia.core.agent import Agent, Decision, MoveValue, at_most
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.breakthrough.face import BreakthroughFace
from petteia.games.breakthrough.solution.table import Values

__all__ = ["Perfect"]


class Perfect(Agent):
    """Plays a move that keeps the value of the game; any of them, as the seed decides."""

    name = "perfect"
    about = "a move that keeps the value of the game, from the table of petteia solve"
    for_visitors = at_most()

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.solution = Values.load(cast(BreakthroughFace, game))

    def knows(self, p: Words) -> bool:
        return True

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        winning = self.solution.winning_moves(p)
        moves = winning or self.game.legal_moves(p)
        move = moves[derive(seed, "perfect") % len(moves)]
        value = 1.0 if winning else -1.0
        seconds = time.perf_counter() - started
        return Decision(move, value, (move,), 0, 1, len(self.game.legal_moves(p)), seconds)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        winning = set(self.solution.winning_moves(p))
        found = [
            MoveValue(move, 1.0 if move in winning else -1.0, (move,))
            for move in self.game.legal_moves(p)
        ]
        return sorted(found, key=lambda each: -(each.value or 0.0))
