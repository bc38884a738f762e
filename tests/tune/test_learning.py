"""Regression and temporal differences, against other ways to compute the same."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from petteia.core.game import CHANCE, TERMINAL
from petteia.core.seeds import derive, nth
from petteia.tune.lessons import Outcomes, school_of
from petteia.tune.regression import fit_least_squares, fit_logistic, log_loss
from petteia.tune.setting import Setting
from petteia.tune.td import Practice

RACE = str(Path(__file__).parent / "linear_race.py:LinearRace")
SETTING = Setting(RACE, "greedy", "greedy(eval=strides(own=1))", seed=5)


def test_logistic_regression_finds_the_weights_behind_the_ends() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(40_000, 3)) * (1, 20, 0.1) + (0, 100, 5)
    weights, constant = np.array([0.5, -0.05, 4.0]), -15.0
    chances = 1 / (1 + np.exp(-(features @ weights + constant)))
    ends = (rng.random(len(chances)) < chances).astype(float)
    found, at = fit_logistic(features, ends)
    assert found == pytest.approx(weights, rel=0.1)
    assert at == pytest.approx(constant, rel=0.1)
    # The slope of the loss is zero there: no other weights are better.
    left = ends - 1 / (1 + np.exp(-(features @ found + at)))
    assert np.abs(features.T @ left / len(ends)).max() < 2e-3
    worse = log_loss(features, ends, weights, constant)
    assert log_loss(features, ends, found, at) <= worse


def test_least_squares_are_those_of_numpy() -> None:
    rng = np.random.default_rng(2)
    features = rng.normal(size=(500, 4)) * (1, 30, 0.2, 1) + 7
    values = features @ (1, -2, 3, 0.5) + 4 + rng.normal(size=500)
    design = np.column_stack([features, np.ones(500)])
    expected = np.linalg.lstsq(design, values, rcond=None)[0]
    weights, constant = fit_least_squares(features, values)
    assert [*weights, constant] == pytest.approx(expected.tolist(), rel=1e-3)


def test_a_feature_that_never_changes_gets_no_weight() -> None:
    rng = np.random.default_rng(3)
    features = np.column_stack([rng.normal(size=300), np.full(300, 15.0)])
    weights, _ = fit_least_squares(features, 2 * features[:, 0])
    assert weights == pytest.approx([2, 0], abs=1e-4)
    weights, _ = fit_logistic(features, (features[:, 0] > 0).astype(float))
    assert weights[1] == 0


def test_lessons_hold_what_the_mover_saw_and_how_it_ended() -> None:
    asked = Outcomes("logistic", (1.0, 0.0, 0.0), count=30)
    rows = asked.answer(SETTING)
    assert set(rows[:, -2]) == {0.0, 1.0}
    assert sorted(set(rows[:, -1])) == list(range(30))
    # In a game both see the same end, from their own sides.
    for number in range(30):
        game = rows[rows[:, -1] == number]
        assert len(set(game[::2, -2])) == len(set(game[1::2, -2])) == 1
        assert game[0, -2] + game[1, -2] == 1
        # The mover's own way only grows, and the other's is what he last saw of it.
        assert (np.diff(game[::2, 0]) > 0).all()
        assert (game[1:, 1] == game[:-1, 0]).all()
    parts = np.concatenate([part.answer(SETTING) for part in Outcomes.parts(asked)])
    assert np.array_equal(parts, rows)


def test_temporal_differences_are_those_of_a_plain_program() -> None:
    school = school_of(SETTING, "td")
    game, evaluation = school.game, school.evaluation
    mean, deviation = np.array([4.0, 4.0, 0.5]), np.array([2.0, 3.0, 0.5])
    slopes = np.array([0.3, -0.2, 0.1, 0.05])
    asked = Practice(
        tuple(slopes), tuple(mean), tuple(deviation), 12, 3, rate=0.1, decay=0.6, epsilon=0.0
    )
    for number in range(3, 15):
        weights = slopes[:3] / deviation  # those at the beginning of the game
        p, ply = game.start(), 0
        traces = [np.zeros(4), np.zeros(4)]
        seen: list[float | None] = [None, None]
        while game.kind(p) != TERMINAL:
            if game.kind(p) == CHANCE:
                unit = nth(derive(5, "lesson", number), ply) / 2**63
                faces, chances = zip(*game.outcomes(p), strict=True)
                p = game.play(p, faces[int(np.argmax(np.cumsum(chances) > unit))])
            else:
                mover = int(game.mover(p))
                after = [game.play(p, move) for move in game.legal_moves(p)]
                values = [
                    1e6 if game.kind(q) == TERMINAL
                    else float(np.dot(weights, evaluation.function(game, q, mover)))
                    for q in after
                ]  # fmt: skip
                p = after[int(np.argmax(values))]
                if game.kind(p) != TERMINAL:
                    x = (np.array(evaluation.function(game, p, mover)) - mean) / deviation
                    x = np.append(x, 1.0)
                    chance = 1 / (1 + math.exp(-float(slopes @ x)))
                    before = seen[mover]
                    if before is not None:
                        slopes = slopes + 0.1 * (chance - before) * traces[mover]
                    traces[mover] = 0.6 * traces[mover] + chance * (1 - chance) * x
                    seen[mover] = chance
            ply += 1
        won = 1.0 if game.result(p) > 0 else 0.0
        for player, target in ((0, won), (1, 1 - won)):
            before = seen[player]
            if before is not None:
                slopes = slopes + 0.1 * (target - before) * traces[player]
    assert asked.answer(SETTING) == pytest.approx(slopes, rel=1e-9)
