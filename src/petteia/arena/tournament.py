"""A tournament: every agent against every other, or one against all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers
from petteia.arena.match import MatchResult
from petteia.arena.series import run_series
from petteia.arena.statistics import bradley_terry, league_name
from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive

__all__ = ["CrossTable", "Tournament", "meetings"]


def meetings(agents: Sequence[str], *, gauntlet: bool) -> list[tuple[int, int]]:
    """Who meets whom: all pairs, or the first against each of the others."""
    if len(set(agents)) != len(agents):
        raise PetteiaError("a tournament needs agents that differ; one is named twice")
    if len(agents) < 2:
        raise PetteiaError("a tournament needs at least two agents")
    if gauntlet:
        return [(0, other) for other in range(1, len(agents))]
    return list(combinations(range(len(agents)), 2))


class CrossTable:
    """Who scored what against whom; pairs of games are the independent units."""

    def __init__(self, agents: Sequence[str]) -> None:
        self.agents = agents
        shape = (len(agents), len(agents))
        self.scores, self._squares, self.games = (
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(shape, int),
        )

    def add(self, a: int, b: int, score: float, games: int, pair_scores: Sequence[float]) -> None:
        """Adds a series: a's mean score over the games, and over each pair of games."""
        self.scores[a, b] += score * games
        self.scores[b, a] += (1 - score) * games
        self.games[[a, b], [b, a]] += games
        self._squares[[a, b], [b, a]] += np.var(pair_scores) * len(pair_scores)

    def ratings(self) -> list[dict[str, Any]]:
        """Ratings with standard errors and leagues, the strongest first."""
        found = bradley_terry(self.scores, pair_squares=self._squares)
        leagues = {i: league_name(n) for n, group in enumerate(found.leagues()) for i in group}
        rows = [
            {
                "agent": name,
                "rating": found.elo[i],
                "error": found.errors[i],
                "league": leagues[i],
                "points": float(sum(self.scores[i])),
                "games": int(self.games[i].sum()),
            }
            for i, name in enumerate(self.agents)
        ]
        return sorted(rows, key=lambda row: -row["rating"])


@dataclass
class Tournament:
    """The agents, the conditions, and what was played so far."""

    game: str
    agents: tuple[str, ...]
    pairs: int
    seed: int = 0
    opening: str = "random"
    gauntlet: bool = False
    results: dict[tuple[int, int], MatchResult] = field(default_factory=dict)

    def contests(self) -> dict[tuple[int, int], Contest]:
        """The series of the tournament, each with a seed of its own."""
        return {
            (a, b): Contest(
                self.game,
                self.agents[a],
                self.agents[b],
                derive(self.seed, "meeting", self.agents[a], self.agents[b]) % 2**31,
                self.opening,
            )
            for a, b in meetings(self.agents, gauntlet=self.gauntlet)
        }

    def play(
        self,
        workers: Workers,
        series: Callable[[Contest], Iterator[MatchResult]] | None = None,
    ) -> Iterator[None]:
        """Plays all series; yields after every pair of games."""
        for meeting, contest in self.contests().items():
            steps = series(contest) if series else run_series(contest, self.pairs, workers)
            for result in steps:
                self.results[meeting] = result
                yield

    def score(self, a: int, b: int) -> float | None:
        """The mean score of agent a against agent b, if they have met."""
        if (a, b) in self.results:
            return self.results[a, b].score
        if (b, a) in self.results:
            return 1 - self.results[b, a].score
        return None

    def games(self, a: int, b: int) -> int:
        """How many games the two have played."""
        found = self.results.get((a, b)) or self.results.get((b, a))
        return len(found.scores) if found else 0

    def table(self) -> list[list[float | None]]:
        """The score of each row's agent against each column's."""
        count = len(self.agents)
        return [[self.score(a, b) for b in range(count)] for a in range(count)]

    def ratings(self) -> list[dict[str, Any]]:
        """Ratings with standard errors and leagues, the strongest first."""
        table = CrossTable(self.agents)
        for (a, b), result in self.results.items():
            means = [sum(pair.scores) / 2 for pair in result.pairs]
            table.add(a, b, result.score, len(result.scores), means)
        return table.ratings()

    def facts(self, series: Sequence[int | None]) -> dict[str, Any]:
        """What was played and what came out, as JSON-ready data."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "pairs": self.pairs,
            "seed": self.seed,
            "opening": self.opening,
            "kind": "gauntlet" if self.gauntlet else "round robin",
            "table": self.table(),
            "ratings": self.ratings(),
            "meetings": [
                {"agents": [self.agents[a], self.agents[b]], **result.as_json()}
                for (a, b), result in self.results.items()
            ],
            "series": list(series),
        }
