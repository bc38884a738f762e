"""Boards of every kind: hexes, warps, bridges, holes and walls, in everything that Flow does.

``PETTEIA_CORPUS=full`` holds the engines against each other on 10,000 boards of each kind.
"""

from __future__ import annotations

import json
import os
import random
import xml.dom.minidom
from dataclasses import replace

import pytest

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import Puzzle, Solution, course, face, formats, rule_named
from petteia.puzzles.flow.face import animation, picture
from petteia.puzzles.flow.generator import KINDS as MADE
from petteia.puzzles.flow.generator import generate
from petteia.puzzles.flow.hints import hint
from petteia.puzzles.flow.hints.logic import Logic
from petteia.puzzles.flow.hints.reasons import Contradiction
from petteia.puzzles.flow.reference import faults, paths_of_rows, require
from petteia.puzzles.flow.solution import counting, sweep
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution.sat import SatEngine
from petteia.puzzles.flow.solution.trace import TRACED, trace
from tests.puzzles.flow.boards import KINDS, any_board, board_of_kind, filled_board

STRICT, NO_BLOCK, TOUCHING = (rule_named(name) for name in ("strict", "no-2x2", "touching"))

BOARDS = 10_000 if os.environ.get("PETTEIA_CORPUS") == "full" else 40


def _board(chance: random.Random, kind: str, number: int) -> Puzzle:
    """Any board, or one that surely has a solution."""
    if kind == "square" and number % 4:
        return (
            any_board(chance) if number % 2 else filled_board(chance, 4, 4, chance.random() < 0.4)
        )
    if number % 4 == 0 and kind in MADE:
        return generate(5, 4, seed=number, kind=kind, colours=4, shortest=2).puzzle
    return board_of_kind(chance, kind, 4)


@pytest.mark.parametrize("kind", ["square", *KINDS])
def test_three_engines_agree(kind: str) -> None:
    chance = random.Random(f"agree {kind}")
    seen = set()
    for number in range(BOARDS):
        puzzle = _board(chance, kind, number)
        for rule in (STRICT, NO_BLOCK, TOUCHING):
            found = sweep.run(puzzle, rule, most=None)
            assert found.complete
            for solution in found.solutions:
                assert faults(puzzle, solution, rule) == []
            wanted = set(found.solutions)
            assert len(wanted) == len(found.solutions)
            with SatEngine(puzzle, rule) as engine:
                assert len(wanted) > 50 or set(engine.solutions()) == wanted
            seen.add((rule.name, min(2, len(wanted))))
        assert counting.count(puzzle, TOUCHING) == len(wanted)
        assert counting.count_plainly(puzzle, TOUCHING) == len(wanted)
        for corner in (1, 2, 3):
            search, others = sweep.Sweep(puzzle, STRICT, turn=corner), set()
            while search.go_on(10**6) == 0:
                others.add(search.solution)
            search.close()
            assert others == set(sweep.run(puzzle, STRICT, most=None, plain=True).solutions)
    assert {("strict", 0), ("strict", 1), ("touching", 1)} <= seen


@pytest.mark.parametrize("kind", ["square", *KINDS])
def test_cells_may_stay_empty_and_paths_be_shortest(kind: str) -> None:
    """Under both rules the engines find the same; the shortest ones are those that the verifier
    leaves of all strict ones."""
    chance = random.Random(f"partial {kind}")
    fewer = 0
    for _ in range(50):
        puzzle = _with_few_dots(board_of_kind(chance, kind, 3 if kind in ("hex", "warps") else 4))
        found = {}
        for name in ("strict", "no-2x2", "touching", "shortest"):
            rule = rule_named(name, coverage=False)
            found[name] = set(sweep.run(puzzle, rule, most=None).solutions)
            if len(found[name]) < 40:
                with SatEngine(puzzle, rule) as engine:
                    assert set(engine.solutions()) == found[name]
            assert all(faults(puzzle, each, rule) == [] for each in found[name])
        assert len(found["touching"]) == counting.count(
            puzzle, rule_named("touching", coverage=False)
        )
        rule = rule_named("shortest", coverage=False)
        assert found["shortest"] == {s for s in found["strict"] if not faults(puzzle, s, rule)}
        fewer += len(found["shortest"]) < len(found["strict"])
        whole = sweep.run(puzzle, rule_named("shortest"), most=None).solutions
        assert set(whole) == set(sweep.run(puzzle, STRICT, most=None).solutions)
    assert fewer > 3


