"""A view laid out for drawing: what the laboratory's boards and SVG documents both show.

A scene has a box, places, and *symbols*: small lists of SVG primitives around the origin, each
given once. Everything that needs geometry is computed here, for both sides of the board; who
draws a scene only puts its symbols at their places. Colours come from ``board.css``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from petteia.core.drawing import HEX_PITCH, flat_topped, pieces_by_cell, turned, with_regular_hexes
from petteia.core.view import Cell, Cube, Label, Piece, View

__all__ = ["Placed", "Primitive", "Scene", "Symbol", "body", "die", "scene", "scene_json"]

_CELL = 60.0
"""Units of the drawing for one cell."""
_HALF = _CELL / 2
_TALL = 5.0
"""How many pieces high a point of backgammon is, and so whatever stands beside it."""
_PITCH = 3.1
"""From one row of tall cells to the next, in cells."""
_INSET = 1.0
"""From the edge of a cell to its face."""
_RING = 3.2
"""From the edge of a cell to the middle of the line that marks it."""
_MOST = 20
"""Pieces of a heap that are drawn; more would hide each other."""
_PROP = 1.5
"""Size of dice and cube on a board, compared with those beside it."""
_MARGIN = 10.0
_CORNER = 22.0
"""From the middle of a cell to that of its name, across and down: beside a piece, not under it."""
_LABEL = 18.0
"""Distance of a label's centre from the cells, at least."""
_LETTER = 0.6
"""Width of a letter in a label, compared with its height."""

Point = tuple[float, float]
Primitive = tuple[str, dict[str, float | str], str | None]
"""An element: its tag, its attributes, and its text. A text that is None is the place's own."""


@dataclass(frozen=True)
class Symbol:
    """What stands at a place, around the origin."""

    kind: str
    """The classes of its group."""
    parts: tuple[Primitive, ...]
    ring: Primitive | None = None
    """For a cell: the line that marks it."""
    slots: tuple[Point, ...] = ()
    """For a cell: where its first piece stands, its second, and so on; later ones at the last."""


@dataclass(frozen=True)
class Placed:
    """A symbol at a place."""

    symbol: str
    at: Point
    name: str = ""
    """The cell that it is or stands on; for a label its text."""
    scale: float = 1.0
    piece: Piece | None = None
    count: int = 0
    """For the top of a heap: how many pieces it has, 0 if that is plain to see."""


@dataclass
class Scene:
    """A view from one side of the board, in layers."""

    box: tuple[float, float, float, float]
    """Left, top, width and height, labels included."""
    board: Primitive
    """The ground on which the cells lie."""
    symbols: dict[str, Symbol]
    cells: list[Placed] = field(default_factory=list)
    pieces: list[Placed] = field(default_factory=list)
    labels: list[Placed] = field(default_factory=list)
    props: list[Placed] = field(default_factory=list)
    """What else lies on the board: dice, a cube."""
    tall: bool = False
    """Whether pieces are laid out in columns; else they lie on each other."""

    @property
    def counted(self) -> int:
        """How many pieces a heap has that shows their number."""
        return 1 + int(_TALL) if self.tall else 2


def scene(view: View, *, flip: bool = False) -> Scene:
    """The view as it is drawn; ``flip`` shows it from the other side."""
    standing = pieces_by_cell(view)
    cells = tuple((cell.id, *cell.at, cell.shape, cell.mark, cell.named) for cell in view.cells)
    named = any(cell.named for cell in view.cells)
    labels = () if named else tuple((label.text, *label.at) for label in view.labels)
    bare = _bare(cells, labels, flip)
    found = replace(bare, symbols=dict(bare.symbols), pieces=[])
    for cell in bare.cells:
        slots = bare.symbols[cell.symbol].slots
        found.pieces += _pieces(standing[cell.name], cell.at, slots, found)
    found.props = list(_props(view, found, flip=flip))
    return found


def _props(view: View, found: Scene, *, flip: bool) -> Iterator[Placed]:
    """The dice and the cube, where they lie on the board."""
    xs, ys = [cell.at[0] for cell in view.cells], [cell.at[1] for cell in view.cells]

    def place(at: Point) -> Point:
        x, y = (min(xs) + max(xs) - at[0], min(ys) + max(ys) - at[1]) if flip else at
        return (_round(x * _CELL), _round(y * _CELL * (_PITCH if found.tall else 1.0)))

    if view.dice_at is not None:
        x, y = place(view.dice_at)
        for index, value in enumerate(view.dice):
            found.symbols[f"die {value}"] = die(value)
            aside = (index - (len(view.dice) - 1) / 2) * _CELL
            yield Placed(f"die {value}", (_round(x + aside), y), "die", _PROP)
    if view.cube is not None:
        name = f"cube {view.cube.value}"
        found.symbols[name] = _cube(view.cube)
        yield Placed(name, place(view.cube.at), "cube", _PROP)


