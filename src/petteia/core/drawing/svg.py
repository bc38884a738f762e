"""A view as a self-contained SVG picture, light or dark as the reader's screen is.

Owners have Okabe-Ito colours and, for eyes that do not tell these apart, a shape each and the
letters of the notation: the first player's pieces are round, the second player's square.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from petteia.core.drawing import (
    HEX_PITCH,
    flat_topped,
    pieces_by_cell,
    turned,
    with_regular_hexes,
)
from petteia.core.errors import PetteiaError
from petteia.core.view import Cell, Label, Piece, View

__all__ = ["board"]

_CELL = 60.0
"""Units of the drawing for one cell."""
_GAP = 2.0
"""Between neighbouring cells."""
_MARGIN = 18.0
_LABEL = 15.0
"""Distance of a label's centre from the board."""
_LINE = 36.0
"""Height of a line below the board."""
_NARROWEST = 240.0
_FONT = 17.0
_EM = 0.54
"""Estimated width of a letter in the usual faces, in parts of the font's size."""
_DIE = 31.0
"""From one die to the next."""
_DIE_HALF = 13.0
_TURN = 26.0
"""Room for the sign of the player to move."""

# The rules name colours directly and repeat them for dark screens: many programs that show or
# convert SVG know neither custom properties nor media queries, and get the light picture.
# Every rule is scoped, because a notebook puts the style of a picture into its whole page.
_LIGHT = {
    ".surface": "fill:#f8f6f1",
    ".cell": "fill:#ebe6da",
    ".cell.dark": "fill:#ddd6c6",
    ".cell.last": "fill:#bfe0cd",
    ".ring": "fill:none;stroke:#009e73",
    ".rosette": "fill:#c9a98f",
    ".label": "fill:#7d766a",
    ".status": "fill:#2f2c28",
    ".first": "fill:#e69f00;stroke:#a66f00",
    ".first.base": "fill:#a66f00",
    ".first.line": "fill:none;stroke:#7a5200",
    ".first.letter": "fill:#3d2900;stroke:none",
    ".second": "fill:#0072b2;stroke:#004a75",
    ".second.base": "fill:#004a75",
    ".second.line": "fill:none;stroke:#a9d8f5",
    ".second.letter": "fill:#fff;stroke:none",
    ".other": "fill:#8b8579;stroke:#5d584f",
    ".other.base": "fill:#5d584f",
    ".other.line": "fill:none;stroke:#fff",
    ".other.letter": "fill:#fff;stroke:none",
    ".count": "fill:#2f2c28;stroke:#f8f6f1",
    ".number": "fill:#fff",
    ".die": "fill:#fffdf8;stroke:#a39b8c",
    ".pip": "fill:#2f2c28",
}
_DARK = {
    ".surface": "fill:#1b1d20",
    ".cell": "fill:#33373d",
    ".cell.dark": "fill:#292c31",
    ".cell.last": "fill:#1f4a3d",
    ".ring": "fill:none;stroke:#2bc39a",
    ".rosette": "fill:#6f5c4e",
    ".label": "fill:#8d939b",
    ".status": "fill:#e8e6e1",
    ".second": "fill:#0072b2;stroke:#56b4e9",
    ".second.base": "fill:#3a97cf;stroke:#3a97cf",
    ".count": "fill:#f0eee9;stroke:#1b1d20",
    ".number": "fill:#1b1d20",
    ".die": "fill:#e8e6e1;stroke:#8d939b",
}
_SHAPE = (
    ".petteia-board text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;"
    "font-variant-numeric:tabular-nums;text-anchor:middle}"
    ".petteia-board .ring{stroke-width:3}"
    ".petteia-board .first,.petteia-board .second,.petteia-board .other,"
    ".petteia-board .die{stroke-width:1.5}"
    ".petteia-board .count{stroke-width:2}"
    ".petteia-board .letter{font-weight:600}"
    ".petteia-board .number{font-weight:700}"
    ".petteia-board text.status{text-anchor:start;font-weight:500}"
)


def _rules(colours: dict[str, str]) -> str:
    return "".join(f".petteia-board {name}{{{value}}}" for name, value in colours.items())


