"""The messages of Flow: what the page asks, and what it gets."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from petteia.web.messages.base import Message, Seed

__all__ = [
    "Drawn", "FlowCell", "FlowChecked", "FlowChoices", "FlowColour", "FlowEnded", "FlowEvent",
    "FlowEvents", "FlowHint", "FlowPuzzle", "FlowSolved", "FlowText", "FlowTexts", "NewPuzzle",
    "SolvedBy",
]  # fmt: skip

PuzzleText = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
CellName = Annotated[str, StringConstraints(min_length=1, max_length=10)]
RuleName = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Edge = Annotated[int, Field(ge=2, le=20)]


class FlowText(Message):
    """A puzzle as text."""

    text: PuzzleText


class NewPuzzle(Message):
    """A puzzle to be made."""

    width: Edge = 7
    height: Edge = 7
    colours: Annotated[int, Field(ge=1, le=60)] | None = None
    difficulty: Annotated[str, StringConstraints(max_length=20)] | None = None
    kind: Annotated[str, StringConstraints(max_length=20)] = "square"
    seed: Seed = 0
    rule: RuleName = "strict"


class Drawn(Message):
    """A puzzle and the paths that are drawn on it."""

    text: PuzzleText
    paths: list[Annotated[list[CellName], Field(max_length=500)]] = Field(
        default=[], max_length=100
    )
    rule: RuleName = "strict"


class SolvedBy(Message):
    """A puzzle and the engine that solves it."""

    text: PuzzleText
    engine: Annotated[str, StringConstraints(max_length=40)] = ""
    rule: RuleName = "strict"


# --- answers ---------------------------------------------------------------------------------


class FlowChoices(TypedDict):
    """What can be asked for."""

    rules: dict[str, Any]
    engines: dict[str, str]
    watched: list[str]
    boards: list[str]
    formats: list[str]
    kinds: list[str]


class FlowCell(TypedDict):
    """A cell of a puzzle."""

    id: str
    x: int
    y: int
    dot: str | None
    bridge: bool
    ways: dict[str, str]
    """The neighbours by the number of their way, clockwise from the north or north-east."""


class FlowColour(TypedDict):
    """A colour of a puzzle: its letter, how it is drawn, its two dots."""

    letter: str
    paint: str
    ink: str
    dots: list[str]


class FlowPuzzle(TypedDict):
    """A puzzle, and what was drawn on it; a made one with how it was made."""

    text: str
    width: int
    height: int
    grid: str
    cells: list[FlowCell]
    walls: list[list[str]]
    colours: list[FlowColour]
    paths: list[list[str]]
    rule: NotRequired[str]
    seed: NotRequired[int]
    attempts: NotRequired[int]
    difficulty: NotRequired[str | None]


class FlowTexts(TypedDict):
    """A puzzle in every format."""

    texts: dict[str, str]


class FlowChecked(TypedDict):
    """Whether a drawing is a solution, and what is wrong with it."""

    solved: bool
    faults: list[str]
    covered: int


class FlowHint(TypedDict):
    """The next sure step with its reason, or what cannot stay."""

    kind: str
    reason: str
    text: str
    link: list[str] | None
    cells: list[str]
    paths: list[list[str]]


class FlowSolved(TypedDict):
    """The answer of an engine."""

    rule: str
    engine: str
    status: str
    unique: bool | None
    milliseconds: float
    counts: dict[str, Any]
    paths: list[list[str]]


class FlowEvent(TypedDict):
    """A step of a watched solver; see ``trace.trace``."""

    step: int
    event: str
    cell: str | None
    value: str | None
    why: str
    depth: int
    counts: dict[str, Any]
    colours: dict[str, str | None]
    links: list[tuple[str, str]] | None
    domains: NotRequired[Any]


class FlowEvents(TypedDict):
    """Some steps of a watched solver."""

    events: list[FlowEvent]


class FlowEnded(TypedDict):
    """A watched solver is done, or was stopped."""

    ended: bool