@lru_cache(maxsize=64)
def _bare(
    cells: tuple[tuple[str, float, float, str, str, bool], ...],
    labels: tuple[tuple[str, float, float], ...],
    flip: bool,
) -> Scene:
    """A board without pieces; it is the same in every position of most games."""
    view = View(
        "",
        (0, 0),
        tuple(Cell(name, (x, y), shape, mark, named) for name, x, y, shape, mark, named in cells),
        (),
        tuple(Label(text, (x, y)) for text, x, y in labels),
    )
    view = with_regular_hexes(turned(view) if flip else view)
    layout = _Layout(view.cells)
    west, north, east, south = layout.edges
    words = [(label.text, *layout.place(label)) for label in view.labels]
    size = 22 if layout.tall else 15
    left = west - _margin(_long(text, size) for text, x, _ in words if x < west)
    top = north - _margin(0 for _, _, y in words if y < north)
    width = east + _margin(_long(text, size) for text, x, _ in words if x > east) - left
    height = south + _margin(0 for _, _, y in words if y > south) - top
    symbols = {"badge": _badge(layout.tall)}
    found = Scene((left, top, width, height), layout.ground(), symbols, tall=layout.tall)
    for cell in view.cells:
        name = layout.name(cell)
        if name not in symbols:
            symbols[name] = layout.cell(cell)
        found.cells.append(Placed(name, layout.place(cell), cell.id))
    if words:
        symbols["label"] = Symbol("word", (_text("label", size),))
    for text, x, y in words:
        away = max(_LABEL, _long(text, size) / 2 + 8)
        beside = (
            _round(min(max(x, west - away), east + away)),
            min(max(y, north - _LABEL), south + _LABEL),
        )
        found.labels.append(Placed("label", beside, text))
    return found


def scene_json(view: View) -> dict[str, Any]:
    """Both sides of a view as JSON-ready data; places are short lists to keep it small."""
    sides = [scene(view), scene(view, flip=True)]
    symbols = sides[0].symbols | sides[1].symbols
    symbols |= {f"die {value}": die(value) for value in view.dice}
    return {
        "symbols": {
            name: {
                "kind": each.kind,
                "parts": each.parts,
                **({"ring": each.ring, "slots": each.slots} if each.ring else {}),
            }
            for name, each in symbols.items()
        },
        "tall": sides[0].tall,
        "counted": sides[0].counted,
        "sides": [
            {
                "box": each.box,
                "board": each.board,
                "cells": [(cell.symbol, *cell.at, cell.name) for cell in each.cells],
                "pieces": [
                    (piece.symbol, *piece.at, piece.name, piece.scale, piece.count)
                    for piece in each.pieces
                ],
                "labels": [(label.symbol, *label.at, label.name) for label in each.labels],
                "props": [(x.symbol, *x.at, x.name, x.scale) for x in each.props],
            }
            for each in sides
        ],
    }


def _long(text: str, size: float) -> float:
    """About how long a word is; nobody who draws it has to measure it first."""
    return _LETTER * size * len(text)


def _margin(lengths: Iterable[float]) -> float:
    """Room for the words on a side of the board, whose lengths across it are given."""
    return max((max(32.0, length + 14) for length in lengths), default=_MARGIN)


# --- cells ---------------------------------------------------------------------------------------


