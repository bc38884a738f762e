"""What the page may send: every text has a maximum length, every number has bounds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Answer", "BroughtCode", "Changed", "ChosenMove", "Drawn", "Edited", "FlowText", "LineRequest",
    "NewMatch", "NewPuzzle", "NewStudy", "NewTable", "NewTournament", "NewTuning", "PlayedMove",
    "Resignation", "Seat", "SolvedBy", "Sought", "Written",
]  # fmt: skip

SpecText = Annotated[str, StringConstraints(min_length=1, max_length=600)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Side = Annotated[int, Field(ge=0, le=1)]
Answer = dict[str, Any]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(_Model):
    """A game to begin: players are specs of agents, or ``person``."""

    game: SpecText
    players: tuple[SpecText, SpecText] = ("person", "person")
    start: PositionText = "start"
    moves: Annotated[list[MoveText], Field(max_length=2000)] = []
    """Plies to begin with, in the words of a record: ``a2a3``, ``:3`` for dice, ``a|b``."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    """Without one the server draws it; the dice of a new game then follow from a secret."""
    secret: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,64}$")] = ""
    """The secret of a finished game, for the same dice again."""
    seat: Side | None = None
    """Which person's seat the visitor takes; without a number every one."""


class PlayedMove(_Model):
    """A move; ``serial`` is what the page believed the table to be at."""

    move: MoveText
    serial: Annotated[int, Field(ge=0)] | None = None


class ChosenMove(_Model):
    """A secret choice where both players choose."""

    player: Side
    move: MoveText


class Resignation(_Model):
    """The player who resigns; by default the person to move."""

    player: Side | None = None


class Seat(_Model):
    """A person's seat to take or to leave."""

    player: Side


class Changed(_Model):
    """Other players for a table."""

    players: tuple[SpecText, SpecText]


class LineRequest(_Model):
    """A position and the plies after it."""

    game: SpecText
    start: PositionText = "start"
    moves: Annotated[list[MoveText], Field(max_length=2000)] = []


class Edited(_Model):
    """A position with some cells changed: a letter for each piece, nothing for an empty cell."""

    game: SpecText
    position: PositionText = "start"
    cells: dict[
        Annotated[str, StringConstraints(max_length=20)],
        Annotated[str, StringConstraints(max_length=20)],
    ] = {}
    mover: Side | None = None


class Sought(_Model):
    """A text that is a position or a whole game, pasted by a visitor."""

    game: SpecText
    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    number: Annotated[int, Field(ge=1, le=100_000)] = 1
    """Which game, where the text holds several."""


class Written(LineRequest):
    """A line that is to be written in every form that there is."""

    players: tuple[SpecText, SpecText] = ("?", "?")


Seed = Annotated[int, Field(ge=0, lt=2**53)]
Elo = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False)]


class NewMatch(_Model):
    """Two agents to be matched in pairs of games with sides swapped."""

    game: SpecText
    agents: tuple[SpecText, SpecText]
    pairs: Annotated[int, Field(ge=1, le=100_000)] = 20
    seed: Seed = 0
    opening: SpecText = "random"
    sprt: tuple[Elo, Elo] | None = None


class NewTournament(_Model):
    """Agents that each play every other."""

    game: SpecText
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=16)]
    pairs: Annotated[int, Field(ge=1, le=10_000)] = 10
    seed: Seed = 0
    opening: SpecText = "random"
    gauntlet: bool = False


class NewTuning(_Model):
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


class NewStudy(_Model):
    """A study to be run."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    quick: bool = True
    seed: Seed = 0


class BroughtCode(_Model):
    """A Python file of a visitor."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)] = "mine.py"
    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]


PuzzleText = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
CellName = Annotated[str, StringConstraints(min_length=1, max_length=10)]
RuleName = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Edge = Annotated[int, Field(ge=2, le=20)]


class FlowText(_Model):
    """A puzzle as text."""

    text: PuzzleText


class NewPuzzle(_Model):
    """A puzzle to be made."""

    width: Edge = 7
    height: Edge = 7
    colours: Annotated[int, Field(ge=1, le=60)] | None = None
    difficulty: Annotated[str, StringConstraints(max_length=20)] | None = None
    seed: Seed = 0
    rule: RuleName = "strict"


class Drawn(_Model):
    """A puzzle and the paths that are drawn on it."""

    text: PuzzleText
    paths: Annotated[
        list[Annotated[list[CellName], Field(max_length=500)]], Field(max_length=100)
    ] = []
    rule: RuleName = "strict"


class SolvedBy(_Model):
    """A puzzle and the engine that solves it."""

    text: PuzzleText
    engine: Annotated[str, StringConstraints(max_length=40)] = ""
    rule: RuleName = "strict"
