"""Two agents of your own in one file; each plays in a process of its own, with a clock.

petteia match breakthrough "./my_agent.py:choose(time=0.5)" random
petteia match breakthrough "./my_agent.py:Careful(breadth=5, time=0.5)" random
"""

import random

from petteia import TERMINAL
from petteia.core.agent import Agent, Decision


def choose(position, legal_moves, seed):
    """Wins at once where it can, else any move after which the opponent has the fewest replies."""
    random.seed(seed)
    random.shuffle(legal_moves)
    return min(legal_moves, key=lambda move: replies(position.play(move)))


def replies(position):
    return len(position.moves())


class Careful(Agent):
    """Looks at some moves and takes the first one that leaves no win to the opponent."""

    def __init__(self, game, breadth: int = 8):
        super().__init__(game)
        self.breadth = breadth

    def choose(self, p, *, seed=0, player=None):
        moves = self.game.legal_moves(p)
        random.Random(seed).shuffle(moves)
        safe = (move for move in moves[: self.breadth] if not self.loses(self.game.play(p, move)))
        return Decision(next(safe, moves[0]))

    def loses(self, p):
        after = [self.game.play(p, move) for move in self.game.legal_moves(p)]
        return any(self.game.kind(q) == TERMINAL for q in after)
