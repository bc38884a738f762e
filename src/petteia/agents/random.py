"""The agent that every other should beat."""

from __future__ import annotations

from petteia.core.agent import Agent, Decision
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.stepper import Stepper

__all__ = ["RandomAgent"]


class RandomAgent(Agent):
    """Plays any legal move with equal chance."""

    name = "random"
    about = "any legal move with equal chance"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._stepper = Stepper(game)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        seen = self._stepper.look(p)
        moves = seen.others if player == 1 and seen.others else seen.moves
        return Decision(moves[derive(seed, "random", player or 0) % len(moves)])
