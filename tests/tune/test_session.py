"""A run from its beginning to a confirmed result: the same however it is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia.arena.contest import Contest
from petteia.arena.executors import workers
from petteia.arena.points import pair_points
from petteia.arena.statistics import Sprt
from petteia.core.errors import PetteiaError
from petteia.tune.confirm import Confirmation
from petteia.tune.question import Trial
from petteia.tune.session import Session, setting_of
from petteia.tune.setting import Setting
from petteia.tune.tuner import Plan

RACE = str(Path(__file__).parent / "linear_race.py:LinearRace")
HASTY = "greedy(eval=strides(own=1))"
PLAN = Plan(restarts=2, iterations=6)


def session(folder: Path | None = None, **given: Any) -> Session:
    setting = setting_of(RACE, against=HASTY, series=75, seed=4)
    return Session(setting, plan=PLAN, confirm=100, folder=folder, **given)


def played(run: Session, where: str = "serial") -> dict[str, Any]:
    for _ in run.steps(workers(where)):
        pass
    return {key: value for key, value in run.facts().items() if not key.endswith("seconds")}


def test_a_run_says_what_it_found_and_what_it_is_worth() -> None:
    run = session()
    facts = played(run)
    assert facts["games"] == run.tuner.games == 2 * 7 * 76
    assert facts["start"] == {"own": -0.5, "other": 0.25, "near": 0.0}
    assert facts["weights"]["own"] > 0
    assert facts["luck"] == facts["series_score"] - facts["confirmed_score"]
    assert facts["gain"] == facts["confirmed_score"] - facts["start_score"]
    low, high = facts["interval"]
    assert low <= facts["confirmed_score"] <= high
    assert facts["confirmed_games"] == 200
    assert facts["better"]
    assert facts["test"]["decision"] == "accept H1"
    assert facts["test"]["pairs"] < 100
    # The figures are those of a match that anybody can play again.
    seed = run.setting.contest("", "", "confirm").seed
    points = pair_points(Contest(run.setting.game, facts["agent"], HASTY, seed), range(100))
    assert facts["confirmed_score"] == np.mean(points > 0)
    json.dumps(facts, allow_nan=False)


def test_processes_change_nothing() -> None:
    assert played(session(), "2") == played(session())


def test_a_log_that_ends_anywhere_leads_to_the_same_result(tmp_path: Path) -> None:
    whole = played(session(tmp_path))
    (log,) = tmp_path.glob("*.log")
    content = log.read_bytes()
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    for end in (0, 40, ends[0], ends[0] + 30, ends[3], ends[20] + 200, ends[-1] - 1, len(content)):
        log.write_bytes(content[:end])
        run = session(tmp_path)
        assert run.log.found == max(0, sum(each <= end for each in ends) - 1)
        assert played(run) == whole
        # What was known is not played again, and what was torn is written again.
        lines = [line.partition(b'"answer"')[2] for line in log.read_bytes().splitlines()]
        assert lines == [line.partition(b'"answer"')[2] for line in content.splitlines()]


def test_a_log_of_another_run_is_refused(tmp_path: Path) -> None:
    played(session(tmp_path))
    (log,) = tmp_path.glob("*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0].replace(b'"seed": 4', b'"seed": 5') + b"".join(lines[1:]))
    with pytest.raises(PetteiaError, match="is the log of another run"):
        session(tmp_path)
    assert session(tmp_path, again=True).log.found == 0


def test_another_wish_has_another_log(tmp_path: Path) -> None:
    first = session(tmp_path)
    other = Session(first.setting, "spsa", PLAN, folder=tmp_path)
    longer = Session(first.setting, plan=Plan(2, 7), folder=tmp_path)
    assert len({first.name, other.name, longer.name}) == 3
    # How well it is confirmed does not change what is searched.
    assert session(tmp_path, sprt=Sprt(0, 50)).name == first.name


def test_the_dice_of_the_confirmation_are_new() -> None:
    setting = Setting(RACE, "greedy", HASTY)
    seeds = {setting.contest("", "", dice).seed for dice in ("search", "confirm", "test")}
    assert len(seeds) == 3


def test_a_lucky_search_is_found_out() -> None:
    # The best of many equals shows more than it is worth; fresh dice do not believe it.
    even = setting_of(RACE, HASTY, "random", series=15, seed=1)
    run = Session(
        even, "hillclimb(dice=fresh, first=0.3, starts=given)", Plan(1, 40), confirm=300,
        sprt=Sprt(0, 50),
    )  # fmt: skip
    facts = played(run)
    assert facts["series_score"] > 0.9
    assert facts["luck"] > 0.1
    assert not facts["better"]
    assert facts["gain"] == pytest.approx(0, abs=0.02)
    assert run.save("lucky", facts) is None


def test_a_search_that_comes_back_with_its_start_is_not_better() -> None:
    setting = setting_of(RACE, HASTY, HASTY, series=10)
    start = (1.0, 0.25, 0.0)
    same = Confirmation(setting, start, start, 10, Sprt(0, 20))
    while questions := same.ask():
        same.tell([question.answer(setting) for question in questions])
    facts = same.facts(0.7)
    assert facts["gain"] == 0
    assert not facts["better"]
    assert facts["test"]["pairs"] == 0


def test_points_can_be_the_aim() -> None:
    setting = setting_of(RACE, against=HASTY, series=40, aim="points")
    run = Session(setting, plan=Plan(2, 8), confirm=50)
    facts = played(run)
    assert facts["start_score"] < -0.5  # double for being left behind
    assert facts["gain"] > 0.5


def test_a_series_of_an_odd_number_leaves_out_its_last_game() -> None:
    setting = Setting(RACE, "greedy", HASTY, series=5)
    trial = Trial((1.0, 0.0, 0.0), "search", setting.pairs)
    assert trial.games == 6
    run = Session(setting, plan=Plan(1, 1), confirm=2)
    points = np.array([[1, 1], [1, -1], [-1, 1]], float)
    assert run.tuner.score(points) == 3 / 5
