"""New puzzles: paths laid at random, accepted when their dots have one solution only."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError, one_of
from petteia.core.seeds import derive
from petteia.puzzles.flow.generator import laying
from petteia.puzzles.flow.generator.blanks import KINDS, Blank, blank
from petteia.puzzles.flow.generator.grading import (
    DIFFICULTIES,
    Grade,
    grade,
    share_of_colours,
)
from petteia.puzzles.flow.rules import EMPTY, HOLE, LETTERS, MOST_CELLS, Puzzle, Rule, Solution
from petteia.puzzles.flow.rules.grids import GRIDS, Grid
from petteia.puzzles.flow.rules.memory import compiled_memory, fields_of, fill, plain_memory, read
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution import sweep, sweep_board

__all__ = ["KINDS", "Made", "Wishes", "generate", "usual_colours"]

_MOVES = 3_000
"""Moves for each cell before a board is given up."""
_ATTEMPTS = 300
"""Boards that are laid before a wish is given up."""
_GRADED = 150_000
"""Cells of the boards that are laid before a difficulty is given up: some seconds."""
_LARGE = 2_500
"""Cells of a large board."""
_SPARSE = {"bridges": (500, 10), "warps": (300, 7)}
"""Of kinds whose proofs are longer: the cells from which on they take more colours, and how many
further cells each of these has."""
_TOUCHING = (100, 7)
"""The same where paths may touch themselves, which mostly allows several solutions."""
_CHOICES = 6_000_000
"""Choices that the sweep may try to prove new boards unique, together: less than a minute."""
_LOOK = 200_000
"""Choices for a single board where paths may touch themselves: what takes more is hopeless."""


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


def usual_colours(
    width: int, height: int, kind: str = "square", rule: Rule = solving.STRICT
) -> int:
    """How many colours a board of this size usually has: the root of the number of cells, and more
    on large boards, whose solutions could not be proved to be the only ones otherwise."""
    area = width * height
    large, cells = _SPARSE.get(kind, (_LARGE, 10))
    if rule.name == "touching":
        large, cells = _TOUCHING
    return max(2, round(math.sqrt(area) + max(0, area - large) / cells))


class Wishes(TypedDict, total=False):
    """What else can be asked of a new puzzle."""

    seed: int
    colours: int | None
    """As many as are usual if nobody says, or as fit a difficulty."""
    shortest: int
    """The least number of cells of a path, dots included."""
    rule: Rule
    difficulty: str | None
    kind: str


@dataclass(frozen=True)
class _Wanted:
    """A wish with what it leaves open filled in."""

    width: int
    height: int
    seed: int = 0
    colours: int | None = None
    shortest: int = 3
    rule: Rule = solving.STRICT
    difficulty: str | None = None
    kind: str = "square"

    def __post_init__(self) -> None:
        if self.width < 2 or self.height < 2 or self.area > MOST_CELLS:
            raise PetteiaError(
                f"a puzzle of {self.size} cannot be made; 2x2 to 100x100 can, and longer ones of "
                "as many cells"
            )
        if self.kind not in KINDS:
            raise one_of(self.kind, KINDS, what="kind")
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            raise one_of(self.difficulty, DIFFICULTIES, what="difficulty")
        if (self.kind, self.difficulty) == ("hex", "medium"):
            raise PetteiaError(
                "boards of hexes are easy, hard or expert: what is not easy there needs a look at "
                "regions, so that none is medium"
            )
        colours, shortest = self.usual if self.colours is None else self.colours, self.shortest
        if shortest < 2 or colours < 1 or colours * shortest > self.area:
            raise PetteiaError(
                f"{colours} paths of at least {shortest} cells do not fit on {self.area} cells; "
                f"at most {self.area // max(2, shortest)} paths of {max(2, shortest)} or more do"
            )

    @property
    def size(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def usual(self) -> int:
        return usual_colours(self.width, self.height, self.kind, self.rule)

    @property
    def attempts(self) -> int:
        """How many boards are laid before it is given up; large ones take seconds each."""
        if self.difficulty is not None:
            return max(_ATTEMPTS, _GRADED // self.area)
        return _ATTEMPTS if self.area <= _LARGE else min(_ATTEMPTS, 20)

    def not_found(self, cost: str) -> str:
        """That it cost so much, and nothing was found."""
        number = "" if self.colours is None else f" with {self.colours} colours"
        asked = f", {self.difficulty}," if self.difficulty else ""
        return (
            f"no {self.size} puzzle{number}{asked} was found in {cost} with seed {self.seed}; "
            f"try other numbers, usual are {self.usual} colours, and more are easier"
        )

    def colours_of(self, attempt: int) -> int:
        """How many colours the board of an attempt has: such as boards of the difficulty have,
        another number at each attempt."""
        if self.colours is not None or self.difficulty is None:
            return self.usual if self.colours is None else self.colours
        low, high = share_of_colours(self.difficulty, self.kind)
        share = random.Random(derive(self.seed, "colours", attempt)).uniform(low, high)
        return max(2, min(self.area // self.shortest, round(share * self.usual)))


def generate(
    width: int,
    height: int,
    *,
    seconds: float | None = None,
    tell: Callable[[float, str], None] | None = None,
    **wishes: Unpack[Wishes],
) -> Made:
    """A puzzle that has exactly one solution under the rule; the same for the same arguments.

    ``seconds`` is a limit; ``tell`` is told how much of all attempts was made.
    """
    wanted = _Wanted(width, height, **wishes)
    end = None if seconds is None else time.perf_counter() + seconds
    choices = _CHOICES
    for attempt in range(wanted.attempts):
        if tell is not None:
            tell(attempt / wanted.attempts, f"attempt {attempt + 1} of {wanted.attempts}")
        left = None if end is None else end - time.perf_counter()
        if left is not None and left <= 0:
            raise PetteiaError(wanted.not_found(f"{seconds:g} seconds"))
        laid = _laid(wanted, attempt)
        if laid is None:
            continue
        puzzle, solution = laid
        alone, taken = _is_unique(puzzle, wanted.rule, choices, left)
        choices -= taken
        if choices <= 0:
            raise PetteiaError(
                f"that a {wanted.size} puzzle with {puzzle.colours} colours has one solution takes "
                "too long to prove; more colours are easier"
            )
        if not alone:
            continue
        found = None
        if wanted.difficulty is not None:
            highest = DIFFICULTIES[wanted.difficulty][0]
            try:
                found = grade(puzzle, wanted.rule, highest=highest, most_trials=1, end=end)
            except TimeoutError:
                continue
            if found.difficulty != wanted.difficulty:
                continue
        return Made(puzzle, solution, wanted.rule, wanted.seed, attempt + 1, found)
    raise PetteiaError(wanted.not_found(f"{wanted.attempts} attempts"))


def _laid(wanted: _Wanted, attempt: int) -> tuple[Puzzle, Solution] | None:
    """The board of an attempt with as many paths as are wanted; None if that did not succeed."""
    colours, shortest = wanted.colours_of(attempt), wanted.shortest
    parts = (wanted.width, wanted.height, colours, shortest, attempt)
    names = ("flow",) if wanted.kind == "square" else ("flow", wanted.kind)
    chance = random.Random(derive(wanted.seed, *names, *parts))
    board = blank(wanted.kind, wanted.width, wanted.height, chance)
    paths = _lay(board, colours, shortest, chance.getrandbits(63))
    cut = _cut(board, paths, colours, shortest, chance)
    return None if cut is None else _puzzle(board, cut)


def _is_unique(puzzle: Puzzle, rule: Rule, choices: int, seconds: float | None) -> tuple[bool, int]:
    """Whether there is one solution, and how many choices it took to tell.

    The usual limit counts choices and not seconds, so that the answer is the same everywhere.
    """
    nodes = min(choices, _LOOK) if rule.name == "touching" else choices
    found = sweep.run(puzzle, rule, nodes=nodes, seconds=seconds)
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
