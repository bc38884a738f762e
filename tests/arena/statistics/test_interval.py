"""Intervals of points keep their level."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.arena.statistics import Sample, sample_interval, wilson
from petteia.arena.statistics.interval import half_width

BACKGAMMON = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "chances",
    [
        (0.01, 0.13, 0.36, 0.36, 0.13, 0.01),
        (0.0, 0.05, 0.25, 0.45, 0.2, 0.05),
        (0.0, 0.0, 0.03, 0.6, 0.3, 0.07),
    ],
)
def test_the_interval_of_points_covers_the_truth(chances: tuple[float, ...]) -> None:
    rng = np.random.default_rng(2)
    truth, trials, covered = float(BACKGAMMON @ chances), 1500, 0
    for _ in range(trials):
        points = rng.choice(BACKGAMMON, p=chances, size=(40, 2))
        sample = Sample.of_points(points.tolist(), support=(3.0,))
        low, high = sample_interval(sample)
        covered += low <= truth <= high
    assert 0.925 <= covered / trials <= 0.985


def test_a_sweep_of_equal_points_is_not_certainty() -> None:
    sample = Sample.of_points([(2.0, 2.0)] * 10)
    low, high = sample_interval(sample)
    assert high == 2.0
    assert low == pytest.approx(-2 + 4 * wilson(1.0, 10)[0])


def test_few_values_have_the_width_of_student() -> None:
    # Student's quantile for one degree of freedom is 12.706; the deviation of 0 and 1 is √½.
    assert half_width([0.0, 1.0]) == pytest.approx(12.7062 / 2, rel=1e-4)
    rng = np.random.default_rng(4)
    held = [abs(x.mean()) <= half_width(x) for x in rng.normal(size=(2000, 3))]
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)
