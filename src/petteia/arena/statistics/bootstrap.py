"""Intervals by resampling, where no formula is at hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics.pairs import Sample

__all__ = ["bootstrap_interval", "resampled_means"]

Floats = NDArray[np.float64]


def resampled_means(sample: Sample, *, seed: int, resamples: int = 10_000) -> Floats:
    """The means of ``resamples`` samples drawn with replacement from this one, unit by unit.

    Units of equal value are alike, so a resample is one multinomial draw of counts.
    """
    if sample.units == 0:
        raise ValueError("an empty sample cannot be resampled")
    shares = np.array(sample.counts, float) / sample.units
    counts = np.random.default_rng(seed).multinomial(sample.units, shares, size=resamples)
    means: Floats = counts @ np.array(sample.values) / sample.units
    return means


def bootstrap_interval(
    sample: Sample,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
    statistic: Callable[[Floats], Floats] | None = None,
) -> tuple[float, float]:
    """The percentile interval of the mean, or of a function ``statistic`` of means.

    B. Efron, "Bootstrap methods: another look at the jackknife", 1979. The unit is the pair. Like
    every bootstrap it knows nothing of values that were never seen: where all units are alike the
    interval is empty, and `sample_interval` is the honest one.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level lies between 0 and 1, not {level}")
    means = resampled_means(sample, seed=seed, resamples=resamples)
    drawn = means if statistic is None else statistic(means)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return (float(low), float(high))