class _Layout:
    """Where the cells of a board lie, and their shapes."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.tall = any(cell.shape in ("up", "down") for cell in cells)
        self.flat = flat_topped(cells)
        rows = [self.place(cell)[1] for cell in cells] or [0.0]
        self.middle = (min(rows) + max(rows)) / 2
        corners = [
            (x + dx, y + dy)
            for cell in cells
            for x, y in [self.place(cell)]
            for dx, dy in self._corners(cell, 0.0)
        ] or [(0.0, 0.0)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        self.edges = (min(xs), min(ys), max(xs), max(ys))
        self.hull = _hull(corners)

    def place(self, thing: Cell | Label) -> Point:
        x, y = thing.at
        return (_round(x * _CELL), _round(y * _CELL * (_PITCH if self.tall else 1.0)))

    def ground(self) -> Primitive:
        """The smallest board without dents that holds all cells, and a rim around it."""
        kind = "felt tall" if self.tall else "felt"
        return _part("path", kind, d=_closed(self.hull))

    def name(self, cell: Cell) -> str:
        """The name of a cell's symbol; pieces on tall cells are heaped from the nearer edge."""
        name = f"cell {cell.shape}/{cell.mark}{' named' if cell.named else ''}"
        return f"{name} {'below' if self._way(cell) > 0 else 'above'}" if self.tall else name

    def _way(self, cell: Cell) -> int:
        return 1 if self.place(cell)[1] > self.middle else -1

    def cell(self, cell: Cell) -> Symbol:
        kind = " ".join(["cell", *(["tall"] if self.tall else []), cell.shape, cell.mark]).strip()
        face, ring = (
            self._outline(cell, name, inset) for name, inset in (("face", _INSET), ("ring", _RING))
        )
        parts = [face, *(_rosette() if cell.mark == "rosette" else ())]
        if cell.named:
            parts.append(_text("name", 10, x=-_CORNER, y=-_CORNER))
        if self.tall:
            foot = _TALL * _HALF - 26
            heights = [foot - 46 * min(level, 4.6) for level in range(6)]
            slots = tuple((0.0, _round(self._way(cell) * height)) for height in heights)
        else:
            slots = ((0.0, 0.0), (0.0, -4.0), (0.0, -8.0))
        return Symbol(kind, tuple(parts), ring, slots)

    def _outline(self, cell: Cell, kind: str, inset: float) -> Primitive:
        """The outline of a cell around the origin."""
        if cell.shape == "circle":
            return _part("circle", kind, r=_HALF - inset)
        corners = self._corners(cell, inset)
        if cell.shape == "hex":
            return _part("path", kind, d=_rounded(corners, 7))
        if cell.shape in ("up", "down"):
            return _part("path", kind, d=_closed(corners))
        (left, top), _, (right, bottom), _ = corners
        return _part("rect", kind, x=left, y=top, width=right - left, height=bottom - top, rx=5)

    def _corners(self, cell: Cell, inset: float) -> list[Point]:
        if cell.shape == "hex":
            reach = (_HALF - inset) / HEX_PITCH
            turns = [(k + (0.0 if self.flat else 0.5)) * math.pi / 3 for k in range(6)]
            return [(reach * math.cos(turn), reach * math.sin(turn)) for turn in turns]
        across, down = _HALF - inset, (_TALL if self.tall else 1.0) * _HALF - inset
        if cell.shape in ("up", "down"):
            # The foot is on the edge of the board, the tip towards the middle.
            foot = down if cell.shape == "up" else -down
            return [(-across, foot), (across, foot), (0.0, -0.92 * foot)]
        top, bottom = -down, down
        if self.tall:  # the bar reaches from edge to edge
            to_middle = self.middle - self.place(cell)[1]
            top, bottom = min(top, to_middle), max(bottom, to_middle)
        return [(-across, top), (across, top), (across, bottom), (-across, bottom)]


def _hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted({(_round(x), _round(y)) for x, y in points})
    found: list[Point] = []
    for chain in (ordered, ordered[::-1]):
        half: list[Point] = []
        for x, y in chain:
            while len(half) > 1:
                (ax, ay), (bx, by) = half[-2:]
                # Corners that hardly stick out are those of cells in one straight row.
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1:
                    break
                half.pop()
            half.append((x, y))
        found += half[:-1]
    return found or ordered


def _closed(corners: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_round(x)} {_round(y)}" for x, y in corners) + "Z"


def _rounded(corners: Sequence[Point], radius: float) -> str:
    """A closed path through the corners, each rounded off."""
    steps: list[str] = []
    for index, (x, y) in enumerate(corners):
        ends = []
        for nx, ny in (corners[index - 1], corners[(index + 1) % len(corners)]):
            share = radius / math.hypot(nx - x, ny - y)
            ends.append(f"{_round(x + (nx - x) * share)} {_round(y + (ny - y) * share)}")
        verb = "L" if steps else "M"
        steps.append(f"{verb}{ends[0]}Q{_round(x)} {_round(y)} {ends[1]}")
    return "".join(steps) + "Z"


def _rosette() -> list[Primitive]:
    """Eight petals around an eye."""
    petal = "M0 -6C6.5 -11 5.5 -20 0 -25C-5.5 -20 -6.5 -11 0 -6Z"
    petals = [_part("path", "rosette", d=petal, transform=f"rotate({45 * k})") for k in range(8)]
    return [*petals, _part("circle", "rosette", r=4.5)]


