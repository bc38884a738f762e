"""Generated puzzles are what they promise; deductions and hints are true; grades are stable."""

from __future__ import annotations

import random
from typing import Any

import pytest

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import Puzzle, course, face, generator, rule_named
from petteia.puzzles.flow.generator import generate, usual_colours
from petteia.puzzles.flow.generator.grading import grade
from petteia.puzzles.flow.hints import Hint, hint
from petteia.puzzles.flow.hints.logic import Logic
from petteia.puzzles.flow.hints.reasons import Contradiction
from petteia.puzzles.flow.reference import require
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution import sweep
from tests.puzzles.flow.boards import any_board, filled_board

STRICT, TOUCHING = rule_named("strict"), rule_named("touching")


@pytest.mark.parametrize(
    ("width", "height"), [(5, 5), (6, 4), (8, 8), (10, 10), (14, 14), (24, 14)]
)
def test_generated_puzzles_are_unique_and_have_the_usual_colours(width: int, height: int) -> None:
    for seed in range(10 if width < 20 else 2):
        made = generate(width, height, seed=seed)
        require(made.puzzle, made.solution, STRICT)
        assert made.puzzle.colours == usual_colours(width, height)
        assert min(map(len, made.solution.paths)) >= 3
        found = sweep.run(made.puzzle, STRICT)
        assert found.solutions == (made.solution,)
        assert found.complete


@pytest.mark.parametrize("kind", ["bridges", "warps", "hex"])
def test_large_boards_of_every_kind_are_made_by_default(kind: str) -> None:
    made = generate(32, 32, seed=1, kind=kind)
    assert made.puzzle.colours == usual_colours(32, 32, kind)
    assert sweep.run(made.puzzle, made.rule).solutions == (made.solution,)


def test_sat_agrees_that_they_are_unique() -> None:
    for seed in range(5):
        made = generate(9, 8, seed=seed)
        answer = solving.solve(made.puzzle, "sat")
        assert answer.unique is True
        assert answer.solution == made.solution


def test_the_same_arguments_give_the_same_puzzle() -> None:
    one = generate(10, 10, seed=5)
    assert generate(10, 10, seed=5) == one
    assert generate(10, 10, seed=6).puzzle != one.puzzle
    assert one.puzzle.rows()[:3] == ["A________B", "_C____D___", "___B____C_"]


def test_wishes_are_met() -> None:
    made = generate(8, 8, seed=1, colours=5, shortest=6)
    assert made.puzzle.colours == 5
    assert min(map(len, made.solution.paths)) >= 6
    for side, difficulty in (
        (10, "easy"),
        (10, "medium"),
        (6, "hard"),
        (7, "expert"),
        (8, "expert"),
    ):
        made = generate(side, side, seed=1, difficulty=difficulty)
        assert grade(made.puzzle, STRICT).difficulty == difficulty
    made = generate(6, 6, seed=1, rule=TOUCHING)
    assert solving.count(made.puzzle, TOUCHING) == solving.Tally(1, True, "frontier")
    made = generate(20, 20, seed=1, rule=TOUCHING)
    assert solving.solve(made.puzzle, "sat", TOUCHING).unique is True


@pytest.mark.parametrize(
    ("kind", "difficulty"),
    [("hex", "hard"), ("warps", "easy"), ("warps", "medium"), ("warps", "hard")],
)
def test_kinds_have_their_own_numbers_of_colours(kind: str, difficulty: str) -> None:
    made = generate(8, 8, seed=2, kind=kind, difficulty=difficulty)
    assert grade(made.puzzle, STRICT).difficulty == difficulty
    assert made.attempts < 400


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"width": 1}, "cannot be made"),
        ({"width": 2000}, "cannot be made"),
        ({"kind": "hexes"}, "did you mean hex"),
        ({"width": 2, "height": 2, "colours": 1, "kind": "holes"}, "no holes fit"),
        ({"width": 2, "kind": "bridges"}, "no bridges fit"),
        ({"width": 2, "kind": "warps"}, "3x3 or larger"),
        ({"colours": 40}, "do not fit"),
        ({"shortest": 1}, "do not fit"),
        ({"difficulty": "harder"}, "did you mean hard"),
        ({"difficulty": "medium", "kind": "hex"}, "easy, hard or expert"),
        ({"seconds": 0}, "found in 0 seconds"),
        ({"colours": 1}, "in 3 attempts"),
    ],
)
def test_wishes_that_cannot_be_met_are_told(
    wrong: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "_ATTEMPTS", 3)
    with pytest.raises(PetteiaError, match=said):
        generate(**{"width": 8, "height": 8, **wrong})


def test_a_grade_that_takes_too_long_ends_at_its_limit() -> None:
    puzzle = generate(9, 9, seed=1, difficulty="expert").puzzle
    with pytest.raises(TimeoutError):
        grade(puzzle, STRICT, end=0.0)


def test_a_proof_that_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_CHOICES", 20)
    with pytest.raises(PetteiaError, match="takes too long to prove; more colours are easier"):
        generate(24, 24, seed=1)


