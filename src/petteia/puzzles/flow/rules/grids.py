"""Grids: in which ways a cell has neighbours, and which cells lie around a point.

| grid   | ways of a cell                                                                    |
|--------|-----------------------------------------------------------------------------------|
| square | north, east, south, west                                                          |
| warps  | the same; past the border a way goes on at the opposite one                       |
| hex    | north-east, east, south-east, south-west, west, north-west; odd rows are half a   |
|        | cell to the right                                                                 |

Ways are counted clockwise, so that a way's opposite lies half of them further.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["GRIDS", "Grid"]

GRIDS = ("square", "warps", "hex")
_SQUARE = ((-1, 0), (0, 1), (1, 0), (0, -1))
# For even rows and for odd ones.
_HEX = (
    ((-1, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
    ((-1, 1), (0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)),
)


@dataclass(frozen=True)
class Grid:
    """A grid of some size; cells are numbered row by row from the top left."""

    name: str
    width: int
    height: int

    @property
    def ways(self) -> int:
        """How many ways a cell has."""
        return 6 if self.name == "hex" else 4

    @property
    def reading_order(self) -> tuple[int, ...]:
        """The ways from the top left to the bottom right."""
        return (5, 0, 4, 1, 3, 2) if self.name == "hex" else (0, 3, 1, 2)

    def opposite(self, way: int) -> int:
        """The way back."""
        return (way + self.ways // 2) % self.ways

    def step(self, cell: int, way: int) -> int | None:
        """The cell that lies one step in a way, None past the border."""
        row, column = divmod(cell, self.width)
        down, right = _HEX[row & 1][way] if self.name == "hex" else _SQUARE[way]
        row, column = row + down, column + right
        if self.name == "warps":
            row, column = row % self.height, column % self.width
        if 0 <= row < self.height and 0 <= column < self.width:
            return row * self.width + column
        return None

    def way(self, a: int, b: int) -> int | None:
        """The way from one cell to a neighbour, None if they are none."""
        return next((way for way in range(self.ways) if self.step(a, way) == b), None)

    def blocks(self) -> Iterator[tuple[int, ...]]:
        """The cells around each point where cells meet, clockwise."""
        walks = ((1, 3), (2, 4)) if self.name == "hex" else ((1, 2, 3),)
        for cell in range(self.width * self.height):
            for walk in walks:
                block: list[int | None] = [cell]
                for way in walk:
                    block.append(None if block[-1] is None else self.step(block[-1], way))
                if None not in block:
                    yield tuple(each for each in block if each is not None)
