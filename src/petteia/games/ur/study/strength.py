"""How far an agent is from perfect play: exact regret on positions that perfect play meets."""

from __future__ import annotations

import numpy as np

from petteia.core.agent import Agent
from petteia.core.game import DECISION
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.ur.learning import Walk, visited
from petteia.games.ur.solution.tables import Values

__all__ = ["choice_positions", "positions_of_play", "regret"]


def positions_of_play(
    known: Values, count: int, *, kind: int, slips: float = 0.0, every: int = 1, seed: int = 0
) -> np.ndarray:
    """First words of positions from perfect play with some random moves in it."""
    found = np.zeros(count, np.uint64)
    out, state = np.zeros(16, np.int64), np.array([derive(seed, "visited")], np.uint64)
    visited(known.game, known.exact, Walk(slips, kind, every), out, state, found)
    return found


def choice_positions(known: Values, count: int, seed: int = 0) -> list[Words]:
    """Decisions with a choice, from perfect play: the fixed set on which regret is measured."""
    words = positions_of_play(known, count, kind=DECISION, every=7, seed=seed)
    return [(U(int(word)), U(0)) for word in words]


def regret(agent: Agent, positions: list[Words], known: Values) -> np.ndarray:
    """What each of the agent's decisions gives up, as a chance of winning."""
    found = np.zeros(len(positions))
    for place, p in enumerate(positions):
        moves, chances = known.moves(p)
        move = agent.choose(p, seed=derive(place, "regret")).move
        found[place] = max(chances) - chances[moves.index(move)]
    return found
