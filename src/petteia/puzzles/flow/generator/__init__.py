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
from petteia.puzzles.flow.generator.blanks import KINDS, Blank, blank
from petteia.puzzles.flow.generator.grading import DIFFICULTIES, Grade, grade
from petteia.puzzles.flow.rules import EMPTY, HOLE, LETTERS, MOST_CELLS, Puzzle, Rule, Solution
from petteia.puzzles.flow.rules.grids import GRIDS, Grid
from petteia.puzzles.flow.rules.memory import compiled_memory, fields_of, fill, plain_memory, read
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution import sweep, sweep_board

__all__ = ["KINDS", "Made", "generate", "usual_colours"]

_MOVES = 3_000
"""Moves for each cell before a board is given up."""
_ATTEMPTS = 300
"""Boards that are laid before a wish is given up."""
_GRADED = 150_000
"""Cells of the boards that are laid before a difficulty is given up: some seconds."""
_LARGE = 2_500
"""Cells of a large board."""
_CHOICES = 6_000_000
"""Choices that the sweep may try to prove new boards unique, together: less than a minute."""


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
    """How many colours a board of this size usually has: the root of the number of cells, and more
    on large boards, whose solutions could not be proved to be the only ones otherwise."""
    area = width * height
    return max(2, round(math.sqrt(area) + max(0, area - _LARGE) / 10))


