"""New puzzles: paths laid at random, accepted when their dots have one solution only."""

from __future__ import annotations

import math
import random
import threading
from dataclasses import dataclass
from typing import Any

from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError, one_of
from petteia.core.seeds import derive
from petteia.puzzles.flow.generator import laying
from petteia.puzzles.flow.generator.grading import DIFFICULTIES, Grade, grade
from petteia.puzzles.flow.rules import EMPTY, LETTERS, Puzzle, Rule, Solution
from petteia.puzzles.flow.rules.memory import CELLS, compiled_memory, fields_of, plain_memory, read
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution import sweep

__all__ = ["Made", "generate", "usual_colours"]

_MOVES = 3_000
"""Moves for each cell before a board is given up."""
_ATTEMPTS = 300
"""Boards that are laid before a wish is given up."""
_CHOICES = 3_000_000
"""Choices that the sweep may try to prove a new board unique: some seconds."""


@dataclass(frozen=True)
class Made:
    """A new puzzle."""

    puzzle: Puzzle
    solution: Solution
    """The only one under the rule."""
    rule: Rule
    seed: int
    attempts: int
    """Boards that were laid."""
    grade: Grade | None
    """How hard it is, where a difficulty was asked for."""


def usual_colours(width: int, height: int) -> int:
    """How many colours a board of this size usually has."""
    return max(2, round(math.sqrt(width * height)))


def generate(
    width: int,
    height: int,
    *,
    seed: int = 0,
    colours: int | None = None,
    shortest: int = 3,
    rule: Rule = solving.STRICT,
    difficulty: str | None = None,
) -> Made:
    """A puzzle that has exactly one solution under the rule; the same for the same arguments.

    ``shortest`` is the least number of cells of a path, dots included.
    """
    if width < 2 or height < 2 or (width + 2) * (height + 2) > CELLS:
        raise PetteiaError(
            f"a puzzle of {width}x{height} cannot be made; 2x2 to 100x100 can, and longer ones of "
            "as many cells"
        )
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise one_of(difficulty, DIFFICULTIES, what="difficulty")
    wanted = usual_colours(width, height) if colours is None else colours
    if shortest < 2 or wanted < 1 or wanted * shortest > width * height:
        raise PetteiaError(
            f"{wanted} paths of at least {shortest} cells do not fit on {width}x{height}; "
            f"at most {width * height // max(2, shortest)} paths of 2 or more cells do"
        )
    for attempt in range(_ATTEMPTS):
        chance = random.Random(derive(seed, "flow", width, height, wanted, shortest, attempt))
        laid = _lay(width, height, wanted, shortest, chance.getrandbits(63))
        paths = _cut(laid, wanted, shortest, chance)
        if paths is None:
            continue
        puzzle, solution = _puzzle(width, height, paths)
        if not _is_unique(puzzle, rule):
            continue
        found = None
        if difficulty is not None:
            found = grade(puzzle, rule)
            if found.difficulty != difficulty:
                continue
        return Made(puzzle, solution, rule, seed, attempt + 1, found)
    asked = f", {difficulty}" if difficulty else ""
    raise PetteiaError(
        f"no {width}x{height} puzzle with {wanted} colours{asked} was found in {_ATTEMPTS} "
        f"attempts with seed {seed}; try other numbers, usual are {usual_colours(width, height)} "
        "colours"
    )


def _is_unique(puzzle: Puzzle, rule: Rule) -> bool:
    """Whether there is one solution; a board that takes too long to tell is not taken.

    The limit counts choices and not seconds, so that the answer is the same everywhere.
    """
    if solving.best_engine(rule) != "sweep":
        return solving.solve(puzzle, rule=rule).unique is True
    found = sweep.run(puzzle, rule, nodes=_CHOICES)
    return found.complete and len(found.solutions) == 1


_kept = threading.local()


def _lay(width: int, height: int, target: int, shortest: int, seed: int) -> list[list[int]]:
    """Paths that fill the board, as few as the target where that succeeds."""
    plain = is_interpreted()
    if plain:
        raw: Any = plain_memory(laying.LAYOUT, (width + 2) * (height + 2))
        memory = raw
    else:
        if not hasattr(_kept, "memory"):
            record = compiled_memory(laying.LAYOUT)
            _kept.memory = (record, fields_of(record))
        raw, memory = _kept.memory
    memory.control[:11] = [width, height, target, shortest, 0, 0, 0, 0, 0, 0, 0]
    memory.random[0] = seed
    run = laying.lay.function if plain else laying.lay
    run(raw, _MOVES * width * height)
    stride = width + 2
    links = read(memory, "links", stride * (height + 2))
    paths: list[list[int]] = []
    seen: set[int] = set()
    for row in range(height):
        for column in range(width):
            place = (row + 1) * stride + column + 1
            if links[place].bit_count() < 2 and place not in seen:
                path = _follow(links, place, stride)
                seen.update((path[0], path[-1]))
                paths.append([(p // stride - 1) * width + p % stride - 1 for p in path])
    return paths


def _follow(links: list[int], place: int, stride: int) -> list[int]:
    steps = ((1, -stride, 4), (2, 1, 8), (4, stride, 1), (8, -1, 2))
    path, came = [place], 0
    while True:
        for bit, step, back in steps:
            if links[path[-1]] & ~came & bit:
                path.append(path[-1] + step)
                came = back
                break
        else:
            return path


def _cut(
    paths: list[list[int]], wanted: int, shortest: int, chance: random.Random
) -> list[list[int]] | None:
    """As many paths as are wanted, the longest ones cut in two; None if that cannot be."""
    if len(paths) > wanted or min(map(len, paths)) < shortest:
        return None
    while len(paths) < wanted:
        longest = max(paths, key=len)
        if len(longest) < 2 * shortest:
            return None
        at = chance.randint(shortest, len(longest) - shortest)
        paths.remove(longest)
        paths += [longest[:at], longest[at:]]
    return paths


def _puzzle(width: int, height: int, paths: list[list[int]]) -> tuple[Puzzle, Solution]:
    ordered = sorted(min(path, path[::-1]) for path in paths)
    cells = [EMPTY] * (width * height)
    for colour, path in enumerate(ordered):
        cells[path[0]] = cells[path[-1]] = colour
    puzzle = Puzzle(width, height, tuple(cells), tuple(LETTERS[: len(ordered)]))
    return puzzle, Solution(tuple(tuple(path) for path in ordered))
