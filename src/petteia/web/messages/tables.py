"""Games as the page gets them: tables, lines, and their texts."""

from __future__ import annotations

from typing_extensions import TypedDict

from petteia.web.messages.pictures import View

__all__ = [
    "ClockSeen", "Done", "Form", "GameForm", "Line", "Listed", "Meant", "Ply", "Roll", "Seats",
    "Table", "TableSeen", "Tables", "Texts",
]  # fmt: skip


class Done(TypedDict):
    """It was done, and there is nothing to tell."""

    ok: bool


class Ply(TypedDict):
    """A ply of a list of moves; ``word`` is how a record writes it."""

    kind: str
    texts: list[str]
    player: int | None
    word: str


class Roll(TypedDict):
    """How often an outcome of the dice came, and how often it was to be expected."""

    roll: str
    count: int
    expected: float


class Line(TypedDict):
    """A game as it stands."""

    id: str
    serial: int
    game: str
    names: list[str]
    players: tuple[str, str]
    start: str
    seed: int
    promise: str
    secret: str
    created: float
    plies: list[Ply]
    redo: int
    kind: str
    over: bool
    result: float | None
    status: str
    view: View
    rolls: list[Roll]
    thrown: list[list[str]]


class ClockSeen(TypedDict):
    """Seconds that are left to each, and whose time runs."""

    left: list[float]
    running: list[int]


class TableSeen(Line):
    """A table as everybody sees it."""

    thinking: bool
    problem: str
    chosen: list[int]
    asked: bool
    """Whether the owner's page is asked for the move of the agent that thinks."""
    clock: ClockSeen | None
    terms: tuple[float, float] | None
    """Seconds for the game, and seconds that a move adds."""


class Seats(TypedDict):
    """What a visitor is and may do at a table."""

    mine: list[int]
    free: list[int]
    own: bool
    may_undo: bool
    may_redo: bool


class Table(TableSeen, Seats):
    """A table as one visitor sees it."""


class Listed(TypedDict):
    """A table in a list."""

    id: str
    touched: float
    game: str
    plies: int
    state: str
    players: tuple[str, str]
    status: str


class Tables(TypedDict):
    """A visitor's last games."""

    tables: list[Listed]


class Meant(TypedDict):
    """What a pasted text means."""

    game: str
    start: str
    moves: list[str]
    games: int


class Form(TypedDict):
    """A position as text."""

    name: str
    text: str


class GameForm(Form):
    """A game as text, and how its file ends."""

    suffix: str


class Texts(TypedDict):
    """A line in every form."""

    positions: list[Form]
    games: list[GameForm]
