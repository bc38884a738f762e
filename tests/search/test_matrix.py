"""Matrix games: exact, against a linear program, and by several ways to the same value."""

from __future__ import annotations

import math

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.search.matrix import (
    REGRET_MATCHING,
    MatrixSolver,
    exploitability,
    quantal,
    soft_answer,
)
from petteia.search.reference_joint import (
    by_double_oracle,
    by_fictitious_play,
    by_linear_program,
)

SOLVER = MatrixSolver(120)
ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def random_matrix(number: int) -> np.ndarray:
    """Of many shapes; some with ties, some with wins that outweigh everything."""
    rng = np.random.default_rng(number)
    matrix = rng.normal(size=rng.integers(1, 60, 2))
    if number % 3 == 0:
        matrix = np.round(2 * matrix) / 2
    if number % 4 == 0:
        matrix[rng.random(matrix.shape) < 0.1] = 1000.0
    return matrix


@pytest.mark.parametrize(
    ("matrix", "value", "row", "column"),
    [
        (ROCK_PAPER_SCISSORS, 0.0, [1 / 3] * 3, [1 / 3] * 3),
        (np.array([[3.0, -1.0], [-2.0, 1.0]]), 1 / 7, [3 / 7, 4 / 7], [2 / 7, 5 / 7]),
        (np.array([[5.0]]), 5.0, [1.0], [1.0]),
        (np.array([[2.0, 3.0], [1.0, 9.0]]), 2.0, [1.0, 0.0], [1.0, 0.0]),
    ],
)
def test_games_that_can_be_solved_by_hand(
    matrix: np.ndarray, value: float, row: list[float], column: list[float]
) -> None:
    found = SOLVER.solve(matrix)
    assert found.value == pytest.approx(value)
    assert found.row == pytest.approx(row)
    assert found.column == pytest.approx(column)


def test_the_simplex_method_agrees_with_the_linear_program() -> None:
    for number in range(80):
        matrix = random_matrix(number)
        found, (value, _, _) = SOLVER.solve(matrix), by_linear_program(matrix)
        size = 1 + abs(matrix).max()
        assert found.value == pytest.approx(value, abs=1e-8 * size)
        assert exploitability(matrix, found.row, found.column) < 1e-8 * size
        assert found.row.sum() == pytest.approx(1)
        assert found.column.sum() == pytest.approx(1)
        assert (found.row >= 0).all()
        assert (found.column >= 0).all()


def test_all_ways_lead_to_the_same_value() -> None:
    for number in range(1, 40, 4):
        matrix = random_matrix(number)
        value, _, _ = by_linear_program(matrix)
        assert by_double_oracle(matrix)[0] == pytest.approx(value, abs=1e-7)
        by_regret = SOLVER.by_regret(matrix, 5000)
        assert exploitability(matrix, by_regret.row, by_regret.column) < 0.01
        assert by_regret.value == pytest.approx(value, abs=0.01)
        reduced = SOLVER.solve(matrix, REGRET_MATCHING)
        assert reduced.value == pytest.approx(value, abs=1e-3)
        slow, x, y = by_fictitious_play(matrix, 3000)
        assert exploitability(matrix, x, y) < 0.3
        assert slow == pytest.approx(value, abs=0.3)


def test_regret_matching_stops_when_it_is_good_enough() -> None:
    quick = SOLVER.by_regret(ROCK_PAPER_SCISSORS + 0.3 * np.eye(3), 100_000, enough=0.01)
    iterations = int(SOLVER.memory["iterations"])
    assert iterations < 5000
    assert exploitability(ROCK_PAPER_SCISSORS + 0.3 * np.eye(3), quick.row, quick.column) <= 0.011


def test_dominated_choices_are_taken_out() -> None:
    # Row 2 is below row 0, then column 2 above column 1; what is left has no saddle.
    matrix = np.array([[2.0, -1.0, 5.0], [-1.0, 1.0, 3.0], [1.0, -2.0, 9.0]])
    found = SOLVER.solve(matrix)
    assert found.left == (2, 2)
    assert found.row[2] == 0
    assert found.column[2] == 0


def test_what_is_no_matrix_game_is_refused() -> None:
    with pytest.raises(PetteiaError, match="finite"):
        SOLVER.solve(np.array([[np.nan]]))
    with pytest.raises(PetteiaError, match="121 x 1 is not possible"):
        SOLVER.solve(np.zeros((121, 1)))


def test_a_quantal_response_lies_between_the_best_and_any() -> None:
    values = np.array([0.0, 1.0, 1.0])
    assert quantal(values, 0.0) == pytest.approx([0, 0.5, 0.5])
    assert quantal(values, 1e9) == pytest.approx([1 / 3] * 3)
    soft = quantal(values, 1.0)
    assert soft[1] / soft[0] == pytest.approx(math.e)


def test_a_soft_answer_goes_from_equilibrium_to_the_mean() -> None:
    matrix = np.array([[3.0, -1.0, 0.0], [-2.0, 1.0, 0.5], [0.2, 0.2, 0.2]])
    equilibrium = SOLVER.solve(matrix)
    x, value = soft_answer(matrix, 0.01, iterations=4000)
    assert (x @ matrix).min() == pytest.approx(equilibrium.value, abs=0.03)
    assert value == pytest.approx(equilibrium.value, abs=0.05)
    x, _ = soft_answer(matrix, 1e4)
    assert np.argmax(x) == np.argmax(matrix.mean(axis=1))
