"""Solutions as texts: a filled board, a level line, or what ``flow solve --json`` prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.formats import levels
from petteia.puzzles.flow.reference import paths_of_rows
from petteia.puzzles.flow.rules import Puzzle, Solution

__all__ = ["read_solution"]


def read_solution(puzzle: Puzzle, text: str) -> Solution:
    """The solution that a text tells; whether it is right is another question."""
    body = text.strip("\r\n\t\ufeff ")
    if body.startswith("{"):
        return _of_json(puzzle, body)
    if ";" in body and levels.looks_like_one(body):
        other, found = levels.read(body)
        if (other.size, other.grid) != (puzzle.size, puzzle.grid):
            raise PetteiaError(f"the level line is of a board of {other.size}, not {puzzle.size}")
        return _by_colour(puzzle, ([other.on_board(cell) for cell in path] for path in found.paths))
    rows = (re.sub(r"[\s,;]", "", row) for row in body.splitlines())
    return paths_of_rows(puzzle, [row for row in rows if row])


def _of_json(puzzle: Puzzle, text: str) -> Solution:
    """By its paths, which tell more than the filled rows."""
    try:
        facts: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PetteiaError(f"the solution is not JSON: {error}") from None
    paths, rows = facts.get("paths", []), facts.get("solution", [])
    if paths and isinstance(paths, list) and all(_is_words(path) for path in paths):
        return _by_colour(puzzle, ([puzzle.cell(name) for name in path] for path in paths))
    if _is_words(rows):
        return paths_of_rows(puzzle, rows)
    raise PetteiaError("a solution as JSON has paths of cells, or rows under solution")


def _by_colour(puzzle: Puzzle, paths: Iterable[Sequence[int]]) -> Solution:
    """Paths in any order and direction in that of the puzzle's colours."""
    found: dict[int, tuple[int, ...]] = {}
    for path in paths:
        colour = puzzle.cells[path[0]]
        if colour < 0 or colour in found:
            raise PetteiaError(f"no path of its own begins at {puzzle.name(path[0])}")
        ahead = path if path[0] == puzzle.dots[colour][0] else path[::-1]
        found[colour] = puzzle.path_of(ahead)
    for colour, letter in enumerate(puzzle.letters):
        if colour not in found:
            raise PetteiaError(f"{letter} has no path")
    return Solution(tuple(found[colour] for colour in range(puzzle.colours)))


def _is_words(value: object) -> bool:
    """Whether this is a list of texts that is not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(e, str) for e in value)
