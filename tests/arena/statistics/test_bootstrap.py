"""The bootstrap agrees with the formula where there is one."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.arena.statistics import (
    Sample,
    bootstrap_interval,
    elo_from_score,
    sample_interval,
)


def test_the_bootstrap_agrees_with_the_formula() -> None:
    for sample in (
        Sample.of_counts((40, 90, 300, 110, 60)),
        Sample.of_points([(3, -1), (1, 1), (-2, 1), (-1, -1), (1, 2)] * 60),
    ):
        expected = sample_interval(sample)
        width = expected[1] - expected[0]
        assert bootstrap_interval(sample, seed=1) == pytest.approx(expected, abs=0.04 * width)


def test_the_same_seed_gives_the_same_interval() -> None:
    sample = Sample.of_counts((3, 5, 8, 5, 9))
    first, again, other = (bootstrap_interval(sample, seed=seed) for seed in (1, 1, 2**63 - 1))
    assert first == again
    assert first == pytest.approx(other, abs=0.02)


def test_a_function_of_the_mean_and_the_level_can_be_chosen() -> None:
    sample = Sample.of_counts((40, 90, 300, 110, 60))
    low, high = bootstrap_interval(sample, seed=3, statistic=np.vectorize(elo_from_score))
    score = bootstrap_interval(sample, seed=3)
    assert (low, high) == pytest.approx([elo_from_score(end) for end in score], abs=0.1)
    narrow = bootstrap_interval(sample, seed=3, level=0.5)
    assert score[0] < narrow[0] < narrow[1] < score[1]


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="empty"):
        bootstrap_interval(Sample.of_pairs([]), seed=0)
    with pytest.raises(ValueError, match="level"):
        bootstrap_interval(Sample.of_counts((1, 1, 1)), seed=0, level=95)


def test_the_bootstrap_covers_the_truth_in_about_95_percent() -> None:
    rng = np.random.default_rng(11)
    chances, values = np.array([0.1, 0.2, 0.3, 0.25, 0.15]), np.linspace(0, 1, 5)
    truth, trials, covered = float(chances @ values), 600, 0
    for seed in range(trials):
        counts = tuple(rng.multinomial(100, chances).tolist())
        low, high = bootstrap_interval(Sample.of_counts(counts), seed=seed, resamples=1000)
        covered += low <= truth <= high
    assert 0.92 <= covered / trials <= 0.975
