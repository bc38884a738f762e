"""Pictures of a view: text for the terminal, SVG for files, notebooks and the browser."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from petteia.core.errors import PetteiaError
from petteia.core.view import Cell, Label, Piece, View

__all__ = [
    "HEX_PITCH",
    "flat_topped",
    "pieces_by_cell",
    "smallest_gap",
    "turned",
    "with_regular_hexes",
]

HEX_PITCH = math.sqrt(3) / 2
"""From one row of regular hexes to the next, where neighbours in a row are 1 apart."""


def pieces_by_cell(view: View) -> dict[str, list[Piece]]:
    """The pieces on every cell, the empty cells included."""
    found: dict[str, list[Piece]] = {cell.id: [] for cell in view.cells}
    for piece in view.pieces:
        if piece.cell not in found:
            raise PetteiaError(
                f"the view of {view.game} puts piece {piece.letter!r} on {piece.cell!r}, "
                "which is none of its cells"
            )
        if piece.count > 0:
            found[piece.cell].append(piece)
    return found


def turned(view: View) -> View:
    """The view as the player on the other side of the board sees it.

    Labels along one side of the board stay on that side and only follow their row or column.
    Where two opposite sides have labels, each belongs to the cell beside it and goes with it.
    """
    if not view.cells:
        return view
    xs = [cell.at[0] for cell in view.cells]
    ys = [cell.at[1] for cell in view.cells]
    across, down = min(xs) + max(xs), min(ys) + max(ys)
    shapes = {"up": "down", "down": "up"}

    def row(label: Label) -> list[float]:
        return [cell.at[0] for cell in view.cells if abs(cell.at[1] - label.at[1]) < 0.01] or xs

    aside = {_side(label.at[0], row(label)) for label in view.labels}
    above = {_side(label.at[1], ys) for label in view.labels}

    def label(old: Label) -> Label:
        x, y = old.at
        if _side(x, row(old)) and not aside >= {-1, 1}:
            x += across - min(row(old)) - max(row(old))
        else:
            x = across - x
        return replace(old, at=(x, y if _side(y, ys) and not above >= {-1, 1} else down - y))

    def cell(old: Cell) -> Cell:
        at = (across - old.at[0], down - old.at[1])
        return replace(old, at=at, shape=shapes.get(old.shape, old.shape))

    return replace(
        view,
        cells=tuple(cell(old) for old in view.cells),
        labels=tuple(label(old) for old in view.labels),
    )


def _side(value: float, along: Sequence[float]) -> int:
    """-1 before the first of the values, 1 beyond the last, 0 among them."""
    return (value > max(along)) - (value < min(along))


def with_regular_hexes(view: View) -> View:
    """The view with its rows of hexes so far apart that regular hexes touch.

    Games may place them a whole step apart, as on graph paper. Other boards stay as they are.
    """
    if not view.cells or any(cell.shape != "hex" for cell in view.cells):
        return view
    axis = 0 if flat_topped(view.cells) else 1
    pitch = smallest_gap(cell.at[axis] for cell in view.cells)
    if pitch <= 0.5:
        return view
    ratio = HEX_PITCH / pitch

    def pulled(at: tuple[float, float]) -> tuple[float, float]:
        return (at[0] * ratio, at[1]) if axis == 0 else (at[0], at[1] * ratio)

    cells = tuple(replace(cell, at=pulled(cell.at)) for cell in view.cells)
    labels = tuple(replace(label, at=pulled(label.at)) for label in view.labels)
    return replace(view, cells=cells, labels=labels)


def flat_topped(cells: Sequence[Cell]) -> bool:
    """Whether hexes stand in columns, each half a step higher or lower than the next."""
    hexes = [cell.at for cell in cells if cell.shape == "hex"]
    across, down = smallest_gap(x for x, _ in hexes), smallest_gap(y for _, y in hexes)
    return 0 < down < across


def smallest_gap(values: Iterable[float]) -> float:
    """The smallest distance between different values, or 0 where there is none."""
    known = sorted({round(value, 3) for value in values})
    return min((b - a for a, b in pairwise(known)), default=0.0)
