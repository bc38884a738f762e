"""What a visitor can choose from, as the page gets it: games, opponents, puzzles."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from petteia.web.messages.pictures import View

__all__ = [
    "Agent", "Catalogue", "Error", "Evaluation", "Game", "Health", "Level", "Marks", "Parameter",
    "Puzzle", "Puzzles", "Strength", "Variant",
]  # fmt: skip


class Health(TypedDict):
    """Whether the server answers."""

    ok: bool
    version: str


class Parameter(TypedDict):
    """A parameter of a game or an agent."""

    name: str
    default: int | float | bool | str | None
    value: NotRequired[int | float | bool | str | None]
    """What it is in this game."""
    label: NotRequired[str]
    """What people call it."""
    choices: NotRequired[list[str]]
    """The words that it can be, where it is one of a few."""


class Variant(TypedDict):
    """A variant of a game."""

    name: str
    spec: str


class Evaluation(TypedDict):
    """An evaluation and its weights."""

    name: str
    about: str
    weights: dict[str, float]


class Agent(TypedDict):
    """An agent that a visitor can name."""

    name: str
    about: str
    parameters: list[Parameter]


class Strength(TypedDict):
    """How strong an opponent is: Elo above the game's weakest, half its 95 % interval, games."""

    elo: float
    error: float
    games: int


class Level(TypedDict):
    """An opponent from which a visitor chooses; nobody has measured those of own games."""

    title: str
    agent: str
    meaning: str
    strength: Strength | None


Error = TypedDict("Error", {"name": str, "sign": str, "from": float})
Error.__doc__ = "A class of errors: how much of the chance to win a move loses at least."


class Marks(TypedDict):
    """The classes of errors, the gravest first, and the least luck that is told."""

    errors: list[Error]
    luck: float


class Game(TypedDict):
    """A game with all that a visitor can choose."""

    spec: str
    name: str
    title: str
    about: str
    names: list[str]
    chance: bool
    simultaneous: bool
    parameters: list[Parameter]
    variants: list[Variant]
    evaluations: list[Evaluation]
    default_evaluation: str | None
    openings: list[str]
    agents: list[Agent]
    marks: Marks
    levels: list[Level]
    analyst: str
    tuned: str
    player: str
    editable: bool
    brushes: dict[str, str]
    stacks: bool
    home: int
    reminder: str
    turns_board: bool
    """Whether the board turns so that a person sits at its bottom."""
    army: list[int] | None
    """The pieces of each player at the start, if captured ones never come back."""
    start: View


class Catalogue(TypedDict):
    """Every game, whether visitors may bring code, where people at other machines find the
    laboratory, and whether there is a ladder to look at."""

    games: list[Game]
    code: bool
    addresses: list[str]
    ladder: bool


class Puzzle(TypedDict):
    """A puzzle; its page and its picture are files of its name."""

    name: str
    title: str
    about: str


class Puzzles(TypedDict):
    """Every puzzle that has a page."""

    puzzles: list[Puzzle]
