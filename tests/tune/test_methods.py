"""The other methods find what can be found, and say what they cannot do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.tune import methods
from petteia.tune.question import Trial
from petteia.tune.setting import Setting, bench_of
from petteia.tune.tuner import Plan, Tuner

HERE = Path(__file__).parent
RACE = str(HERE / "linear_race.py:LinearRace")
SMALL = "breakthrough(columns=4, rows=5)"
HASTY = "greedy(eval=strides(own=1))"


def driven(tuner: Tuner, setting: Setting) -> Tuner:
    """By the interface alone, without log and workers."""
    while questions := tuner.ask():
        tuner.tell([question.answer(setting) for question in questions])
    return tuner


def on_a_hill(tuner: Tuner, seed: int) -> list[Trial]:
    """Runs a tuner on noisy series whose true score is highest at (1, 0.5, 0.25)."""
    asked: list[Trial] = []
    while questions := tuner.ask():
        answers = []
        for trial in questions:
            assert isinstance(trial, Trial)
            asked.append(trial)
            away = np.linalg.norm(np.array(trial.weights) - (1.0, 0.5, 0.25))
            rng = np.random.default_rng([seed, sum(map(ord, trial.dice))])
            won = rng.random((trial.pairs, 2)) < 0.9 * np.exp(-0.5 * away**2)
            answers.append(np.where(won, 1.0, -1.0))
        tuner.tell(answers)
    return asked


@pytest.mark.parametrize(
    ("method", "plan"), [("spsa(rate=0.4)", Plan(iterations=150)), ("cmaes", Plan(iterations=30))]
)
def test_climbs_a_noisy_hill(method: str, plan: Plan) -> None:
    setting = Setting(RACE, "greedy", "greedy", series=100, seed=3)
    tuner = methods.make(method, setting, plan)
    began = np.linalg.norm(np.array(tuner.start) - (1, 0.5, 0.25))
    asked = on_a_hill(tuner, 3)
    ended = np.linalg.norm(np.array(tuner.best.weights) - (1, 0.5, 0.25))
    assert began > 1.5
    assert ended < 0.4
    assert tuner.games == sum(trial.games for trial in asked)
    # Those who are compared meet the same dice; the next are given others.
    dice = [trial.dice for trial in asked]
    assert dice[0] == dice[1] != dice[-2]
    again = methods.make(method, setting, plan)
    on_a_hill(again, 3)
    assert again.best == tuner.best


@pytest.mark.parametrize(
    ("method", "plan"),
    [
        ("hillclimb", Plan(restarts=2, iterations=8)),
        ("logistic", Plan(budget=400)),
        ("td", Plan(budget=1000, iterations=5)),
        (f"least_squares(teacher={HASTY})", Plan(budget=60)),
    ],
)
def test_a_dawdler_learns_to_hurry(method: str, plan: Plan) -> None:
    setting = Setting(RACE, "greedy", HASTY, series=60, seed=5)
    tuner = driven(methods.make(method, setting, plan), setting)
    assert tuner.best.weights[0] > 0 > tuner.start[0]
    # Two that hurry alike win as often as each other, but the start wins hardly ever.
    start = tuner.trial(tuner.start, "search").answer(setting)
    assert tuner.score(start) < 0.2
    assert tuner.best.score == pytest.approx(0.5, abs=0.1)


def test_a_teachers_weights_are_found_again() -> None:
    setting = Setting(RACE, "greedy", HASTY, seed=2, series=2)
    method = "least_squares(teacher=greedy(eval=strides(own=3, near=-2)), every=1)"
    tuner = driven(methods.make(method, setting, Plan(budget=40)), setting)
    own, other, near = tuner.best.weights
    assert (own, near) == pytest.approx((3, -2), abs=1e-3)
    assert other == 0  # it is the same for all moves of a position
    assert tuner.notes["explained"] == pytest.approx(1, abs=1e-6)


def test_labels_are_fitted(tmp_path: Path) -> None:
    setting = Setting(SMALL, "greedy(eval=offensive2)", "random", series=2)
    bench = bench_of(setting)
    game, evaluation = bench.game, bench.evaluation
    rng = np.random.default_rng(1)
    lines, p = ["# position, value for the player to move"], game.start()
    for number in range(60):
        if game.kind(p) == 3:
            p = game.start()
        value = evaluation.of(game, p, game.mover(p))
        lines.append(f"{game.text(p)}{',' if number % 2 else chr(9)}{value!r}")
        p = game.play(p, int(rng.choice(game.legal_moves(p))))
    file = tmp_path / "labels.tsv"
    file.write_text("\n".join(lines) + "\n")
    tuner = driven(methods.make(f'least_squares(labels="{file}")', setting, Plan()), setting)
    found = evaluation.with_weights(bench.full(tuner.best.weights))
    again = game.start()
    constant = tuner.notes["constant"]
    assert found.of(game, again, 0) + constant == pytest.approx(
        evaluation.of(game, again, 0), abs=1e-2
    )
    assert tuner.notes["explained"] > 0.999
    file.write_text("\n".join(lines[:5]))
    with pytest.raises(PetteiaError, match="4 labels are too few for 8 weights"):
        methods.make(f'least_squares(labels="{file}")', setting, Plan())
    file.write_text(lines[1] + "\nstart,well\n")
    with pytest.raises(PetteiaError, match="line 2 of the labels"):
        methods.make(f'least_squares(labels="{file}")', setting, Plan())


@pytest.mark.parametrize(
    ("agent", "method", "what"),
    [
        ("random", "spsa", "agent random has no evaluation to tune"),
        ("greedy(eval=lorentz)", "spsa", "evaluation lorentz has no weights to tune"),
        ("greedy(eval=offensive1)", "logistic", "needs a linear evaluation"),
        ("greedy", "climb", "unknown method 'climb'; did you mean hillclimb"),
        ("greedy", "spsa(probe=0)", "probe and rate above 0"),
        ("greedy", "cmaes(population=2)", "population of 4 or more"),
        ("greedy", "least_squares", "needs a teacher or labels"),
        ("greedy", "least_squares(teacher=random)", "gives moves no values"),
        ("greedy", "td(decay=2)", "decay and epsilon from 0 to 1"),
        ("greedy", "td(speed=2)", "unknown argument of method td 'speed'"),
        ("greedy", "logistic(epsilon=3)", "not a fraction of the moves"),
    ],
)
def test_what_cannot_be_is_told(agent: str, method: str, what: str) -> None:
    agent = agent.replace("greedy", "greedy(eval=offensive2)") if agent == "greedy" else agent
    setting = Setting(SMALL, agent, "greedy(eval=offensive2)", series=2)
    with pytest.raises(PetteiaError, match=what):
        driven(methods.make(method, setting, Plan(iterations=1, budget=4)), setting)


def test_only_some_weights_are_tuned() -> None:
    setting = Setting(RACE, "greedy", HASTY, series=4, only=("near", "own"))
    bench = bench_of(setting)
    assert bench.names == ("own", "near")
    assert (
        str(bench.agent_spec((1.0, 2.0))) == "greedy(eval=strides(own=1.0, other=0.25, near=2.0))"
    )
    with pytest.raises(PetteiaError, match="--only is for the others"):
        methods.make("td", setting, Plan())
    with pytest.raises(PetteiaError, match="unknown weight of evaluation strides 'far'"):
        bench_of(Setting(RACE, "greedy", HASTY, only=("far",)))


def test_weights_that_are_not_linear_are_tuned_too() -> None:
    setting = Setting(SMALL, "greedy(eval=offensive1)", "random", series=6)
    assert bench_of(setting).names == ("constant", "my", "opp")  # the seed is no weight
    tuner = driven(methods.make("hillclimb", setting, Plan(iterations=2)), setting)
    assert tuner.best.score is not None
