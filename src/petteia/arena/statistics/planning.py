"""How many games a claim needs, and what a series of games can tell."""

from __future__ import annotations

import math

import numpy as np

from petteia.arena.statistics.elo import NORMALISED_UNIT, score_from_elo
from petteia.arena.statistics.sprt import Sprt

__all__ = [
    "biased_pair_variance",
    "expected_pairs",
    "games_to_be_sure",
    "pairs_for_elo",
    "pairs_to_detect",
    "series_win_probability",
]


def biased_pair_variance(favoured: float) -> float:
    """The variance of a pair's mean score between equals, without draws.

    ``favoured`` is how often the side that the opening favours wins. Each player has that side
    once, so the bias cancels and 2 p (1 - p) / 4 is left: 1/8 at p = 1/2, where pairing gains
    nothing, and less in every biased game.
    """
    if not 0 <= favoured <= 1:
        raise ValueError(f"a probability lies between 0 and 1, not {favoured}")
    return favoured * (1 - favoured) / 2


def pairs_to_detect(
    difference: float,
    *,
    variance: float,
    alpha: float = 0.05,
    power: float = 0.95,
    sides: int = 2,
) -> int:
    """How many pairs a test of fixed length needs to see a difference in the mean.

    The normal approximation, n = (z_α + z_power)² variance / difference², as in J. Cohen,
    Statistical Power Analysis, 1988; ``difference`` and ``variance`` are those of a unit's mean,
    so the same call counts single games if the variance is a game's. ``sides`` is 1 if only "the
    first is stronger" is asked, 2 if either may be.
    """
    if difference == 0:
        raise ValueError("no number of games shows a difference of zero")
    if not (0 < alpha < 1 and 0 < power < 1 and variance > 0 and sides in (1, 2)):
        raise ValueError(
            "alpha and power lie between 0 and 1, the variance is positive, sides is 1 or 2;"
            f" unlike {alpha}, {power}, {variance}, {sides}"
        )
    z = _quantile(1 - alpha / sides) + _quantile(power)
    return max(1, math.ceil(max(0.0, z) ** 2 * variance / difference**2))


def pairs_for_elo(
    elo: float,
    *,
    variance: float = 0.125,
    alpha: float = 0.05,
    power: float = 0.95,
    sides: int = 2,
) -> int:
    """How many pairs show that a player is ``elo`` stronger than an equal.

    The variance is that of unbiased games without draws unless another is given; a short series
    gives it as `Sample.variance`.
    """
    difference = score_from_elo(elo) - 0.5
    return pairs_to_detect(difference, variance=variance, alpha=alpha, power=power, sides=sides)


def expected_pairs(sprt: Sprt, *, variance: float, score: float | None = None) -> float:
    """How many pairs a sequential test takes on average if the true score is ``score``.

    A. Wald, Sequential Analysis, 1947, for the Brownian motion that the ratio resembles; the
    truth is the middle of the hypotheses, where the test is nearly longest, if no score is given.
    The real test is longer by a few per cent, because it steps over its bounds.
    """
    if sprt.model == "logistic":
        score0, score1 = score_from_elo(sprt.elo0), score_from_elo(sprt.elo1)
    else:
        unit = math.sqrt(2 * variance) / NORMALISED_UNIT
        score0, score1 = 0.5 + sprt.elo0 * unit, 0.5 + sprt.elo1 * unit
    middle = (score0 + score1) / 2
    excess = (middle if score is None else score) - middle
    diffusion = (score1 - score0) ** 2 / variance
    # Seen from the side that it drifts to, so that no exponential overflows.
    low, high = sprt.bounds
    near, far = (high, -low) if excess >= 0 else (-low, high)
    bent = 2 * abs(excess) / (score1 - score0)
    if bent * (near + far) < 1e-6:
        return near * far / diffusion
    there = math.expm1(-bent * far) / math.expm1(-bent * (near + far))
    return (there * near - (1 - there) * far) / (bent * diffusion / 2)


def series_win_probability(win: float, games: int, *, draw: float = 0.0) -> float:
    """The exact probability that a player wins more games of a series than he loses.

    ``win`` and ``draw`` are the chances in a single game. Without draws it is the upper half of a
    binomial distribution.
    """
    if games < 0 or win < 0 or draw < 0 or win + draw > 1:
        raise ValueError(
            f"games is not negative, win and draw are chances; unlike {games}, {win}, {draw}"
        )
    from scipy.special import betainc, gammaln, xlogy

    # Sum over how many games are not drawn; of those the wins are binomial, whose upper tail is
    # the incomplete beta function.
    decided = np.arange(games + 1) if draw else np.array([games])
    drawn = games - decided
    choices = gammaln(games + 1) - gammaln(decided + 1) - gammaln(drawn + 1)
    weights = np.exp(choices + xlogy(decided, 1 - draw) + xlogy(drawn, draw))
    needed = decided // 2 + 1
    share = min(1.0, win / (1 - draw)) if draw < 1 else 0.0
    tails = np.where(decided, betainc(needed, np.maximum(1, decided - needed + 1), share), 0.0)
    return min(1.0, float(weights @ tails))


def games_to_be_sure(win: float, *, probability: float = 0.95, draw: float = 0.0) -> int:
    """The smallest odd number of games that the better player wins with this probability.

    Odd, because an even series can end level. A player who wins 55 % of single games needs 269
    for 95 %.
    """
    if not (win > (1 - draw) / 2 and win + draw <= 1):
        raise ValueError(f"the better player wins more than he loses, unlike {win}")
    if not 0 < probability < 1:
        raise ValueError(f"the probability lies between 0 and 1, not {probability}")

    def enough(half: int) -> bool:
        return series_win_probability(win, 2 * half + 1, draw=draw) >= probability

    high = 0
    while not enough(high):
        high = 2 * high + 1
        if high > _LONGEST:
            raise ValueError(f"more than {2 * _LONGEST} games would be needed")
    low = (high - 1) // 2 if high else 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return 2 * high + 1


_LONGEST = 2**22


def _quantile(probability: float) -> float:
    # Not at the top: the standard library's module takes 10 ms to import.
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)
