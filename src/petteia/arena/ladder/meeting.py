"""Two submissions that play each other, and what their games came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from petteia.arena.contest import Contest
from petteia.arena.play import Seat
from petteia.arena.store import GameRow

__all__ = ["Meeting", "Tally", "whole_pairs"]


@dataclass
class Tally:
    """What somebody's games came to."""

    scores: Counter[float] = field(default_factory=Counter)
    seat: Seat = field(default_factory=Seat)
    forfeits: Counter[str] = field(default_factory=Counter)
    """How often each reason occurred."""

    def add(self, other: Tally) -> None:
        """Takes in other games."""
        self.scores += other.scores
        self.seat += other.seat
        self.forfeits += other.forfeits


@dataclass
class Meeting:
    """Two that play each other, and their games."""

    first: int
    second: int
    contest: Contest
    series: int | None = None
    """Its number in the store."""
    games: tuple[GameRow, ...] = ()
    """Both games of every pair, in the order of the pairs."""
    asked: set[int] = field(default_factory=set)
    """The pairs that are being played, or could not be."""

    def missing(self, pairs: int) -> list[int]:
        """The pairs that nobody has played or is playing."""
        known = {row.pair for row in self.games} | self.asked
        return [index for index in range(pairs) if index not in known]

    def add(self, rows: Sequence[GameRow]) -> None:
        """Takes in games that were played."""
        both = sorted([*self.games, *rows], key=lambda row: (row.pair, row.number))
        self.games = tuple(both)
        for name in ("pair_scores", "tallies"):
            self.__dict__.pop(name, None)

    @property
    def score(self) -> float | None:
        """The first one's mean score, if they have played."""
        means = self.pair_scores
        return sum(means) / len(means) if means else None

    @cached_property
    def pair_scores(self) -> list[float]:
        """The first one's mean score in every pair."""
        scores = [row.score for row in self.games]
        return [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=True)]

    @cached_property
    def tallies(self) -> tuple[Tally, Tally]:
        """What the games came to for both."""
        found = (Tally(), Tally())
        for agent, tally in enumerate(found):
            for row in self.games:
                tally.scores[1 - row.score if agent else row.score] += 1
                tally.seat += row.costs[agent]
                if row.forfeit is not None and row.forfeit_agent == agent:
                    tally.forfeits[row.forfeit.reason] += 1
        return found


def whole_pairs(rows: list[GameRow]) -> tuple[GameRow, ...]:
    """The games of pairs that are there with both."""
    counts = Counter(row.pair for row in rows)
    return tuple(row for row in rows if counts[row.pair] == 2)
