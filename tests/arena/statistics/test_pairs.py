"""Outcomes of pairs are counted and summed up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.arena.statistics import Sample, pair_interval, pentanomial, sample_interval, trinomial

SCORES = st.sampled_from([0.0, 0.5, 1.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), max_size=60)
POINTS = st.lists(st.tuples(*[st.integers(-3, 3).map(float)] * 2), max_size=40)


def test_two_draws_and_a_split_pair_are_one_outcome() -> None:
    pairs = [(0, 0), (0, 0.5), (0.5, 0.5), (1, 0), (0, 1), (1, 0.5), (1, 1), (1, 1)]
    assert pentanomial(pairs) == (1, 1, 3, 1, 2)
    assert trinomial(score for pair in pairs for score in pair) == (5, 4, 7)


def test_a_score_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"0, 0\.5 or 1, not 0\.7"):
        pentanomial([(0.7, 1.0)])


def test_a_sample_must_make_sense() -> None:
    with pytest.raises(ValueError, match="2 counts for 3 values"):
        Sample((0.0, 0.5, 1.0), (1, 2))
    with pytest.raises(ValueError, match="ascend"):
        Sample((1.0, 0.0), (1, 2))
    with pytest.raises(ValueError, match="not negative"):
        Sample((0.0, 1.0), (1, -2))
    with pytest.raises(ValueError, match="not 4"):
        Sample.of_counts((1, 2, 3, 4))
    with pytest.raises(ValueError, match="same number of games"):
        Sample.of_points([(1, 2), (1,)])


def test_an_empty_sample_is_even() -> None:
    for sample in (Sample.of_pairs([]), Sample.of_points([])):
        assert sample.mean == sample.even
        assert sample.variance == 0
        assert sample_interval(sample) == (sample.values[0], sample.values[-1])


@given(PAIRS)
def test_games_and_pairs_have_the_same_mean(pairs: list[tuple[float, float]]) -> None:
    games = Sample.of_games(score for pair in pairs for score in pair)
    paired = Sample.of_pairs(pairs)
    assert paired.mean == pytest.approx(games.mean)
    assert paired.total_games == games.total_games == 2 * len(pairs)


@given(PAIRS)
def test_the_interval_of_a_sample_is_that_of_its_pairs(pairs: list[tuple[float, float]]) -> None:
    expected = pair_interval([sum(pair) / 2 for pair in pairs])
    assert sample_interval(Sample.of_pairs(pairs)) == pytest.approx(expected)


@given(PAIRS)
def test_swapping_the_players_mirrors_scores(pairs: list[tuple[float, float]]) -> None:
    sample = Sample.of_pairs(pairs)
    other = Sample.of_pairs([(1 - a, 1 - b) for a, b in pairs])
    assert sample.swapped() == other
    low, high = sample_interval(sample)
    assert sample_interval(other) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert other.variance == pytest.approx(sample.variance, abs=1e-12)


@given(POINTS)
def test_swapping_the_players_mirrors_points(pairs: list[tuple[float, float]]) -> None:
    sample = Sample.of_points(pairs)
    assert sample.swapped() == Sample.of_points([(-a, -b) for a, b in pairs])
    assert sample.units == len(pairs)
    assert sample.mean == pytest.approx(sum(a + b for a, b in pairs) / max(1, 2 * len(pairs)))
    low, high = sample_interval(sample)
    assert low <= sample.mean + 1e-9
    assert sample.mean <= high + 1e-9


def test_points_can_have_values_that_were_not_seen() -> None:
    sample = Sample.of_points([(1.0,), (-2.0,)], support=(3.0,))
    assert sample.values == (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
    assert sample.counts == (0, 1, 0, 0, 1, 0, 0)
    assert (sample.mean, sample.variance, sample.games) == (-0.5, 2.25, 1)
