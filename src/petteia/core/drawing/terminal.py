"""A view as plain ASCII text.

 8  b  b  b  b
 7  . [b] .  .
 6 [.] .  .  .
    a  b  c  d
white to move
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

from petteia.core.drawing import pieces_by_cell, smallest_gap, turned
from petteia.core.view import Piece, View

__all__ = ["board"]

_FINEST = 0.25
"""Cells closer together than this share a place on the text grid and are pushed apart."""


def board(view: View, *, flip: bool = False) -> str:
    """The board as text: a letter for a piece, a dot for an empty cell, a star for an empty
    rosette, brackets around the cells of the last move. ``flip`` shows it from the other side."""
    if flip:
        view = turned(view)
    lines = _board_lines(view)
    if view.dice:
        lines.append(f"dice: {' '.join(str(value) for value in view.dice)}")
    if view.status:
        lines.append(_ascii(view.status))
    return "\n".join(lines)


def _board_lines(view: View) -> list[str]:
    columns = _Axis(cell.at[0] for cell in view.cells)
    rows = _Axis(cell.at[1] for cell in view.cells)
    bodies = {cell: _body(pieces) for cell, pieces in pieces_by_cell(view).items()}
    width = max((len(body) for body in bodies.values()), default=0) or 1

    places: dict[tuple[int, int], str] = {}
    for cell in sorted(view.cells, key=lambda cell: cell.at):
        row, column = rows.slot(cell.at[1]), columns.slot(cell.at[0])
        while (row, column) in places:
            column += 1
        body = bodies[cell.id] or ("*" if cell.mark == "rosette" else ".")
        places[row, column] = f"[{body}]" if cell.id in view.last else f" {body} "

    # A hex row uses every other slot, so that its slots can be half as wide.
    ordered = sorted(places)
    gaps = [b - a for (row, a), (below, b) in pairwise(ordered) if row == below]
    pitch = math.ceil((width + 2) / min(gaps, default=1))

    pieces = [(row, column * pitch, text) for (row, column), text in places.items()]
    words = []
    for label in view.labels:
        text, slot = _ascii(label.text), columns.slot(label.at[0])
        room = width - len(text)
        shift = room if slot < 0 else 0 if slot > columns.end else math.ceil(room / 2)
        words.append((rows.slot(label.at[1]), slot * pitch + 1 + shift, text))
    return _canvas([*words, *pieces])


class _Axis:
    """Slots of the text grid along one direction, counted from the first cell."""

    def __init__(self, values: Iterable[float]) -> None:
        known = sorted({round(value, 3) for value in values})
        whole = all(value == int(value) for value in known)
        self.step = 1.0 if whole else max(_FINEST, smallest_gap(known) or 1.0)
        self.first = known[0] if known else 0.0
        self.end = self.slot(known[-1]) if known else 0

    def slot(self, value: float) -> int:
        return round((value - self.first) / self.step)


def _body(pieces: list[Piece]) -> str:
    """The pieces of a cell: ``w``, ``w3`` for a stack, ``Rs2`` where several kinds meet."""
    return "".join(
        _ascii(piece.letter or "?") + (str(piece.count) if piece.count > 1 else "")
        for piece in pieces
    )


def _canvas(texts: list[tuple[int, int, str]]) -> list[str]:
    """Lines with each text in its row from its column on; later texts cover earlier ones."""
    if not texts:
        return []
    top, bottom = min(row for row, _, _ in texts), max(row for row, _, _ in texts)
    left = min(column for _, column, _ in texts)
    lines: list[list[str]] = [[] for _ in range(top, bottom + 1)]
    for row, column, text in texts:
        line, start = lines[row - top], column - left
        line.extend(" " * (start + len(text) - len(line)))
        line[start : start + len(text)] = text
    return ["".join(line).rstrip() for line in lines]


def _ascii(text: str) -> str:
    """Text that every terminal shows: one line, and '?' for what ASCII does not have."""
    plain = text.encode("ascii", "replace").decode("ascii")
    return "".join(char if char.isprintable() else " " for char in plain)
