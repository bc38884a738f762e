"""The nine boards of the course, with their solutions and how many there are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from petteia.core.errors import one_of
from petteia.puzzles.flow.reference import paths_of_rows
from petteia.puzzles.flow.rules import Puzzle, Solution

__all__ = ["CourseBoard", "board", "boards"]


@dataclass(frozen=True)
class CourseBoard:
    """A board of the course."""

    name: str
    puzzle: Puzzle
    solution: Solution
    """The only one under the strict rule."""
    touching: int
    """How many solutions there are where a path may touch itself."""


@lru_cache(maxsize=1)
def boards() -> dict[str, CourseBoard]:
    """The boards by name, from 5x5 to 14x14."""
    text = resources.files("petteia.puzzles.flow").joinpath("course.json").read_text("utf-8")
    found = {}
    for each in json.loads(text):
        puzzle = Puzzle.of_rows(each["puzzle"])
        solution = paths_of_rows(puzzle, each["solution"])
        found[each["name"]] = CourseBoard(each["name"], puzzle, solution, each["touching"])
    return found


def board(name: str) -> CourseBoard:
    """The board of this name, such as ``10x10 one``."""
    if name not in boards():
        raise one_of(name, boards(), what="board of the course")
    return boards()[name]
