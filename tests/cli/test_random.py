"""``petteia random`` and ``petteia targets``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petteia import games
from petteia.cli.app import main
from petteia.search.perft import perft

SMALL = "breakthrough(columns=4, rows=5)"
OTHELLO = str(Path(__file__).parents[2] / "examples" / "othello.py")


def _facts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--json"])
    assert ended.value.code == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_same_games_on_any_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["random", SMALL, "--games", "3000", "--seed", "1"]
    one = _facts(capsys, *command, "--threads", "1")
    two = _facts(capsys, *command, "--threads", "2")
    assert one["device"] == "cpu"
    assert one["games"] == sum(one["lengths"].values()) == 3000
    assert one["wins"] + one["draws"] < 3000
    for key in ("seconds", "games_per_second", "threads"):
        del one[key], two[key]
    assert one == two
    assert _facts(capsys, "random", SMALL, "--games", "3000", "--seed", "2")["wins"] != one["wins"]


def test_people_get_a_histogram(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["random", SMALL, "--games", "500"])
    said = capsys.readouterr().out
    assert "500 random games of breakthrough(columns=4, rows=5)" in said
    assert "####" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--device", "abacus"], "unknown device 'abacus'; there is: cpu, gpu"),
        (["--device", "gpu", "--threads", "2"], "--threads is for --device cpu"),
        (["--position", "nowhere"], "nowhere"),
    ],
)
def test_nonsense_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["random", SMALL, *arguments])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert words in said
    assert said.count("\n") == 1


def test_targets_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    found = _facts(capsys, "targets", SMALL)["games"][SMALL]
    assert set(found) == {"host", "cuda", "wasm"}
    assert all(each["compiles"] and each["bytes"] > 1000 for each in found.values())


def test_othello_has_the_known_lines_of_play() -> None:
    game = games.make(OTHELLO)
    assert [perft(game, game.start(), depth) for depth in range(1, 8)] == [
        4, 12, 56, 244, 1396, 8200, 55092,
    ]  # fmt: skip
