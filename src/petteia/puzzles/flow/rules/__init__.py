"""The puzzle as data: a graph of cells with pairs of dots; rules; and solutions.

A cell is a number, row by row from the top left. A bridge has two: its own for the strand from west
to east, and another after the last cell of the board for the strand from north to south. So all
that solves a puzzle sees one graph of cells, whatever the grid is like. Colours are numbers too,
each with a letter; read from rows of letters they are counted in the order in which they first
appear.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from petteia.core.errors import PetteiaError, one_of
from petteia.puzzles.flow.rules.grids import GRIDS, Grid

__all__ = [
    "EMPTY", "HOLE", "LETTERS", "MOST_CELLS", "RULES", "Puzzle", "Rule", "Solution", "number",
    "require_size", "rule_named", "shown",
]  # fmt: skip

EMPTY, HOLE = -1, -2
MOST_CELLS = 10_000
"""Cells of the largest board."""

# Sixty-two that every keyboard has, then others that are one letter in every encoding of Unicode.
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    + "".join(chr(code) for code in range(0x0391, 0x03CA) if chr(code).isalpha())
    + "".join(chr(code) for code in range(0x0410, 0x0450))
    + "".join(chr(code) for code in range(0x4E00, 0x4E00 + 4900))
)


@dataclass(frozen=True)
class Rule:
    """What a solution must keep beside joining the dots of every colour by one path each."""

    name: str
    """A name of RULES."""
    coverage: bool = True
    """Whether every cell must be covered."""

    @property
    def is_strict(self) -> bool:
        """Whether no path may run beside itself."""
        return self.name in ("strict", "shortest")

    @property
    def text(self) -> str:
        """The rule for people, and the name under which answers state it."""
        return self.name if self.coverage else f"{self.name}, cells may stay empty"


RULES = {
    "strict": "no path runs beside itself",
    "no-2x2": "no block of 2x2 cells has one colour",
    "touching": "a path may run beside itself",
    "shortest": "no path could be shorter while the others stay",
}


def rule_named(name: str, *, coverage: bool = True) -> Rule:
    """The rule of this name."""
    if name not in RULES:
        raise one_of(name, RULES, what="rule")
    return Rule(name, coverage)


def shown(text: str) -> str:
    """A part of what a user wrote, in quotes, for a message; cut where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def number(text: str, what: str) -> int:
    """A number of a text form, which must be a short one in plain digits."""
    if re.fullmatch(r"[0-9]{1,9}", text) is None:
        raise PetteiaError(f"{shown(text)} is no number; {what}")
    return int(text)


def require_size(width: int, height: int) -> None:
    """Raises if a board of this size is not possible."""
    if width < 1 or height < 1 or width * height > MOST_CELLS:
        raise PetteiaError(
            f"a board of {width}x{height} is not possible; one of 1 to {MOST_CELLS:,} cells is"
        )


