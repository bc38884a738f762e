"""The perfect player: looks every position up in the table of the exact solution."""

from __future__ import annotations

import time
from typing import cast

from petteia.core.agent import Agent, Decision, MoveValue, at_most
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.tables import Values

__all__ = ["Perfect"]


class Perfect(Agent):
    """Plays exactly; values are expected points."""

    name = "perfect"
    about = "perfect play, from the table that petteia solve makes"
    for_visitors = at_most()
    in_points = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.known = Values(cast(UrRules, game))

    def knows(self, p: Words) -> bool:
        return True

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        moves, chances = self.known.moves(p)
        best = max(chances)
        return Decision(
            moves[chances.index(best)],
            2 * best - 1,
            depth=1,
            leaves=len(moves),
            seconds=time.perf_counter() - started,
            notes={"win_chance": best},
        )

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        found = [
            MoveValue(move, 2 * chance - 1, (move,))
            for move, chance in zip(*self.known.moves(p), strict=True)
        ]
        return sorted(found, key=lambda each: -(each.value or 0.0))
