"""A person at the terminal: moves in every writing, commands, mistakes, saving and loading."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from petteia.cli import main
from petteia.core import record


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Types lines at ``petteia play`` and gives the JSON object and what was shown."""

    def play(game: str, lines: list[str], *options: str) -> tuple[dict[str, Any], str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        with pytest.raises(SystemExit) as caught:
            main(["play", game, "--agent", "greedy", *options, "--json"])
        assert caught.value.code == 0
        out, err = capsys.readouterr()
        return json.loads(out), err

    return play


SMALL = "breakthrough(columns=4, rows=5)"


def test_moves_in_every_writing(play: Any) -> None:
    found, shown = play("breakthrough", ["7 1 R", "c2-c3", "d2d3"])
    (kept,) = record.read_all(found["record"])
    assert [ply.texts[0] for ply in kept.plies[::2]] == ["a2b3", "c2c3", "d2d3"]
    assert found["left"]
    assert "[b]" in shown or "[w]" in shown


def test_wrong_input_explains_itself_and_changes_nothing(play: Any) -> None:
    found, shown = play("breakthrough", ["a2a5", "9 9 U", "nonsense", "", "undo", "redo", "save"])
    assert found["plies"] == 0
    assert "'a2a5' is not a legal move here; legal are" in shown
    assert "leaves the board" in shown
    assert "type help" in shown
    assert "no move of yours to take back" in shown
    assert "save where?" in shown


def test_hint_moves_help_flip_and_board(play: Any) -> None:
    _, shown = play(SMALL, ["hint", "moves", "help", "flip", "board"])
    assert "a2a3" in shown
    assert "take your last move back" in shown
    flipped = shown[shown.index("quit") :]
    assert flipped.index("1  ") < flipped.index("5  ")


def test_undo_and_redo(play: Any) -> None:
    found, _ = play(SMALL, ["a2a3", "undo"])
    assert found["plies"] == 0
    found, _ = play(SMALL, ["a2a3", "undo", "redo"])
    assert found["plies"] == 2
    found, _ = play(SMALL, ["a2a3", "undo", "d2d3", "redo"])
    (kept,) = record.read_all(found["record"])
    assert kept.plies[0].texts == ("d2d3",)


def test_resigning_loses(play: Any) -> None:
    found, shown = play(SMALL, ["a2a3", "resign"])
    assert found["result"] == -1.0
    assert "black wins by resignation" in shown


def test_the_second_player_sees_the_board_from_the_other_side(play: Any) -> None:
    found, shown = play(SMALL, [], "--side", "second")
    assert found["plies"] == 1
    first = shown.index("1  ")
    assert first < shown.index("5  ")


def test_a_saved_game_goes_on_where_it_stopped(play: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    before, shown = play(SMALL, ["a2a3", f"save {file}"])
    assert f"kept in {file}" in shown
    after, _ = play(SMALL, [], "--load", str(file))
    assert after["position"] == before["position"]
    again, _ = play(SMALL, ["b2b3", f"load {file}"])
    assert again["position"] == before["position"]


@pytest.mark.parametrize("suffix", [".txt", ".mat", ".sgf"])
def test_a_match_goes_on_from_the_files_of_others(play: Any, tmp_path: Path, suffix: str) -> None:
    spec, file = "backgammon(match=3, cube=true)", tmp_path / f"game{suffix}"
    # The first game is dropped after a play; the dice of the second are thrown.
    first_game = ["24/15", "double", "drop"]
    options = ("--side", "both", "--seed", "3")
    saved, shown = play(spec, [*first_game, f"save {file}"], *options)
    assert saved["plies"] == 5
    assert f"kept in {file}" in shown
    assert ("not played yet" in shown) == (suffix == ".mat")
    after, _ = play(spec, [], *options, "--load", str(file))
    assert (after["position"], after["plies"]) == (saved["position"], saved["plies"])


def test_a_form_that_nobody_knows_is_refused(play: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.xyz"
    _, shown = play("checkers", ["11-15", f"save {file}"])
    assert "end the name with .txt, .pgn or .pdn" in shown
    assert not file.exists()


def test_a_foreign_or_broken_file_changes_nothing(play: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    play("breakthrough", ["a2a3", f"save {other}"])
    broken = tmp_path / "broken.txt"
    broken.write_text("[Game what")
    found, shown = play(SMALL, ["a2a3", f"load {other}", f"load {broken}", "load /nowhere"])
    assert found["plies"] == 2
    assert "game 1, line 1 is breakthrough, not" in shown
    assert "broken.txt" in shown
    assert "/nowhere" in shown


def test_agents_play_each_other_to_the_end(play: Any) -> None:
    found, shown = play(SMALL, [], "--side", "none")
    assert found["result"] in (1.0, -1.0)
    assert "wins." in shown


def test_from_a_position_to_a_win(play: Any) -> None:
    found, shown = play("breakthrough", ["a7a8"], "--position", "8/P7/8/8/8/8/p7/8 w")
    assert found["result"] == 1.0
    assert "white wins." in shown


def test_the_example_game_is_played(play: Any) -> None:
    example = Path(__file__).parents[2] / "examples" / "connect_four.py"
    found, shown = play(str(example), ["3", "undo", "0", "moves"], "--side", "both")
    assert found["plies"] == 1
    assert "0 1 2 3 4 5 6" in shown
