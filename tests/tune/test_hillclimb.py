"""The report's hill climbing, step for step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.tune.hillclimb import HillClimb, moved
from petteia.tune.question import Trial
from petteia.tune.setting import Setting
from petteia.tune.tuner import Plan, Tuner

RACE = str(Path(__file__).parent / "linear_race.py:LinearRace")
SETTING = Setting(RACE, "greedy", "greedy", series=9, seed=7)

Wins = Callable[[tuple[float, ...], str], int]


def climbed(tuner: Tuner, wins: Wins) -> list[Trial]:
    """Runs a tuner on made-up series; gives all that it asked for."""
    asked: list[Trial] = []
    while questions := tuner.ask():
        answers = []
        for trial in questions:
            assert isinstance(trial, Trial)
            asked.append(trial)
            won = np.arange(2 * trial.pairs) < wins(trial.weights, trial.dice)
            answers.append(np.where(won, 1.0, -1.0).reshape(trial.pairs, 2))
        tuner.tell(answers)
    return asked


def nearer(weights: tuple[float, ...], dice: str) -> int:
    """More wins, the nearer the weights are to a place."""
    away = sum(abs(a - b) for a, b in zip(weights, (0.8, -0.4, 0.1), strict=True))
    return max(0, 9 - int(3 * away))


def by_the_book(start: np.ndarray, rng: np.random.Generator, iterations: int) -> list[list[float]]:
    """The report's words, one weight at a time; the candidates in their order."""
    current, on_record = list(start), nearer(tuple(start), "")
    candidates = [list(current)]
    for i in range(iterations):
        compression = 1 + (0.2 - 1) * i / (iterations - 1)
        values = rng.uniform(-1, 1, len(current))
        shares = rng.uniform(0, 1, len(current))
        new = []
        for old, value, share in zip(current, values, shares, strict=True):
            weight = old + compression * value
            if weight > 1:
                weight = old + share * (1 - old)
            elif weight < -1:
                weight = old + share * (-1 - old)
            new.append(weight)
        candidates.append(new)
        wins = nearer(tuple(new), "")
        if wins > on_record:
            current, on_record = new, wins
    return candidates


def test_restarts_are_the_reports() -> None:
    tuner = HillClimb(SETTING, Plan(restarts=4, iterations=12))
    asked = climbed(tuner, nearer)
    for restart in range(4):
        rng = np.random.default_rng(derive(7, "hillclimb", restart))
        drawn = rng.uniform(-1, 1, 3)
        start = drawn if restart % 2 else tuner.bench.start
        expected = by_the_book(start, rng, 12)
        np.testing.assert_allclose([t.weights for t in asked[restart::4]], expected, rtol=1e-14)
    assert len(asked) == 4 * 13
    assert tuner.games == sum(trial.games for trial in asked)


def test_all_candidates_meet_the_same_dice_unless_fresh_ones_are_asked_for() -> None:
    common = climbed(HillClimb(SETTING, Plan(restarts=2, iterations=3)), nearer)
    assert len({trial.dice for trial in common}) == 1
    fresh = climbed(HillClimb(SETTING, Plan(restarts=2, iterations=3), dice="fresh"), nearer)
    assert len({trial.dice for trial in fresh}) == 8


def test_the_boundary_rule() -> None:
    old = np.array([0.5, -0.5, 0.2, 2.0, 2.0])
    step = np.array([0.7, -0.9, 0.3, -0.5, -1.5])
    new = moved(old, step, np.full(5, 0.5))
    # Beyond a bound half of the way to it; a weight that began outside comes back in.
    np.testing.assert_allclose(new, [0.75, -0.75, 0.5, 1.5, 0.5])
    np.testing.assert_allclose(moved(np.array([4.0]), np.array([3.0]), np.array([0.5]), 5.0), [4.5])


def test_ties_keep_the_current_weights() -> None:
    tuner = HillClimb(SETTING, Plan(restarts=1, iterations=5))
    climbed(tuner, lambda weights, dice: 5)
    assert tuner.best.weights == tuner.start
    assert [mark.is_kept for mark in tuner.marks] == [True] + [False] * 5


def test_the_current_weights_are_judged_by_their_record() -> None:
    scores = iter([4, 8, 6, 7, 9])
    tuner = HillClimb(SETTING, Plan(restarts=1, iterations=4))
    climbed(tuner, lambda weights, dice: next(scores))
    assert [mark.is_kept for mark in tuner.marks] == [True, True, False, False, True]
    assert tuner.best.score == 1.0


def test_steps_grow_shorter_from_one_to_a_fifth() -> None:
    tuner = HillClimb(SETTING, Plan(iterations=50))
    assert [tuner.compression(i) for i in (1, 50)] == pytest.approx([1, 0.2])
    assert tuner.compression(25) - tuner.compression(26) == pytest.approx(0.8 / 49)


def test_annealing_lets_worse_ones_pass_at_first_and_keeps_the_best() -> None:
    def kept(annealing: float) -> tuple[int, int]:
        tuner = HillClimb(SETTING, Plan(restarts=20, iterations=30), annealing=annealing)
        climbed(tuner, nearer)
        early = [mark.is_kept for mark in tuner.marks if 0 < mark.iteration <= 10]
        late = [mark.is_kept for mark in tuner.marks if mark.iteration > 20]
        assert tuner.best.score == max(mark.score for mark in tuner.marks)
        return sum(early), sum(late)

    plain, annealed = kept(0.0), kept(0.3)
    assert annealed[0] > 2 * plain[0]
    assert annealed[1] < annealed[0]


def test_the_pool_has_the_best_of_every_restart() -> None:
    tuner = HillClimb(SETTING, Plan(restarts=3, iterations=10))
    climbed(tuner, nearer)
    scores = [each.score for each in tuner.pool]
    assert sorted(each.restart for each in tuner.pool) == [0, 1, 2]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert tuner.best == tuner.pool[0]


def test_a_budget_becomes_restarts_or_iterations() -> None:
    assert HillClimb(SETTING, Plan(budget=9 * 51 * 3)).restarts == 3
    assert HillClimb(SETTING, Plan(budget=9 * 11 * 3, iterations=10)).restarts == 3
    assert HillClimb(SETTING, Plan(budget=9 * 11 * 3, restarts=3)).iterations == 10
    with pytest.raises(PetteiaError, match="--budget 100 is too small: one round takes 459 games"):
        HillClimb(SETTING, Plan(budget=100))


def test_wrong_options_are_told() -> None:
    with pytest.raises(PetteiaError, match="last <= first"):
        HillClimb(SETTING, Plan(), first=0.1)
    with pytest.raises(PetteiaError, match="unknown starts 'hot'"):
        HillClimb(SETTING, Plan(), starts="hot")
