"""Less noise in games of chance: the dice's luck taken out of the results."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petteia.arena.statistics.interval import Z95

__all__ = ["LuckAdjusted", "luck_adjusted"]


@dataclass(frozen=True)
class LuckAdjusted:
    """A mean result with the luck taken out, beside the plain one."""

    mean: float
    standard_error: float
    interval: tuple[float, float]
    plain_mean: float
    plain_standard_error: float
    plain_interval: tuple[float, float]
    coefficient: float
    """How much of the luck was taken out."""

    @property
    def width_ratio(self) -> float:
        """The width of the interval as a part of the plain one's; below 1 where it helps."""
        if self.plain_standard_error == 0:
            return 1.0
        return self.standard_error / self.plain_standard_error

    @property
    def games_ratio(self) -> float:
        """How many times as many games the plain mean needs; infinite if no noise is left."""
        return 1 / self.width_ratio**2 if self.width_ratio else math.inf


def luck_adjusted(
    results: ArrayLike,
    luck: ArrayLike,
    *,
    coefficient: float | None = 1.0,
    z: float = Z95,
) -> LuckAdjusted:
    """The mean of results minus luck, where the luck of a unit has mean zero.

    The method of control variates: J. M. Hammersley and D. C. Handscomb, Monte Carlo Methods,
    1964; in backgammon D. Montgomery, "Variance reduction", 2000. The luck of a roll is the value
    of the position after it less the mean value before it, by any evaluation, so its mean is
    zero for any players and any evaluation, however poor: the estimate stays unbiased.

    ``results`` and ``luck`` have one number for each unit (a pair, where games are paired).
    ``coefficient`` scales the luck; None takes the coefficient of regression, which makes the
    variance least and costs a bias of the order 1/n.
    """
    outcome, chance = np.asarray(results, float), np.asarray(luck, float)
    if outcome.ndim != 1 or outcome.shape != chance.shape:
        raise ValueError(f"one luck for each result, not {chance.shape} for {outcome.shape}")
    n, free = len(outcome), 1
    if coefficient is None:
        free = 2
        spread = float(((chance - chance.mean()) ** 2).sum()) if n else 0.0
        shared = float(((chance - chance.mean()) * outcome).sum()) if n else 0.0
        coefficient = shared / spread if spread else 0.0
    if n <= free:
        raise ValueError(f"at least {free + 1} units are needed, not {n}")
    adjusted = outcome - coefficient * chance
    mean, error = float(adjusted.mean()), _standard_error(adjusted, n - free)
    plain, plain_error = float(outcome.mean()), _standard_error(outcome, n - 1)
    return LuckAdjusted(
        mean,
        error,
        (mean - z * error, mean + z * error),
        plain,
        plain_error,
        (plain - z * plain_error, plain + z * plain_error),
        coefficient,
    )


def _standard_error(numbers: NDArray[np.float64], freedom: int) -> float:
    squares = float(((numbers - numbers.mean()) ** 2).sum())
    return math.sqrt(squares / freedom / len(numbers))
