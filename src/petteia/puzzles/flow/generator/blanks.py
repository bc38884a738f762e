"""Boards without dots, of every kind: where new puzzles are laid."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import MOST_CELLS
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


def blank(kind: str, width: int, height: int, chance: random.Random) -> Blank:
    """A board of a kind: one cell in twelve is a hole, or one in sixteen a bridge."""
    if kind == "warps" and min(width, height) < 3:
        raise PetteiaError(f"a board with warps is 3x3 or larger, not {width}x{height}")
    grid = Grid(kind if kind in ("warps", "hex") else "square", width, height)
    area = width * height
    if kind not in ("holes", "bridges"):
        return Blank(grid)
    if kind == "holes":
        found = _apart(grid, max(1, area // 12), 1, _can_be_hole, chance)
    else:
        wanted = min(max(1, area // 16), MOST_CELLS - area)
        # No cell lies beside two bridges: one between four of them could be joined to nothing.
        found = _apart(grid, wanted, 2, lambda grid, cell, _: _is_inside(grid, cell), chance)
    if not found:
        raise PetteiaError(f"no {kind} fit on a board of {width}x{height}")
    return Blank(grid, found if kind == "holes" else _NONE, found if kind == "bridges" else _NONE)


_NONE: frozenset[int] = frozenset()
Test = Callable[[Grid, int, set[int]], bool]


def _apart(grid: Grid, wanted: int, far: int, fits: Test, chance: random.Random) -> frozenset[int]:
    """Cells at random with ``far`` others between them, also at corners; so holes leave the board
    whole."""
    found: set[int] = set()
    taken: set[int] = set()
    for cell in chance.sample(range(grid.width * grid.height), grid.width * grid.height):
        if len(found) >= wanted:
            break
        if cell not in taken and fits(grid, cell, found):
            found.add(cell)
            taken |= _square_around(grid, cell, far)
    return frozenset(found)


def _square_around(grid: Grid, cell: int, far: int) -> set[int]:
    row, column = divmod(cell, grid.width)
    return {
        y * grid.width + x
        for y in range(max(0, row - far), min(grid.height, row + far + 1))
        for x in range(max(0, column - far), min(grid.width, column + far + 1))
    }


def _is_inside(grid: Grid, cell: int) -> bool:
    """Whether a cell has neighbours on all sides."""
    return None not in [grid.step(cell, way) for way in range(grid.ways)]


def _can_be_hole(grid: Grid, cell: int, holes: set[int]) -> bool:
    """Whether every neighbour keeps two others."""
    return all(
        sum(1 for other in _around(grid, near) if other not in holes and other != cell) > 1
        for near in _around(grid, cell)
    )


def _around(grid: Grid, cell: int) -> list[int]:
    steps = (grid.step(cell, way) for way in range(grid.ways))
    return [other for other in steps if other is not None]
