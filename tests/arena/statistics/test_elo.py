"""Elo scales agree with published figures and with each other."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.arena.statistics import (
    NORMALISED_UNIT,
    Sample,
    elo_estimate,
    elo_from_score,
    los,
    normalised_elo,
    score_from_elo,
)

FIVE = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any)

# Counts, normalised Elo and half its interval, Elo and half its interval, LOS in per cent: the
# figures of fastchess's tests. It uses the normal interval of the score, we Wilson's.
PUBLISHED = [
    ((89, 123, 76), -20.76, 40.13, None, None, 15.53),
    ((96, 111, 136), 49.77, 36.77, 40.70, 30.43, 99.60),
    ((356, 0, 34), -508.44, 34.48, None, None, None),
    ((34, 54, 63, 64, 75), 57.94, 28.28, 55.58, 27.65, 100.00),
    ((332, 433, 498, 333, 334), -9.17, 10.96, -8.64, 10.33, 5.05),
    ((7895, 8757, 5685, 568, 9999), -19.01, 2.65, -21.04, 2.95, None),
]


@pytest.mark.parametrize(("counts", "nelo", "nerror", "elo", "error", "superior"), PUBLISHED)
def test_published_figures(
    counts: tuple[int, ...],
    nelo: float,
    nerror: float,
    elo: float | None,
    error: float | None,
    superior: float | None,
) -> None:
    sample = Sample.of_counts(counts)
    normalised = normalised_elo(sample)
    assert round(normalised.elo, 2) == nelo
    assert round((normalised.high - normalised.low) / 2, 2) == nerror
    logistic = elo_estimate(sample)
    if elo is not None and error is not None:
        assert round(logistic.elo, 2) == elo
        assert (logistic.high - logistic.low) / 2 == pytest.approx(error, rel=0.005)
    if superior is not None:
        assert round(100 * los(sample), 2) == superior


def test_known_scores() -> None:
    assert score_from_elo(0) == 0.5
    assert score_from_elo(400) == pytest.approx(10 / 11)
    assert elo_from_score(0.75) == pytest.approx(190.85, abs=0.005)
    assert score_from_elo(-1e6) == 0.0
    assert score_from_elo(1e6) == 1.0


@given(st.floats(-3000, 3000))
def test_elo_and_score_are_a_round_trip(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, rel=1e-6, abs=1e-6)
    assert score_from_elo(elo) + score_from_elo(-elo) == pytest.approx(1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_elo_rises_with_the_score(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert elo_from_score(low) <= elo_from_score(high)


def test_a_score_outside_its_range_is_named() -> None:
    with pytest.raises(ValueError, match=r"1\.5"):
        elo_from_score(1.5)


def test_infinite_elo_is_null_in_json() -> None:
    won = elo_estimate(Sample.of_counts((0, 0, 0, 0, 5)))
    assert (won.elo, won.high) == (math.inf, math.inf)
    assert 0 < won.low < 100
    text = json.dumps(won.as_json(), allow_nan=False)
    assert json.loads(text) == {"elo": None, "low": won.low, "high": None}
    lost = elo_estimate(Sample.of_counts((5, 0, 0, 0, 0)))
    assert lost.as_json() == {"elo": None, "low": None, "high": pytest.approx(-won.low)}
    empty = Sample.of_pairs([])
    assert elo_estimate(empty).as_json() == {"elo": 0.0, "low": None, "high": None}
    assert normalised_elo(empty).as_json() == {"elo": 0.0, "low": None, "high": None}


def test_points_have_a_normalised_elo_only() -> None:
    points = Sample.of_points([(2.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    assert normalised_elo(points).elo > 0
    with pytest.raises(ValueError, match="normalised"):
        elo_estimate(points)


def test_both_scales_agree_in_even_games_without_draws() -> None:
    sample = Sample.of_counts((4900, 0, 5100))
    assert normalised_elo(sample).elo == pytest.approx(elo_estimate(sample).elo, rel=0.001)


def test_normalised_elo_is_the_same_for_games_and_for_independent_pairs() -> None:
    # Pairs of independent games with win chance 0.6: 0.16, 0.48, 0.36.
    pairs, games = Sample.of_counts((16, 0, 48, 0, 36)), Sample.of_counts((40, 0, 60))
    assert normalised_elo(pairs).elo == pytest.approx(normalised_elo(games).elo)
    assert normalised_elo(games).elo == pytest.approx(0.1 / math.sqrt(0.24) * NORMALISED_UNIT)


@given(FIVE)
def test_swapping_the_players_turns_the_sign(counts: list[int]) -> None:
    sample = Sample.of_counts(counts)
    other = sample.swapped()
    for scale in (elo_estimate, normalised_elo):
        here, there = scale(sample), scale(other)
        for mine, yours in ((here.elo, there.elo), (here.low, there.high), (here.high, there.low)):
            assert mine == pytest.approx(-yours, rel=1e-6, abs=1e-6)
        assert here.low <= here.elo <= here.high
    assert los(sample) + los(other) == pytest.approx(1)


@given(FIVE, st.integers(0, 3))
def test_a_better_pair_raises_the_estimates(counts: list[int], place: int) -> None:
    counts[place] += 1
    better = list(counts)
    better[place] -= 1
    better[place + 1] += 1
    worse, improved = Sample.of_counts(counts), Sample.of_counts(better)
    assert elo_estimate(improved).elo > elo_estimate(worse).elo


def test_a_clean_sweep_is_not_certainty() -> None:
    assert los(Sample.of_counts((0, 0, 0, 0, 3))) == 1 - 1 / 16
    assert los(Sample.of_counts((0, 0, 9, 0, 0))) == 0.5
    assert los(Sample.of_pairs([])) == 0.5
