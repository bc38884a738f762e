"""A series in figures, summed by the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from petteia.arena.play import Seat
from petteia.arena.statistics import pair_interval
from petteia.arena.store.database import Database

__all__ = ["Summary", "summaries"]

_SUMS = """
    SELECT series, count(*) AS games,
        sum(score = 1) AS wins, sum(score = 0.5) AS draws, sum(score = 0) AS losses,
        avg(score) AS score, avg(CASE number WHEN 0 THEN result ELSE -result END) AS points,
        avg(plies) AS plies,
        coalesce(sum(forfeit_agent = 0), 0) AS a_forfeits,
        coalesce(sum(forfeit_agent = 1), 0) AS b_forfeits,
        sum(a_moves), sum(a_interior), sum(a_leaves), sum(a_seconds), sum(a_late),
        sum(b_moves), sum(b_interior), sum(b_leaves), sum(b_seconds), sum(b_late)
    FROM games WHERE series IN ({places}) GROUP BY series
"""
_PAIRS = """
    SELECT series, mean, count(*) AS pairs FROM (
        SELECT series, avg(score) AS mean FROM games WHERE series IN ({places})
        GROUP BY series, pair
    ) GROUP BY series, mean
"""
_FIRST_COST, _COSTS = 10, 5
_AT_ONCE = 500
"""SQLite takes at most 999 values in a statement of its older versions."""


@dataclass(frozen=True)
class Summary:
    """The sum of a series so far, from agent A's side; as ``MatchResult``, for games in store."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: float = 0.5
    """The mean score; one half before the first game."""
    pair_scores: tuple[float, ...] = ()
    """The mean score of each pair of games."""
    interval: tuple[float, float] = (0.0, 1.0)
    """The 95 % interval of the score."""
    points: float = 0.0
    """The mean points a game."""
    plies: float = 0.0
    """The mean length of a game."""
    forfeits: tuple[int, int] = (0, 0)
    """How many games agents A and B forfeited."""
    costs: tuple[Seat, Seat] = (Seat(), Seat())
    """What the moves of agents A and B took in all games together."""

    @property
    def pairs(self) -> int:
        """How many pairs of games there are."""
        return len(self.pair_scores)

    def as_json(self) -> dict[str, Any]:
        """The facts that every match reports."""
        return {
            "games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "score": self.score, "interval": list(self.interval), "points": self.points,
            "forfeits": sum(self.forfeits), "forfeits_by_agent": list(self.forfeits),
            "late": sum(seat.late for seat in self.costs),
            "late_by_agent": [seat.late for seat in self.costs],
            "plies": self.plies,
        }  # fmt: skip


def summaries(database: Database, series: Sequence[int]) -> dict[int, Summary]:
    """The figures of each of these series."""
    found = dict.fromkeys(series, Summary())
    for start in range(0, len(series), _AT_ONCE):
        part = series[start : start + _AT_ONCE]
        places = ", ".join("?" * len(part))
        means: dict[int, list[float]] = {number: [] for number in part}
        for row in database.read(_PAIRS.format(places=places), *part):
            means[row["series"]] += [row["mean"]] * row["pairs"]
        for row in database.read(_SUMS.format(places=places), *part):
            number, costs = row["series"], tuple(row)[_FIRST_COST:]
            found[number] = Summary(
                games=row["games"], wins=row["wins"], draws=row["draws"], losses=row["losses"],
                score=row["score"], pair_scores=tuple(means[number]),
                interval=pair_interval(means[number]), points=row["points"], plies=row["plies"],
                forfeits=(row["a_forfeits"], row["b_forfeits"]),
                costs=(Seat(*costs[:_COSTS]), Seat(*costs[_COSTS:])),
            )  # fmt: skip
    return found
