"""A view: the picture of a position as plain data.

A board is a list of cells, pieces stand on cells, moves are paths over cells. The terminal, the
SVG file, the notebook and the browser all draw the same view, so a new game brings only cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Action", "Cell", "Cube", "Label", "Piece", "View", "view_of_rows"]


@dataclass(frozen=True)
class Cell:
    """A place on which pieces can stand."""

    id: str
    """Its name in notation."""
    at: tuple[float, float]
    """Its centre, in cells from the left and from the top."""
    shape: str = "square"
    """How it is drawn: square, hex, a backgammon point that stands (``up``) or hangs (``down``),
    or a game's own."""
    mark: str = ""
    """What makes it special, such as ``rosette`` or ``dark``."""
    named: bool = False
    """Whether its name is drawn in its corner; then the labels beside the board are for text."""


@dataclass(frozen=True)
class Piece:
    """One or more pieces of a player on a cell."""

    cell: str
    owner: int
    letter: str
    """The sign that stands for it where there are no colours."""
    kind: str = "man"
    count: int = 1


@dataclass(frozen=True)
class Label:
    """A word beside the board."""

    text: str
    at: tuple[float, float]


@dataclass(frozen=True)
class Action:
    """A legal move."""

    move: str
    """The move in notation."""
    path: tuple[str, ...] = ()
    """The cells that it passes, from the first to the last."""
    captures: tuple[str, ...] = ()
    """The cells whose pieces it takes."""
    parts: tuple[tuple[str, ...], ...] = ()
    """The way of each piece, where a move is made of several; ``path`` is then all of them."""
    player: int | None = None
    """Whose move it is, where both choose at the same time."""


@dataclass(frozen=True)
class Cube:
    """A doubling cube."""

    value: int
    """The number that it shows."""
    at: tuple[float, float]
    """Its centre, in cells from the left and from the top."""
    offered: bool = False
    """Whether somebody has to take it or to drop."""


@dataclass(frozen=True)
class View:
    """A picture of a position."""

    game: str
    size: tuple[float, float]
    """Width and height in cells."""
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    labels: tuple[Label, ...] = ()
    players: tuple[str, ...] = ()
    """What the players are called; pieces of those named after a colour have it."""
    mover: int | None = None
    dice: tuple[int, ...] = ()
    dice_at: tuple[float, float] | None = None
    """Where the dice lie, if that is on the board: their middle, in cells."""
    cube: Cube | None = None
    status: str = ""
    actions: tuple[Action, ...] = ()
    last: tuple[str, ...] = ()
    """The cells of the last move."""
    tracks: tuple[tuple[str, ...], ...] = ()
    """For each player the cells that pieces go along, from the first to the last, if all go the
    same way."""
    tallies: tuple[str, ...] = ()
    """What to say beside each player's name, such as the throws that are left."""
    forced: str = ""
    """The rule that leaves only some of the moves here, for a player who tries another."""

    def with_last(self, path: Sequence[str]) -> View:
        """The same picture with the last move marked."""
        return replace(self, last=tuple(path))

    def path(self, *texts: str) -> tuple[str, ...]:
        """The cells that a move passes, or the moves of both; none where they are not drawn."""
        found: tuple[str, ...] = ()
        for player, text in enumerate(texts):
            whose = (None, player) if len(texts) == 2 else (None, 0, 1)
            ways = (a.path for a in self.actions if a.move == text and a.player in whose)
            found += next(ways, ())
        return found

    def as_json(self) -> dict[str, Any]:
        """The view as JSON-ready data."""
        # Not ``asdict``, which copies every value and takes four times as long.
        parts = ("cells", "pieces", "labels", "actions")
        cube = None if self.cube is None else vars(self.cube)
        lists = {name: [vars(x) for x in getattr(self, name)] for name in parts}
        return {**vars(self), **lists, "cube": cube}


def view_of_rows(
    rows: Sequence[str],
    letters: str,
    *,
    game: str,
    players: tuple[str, ...] = (),
    status: str,
    mover: int | None,
    actions: tuple[Action, ...],
) -> View:
    """The view of a square board given as rows of text, top row first, '.' for an empty cell.

    Cells are named as in chess: columns a, b, c from the left, rows 1, 2, 3 from the bottom. A move
    without a path whose text is made of such names, as c3 or a2-a4, passes these cells.
    """
    height, width = len(rows), max((len(row) for row in rows), default=0)
    cells, pieces = [], []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            name = f"{chr(97 + x)}{height - y}"
            cells.append(Cell(name, (x, y), mark="dark" if (x + height - y) % 2 else ""))
            if letter != ".":
                pieces.append(Piece(name, letters.index(letter), letter))
    labels = [Label(chr(97 + x), (x, height)) for x in range(width)]
    labels += [Label(str(height - y), (-1, y)) for y in range(height)]
    return View(
        game=game, size=(width, height), cells=tuple(cells), pieces=tuple(pieces),
        labels=tuple(labels), players=players, mover=mover, status=status,
        actions=tuple(_with_path(each, {cell.id for cell in cells}) for each in actions),
    )  # fmt: skip


def _with_path(action: Action, cells: Iterable[str]) -> Action:
    """A move with the cells that its text names, if it is made of names of cells only."""
    named = re.findall(r"[a-z][0-9]+", action.move)
    rest = re.sub(r"[a-z][0-9]+|[-x]", "", action.move)
    if action.path or rest or not named or not all(name in cells for name in named):
        return action
    return replace(action, path=tuple(named))
