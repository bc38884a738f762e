"""Weights from labelled positions, as in the report, and from labels without intuition."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.games.ropasci import RoPaSci, learning
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.games.ropasci.learning import Labelled
from tests.positions import random_positions

GAME = RoPaSci()
REPORT = EVALUATIONS["report"]


def test_features_times_weights_are_the_evaluation() -> None:
    weights = np.array([REPORT.weights[term] for term in learning.TERMS])
    for p in random_positions(GAME, 20, seed=3):
        assert learning.features(GAME, p) @ weights == pytest.approx(REPORT.of(GAME, p, 0))


def test_regression_finds_the_weights_behind_the_labels() -> None:
    known = dict(zip(learning.TERMS, (3.0, 8.0, 2.0, 1.0, 0.7, 1.5, 0.4), strict=True))
    evaluation = REPORT.with_weights(known)
    positions = random_positions(GAME, 300, seed=6)
    labelled = [Labelled(p, evaluation.of(GAME, p, 0)) for p in positions]
    found = learning.fit(GAME, labelled, ridge=1e-9)
    assert found == pytest.approx(known, abs=1e-3)


def test_the_sample_is_read_and_fitted() -> None:
    sample = learning.read(GAME, [learning.SAMPLE])
    assert len(sample) >= 200
    found = learning.fit(GAME, sample)
    weights = np.array([found[term] for term in learning.TERMS])
    scores = np.array([each.score for each in sample])
    foretold = np.array([learning.features(GAME, each.position) @ weights for each in sample])
    assert np.var(scores - foretold) < 0.5 * np.var(scores)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "expected a list"),
        ('[{"position": "start"}]', "expected a list"),
        ('[{"position": "nothing", "score": 1}]', "entry 1: bad position"),
        ('[{"position": "5/6/7/8/9/8/7/6/5 0-0 0", "score": NaN}]', "is not a number"),
    ],
)
def test_bad_files_name_the_place(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(text)
    with pytest.raises(PetteiaError, match=why):
        learning.read(GAME, [file])


def test_missing_files_and_few_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PetteiaError, match="cannot read"):
        learning.read(GAME, [tmp_path / "none.json"])
    with pytest.raises(PetteiaError, match="too few"):
        learning.fit(GAME, [Labelled(GAME.start(), 0.0)])


def test_results_and_temporal_differences_learn_that_tokens_matter() -> None:
    # Games whose winner is the one with more tokens, up to chance.
    rng = np.random.default_rng(1)
    games = []
    for p in random_positions(GAME, 240, seed=8):
        tokens = learning.features(GAME, p)[learning.TERMS.index("tokens")]
        games.append(([p], 1.0 if tokens + rng.normal() > 0 else -1.0))
    by_results = learning.fit_outcomes(GAME, games)
    by_steps = learning.temporal_differences(GAME, games)
    assert by_results["tokens"] > 0
    assert by_steps["tokens"] > 0
    right = learning.log_loss(GAME, by_results, games[:160], games[160:])
    nothing = dict.fromkeys(learning.TERMS, 0.0)
    assert right < learning.log_loss(GAME, nothing, games[:160], games[160:]) - 0.1


def test_labels_of_a_deeper_search_can_be_kept(tmp_path: Path) -> None:
    small = RoPaSci(throws=2)
    positions = random_positions(small, 3, seed=2)
    labelled = learning.deep_labels(small, positions, REPORT.array, depth=1)
    file = tmp_path / "labels.json"
    file.write_text(
        json.dumps([{"position": small.text(e.position), "score": e.score} for e in labelled])
    )
    assert learning.read(small, [file]) == labelled