# --- pieces --------------------------------------------------------------------------------------


def _pieces(
    pieces: Sequence[Piece], at: Point, slots: Sequence[Point], found: Scene
) -> list[Placed]:
    """The pieces of a cell: a heap of one player's, smaller heaps side by side of several."""
    placed = []
    scale = 1.0 if len(pieces) < 2 else _round(1.25 / len(pieces))
    for index, piece in enumerate(pieces):
        name = f"p{piece.owner} {piece.kind} {piece.letter}"
        if name not in found.symbols:
            found.symbols[name] = Symbol(f"piece p{piece.owner}", _figure(piece))
        aside = (index - (len(pieces) - 1) / 2) * _CELL * 0.86 / len(pieces)
        levels = min(piece.count, _MOST)
        for level in range(levels):
            x, y = slots[min(level, len(slots) - 1)]
            spot = (_round(at[0] + aside + scale * x), _round(at[1] + scale * y))
            number = piece.count if levels == level + 1 >= found.counted else 0
            placed.append(Placed(name, spot, piece.cell, scale, piece, number))
    return placed


def _figure(piece: Piece) -> tuple[Primitive, ...]:
    """One piece. Kings wear a crown; a letter tells what neither colour nor shape does."""
    outline = _card if piece.kind == "card" else partial(body, piece.owner)
    parts = [outline("base", dy=3), outline("body"), outline("rim", shrink=5)]
    if piece.kind == "king":
        parts.append(_part("path", "crown", d="M-10 7L-12 -6L-5 0L0 -10L5 0L12 -6L10 7Z"))
    elif piece.kind != "man" or len(piece.letter) > 1 or piece.owner not in (0, 1):
        size = 20 if len(piece.letter) == 1 else 15
        parts.append(_text("letter", size, text=piece.letter.upper()))
    return tuple(parts)


def body(owner: int, kind: str, *, shrink: float = 0, dy: float = 0) -> Primitive:
    """The outline of a piece: square for the second player, round for all others."""
    if owner == 1:
        half = 19 - shrink
        return _part(
            "rect", kind, x=-half, y=dy - half, width=2 * half, height=2 * half, rx=9 - shrink / 2
        )
    return _part("circle", kind, cy=dy, r=21 - shrink)


def _card(kind: str, *, shrink: float = 0, dy: float = 0) -> Primitive:
    """The outline of a card."""
    across, down = 17 - shrink, 23 - shrink
    return _part(
        "rect", kind, x=-across, y=dy - down, width=2 * across, height=2 * down, rx=5 - shrink / 2
    )


def _badge(tall: bool) -> Symbol:
    """The number of a heap: on the piece itself, or in its corner where it lies flat."""
    if tall:
        return Symbol("badge", (_text("letter", 19),))
    disc = _part("circle", "count", cx=17, cy=15, r=10.5)
    return Symbol("badge", (disc, _text("number", 13, x=17, y=15)))


def die(value: int) -> Symbol:
    """A die with pips; a number where there are more than six."""
    face = _part("rect", "die-face", x=-13, y=-13, width=26, height=26, rx=6)
    if not 0 <= value <= 6:
        return Symbol("die", (face, _text("pip", 14, text=str(value))))
    spots = [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)][: value - value % 2]
    spots += [(0, 0)] * (value % 2)
    pips = [_part("circle", "pip", cx=6.5 * x, cy=6.5 * y, r=2.7) for x, y in spots]
    return Symbol("die", (face, *pips))


def _cube(cube: Cube) -> Symbol:
    """A doubling cube with its number."""
    face = _part("rect", "cube-face", x=-15, y=-15, width=30, height=30, rx=5)
    size = 18 if cube.value < 100 else 13
    kind = "cube offered" if cube.offered else "cube"
    return Symbol(kind, (face, _text("cube-number", size, text=str(cube.value))))


# --- primitives ----------------------------------------------------------------------------------


def _part(tag: str, kind: str, **attributes: float | str) -> Primitive:
    return (tag, {"class": kind, **attributes}, None)


def _text(
    kind: str, size: float, *, text: str | None = None, x: float = 0, y: float = 0
) -> Primitive:
    """Words whose middle line is at ``y``; no converter is trusted with baselines."""
    at = {"x": x} if x else {}
    return ("text", {"class": kind, **at, "y": _round(y + 0.35 * size), "font-size": size}, text)


def _round(value: float) -> float:
    """At most two decimals, none of a whole number, and never a minus before a zero."""
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded
