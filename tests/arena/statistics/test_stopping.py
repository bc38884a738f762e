"""After a sequential stop the estimate is corrected, and says so."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petteia.arena.statistics import Sample, Sprt, bias_note, score_from_elo, stopped_estimate
from petteia.arena.statistics.stopping import hit_by
from tests.arena.statistics.simulation import run_series

H1, H0 = (0, 0, 60, 0, 30), (30, 0, 60, 0, 10)


def test_the_note_is_one_sentence_with_the_corrected_figure() -> None:
    sprt = Sprt(0, 30)
    for counts in (H1, H0, (3, 0, 9, 0, 4)):
        note = bias_note(sprt, counts)
        assert note.endswith(".")
        assert note.count(". ") == 0
    assert "biased towards the decision" in bias_note(sprt, H1)
    assert "median unbiased" in bias_note(sprt, H0)
    assert "has not decided" in bias_note(sprt, (3, 0, 9, 0, 4))
    points = Sample.of_points([(2, 1), (1, -1), (3, 1)] * 30)
    assert "points" in bias_note(Sprt(0, 30, model="normalised"), points)


def test_an_undecided_test_has_no_correction() -> None:
    assert stopped_estimate(Sprt(0, 30), (3, 0, 9, 0, 4)) is None
    assert stopped_estimate(Sprt(0, 30), (0, 0, 0, 0, 0)) is None


def test_the_correction_goes_back_towards_the_middle() -> None:
    for model in ("logistic", "normalised"):
        sprt = Sprt(0, 30, model="logistic" if model == "logistic" else "normalised")
        up, down = stopped_estimate(sprt, H1), stopped_estimate(sprt, H0)
        assert up is not None
        assert down is not None
        assert up.low < up.mean < up.high
        assert up.mean < up.plain
        assert down.mean > down.plain


def test_swapping_the_players_mirrors_the_estimate() -> None:
    here = stopped_estimate(Sprt(0, 30), H1)
    there = stopped_estimate(Sprt(-30, 0), H1[::-1])
    assert here is not None
    assert there is not None
    assert (here.mean, here.low, here.high) == pytest.approx(
        (1 - there.mean, 1 - there.high, 1 - there.low)
    )


@given(st.floats(0.01, 500), st.floats(-2, 2), st.floats(0.2, 30), st.floats(0.2, 30))
def test_hitting_probabilities_are_probabilities(
    time: float, drift: float, near: float, far: float
) -> None:
    up = hit_by(time, drift=drift, near=near, far=far)
    down = hit_by(time, drift=-drift, near=far, far=near)
    assert 0 <= up <= 1
    assert up + down <= 1 + 1e-9
    assert hit_by(2 * time, drift=drift, near=near, far=far) >= up - 1e-9
    assert hit_by(time, drift=drift + 0.1, near=near, far=far) >= up - 1e-9


def test_hitting_probabilities_in_the_long_run_are_those_of_the_gambler() -> None:
    for drift, near, far in ((0.0, 3.0, 5.0), (0.2, 4.0, 2.0), (-0.4, 1.0, 6.0)):
        if drift:
            ever = math.expm1(2 * drift * far) / (
                math.exp(2 * drift * far) - math.exp(-2 * drift * near)
            )
        else:
            ever = far / (near + far)
        assert hit_by(5000, drift=drift, near=near, far=far) == pytest.approx(ever, abs=1e-9)
    # Half of all paths that reach a single bound are beyond it: twice the normal tail.
    assert hit_by(4.0, drift=0, near=2.0, far=1e3) == pytest.approx(math.erfc(1 / math.sqrt(2)))
    assert hit_by(0, drift=1, near=1, far=1) == 0.0


@pytest.mark.parametrize("elo", [0, 15, 30])
def test_the_estimate_is_as_often_too_high_as_too_low(elo: int) -> None:
    sprt, truth, trials = Sprt(0, 30), score_from_elo(elo), 300
    series = run_series(sprt, truth, trials=trials, seed=elo + 9)
    high = covered = 0
    for row in series.counts:
        found = stopped_estimate(sprt, [int(count) for count in row])
        assert found is not None
        high += found.mean > truth
        covered += found.low <= truth <= found.high
    # Three standard errors, and a little for the walk that is not quite Brownian.
    assert high / trials == pytest.approx(0.5, abs=0.087 + 0.03)
    assert covered / trials >= 0.93
    # The plain score, on average, is 7 or 8 Elo too far on the decision's side.
    plain = (series.counts @ np.linspace(0, 1, 5) / series.pairs).mean()
    if elo != 15:
        assert (plain - truth) * (elo - 15) > 0.004 * 15
