"""Outcomes of pairs of games: what every other statistic starts from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Sample", "pentanomial", "trinomial"]


def pentanomial(pairs: Iterable[Sequence[float]]) -> tuple[int, int, int, int, int]:
    """The counts (LL, LD, DD+WL, WD, WW) of pairs, from one player's two scores in each.

    Two draws and a win with a loss are one outcome: a pair that was worth one point. The pair,
    not the game, is independent: the pentanomial model of M. Van den Bergh's notes for fishtest
    (https://cantate.be/Fishtest/support_MLE_multinomial.pdf).
    """
    counts = [0, 0, 0, 0, 0]
    for pair in pairs:
        first, second = pair
        counts[_half_points(first) + _half_points(second)] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def trinomial(scores: Iterable[float]) -> tuple[int, int, int]:
    """The counts (losses, draws, wins) of single games."""
    counts = [0, 0, 0]
    for score in scores:
        counts[_half_points(score)] += 1
    return (counts[0], counts[1], counts[2])


def _half_points(score: float) -> int:
    if score not in (0.0, 0.5, 1.0):
        raise ValueError(f"a score is 0, 0.5 or 1, not {score}")
    return round(2 * score)


@dataclass(frozen=True)
class Sample:
    """How often each value was seen; one value is the mean result a game of one unit."""

    values: tuple[float, ...]
    """What a unit can be worth, ascending; values that were never seen belong here too."""
    counts: tuple[int, ...]
    """How many units were worth each value."""
    games: int = 2
    """Games in a unit: 2 for pairs, 1 for single games."""
    even: float = 0.5
    """The value of an even result: one half for scores, zero for points."""

    def __post_init__(self) -> None:
        if len(self.values) != len(self.counts) or not self.values:
            raise ValueError(
                f"a sample has a count for each value, not {len(self.counts)} counts"
                f" for {len(self.values)} values"
            )
        if any(low >= high for low, high in zip(self.values, self.values[1:], strict=False)):
            raise ValueError(f"the values of a sample ascend, unlike {self.values}")
        if min(self.counts) < 0:
            raise ValueError(f"counts are not negative, not {self.counts}")

    @classmethod
    def of_counts(cls, counts: Sequence[int]) -> Sample:
        """Five counts are pairs (LL, LD, DD+WL, WD, WW), three are games (L, D, W)."""
        if len(counts) not in (3, 5):
            raise ValueError(f"3 counts of games or 5 counts of pairs, not {len(counts)}")
        steps = len(counts) - 1
        values = tuple(step / steps for step in range(steps + 1))
        return cls(values, tuple(counts), games=steps // 2)

    @classmethod
    def of_pairs(cls, pairs: Iterable[Sequence[float]]) -> Sample:
        """From one player's two scores (0, 0.5 or 1) in every pair."""
        return cls.of_counts(pentanomial(pairs))

    @classmethod
    def of_games(cls, scores: Iterable[float]) -> Sample:
        """From one player's scores in games that are not paired."""
        return cls.of_counts(trinomial(scores))

    @classmethod
    def of_points(
        cls, units: Iterable[Sequence[float]], *, support: Iterable[float] = ()
    ) -> Sample:
        """From one player's points in the games of every unit, such as -3 to 3 in backgammon.

        What one player can win the other can win too, so the support is made symmetrical;
        ``support`` adds values that are possible but were not seen.
        """
        rows = [tuple(unit) for unit in units]
        games = len(rows[0]) if rows else 2
        if games == 0 or any(len(row) != games for row in rows):
            raise ValueError("every unit has the same number of games, at least one")
        seen = Counter(sum(row) / games for row in rows)
        sizes = {abs(value) for value in (*seen, *support)} - {0.0} or {1.0}
        values = sorted({0.0, *sizes, *(-size for size in sizes)})
        counts = tuple(seen[value] for value in values)
        return cls(tuple(values), counts, games=games, even=0.0)

    @property
    def units(self) -> int:
        """How many units there are: pairs, or single games."""
        return sum(self.counts)

    @property
    def total_games(self) -> int:
        """How many games the units hold."""
        return self.games * self.units

    @property
    def mean(self) -> float:
        """The mean value; that of an even result while there are no units."""
        if self.units == 0:
            return self.even
        pairs = zip(self.values, self.counts, strict=True)
        return math.fsum(value * count for value, count in pairs) / self.units

    @property
    def variance(self) -> float:
        """The mean squared deviation of a unit's value from the mean (divided by n)."""
        if self.units == 0:
            return 0.0
        mean, pairs = self.mean, zip(self.values, self.counts, strict=True)
        return math.fsum((value - mean) ** 2 * count for value, count in pairs) / self.units

    @property
    def deviation(self) -> float:
        """The standard deviation of a unit's value."""
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; infinite while there are no units."""
        return self.deviation / math.sqrt(self.units) if self.units else math.inf

    def swapped(self) -> Sample:
        """The same games from the other player's side."""
        values = tuple(2 * self.even - value for value in reversed(self.values))
        return Sample(values, self.counts[::-1], games=self.games, even=self.even)
