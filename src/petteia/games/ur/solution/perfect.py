"""The perfect player: looks every position up in the table of the exact solution."""

from __future__ import annotations

from typing import cast

from petteia.core.agent import at_most
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.ur.evaluations.distilled import ByChance
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.tables import Values

__all__ = ["Perfect"]


class Perfect(ByChance):
    """Plays exactly."""

    name = "perfect"
    about = "perfect play, from the table that petteia solve makes"
    for_visitors = at_most()

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.known = Values(cast(UrRules, game))

    def knows(self, p: Words) -> bool:
        return True

    def chances(self, p: Words) -> tuple[list[int], list[float]]:
        return self.known.moves(p)
