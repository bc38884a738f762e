"""Flow Free level lines: ``W[:H][+B],0,level,flows[,bridges,holes,walls];cell,cell,...;...``

Every flow is its whole path, so that the line holds the solution. Holes are cells joined by
colons, walls are ``cell|cell`` joined by colons. ``+B`` draws a border and changes nothing.
"""

from __future__ import annotations

import re

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import (
    EMPTY,
    HOLE,
    LETTERS,
    Puzzle,
    Solution,
    number,
    require_size,
    shown,
)

__all__ = ["looks_like_one", "read", "write"]

_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?(\+B)?")


def looks_like_one(text: str) -> bool:
    """Whether a text is meant as a level line."""
    return re.match(r"[0-9]+(:[0-9]+)?(\+\w)?,", text) is not None


def read(text: str) -> tuple[Puzzle, Solution]:
    """The puzzle and the solution that the line tells."""
    if len(text.splitlines()) > 1:
        raise PetteiaError(f"{len(text.splitlines())} level lines; a file holds one puzzle")
    head, *flows = [part for part in text.strip().split(";") if part]
    fields = head.split(",")
    size = _SIZE.fullmatch(fields[0])
    if size is None or len(fields) < 4:
        raise PetteiaError(
            f"the level line begins with {shown(head)}; expected width[:height],0,level,flows"
        )
    width, height = int(size[1]), int(size[2] or size[1])
    fields += [""] * (7 - len(fields))
    if fields[4]:
        raise PetteiaError(f"the level has bridges ({fields[4]}), which are not supported")
    require_size(width, height)
    cells = [EMPTY] * (width * height)
    for hole in _numbers(fields[5], ":", len(cells)):
        cells[hole] = HOLE
    walls = []
    for wall in filter(None, fields[6].split(":")):
        ends = _numbers(wall, "|", len(cells))
        if len(ends) != 2:
            raise PetteiaError(f"a wall is cell|cell, not {shown(wall)}")
        walls.append((min(ends), max(ends)))
    if number(fields[3], "the fourth is the number of flows") != len(flows):
        raise PetteiaError(f"the level line says {fields[3]} flows, but has {len(flows)}")
    paths = []
    for colour, flow in enumerate(flows):
        path = _numbers(flow, ",", len(cells))
        if len(path) < 2 or path[0] == path[-1]:
            raise PetteiaError(f"flow {colour + 1} is {shown(flow)}; a flow has two ends")
        for end in (path[0], path[-1]):
            if cells[end] != EMPTY:
                raise PetteiaError(f"two flows end at cell {end}")
            cells[end] = colour
        paths.append(tuple(path))
    puzzle = Puzzle(width, height, tuple(cells), tuple(LETTERS[: len(flows)]), frozenset(walls))
    return puzzle, Solution(tuple(paths))


def _numbers(text: str, mark: str, count: int) -> list[int]:
    found = []
    for part in filter(None, text.split(mark)):
        cell = number(part, f"cells are 0 to {count - 1}")
        if cell >= count:
            raise PetteiaError(f"{shown(part)} is not a cell; cells are 0 to {count - 1}")
        found.append(cell)
    return found


def write(puzzle: Puzzle, solution: Solution, level: int = 1) -> str:
    """The level line of a solved puzzle."""
    size = f"{puzzle.width}"
    if puzzle.height != puzzle.width:
        size += f":{puzzle.height}"
    holes = ":".join(str(cell) for cell, value in enumerate(puzzle.cells) if value == HOLE)
    walls = ":".join(f"{a}|{b}" for a, b in sorted(puzzle.walls))
    fields = [size, "0", str(level), str(puzzle.colours), "", holes, walls]
    while fields[-1] == "":
        fields.pop()
    flows = [",".join(map(str, path)) for path in solution.paths]
    return ";".join([",".join(fields), *flows])
