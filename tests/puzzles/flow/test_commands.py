"""``petteia flow``: the commands as they are written in the documentation."""

from __future__ import annotations

import json
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest

from petteia.cli import main
from petteia.puzzles.flow import course, formats
from petteia.puzzles.flow.solution import counting


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("5x5", "7x7"):
        text = formats.write(course.board(name).puzzle, "course")
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["flow", *map(str, arguments)])
    return int(caught.value.code or 0)


def facts(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("engine", ["", "sweep", "sat", "dumb", "smart", "smarter", "shapes-mac"])
def test_solve(engine: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--engine", engine] if engine else []
    assert run("solve", files / "7x7.txt", *asked, "--json") == 0
    found = facts(capsys)
    assert found["rule"] == "strict"
    assert found["unique"] is True
    assert found["engine"] == (engine or "sweep")
    assert found["milliseconds"] > 0
    board = course.board("7x7")
    assert found["solution"] == board.solution.rows(board.puzzle)


def test_solve_under_another_rule(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("solve", files / "7x7.txt", "--rule", "touching", "--json") == 0
    found = facts(capsys)
    assert (found["rule"], found["engine"], found["unique"]) == ("touching", "sat", True)


def test_exit_codes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "none.txt").write_text("AB\nBA\n")
    assert run("solve", files / "none.txt") == 1
    assert "no solution under the rule strict" in capsys.readouterr().out
    assert run("solve", files / "none.txt", "--json") == 1
    found = facts(capsys)
    assert (found["status"], found["solution"], found["unique"]) == ("unsolvable", None, None)
    hard = formats.write(course.board("14x14").puzzle, "course")
    (files / "hard.txt").write_text(hard)
    assert run("solve", files / "hard.txt", "--engine", "smart", "--seconds", "0") == 3
    (files / "bad.txt").write_text("AA\nB\n")
    for words in (
        ("solve", files / "bad.txt"), ("solve", files / "absent.txt"), ("count", files / "bad.txt"),
        ("solve", files / "5x5.txt", "--engine", "swep"), ("bench", files / "absent"),
        ("solve", files / "5x5.txt", "--rule", "loose"), ("hint", files / "5x5.txt", "--path", "x"),
        ("solve", files / "5x5.txt", "--steps", files / "x.avi"),
        ("show", files / "5x5.txt", "--format", "x"), ("generate", "--width", "1"),
        ("generate", "--seconds", "0"),
    ):  # fmt: skip
        capsys.readouterr()
        assert run(*words) == 2, words
        _out, err = capsys.readouterr()
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_count(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", files / "5x5.txt", "--rule", "touching", "--json") == 0
    assert facts(capsys)["count"] == 1
    assert run("count", files / "5x5.txt", "--rule", "strict", "--json") == 0
    assert facts(capsys) == {
        "rule": "strict", "coverage": True, "size": "5x5", "count": 1, "engine": "sweep",
    }  # fmt: skip


def test_a_count_ends_in_time(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An open board has more solutions than can be counted: with no time left, it says so."""
    (files / "open.txt").write_text("\n".join(["A" + "_" * 15, *["_" * 16] * 14, "_" * 15 + "A"]))
    for words in (("--rule", "touching"), ("--rule", "strict", "--partial")):
        assert run("count", files / "open.txt", *words, "--seconds", "0.01", "--json") == 3
        found = facts(capsys)
        assert found["at_least"] >= 0
        assert "count" not in found
    assert run("count", files / "open.txt", "--seconds", "0") == 3
    assert capsys.readouterr().out.startswith("at least 0 solutions")


def test_a_board_too_wide_for_the_frontier_is_counted_in_part(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_MOST", 8)
    assert run("count", "14x14") == 2
    assert "too wide to be counted" in capsys.readouterr().err
    assert run("count", "14x14", "--seconds", "10", "--json") in (0, 3)
    found = facts(capsys)
    assert found["engine"] == "sweep"
    assert 1 <= found.get("at_least", found.get("count")) <= 20


def test_check(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = course.board("5x5")
    rows = board.solution.rows(board.puzzle)
    (files / "right.sol").write_text("\n".join(rows))
    assert run("check", files / "5x5.txt", files / "right.sol", "--json") == 0
    assert facts(capsys)["correct"] is True
    (files / "level.sol").write_text(formats.write(board.puzzle, "level", board.solution))
    assert run("check", files / "5x5.txt", files / "level.sol") == 0
    (files / "wrong.sol").write_text("\n".join(rows).replace("O", "G", 1))
    capsys.readouterr()
    assert run("check", files / "5x5.txt", files / "wrong.sol", "--json") == 1
    found = facts(capsys)
    assert found["correct"] is False
    assert found["faults"]
    (files / "jumps.sol").write_text("5,0,1,5;18,12;21,16,11,6;3,4,9;0,1,2,7,8,13;20,15,10,5")
    assert run("check", files / "5x5.txt", files / "jumps.sol", "--json") == 1
    assert "steps from cell 18 to 12" in facts(capsys)["faults"][0]
    assert run("check", files / "5x5.txt", "--json") == 0
    assert facts(capsys)["correct"] is None


def test_solutions_as_they_are_printed_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What solve and generate print, of every kind, paths in any order and direction."""
    for kind in ("square", "hex", "warps", "bridges", "holes"):
        assert run("generate", "--kind", kind, "--width", 6, "--height", 5, "--json") == 0
        (tmp_path / "puzzle").write_text(capsys.readouterr().out)
        assert run("solve", tmp_path / "puzzle", "--json") == 0
        solved = facts(capsys)
        solved["paths"] = [path[::-1] for path in reversed(solved["paths"])]
        (tmp_path / "solution").write_text(json.dumps(solved))
        assert run("show", tmp_path / "puzzle", "--format", "level") == 0
        (tmp_path / "line").write_text(capsys.readouterr().out)
        for solution in ("solution", "line"):
            assert run("check", tmp_path / "puzzle", tmp_path / solution, "--json") == 0
            assert facts(capsys)["correct"] is True


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("B R R R O\n", "must have 5 rows of 5 letters"),
        ('{"paths": [["r1c1", "r9c9"]]}', "'r9c9' is not a cell"),
        ('{"paths": [["r1c2", "r1c1"]]}', "no path of its own begins at r1c2"),
        ('{"paths": [["r1c1", "r2c1"]]}', "R has no path"),
        ('{"paths": [[]]}', "has paths of cells, or rows"),
        ('{"solution": 5}', "has paths of cells, or rows"),
        ("{", "not JSON"),
        ("2,0,1,2;0,1;2,3", "of a board of 2x2, not 5x5"),
    ],
)
def test_a_solution_that_cannot_be_read_is_wrong(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "solution").write_text(text)
    assert run("check", "5x5", tmp_path / "solution") == 1
    assert said in capsys.readouterr().out


def test_a_board_of_the_course_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("solve", "10x10 one", "--json") == 0
    assert facts(capsys)["unique"] is True


def test_bench(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", files, "--json") == 0
    found = facts(capsys)
    assert [each["file"] for each in found["files"]] == ["5x5.txt", "7x7.txt"]
    assert all(each["unique"] for each in found["files"])
    assert found["milliseconds"] == sum(each["milliseconds"] for each in found["files"])
    assert run("bench", files) == 0
    assert "in all" in capsys.readouterr().out


def test_bench_reads_sets_and_names_what_is_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = "5,0,1,5;18,17,12;21,16,11,6;3,4,9;0,1,2,7,8,13,14,19,24,23,22;20,15,10,5"
    (tmp_path / "set.txt").write_text(f"{level}\n\n{level}\n5,0,1,1;0,99\n")
    (tmp_path / "numbers.txt").write_text("1,0,1\n2,0,2\n")  # no set
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    assert run("bench", tmp_path, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["file"] for each in facts["files"]] == ["numbers.txt", "set.txt:1", "set.txt:3"]
    assert [each["file"] for each in facts["unreadable"]] == ["gone.txt", "set.txt:4"]
    assert "set.txt:4: '99' is not a cell" in facts["unreadable"][1]["error"]


def test_bench_reads_sets_of_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With their sizes, as numberlink's sets; with empty lines between them; and what is one board
    although it looks like some."""
    (tmp_path / "apart.txt").write_text("A_A\nB_B\n\nA_A\nB_\n\n\nAA\nBB\n")
    (tmp_path / "sizes.txt").write_text("# by A\n3 2\nA.A\nB.B\n\n# B\n2 1\nAA\n3 1\nA.A\n0 0\n")
    (tmp_path / "table.txt").write_text("1 2\n1 2\n")
    (tmp_path / "wide.txt").write_text("A_A\n\nB_B\n\nC_C\n")
    assert run("bench", tmp_path, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert [(each["file"], each["size"]) for each in facts["files"]] == [
        ("apart.txt:1", "3x2"), ("apart.txt:8", "2x2"), ("sizes.txt:2", "3x2"),
        ("sizes.txt:7", "2x1"), ("sizes.txt:9", "3x1"), ("wide.txt", "3x3"),
    ]  # fmt: skip
    told = [each["error"] for each in facts["unreadable"]]
    assert "apart.txt:4: row 2 has 2 cells and row 1 has 3" in told[0]
    assert "table.txt: " in told[1]
    assert len(told) == 2


def test_bench_goes_on_after_an_unreadable_file(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "6x6.txt").write_text("A_\nB_\n")
    assert run("bench", files, "--json") == 0
    found = facts(capsys)
    assert [each["file"] for each in found["files"]] == ["5x5.txt", "7x7.txt"]
    assert [each["file"] for each in found["unreadable"]] == ["6x6.txt"]
    assert run("bench", files) == 0
    assert "6x6.txt: colour 'A' has 1 dot" in capsys.readouterr().out
    (files / "empty").mkdir()
    (files / "empty" / "bad.txt").write_text("A")
    assert run("bench", files / "empty") == 2


def test_generate_and_hint(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wish = ("generate", "--width", 10, "--height", 10, "--seed", 5)
    assert run(*wish, "--json") == 0
    found = facts(capsys)
    assert (found["colours"], found["unique"], len(found["puzzle"])) == (10, True, 10)
    (files / "made.json").write_text(json.dumps(found))  # what was printed is read again
    assert run("solve", files / "made.json", "--json") == 0
    assert facts(capsys)["solution"] == found["solution"]
    assert run(*wish) == 0
    assert capsys.readouterr().out.split() == found["puzzle"]
    assert run("hint", files / "7x7.txt", "--json") == 0
    assert facts(capsys)["kind"] == "link"
    assert run("hint", files / "7x7.txt", "--path", "r1c4 r1c3") == 0
    assert "cannot be part of any solution" in capsys.readouterr().out


def test_show_and_pictures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", files / "5x5.txt") == 0
    assert "B  .  .  R  O" in capsys.readouterr().out
    assert run("show", files / "5x5.txt", "--format", "numlin") == 0
    assert capsys.readouterr().out.strip() == "numlin/5/5/1h23i4i4i23g5g15h"
    assert run("show", files / "5x5.txt", "--format", "level") == 0
    assert capsys.readouterr().out.startswith("5,0,1,5;")
    for engine in ("sweep", "smarter", "shapes-mac"):
        for kind in ("svg", "gif"):
            steps = files / f"{engine}.{kind}"
            words = ("--engine", engine, "--steps", steps, "--svg", files / "still.svg")
            assert run("solve", files / "7x7.txt", *words) == 0
            assert steps.stat().st_size > 1000
    for picture in files.glob("*.svg"):
        xml.dom.minidom.parse(str(picture))
    assert "<animate" in (files / "smarter.svg").read_text()
    assert (files / "smarter.gif").read_bytes().startswith(b"GIF89a")
