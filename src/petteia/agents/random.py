"""The agent that every other should beat."""

from __future__ import annotations

from petteia.core.agent import Agent, Decision, Offer, at_most
from petteia.core.words import Words
from petteia.search.stepper import stepper_of

__all__ = ["RandomAgent"]


class RandomAgent(Agent):
    """Plays any legal move with equal chance."""

    name = "random"
    about = "any legal move with equal chance"
    for_visitors = at_most()
    offered = Offer(beginners={"random": "any legal move"})

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        seen = stepper_of(self.game).look(p)
        moves = seen.others if player == 1 and seen.others else seen.moves
        return Decision(moves[seed % len(moves)])
