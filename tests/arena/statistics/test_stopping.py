"""After a sequential stop the estimate is corrected, and says so."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.arena.statistics import Sample, Sprt, bias_note, score_from_elo, stopped_estimate
from tests.arena.statistics.simulation import BIAS, run_series

H1, H0 = (55, 0, 166, 0, 84), (36, 0, 59, 0, 23)
"""Counts with which Sprt(0, 30) stops, not before."""


def test_the_note_is_one_sentence_with_the_corrected_figure() -> None:
    sprt = Sprt(0, 30)
    for counts in (H1, H0, (3, 0, 9, 0, 4), (0, 0, 60, 0, 30)):
        note = bias_note(sprt, counts)
        assert note.endswith(".")
        assert note.count(". ") == 0
    assert "biased towards the decision" in bias_note(sprt, H1)
    assert "median unbiased" in bias_note(sprt, H0)
    assert "has not decided" in bias_note(sprt, (3, 0, 9, 0, 4))
    assert "go on after" in bias_note(sprt, (0, 0, 60, 0, 30))
    assert "interval +4" in bias_note(sprt, (0, 0, 0, 0, 36))
    assert "to unbounded" in bias_note(sprt, (0, 0, 0, 0, 36))


def test_points_are_corrected_too() -> None:
    sprt, pairs = Sprt(0, 30, model="normalised"), list[tuple[int, int]]()
    while sprt.decision(sprt.llr(Sample.of_points(pairs))) == "continue":
        pairs += [((2, 1), (1, -1), (3, -3), (-1, -2), (1, 1))[len(pairs) % 5]]
    sample = Sample.of_points(pairs)
    found = stopped_estimate(sprt, sample)
    assert found is not None
    assert found.low < found.mean < found.plain == sample.mean < found.high
    assert "points" in bias_note(sprt, sample)


def test_an_undecided_test_has_no_correction() -> None:
    assert stopped_estimate(Sprt(0, 30), (3, 0, 9, 0, 4)) is None
    assert stopped_estimate(Sprt(0, 30), (0, 0, 0, 0, 0)) is None


def test_games_after_the_decision_cannot_be_corrected() -> None:
    assert Sprt(0, 30).decision(Sprt(0, 30).llr((0, 0, 60, 0, 30))) == "accept H1"
    assert stopped_estimate(Sprt(0, 30), (0, 0, 60, 0, 30)) is None


def test_the_correction_goes_back_towards_the_middle() -> None:
    up, down = stopped_estimate(Sprt(0, 30), H1), stopped_estimate(Sprt(0, 30), H0)
    assert up is not None
    assert down is not None
    assert up.low < up.mean < up.high
    assert up.mean < up.plain
    assert down.mean > down.plain


def test_nothing_but_wins_has_the_exact_lower_end_and_no_upper() -> None:
    """36 won pairs are the first stop there is: their probability is that of a won pair, to 36."""
    found = stopped_estimate(Sprt(0, 30), (0, 0, 0, 0, 36))
    assert found is not None
    assert found.mean == found.high == 1.0
    # A distribution in which a pair is won with this probability, and else is worth a half or 0.
    won = 0.025 ** (1 / 36)
    assert won < found.low < (1 + won) / 2
    lost = stopped_estimate(Sprt(-30, 0), (36, 0, 0, 0, 0))
    assert lost is not None
    assert lost.elo.as_json() == {
        "elo": None, "low": None, "high": pytest.approx(-found.elo.low)
    }  # fmt: skip


def test_swapping_the_players_mirrors_the_estimate() -> None:
    here = stopped_estimate(Sprt(0, 30), H1)
    there = stopped_estimate(Sprt(-30, 0), H1[::-1])
    assert here is not None
    assert there is not None
    assert (here.mean, here.low, here.high) == pytest.approx(
        (1 - there.mean, 1 - there.high, 1 - there.low)
    )


def _covered(sprt: Sprt, elo: float, *, trials: int, seed: int) -> tuple[float, float]:
    """How often the interval holds the truth, and how often the estimate is too high."""
    truth = score_from_elo(elo)
    series = run_series(sprt, truth, trials=trials, seed=seed, bias=min(BIAS, 1 - truth))
    high = covered = 0.0
    for row in series.counts:
        found = stopped_estimate(sprt, [int(count) for count in row])
        assert found is not None
        high += found.mean > truth
        covered += found.low <= truth <= found.high
    return covered / trials, high / trials


def test_the_interval_holds_the_truth_for_any_difference() -> None:
    found = [_covered(Sprt(0, 60), elo, trials=40, seed=elo + 9) for elo in (0, 120, 250, 450, 800)]
    # Three standard errors, of 40 series and of 200.
    assert min(covered for covered, _ in found) >= 0.95 - 0.11
    assert np.mean([covered for covered, _ in found]) >= 0.95 - 0.047
    assert np.mean([high for _, high in found]) == pytest.approx(0.5, abs=0.106)


def test_a_few_pairs_are_enough_to_be_corrected() -> None:
    covered, _ = _covered(Sprt(0, 200), 450, trials=60, seed=3)
    assert covered >= 0.95 - 0.085


def test_the_plain_score_lies_beyond_the_truth() -> None:
    """What there is to correct: 7 or 8 Elo on the decision's side."""
    for elo in (0, 30):
        truth = score_from_elo(elo)
        series = run_series(Sprt(0, 30), truth, trials=300, seed=elo + 9)
        plain = (series.counts @ np.linspace(0, 1, 5) / series.pairs).mean()
        assert (plain - truth) * (elo - 15) > 0.004 * 15
