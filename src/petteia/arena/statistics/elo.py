"""Strength on the Elo scales: logistic and normalised, and the likelihood of superiority."""

from __future__ import annotations

import math
from dataclasses import dataclass

from petteia.arena.statistics.interval import Z95, sample_interval
from petteia.arena.statistics.pairs import Sample

__all__ = [
    "NORMALISED_UNIT",
    "EloEstimate",
    "elo_estimate",
    "elo_from_score",
    "los",
    "normalised_elo",
    "score_from_elo",
]

NORMALISED_UNIT = 800 / math.log(10)
"""Normalised Elo of one standard deviation a game; with it a game without draws between near
equals has the same Elo on both scales."""


def score_from_elo(elo: float) -> float:
    """The expected score of a player who is ``elo`` stronger.

    A. Elo, The Rating of Chessplayers, 1978, with the logistic curve.
    """
    # Written so that neither end overflows.
    if elo < 0:
        strength = 10 ** (elo / 400)
        return strength / (1 + strength)
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score: float) -> float:
    """The Elo difference with this expected score; infinite at 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies between 0 and 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference with its interval; either may be infinite."""

    elo: float
    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """The same with null for infinity, which JSON cannot write."""
        numbers = {"elo": self.elo, "low": self.low, "high": self.high}
        return {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def elo_estimate(sample: Sample, z: float = Z95) -> EloEstimate:
    """The Elo difference of a sample of scores, with its interval (95 % unless ``z`` says else).

    The ends of the score's interval are mapped through the logistic curve, so the interval of the
    Elo is not symmetrical and has an infinite end where the score was 0 or 1.
    """
    _need_scores(sample)
    low, high = sample_interval(sample, z)
    return EloEstimate(elo_from_score(sample.mean), elo_from_score(low), elo_from_score(high))


def normalised_elo(sample: Sample, z: float = Z95) -> EloEstimate:
    """The normalised Elo: the excess over an even result in standard deviations of a game.

    M. Van den Bergh, "Normalized Elo" (https://cantate.be/Fishtest/normalized_elo.pdf):
    nElo = (mean - even) / σ × 800 / ln 10, where σ belongs to one game. A pair's mean has the
    deviation σ / √2 of a game's, so for pairs σ is √2 times what the pairs show. The interval
    takes σ as known: half its width is z / √games units; where σ is zero nothing is known. It
    says how many games a difference takes to be seen, and is defined for points as well.
    """
    excess, sigma = sample.mean - sample.even, sample.deviation * math.sqrt(sample.games)
    if sigma == 0:
        elo = math.copysign(math.inf, excess) if excess else 0.0
        return EloEstimate(elo, -math.inf, math.inf)
    elo = excess / sigma * NORMALISED_UNIT
    half = z * NORMALISED_UNIT / math.sqrt(sample.total_games)
    return EloEstimate(elo, elo - half, elo + half)


def los(sample: Sample) -> float:
    """The likelihood of superiority: how probable it is that the first player is the stronger.

    Φ((mean - even) / standard error), the posterior under a flat prior (as in fishtest). Where all
    units are alike there is no variance to go by; then the units are counted as won or lost
    whole, and Laplace's rule of succession gives 1 - 2^-(n + 1) for n wins.
    """
    excess = sample.mean - sample.even
    if excess == 0:
        return 0.5
    if sample.variance == 0:
        doubt = 0.5 ** (sample.units + 1)
        return 1 - doubt if excess > 0 else doubt
    return 0.5 * math.erfc(-excess / sample.standard_error / math.sqrt(2))


def _need_scores(sample: Sample) -> None:
    if sample.values[0] < 0 or sample.values[-1] > 1 or sample.even != 0.5:
        raise ValueError("Elo needs scores between 0 and 1; points have a normalised Elo")
