"""What the page gets, as plain data: pictures, games, tables, lines, and what searches tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict

__all__ = [
    "Action",
    "Agent",
    "Analysis",
    "Catalogue",
    "Cell",
    "Chosen",
    "Done",
    "Ended",
    "EngineTask",
    "Error",
    "Evaluation",
    "Feature",
    "Form",
    "Game",
    "GameForm",
    "Health",
    "Judged",
    "Label",
    "Level",
    "Line",
    "Listed",
    "Marks",
    "Matrix",
    "Meant",
    "MoveChance",
    "Outcome",
    "Parameter",
    "Piece",
    "Ply",
    "Puzzle",
    "Puzzles",
    "Ranked",
    "Reviewed",
    "Roll",
    "SearchHere",
    "Seats",
    "Share",
    "Shares",
    "Stopped",
    "Table",
    "TableSeen",
    "Tables",
    "Texts",
    "Throw",
    "Thrown",
    "Variant",
    "View",
]  # fmt: skip


class Health(TypedDict):
    """Whether the server answers."""

    ok: bool
    version: str


class Done(TypedDict):
    """It was done, and there is nothing to tell."""

    ok: bool


# --- pictures ------------------------------------------------------------------------------------


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
    status: str
    actions: list[Action]
    last: Sequence[str]
    forced: str
    players: Sequence[str]
    scene: Scene
    kind: str
    text: str
    outcomes: NotRequired[list[Outcome]]
    choices: NotRequired[list[list[Action]]]
    """The moves of either player where both choose."""


# --- games to choose from ------------------------------------------------------------------------


class Parameter(TypedDict):
    """A parameter of a game or an agent."""

    name: str
    default: int | float | bool | str | None


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


class Level(TypedDict):
    """A strength from which a visitor chooses."""

    title: str
    agent: str
    meaning: str


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
    start: View


class Catalogue(TypedDict):
    """Every game, and whether visitors may bring code."""

    games: list[Game]
    code: bool


class Puzzle(TypedDict):
    """A puzzle; its page and its picture are files of its name."""

    name: str
    title: str
    about: str


class Puzzles(TypedDict):
    """Every puzzle that has a page."""

    puzzles: list[Puzzle]


# --- tables and lines ----------------------------------------------------------------------------


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


class TableSeen(Line):
    """A table as everybody sees it."""

    thinking: bool
    problem: str
    chosen: list[int]
    asked: bool
    """Whether the owner's page is asked for the move of the agent that thinks."""


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


# --- searches ------------------------------------------------------------------------------------


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


class Judged(TypedDict):
    """A move that was played, beside the best one."""

    mover: int
    played: MoveChance
    best: MoveChance
    choices: int


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


class Ended(TypedDict, total=False):
    """The end of what went on, and who analysed."""

    agent: str


class EngineTask(TypedDict):
    """A search for the page's own processor."""

    module: str
    """The address of its code."""
    entry: str
    """The name of the function in it."""
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
    words: list[str]
    """The position."""
    slots: int
    """The size of its table, in slots of 16 bytes."""
    seconds: float
    """How long it may take."""


class SearchHere(TypedDict):
    """What the page shall search itself; nothing where the server must."""

    task: EngineTask | None


class Stopped(TypedDict):
    """The end of what the page has stopped."""

    stopped: bool
