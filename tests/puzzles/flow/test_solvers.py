"""The report's solvers and the ladder find the course's solutions, in the steps we state."""

from __future__ import annotations

import random

import pytest

from petteia.puzzles.flow import Puzzle, course, formats, rule_named
from petteia.puzzles.flow.face import animation
from petteia.puzzles.flow.reference import require
from petteia.puzzles.flow.report import REPORT_SOLVERS, ReportSolver
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution.ladder import RUNGS, Climb
from petteia.puzzles.flow.solution.solve import ENGINES
from petteia.puzzles.flow.solution.trace import TRACED, trace
from tests.puzzles.flow.boards import any_board, filled_board

STRICT = rule_named("strict")
# Values tried until the solution. The report: smart (here literal) 816, 1,663, 12,920, 261,487 and
# 207,775; smarter 744 on "10x10 one", 413 on "10x10 two", 81,081 on 12x12, 144 on 12x14 and 53,822
# on 14x14.
TRIED = {
    ("dumb", "7x7"): 971, ("dumb", "8x8"): 2_524, ("dumb", "9x9"): 21_560,
    ("dumb", "10x10 one"): 310_200, ("dumb", "10x10 two"): 201_791,
    ("smart", "7x7"): 142, ("smart", "8x8"): 90, ("smart", "9x9"): 530,
    ("smart", "10x10 one"): 18_509, ("smart", "10x10 two"): 546, ("smart", "12x12"): 1_765,
    ("smart", "12x14"): 10_936,
    ("smarter", "7x7"): 60, ("smarter", "8x8"): 56, ("smarter", "9x9"): 174,
    ("smarter", "10x10 one"): 744, ("smarter", "10x10 two"): 414, ("smarter", "12x12"): 81_669,
    ("smarter", "12x14"): 144, ("smarter", "14x14"): 54_495,
    ("smart-literal", "7x7"): 826, ("smart-literal", "8x8"): 1_684,
    ("smart-literal", "9x9"): 12_920, ("smart-literal", "10x10 one"): 261_487,
    ("smart-literal", "10x10 two"): 169_751,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), TRIED)
def test_the_reports_solvers(kind: str, name: str) -> None:
    board = course.board(name)
    answer = solving.solve(board.puzzle, kind)
    assert answer.solution == board.solution
    assert answer.unique is True
    assert answer.proved_by == "sweep"
    assert answer.counts["tried"] == TRIED[kind, name]


@pytest.mark.parametrize("kind", REPORT_SOLVERS)
def test_plain_python_takes_the_same_steps(kind: str) -> None:
    board = course.board("7x7").puzzle
    one, two = ReportSolver(board, kind), ReportSolver(board, kind, plain=True)
    assert next(one.solutions()) == next(two.solutions())
    assert one.counts == two.counts


@pytest.mark.parametrize("engine", [*REPORT_SOLVERS, "colours-mac", "shapes-mac", "shapes-forward"])
def test_small_boards_of_every_kind(engine: str) -> None:
    chance = random.Random(21)
    for _ in range(60):
        puzzle = any_board(chance, 4) if chance.random() < 0.5 else filled_board(chance, 4, 4)
        wanted = solving.solve(puzzle, "sat")
        answer = solving.solve(puzzle, engine, prove=False)
        assert answer.status == wanted.status
        if answer.solution is not None:
            require(puzzle, answer.solution, STRICT)


@pytest.mark.parametrize("name", [n for n in RUNGS if n != "colours-random"])
def test_every_rung_solves_what_it_can(name: str) -> None:
    boards = ["5x5"] if name == "colours-degree" else ["5x5", "7x7", "8x8"]
    for board in map(course.board, boards):
        assert next(Climb(board.puzzle, STRICT, name).solutions()) == board.solution


def test_shapes_need_hardly_any_search() -> None:
    board = course.board("14x14")
    answer = solving.solve(board.puzzle, "shapes-mac")
    assert answer.solution == board.solution
    assert answer.counts["assignments"] == 200
    assert answer.counts["backtracks"] == 4


def test_shapes_know_the_other_rules() -> None:
    board = course.board("7x7")
    for rule in ("touching", "no-2x2"):
        found = list(Climb(board.puzzle, rule_named(rule), "shapes-mac").solutions())
        assert found == [board.solution]


def test_a_ring_is_no_solution() -> None:
    """The report's test is local: a ring apart from the dots passes it."""
    puzzle = Puzzle.of_rows(["AABE", "__BE", "__CF", "DDCF"])
    assert next(ReportSolver(puzzle, "dumb").solutions(), None) is not None
    assert solving.solve(puzzle, "dumb").status == "unsolvable"
    assert solving.solve(puzzle, "sweep").status == "unsolvable"
    assert solving.solve(puzzle, "sat").status == "unsolvable"


@pytest.mark.parametrize("engine", TRACED)
def test_every_search_can_be_watched(engine: str) -> None:
    board = course.board("5x5")
    events = list(trace(board.puzzle, engine))
    assert events[-1]["event"] == "solution"
    assert [event["step"] for event in events] == list(range(len(events)))
    colours: dict[str, str | None] = {}
    for event in events:
        colours.update(event["colours"])
    rows = board.solution.rows(board.puzzle)
    for cell, value in enumerate(board.puzzle.cells):
        if value < 0:
            assert colours[board.puzzle.name(cell)] == "".join(rows)[cell]


def test_pictures_of_a_search_end_at_a_limit_and_large_boards_have_fewer() -> None:
    puzzle = course.board("9x9").puzzle
    assert len(animation.frames_of(puzzle, trace(puzzle, "smart"), 0.0)) <= 2
    event: dict[str, object] = {"colours": {}, "links": None, "event": "visit"}
    for side, most in ((20, 800), (60, 132), (100, 80)):
        wide = Puzzle.of_rows(["A" + "_" * (side - 2) + "A", *["_" * side] * (side - 1)])
        assert most / 2 <= len(animation.frames_of(wide, [event] * 5000)) <= most + 1


def test_a_watched_search_counts_as_the_search_does() -> None:
    board = course.board("7x7").puzzle
    last = list(trace(board, "smarter"))[-1]
    assert last["counts"] == solving.solve(board, "smarter").counts
    assert all(engine in ENGINES for engine in TRACED)


@pytest.mark.parametrize("engine", REPORT_SOLVERS)
def test_a_ring_apart_from_the_dots_is_no_solution(engine: str) -> None:
    puzzle = formats.read("AA\nBB\n__\n__\n").puzzle  # the report's local test lets A fill the rest
    events = list(trace(puzzle, engine))
    assert "ring" in [event["why"] for event in events if event["event"] == "reject"]
    assert events[-1]["event"] == "end"
