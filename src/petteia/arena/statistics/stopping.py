"""What a result is worth when the result itself decided when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from petteia.arena.statistics.elo import NORMALISED_UNIT, elo_from_score, score_from_elo
from petteia.arena.statistics.pairs import Sample
from petteia.arena.statistics.sprt import REGULARISER, Sprt

__all__ = ["StoppedEstimate", "bias_note", "hit_by", "stopped_estimate"]

OVERSHOOT = 0.5826
"""By how many standard deviations of a step a walk oversteps a bound on average.

D. Siegmund, Sequential Analysis, 1985, chapter X: the constant -ζ(1/2) / √(2π).
"""


@dataclass(frozen=True)
class StoppedEstimate:
    """The mean result, corrected for having stopped when it looked clear."""

    mean: float
    """Median unbiased: as often too high as too low."""
    low: float
    high: float
    """The 95 % interval that belongs to it."""
    plain: float
    """The mean as seen, biased towards what the test decided."""


def stopped_estimate(sprt: Sprt, counts: Sequence[int] | Sample) -> StoppedEstimate | None:
    """The median-unbiased mean after the test has decided; None while it has not.

    Outcomes are ordered from "H1 accepted at once" down to "H0 accepted at once", and the estimate
    is the mean under which an outcome at least as high has probability one half (0.025 and 0.975
    for the ends of the interval): D. Siegmund, "Estimation following sequential tests", 1978. The
    walk of the results is taken for a Brownian motion with bounds moved by its mean overshoot,
    which is rough where a few pairs decide.
    """
    sample = counts if isinstance(counts, Sample) else Sample.of_counts(counts)
    llr = sprt.llr(sample)
    decision = sprt.decision(llr)
    if decision == "continue":
        return None
    sigma = _deviation(sample)
    low, high = _hypotheses(sprt, sample, sigma)
    middle, per_step = (low + high) / 2, (high - low) / sigma
    bounds = sprt.bounds
    up, down = bounds[1] / per_step + OVERSHOOT, -bounds[0] / per_step + OVERSHOOT
    smallest, largest = sample.values[0], sample.values[-1]

    def at_least(mean: float) -> float:
        """How probable an outcome at least as high as this one is."""
        drift = (mean - middle) / sigma
        if decision == "accept H1":
            return hit_by(sample.units, drift=drift, near=up, far=down)
        return 1 - hit_by(sample.units, drift=-drift, near=down, far=up)

    def mean_with(probability: float) -> float:
        return _rising_root(lambda mean: at_least(mean) - probability, smallest, largest)

    return StoppedEstimate(mean_with(0.5), mean_with(0.025), mean_with(0.975), sample.mean)


def bias_note(sprt: Sprt, counts: Sequence[int] | Sample) -> str:
    """One sentence that says what the early stop did to the estimate."""
    sample = counts if isinstance(counts, Sample) else Sample.of_counts(counts)
    found = stopped_estimate(sprt, sample)
    if found is None:
        return (
            "The sequential test has not decided; a result read while it runs is unbiased"
            " only if the number of games was fixed beforehand."
        )
    if sample.even == 0.5:
        low, mean, high = (_signed(elo_from_score(x)) for x in (found.low, found.mean, found.high))
        shown = f"{_signed(elo_from_score(found.plain))} Elo"
    else:
        low, mean, high = (f"{x:+.3f}" for x in (found.low, found.mean, found.high))
        shown = f"{found.plain:+.3f} points"
    return (
        f"The series stopped when it looked clear, so its {shown} is biased towards the decision;"
        f" corrected for that (median unbiased) it is {mean}, 95 % interval {low} to {high}."
    )


def hit_by(time: float, *, drift: float, near: float, far: float) -> float:
    """How probable it is that a Brownian motion from 0 is at ``near`` before ``time`` and ``-far``.

    Unit variance. By the method of images (D. Siegmund, Sequential Analysis, 1985, chapter III):
    the bounds are reflected in each other, and each image adds or takes away the first-passage
    distribution of a single bound (the inverse Gaussian).
    """
    if time <= 0:
        return 0.0
    from scipy.special import log_ndtr

    # Images further than 9 √time are out of reach in that time.
    reach = 2 + math.ceil(9 * math.sqrt(time) / (near + far))
    places = near + 2 * (near + far) * np.arange(-reach, reach + 1)
    distance, speed, root = np.abs(places), abs(drift), math.sqrt(time)
    with_it = drift * near - speed * distance + log_ndtr((speed * time - distance) / root)
    against = drift * near + speed * distance + log_ndtr(-(speed * time + distance) / root)
    total = (np.sign(places) * (np.exp(with_it) + np.exp(against))).sum()
    return float(min(1.0, max(0.0, total)))


def _deviation(sample: Sample) -> float:
    """The deviation of a unit, with unseen values regularised as in the test."""
    counts = np.array([count or REGULARISER for count in sample.counts])
    values = np.array(sample.values)
    mean = (counts * values).sum() / counts.sum()
    return math.sqrt((counts * (values - mean) ** 2).sum() / counts.sum())


def _hypotheses(sprt: Sprt, sample: Sample, sigma: float) -> tuple[float, float]:
    """The means of a unit that the test tells apart."""
    if sprt.model == "logistic":
        return (score_from_elo(sprt.elo0), score_from_elo(sprt.elo1))
    unit = sigma * math.sqrt(sample.games) / NORMALISED_UNIT
    return (sample.even + sprt.elo0 * unit, sample.even + sprt.elo1 * unit)


def _rising_root(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _signed(elo: float) -> str:
    return f"{elo:+.1f}"
