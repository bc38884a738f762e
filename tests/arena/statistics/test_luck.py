"""Taking out the luck narrows the interval and leaves the mean alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from petteia.arena.statistics import luck_adjusted

Floats = NDArray[np.float64]


def _race(rng: np.random.Generator, games: int, skill: float) -> tuple[Floats, Floats]:
    """Ten throws of a die each; the first player adds his skill, the larger sum wins a point.

    The luck of a throw is estimated by a poor evaluation: its pips above 3.5, a linear scale.
    """
    dice = rng.integers(1, 7, size=(games, 2, 10))
    ahead = (dice[:, 0] - dice[:, 1]).sum(1) + skill
    results = np.sign(ahead).astype(float)
    luck = 0.08 * ((dice[:, 0] - 3.5) - (dice[:, 1] - 3.5)).sum(1)
    return results, luck


def test_the_adjusted_mean_is_unbiased_and_its_interval_narrower() -> None:
    rng = np.random.default_rng(3)
    truth = float(_race(rng, 1_000_000, 2.0)[0].mean())
    covered, plain_covered, means, trials = 0, 0, [], 1000
    for _ in range(trials):
        found = luck_adjusted(*_race(rng, 200, 2.0))
        covered += found.interval[0] <= truth <= found.interval[1]
        plain_covered += found.plain_interval[0] <= truth <= found.plain_interval[1]
        means.append(found.mean)
        assert found.width_ratio < 0.8
        assert found.games_ratio == pytest.approx(found.width_ratio**-2)
    assert np.mean(means) == pytest.approx(truth, abs=4 * np.std(means) / np.sqrt(trials) + 0.003)
    assert 0.93 <= covered / trials <= 0.97
    assert 0.93 <= plain_covered / trials <= 0.97


def test_regression_finds_the_best_coefficient() -> None:
    results, luck = _race(np.random.default_rng(4), 5000, 1.0)
    best = luck_adjusted(results, luck, coefficient=None)
    for factor in (0.5, 0.9, 1.1, 2.0):
        other = luck_adjusted(results, luck, coefficient=factor * best.coefficient)
        assert best.standard_error < other.standard_error
    assert luck_adjusted(results, 10 * luck, coefficient=None).mean == pytest.approx(best.mean)


def test_perfect_luck_leaves_no_noise() -> None:
    luck = np.array([1.0, -2.0, 3.0, -1.0])
    found = luck_adjusted((luck + 0.25).tolist(), luck.tolist())
    assert found.mean == 0.25
    assert found.interval == (0.25, 0.25)
    assert found.width_ratio == 0.0
    assert found.games_ratio == float("inf")


def test_luck_that_says_nothing_changes_nothing() -> None:
    results = [1.0, -1.0, 1.0, 1.0]
    for coefficient in (None, 1.0):
        found = luck_adjusted(results, [0.0] * 4, coefficient=coefficient)
        assert found.mean == found.plain_mean == 0.5
    assert luck_adjusted([1.0, 1.0], [0.0, 0.0]).width_ratio == 1.0


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="one luck for each"):
        luck_adjusted([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="at least 2 units"):
        luck_adjusted([1.0], [1.0])
    with pytest.raises(ValueError, match="at least 3 units"):
        luck_adjusted([1.0, 0.0], [1.0, 0.0], coefficient=None)
