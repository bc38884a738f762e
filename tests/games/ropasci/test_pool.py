"""The recipe of the learned evaluation: games of the pool, features, regression."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations.learned import (
    FEATURES,
    LEARNED,
    POINT,
    expected,
    features,
    saving,
)
from petteia.games.ropasci.learning import evolution, fitting
from petteia.games.ropasci.learning.pool import Pool, play_games

GAME = RoPaSci()
THROWS = FEATURES.index("throws_log")


@pytest.fixture(scope="module")
def data() -> fitting.Data:
    return fitting.data_of(seed=5, count=4, first=20)


def test_games_of_the_pool_come_again_from_the_same_seed(data: fitting.Data) -> None:
    again = play_games(Pool(GAME), 4, 5, 20)
    assert [each.result for each in again] == [
        float(data.results[data.games == 20 + n][0]) for n in range(4)
    ]
    assert set(data.results.tolist()) <= {-1, 0, 1}
    assert len(data.words) == sum(len(each.positions) for each in again)


def test_rows_times_weights_are_the_value(data: fitting.Data) -> None:
    rows, early = fitting.feature_rows(GAME, data.words)
    assert ((early >= 0) & (early <= 1)).all()
    for words, row in zip(data.words[:30], rows, strict=False):
        p = tuple(np.uint64(word) for word in words)
        # What throws left are worth depends on settings too.
        row[2 * THROWS : 2 * THROWS + 2] = 0.0
        odds = float(row @ LEARNED.array[: len(row)]) + saving(GAME, p, 0, LEARNED.array)
        odds *= features(GAME, p, 0)[-2 if odds > 0 else -1]
        value = POINT * expected(odds, LEARNED.weights["slow"])
        assert LEARNED.of(GAME, p, 0) == pytest.approx(value)


def test_regression_finds_the_weights_behind_results() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(20_000, 3))
    chance = 1 / (1 + np.exp(-(x @ [1.0, -0.5, 0.0])))
    y = (rng.random(len(x)) < chance).astype(float)
    found = fitting.logistic(x, y, np.full(3, 1e-6))
    assert found == pytest.approx([1.0, -0.5, 0.0], abs=0.06)
    assert fitting.log_loss(x @ found, y) < fitting.log_loss(np.zeros(len(y)), y) - 0.1


def test_evolution_steps_along_every_weight_and_scores_games() -> None:
    weights = LEARNED.array[: len(fitting.NAMES)]
    unit = evolution.units(weights)
    assert unit.shape == weights.shape
    assert (unit > 0).all()
    scores = {evolution.score(weights, ("nash", "hunt"), seat, seed=3) for seat in (0, 1)}
    assert scores <= {0.0, 0.5, 1.0}
    nothing = np.zeros(len(weights))
    assert evolution.score(nothing, ("nash", "hunt"), 0, seed=3) < 1.0