_STYLE = f"{_SHAPE}{_rules(_LIGHT)}@media (prefers-color-scheme:dark){{{_rules(_DARK)}}}"
_OWNERS = ("first", "second")


def board(view: View, *, flip: bool = False, size: int = 480) -> str:
    """The picture as an SVG document whose longer side is ``size`` pixels.

    ``flip`` shows the board from the other side. Cells and pieces carry their cell's name in
    ``data-cell``, and every layer is a group of its own.
    """
    if size < 1:
        raise PetteiaError(f"a picture of size {size} is not possible; at least 1 pixel")
    if flip:
        view = turned(view)
    view = with_regular_hexes(view)
    frame = _Frame.around(view)
    pieces = pieces_by_cell(view)
    flat = flat_topped(view.cells)

    surface = _tag(
        "rect", "surface", x=frame.left, y=frame.top, width=frame.width, height=frame.height, rx=14
    )
    cells, marked, standing = [], [], []
    for cell in view.cells:
        cells.append(_cell(cell, flat=flat, last=cell.id in view.last))
        if cell.id in view.last:
            marked.append(_ring(cell, flat=flat))
        if pieces[cell.id]:
            standing.append(_pieces(cell, pieces[cell.id]))
    labels = [_label(label, frame) for label in view.labels]
    layers = {
        "cells": cells,
        "last-move": marked,
        "pieces": standing,
        "labels": labels,
        "below": _below(view, frame),
    }
    drawn = "\n".join(
        f'<g class="{name}">\n' + "\n".join(parts) + "\n</g>"
        for name, parts in layers.items()
        if parts
    )
    scale = size / max(frame.width, frame.height)
    corner = f"{_n(frame.left)} {_n(frame.top)} {_n(frame.width)} {_n(frame.height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="petteia-board" role="img" '
        f'width="{_n(frame.width * scale)}" height="{_n(frame.height * scale)}" '
        f'viewBox="{corner}">\n'
        f"<title>{_escaped(view.status or view.game)}</title>\n"
        f"<style>{_STYLE}</style>\n{surface}\n{drawn}\n</svg>\n"
    )


# --- where things are ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Frame:
    """The box of the board, and around it the box of the whole picture, in drawing units."""

    board: tuple[float, float, float, float]
    """Left, top, right and bottom of the cells."""
    left: float
    top: float
    width: float
    height: float
    lines: int
    """How many lines stand below the board."""

    @classmethod
    def around(cls, view: View) -> _Frame:
        box = _box_of_cells(view.cells)
        xs = [label.at[0] * _CELL for label in view.labels]
        ys = [label.at[1] * _CELL for label in view.labels]
        left = box[0] - _margin(any(x < box[0] for x in xs))
        top = box[1] - _margin(any(y < box[1] for y in ys))
        right = box[2] + _margin(any(x > box[2] for x in xs))
        bottom = box[3] + _margin(any(y > box[3] for y in ys))
        missing = max(0.0, _NARROWEST - (right - left)) / 2
        left, right = left - missing, right + missing
        lines = 1 if view.status or view.dice else 0
        if view.status and view.dice:
            wanted = _TURN + _EM * _FONT * len(view.status) + _DIE * len(view.dice)
            lines = 1 if wanted <= box[2] - box[0] else 2
        bottom += lines * _LINE + (_MARGIN / 3 if lines else 0)
        return cls(box, left, top, right - left, bottom - top, lines)


def _margin(has_labels: bool) -> float:
    return 2 * _LABEL + 5 if has_labels else _MARGIN


def _box_of_cells(cells: Sequence[Cell]) -> tuple[float, float, float, float]:
    if not cells:
        return (0.0, 0.0, 0.0, 0.0)
    half = _CELL / 2
    corner = half / HEX_PITCH if any(cell.shape == "hex" for cell in cells) else half
    across, down = (corner, half) if flat_topped(cells) else (half, corner)
    xs = [cell.at[0] * _CELL for cell in cells]
    ys = [cell.at[1] * _CELL for cell in cells]
    return (min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down)


# --- the layers --------------------------------------------------------------------------------