def _with_few_dots(puzzle: Puzzle) -> Puzzle:
    """The same board with its first two colours at most, so that paths have room."""
    cells = tuple(-1 if value > 1 else value for value in puzzle.cells)
    return replace(puzzle, cells=cells, letters=puzzle.letters[:2])


def test_a_path_that_could_be_shorter() -> None:
    puzzle = Puzzle.of_rows(["A__A", "____", "____"])
    rule = rule_named("shortest", coverage=False)
    answer = solving.solve(puzzle, "sweep", rule)
    assert (answer.unique, answer.proved_by) == (True, "sweep")
    assert answer.solution is not None
    assert len(answer.solution.paths[0]) == 4
    around = Solution((puzzle.path_of([0, 4, 8, 9, 10, 11, 7, 3]),))
    assert faults(puzzle, around, rule_named("strict", coverage=False)) == []
    assert faults(puzzle, around, rule) == ["the path of A could be shorter"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_other_solvers_and_the_deductions_hold(kind: str) -> None:
    chance = random.Random(f"solvers {kind}")
    for number in range(12):
        puzzle = _board(chance, kind, number)
        solutions = sweep.run(puzzle, STRICT, most=None).solutions
        for engine in ("smarter", "colours-mac", "shapes-mac"):
            answer = solving.solve(puzzle, engine, prove=False)
            assert answer.status == ("solved" if solutions else "unsolvable"), engine
            assert answer.solution is None or answer.solution in solutions
        logic = Logic(puzzle, STRICT)
        try:
            while logic.advance():
                pass
        except Contradiction:
            assert solutions == ()
            continue
        for solution in solutions:
            assert all((step.link in solution.links()) == step.made for step in logic.log)


@pytest.mark.parametrize("kind", MADE)
def test_made_puzzles_of_every_kind(kind: str) -> None:
    made = generate(6, 5, seed=2, kind=kind)
    puzzle = made.puzzle
    assert puzzle.kind == kind
    assert generate(6, 5, seed=2, kind=kind) == made
    require(puzzle, made.solution, STRICT)
    assert sweep.run(puzzle, STRICT).solutions == (made.solution,)
    for form in ("json", "level"):
        read = formats.read(formats.write(puzzle, form, made.solution))
        assert (read.puzzle.grid, read.puzzle.bridges) == (puzzle.grid, puzzle.bridges)
        assert read.puzzle.rows() == puzzle.rows()
        assert read.solution in (None, made.solution)
    xml.dom.minidom.parseString(picture.svg(puzzle, enumerate(made.solution.paths)))
    assert picture.ansi(puzzle).count("\n") == 4
    frames = animation.frames_of(puzzle, trace(puzzle, "sweep"))
    assert animation.gif(puzzle, frames[-2:]).startswith(b"GIF89a")
    facts = json.loads(json.dumps(face.board(puzzle)))
    assert face.read_puzzle(facts["text"]) == puzzle
    answer = face.solve_puzzle(puzzle)
    assert face.check_drawing(puzzle, answer["paths"])["solved"] is True
    given = face.give_hint(puzzle, [path[:2] for path in answer["paths"]])
    assert given["kind"] == "link"
    wrong = face.give_hint(puzzle, [[puzzle.name(a), puzzle.name(b)] for a, b in [_wrong(puzzle)]])
    assert wrong["kind"] == "wrong"


def _wrong(puzzle: Puzzle) -> tuple[int, int]:
    """A link that is in no solution."""
    links = sweep.run(puzzle, STRICT).solutions[0].links()
    plain = [link for link in puzzle.edges if max(link) < puzzle.area]
    return next(link for link in plain if link not in links)


def test_every_solver_can_be_watched_on_hexes() -> None:
    made = generate(4, 4, seed=1, kind="hex", colours=4)
    for engine in TRACED:
        if "random" not in engine:
            assert list(trace(made.puzzle, engine))[-1]["event"] == "solution"


def test_a_bridge_is_crossed_straight_ahead() -> None:
    puzzle = Puzzle.of_rows(["_A_", "B+B", "_A_"])
    assert puzzle.kind == "bridges"
    answer = solving.solve(puzzle, "sat", rule_named("strict", coverage=False))
    assert answer.solution is not None
    assert [[puzzle.name(cell) for cell in path] for path in answer.solution.paths] == [
        ["r1c2", "r2c2", "r3c2"], ["r2c1", "r2c2", "r2c3"],
    ]  # fmt: skip
    turning = [["r1c2", "r2c2", "r2c3"]]
    assert "not neighbours" in face.check_drawing(puzzle, turning)["faults"][0]
    with pytest.raises(PetteiaError, match="a level line does"):
        paths_of_rows(puzzle, ["_A_", "BBB", "_A_"])


def test_a_path_leaves_the_board_and_comes_back() -> None:
    puzzle = Puzzle.of_rows(["A_B", "C_C", "B_A"], grid="warps")
    north, west = puzzle.cell("r1c1"), puzzle.cell("r1c3")
    assert west in puzzle.neighbours[north]
    drawn = picture.lines(puzzle, (north, west))
    assert [len(line) for line in drawn] == [2, 2]
    closed = Puzzle.of_rows(["A_B", "C_C", "B_A"], [(north, west)], grid="warps")
    assert west not in closed.neighbours[north]
    assert picture.svg(closed).count('class="wall"') == 2


def test_a_cell_of_hexes_has_six_neighbours() -> None:
    puzzle = Puzzle.of_rows(["A__", "___", "__A"], grid="hex")
    names = [puzzle.name(cell) for cell in puzzle.neighbours[puzzle.cell("r2c2")]]
    assert names == ["r1c2", "r1c3", "r2c1", "r2c3", "r3c2", "r3c3"]
    assert hint(puzzle, rule=TOUCHING).kind in ("link", "unsolvable")


def test_level_lines_of_every_kind() -> None:
    found = formats.read("3,0,1,2,4;1,4,7;3,4,5")
    assert found.puzzle.rows() == ["_A_", "B+B", "_A_"]
    assert found.solution is not None
    assert faults(found.puzzle, found.solution, rule_named("strict", coverage=False)) == []
    found = formats.read("W:4:3+B,0,1,1,,,1|2;0,3,7,11")
    assert (found.puzzle.grid, found.puzzle.size) == ("warps", "4x3")
    found = formats.read("4,0,1,1,,5_N:6_12;0,1")
    assert found.puzzle.rows()[1] == "_##_"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_layout_of_hexes_is_seen_from_the_paths(turned: bool, mirrored: bool) -> None:
    """Rows or columns of a line may be shifted, the odd ones or the even ones."""
    made = generate(9, 8, seed=3, kind="hex")

    def told(cell: int) -> int:
        row, column = divmod(cell, 9)
        if mirrored:
            column = 8 - column
        return column * 8 + row if turned else row * 9 + column

    flows = [",".join(str(told(cell)) for cell in path) for path in made.solution.paths]
    size = "8:9" if turned else "9:8"
    found = formats.read(f"X:{size},0,1,{len(flows)};{';'.join(flows)}")
    assert found.puzzle.rows() == made.puzzle.rows()
    assert found.solution is not None
    assert faults(found.puzzle, found.solution, STRICT) == []


def test_what_a_form_cannot_say_names_the_kind() -> None:
    for kind, form in (("hex", "course"), ("warps", "header"), ("bridges", "numlin")):
        puzzle = generate(4, 4, kind=kind, colours=3).puzzle
        with pytest.raises(PetteiaError, match=f"no {kind}"):
            formats.write(puzzle, form)


def test_letters_that_name_colours_have_them() -> None:
    def paints(puzzle: Puzzle) -> dict[str, str]:
        return {letter: picture.paint(puzzle, at) for at, letter in enumerate(puzzle.letters)}

    known = paints(course.board("9x9").puzzle)
    named = {"B": "#0072B2", "G": "#009E73", "O": "#E69F00", "R": "#D55E00", "Y": "#F0E442"}
    assert known.items() >= named.items()
    assert len({*known.values()}) == len(known)
    # Letters that only number the colours name none, and neither does a lonely B.
    for puzzle in (generate(5, 5, seed=1).puzzle, course.board("10x10 two").puzzle):
        assert tuple(paints(puzzle).values()) == picture.PALETTE[: puzzle.colours]
