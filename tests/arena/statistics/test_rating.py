"""Ratings reproduce the scores, and leagues are what the errors allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.intervals import coverage
from petteia.arena.statistics import (
    Z95,
    bradley_terry,
    elo_from_score,
    league_name,
    leagues,
    score_from_elo,
)

MATRICES = st.integers(2, 5).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 40).map(lambda x: x / 2), min_size=n, max_size=n),
        min_size=n,
        max_size=n,
    )
)

# Project Ur: the share won by the agent of the row (moving first), 200 games each.
UR_NAMES = ["SM", "SA1", "SA2", "SA3", "SA4", "SA5", "SA6"]
UR = np.array(
    [
        [0.545, 0.625, 0.745, 0.795, 0.790, 0.805, 0.870],
        [0.350, 0.460, 0.565, 0.660, 0.740, 0.805, 0.760],
        [0.290, 0.435, 0.550, 0.655, 0.680, 0.690, 0.740],
        [0.175, 0.400, 0.460, 0.510, 0.590, 0.605, 0.675],
        [0.225, 0.295, 0.270, 0.430, 0.555, 0.585, 0.550],
        [0.180, 0.205, 0.300, 0.425, 0.445, 0.495, 0.540],
        [0.130, 0.175, 0.255, 0.400, 0.410, 0.480, 0.495],
    ]
)


def test_two_players_have_the_elo_of_their_score() -> None:
    found = bradley_terry([[0, 7500], [2500, 0]])
    elo, error = found.difference(0, 1)
    assert elo == pytest.approx(elo_from_score(0.75), rel=1e-3)
    # The delta method: 400 / ln 10 / sqrt(n p (1 - p)).
    assert error == pytest.approx(173.7 / np.sqrt(10_000 * 0.1875), rel=2e-3)
    assert found.elo[0] == pytest.approx(-found.elo[1])


@given(MATRICES)
@settings(max_examples=60)
def test_expected_scores_are_the_actual_ones(rows: list[list[float]]) -> None:
    """Hunter's fixed point, with a half win and half loss against a virtual player."""
    scores = np.array(rows)
    np.fill_diagonal(scores, 0)
    found = bradley_terry(scores)
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    assert found.covariance.sum(0) == pytest.approx(np.zeros(len(rows)), abs=1e-3)
    games, elo = scores + scores.T, np.array(found.elo)
    expected = np.array([[score_from_elo(a - b) for b in elo] for a in elo])
    left = scores.sum(1) - (games * expected).sum(1)
    # What is left is the pull of the prior, at most half a game each, towards the middle.
    assert np.abs(left).max() <= 0.5 + 1e-6
    assert left.sum() == pytest.approx(0, abs=1e-6)


@given(MATRICES)
@settings(max_examples=60)
def test_swapping_all_results_turns_the_ratings(rows: list[list[float]]) -> None:
    here, there = bradley_terry(rows), bradley_terry(np.array(rows).T)
    assert here.elo == pytest.approx([-elo for elo in there.elo], abs=1e-5)
    assert here.errors == pytest.approx(there.errors, abs=1e-5)


@given(MATRICES)
@settings(max_examples=60)
def test_a_win_raises_the_winner(rows: list[list[float]]) -> None:
    scores = np.array(rows)
    before = bradley_terry(scores)
    scores[0, 1] += 1
    after = bradley_terry(scores)
    assert after.difference(0, 1)[0] > before.difference(0, 1)[0]


def test_undefeated_and_unknown_players_have_finite_ratings() -> None:
    champion = bradley_terry([[0, 20, 20], [0, 0, 10], [0, 10, 0]])
    assert 200 < champion.elo[0] < 1000
    assert champion.errors[0] > 80
    strangers = bradley_terry([[0, 15, 0, 0], [5, 0, 0, 0], [0, 0, 0, 9], [0, 0, 9, 0]])
    assert strangers.elo[2] == pytest.approx(strangers.elo[3])
    assert strangers.difference(0, 2)[1] > 100
    assert bradley_terry([[0]]).elo == (0.0,)


def test_the_errors_cover_the_truth_in_about_95_percent() -> None:
    rng, truth, games = np.random.default_rng(8), np.array([120.0, 20.0, -40.0, -100.0]), 200
    chance = np.array([[score_from_elo(a - b) for b in truth] for a in truth])
    covered, trials = np.zeros(4), 400
    for _ in range(trials):
        wins = np.triu(rng.binomial(games, chance), 1)
        wins = wins + np.tril(games - wins.T, -1)
        found = bradley_terry(wins)
        covered += np.abs(np.array(found.elo) - truth) <= Z95 * np.array(found.errors)
    assert 0.92 <= covered.mean() / trials <= 0.975


