"""What the page may send: every text has a maximum length, every number has bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from petteia.web.messages.base import Message, Seed

__all__ = [
    "Answered", "Attempt", "BroughtCode", "Changed", "ChosenMove", "Edited", "Found", "LineRequest",
    "NewMatch", "NewStudy", "NewTable", "NewTournament", "NewTuning", "PictureRequest",
    "PlayedMove", "Resignation", "Seat", "Sought", "SpecText", "ToEstimate", "ToSearch",
    "Written",
]  # fmt: skip

SpecText = Annotated[str, StringConstraints(min_length=1, max_length=600)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Side = Annotated[int, Field(ge=0, le=1)]
MoveNumber = Annotated[str, StringConstraints(pattern=r"^-?\d{1,19}$")]
"""A move as searches number it; as text, since scripts know no whole numbers of 64 bits."""


Seconds = Annotated[float, Field(ge=0, le=36_000, allow_inf_nan=False)]


class NewTable(Message):
    """A game to begin: players are specs of agents, or ``person``."""

    game: SpecText
    players: tuple[SpecText, SpecText] = ("person", "person")
    start: PositionText = "start"
    moves: list[MoveText] = Field(default=[], max_length=2000)
    """Plies to begin with, in the words of a record: ``a2a3``, ``:3`` for dice, ``a|b``."""
    seed: Seed | None = None
    """Without one the server draws it; the dice of a new game then follow from a secret."""
    secret: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,64}$")] = ""
    """The secret of a finished game, for the same dice again."""
    seat: Side | None = None
    """Which person's seat the visitor takes; without a number every one."""
    searches: bool = False
    """Whether the page will search for agents itself, where the table allows it."""
    clock: tuple[Seconds, Seconds] | None = None
    """For two people: seconds for the game, and seconds that a move adds."""


class PlayedMove(Message):
    """A move; ``serial`` is what the page believed the table to be at."""

    move: MoveText
    serial: Annotated[int, Field(ge=0)] | None = None


class ChosenMove(Message):
    """A secret choice where both players choose."""

    player: Side
    move: MoveText


class Resignation(Message):
    """The player who resigns; by default the person to move."""

    player: Side | None = None


class Seat(Message):
    """A person's seat to take or to leave."""

    player: Side


class Changed(Message):
    """Other players for a table."""

    players: tuple[SpecText, SpecText]


class LineRequest(Message):
    """A position and the plies after it."""

    game: SpecText
    start: PositionText = "start"
    moves: list[MoveText] = Field(default=[], max_length=2000)


class PictureRequest(LineRequest):
    """The position at the end of a line, as a picture."""

    flip: bool = False
    """Whether it is seen from the other side."""


class ToSearch(LineRequest):
    """The position at the end of a line, to be searched by the page; without a name by the usual
    analyst, thinking so long."""

    agent: SpecText | None = None
    seconds: Annotated[float, Field(gt=0, le=10)] = 3.0


class FoundMove(Message):
    """A move that a page's search found: the line that begins with it, and its value, if it knows
    one. Where there are visits, the moves come in their order; else by their values."""

    line: Annotated[list[MoveNumber], Field(min_length=1, max_length=130)]
    value: Annotated[float, Field(allow_inf_nan=False)] | None
    visits: Annotated[int, Field(ge=0, le=2**53)] = 0


class Found(ToSearch):
    """What a page's search found, to be put into words."""

    found: Annotated[list[FoundMove], Field(min_length=1, max_length=4096)]
    depth: Annotated[int, Field(ge=0, le=255)]
    nodes: Annotated[int, Field(ge=0, le=2**53)]
    spent: Annotated[float, Field(ge=0, le=3600)]
    """Seconds."""
    shares: bool = False
    """Whether to tell what each feature of the evaluation adds."""


class Attempt(Message):
    """A move in an exercise of a game's lesson."""

    game: SpecText
    exercise: Annotated[int, Field(ge=0, le=100)]
    move: MoveText


class Answered(Message):
    """The move that the page found for an agent, by its number; none where it cannot search."""

    serial: Annotated[int, Field(ge=0)]
    move: MoveNumber | None


class Edited(Message):
    """A position with some cells changed: a letter for each piece, nothing for an empty cell."""

    game: SpecText
    position: PositionText = "start"
    cells: dict[
        Annotated[str, StringConstraints(max_length=20)],
        Annotated[str, StringConstraints(max_length=20)],
    ] = Field(default={})
    mover: Side | None = None


class Sought(Message):
    """A text that is a position or a whole game, pasted by a visitor."""

    game: SpecText
    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    number: Annotated[int, Field(ge=1, le=100_000)] = 1
    """Which game, where the text holds several."""


class Written(LineRequest):
    """A line that is to be written in every form that there is."""

    players: tuple[SpecText, SpecText] = ("?", "?")


Elo = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False)]


class NewMatch(Message):
    """Two agents to be matched in pairs of games with sides swapped."""

    game: SpecText
    agents: tuple[SpecText, SpecText]
    pairs: Annotated[int, Field(ge=1, le=100_000)] = 20
    seed: Seed = 0
    opening: SpecText = "random"
    sprt: tuple[Elo, Elo] | None = None


class NewTournament(Message):
    """Agents that each play every other."""

    game: SpecText
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=16)]
    pairs: Annotated[int, Field(ge=1, le=10_000)] = 10
    seed: Seed = 0
    opening: SpecText = "random"
    gauntlet: bool = False


class ToEstimate(NewTournament):
    """Agents that each play every other, or two that meet, and how often."""

    pairs: Annotated[int, Field(ge=1, le=1_000_000)] = 10


class NewTuning(Message):
    """An agent whose weights are to be tuned by games."""

    game: SpecText
    agent: SpecText
    against: SpecText
    method: Annotated[str, StringConstraints(min_length=1, max_length=100)] = "spsa"
    series: Annotated[int, Field(ge=2, le=10_000)] = 100
    """Games that judge a candidate."""
    budget: Annotated[int, Field(ge=10, le=1_000_000)] = 5000
    """Games of the search in all."""
    confirm: Annotated[int, Field(ge=2, le=100_000)] = 250
    """Pairs of fresh games."""
    seed: Seed = 0


class NewStudy(Message):
    """A study to be run."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    quick: bool = True
    seed: Seed = 0


class BroughtCode(Message):
    """A Python file of a visitor, and the game in which it is tried."""

    game: SpecText
    name: Annotated[str, StringConstraints(min_length=1, max_length=60)] = "mine.py"
    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
