"""Flow Free level lines: ``W[:H][+B],0,level,flows[,bridges,holes,walls];cell,cell,...;...``

Every flow is its whole path, so that the line holds the solution. Bridges and holes are cells
joined by colons, a hole perhaps with a suffix after ``_`` that says how it is drawn; walls are
``cell|cell`` joined by colons. ``W:`` before the size is a board with warps, ``X:`` one of hexes.
``+B`` and the like draw a border and change nothing.

Lines do not tell whether width or height comes first, nor which rows or columns of hexes are
shifted. The paths do: a reading under which all of them step to neighbours is taken, if possible
one under which they are also a solution.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.reference import faults
from petteia.puzzles.flow.rules import (
    EMPTY,
    HOLE,
    LETTERS,
    Puzzle,
    Rule,
    Solution,
    number,
    require_size,
    shown,
)
from petteia.puzzles.flow.rules.grids import Grid

__all__ = ["looks_like_one", "read", "write"]

_SIZE = re.compile(r"(?:([WX])[:+]?)?([0-9]{1,4})(?::([0-9]{1,4}))?((?:\+[A-Z])*)")
_PREFIXES = {"square": "", "warps": "W:", "hex": "X:"}


def looks_like_one(text: str) -> bool:
    """Whether a text is meant as a level line; several rows of numbers are a board."""
    if ";" not in text and "\n" in text:
        return False
    return re.match(r"(\w[:+]?)?[0-9]+(:[0-9]+)*(\+\w)*,[0-9]*,", text) is not None


@dataclass(frozen=True)
class _Layout:
    """A reading of the size: the grid, and how the cells of the line lie on it."""

    grid: Grid
    turned: bool = False
    """Whether rows and columns change places: then columns of hexes are shifted."""
    mirrored: bool = False
    """Whether left is right: then even rows of hexes are shifted, not odd ones."""

    def place(self, cell: int) -> int:
        """The cell of the grid of a cell of the line."""
        row, column = divmod(cell, self.grid.height if self.turned else self.grid.width)
        if self.turned:
            row, column = column, row
        if self.mirrored:
            column = self.grid.width - 1 - column
        return row * self.grid.width + column

    def fits(self, flows: list[list[int]]) -> bool:
        """Whether every flow steps from neighbour to neighbour."""
        return all(
            self.grid.way(self.place(a), self.place(b)) is not None
            for flow in flows
            for a, b in pairwise(flow)
        )


def _layouts(grid: str, width: int, height: int) -> list[_Layout]:
    sizes = [(width, height)] if width == height else [(width, height), (height, width)]
    if grid != "hex":
        return [_Layout(Grid(grid, across, down)) for across, down in sizes]
    return [
        _Layout(Grid(grid, *(size[::-1] if turned else size)), turned, mirrored)
        for turned in (False, True)
        for mirrored in (False, True)
        for size in sizes
    ]


def read(text: str) -> tuple[Puzzle, Solution]:
    """The puzzle and the solution that the line tells."""
    if len(text.splitlines()) > 1:
        raise PetteiaError(
            f"{len(text.splitlines())} level lines; one is a puzzle, and flow bench reads sets"
        )
    head, *flows = [part for part in text.strip().split(";") if part]
    fields = head.split(",")
    size = _SIZE.fullmatch(fields[0])
    if size is None or len(fields) < 4:
        raise PetteiaError(
            f"the level line begins with {shown(head)}; expected width[:height],0,level,flows, "
            "with W: before it for warps and X: for hexes"
        )
    grid = {None: "square", "W": "warps", "X": "hex"}[size[1]]
    width, height = int(size[2]), int(size[3] or size[2])
    require_size(width, height)
    count = width * height
    fields += [""] * (7 - len(fields))
    if number(fields[3], "the fourth is the number of flows") != len(flows):
        raise PetteiaError(f"the level line says {fields[3]} flows, but has {len(flows)}")
    paths = [_numbers(flow, ",", count) for flow in flows]
    layouts = _layouts(grid, width, height)
    fitting = [layout for layout in layouts if layout.fits(paths)]
    if grid == "hex" and not fitting:
        raise PetteiaError(
            "the flows of this level of hexes step to no neighbours, however its rows or columns "
            "are shifted"
        )
    if not fitting:
        for flow, path in enumerate(paths, 1):
            for a, b in pairwise(path):
                if not any(layout.fits([[a, b]]) for layout in layouts):
                    raise PetteiaError(
                        f"flow {flow} steps from cell {a} to {b}, its neighbour on no "
                        f"board of this size; W: means warps, X: hexes"
                    )
        raise PetteiaError("the flows step to neighbours, but not all on a board of one width")
    readings = [_on_layout(layout, fields, paths) for layout in fitting]
    right = (each for each in readings if not faults(*each, Rule("strict")))
    return next(right, readings[0]) if len(readings) > 1 else readings[0]


def _on_layout(
    layout: _Layout, fields: list[str], flows: list[list[int]]
) -> tuple[Puzzle, Solution]:
    place, count = layout.place, layout.grid.width * layout.grid.height
    cells = [EMPTY] * count
    bridges = frozenset(place(cell) for cell in _numbers(fields[4], ":", count))
    holes = ":".join(part.partition("_")[0] for part in fields[5].split(":"))
    for hole in _numbers(holes, ":", count):
        cells[place(hole)] = HOLE
    walls = []
    for wall in filter(None, fields[6].split(":")):
        ends = [place(cell) for cell in _numbers(wall, "|", count)]
        if len(ends) != 2:
            raise PetteiaError(f"a wall is cell|cell, not {shown(wall)}")
        walls.append((min(ends), max(ends)))
    for colour, flow in enumerate(flows):
        if len(flow) < 2 or flow[0] == flow[-1]:
            raise PetteiaError(f"flow {colour + 1} has {len(set(flow))} cells; a flow has two ends")
        for end in (flow[0], flow[-1]):
            if cells[place(end)] != EMPTY:
                raise PetteiaError(f"two flows end at cell {end}")
            cells[place(end)] = colour
    puzzle = Puzzle(
        layout.grid.width, layout.grid.height, tuple(cells), tuple(LETTERS[: len(flows)]),
        frozenset(walls), layout.grid.name, bridges,
    )  # fmt: skip
    paths = (puzzle.path_of([place(cell) for cell in flow]) for flow in flows)
    return puzzle, Solution(tuple(paths))


def _numbers(text: str, mark: str, count: int) -> list[int]:
    """Cells with a mark between them, and perhaps after the last; a gap is an error, since it may
    have been the end of a flow."""
    found = []
    listed = text.rstrip(mark)
    for part in listed.split(mark) if listed else ():
        cell = number(part, f"cells are 0 to {count - 1}")
        if cell >= count:
            raise PetteiaError(f"{shown(part)} is not a cell; cells are 0 to {count - 1}")
        found.append(cell)
    return found


def write(puzzle: Puzzle, solution: Solution, level: int = 1) -> str:
    """The level line of a solved puzzle."""
    size = f"{_PREFIXES[puzzle.grid]}{puzzle.width}"
    if puzzle.height != puzzle.width:
        size += f":{puzzle.height}"
    bridges = ":".join(map(str, sorted(puzzle.bridges)))
    holes = ":".join(str(cell) for cell, value in enumerate(puzzle.cells) if value == HOLE)
    walls = ":".join(f"{a}|{b}" for a, b in sorted(puzzle.walls))
    fields = [size, "0", str(level), str(puzzle.colours), bridges, holes, walls]
    while fields[-1] == "":
        fields.pop()
    flows = [",".join(str(puzzle.on_board(cell)) for cell in path) for path in solution.paths]
    return ";".join([",".join(fields), *flows])