def generate(
    width: int,
    height: int,
    *,
    seed: int = 0,
    colours: int | None = None,
    shortest: int = 3,
    rule: Rule = solving.STRICT,
    difficulty: str | None = None,
    kind: str = "square",
) -> Made:
    """A puzzle that has exactly one solution under the rule; the same for the same arguments.

    ``shortest`` is the least number of cells of a path, dots included.
    """
    if width < 2 or height < 2 or width * height > MOST_CELLS:
        raise PetteiaError(
            f"a puzzle of {width}x{height} cannot be made; 2x2 to 100x100 can, and longer ones of "
            "as many cells"
        )
    if kind not in KINDS:
        raise one_of(kind, KINDS, what="kind")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise one_of(difficulty, DIFFICULTIES, what="difficulty")
    usual = usual_colours(width, height)
    _require_room(usual if colours is None else colours, shortest, width * height)
    attempts = _attempts(width * height, difficulty)
    choices = _CHOICES
    for attempt in range(attempts):
        wanted = usual if colours is None else colours
        if difficulty is not None and colours is None:
            wanted = _fitting(difficulty, usual, width * height // shortest, seed, attempt)
        parts = (width, height, wanted, shortest, attempt)
        names = ("flow",) if kind == "square" else ("flow", kind)
        chance = random.Random(derive(seed, *names, *parts))
        board = blank(kind, width, height, chance)
        laid = _lay(board, wanted, shortest, chance.getrandbits(63))
        paths = _cut(board, laid, wanted, shortest, chance)
        if paths is None:
            continue
        puzzle, solution = _puzzle(board, paths)
        alone, taken = _is_unique(puzzle, rule, choices)
        choices -= taken
        if choices <= 0:
            raise PetteiaError(
                f"that a {width}x{height} puzzle with {wanted} colours has one solution takes "
                "too long to prove; more colours are easier"
            )
        if not alone:
            continue
        found = None
        if difficulty is not None:
            highest = DIFFICULTIES[difficulty][0]
            found = grade(puzzle, rule, highest=highest, most_trials=1)
            if found.difficulty != difficulty:
                continue
        return Made(puzzle, solution, rule, seed, attempt + 1, found)
    number = "" if colours is None else f" with {colours} colours"
    asked = f", {difficulty}," if difficulty else ""
    raise PetteiaError(
        f"no {width}x{height} puzzle{number}{asked} was found in {attempts} attempts with seed "
        f"{seed}; try other numbers, usual are {usual} colours, and more are easier"
    )


def _require_room(colours: int, shortest: int, area: int) -> None:
    if shortest < 2 or colours < 1 or colours * shortest > area:
        raise PetteiaError(
            f"{colours} paths of at least {shortest} cells do not fit on {area} cells; "
            f"at most {area // max(2, shortest)} paths of 2 or more cells do"
        )


def _fitting(difficulty: str, usual: int, most: int, seed: int, attempt: int) -> int:
    """A number of colours that boards of a difficulty have, another one at each attempt."""
    low, high = DIFFICULTIES[difficulty][1]
    share = random.Random(derive(seed, "colours", attempt)).uniform(low, high)
    return max(2, min(most, round(share * usual)))


def _attempts(area: int, difficulty: str | None) -> int:
    """How many boards are laid before a wish is given up; large ones take seconds each."""
    if difficulty is not None:
        return max(_ATTEMPTS, _GRADED // area)
    return _ATTEMPTS if area <= _LARGE else min(_ATTEMPTS, 20)


def _is_unique(puzzle: Puzzle, rule: Rule, choices: int) -> tuple[bool, int]:
    """Whether there is one solution, and how many choices it took to tell.

    The limit counts choices and not seconds, so that the answer is the same everywhere.
    """
    if solving.best_engine(rule) != "sweep":
        return solving.solve(puzzle, rule=rule).unique is True, 0
    found = sweep.run(puzzle, rule, nodes=choices)
    return found.complete and len(found.solutions) == 1, found.nodes


_kept = threading.local()


def _lay(board: Blank, target: int, shortest: int, seed: int) -> list[list[int]]:
    """Paths that fill the board, as few as the target where that succeeds."""
    area = board.grid.width * board.grid.height
    spots = area + len(board.bridges)
    plain = is_interpreted()
    if plain:
        raw: Any = plain_memory(laying.LAYOUT, spots)
        memory = raw
    else:
        if not hasattr(_kept, "memory"):
            record = compiled_memory(laying.LAYOUT)
            _kept.memory = (record, fields_of(record))
        raw, memory = _kept.memory
    fill(memory, "board", [HOLE if cell in board.holes else EMPTY for cell in range(spots)])
    fill(memory, "closed", [0] * spots)
    fill(memory, "strand", [0] * spots)
    for k, cell in enumerate(sorted(board.bridges)):
        memory.strand[cell] = area + k
    control = memory.control
    control[sweep_board.WIDTH], control[sweep_board.HEIGHT] = board.grid.width, board.grid.height
    control[sweep_board.TURN], control[sweep_board.GRID] = 0, GRIDS.index(board.grid.name)
    control[laying.TARGET], control[laying.SHORTEST] = target, shortest
    control[laying.SPOTS] = spots
    memory.random[0] = seed
    run = laying.lay.function if plain else laying.lay
    run(raw, _MOVES * spots)
    visits = int(control[sweep_board.VISITS])
    links, back = read(memory, "links", visits), read(memory, "back", visits)
    place, near = read(memory, "place", spots), read(memory, "near", sweep_board.WAYS * visits)
    paths: list[list[int]] = []
    seen: set[int] = set()
    for spot in range(spots):
        p = place[spot]
        if spot not in board.holes and links[p].bit_count() < 2 and p not in seen:
            path = _follow(board.grid, links, near, p)
            seen.update((path[0], path[-1]))
            paths.append([back[p] for p in path])
    return paths


def _follow(grid: Grid, links: list[int], near: list[int], place: int) -> list[int]:
    path, came = [place], 0
    while True:
        onward = links[path[-1]] & ~came
        if not onward:
            return path
        way = onward.bit_length() - 1
        path.append(near[sweep_board.WAYS * path[-1] + way])
        came = 1 << grid.opposite(way)


def _cut(
    board: Blank, paths: list[list[int]], wanted: int, shortest: int, chance: random.Random
) -> list[list[int]] | None:
    """As many paths as are wanted, the longest ones cut in two; None if that cannot be."""
    if len(paths) > wanted or min(map(len, paths)) < shortest:
        return None
    while len(paths) < wanted:
        longest = max(paths, key=len)
        if len(longest) < 2 * shortest:
            return None
        places = range(shortest, len(longest) - shortest + 1)
        first = chance.randint(places[0], places[-1])
        at = next(
            (at for at in (*range(first, places.stop), *places)
             if not _ends_on_bridge(board, longest, at)), None,
        )  # fmt: skip
        if at is None:
            return None
        paths.remove(longest)
        paths += [longest[:at], longest[at:]]
    return paths


def _ends_on_bridge(board: Blank, path: list[int], at: int) -> bool:
    """Whether a path that is cut there would have an end on a bridge, where no dot can be."""
    area = board.grid.width * board.grid.height
    return any(cell in board.bridges or cell >= area for cell in path[at - 1 : at + 1])


def _puzzle(board: Blank, paths: list[list[int]]) -> tuple[Puzzle, Solution]:
    ordered = sorted(min(path, path[::-1]) for path in paths)
    area = board.grid.width * board.grid.height
    cells = [HOLE if cell in board.holes else EMPTY for cell in range(area)]
    for colour, path in enumerate(ordered):
        cells[path[0]] = cells[path[-1]] = colour
    puzzle = Puzzle(
        board.grid.width, board.grid.height, tuple(cells), tuple(LETTERS[: len(ordered)]),
        frozenset(), board.grid.name, board.bridges,
    )  # fmt: skip
    return puzzle, Solution(tuple(tuple(path) for path in ordered))
