"""The picture of a position, as the page gets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

__all__ = [
    "Action", "Cell", "Cube", "Label", "Outcome", "Piece", "Primitive", "Scene", "SceneSide",
    "Sign", "View",
]  # fmt: skip


class Cell(TypedDict):
    """A place on which pieces can stand; see ``core.view``."""

    id: str
    at: tuple[float, float]
    shape: str
    mark: str
    named: bool


class Piece(TypedDict):
    """One or more pieces of a player on a cell."""

    cell: str
    owner: int
    letter: str
    kind: str
    count: int


class Label(TypedDict):
    """A word beside the board."""

    text: str
    at: tuple[float, float]


class Action(TypedDict):
    """A legal move as a path over cells."""

    move: str
    path: Sequence[str]
    captures: Sequence[str]
    parts: Sequence[Sequence[str]]
    player: int | None


class Outcome(TypedDict):
    """A throw of the dice, and how likely it is."""

    text: str
    chance: float


class Cube(TypedDict):
    """A doubling cube, and whether somebody has to take it or to drop."""

    value: int
    at: tuple[float, float]
    offered: bool


Primitive = tuple[str, dict[str, float | str], str | None]
"""An SVG element: its tag, its attributes, and its text; without a text it shows what its place
says."""


class Sign(TypedDict):
    """What stands at a place; on a cell pieces stand in its slots, the later ones in the last."""

    kind: str
    parts: Sequence[Primitive]
    ring: NotRequired[Primitive]
    slots: NotRequired[Sequence[tuple[float, float]]]


class SceneSide(TypedDict):
    """What stands where, seen from one side of the board: the symbol, its place, its cell or text;
    for pieces also how large, and the number that one shows."""

    box: Sequence[float]
    board: Primitive
    cells: list[tuple[str, float, float, str]]
    pieces: list[tuple[str, float, float, str, float, int]]
    labels: list[tuple[str, float, float, str]]
    props: list[tuple[str, float, float, str, float]]
    """Dice and cube: the symbol, its place, what it is, and how large."""


class Scene(TypedDict):
    """A picture laid out, from both sides of the board."""

    symbols: dict[str, Sign]
    tall: bool
    counted: int
    sides: list[SceneSide]


class View(TypedDict):
    """The picture of a position."""

    game: str
    size: tuple[float, float]
    cells: list[Cell]
    pieces: list[Piece]
    labels: list[Label]
    mover: int | None
    dice: Sequence[int]
    dice_at: tuple[float, float] | None
    cube: Cube | None
    status: str
    actions: list[Action]
    last: Sequence[str]
    tracks: Sequence[Sequence[str]]
    tallies: Sequence[str]
    forced: str
    players: Sequence[str]
    scene: Scene
    kind: str
    text: str
    outcomes: NotRequired[list[Outcome]]
    choices: NotRequired[list[list[Action]]]
    """The moves of either player where both choose."""