def test_deductions_hold_in_every_solution() -> None:
    chance = random.Random(31)
    for number in range(120):
        if number % 3:
            board = filled_board(chance, 5, 6, touching=number % 2 == 0)
        else:
            board = any_board(chance)
        for rule in (STRICT, rule_named("no-2x2"), TOUCHING):
            solutions = sweep.run(board, rule, most=None).solutions
            logic = Logic(board, rule)
            try:
                while logic.advance():
                    pass
            except Contradiction:
                assert solutions == ()
                continue
            for solution in solutions:
                for step in logic.log:
                    assert (step.link in solution.links()) == step.made, step


@pytest.mark.parametrize(
    ("name", "difficulty"),
    [
        ("5x5", "easy"),
        ("7x7", "medium"),
        ("12x12", "medium"),
        ("10x10 two", "hard"),
        ("14x14", "expert"),
    ],
)
def test_grades_of_the_course(name: str, difficulty: str) -> None:
    assert grade(course.board(name).puzzle, STRICT).difficulty == difficulty


def test_hints_lead_to_the_solution() -> None:
    board = course.board("10x10 two")
    links: list[list[int]] = []
    reasons = set()
    while True:
        found = hint(board.puzzle, links)
        if found.kind == "done":
            break
        assert found.kind == "link"
        assert found.link is not None
        assert found.link in board.solution.links()
        assert found.text.startswith(f"join {board.puzzle.name(min(found.link))}")
        reasons.add(found.reason)
        links.append(list(found.link))
    assert reasons == {"dead end", "touch", "corner", "bottleneck", "trial"}


def test_a_hint_beyond_all_rules_comes_from_the_search() -> None:
    """Without coverage the rules do not apply."""
    rule = rule_named("strict", coverage=False)
    found = hint(course.board("5x5").puzzle, [], rule)
    assert (found.kind, found.reason) == ("link", "search")


def _cells(puzzle: Puzzle, text: str) -> list[int]:
    return [puzzle.cell(name) for name in text.split()]


def _wrong(found: Hint, puzzle: Puzzle) -> list[str]:
    assert found.kind == "wrong"
    return [" ".join(puzzle.name(cell) for cell in path) for path in found.paths]


def test_a_wrong_path_is_named_and_no_right_one() -> None:
    puzzle = course.board("8x8").puzzle
    right, wrong = "r1c4 r1c5 r1c6", "r2c2 r2c1"
    found = hint(puzzle, [_cells(puzzle, right), _cells(puzzle, wrong)])
    assert _wrong(found, puzzle) == [wrong]
    assert "cannot be part of any solution" in found.text
    found = hint(puzzle, [_cells(puzzle, wrong)], TOUCHING)
    assert _wrong(found, puzzle) == [wrong]


def test_two_paths_that_cannot_stay_together() -> None:
    """Each of the two is part of a solution, both are not."""
    board = Puzzle.of_rows(["___A", "_#B_", "_AC_", "B___", "D_C_", "D___"])
    one, two = sweep.run(board, STRICT, most=None).solutions
    first = min(one.links() - two.links())
    second = min(two.links() - one.links())
    found = hint(board, [first, second])
    assert len(found.paths) == 2
    assert "cannot all be part of one solution" in found.text


def test_a_puzzle_without_solution() -> None:
    assert hint(Puzzle.of_rows(["AB", "BA"])).kind == "unsolvable"


@pytest.mark.parametrize(
    ("path", "said"),
    [("r1c1", "at least two"), ("r1c1 r3c3", "not neighbours"), ("r1c9 r1c1", "not a cell"),
     ("r1c1 r1c2 r1c1", "twice"), ("r3c1 r3c2 r3c3 r4c3 r4c4", "over the dot")],
)  # fmt: skip
def test_bad_drawings_are_told(path: str, said: str) -> None:
    puzzle = course.board("5x5").puzzle
    with pytest.raises(PetteiaError, match=said):
        hint(puzzle, [_cells(puzzle, path)])


def test_the_face_speaks_json() -> None:
    import json

    board = course.board("7x7")
    puzzle = board.puzzle
    assert face.read_puzzle("7x7") == puzzle
    facts = face.board(puzzle)
    assert face.read_puzzle(facts["text"]) == puzzle
    assert len(facts["cells"]) == 49
    assert facts["colours"][0]["dots"] == ["r1c4", "r7c5"]
    answer = face.solve_puzzle(puzzle)
    assert face.check_drawing(puzzle, answer["paths"]) == {
        "solved": True, "faults": [], "covered": 49,
    }  # fmt: skip
    part = [path[:3] for path in answer["paths"]]
    assert face.check_drawing(puzzle, part) == {"solved": False, "faults": [], "covered": 15}
    assert face.check_drawing(puzzle, [["r1c4", "r1c3"], ["r1c3", "r1c2"]])["faults"]
    assert face.check_drawing(puzzle, [["r1c4", "r3c3"]])["faults"]
    given = face.give_hint(puzzle, part)
    assert given["kind"] == "link"
    made = face.new_puzzle({"width": 6, "height": 6, "seed": 2})
    steps = list(face.watch(puzzle, "smart"))
    for each in (face.choices(), facts, answer, given, made, steps):
        assert json.loads(json.dumps(each)) == each


def test_an_engine_that_is_late_says_so() -> None:
    found = face.solve_puzzle(course.board("14x14").puzzle, "dumb", seconds=0.05)
    assert (found["status"], found["paths"]) == ("unknown", [])
    assert found["milliseconds"] < 2000
