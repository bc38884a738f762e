"""What a result is worth when the result itself decided when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics.elo import EloEstimate, elo_from_score
from petteia.arena.statistics.pairs import Sample
from petteia.arena.statistics.sprt import Decision, Floats, Sprt

__all__ = ["StoppedEstimate", "bias_note", "stopped_estimate"]

_TAIL = 0.025
"""The probability beyond each end of a 95 % interval."""
_SERIES = 2000
"""Simulated series. Four times as many moved the ends of four intervals by 0.2 to 5 % of their
width, and take four times as long."""
_LOOKS = 100
"""How often a simulated series is held against the bounds at most."""
_OVERSHOOT = 0.5826
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

    @property
    def elo(self) -> EloEstimate:
        """The same on the Elo scale, for scores."""
        return EloEstimate(*map(elo_from_score, (self.mean, self.low, self.high)))


def stopped_estimate(sprt: Sprt, counts: Sequence[int] | Sample) -> StoppedEstimate | None:
    """The median-unbiased mean of a series that ended with the test's decision, else None.

    Outcomes are ordered from "H1 accepted at once" down to "H0 accepted at once", those that stop
    at the same time by their means; the lower end of the interval is the mean under which an
    outcome at least as high has probability 0.025, the upper end the one under which an outcome
    at most as high has it: D. Siegmund, "Estimation following sequential tests", 1978.

    The probabilities come from series that are simulated with the test itself, so that they hold
    for any difference, whether it took ten pairs or ten thousand. The simulated pairs have the
    distribution that was seen; other means tilt it exponentially, for which the same series are
    weighed anew by their likelihood.
    """
    sample = counts if isinstance(counts, Sample) else Sample.of_counts(counts)
    return _estimate(sprt, sample)


@lru_cache(maxsize=256)
def _estimate(sprt: Sprt, sample: Sample) -> StoppedEstimate | None:
    decision = sprt.decision(sprt.llr(sample))
    if decision == "continue" or not _ends_there(sprt, sample, decision):
        return None
    if decision == "accept H0":
        mirrored = _estimate(sprt.swapped(), sample.swapped())
        assert mirrored is not None
        low, mean, high = (
            2 * sample.even - each for each in (mirrored.high, mirrored.mean, mirrored.low)
        )
        return StoppedEstimate(mean, low, high, sample.mean)
    tilted = _Tilted(np.array(sample.values), _smoothed(sample))
    return _Replayed(sprt, sample, tilted).estimate()


def _ends_there(sprt: Sprt, sample: Sample, decision: Decision) -> bool:
    """Whether the last unit can have brought the decision, whichever it was."""
    counts = np.array(sample.counts, float)
    seen = np.flatnonzero(counts)
    before = sprt.llrs(counts - np.eye(len(counts))[seen], sample)
    return any(sprt.decision(float(ratio)) != decision for ratio in before)


def bias_note(sprt: Sprt, counts: Sequence[int] | Sample) -> str:
    """One sentence that says what the early stop did to the estimate."""
    sample = counts if isinstance(counts, Sample) else Sample.of_counts(counts)
    found = stopped_estimate(sprt, sample)
    if found is None and sprt.decision(sprt.llr(sample)) != "continue":
        return (
            "The games go on after the sequential test had decided, so that nothing can correct"
            " their result for the early decision."
        )
    if found is None:
        return (
            "The sequential test has not decided; a result read while it runs is unbiased"
            " only if the number of games was fixed beforehand."
        )
    if sample.even == 0.5:
        elo = found.elo
        low, mean, high = (_signed(each) for each in (elo.low, elo.elo, elo.high))
        shown = f"{_signed(elo_from_score(found.plain))} Elo"
    else:
        low, mean, high = (f"{x:+.3f}" for x in (found.low, found.mean, found.high))
        shown = f"{found.plain:+.3f} points"
    return (
        f"The series stopped when it looked clear, so its {shown} is biased towards the decision;"
        f" corrected for that (median unbiased) it is {mean}, 95 % interval {low} to {high}."
    )


def _signed(elo: float) -> str:
    return f"{elo:+.1f}" if math.isfinite(elo) else "unbounded"


# --- the distribution of a unit -------------------------------------------------------------------


class _Tilted:
    """The distributions p(v) e^(λ v) / e^K(λ) of a unit's value; λ = 0 is the one given."""

    def __init__(self, values: Floats, shares: Floats) -> None:
        self.values, self.shares = values, shares
        self.steepest = 200 / (values[-1] - values[0])
        """A tilt after which the mean cannot be told from the largest value."""

    def at(self, tilt: float) -> tuple[Floats, float]:
        """The distribution with this tilt, and K."""
        exponents = np.log(self.shares) + tilt * self.values
        top = exponents.max()
        weights = np.exp(exponents - top)
        total = weights.sum()
        return weights / total, float(top + math.log(total))

    def mean(self, tilt: float) -> float:
        """The mean with this tilt."""
        return float(self.at(tilt)[0] @ self.values)

    def to_mean(self, mean: float) -> float:
        """The tilt that has this mean."""
        end = self.steepest
        return _rising_root(lambda tilt: self.mean(tilt) - mean, -end, end)


