"""Flow as JSON-ready data, for faces such as the laboratory in the browser.

Everything is spoken of by names: cells ``r1c1``, colours by their letters. A *drawing* is a list
of paths, each a list of cells; paths may be unfinished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow import course, formats
from petteia.puzzles.flow.face import picture
from petteia.puzzles.flow.generator import KINDS, generate
from petteia.puzzles.flow.hints import checked, hint
from petteia.puzzles.flow.reference import faults
from petteia.puzzles.flow.rules import HOLE, RULES, Puzzle, Solution, rule_named
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution.trace import TRACED, trace

__all__ = [
    "board", "check_drawing", "choices", "give_hint", "new_puzzle", "read_puzzle", "solve_puzzle",
    "watch",
]  # fmt: skip

Facts = dict[str, Any]
Drawing = Iterable[Sequence[str]]


def choices() -> Facts:
    """What can be asked for: rules, engines, boards of the course, formats."""
    return {
        "rules": dict(RULES),
        "engines": dict(solving.ENGINES),
        "watched": list(TRACED),
        "boards": list(course.boards()),
        "formats": list(formats.FORMATS),
        "kinds": list(KINDS),
    }


def read_puzzle(text: str) -> Puzzle:
    """The puzzle of a text in any format, or of the name of a board of the course."""
    if text.strip() in course.boards():
        return course.board(text.strip()).puzzle
    return formats.read(text).puzzle


def board(puzzle: Puzzle, drawing: Drawing = ()) -> Facts:
    """The puzzle as a picture: cells, dots, walls, colours, and the paths drawn on it."""
    return {
        "text": formats.write(puzzle, "json"),
        "width": puzzle.width,
        "height": puzzle.height,
        "grid": puzzle.grid,
        "cells": [
            {"id": puzzle.name(cell), "x": cell % puzzle.width, "y": cell // puzzle.width,
             "dot": puzzle.letters[value] if value >= 0 else None,
             "bridge": cell in puzzle.bridges, "ways": _ways(puzzle, cell)}
            for cell, value in enumerate(puzzle.cells[: puzzle.area])
            if value != HOLE
        ],
        "walls": [[puzzle.name(a), puzzle.name(b)] for a, b in sorted(puzzle.walls)],
        "colours": [
            {"letter": letter, "paint": picture.paint(puzzle, colour),
             "ink": picture.ink_on(picture.paint(puzzle, colour)),
             "dots": [puzzle.name(cell) for cell in puzzle.dots[colour]]}
            for colour, letter in enumerate(puzzle.letters)
        ],
        "paths": [list(path) for path in drawing],
    }  # fmt: skip


def _ways(puzzle: Puzzle, cell: int) -> dict[str, str]:
    """The neighbours by the number of their way, those of both strands of a bridge."""
    strands = {cell, puzzle.strands.get(cell, cell)}
    return {str(way): puzzle.name(b) for a in strands for way, b in puzzle.ways[a].items()}


def _paths(puzzle: Puzzle, drawing: Drawing) -> list[tuple[int, ...]]:
    cells = [puzzle.path_of([puzzle.cell(name) for name in path]) for path in drawing]
    return [checked(puzzle, path) for path in cells if len(path) > 1]


def check_drawing(
    puzzle: Puzzle, drawing: Drawing, rule: str = "strict", *, coverage: bool = True
) -> Facts:
    """Whether a drawing keeps the rules so far, and whether it is a solution.

    ``faults`` are sentences; a path that is not finished is no fault.
    """
    wanted = rule_named(rule, coverage=coverage)
    wrong: list[str] = []
    whole: dict[int, tuple[int, ...]] = {}
    seen: set[int] = set()
    try:
        paths = _paths(puzzle, drawing)
    except PetteiaError as error:
        return {"solved": False, "faults": [str(error)], "covered": 0}
    for path in paths:
        colours = {puzzle.cells[cell] for cell in (path[0], path[-1]) if puzzle.cells[cell] >= 0}
        if len(colours) > 1:
            wrong.append(f"a path joins two colours at {puzzle.name(path[0])}")
        if seen & set(path):
            wrong.append(f"two paths meet at {puzzle.name(min(seen & set(path)))}")
        seen |= set(path)
        if len(colours) == 1 and all(puzzle.cells[end] >= 0 for end in (path[0], path[-1])):
            whole[colours.pop()] = path
    solved = False
    if not wrong and len(whole) == puzzle.colours:
        wrong = faults(puzzle, Solution(tuple(whole[c] for c in range(puzzle.colours))), wanted)
        solved = not wrong
    return {"solved": solved, "faults": wrong, "covered": len(seen)}


def give_hint(puzzle: Puzzle, drawing: Drawing = (), rule: str = "strict") -> Facts:
    """The next hint, see ``hints.Hint``."""
    found = hint(puzzle, _paths(puzzle, drawing), rule_named(rule))
    return {
        "kind": found.kind,
        "reason": found.reason,
        "text": found.text,
        "link": [puzzle.name(cell) for cell in found.link] if found.link else None,
        "cells": [puzzle.name(cell) for cell in found.cells],
        "paths": [[puzzle.name(cell) for cell in path] for path in found.paths],
    }


def new_puzzle(options: Mapping[str, Any]) -> Facts:
    """A generated puzzle; options are those of ``generate``, with the rule by its name."""
    wanted = dict(options)
    rule = rule_named(str(wanted.pop("rule", "strict")))
    made = generate(rule=rule, **wanted)
    return {
        **board(made.puzzle),
        "rule": rule.name,
        "seed": made.seed,
        "attempts": made.attempts,
        "difficulty": made.grade.difficulty if made.grade else None,
        "solution": [[made.puzzle.name(cell) for cell in path] for path in made.solution.paths],
    }


def solve_puzzle(
    puzzle: Puzzle, engine: str = "", rule: str = "strict", *, seconds: float | None = None
) -> Facts:
    """The answer of an engine, the solution as a drawing; unknown where the time ran out."""
    answer = solving.solve(puzzle, engine, rule_named(rule), seconds=seconds)
    paths = answer.solution.paths if answer.solution else ()
    return {
        "rule": answer.rule.name,
        "engine": answer.engine,
        "status": answer.status,
        "unique": answer.unique,
        "milliseconds": answer.milliseconds,
        "counts": answer.counts,
        "paths": [[puzzle.name(cell) for cell in path] for path in paths],
    }


def watch(puzzle: Puzzle, engine: str = "smarter", rule: str = "strict") -> Iterator[Facts]:
    """A search step by step, see ``trace.trace``."""
    return trace(puzzle, engine, rule_named(rule))