@dataclass(frozen=True)
class Puzzle:
    """A board: at each cell a dot's colour, EMPTY or HOLE."""

    width: int
    height: int
    cells: tuple[int, ...]
    """At each cell a dot's colour, EMPTY or HOLE; the second strands of bridges are added."""
    letters: tuple[str, ...]
    """The letter of each colour."""
    walls: frozenset[tuple[int, int]] = field(default=frozenset())
    """Pairs of neighbouring cells, the smaller first, between which no path passes. Cells with a
    wall between them are not neighbours, so a path may run along a wall on both of its sides."""
    grid: str = "square"
    """One of ``grids.GRIDS``."""
    bridges: frozenset[int] = field(default=frozenset())
    """Cells that two paths cross straight ahead, one above the other."""

    def __post_init__(self) -> None:
        require_size(self.width, self.height)
        if self.grid not in GRIDS:
            raise one_of(self.grid, GRIDS, what="grid")
        if self.grid == "warps" and min(self.width, self.height) < 3:
            raise PetteiaError(f"a board with warps is 3x3 or larger, not {self.size}")
        if len(self.cells) == self.area:
            object.__setattr__(self, "cells", self.cells + (EMPTY,) * len(self.bridges))
        if len(self.cells) != self.area + len(self.bridges):
            raise PetteiaError(
                f"a board of {self.size} has {self.area} cells, not {len(self.cells)}"
            )
        if len(self.cells) > MOST_CELLS:
            raise PetteiaError(f"cells and bridges are {MOST_CELLS:,} at most together")
        self._require_dots()
        plane = self.plane
        for a, b in self.walls:
            if not 0 <= a < b < self.area or plane.way(a, b) is None:
                named = " and ".join(
                    self.name(each) if 0 <= each < self.area else str(each) for each in (a, b)
                )
                raise PetteiaError(f"a wall stands between two neighbours, not between {named}")
        for cell in self.bridges:
            if self.grid == "hex" or not 0 <= cell < self.area or self.cells[cell] != EMPTY:
                raise PetteiaError(f"no bridge can be at {cell}; bridges are empty square cells")
            around = [plane.step(cell, way) for way in range(plane.ways)]
            if any(other is None or self.cells[other] == HOLE for other in around):
                raise PetteiaError(
                    f"the bridge at {self.name(cell)} needs a cell on all four sides"
                )

    def _require_dots(self) -> None:
        counts = [0] * len(self.letters)
        for value in self.cells:
            if value >= 0:
                counts[value] += 1
        for letter, count in zip(self.letters, counts, strict=True):
            if count != 2:
                dots = "1 dot" if count == 1 else f"{count} dots"
                why = f"colour {letter!r} has {dots}; every colour needs exactly 2"
                if count > 2:
                    why += ", the ends of its path; the other cells are _"
                raise PetteiaError(why)
        if not self.letters:
            raise PetteiaError("a puzzle needs at least one pair of dots; this one has none")

    @classmethod
    def of_rows(
        cls, rows: Sequence[str], walls: Iterable[tuple[int, int]] = (), *, grid: str = "square"
    ) -> Puzzle:
        """The board drawn as rows of letters; ``#`` is a hole and ``+`` a bridge. A star is no dot,
        and a hole where another sign means no dot."""
        if not rows:
            raise PetteiaError("an empty puzzle; a puzzle is rows of letters, with _ for no dot")
        cells: list[int] = []
        letters: dict[str, int] = {}
        bridges: list[int] = []
        holes = "#*" if any(sign in row for row in rows for sign in "_.-") else "#"
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise PetteiaError(
                    f"row {number} has {len(row)} cells and row 1 has {len(rows[0])}; "
                    "all rows must be as long as the first"
                )
            for column, sign in enumerate(row, 1):
                if sign in holes:
                    cells.append(HOLE)
                elif sign in "_.-*+":
                    if sign == "+":
                        bridges.append(len(cells))
                    cells.append(EMPTY)
                elif sign.isalnum():
                    cells.append(letters.setdefault(sign, len(letters)))
                else:
                    raise PetteiaError(
                        f"row {number}, column {column}: {sign!r} is not a cell; a dot is a letter "
                        "or a digit, no dot is _ or a full stop, a hole is #, a bridge is +"
                    )
        ordered = frozenset((min(pair), max(pair)) for pair in walls)
        return cls(
            len(rows[0]), len(rows), tuple(cells), tuple(letters), ordered, grid, frozenset(bridges)
        )

    def rows(self, empty: str = "_") -> list[str]:
        """The board as rows of letters; walls and the grid are not seen."""
        signs = [self.sign(value, empty) for value in self.cells]
        for cell in self.bridges:
            signs[cell] = "+"
        return self.in_rows(signs)

    def in_rows(self, signs: Sequence[str]) -> list[str]:
        """One sign a cell as rows of text; those of the second strands are left out."""
        return ["".join(signs[at : at + self.width]) for at in range(0, self.area, self.width)]

    def sign(self, value: int, empty: str = "_") -> str:
        """How a colour, EMPTY or HOLE is written."""
        return empty if value == EMPTY else "#" if value == HOLE else self.letters[value]

    @property
    def colours(self) -> int:
        """How many colours there are."""
        return len(self.letters)

    @property
    def size(self) -> str:
        """Width and height, such as 12x14."""
        return f"{self.width}x{self.height}"

    @cached_property
    def dots(self) -> tuple[tuple[int, int], ...]:
        """The two cells of each colour, in reading order."""
        found: list[list[int]] = [[] for _ in self.letters]
        for cell, value in enumerate(self.cells):
            if value >= 0:
                found[value].append(cell)
        return tuple((pair[0], pair[1]) for pair in found)

    @property
    def area(self) -> int:
        """How many cells the board has, holes included, and bridges counted once."""
        return self.width * self.height

    @property
    def kind(self) -> str:
        """What is special about the board: its grid, bridges, walls or holes; else square."""
        if self.grid != "square":
            return self.grid
        if self.bridges:
            return "bridges"
        if self.walls:
            return "walls"
        return "holes" if HOLE in self.cells else "square"

    @cached_property
    def plane(self) -> Grid:
        """The grid with its size."""
        return Grid(self.grid, self.width, self.height)

    @cached_property
    def strands(self) -> dict[int, int]:
        """For each bridge the cell of its strand from north to south."""
        return {cell: self.area + k for k, cell in enumerate(sorted(self.bridges))}

    @cached_property
    def _owners(self) -> tuple[int, ...]:
        return tuple(sorted(self.bridges))

    def on_board(self, cell: int) -> int:
        """The cell on the board of a cell, which may be a bridge's second strand."""
        return cell if cell < self.area else self._owners[cell - self.area]

    def strand(self, cell: int, way: int) -> int:
        """What a way from or to a cell of the board meets there: the cell, or a bridge's strand."""
        return self.strands[cell] if cell in self.bridges and way % 2 == 0 else cell

    @cached_property
    def ways(self) -> tuple[dict[int, int], ...]:
        """For each cell its ways, each with the neighbour there, from the top left to the bottom
        right; a hole has none, and none leads past a wall."""
        found: list[dict[int, int]] = [{} for _ in self.cells]
        plane, cells, walls = self.plane, self.cells, self.walls
        for cell in range(self.area):
            if cells[cell] == HOLE:
                continue
            for way in plane.reading_order:
                other = plane.step(cell, way)
                if other is None or cells[other] == HOLE:
                    continue
                if not walls or (min(cell, other), max(cell, other)) not in walls:
                    found[self.strand(cell, way)][way] = self.strand(other, way)
        return tuple(found)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, from the top left to the bottom right."""
        return tuple(tuple(ways.values()) for ways in self.ways)

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The cells around each point, clockwise, where none of them is a hole or a bridge."""
        return tuple(
            block
            for block in self.plane.blocks()
            if all(self.cells[each] != HOLE and each not in self.bridges for each in block)
        )

    def path_of(self, cells: Sequence[int]) -> tuple[int, ...]:
        """A path told by cells of the board, with the strands of the bridges that it crosses."""
        found = list(cells)
        for at in range(len(found) - 1) if self.bridges else ():
            way = self.plane.way(cells[at], cells[at + 1])
            if way is not None:
                found[at + 1] = self.strand(cells[at + 1], way)
                if at == 0:
                    found[0] = self.strand(cells[0], way)
        return tuple(found)

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """All pairs of neighbours, the smaller first."""
        return tuple((a, b) for a in range(len(self.cells)) for b in self.neighbours[a] if a < b)

    def name(self, cell: int) -> str:
        """The name of a cell: r1c1 is the top left one; both strands of a bridge have its name."""
        row, column = divmod(self.on_board(cell), self.width)
        return f"r{row + 1}c{column + 1}"

    def cell(self, name: str) -> int:
        """The cell of this name."""
        found = re.fullmatch(r"r([0-9]{1,6})c([0-9]{1,6})", name.strip().lower())
        if found:
            row, column = int(found[1]) - 1, int(found[2]) - 1
            if 0 <= row < self.height and 0 <= column < self.width:
                return row * self.width + column
        raise PetteiaError(
            f"{shown(name)} is not a cell of a {self.size} board; cells are r1c1 to "
            f"r{self.height}c{self.width}"
        )


@dataclass(frozen=True)
class Solution:
    """One path for each colour, cell after cell from the first dot to the second."""

    paths: tuple[tuple[int, ...], ...]

    def colouring(self, puzzle: Puzzle) -> list[int]:
        """The colour of each cell, EMPTY where no path runs."""
        colours = [HOLE if value == HOLE else EMPTY for value in puzzle.cells]
        for colour, path in enumerate(self.paths):
            for cell in path:
                colours[cell] = colour
        return colours

    def rows(self, puzzle: Puzzle) -> list[str]:
        """The filled board as rows of letters."""
        return puzzle.in_rows([puzzle.sign(value) for value in self.colouring(puzzle)])

    def links(self) -> frozenset[tuple[int, int]]:
        """The pairs of cells that are joined, the smaller first."""
        return frozenset(
            (min(a, b), max(a, b)) for path in self.paths for a, b in itertools.pairwise(path)
        )
