"""The three engines agree with each other and with the verifier, on boards of every kind."""

from __future__ import annotations

import random

import pytest

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import Puzzle, Rule, Solution, course, rule_named
from petteia.puzzles.flow.reference import faults, require
from petteia.puzzles.flow.solution import counting, sweep
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution.sat import SOLVERS, SatEngine
from tests.puzzles.flow.boards import any_board, filled_board

STRICT, NO_BLOCK, TOUCHING = (rule_named(name) for name in ("strict", "no-2x2", "touching"))
NAMES = list(course.boards())
# Choices of the sweep to the end; the conclusions before the first one count as one. Most boards
# need no other.
CHOICES = {
    "5x5": 1, "7x7": 1, "8x8": 1, "9x9": 1, "10x10 one": 1, "10x10 two": 3, "12x12": 3, "12x14": 1,
    "14x14": 5,
}  # fmt: skip


def _by_sat(puzzle: Puzzle, rule: Rule) -> list[Solution]:
    with SatEngine(puzzle, rule) as engine:
        return list(engine.solutions())


def _in_turn(puzzle: Puzzle, rule: Rule, turn: int) -> list[Solution]:
    search, found = sweep.Sweep(puzzle, rule, turn=turn), []
    while search.go_on(10**9) == 0:
        found.append(search.solution)
    search.close()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_sweep_solves_the_course_and_proves_it(name: str) -> None:
    board = course.board(name)
    for plain in (False, True):
        found = sweep.run(board.puzzle, STRICT, plain=plain)
        assert found.solutions == (board.solution,)
        assert found.complete
        assert found.nodes == CHOICES[name]
    require(board.puzzle, board.solution, STRICT)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turn", range(1, 8))
def test_every_orientation_gives_the_same(name: str, turn: int) -> None:
    board = course.board(name)
    assert _in_turn(board.puzzle, STRICT, turn) == [board.solution]


