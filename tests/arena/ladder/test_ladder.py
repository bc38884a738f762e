"""A ladder plays what is missing, and nothing twice."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from petteia.arena.contest import Contest, Job
from petteia.arena.executors import workers
from petteia.arena.ladder import STATE, Conditions, Ladder
from petteia.arena.ladder.play import play_meeting, try_out
from petteia.arena.store import Store
from petteia.core.errors import PetteiaError
from tests.submitted import FIRST, LAST, hand_in

SMALL = "breakthrough(columns=4, rows=5)"
SERIAL = workers("serial")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hand_in(tmp_path / "class", "anna", FIRST)
    hand_in(tmp_path / "class", "ben", LAST)
    hand_in(tmp_path / "class", "cleo", 'echo "bestmove ${2:-$1}"')
    return tmp_path / "class"


def _ladder(folder: Path, pairs: int = 1, **more: str) -> Ladder:
    conditions = Conditions(SMALL, pairs, time=20.0, **more).checked()  # type: ignore[arg-type]
    ladder = Ladder(folder, conditions, Store(folder / STATE / "games.db"))
    ladder.read()
    return ladder


def _played(ladder: Ladder) -> Ladder:
    for _ in ladder.run(SERIAL):
        pass
    ladder.store.close()
    return ladder


def test_a_rerun_plays_only_what_is_new(folder: Path) -> None:
    first = _played(_ladder(folder))
    assert first.played == 3
    assert _played(_ladder(folder)).played == 0
    hand_in(folder, "ben", FIRST)  # now the same player as anna, under another name
    changed = _played(_ladder(folder))
    assert changed.played == 2
    rows = {row["name"]: row for row in changed.standings()}
    assert rows["ben"]["versions"] == 2
    assert rows["ben"]["games"] == 4, "only games of the newest version count"
    hand_in(folder, "ben", LAST)
    back = _played(_ladder(folder))
    assert back.played == 0
    assert back.standings() == [
        {**row, "versions": 2 if row["name"] == "ben" else 1} for row in first.standings()
    ]
    assert _played(_ladder(folder, pairs=2)).played == 3, "more pairs are added to those that are"
    moved = shutil.move(folder, folder.parent / "moved")
    assert _played(_ladder(Path(moved), pairs=2)).played == 0


def test_an_interrupted_run_goes_on_where_it_was(folder: Path) -> None:
    whole = _played(_ladder(shutil.copytree(folder, folder.parent / "other")))
    ladder = _ladder(folder)
    steps = ladder.run(SERIAL)
    assert isinstance(steps, Iterator)
    assert [next(steps), next(steps)] == [0, 1]
    steps.close()  # type: ignore[attr-defined]
    ladder.store.close()
    again = _ladder(folder)
    assert again.missing == 2
    _played(again)
    assert again.played == 2
    for name in ("rating", "interval", "points", "games"):
        assert [row[name] for row in again.standings()] == [row[name] for row in whole.standings()]


def test_it_stops_when_it_is_told(folder: Path) -> None:
    ladder = _ladder(folder)
    for _ in ladder.run(SERIAL, lambda: ladder.played == 1):
        pass
    assert (ladder.played, ladder.missing) == (1, 2)
    ladder.store.close()


def test_a_submission_alone_plays_the_baselines(folder: Path) -> None:
    shutil.rmtree(folder / "ben")
    shutil.rmtree(folder / "cleo")
    conditions = Conditions(SMALL, 1, time=20.0, baselines=("random", "greedy(eval=offensive2)"))
    with Store(folder / STATE / "games.db") as store:
        ladder = Ladder(folder, conditions.checked(), store)
        ladder.read()
        _played(ladder)
    assert ladder.played == 2, "baselines do not play each other"
    facts = ladder.facts()
    assert [row["name"] for row in facts["ranking"]] == ["anna"]
    assert {row["status"] for row in facts["baselines"]} == {"baseline"}
    assert facts["ranking"][0]["rank"] == 1


def test_an_agent_that_does_not_start_forfeits() -> None:
    absent = 'external(command="sh", folder="/nowhere/at/all")'
    assert "there is no folder '/nowhere/at/all'" in try_out(SMALL, absent)
    (pair,) = play_meeting(Job(Contest(SMALL, "random", absent), (0,)))
    assert pair.scores == (1.0, 1.0)
    for number, game in enumerate(pair.games):
        assert game.forfeit is not None
        assert game.forfeit.player == 1 - number
        assert "there is no folder" in game.forfeit.reason


def test_conditions_are_checked() -> None:
    with pytest.raises(PetteiaError, match="unknown agent 'nobody'"):
        Conditions(SMALL, baselines=("nobody",)).checked()
    assert Conditions(SMALL).checked().opening == "random(plies=4)"
    assert Conditions("backgammon").checked().search.startswith("expectimax")
