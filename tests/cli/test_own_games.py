"""A user's own game without a word about agents: the commands choose one that can play it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petteia import agents, games
from petteia.cli.app import main
from petteia.core.game import Kind
from tests.toys import Heap, Market, OddEven, Pacing, Race

GOOFSPIEL = str(Path(__file__).parents[2] / "examples" / "goofspiel.py")

DICE = """
from tests.toys import Race

class Own(Race):
    pass
"""
EVERYTHING = DICE.replace("Race", "Market")
UNSOUND = """
from tests.toys import Heap

class Own(Heap):
    most_points = 0.5
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    with pytest.raises(SystemExit) as end:
        main([*arguments, "--json"])
    shown = capsys.readouterr()
    return int(end.value.code or 0), json.loads(shown.out or "null"), shown.err


def written(folder: Path, text: str) -> str:
    path = folder / "own.py"
    path.write_text(text)
    return str(path)


def test_who_plays_where_nobody_is_named() -> None:
    assert agents.usual(Heap()) == agents.usual(Pacing()) == "engine(time=0.5)"
    assert agents.usual(Race()) == "mcts(time=0.5)"
    for game in (OddEven(), Market(), games.make(GOOFSPIEL)):
        assert agents.usual(game).startswith("nash(")
        assert agents.usual(game, game.tuned_agent) == "nash"
    for name in games.names():
        game = games.make(name)
        assert agents.usual(game) == game.default_agent, "a game's own choice can play it"
        assert agents.usual(game, game.obvious_agent) == game.obvious_agent
    assert all(not agents.AGENTS["nash"].unable(game) for game in (OddEven(), Market()))
    assert Kind.CHANCE in Market.kinds()


@pytest.mark.parametrize("text", [DICE, EVERYTHING], ids=["dice", "everything"])
def test_analysis_of_a_game_with_dice_chooses_who_can(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = written(tmp_path, text)
    code, facts, said = run(capsys, "analyse", game)
    assert code == 0, said
    assert facts["rolls"][0]["chance"] >= 0.5
    assert facts["value"] == pytest.approx(
        sum(roll["chance"] * roll["value"] for roll in facts["rolls"])
    )
    moves = ("1", "1") if text == EVERYTHING else ("1",)
    code, facts, said = run(capsys, "analyse", game, "--moves", " ".join(moves))
    assert code == 0, said
    assert facts["mover"] == "first"
    assert all(each["value"] is not None for each in facts["moves"])


def test_play_of_a_game_with_dice_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    code, facts, said = run(capsys, "play", written(tmp_path, DICE), "--seed", "1")
    assert code == 0, said
    assert "mcts(time=0.5) is your opponent" in said
    assert facts["left"]


def test_what_is_unsound_is_told_as_an_object_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, facts, _ = run(capsys, "check", written(tmp_path, UNSOUND))
    assert code == 2
    assert facts["ok"] is False
    assert "most_points is 0.5" in facts["says"]


def test_goofspiel_is_sound_and_equilibria_beat_chance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, facts, _ = run(capsys, "check", GOOFSPIEL)
    assert (code, facts["ok"], facts["notes"]) == (0, True, [])
    code, facts, _ = run(
        capsys, "match", GOOFSPIEL, "nash", "random", "--pairs", "100", "--seed", "1"
    )
    assert code == 0
    assert facts["interval"][0] > 0.5


TICTACTOE = str(Path(GOOFSPIEL).with_name("tictactoe.py"))


def test_games_tells_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, facts, _ = run(capsys, "games", TICTACTOE)
    (game,) = facts["games"]
    assert code == 0
    assert game["evaluations"].keys() == {"open_lines"}
    assert {"engine", "mcts", "random"} <= set(game["agents"])
    assert "nash" not in game["agents"]


def test_a_study_of_a_file_climbs_the_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petteia.studies.own._QUICK", 1)
    monkeypatch.setattr("petteia.studies.own._STEPS", ("random", "greedy", "nash"))
    code, facts, _ = run(capsys, "study", TICTACTOE, "--quick", "--out", str(tmp_path))
    assert code == 0
    assert [each["title"] for each in facts["experiments"]] == ["greedy against random"]
    page = (tmp_path / "tictactoe.md").read_text()
    assert f"petteia study {TICTACTOE} --quick --seed 0" in page
    assert facts["machine"] in page
    assert all(f"{name} {number}" in page for name, number in facts["versions"].items())


def test_a_file_brings_its_own_study(tmp_path: Path) -> None:
    from petteia.studies import frame

    game = written(
        tmp_path,
        DICE + "\nfrom petteia.studies.frame import Study\nS = Study('mine', 'Mine', '', (), ())\n",
    )
    assert frame.find(game).title == "Mine"


def test_the_lab_offers_a_file_to_everybody() -> None:
    from petteia.core.errors import PetteiaError
    from petteia.web import catalogue, trust

    nim = str(Path(GOOFSPIEL).with_name("nim.py"))
    with pytest.raises(PetteiaError, match="runs no code of visitors"):
        trust.game_of(nim)
    trust.host_games([nim])
    assert catalogue.games_listed((nim,))[0]["title"] == "Nim"
    with pytest.raises(PetteiaError, match="runs no code of visitors"):
        trust.game_of(TICTACTOE)
