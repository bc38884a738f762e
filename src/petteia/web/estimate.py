"""How long a series will take, before it begins."""

from __future__ import annotations

import asyncio
import random
from statistics import fmean

from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words
from petteia.web.lab import Lab, TheLab, Visitor
from petteia.web.messages import requests, results, searches
from petteia.web.messages.workers import Choose
from petteia.web.room import packed
from petteia.web.router import Router

__all__ = ["router"]

router = Router()

_TRIED = 3
"""Games by chance that tell how long one is, and positions at which each agent is asked."""
_LONGEST = 2000
"""Plies of a game by chance."""
_A_GAME = 0.002
"""Seconds that a game takes beside its agents' thinking."""


@router.post("/api/estimate")
async def estimate(asked: requests.ToEstimate, lab: TheLab, visitor: Visitor) -> results.Estimate:
    """What a match or a tournament of these agents will cost. Each is asked for a few moves."""
    game = await asyncio.to_thread(lab.game, asked.game)
    agents = [await asyncio.to_thread(lab.agent, each, game) for each in asked.agents]
    tried = await asyncio.to_thread(_games_by_chance, game, asked.seed)
    moves = fmean(sum(int(game.kind(p)) != CHANCE for p in line) for line in tried)
    each = [await _seconds(lab, game, agent, tried, visitor) for agent in agents]
    # Where both choose, both think at every move; else they take turns.
    share = moves * (1.0 if game.has_simultaneous else 0.5)
    first = each[:1] if asked.gauntlet else each
    meetings = [(a, b) for at, a in enumerate(first) for b in each[at + 1 :]]
    spent = 2 * asked.pairs * sum(share * (a + b) + _A_GAME for a, b in meetings)
    return {
        "games": 2 * asked.pairs * len(meetings),
        "moves": moves,
        "seconds": spent / lab.settings.processes,
        "processors": lab.settings.processes,
        "agents": [{"agent": a, "seconds": s} for a, s in zip(agents, each, strict=True)],
    }


def _games_by_chance(game: Game, seed: int) -> list[list[Words]]:
    """The positions of some games in which all moves are drawn, without the last of each."""
    chance = random.Random(seed)
    return [_by_chance(game, chance) for _ in range(_TRIED)]


def _by_chance(game: Game, chance: random.Random) -> list[Words]:
    p, found = game.start(), list[Words]()
    while (kind := int(game.kind(p))) != TERMINAL and len(found) < _LONGEST:
        found.append(p)
        if kind == CHANCE:
            outcomes, weights = zip(*game.outcomes(p), strict=True)
            p = game.play(p, chance.choices(outcomes, weights)[0])
        elif kind == SIMULTANEOUS:
            first, second = (chance.choice(game.legal_moves(p, side)) for side in (0, 1))
            p = game.play_both(p, first, second)
        else:
            p = game.play(p, chance.choice(game.legal_moves(p)))
    return found


async def _seconds(
    lab: Lab, game: Game, agent: str, tried: list[list[Words]], visitor: str
) -> float:
    """How long an agent thinks about a move, on average over the course of a game."""
    spent = []
    for number, line in enumerate(tried):
        able = [at for at, p in enumerate(line) if int(game.kind(p)) != CHANCE]
        at = able[(2 * number + 1) * len(able) // (2 * _TRIED)]
        player = 0 if int(game.kind(line[at])) == SIMULTANEOUS else None
        asked = Choose(
            game=str(game), agent=agent, positions=packed(line[: at + 1]), player=player,
            table="estimate",
        )  # fmt: skip
        found = await lab.pool.run(asked, searches.Chosen, visitor=visitor)
        spent.append(found["seconds"])
    return fmean(spent)
