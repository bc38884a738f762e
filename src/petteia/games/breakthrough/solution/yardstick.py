"""How often an agent keeps a win, on a board whose every value is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petteia.core.agent import Agent
from petteia.core.game import TERMINAL
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.breakthrough.solution.table import Values

__all__ = ["Kept", "wins_at_stake", "wins_kept"]


@dataclass(frozen=True)
class Kept:
    """Positions in which a win was at stake, and those in which it was kept."""

    positions: int
    kept: int

    @property
    def share(self) -> float:
        """The part of the moves that keep the value."""
        return self.kept / max(1, self.positions)


def wins_at_stake(solution: Values, seed: int = 0) -> Iterator[Words]:
    """Positions of random games that the mover wins, but not by every move; without end."""
    game, number = solution.game, 0
    while True:
        number += 1
        p, ply = game.start(), 0
        while game.kind(p) != TERMINAL:
            legal = game.legal_moves(p)
            if 0 < len(solution.winning_moves(p)) < len(legal):
                yield p
            p = game.play(p, legal[derive(seed, number, ply) % len(legal)])
            ply += 1


def wins_kept(solution: Values, agent: Agent, count: int, seed: int = 0) -> Kept:
    """The yardstick: of so many wins at stake, how many the agent's moves keep."""
    kept = 0
    for place, p in enumerate(wins_at_stake(solution, seed)):
        if place == count:
            break
        kept += agent.choose(p, seed=derive(seed, "agent", place)).move in set(
            solution.winning_moves(p)
        )
    return Kept(count, kept)
