"""Commands where both players choose: analyse, replay, play, match."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petteia import agents
from petteia.cli.app import main
from petteia.cli.play import Terminal
from petteia.games.ropasci import RoPaSci

GAME = RoPaSci(throws=2)
SPEC = "ropasci(throws=2)"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        told = capsys.readouterr()
        return int(end.value.code or 0), told.out, told.err

    return call


def test_analyse_shows_the_matrix(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("analyse", SPEC, "start", "--moves", "r(4,-2)|s(-4,0)", "--json")
    facts: dict[str, Any] = json.loads(out)
    assert code == 0
    rows, columns = len(facts["row_actions"]), len(facts["column_actions"])
    assert (rows, columns) == (37, 36)  # lower stands in a corner
    assert len(facts["matrix"]) == rows
    assert {len(row) for row in facts["matrix"]} == {columns}
    assert sum(facts["row_strategy"]) == pytest.approx(1)
    assert sum(facts["column_strategy"]) == pytest.approx(1)
    assert 0 <= facts["exploitability"] < 1e-6
    assert facts["best"] in facts["row_actions"]
    code, out, _ = run("analyse", SPEC, "start")
    assert code == 0
    assert "equilibrium: worth" in out


def test_analyse_wants_both_moves(run: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = run("analyse", SPEC, "start", "--moves", "r(4,-2)")
    assert code == 2
    assert "expected two moves such as a|b" in err


LOG = """\
turn 1: upper: THROW symbol s to (4, -2)
turn 1: lower: THROW symbol r to (-4, 0)
{second}
"""


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ("winner: upper", "by the rules the game goes on"),
        ("turn 2: upper: SLIDE from (4, -2) to (3, -2)\n"
         "turn 2: lower: SLIDE from (0, 0) to (0, 1)", "ply 2: '(0,0)-(0,1)' is not a legal move"),
    ],
)  # fmt: skip
def test_replay_names_what_differs(
    second: str, what: str, tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    file = tmp_path / "game.log"
    file.write_text(LOG.format(second=second))
    code, out, _ = run("replay", "ropasci", str(file), "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["games"] == 1
    assert facts["differences"] == 1
    assert what in facts["problems"][0]["what"]
    code, out, _ = run("replay", "ropasci", str(file))
    assert "differences from the rules: 1" in out


def test_matches_are_recorded_and_replay(
    tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    file = tmp_path / "games.txt"
    code, out, _ = run(
        "match", SPEC, "random", "random", "--pairs", "4", "--workers", "serial", "--records",
        str(file), "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["games"] == 8
    code, out, _ = run("replay", SPEC, str(file), "--json")
    facts = json.loads(out)
    assert (facts["games"], facts["differences"]) == (8, 0)
    assert "Draw" in file.read_text() or json.loads(out)["draws"] == 0


def test_replay_says_what_is_wrong(
    tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    code, _, err = run("replay", "ropasci", str(tmp_path / "none"))
    assert code == 2
    file = tmp_path / "other.txt"
    file.write_text('[Game "breakthrough"]\n\n*\n')
    code, _, err = run("replay", "ropasci", str(file))
    assert code == 2
    assert "game 1, line 1 is breakthrough, not ropasci" in err


def test_a_person_plays_where_both_choose() -> None:
    lines = iter(
        ["moves", "hint", "r(4,-2)", "nonsense", "(4,-2)-(4,-1)", "undo", "redo", "resign"]
    )
    told: list[str] = []
    table = Terminal(GAME, agents.make("random", GAME), (0,), 1, lambda _: next(lines), told.append)
    table.play()
    text = "\n".join(told)
    assert "r(4,-4)" in told[1]
    assert "random would play" in text
    assert "not a legal move" in text
    assert len(table.session.plies) == 2
    assert table.session.result == -1.0
    assert "[" in told[-1], "the last moves are marked"