def _cell(cell: Cell, *, flat: bool, last: bool) -> str:
    kind = "cell" + (" dark" if cell.mark == "dark" else "") + (" last" if last else "")
    drawn = _outline(cell, kind, flat=flat, inset=_GAP / 2)
    return drawn + _rosette(cell) if cell.mark == "rosette" else drawn


def _ring(cell: Cell, *, flat: bool) -> str:
    return _outline(cell, "ring", flat=flat, inset=_GAP / 2 + 1.5)


def _outline(cell: Cell, kind: str, *, flat: bool, inset: float) -> str:
    x, y = cell.at[0] * _CELL, cell.at[1] * _CELL
    if cell.shape == "hex":
        reach = (_CELL / 2 - inset) / HEX_PITCH
        turns = [(k + (0.0 if flat else 0.5)) * math.pi / 3 for k in range(6)]
        corners = [(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]
        return _tag("path", kind, cell=cell.id, d=_rounded(corners, 6 - inset / 2))
    side = _CELL - 2 * inset
    return _tag(
        "rect", kind, cell=cell.id, x=x - side / 2, y=y - side / 2, width=side, height=side,
        rx=8 - inset,
    )  # fmt: skip


def _rounded(corners: Sequence[tuple[float, float]], radius: float) -> str:
    """A closed path through the corners, each rounded off."""
    steps: list[str] = []
    for index, (x, y) in enumerate(corners):
        ends = []
        for nx, ny in (corners[index - 1], corners[(index + 1) % len(corners)]):
            share = radius / math.hypot(nx - x, ny - y)
            ends.append((x + (nx - x) * share, y + (ny - y) * share))
        (ax, ay), (bx, by) = ends
        verb = "L" if steps else "M"
        steps.append(f"{verb}{_n(ax)} {_n(ay)}Q{_n(x)} {_n(y)} {_n(bx)} {_n(by)}")
    return "".join(steps) + "Z"


def _rosette(cell: Cell) -> str:
    """Eight petals around an eye."""
    x, y = cell.at[0] * _CELL, cell.at[1] * _CELL
    petal = "M0 -7C6 -12 5 -20 0 -25C-5 -20 -6 -12 0 -7Z"
    petals = "".join(
        _tag("path", "rosette", d=petal, transform=f"translate({_n(x)} {_n(y)}) rotate({45 * k})")
        for k in range(8)
    )
    return petals + _tag("circle", "rosette", cx=x, cy=y, r=4)


def _pieces(cell: Cell, pieces: Sequence[Piece]) -> str:
    """The pieces of a cell side by side, smaller where there are several."""
    x, y = cell.at[0] * _CELL, cell.at[1] * _CELL
    scale = 1 if len(pieces) == 1 else 1.25 / len(pieces)
    drawn = []
    for index, piece in enumerate(pieces):
        aside = (index - (len(pieces) - 1) / 2) * _CELL * 0.86 / len(pieces)
        owner = _OWNERS[piece.owner] if piece.owner in (0, 1) else "other"
        drawn.append(
            f'<g data-cell="{_escaped(cell.id)}" data-owner="{piece.owner}" '
            f'data-kind="{_escaped(piece.kind)}" '
            f'transform="translate({_n(x + aside)} {_n(y)}) scale({_n(scale)})">'
            f"{_piece(piece, owner)}</g>"
        )
    return "".join(drawn)


def _piece(piece: Piece, owner: str) -> str:
    """A piece around the origin: thickness below, a face, the letter, and a count for a stack."""
    below = min(piece.count, 3) - 1
    bottom, top = 2.0 * below - 1, -2.0 * below - 1
    parts = [_body(owner, f"{owner} base", dy=bottom + 2.5)]
    parts += [_body(owner, owner, dy=bottom - 4.0 * level) for level in range(below + 1)]
    if piece.kind != "man":
        parts.append(_body(owner, f"{owner} line", dy=top, shrink=4.5))
    if piece.letter:
        font = 19 if len(piece.letter) < 2 else 14
        parts.append(_text(piece.letter, f"{owner} letter", 0, top, font))
    if piece.count > 1:
        font = 13 if piece.count < 10 else 11
        parts.append(_tag("circle", "count", cx=18, cy=top + 17, r=10))
        parts.append(_text(str(piece.count), "number", 18, top + 17, font))
    return "".join(parts)


def _body(owner: str, kind: str, *, dy: float, shrink: float = 0) -> str:
    """The outline of a piece: round for the first player, square for the second."""
    if owner == "second":
        half = 19.0 - shrink
        return _tag(
            "rect", kind, x=-half, y=dy - half, width=2 * half, height=2 * half, rx=10 - shrink / 2
        )
    return _tag("circle", kind, cx=0, cy=dy, r=21 - shrink)


def _label(label: Label, frame: _Frame) -> str:
    """A word beside the board, drawn up to its edge."""
    left, top, right, bottom = frame.board
    x = min(max(label.at[0] * _CELL, left - _LABEL), right + _LABEL)
    y = min(max(label.at[1] * _CELL, top - _LABEL), bottom + _LABEL)
    return _text(label.text, "label", x, y, 15)


def _below(view: View, frame: _Frame) -> list[str]:
    """Below the board: whose turn it is, the status, and the dice."""
    left, _, right, _ = frame.board
    if right - left < _NARROWEST / 2:
        left = frame.left + _MARGIN
    right = max(right, frame.left + frame.width - _MARGIN)
    y = frame.top + frame.height - _MARGIN / 3 - _LINE / 2
    across = _DIE * len(view.dice)
    start = left if frame.lines > 1 or not view.status else right - across + _DIE - 2 * _DIE_HALF
    parts = [
        _die(value, start + _DIE_HALF + _DIE * index, y) for index, value in enumerate(view.dice)
    ]
    if frame.lines > 1:
        y -= _LINE
    elif view.dice:
        right -= across
    if view.mover in (0, 1):
        owner = _OWNERS[view.mover]
        sign = _body(owner, owner, dy=0)
        parts.append(f'<g transform="translate({_n(left + 9)} {_n(y)}) scale(0.42)">{sign}</g>')
        left += _TURN
    if view.status:
        font = min(_FONT, max(0.7 * _FONT, (right - left) / (_EM * len(view.status))))
        most = max(1, int((right - left) / (_EM * font)))
        whole = len(view.status) <= most
        shown = view.status if whole else view.status[: most - 1].rstrip() + "…"
        parts.append(_text(shown, "status", left, y, font))
    return parts


def _die(value: int, x: float, y: float) -> str:
    """A die with pips; a number where there are more than six."""
    half = _DIE_HALF
    face = _tag("rect", "die", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=6)
    if not 0 <= value <= 6:
        return face + _text(str(value), "pip", x, y, 14)
    middle = [(0, 0)] if value % 2 else []
    corners = [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)][: value - value % 2]
    return face + "".join(
        _tag("circle", "pip", cx=x + 6.5 * dx, cy=y + 6.5 * dy, r=2.6)
        for dx, dy in middle + corners
    )


# --- XML ---------------------------------------------------------------------------------------

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _escaped(text: str) -> str:
    """Text for XML; characters that XML cannot hold become a replacement sign."""
    return html.escape(_FORBIDDEN.sub("\ufffd", text))


def _n(value: float) -> str:
    """A number in at most two decimals, and never a minus before a zero."""
    return f"{round(value, 2) + 0.0:.12g}"


def _tag(name: str, kind: str, *, cell: str | None = None, **attributes: float | str) -> str:
    """An element without content."""
    parts = [f'<{name} class="{kind}"']
    if cell is not None:
        parts.append(f'data-cell="{_escaped(cell)}"')
    for key, value in attributes.items():
        text = value if isinstance(value, str) else _n(value)
        parts.append(f'{key.replace("_", "-")}="{text}"')
    return " ".join(parts) + "/>"


def _text(text: str, kind: str, x: float, y: float, font: float) -> str:
    """Words whose middle line is at ``y``; no converter is trusted with baselines."""
    return (
        f'<text class="{kind}" x="{_n(x)}" y="{_n(y + 0.35 * font)}" '
        f'font-size="{_n(font)}">{_escaped(text)}</text>'
    )
