"""The number of games that a claim needs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.arena.statistics import (
    Sprt,
    biased_pair_variance,
    elo_from_score,
    expected_pairs,
    games_to_be_sure,
    pairs_for_elo,
    pairs_to_detect,
    score_from_elo,
    series_win_probability,
)


def test_the_rule_of_269_games() -> None:
    # A player who wins 55 % of single games wins a series of 269 with 95 %, no shorter odd one.
    assert series_win_probability(0.55, 269) == pytest.approx(0.95009, abs=5e-6)
    assert series_win_probability(0.55, 267) == pytest.approx(0.94946, abs=5e-6)
    # An even series may end level.
    assert series_win_probability(0.55, 268) == pytest.approx(0.9431, abs=5e-5)
    assert games_to_be_sure(0.55) == 269
    assert games_to_be_sure(0.501) == 676_385


@given(st.floats(0, 1), st.integers(0, 60))
def test_a_series_is_a_binomial_sum(win: float, games: int) -> None:
    terms = (
        math.comb(games, k) * win**k * (1 - win) ** (games - k)
        for k in range(games // 2 + 1, games + 1)
    )
    assert series_win_probability(win, games) == pytest.approx(math.fsum(terms), abs=1e-12)


@given(st.floats(0, 0.5), st.floats(0, 0.5), st.integers(0, 50))
def test_a_series_is_won_lost_or_level(win: float, lose: float, games: int) -> None:
    draw = 1 - win - lose
    won = series_win_probability(win, games, draw=draw)
    lost = series_win_probability(lose, games, draw=draw)
    assert -1e-9 <= won + lost <= 1 + 1e-9
    if win > lose:
        assert won >= lost


def test_draws_alone_decide_nothing_and_add_nothing_to_the_rest() -> None:
    assert series_win_probability(0.0, 9, draw=1.0) == 0.0
    assert series_win_probability(0.3, 1, draw=0.5) == 0.3
    # Two games: win-win, win-draw or draw-win.
    assert series_win_probability(0.3, 2, draw=0.5) == pytest.approx(0.09 + 2 * 0.15)


@pytest.mark.parametrize("win", [0.52, 0.6, 0.75, 0.951])
def test_the_shortest_sure_series_is_the_shortest(win: float) -> None:
    games = games_to_be_sure(win)
    assert series_win_probability(win, games) >= 0.95
    assert games == 1 or series_win_probability(win, games - 2) < 0.95


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="better player"):
        games_to_be_sure(0.5)
    with pytest.raises(ValueError, match="more than"):
        games_to_be_sure(0.50001)
    with pytest.raises(ValueError, match="chances"):
        series_win_probability(0.7, 3, draw=0.4)
    with pytest.raises(ValueError, match="zero"):
        pairs_for_elo(0)
    with pytest.raises(ValueError, match="sides"):
        pairs_to_detect(0.1, variance=0.1, sides=3)
    with pytest.raises(ValueError, match="probability"):
        biased_pair_variance(1.2)


def test_a_fixed_test_of_55_against_50_percent() -> None:
    # (1.645 + 1.645)^2 0.25 / 0.05^2 = 1082.2 games, one-sided; about 530 for a sequential test.
    games = pairs_to_detect(0.05, variance=0.25, alpha=0.05, power=0.95, sides=1)
    assert games == 1083
    sprt = Sprt(0, elo_from_score(0.55))
    for score in (0.5, 0.55):
        assert expected_pairs(sprt, variance=0.25, score=score) == pytest.approx(530, abs=1)


@given(st.floats(5, 200), st.floats(0.01, 0.25))
def test_smaller_claims_need_more_games(elo: float, variance: float) -> None:
    pairs = pairs_for_elo(elo, variance=variance)
    assert pairs_for_elo(elo / 2, variance=variance) >= pairs
    assert pairs_for_elo(elo, variance=variance / 2) <= pairs
    assert pairs_for_elo(-elo, variance=variance) == pairs
    assert pairs_for_elo(elo, variance=variance, power=0.8) <= pairs


def test_the_planned_number_of_pairs_has_the_promised_power() -> None:
    elo, bias, trials = 30.0, 0.3, 20_000
    score = score_from_elo(elo)
    chances = np.array([(1 - score - bias) * (1 - score + bias), 0.0, score**2 - bias**2])
    chances[1] = 1 - chances.sum()
    variance = float(chances @ (np.array([0, 0.5, 1]) - score) ** 2)
    assert variance == pytest.approx(biased_pair_variance(0.5 + bias), abs=0.002)
    pairs = pairs_for_elo(elo, variance=variance, power=0.9)
    counts = np.random.default_rng(5).multinomial(pairs, chances, size=trials) / pairs
    means = counts @ [0, 0.5, 1]
    errors = np.sqrt((counts @ [0, 0.25, 1] - means**2) / pairs)
    seen = np.mean((means - 0.5) / errors > 1.96)
    assert seen == pytest.approx(0.9, abs=0.015)


@given(st.floats(0.02, 0.98), st.sampled_from(["logistic", "normalised"]))
def test_the_sequential_test_is_longest_between_its_hypotheses(score: float, model: str) -> None:
    sprt = Sprt(0, 30, model="logistic" if model == "logistic" else "normalised")
    length = expected_pairs(sprt, variance=0.1, score=score)
    assert 0 < length <= expected_pairs(sprt, variance=0.1) * (1 + 1e-9)


def test_the_expected_length_is_smooth_through_the_middle() -> None:
    sprt = Sprt(-10, 10, alpha=0.1, beta=0.02)
    lengths = [expected_pairs(sprt, variance=0.1, score=0.5 + x) for x in (-1e-6, 0, 1e-6)]
    assert lengths == pytest.approx([lengths[1]] * 3, rel=1e-3)
    assert expected_pairs(Sprt(0, 0.01), variance=0.1, score=0.9) < 1e5