def _smoothed(sample: Sample) -> Floats:
    """What was seen, and one unit more for what was not: the most even distribution with this mean.

    Without it a series of nothing but wins would say that nothing but wins is possible.
    """
    values = np.array(sample.values)
    mean = (sample.mean * sample.units + sample.even) / (sample.units + 1)
    even = _Tilted(values, np.full(len(values), 1 / len(values)))
    weights = np.array(sample.counts) + even.at(even.to_mean(mean))[0]
    shares: Floats = weights / weights.sum()
    return shares


# --- the test, played again -----------------------------------------------------------------------


class _Replayed:
    """Series under the distribution that was seen, each to its stop or to the observed length."""

    def __init__(self, sprt: Sprt, sample: Sample, tilted: _Tilted) -> None:
        self.sprt, self.sample, self.tilted = sprt, sample, tilted
        self.units = np.full(_SERIES, sample.units)
        """How many units each series took, (series,)."""
        self.totals = np.zeros(_SERIES)
        """The sum of its values, (series,)."""
        self.above = np.zeros(_SERIES, np.bool_)
        """Whether its outcome is higher than the observed one, (series,)."""
        self.tied = np.zeros(_SERIES, np.bool_)
        """Whether its outcome is the observed one, (series,)."""
        self._play(np.random.default_rng(sample.counts))

    def _play(self, rng: np.random.Generator) -> None:
        values, end = self.tilted.values, self.sample.units
        stride = math.ceil(end / _LOOKS)
        low, high = self._bounds(stride)
        observed = self.sample.mean * end
        slack = 1e-9 * max(1.0, abs(observed))
        live, counts = np.arange(_SERIES), np.zeros((_SERIES, len(values)))
        for played in range(end - stride * ((end - 1) // stride), end + 1, stride):
            fresh = min(stride, played)
            counts[live] += rng.multinomial(fresh, self.tilted.shares, size=len(live))
            ratios = self.sprt.llrs(counts[live], self.sample)
            up, down = ratios >= high, ratios <= low
            self.units[live[up | down]] = played
            if played < end:
                self.above[live[up]] = True
            else:
                totals = counts[live] @ values
                self.above[live] = up & (totals > observed + slack)
                self.tied[live] = up & (np.abs(totals - observed) <= slack)
            live = live[~(up | down)]
            if not len(live):
                break
        self.totals = counts @ values

    def _bounds(self, stride: int) -> tuple[float, float]:
        """The bounds of the test, drawn in for what a look at every ``stride``-th unit misses."""
        low, high = self.sprt.bounds
        if stride == 1:
            return low, high
        shares, sample = self.tilted.shares, self.sample
        # The ratio of a large sample grows by this much with a unit of each value.
        sizes = shares * sample.units
        steps = [
            self.sprt.llrs(sizes + each, sample) - self.sprt.llrs(sizes, sample)
            for each in np.eye(len(shares))
        ]
        deviation = math.sqrt(float(shares @ np.square(steps) - (shares @ np.array(steps)) ** 2))
        missed = _OVERSHOOT * (math.sqrt(stride) - 1) * deviation
        return low + missed, high - missed

    def _log_weights(self, tilt: float) -> Floats:
        """The log-likelihood of each series under another tilt, less that under the one it was
        played with; when a series stops depends on its units alone, so theirs is all of it."""
        weights: Floats = tilt * self.totals - self.units * self.tilted.at(tilt)[1]
        return weights

    def _probability(self, tilt: float, event: NDArray[np.bool_]) -> float:
        """How probable an event is with this tilt."""
        return float((np.exp(np.minimum(self._log_weights(tilt), 700.0)) * event).mean())

    def estimate(self) -> StoppedEstimate:
        """The mean and its interval."""
        tilted, end = self.tilted, self.tilted.steepest
        reached, not_above = self.above | self.tied, ~self.above

        def at_least(tilt: float) -> float:
            return self._probability(tilt, reached) - _TAIL

        def at_most(tilt: float) -> float:
            return _TAIL - self._probability(tilt, not_above)

        def middle(tilt: float) -> float:
            logs = self._log_weights(tilt)
            weights = np.exp(logs - logs.max())
            return float(weights @ (self.above + 0.5 * self.tied) / weights.sum()) - 0.5

        # Half a standard error: the series still speak of where such steps first lead past a root,
        # but not of tilts under which hardly one of them is probable.
        deviation = math.sqrt(float(np.var(self.totals)) or 1.0)
        step = 0.5 / deviation

        def root(rising: Callable[[float], float], start: float) -> float:
            sign = 1 if rising(start) < 0 else -1
            here = start
            while abs(here) < end:
                there = here + sign * step
                if (rising(there) >= 0) == (sign > 0):
                    return _rising_root(rising, min(here, there), max(here, there))
                here = there
            return math.copysign(end, sign)

        centre = root(middle, 0.0)
        low, high = (tilted.mean(root(each, centre)) for each in (at_least, at_most))
        # If nothing above the outcome is possible, no mean is too high for it.
        largest = float(tilted.values[-1])
        mean = largest if centre >= end else tilted.mean(centre)
        return StoppedEstimate(mean, low, high if self.above.any() else largest, self.sample.mean)


def _rising_root(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
