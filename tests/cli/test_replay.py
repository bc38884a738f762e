"""Replayed files: every game is read or its fault is named, with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from petteia.cli.app import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        told = capsys.readouterr()
        return int(end.value.code or 0), told.out, told.err

    return call


PDN = """\
[Event "resigned"]
1. 11-15 22-18 1-0

[Event "illegal"]
1. 11-15 22-18
2. 9-14 *

[Event "agreed"]
1. 11-15{so} 22-18 1/2-1/2

[Event "goes on"]
1. 11-15 *
"""

OWN = """\
[Game "breakthrough"]
[Result "1"]

1. a2a3 a7a6 {resigned} 1-0

[Game "breakthrough"]

1. a2a3 {not closed
a7a6 *

[Game "breakthrough"]

1. a2a4 *
"""


def test_every_game_of_a_pdn_file_is_told(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(PDN)
    code, out, _ = run("replay", "checkers", str(file), "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["games"], facts["read"], facts["ended_by_players"]) == (4, 3, 2)
    (fault,) = facts["faults"]
    assert (fault["game"], fault["line"]) == (2, 6)
    assert fault["why"].startswith("ply 3: '9-14' is not a legal move here")
    assert (facts["losses"], facts["draws"], facts["unfinished"]) == (1, 1, 1)
    assert facts["differences"] == 0
    code, out, _ = run("replay", "checkers", str(file))
    assert "4 games in the file: 3 read, 1 not" in out
    assert "game 2, line 6: ply 3: '9-14'" in out
    assert "ended by the players, not by the rules: 2" in out


def test_whose_figure_comes_first_can_be_told(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(PDN)
    counted = []
    for results in ("auto", "second", "first"):
        code, out, _ = run("replay", "checkers", str(file), "--results", results, "--json")
        facts = json.loads(out)
        assert code == 0
        counted.append((facts["wins"], facts["draws"], facts["losses"], len(facts["faults"])))
    assert counted == [(0, 1, 1, 1), (0, 1, 1, 1), (1, 1, 0, 1)]
    own = tmp_path / "games.txt"
    own.write_text(OWN)
    code, _, err = run("replay", "breakthrough", str(own), "--results", "first")
    assert code == 2
    assert "results in this form have one meaning only" in err


def test_our_own_files_are_told_alike(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.txt"
    file.write_text(OWN)
    code, out, _ = run("replay", "breakthrough", str(file), "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["games"], facts["read"], facts["ended_by_players"]) == (3, 2, 1)
    (fault,) = facts["faults"]
    assert (fault["game"], fault["line"]) == (2, 8)
    assert fault["why"].startswith("expected a comment that ends with }")
    (problem,) = facts["problems"]
    assert (problem["game"], problem["line"]) == (3, 11)
    assert problem["what"].startswith("ply 1: 'a2a4' is not a legal move")


@pytest.mark.parametrize("game", ["breakthrough", "checkers", "ropasci", "ur", "backgammon"])
@pytest.mark.parametrize("command", ["replay", "review"])
def test_an_empty_file_is_an_error(command: str, game: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "empty"
    file.write_text("\n")
    code, out, err = run(command, game, str(file))
    assert (code, out) == (2, "")
    assert f"{file}: there is no game in this file" in err


def test_a_file_of_which_nothing_can_be_read_is_an_error(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "bad.pdn"
    file.write_text('[Event "a"]\n1. 99-100 *\n')
    code, _, err = run("replay", "checkers", str(file))
    assert code == 2
    assert "no game could be read; game 1, line 2: ply 1: '99-100' is neither" in err
    code, _, err = run("review", "checkers", str(file))
    assert code == 2
