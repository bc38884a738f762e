"""The sequential probability ratio test, generalised to unknown distributions (GSPRT)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics.elo import NORMALISED_UNIT, score_from_elo
from petteia.arena.statistics.pairs import Sample

__all__ = [
    "REGULARISER",
    "Decision",
    "Floats",
    "Model",
    "Sprt",
    "llr_of_means",
    "llr_of_t_values",
    "tilted_to_mean",
    "tilted_to_t_value",
]

Model = Literal["logistic", "normalised"]
Decision = Literal["accept H1", "accept H0", "continue"]
Floats = NDArray[np.float64]

REGULARISER = 1e-3
"""What a count of zero is replaced by. Without it a value that was never seen would have no
probability under either hypothesis, and a game without draws or lost pairs would have no ratio."""


@dataclass(frozen=True)
class Sprt:
    """A test of H0 (the difference is ``elo0``) against H1 (it is ``elo1``).

    A. Wald, Sequential Analysis, 1947; for unknown distributions X. Li, J. Liu and Z. Ying,
    "Generalized sequential probability ratio test for separate families of hypotheses", 2014, in
    the form of M. Van den Bergh's "A practical introduction to the GSPRT"
    (https://cantate.be/Fishtest/GSPRT_approximation.pdf), as in fishtest and fastchess.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often H1 may be accepted when H0 is true."""
    beta: float = 0.05
    """How often H0 may be accepted when H1 is true."""
    model: Model = "logistic"
    """Whether the Elo is logistic (an expected score) or normalised (in standard deviations)."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 lies below elo1, not {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError(
                f"alpha and beta are positive and sum to less than 1, not {self.alpha}"
                f" and {self.beta}"
            )
        if self.model not in ("logistic", "normalised"):
            raise ValueError(f"the model is 'logistic' or 'normalised', not {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1 (Wald's approximation)."""
        low = math.log(self.beta / (1 - self.alpha))
        return (low, math.log((1 - self.beta) / self.alpha))

    def swapped(self) -> Sprt:
        """The same test from the other player's side."""
        return Sprt(-self.elo1, -self.elo0, self.beta, self.alpha, self.model)

    def llr(self, counts: Sequence[int] | Sample) -> float:
        """The log-likelihood ratio of H1 to H0.

        Five counts are pairs (LL, LD, DD+WL, WD, WW), three are single games (L, D, W); a sample
        may be one of points if the model is normalised.
        """
        sample = counts if isinstance(counts, Sample) else Sample.of_counts(counts)
        if sample.units == 0:
            return 0.0
        return float(self.llrs(np.array(sample.counts, float), sample))

    def llrs(self, counts: Floats, like: Sample) -> Floats:
        """The ratios of many samples: ``counts`` is (..., values), the rest is as in ``like``."""
        values = np.array(like.values)
        if self.model == "logistic":
            if like.even != 0.5:
                raise ValueError("the logistic model needs scores; points need the normalised one")
            return llr_of_means(values, counts, *map(score_from_elo, (self.elo0, self.elo1)))
        # A unit of n games has √n times the t-value of one game.
        unit = math.sqrt(like.games) / NORMALISED_UNIT
        return llr_of_t_values(values, counts, self.elo0 * unit, self.elo1 * unit, like.even)

    def decision(self, llr: float) -> Decision:
        """What this ratio says."""
        low, high = self.bounds
        return "accept H1" if llr >= high else "accept H0" if llr <= low else "continue"


def llr_of_means(values: Floats, counts: Floats, mean0: float, mean1: float) -> Floats:
    """The log-likelihood ratio of mean1 to mean0, each under its most likely distribution.

    ``values`` is (k,), ``counts`` is (..., k); the result is (...,).
    """
    counts, shares = _regularised(counts)
    likely = [tilted_to_mean(values, shares, mean) for mean in (mean0, mean1)]
    return _log_ratio(counts, likely[1], likely[0])


def llr_of_t_values(
    values: Floats, counts: Floats, t0: float, t1: float, even: float = 0.5
) -> Floats:
    """The log-likelihood ratio of two t-values (mean - even) / σ of a unit; shapes as above."""
    counts, shares = _regularised(counts)
    likely = [tilted_to_t_value(values, shares, t, even) for t in (t0, t1)]
    return _log_ratio(counts, likely[1], likely[0])


def tilted_to_mean(values: Floats, shares: Floats, mean: float) -> Floats:
    """The most likely distribution with this mean, where ``shares`` (..., k) were observed.

    M. Van den Bergh's note on the multinomial distribution with a given expectation
    (https://cantate.be/Fishtest/support_MLE_multinomial.pdf), proposition 1.1: it is
    share / (1 + θ (value - mean)), with the θ for which its mean is as wanted.
    """
    return _tilted(np.broadcast_to(values - mean, shares.shape), shares)


def tilted_to_t_value(values: Floats, shares: Floats, t: float, even: float = 0.5) -> Floats:
    """The most likely distribution with (mean - even) / σ = t, where ``shares`` were observed.

    M. Van den Bergh, "Comments on Normalized Elo", section 4.1
    (https://cantate.be/Fishtest/normalized_elo_practical.pdf): linearised about a distribution
    with mean μ and deviation σ the condition says that
    value - even - t σ (1 + ((value - μ) / σ)²) / 2 has mean zero; repeated from the uniform
    distribution until it stands still.
    """
    likely = np.full(shares.shape, 1 / len(values))
    for _ in range(_FIXED_POINT_STEPS):
        before = likely
        mean = (likely * values).sum(-1, keepdims=True)
        sigma = np.sqrt((likely * (values - mean) ** 2).sum(-1, keepdims=True))
        bent = values - even - t * sigma * (1 + ((values - mean) / sigma) ** 2) / 2
        likely = _tilted(bent, shares)
        if np.abs(likely - before).max() < 1e-9:
            break
    return likely


_FIXED_POINT_STEPS = 10
_NEWTON_STEPS = 100


def _regularised(counts: Floats) -> tuple[Floats, Floats]:
    counts = np.where(counts == 0, REGULARISER, counts)
    return counts, counts / counts.sum(-1, keepdims=True)


def _log_ratio(counts: Floats, above: Floats, below: Floats) -> Floats:
    ratio: Floats = (counts * np.log(above / below)).sum(-1)
    return ratio


def _tilted(moments: Floats, shares: Floats) -> Floats:
    """share / (1 + θ moment) with the θ for which the mean of the moments is zero.

    The mean falls as θ grows between the poles -1 / max and -1 / min, so Newton's method, kept
    between the nearest known sides of the root, always gets there.
    """
    low, high = -1 / moments.max(-1, keepdims=True), -1 / moments.min(-1, keepdims=True)
    if not (np.all(low < 0) and np.all(high > 0)):
        raise ValueError("no distribution of these values can have what the hypothesis says")
    # Just inside the poles, so that a step may end on a side but never on a pole.
    low, high = low * (1 - 1e-15), high * (1 - 1e-15)
    theta = np.zeros_like(low)
    close = 1e-13 * (high - low)
    for _ in range(_NEWTON_STEPS):
        terms = moments / (1 + theta * moments)
        mean = (shares * terms).sum(-1, keepdims=True)
        slope = -(shares * terms**2).sum(-1, keepdims=True)
        low, high = np.where(mean > 0, theta, low), np.where(mean > 0, high, theta)
        step = theta - mean / slope
        step = np.where((low <= step) & (step <= high), step, (low + high) / 2)
        done = np.abs(step - theta) <= close
        theta = step
        if done.all():
            break
    likely: Floats = shares / (1 + theta * moments)
    return likely
