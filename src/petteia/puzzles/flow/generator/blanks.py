"""Boards without dots, of every kind: where new puzzles are laid."""

from __future__ import annotations

import random
from dataclasses import dataclass

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules.grids import Grid

__all__ = ["KINDS", "Blank", "blank"]

KINDS = ("square", "hex", "warps", "bridges", "holes")
"""The kinds of boards that can be made."""


@dataclass(frozen=True)
class Blank:
    """A board without dots."""

    grid: Grid
    holes: frozenset[int] = frozenset()
    bridges: frozenset[int] = frozenset()

    @property
    def cells(self) -> int:
        """Cells that paths must cover, each strand of a bridge one of them."""
        return self.grid.width * self.grid.height - len(self.holes) + len(self.bridges)


def blank(kind: str, width: int, height: int, chance: random.Random) -> Blank:
    """A board of a kind: one cell in twelve is a hole, or one in sixteen a bridge."""
    if kind in ("warps", "bridges") and min(width, height) < 3:
        raise PetteiaError(f"a board with {kind} is 3x3 or larger, not {width}x{height}")
    grid = Grid(kind if kind in ("warps", "hex") else "square", width, height)
    area = width * height
    if kind == "holes":
        return Blank(grid, holes=_holes(grid, max(1, area // 12), chance))
    if kind == "bridges":
        return Blank(grid, bridges=_bridges(grid, max(1, area // 16), chance))
    return Blank(grid)


def _around(grid: Grid, cell: int) -> list[int]:
    steps = (grid.step(cell, way) for way in range(grid.ways))
    return [other for other in steps if other is not None]


def _holes(grid: Grid, wanted: int, chance: random.Random) -> frozenset[int]:
    """Holes that leave the board whole, and every cell a neighbour on two sides."""
    found: set[int] = set()
    for cell in chance.sample(range(grid.width * grid.height), grid.width * grid.height):
        if len(found) == wanted:
            break
        found.add(cell)
        if not _is_whole(grid, found):
            found.discard(cell)
    return frozenset(found)


def _is_whole(grid: Grid, holes: set[int]) -> bool:
    left = set(range(grid.width * grid.height)) - holes
    if not left:
        return False
    seen, todo = set(), [min(left)]
    while todo:
        cell = todo.pop()
        if cell in seen:
            continue
        seen.add(cell)
        near = [other for other in _around(grid, cell) if other in left]
        if len(near) < 2:
            return False
        todo += near
    return seen == left


def _bridges(grid: Grid, wanted: int, chance: random.Random) -> frozenset[int]:
    """Bridges inside the board that do not meet, not even at corners."""
    inner = [
        row * grid.width + column
        for row in range(1, grid.height - 1)
        for column in range(1, grid.width - 1)
    ]
    found: list[int] = []
    for cell in chance.sample(inner, len(inner)):
        row, column = divmod(cell, grid.width)
        far = all(
            max(abs(row - other // grid.width), abs(column - other % grid.width)) > 1
            for other in found
        )
        if len(found) < wanted and far:
            found.append(cell)
    return frozenset(found)
