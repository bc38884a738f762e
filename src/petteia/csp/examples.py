"""Problems of the textbooks: map colouring, queens, Sudoku."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from petteia.core.errors import PetteiaError
from petteia.csp.problem import Problem

__all__ = ["AUSTRALIA", "map_colouring", "queens", "sudoku", "sudoku_text"]

AUSTRALIA: Mapping[str, str] = {
    "SA": "WA NT Q NSW V", "NT": "WA Q", "NSW": "Q V", "T": "", "WA": "", "Q": "", "V": "",
}  # fmt: skip
"""The states of Australia with those neighbours that are not told elsewhere."""


def map_colouring(neighbours: Mapping[str, str], colours: Sequence[str]) -> Problem:
    """Regions that touch get different colours."""
    problem = Problem()
    for region in neighbours:
        problem.variable(region, colours)
    for region, others in neighbours.items():
        for other in others.split():
            problem.different(region, other)
    return problem


def queens(count: int) -> Problem:
    """Queens on a board of as many columns, none attacking another; a variable is a column."""
    problem = Problem()
    for column in range(count):
        problem.variable(column, range(count))
    apart = {}
    for one, other in combinations(range(count), 2):
        distance = other - one
        if distance not in apart:
            apart[distance] = lambda a, b, d=distance: a != b and abs(a - b) != d
        problem.relate(one, other, apart[distance])
    return problem


def sudoku(text: str) -> Problem:
    """A Sudoku as 81 signs, row by row, with a full stop or 0 for an empty cell."""
    signs = "".join(text.split())
    if len(signs) != 81 or not set(signs) <= set(".0123456789"):
        raise PetteiaError(f"a Sudoku is 81 digits or full stops; this has {len(signs)} signs")
    problem = Problem()
    for cell, sign in enumerate(signs):
        problem.variable(cell, "123456789" if sign in ".0" else sign)
    rows = [[9 * r + c for c in range(9)] for r in range(9)]
    columns = [[9 * r + c for r in range(9)] for c in range(9)]
    boxes = [
        [9 * (3 * top + r) + 3 * left + c for r in range(3) for c in range(3)]
        for top in range(3)
        for left in range(3)
    ]
    seen = set()
    for unit in rows + columns + boxes:
        for pair in combinations(unit, 2):
            if pair not in seen:
                seen.add(pair)
                problem.different(*pair)
    return problem


def sudoku_text(solution: Mapping[int, str]) -> str:
    """A solved Sudoku as 81 digits."""
    return "".join(solution[cell] for cell in range(81))
