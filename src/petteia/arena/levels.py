"""How strong a game's opponents for people are: they play each other, and the table ships.

    python -m petteia.arena.levels GAME ... [--pairs 50] [--seed 1]

Every level meets the next two above it; games between levels that lie farther apart would say
little more. Elo counts from the weakest level, which has 0. The table stands in the game's room, as
``levels.json``.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from petteia import games
from petteia.arena.contest import Contest
from petteia.arena.executors import Workers, kept_open, workers
from petteia.arena.match import MatchResult
from petteia.arena.series import run_series
from petteia.arena.statistics import bradley_terry
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.writing import write_whole

__all__ = ["Strength", "measure", "measured"]

_FILE = "levels.json"
_REACH = 2
"""Levels above it that each meets."""


@dataclass(frozen=True)
class Strength:
    """What the games of a level say."""

    agent: str
    elo: float
    """Above the weakest level."""
    error: float
    """Half its 95 % interval; 0 for the weakest, from which all count."""
    games: int
    score: float
    """Against the level below; 0 for the weakest."""


@cache
def measured(name: str) -> dict[str, Strength]:
    """The strengths of a built-in game's levels by their agents; of variants nobody knows any."""
    if name not in games.names():
        return {}
    file = resources.files(f"petteia.games.{name}") / _FILE
    if not file.is_file():
        return {}
    rows = json.loads(file.read_text("utf-8"))["levels"]
    return {row["agent"]: Strength(**row) for row in rows}


def measure(game: Game, pairs: int, seed: int, where: Workers) -> Iterator[list[Strength]]:
    """Plays the levels against each other; gives what is known after every meeting."""
    agents = [level.agent for level in game.levels]
    results: dict[tuple[int, int], MatchResult] = {}
    for low, agent in enumerate(agents):
        for high in range(low + 1, min(low + 1 + _REACH, len(agents))):
            place = derive(seed, "level", agent, agents[high]) % 2**31
            contest = Contest(str(game), agents[high], agent, place).checked()
            for results[high, low] in run_series(contest, pairs, where):
                pass
            yield _strengths(agents, results)


def _strengths(agents: list[str], results: dict[tuple[int, int], MatchResult]) -> list[Strength]:
    shape = (len(agents), len(agents))
    scores, squares, counts = np.zeros(shape), np.zeros(shape), np.zeros(len(agents), int)
    for (high, low), result in results.items():
        means = [sum(pair.scores) / 2 for pair in result.pairs]
        scores[high, low], scores[low, high] = sum(result.scores), sum(1 - s for s in result.scores)
        squares[[high, low], [low, high]] = np.var(means) * len(means)
        counts[[high, low]] += len(result.scores)
    found = bradley_terry(scores, pair_squares=squares)
    spread = found.covariance
    return [
        Strength(
            agent,
            round(found.elo[i] - found.elo[0]),
            round(1.96 * math.sqrt(max(0.0, spread[i, i] + spread[0, 0] - 2 * spread[i, 0]))),
            int(counts[i]),
            round(results[i, i - 1].score, 3) if (i, i - 1) in results else 0.0,
        )
        for i, agent in enumerate(agents)
    ]


def main() -> None:
    """Measures the levels of some games, and writes their tables."""
    asked = argparse.ArgumentParser(prog="python -m petteia.arena.levels")
    asked.add_argument("games", nargs="+", choices=games.names(), metavar="GAME")
    asked.add_argument("--pairs", type=int, default=50, help="pairs of games per meeting")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", default="", help="processes, or serial")
    given = asked.parse_args()
    with kept_open(workers(given.workers)) as where:
        for name in given.games:
            game, found = games.make(name), list[Strength]()
            for found in measure(game, given.pairs, given.seed, where):
                print(f"{name}: {found[-1].games} games of the strongest so far", flush=True)
            for level, row in zip(game.levels, found, strict=True):
                print(f"  {level.name:12} {row.elo:5.0f} ± {row.error:3.0f}  {row.agent}")
            table = {"pairs": given.pairs, "seed": given.seed, "levels": list(map(asdict, found))}
            place = Path(str(resources.files(f"petteia.games.{name}"))) / _FILE
            write_whole(place, json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
