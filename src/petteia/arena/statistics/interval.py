"""Intervals for a score between 0 and 1, and for points."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from petteia.arena.statistics.pairs import Sample

__all__ = ["Z95", "half_width", "pair_interval", "sample_interval", "wilson"]

Z95 = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""


def wilson(score: float, trials: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a proportion seen in ``trials`` independent trials.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    if trials <= 0:
        return (0.0, 1.0)
    squared = z * z / trials
    middle = (score + squared / 2) / (1 + squared)
    half = z * math.sqrt(score * (1 - score) / trials + squared / (4 * trials)) / (1 + squared)
    # At the ends the formula gives exactly 0 and 1, but for rounding.
    low = 0.0 if score <= 0 else max(0.0, middle - half)
    return (low, 1.0 if score >= 1 else min(1.0, middle + half))


def half_width(values: Sequence[float] | np.ndarray) -> float:
    """Half the width of the 95 % interval of a mean of unbounded values, at least two.

    Student, The probable error of a mean, 1908: few values know their deviation badly.
    """
    from scipy.special import stdtrit

    n = len(values)
    return float(stdtrit(n - 1, 0.975) * np.std(values, ddof=1) / math.sqrt(n))


def pair_interval(pairs: Sequence[float], z: float = Z95) -> tuple[float, float]:
    """A 95 % interval for the mean score, from the mean score of each pair of games.

    The two games of a pair share their opening and dice, so the pair is the independent unit. A
    score that varies between pairs by s^2 is worth m (1 - m) / (s^2 / n) independent trials of
    mean m (Kish's effective sample size); Wilson's interval of that size keeps its level near 0
    and 1, where the normal interval collapses. Two cases give no variance to go by: if every
    pair was won or lost whole, a pair counts as one trial; if every pair was split, the variance
    is taken to be at most what one differing pair in n would show.
    """
    n = len(pairs)
    if n == 0:
        return (0.0, 1.0)
    mean = sum(pairs) / n
    return _kish(mean, sum((pair - mean) ** 2 for pair in pairs), n, z)


def sample_interval(sample: Sample, z: float = Z95) -> tuple[float, float]:
    """The interval of `pair_interval` for the mean of a sample.

    Points are measured on the range of the sample's values as a score is on the range 0 to 1.
    """
    low, span = sample.values[0], sample.values[-1] - sample.values[0]
    n = sample.units
    if n == 0 or span == 0:
        return (low, low + span)
    mean = min(1.0, max(0.0, (sample.mean - low) / span))
    bottom, top = _kish(mean, sample.variance * n / span**2, n, z)
    return (low + span * bottom, low + span * top)


def _kish(mean: float, squares: float, n: int, z: float) -> tuple[float, float]:
    """From the sum of squared deviations of n units between 0 and 1."""
    spread = mean * (1 - mean)
    if spread == 0:
        return wilson(mean, n, z)
    variance = squares / (n - 1) if n > 1 else spread
    floor = 0.25 / n / n
    return wilson(mean, n * spread / max(variance, floor), z)
