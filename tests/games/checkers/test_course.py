"""The course's puzzles through both of its command lines, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.core.game import TERMINAL
from petteia.games.checkers import course
from petteia.games.checkers.face.notation import grid, parse_grid
from petteia.search.distance import Prover
from tests.games.checkers.boards import board

GAME = board(repetitions=0, quiet_plies=0)

PUZZLES = {
    "checkers0": ("W:WK26:B25,K29", 1, "26-30"),
    "checkers1": ("W:W31:B18", 3, "31-26"),
    "checkers2": ("W:WK12,20,26:B7,14,15,18,K31", 7, "20-16"),
    "checkers3": ("W:W7,11,15:B4,8,K14,16", 7, "15-10"),
}
"""Position, exact plies, the only best move."""

CHECKERS1 = """........
........
........
........
...b....
........
........
....r..."""


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["checkers-solve", *arguments])
    return int(end.value.code or 0)


@pytest.mark.parametrize("name", PUZZLES)
def test_every_step_is_legal_and_optimal(name: str) -> None:
    fen, plies, first = PUZZLES[name]
    found = course.solve(GAME.parse(fen))
    assert (found.proved.result, found.proved.plies) == ("win", plies)
    assert found.moves[0] == first
    assert len(found.proved.optimal) == 1
    assert len(found.moves) == plies
    prover = Prover(GAME)
    for left, (p, after) in enumerate(
        zip(found.positions, found.positions[1:], strict=False), -plies
    ):
        assert after in [GAME.play(p, move) for move in GAME.legal_moves(p)]
        assert prover.prove(p).plies == -left
    assert GAME.kind(found.positions[-1]) == TERMINAL
    assert GAME.result(found.positions[-1]) == -1.0


def test_the_whole_game_is_written_to_the_byte(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes(CHECKERS1.encode())
    assert run("--inputfile", str(source), "--outputfile", str(target)) == 0
    text = target.read_bytes().decode()
    states = text.rstrip("\n").split("\n\n")
    assert states[0] == CHECKERS1
    assert text == "\n\n".join(states) + "\n"
    assert len(states) == 4
    assert all(len(state.split("\n")) == 8 for state in states)
    assert [len(row) for state in states for row in state.split("\n")] == [8] * 32
    # After 31-26 and black's step to either side, red takes.
    assert sum(letter != "." for letter in states[-1].replace("\n", "")) == 1


def test_one_board_is_written_with_two_plain_names(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_bytes((CHECKERS1 + "\r\n").replace("\n", "\r\n").encode())
    assert run(str(source), str(target)) == 0
    after = GAME.play(GAME.parse("W:W31:B18"), GAME.parse_move(GAME.parse("W:W31:B18"), "31-26"))
    assert target.read_bytes().decode() == grid(after) + "\n"
    assert run(str(source), str(target), "--whole") == 0
    assert target.read_text().count("\n\n") == 3


def test_a_board_on_the_other_colour_is_answered_on_it(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("\n".join(row[::-1] for row in CHECKERS1.split("\n")))
    assert run("--inputfile", str(source), "--outputfile", str(target)) == 0
    states = target.read_text().rstrip("\n").split("\n\n")
    assert states[0] == source.read_text()
    assert all(parse_grid(state)[1] for state in states)


def test_what_is_no_win_is_not_claimed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text(grid(GAME.parse("W:WK5:BK32")) + "\n")
    assert run(str(source), str(target), "--whole", "--seconds", "0.1", "--json") == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert facts["result"] == "unknown"
    assert facts["plies"] is None
    assert "not proved: nobody wins by force within" in err
    assert target.read_text().startswith(source.read_text())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("........\n" * 7, "7 lines; expected 8"),
        (CHECKERS1.replace("r", "x"), "'x' in line 8, column 5"),
        (CHECKERS1.replace("r", "."), "red has no move"),
        ("\x80", "not text in UTF-8"),
    ],
)
def test_a_bad_puzzle_is_one_line(
    tmp_path: Path, text: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.txt"
    source.write_bytes(text.encode("latin-1"))
    assert run(str(source), str(tmp_path / "out.txt")) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out.txt").exists()


def test_half_a_command_line_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ((), ("in",), ("--inputfile", "in"), ("a", "b", "--inputfile", "c")):
        assert run(*arguments) == 2
        assert "expected IN OUT" in capsys.readouterr().err


def test_the_proof_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["analyse", "course-checkers", PUZZLES["checkers2"][0], "--prove", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert (facts["result"], facts["plies"], facts["best"]) == ("win", 7, "20-16")
    assert facts["optimal"] == ["20-16"]