def test_pairs_as_units_widen_or_narrow_the_errors() -> None:
    scores = np.array([[0, 110, 130], [90, 0, 100], [70, 100, 0]])
    plain = bradley_terry(scores)
    # Independent games of near equals have pairs of variance p (1 - p) / 2.
    share = scores / np.maximum(1, scores + scores.T)
    squares = 99 * share * (1 - share) / 2
    same = bradley_terry(scores, pair_squares=squares)
    narrow = bradley_terry(scores, pair_squares=squares / 4)
    assert same.elo == plain.elo == narrow.elo
    assert same.errors == pytest.approx(plain.errors, rel=0.01)
    assert narrow.errors == pytest.approx([error / 2 for error in plain.errors], rel=0.05)


def test_one_pair_and_perfect_scores_have_the_errors_of_the_model() -> None:
    scores = np.array([[0, 2, 1], [0, 0, 1], [1, 1, 0]], float)
    once = bradley_terry(scores, pair_squares=np.zeros((3, 3)))
    assert once.errors == pytest.approx(bradley_terry(scores).errors)
    # A player at 0 of 40: hardly anything is known but that he is weak.
    lost = np.array([[0, 20, 20], [20, 0, 20], [0, 0, 0]], float)
    squares = np.where(lost + lost.T == 40, 20 * 0.125, 0.0)
    fisher, found = bradley_terry(lost).errors[2], bradley_terry(lost, pair_squares=squares)
    assert 0.8 * fisher <= found.errors[2] <= 1.2 * fisher


@pytest.mark.parametrize("pairs", [1, 2, 3, 10])
@pytest.mark.parametrize("favour", [0.0, 300.0])
def test_errors_of_few_pairs_cover_the_truth(pairs: int, favour: float) -> None:
    covered = coverage(players=6, pairs=pairs, favour=favour, trials=120, seed=5)
    # 720 ratings: three standard errors below 95 %, and no limit above, where draws or a favoured
    # side make pairs vary less than one pair can show.
    assert covered >= 0.925


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="square"):
        bradley_terry([[0, 1]])
    with pytest.raises(ValueError, match="not negative"):
        bradley_terry([[0, -1], [1, 0]])
    with pytest.raises(ValueError, match="prior"):
        bradley_terry([[0, 1], [1, 0]], prior=0)
    with pytest.raises(ValueError, match="symmetrical"):
        bradley_terry([[0, 1], [1, 0]], pair_squares=[[0, 1], [2, 0]])
    with pytest.raises(ValueError, match="needs squares"):
        bradley_terry([[0, 1], [1, 0]], pair_squares=np.full((2, 2), np.nan))
    with pytest.raises(ValueError, match="2 ratings, but 1 errors"):
        leagues([1, 2], [1])
    with pytest.raises(ValueError, match="from 0"):
        league_name(-1)


def test_leagues_are_parted_by_the_combined_errors() -> None:
    assert leagues([10, 100, 12, 95], [2, 3, 2, 4]) == [[1, 3], [2, 0]]
    assert leagues([10, 100, 12, 95], [1, 3, 1, 3]) == [[1], [3], [2], [0]]
    assert leagues([10, 100, 12, 95], [1, 3, 1, 3], z=Z95) == [[1, 3], [2, 0]]
    # One rating that nobody knows keeps all together.
    assert leagues([100, 50, 49], [1, 1, 500]) == [[0, 1, 2]]
    assert leagues([], []) == []


PLAYERS = st.lists(st.tuples(st.floats(-500, 500), st.floats(0.1, 90)), max_size=9)


@given(PLAYERS)
def test_players_of_different_leagues_differ(players: list[tuple[float, float]]) -> None:
    ratings, errors = [a for a, _ in players], [b for _, b in players]
    groups = leagues(ratings, errors)
    assert sorted(player for group in groups for player in group) == list(range(len(players)))
    for number, group in enumerate(groups):
        for above in group:
            for below in (player for lower in groups[number + 1 :] for player in lower):
                apart = ratings[above] - ratings[below]
                assert apart > (errors[above] ** 2 + errors[below] ** 2) ** 0.5


def test_league_names() -> None:
    names = [league_name(number) for number in (0, 5, 25, 26, 27, 51, 52, 701, 702)]
    assert names == ["A", "F", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]


def test_depth_hurts_in_project_ur() -> None:
    """The published matrix parts all seven agents, Massugu first and then by depth."""
    found = bradley_terry(200 * UR + 200 * (1 - UR.T))
    order = [UR_NAMES[player] for group in found.leagues() for player in group]
    assert order == UR_NAMES
    assert [len(group) for group in found.leagues()] == [1] * 7
    assert found.elo[0] == pytest.approx(191, abs=1)
    assert max(found.errors) < 8
