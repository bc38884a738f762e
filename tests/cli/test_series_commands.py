"""Matches and tournaments from the command line: workers, store, resuming, sequential tests."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from petteia.cli import main

SMALL = "breakthrough(columns=4, rows=5)"
SAME = ("wins", "draws", "losses", "score", "interval", "plies", "pentanomial")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*arguments: str) -> dict[str, Any]:
        with pytest.raises(SystemExit) as caught:
            main([*arguments, "--json"])
        out, err = capsys.readouterr()
        assert caught.value.code == 0, err
        found = json.loads(out)
        assert isinstance(found, dict)
        return found

    return ask


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_workers(ask: Any) -> None:
    match = (
        "match",
        "breakthrough",
        "engine(nodes=2000)",
        "random",
        "--pairs",
        "20",
        "--seed",
        "1",
    )
    serial = ask(*match, "--workers", "serial")
    assert serial["wins"] == 40
    for where in (("--workers", "2"), ("--cluster", "local:3")):
        found = ask(*match, *where)
        assert [found[key] for key in SAME] == [serial[key] for key in SAME]


def test_a_sequential_test_stops_the_match_and_says_what_that_does(ask: Any) -> None:
    match = ("match", SMALL, "engine(nodes=500)", "random", "--pairs", "500", "--seed", "2")
    found = ask(*match, "--sprt", "0,30", "--workers", "serial")
    assert found["decision"] == "accept H1"
    assert found["llr"] >= found["bounds"][1]
    assert found["games"] < 1000
    assert "biased" in found["note"]


def test_a_match_is_stored_listed_and_replayed(ask: Any, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "lab.db"))
    played = ask("match", SMALL, "greedy", "random", "--pairs", "3", "--workers", "serial", *store)
    (row,) = ask("series", *store)["series"]
    assert row["id"] == played["series"]
    assert row["state"] == "finished"
    assert row["score"] == played["score"]
    games = ask("records", *store)["games"]
    assert len(games) == 6
    again = ask("match", "--resume", str(row["id"]), "--workers", "serial", *store)
    assert [again[key] for key in SAME] == [played[key] for key in SAME]


def test_records_are_written_in_the_form_that_the_name_asks_for(ask: Any, tmp_path: Path) -> None:
    match = ("match", "backgammon", "random", "random", "--pairs", "1", "--workers", "serial")
    for suffix, sign in ((".txt", "[Game "), (".mat", " point match"), (".sgf", "GM[6]")):
        file = tmp_path / f"games{suffix}"
        ask(*match, "--records", str(file))
        assert sign in file.read_text()
        facts = ask("replay", "backgammon", str(file))
        assert (facts["games"], facts["differences"]) == (2, 0)


@pytest.mark.parametrize(
    ("spec", "name", "why"),
    [
        ("backgammon", "games.xyz", "end the name with .txt, .pgn, .mat or .sgf"),
        ("backgammon(match=3)", "games.mat", "a .mat file holds one match"),
        (SMALL, "games", "end the name with .txt or .pgn"),
    ],
)
def test_records_that_cannot_be_written_are_refused_before_a_game_is_played(
    spec: str, name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    with pytest.raises(SystemExit) as caught:
        main(["match", spec, "random", "random", "--pairs", "1000000", "--records", str(file)])
    assert caught.value.code == 2
    assert why in capsys.readouterr().err
    assert not file.exists()


def test_tournament(ask: Any, tmp_path: Path) -> None:
    agents = ("random", "greedy(eval=offensive1)", "alphabeta(depth=2, eval=offensive2)")
    page = tmp_path / "page.html"
    found = ask(
        "tournament", SMALL, *agents, "--pairs", "10", "--seed", "1", "--workers", "serial",
        "--plot", str(page),
    )  # fmt: skip
    table = found["table"]
    assert [table[i][i] for i in range(3)] == [None] * 3
    assert table[0][2] == pytest.approx(1 - table[2][0])
    ratings = found["ratings"]
    assert ratings[0]["agent"] == agents[2]
    assert sum(row["rating"] for row in ratings) == pytest.approx(0, abs=1e-6)
    assert all(row["error"] > 0 and row["games"] == 40 for row in ratings)
    assert ratings[0]["league"] == "A"
    assert "<svg" in page.read_text()


def test_plan_recomputes_the_rule_of_269_games(ask: Any) -> None:
    found = ask("plan", "--score", "0.55")
    assert found["series"] == 269
    assert 0.95 <= found["series_probability"] < 0.951
    biased = ask("plan", "--score", "0.55", "--favoured", "0.85")
    assert biased["games_fixed"] < found["games_fixed"]
    assert found["games_sprt"] < found["games_fixed"]


def test_a_gauntlet_is_one_against_all(ask: Any) -> None:
    agents = ("greedy", "random", "mcts(simulations=20)")
    found = ask("tournament", SMALL, *agents, "--gauntlet", "--pairs", "2", "--workers", "serial")
    assert found["table"][1][2] is None
    assert len(found["meetings"]) == 2


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("match", SMALL, "random"), "GAME A B"),
        (("match", "--resume", "99"), "99"),
        (("match", SMALL, "random", "random", "--resume", "1"), "from the store"),
        (("match", SMALL, "random", "random", "--sprt", "30,0"), "for instance 0,30"),
        (("match", SMALL, "random", "random", "--sprt", "x"), "for instance 0,30"),
        (("match", SMALL, "random", "random", "--adjudicate", "5"), "for instance 900000,4"),
        (("match", SMALL, "random", "random", "--workers", "no"), "serial, or a number"),
        (("match", SMALL, "random", "random", "--openings", "ballots"), "unknown opening"),
        (("tournament", SMALL, "random"), "at least two"),
        (("tournament", SMALL, "random", "random"), "named twice"),
    ],
)
def test_mistakes(
    arguments: tuple[str, ...], what: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--store", str(tmp_path / "lab.db")])
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert what in err


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "petteia", "match", *arguments]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)


@pytest.mark.slow
def test_killed_again_and_again_a_series_ends_as_if_it_had_not_been(
    ask: Any, tmp_path: Path
) -> None:
    agents = [SMALL, "engine(nodes=3000)", "mcts(simulations=300)"]
    options = ["--pairs", "400", "--seed", "5", "--workers", "serial"]
    whole = ask("match", *agents, *options, "--store", "off")
    store = tmp_path / "lab.db"
    fresh = [*agents, *options, "--store", str(store)]
    resume = ["--resume", "1", "--workers", "serial", "--store", str(store)]

    def known() -> list[Any]:
        return list(ask("series", "--store", str(store))["series"]) if store.exists() else []

    def played() -> int:
        return sum(each["played"] for each in known())

    began = time.monotonic()
    process = _start(fresh)
    try:
        while not store.exists():
            assert process.poll() is None
            time.sleep(0.01)
        start = time.monotonic() - began  # how long this machine takes to begin: a measure of kills
        rng = random.Random(5)
        for _ in range(20):
            os.setpriority(os.PRIO_PGRP, process.pid, 5)  # it yields to this test, which watches it
            # While it starts or while it plays, but never so late that it could come to its end.
            ends, most = time.monotonic() + start * rng.uniform(0.5, 2), played() + 10
            while time.monotonic() < ends and played() < most:
                time.sleep(0.01)
            assert process.poll() is None, "the series ended before it could be killed 20 times"
            os.killpg(process.pid, 9)
            process.wait()
            process = _start(resume if known() else fresh)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()
    resumed = ask("match", *resume)
    assert [resumed[key] for key in SAME] == [whole[key] for key in SAME]
    assert len(ask("series", "--store", str(store))["series"]) == 1