@pytest.mark.parametrize("name", NAMES)
def test_sat_solves_the_course_and_proves_it(name: str) -> None:
    board = course.board(name)
    assert _by_sat(board.puzzle, STRICT) == [board.solution]
    assert _by_sat(board.puzzle, NO_BLOCK) == list(
        sweep.run(board.puzzle, NO_BLOCK, most=None).solutions
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_sat_solver_works(solver: str) -> None:
    board = course.board("9x9")
    with SatEngine(board.puzzle, STRICT, solver=solver) as engine:
        assert list(engine.solutions()) == [board.solution]


@pytest.mark.parametrize("name", NAMES)
def test_touching_counts(name: str) -> None:
    board = course.board(name)
    assert counting.count(board.puzzle, TOUCHING) == board.touching
    if name == "14x14":
        assert counting.count(board.puzzle, TOUCHING).peak == 145_306


@pytest.mark.parametrize("name", ["5x5", "7x7", "8x8", "9x9", "12x14", "12x12"])
def test_sat_lists_what_the_frontier_counts(name: str) -> None:
    board = course.board(name)
    found = _by_sat(board.puzzle, TOUCHING)
    assert len(set(found)) == len(found) == board.touching
    for solution in found:
        require(board.puzzle, solution, TOUCHING)


def _agree(puzzle: Puzzle) -> tuple[int, int]:
    """Holds all engines against each other; the numbers of strict and of touching solutions."""
    numbers = []
    for rule in (STRICT, NO_BLOCK, TOUCHING):
        found = sweep.run(puzzle, rule, most=None)
        assert found.complete
        for solution in found.solutions:
            assert faults(puzzle, solution, rule) == []
        wanted = set(found.solutions)
        assert len(wanted) == len(found.solutions)
        if len(wanted) < 100:
            others = _by_sat(puzzle, rule)
            assert len(others) == len(wanted)
            assert set(others) == wanted
        numbers.append(len(wanted))
    assert max(numbers) == numbers[2]
    if not puzzle.walls:  # a block of one colour with a wall in it need not touch itself
        assert numbers[0] <= numbers[1]
    assert counting.count(puzzle, TOUCHING) == numbers[2]
    assert counting.count_plainly(puzzle, TOUCHING) == numbers[2]
    return numbers[0], numbers[2]


def test_random_boards_with_holes_and_walls() -> None:
    chance = random.Random(11)
    numbers = [_agree(any_board(chance)) for _ in range(250)]
    assert any(strict == 0 for strict, _ in numbers)
    assert any(touching > 1 for _, touching in numbers)


def test_boards_that_have_solutions() -> None:
    chance = random.Random(12)
    numbers = []
    for number in range(200):
        width, height = chance.randint(3, 6), chance.randint(3, 6)
        numbers.append(_agree(filled_board(chance, width, height, touching=number % 2 == 1)))
    assert sum(1 for strict, _ in numbers if strict == 1) > 50
    assert sum(1 for _, touching in numbers if touching > 1) > 20


def test_a_board_with_two_solutions() -> None:
    """Such boards are rare where no path may touch itself: one in a thousand of those above."""
    board = Puzzle.of_rows(["___A", "_#B_", "_AC_", "B___", "D_C_", "D___"])
    assert _agree(board)[0] == 2
    for engine in ("sweep", "sat", "smarter", "shapes-mac"):
        answer = solving.solve(board, engine)
        assert answer.unique is False
        assert answer.other is not None
        assert answer.other != answer.solution


def test_orientations_agree_on_random_boards() -> None:
    chance = random.Random(13)
    for _ in range(60):
        board = any_board(chance) if chance.random() < 0.5 else filled_board(chance, 4, 5)
        for rule in (STRICT, NO_BLOCK, TOUCHING):
            wanted = set(_in_turn(board, rule, 0))
            for turn in range(1, 8):
                found = _in_turn(board, rule, turn)
                assert len(found) == len(wanted)
                assert set(found) == wanted


def test_compiled_and_plain_sweep_visit_the_same_cells() -> None:
    chance = random.Random(14)
    for _ in range(60):
        board = any_board(chance) if chance.random() < 0.3 else filled_board(chance, 5, 5)
        one = sweep.run(board, STRICT, most=None)
        assert one == sweep.run(board, STRICT, most=None, plain=True)


def test_cells_may_stay_empty() -> None:
    rule = rule_named("touching", coverage=False)
    chance = random.Random(15)
    for _ in range(60):
        board = any_board(chance, 4)
        found = _by_sat(board, rule)
        for solution in found:
            require(board, solution, rule)
        assert len(set(found)) == len(found) == counting.count(board, rule)
        assert set(sweep.run(board, rule, most=None).solutions) == set(found)
        assert counting.count_plainly(board, rule) == len(found)
    strict = rule_named("strict", coverage=False)
    answer = solving.solve(Puzzle.of_rows(["A__", "___", "__A"]), rule=strict)
    assert answer.engine == "sat"
    assert answer.unique is False


def test_fixed_links_are_kept() -> None:
    board = course.board("12x12")
    links = sorted(board.solution.links())
    wrong = next(link for link in board.puzzle.edges if link not in board.solution.links())
    for plain in (False, True):
        kept = sweep.run(board.puzzle, STRICT, required=links[::7], plain=plain)
        assert kept.solutions == (board.solution,)
        none = sweep.run(board.puzzle, STRICT, required=[wrong], plain=plain)
        assert none.solutions == ()
        assert none.complete
    with SatEngine(board.puzzle, STRICT) as engine:
        assert engine.solve(links[::7]) == board.solution
        assert engine.solve([*links[:3], wrong]) is None
        assert wrong in engine.conflict([*links[:3], wrong])


def test_fixed_links_on_boards_with_many_solutions() -> None:
    chance = random.Random(16)
    for _ in range(40):
        board = filled_board(chance, 4, 5)
        everything = _in_turn(board, TOUCHING, 0)
        link = chance.choice(board.edges)
        having = {solution for solution in everything if link in solution.links()}
        found = sweep.run(board, TOUCHING, most=None, required=[link])
        assert set(found.solutions) == having


def test_a_limit_is_told_as_such() -> None:
    board = course.board("14x14")
    found = sweep.run(board.puzzle, STRICT, nodes=2)
    assert not found.complete
    assert found.solutions == ()
    assert found.nodes == 2
    answer = solving.solve(board.puzzle, "smart", seconds=0.0)
    assert answer.status == "unknown"
    assert answer.unique is None


def test_numbers_beyond_64_bits() -> None:
    """Two corners of an open board: the ways to walk, some cells left out, outgrow a word."""
    open_board = Puzzle.of_rows(["A" + "_" * 10] + ["_" * 11] * 9 + ["_" * 10 + "A"])
    rule = rule_named("touching", coverage=False)
    # Self-avoiding walks between opposite corners of an 11x11 grid of points: OEIS A007764.
    assert counting.count(open_board, rule) == 1568758030464750013214100


def test_unknown_engines_and_rules_are_told() -> None:
    puzzle = course.board("5x5").puzzle
    with pytest.raises(PetteiaError, match="sweep"):
        solving.solve(puzzle, "swep")
    with pytest.raises(PetteiaError, match="does not know the rule touching"):
        solving.solve(puzzle, "smart", TOUCHING)
    with pytest.raises(PetteiaError, match="strict"):
        rule_named("strickt")
    with pytest.raises(PetteiaError, match="engine sweep"):
        counting.count(puzzle, STRICT)
    with pytest.raises(PetteiaError, match="does not know the rule strict, cells may stay empty"):
        solving.solve(puzzle, "smart", rule_named("strict", coverage=False))
