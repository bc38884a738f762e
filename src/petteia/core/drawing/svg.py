"""A view as a self-contained SVG picture, light or dark as the reader's screen is.

It is the scene that the laboratory shows, written as a document, with the status below, and the
dice unless they lie on the board. Owners have colours and, for eyes that do not tell these apart, a
shape each: the first player's pieces are round, the second player's square.
"""

from __future__ import annotations

import html
import re

from petteia.core.drawing.scene import Placed, Primitive, Scene, Symbol, body, die, scene
from petteia.core.drawing.style import document_style
from petteia.core.errors import PetteiaError
from petteia.core.view import View

__all__ = ["board"]

_NARROWEST = 240.0
_LINE = 36.0
"""Height of a line below the board; the sizes here are those of a board 520 units wide."""
_USUAL = 520.0
_FONT = 17.0
_EM = 0.54
"""Estimated width of a letter in the usual faces, in parts of the font's size."""
_DIE = 31.0
"""From one die to the next."""
_TURN = 26.0
"""Room for the sign of the player to move."""
_EDGE = 14.0
"""Room left and right of the lines below the board."""


def board(view: View, *, flip: bool = False, size: int = 480) -> str:
    """The picture as an SVG document whose longer side is ``size`` pixels.

    ``flip`` shows the board from the other side. Cells and pieces carry their cell's name in
    ``data-cell``, and every layer is a group of its own.
    """
    if size < 1:
        raise PetteiaError(f"a picture of size {size} is not possible; at least 1 pixel")
    drawn = scene(view, flip=flip)
    left, top, width, height = drawn.box
    wider = max(0.0, _NARROWEST - width)
    left, width = left - wider / 2, width + wider
    below, taken = _below(view, left, top + height, width)
    height += taken
    sheet: dict[str, float | str] = {"x": left, "y": top, "width": width, "height": height}
    paper: Primitive = ("rect", {"class": "paper", **sheet, "rx": 14}, None)
    last = [cell for cell in drawn.cells if cell.name in view.last]
    layers = {
        "cells": [_cell(cell, drawn, last=cell in last) for cell in drawn.cells],
        "last-move": [_ring(cell, drawn.symbols[cell.symbol]) for cell in last],
        "pieces": [_piece(piece, drawn) for piece in drawn.pieces],
        "labels": [
            _group(drawn.symbols[label.symbol], label, text=label.name) for label in drawn.labels
        ],
        "props": [_group(drawn.symbols[prop.symbol], prop) for prop in drawn.props],
        "below": below,
    }
    groups = "\n".join(
        f'<g class="{name}">\n' + "\n".join(parts) + "\n</g>"
        for name, parts in layers.items()
        if parts
    )
    scale = size / max(width, height)
    kind, style = document_style(tuple(view.players))
    box = " ".join(_n(value) for value in (left, top, width, height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" '
        f'width="{_n(width * scale)}" height="{_n(height * scale)}" viewBox="{box}">\n'
        f"<title>{_escaped(view.status or view.game)}</title>\n"
        f"<style>{style}</style>\n"
        f"{_element(paper)}\n{_element(drawn.board)}\n{groups}\n</svg>\n"
    )


# --- the layers ----------------------------------------------------------------------------------


def _cell(cell: Placed, drawn: Scene, *, last: bool) -> str:
    symbol, kind = drawn.symbols[cell.symbol], "last" if last else ""
    return _group(symbol, cell, kind, text=cell.name, data_cell=cell.name)


def _ring(cell: Placed, symbol: Symbol) -> str:
    return _group(Symbol("last", (symbol.ring,) if symbol.ring else ()), cell, data_cell=cell.name)


def _piece(piece: Placed, drawn: Scene) -> str:
    symbol = drawn.symbols[piece.symbol]
    badge = drawn.symbols["badge"].parts if piece.count else ()
    data = (
        {"data_owner": str(piece.piece.owner), "data_kind": piece.piece.kind} if piece.piece else {}
    )
    return _group(
        Symbol(symbol.kind, symbol.parts + badge), piece, text=str(piece.count),
        data_cell=piece.name, **data,
    )  # fmt: skip


def _below(view: View, left: float, top: float, width: float) -> tuple[list[str], float]:
    """Below the board: whose turn it is, the status, and the dice; and the height of it all."""
    unit = max(1.0, width / _USUAL)
    room = width / unit - 2 * _EDGE
    thrown = () if view.dice_at else view.dice
    dice = _DIE * len(thrown)
    words = (_TURN if view.mover in (0, 1) else 0) + _EM * _FONT * len(view.status)
    lines = 2 if view.status and dice and words + dice > room else int(bool(view.status or dice))
    if not lines:
        return [], 0.0

    def put(symbol: Symbol, x: float, line: int, scale: float = 1.0, text: str = "") -> str:
        at = (left + unit * (_EDGE + x), top + unit * _LINE * (line + 0.4))
        return _group(symbol, Placed("", at, scale=scale * unit), text=text)

    start = 0.0 if lines == 2 or not view.status else room - dice
    parts = [
        put(die(value), start + _DIE * (index + 0.45), lines - 1)
        for index, value in enumerate(thrown)
    ]
    x = 0.0
    if view.mover in (0, 1):
        parts.append(put(Symbol(f"p{view.mover}", (body(view.mover, "body"),)), 9, 0, scale=0.42))
        x = _TURN
    if view.status:
        wide = room - x - (dice if lines == 1 else 0)
        font = min(_FONT, max(0.7 * _FONT, wide / (_EM * len(view.status))))
        most = max(1, int(wide / (_EM * font)))
        whole = len(view.status) <= most
        shown = view.status if whole else view.status[: most - 1].rstrip() + "…"
        text: Primitive = ("text", {"class": "status", "y": 0.35 * font, "font-size": font}, shown)
        parts.append(put(Symbol("line", (text,)), x, 0))
    return parts, unit * _LINE * lines


# --- XML -----------------------------------------------------------------------------------------

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _escaped(text: str) -> str:
    """Text for XML; characters that XML cannot hold become a replacement sign."""
    return html.escape(_FORBIDDEN.sub("\ufffd", text))


def _n(value: float) -> str:
    """A number in at most two decimals, and never a minus before a zero."""
    return f"{round(value, 2) + 0.0:.12g}"


def _group(symbol: Symbol, at: Placed, more: str = "", *, text: str = "", **data: str) -> str:
    """A symbol at a place."""
    kind = f"{symbol.kind} {more}".strip()
    known = "".join(f' {name.replace("_", "-")}="{_escaped(data[name])}"' for name in data)
    move = f"translate({_n(at.at[0])} {_n(at.at[1])})"
    move += f" scale({_n(at.scale)})" if at.scale != 1 else ""
    inside = "".join(_element(part, text) for part in symbol.parts)
    return f'<g class="{_escaped(kind)}"{known} transform="{move}">{inside}</g>'


def _element(part: Primitive, text: str = "") -> str:
    """A primitive; ``text`` stands where it leaves its text to the place."""
    tag, attributes, own = part
    known = "".join(
        f' {name}="{value if isinstance(value, str) else _n(value)}"'
        for name, value in attributes.items()
    )
    if tag != "text":
        return f"<{tag}{known}/>"
    return f"<text{known}>{_escaped(text if own is None else own)}</text>"
