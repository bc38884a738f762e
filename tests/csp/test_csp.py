"""The general solver finds what there is to find, whichever way it is told to search."""

from __future__ import annotations

import doctest
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import petteia.csp
from petteia.core.errors import PetteiaError
from petteia.csp import Limits, Problem, Solver
from petteia.csp.examples import AUSTRALIA, map_colouring, queens, sudoku, sudoku_text
from petteia.csp.orders import VALUE_ORDERS, VARIABLE_ORDERS
from petteia.csp.search import INFERENCES

WAYS = [
    (order, values, inference, backjump)
    for order, values, inference, backjump in product(
        VARIABLE_ORDERS, VALUE_ORDERS, INFERENCES, (False, True)
    )
]
# Norvig's list of hard ones, and a puzzle with 17 givens.
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"


@pytest.mark.parametrize(("order", "values", "inference", "backjump"), WAYS)
def test_every_way_finds_all_solutions(
    order: str, values: str, inference: str, backjump: bool
) -> None:
    how = {"order": order, "values": values, "inference": inference, "backjump": backjump}
    assert len(list(Solver(queens(6), **how).solutions())) == 4  # type: ignore[arg-type]
    colourings = list(Solver(map_colouring(AUSTRALIA, "rgb"), **how).solutions())  # type: ignore[arg-type]
    assert len(colourings) == 18
    assert len({tuple(sorted(c.items())) for c in colourings}) == 18
    assert all(c["SA"] not in (c["WA"], c["NT"], c["V"]) for c in colourings)


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("order", ["mrv", "dom/wdeg"])
def test_restarts_lose_nothing(order: str, inference: str) -> None:
    solver = Solver(queens(3), order=order, inference=inference, restart=1)
    assert solver.first() is None
    assert solver.status == "exhausted"
    solver = Solver(queens(10), order=order, inference=inference, restart=1)
    assert solver.first() is not None


def test_queens() -> None:
    assert len(list(Solver(queens(8), inference="mac").solutions())) == 92
    assert len(list(Solver(queens(8), inference="mac").solutions(most=5))) == 5


@pytest.mark.parametrize("inference", ["forward", "mac", "mac-ac3", "mac-2001"])
def test_sudoku(inference: str) -> None:
    solver = Solver(sudoku(HARD), inference=inference, backjump=True)
    found = list(solver.solutions())
    assert [sudoku_text(each) for each in found] == [SOLVED]
    assert solver.status == "exhausted"


def test_remembering_supports_saves_checks_and_changes_nothing_else() -> None:
    one, two = (Solver(sudoku(HARD), inference=how) for how in ("mac-ac3", "mac-2001"))
    assert one.first() == two.first()
    assert one.counts.assignments == two.counts.assignments
    assert two.counts.checks < one.counts.checks / 2


def test_jumping_back_passes_over_what_has_no_part() -> None:
    """Free variables stand between the cause of a failure and its discovery."""
    problem = Problem()
    problem.variable("x", (0, 1))
    for i in range(6):
        problem.variable(i, (0, 1, 2))
    problem.variable("y", (0, 1))
    problem.test(("x", "y"), lambda x, y: x == 1 and y == 1)
    plain = Solver(problem, order="static", inference="none")
    jumping = Solver(problem, order="static", inference="none", backjump=True)
    assert plain.first() == jumping.first()
    assert jumping.counts.jumps >= 6
    assert jumping.counts.tried < plain.counts.tried / 20


def _among(fitting: frozenset[tuple[int, int]], v: int, w: int) -> bool:
    return (v, w) in fitting


@given(st.data())
def test_random_problems_agree_with_trying_everything(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 5))
    sizes = [data.draw(st.integers(1, 3)) for _ in range(count)]
    pairs = [(a, b) for a in range(count) for b in range(a)]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    allowed = {
        pair: data.draw(st.frozensets(st.tuples(st.integers(0, 2), st.integers(0, 2))))
        for pair in chosen
    }
    triple = data.draw(st.permutations(range(count)))[:3]
    total = data.draw(st.integers(0, 4))

    def problem() -> Problem:
        made = Problem()
        for variable, size in enumerate(sizes):
            made.variable(variable, range(size))
        for (a, b), fitting in allowed.items():
            made.relate(a, b, partial(_among, fitting))
        made.test(triple, lambda *values: sum(values) <= total)
        return made

    expected = {
        values
        for values in product(*(range(size) for size in sizes))
        if all((values[a], values[b]) in ok for (a, b), ok in allowed.items())
        and sum(values[v] for v in triple) <= total
    }
    for inference in INFERENCES:
        for backjump in (False, True):
            solver = Solver(problem(), inference=inference, backjump=backjump)
            found = [tuple(each[v] for v in range(count)) for each in solver.solutions()]
            assert len(found) == len(set(found))
            assert set(found) == expected


def test_steps_can_be_watched() -> None:
    solver = Solver(queens(4), order="static", inference="forward")
    kinds = [step.kind for step in solver.steps()]
    assert kinds[0] == "start"
    assert kinds[-1] == "end"
    assert kinds.count("solution") == 2
    assert kinds.count("assign") == solver.counts.assignments
    assert kinds.count("assign") + kinds.count("reject") == solver.counts.tried
    assert kinds.count("backtrack") == solver.counts.backtracks


def test_a_limit_leaves_the_answer_open() -> None:
    solver = Solver(queens(12), order="static", inference="none", limits=Limits(tried=20))
    assert solver.first() is None
    assert solver.status == "unknown"
    assert solver.counts.tried == 20


def test_a_problem_without_variables_has_one_solution() -> None:
    assert list(Solver(Problem()).solutions()) == [{}]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"order": "mvr"}, "mrv"), ({"values": "x"}, "lcv"), ({"inference": "max"}, "mac")],
)
def test_unknown_names_are_told(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(PetteiaError, match=said):
        Solver(queens(4), **wrong)  # type: ignore[arg-type]


def test_bad_sudoku() -> None:
    with pytest.raises(PetteiaError, match="81"):
        sudoku("123")


def test_the_docstring_runs() -> None:
    failed, tried = doctest.testmod(petteia.csp)
    assert tried >= 4
    assert failed == 0
