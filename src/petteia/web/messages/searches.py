"""What searches tell the page: analyses, reviews, and what it shall search itself."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

__all__ = [
    "Analysis", "Chosen", "Ended", "EngineTask", "Feature", "Judged", "KeptReview", "Matrix",
    "MoveChance", "Ranked", "Reason", "ReviewShown", "Reviewed", "SearchHere", "Share", "Shares",
    "Stopped", "Throw", "Thrown",
]  # fmt: skip


class Chosen(TypedDict):
    """An agent's move, and what it says about it."""

    move: str
    value: float | None
    depth: int | None
    nodes: int
    seconds: float
    notes: Any


class Ranked(TypedDict):
    """A move with its value, its line and its chance to win."""

    move: str
    value: float | None
    end: int | None
    """Plies to a forced end."""
    draw: NotRequired[bool]
    chance: float | None
    line: list[str]
    visits: int


class Share(TypedDict):
    """How often a move is best played where both choose."""

    move: str
    share: float
    value: float | None
    chance: float


class Matrix(TypedDict):
    """Payoffs of the first player where both choose."""

    rows: list[Share]
    columns: list[Share]
    payoffs: list[list[float]]
    size: tuple[int, int]
    value: float | None
    chance: float
    exploitability: float | None


class Throw(TypedDict):
    """A throw: how likely it is, the chance of its thrower then, and his best move."""

    throw: str
    share: float
    chance: float | None
    best: str | None


class Feature(TypedDict):
    """What a feature adds; by cell, what pieces add to it and what moves there change."""

    name: str
    share: float
    pieces: dict[str, float]
    moves: dict[str, float]


class Shares(TypedDict):
    """A position as an evaluation sees it."""

    name: str
    value: float | None
    mover: int
    features: list[Feature]


class Analysis(TypedDict):
    """What is known about a position: its moves; where both choose a matrix; before the dice are
    thrown every throw."""

    depth: int | None
    seconds: float
    nodes: NotRequired[int]
    """That were looked at, if the page itself has searched."""
    exact: bool
    moves: NotRequired[list[Ranked]]
    matrix: NotRequired[Matrix]
    throws: NotRequired[list[Throw]]
    chance: NotRequired[float | None]
    mover: NotRequired[int]
    evaluation: NotRequired[Shares | None]
    judge: NotRequired[str]
    agent: NotRequired[str]
    """Who analysed, at the end."""


class MoveChance(TypedDict):
    """A move and the chance to win after it."""

    move: str
    chance: float


class Reason(TypedDict):
    """What the best move has more of than the one played, as an evaluation sees it."""

    name: str
    share: float


class Judged(TypedDict):
    """A move that was played, beside the best one, how that goes on, and why it is better."""

    mover: int
    played: MoveChance
    best: MoveChance
    choices: int
    lost: NotRequired[float]
    """In stakes, where values are points and the move is no matter of course."""
    line: list[str]
    why: list[Reason]


class Thrown(TypedDict):
    """What a throw changed in its thrower's chance."""

    player: int
    roll: str
    luck: float


class Reviewed(TypedDict):
    """What a review found at a ply: its moves, or its throw."""

    at: int
    judged: NotRequired[list[Judged]]
    exact: NotRequired[bool]
    throw: NotRequired[Thrown]


class ReviewShown(TypedDict):
    """A whole review: the moves and the throws by their plies, and who judged."""

    judged: list[tuple[int, list[Judged]]]
    thrown: list[tuple[int, Thrown]]
    exact: bool
    by: str


class KeptReview(TypedDict):
    """The review that is kept with a game, if there is one of all its moves."""

    review: ReviewShown | None


class Ended(TypedDict, total=False):
    """The end of what went on, and who analysed."""

    agent: str


class HelpingTask(TypedDict):
    """How a second worker helps with a search in the same memory."""

    module: str
    """The address of the code that both run instead."""
    memory: int
    """The most bytes of their memory, as the code is made for it."""
    stack: int
    """The bytes that a worker needs for itself."""
    pointer: str
    """The field of both records for the address of what they tell each other."""
    bytes: int
    """Its size; it begins with zeros."""
    fill: dict[str, int]
    """What stands in the helper's record alone."""


class EngineTask(TypedDict):
    """A search for the page's own processor."""

    module: str
    """The address of its code."""
    entry: str
    """The name of the function in it."""
    arguments: list[str]
    """What it is given after the places for a result and a fault: whole numbers, "null", or
    "record" and "array", the addresses of its memory."""
    size: int
    """Bytes of its memory's record."""
    layout: dict[str, tuple[int, str, int]]
    """The fields of the record: where each lies, the type of its numbers, how many there are."""
    kept: list[str]
    """The fields that last from one search of a game to the next; all others begin with zeros."""
    fill: dict[str, list[str]]
    """What is to be written into fields."""
    weights: str | None
    """The address of what is to be written into the field of this name, if that is much."""
    bytes: int
    """The size of the array beside the record."""
    pointer: str | None
    """The field for the array's address, if it is a table: one that begins with zeros and is kept
    from one search of a game to the next."""
    seconds: float
    """How long it may take."""
    helping: HelpingTask | None
    """If a second worker may help, where the browser lets workers share memory."""


class SearchHere(TypedDict):
    """What the page shall search itself; nothing where the server must."""

    task: EngineTask | None


class Stopped(TypedDict):
    """The end of what the page has stopped."""

    stopped: bool
