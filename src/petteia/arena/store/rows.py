"""What the rows of the store mean."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from petteia.arena.match import Pair
from petteia.arena.play import Forfeit, Played, Seat
from petteia.arena.store.database import stored_text
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.record import Record

__all__ = ["ADD_GAME", "GameRow", "SeriesRow", "pair_rows"]


@dataclass(frozen=True)
class SeriesRow:
    """A series: what was asked for, and how far it got."""

    id: int
    created: str
    """When it began, in UTC: ``2031-05-17T09:30:00+00:00``."""
    version: str
    """The version of petteia that began it."""
    kind: str
    """``match``, ``tournament``, ``study`` or ``import``."""
    game: str
    """The spec of the game; ``*`` if an imported series has several."""
    agents: tuple[str, str]
    """The specs of agents A and B; ``*`` if an imported series has others too."""
    seed: int
    pairs: int
    """How many pairs are wanted."""
    state: str
    """``running``, ``finished`` or ``stopped``."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the series needs to go on, as JSON."""
    note: str = ""

    @classmethod
    def of(cls, row: sqlite3.Row) -> SeriesRow:
        """The series that a row of the table holds."""
        return cls(
            id=row["id"], created=row["created"], version=row["version"], kind=row["kind"],
            game=row["game"], agents=(row["agent_a"], row["agent_b"]), seed=int(row["seed"]),
            pairs=row["pairs"], state=row["state"], options=json.loads(row["options"]),
            note=row["note"],
        )  # fmt: skip


@dataclass(frozen=True)
class GameRow:
    """A stored game. Its place is the series, the pair and the number within the pair."""

    series: int
    pair: int
    number: int
    """0 where agent A was player 0, 1 where agent B was."""
    game: str
    """The spec of the game."""
    players: tuple[str, str]
    """The agents in the order of the seats."""
    result: float
    """The points of player 0."""
    plies: int
    seats: tuple[Seat, Seat]
    """What the moves of players 0 and 1 took."""
    forfeit: Forfeit | None
    text: str
    """The record in the form of ``petteia.core.record``."""

    @classmethod
    def new(cls, series: int, pair: int, number: int, played: Played) -> GameRow:
        """The row of a game that was played."""
        kept = played.record
        return cls(
            series, pair, number, kept.game, kept.players, float(played.result), played.plies,
            played.seats, played.forfeit, record.write(kept),
        )  # fmt: skip

    @classmethod
    def of(cls, row: sqlite3.Row) -> GameRow:
        """The game that a row of the table holds."""
        number = row["number"]
        a, b = (Seat(*(row[f"{agent}_{cost}"] for cost in _COSTS)) for agent in "ab")
        forfeit = None
        if row["forfeit_agent"] is not None:
            player = row["forfeit_agent"] ^ number
            forfeit = Forfeit(player, row["forfeit_reason"], row["forfeit_trace"])
        return cls(
            row["series"], row["pair"], number, row["game"], (row["first"], row["second"]),
            row["result"], row["plies"], (b, a) if number else (a, b), forfeit, row["record"],
        )  # fmt: skip

    @property
    def place(self) -> str:
        """``series/pair/number``."""
        return f"{self.series}/{self.pair}/{self.number}"

    @property
    def score(self) -> float:
        """Agent A's score: 1 for a win, half for a draw."""
        points = -self.result if self.number else self.result
        return 0.5 + 0.5 * ((points > 0) - (points < 0))

    @property
    def costs(self) -> tuple[Seat, Seat]:
        """What the moves of agents A and B took."""
        return (self.seats[self.number], self.seats[1 - self.number])

    @property
    def forfeit_agent(self) -> int | None:
        """The agent that forfeited: 0 for A, 1 for B."""
        return None if self.forfeit is None else self.forfeit.player ^ self.number

    @property
    def record(self) -> Record:
        """The whole game."""
        try:
            (found,) = record.read_all(self.text)
        except ValueError as error:
            raise PetteiaError(f"the stored game {self.place} is damaged: {error}") from None
        return found

    @property
    def played(self) -> Played:
        """The game as the arena gave it."""
        return Played(self.record, self.result, self.plies, self.seats, self.forfeit)

    def same_game(self, other: GameRow) -> bool:
        """Whether it is the same game, whatever time it took."""
        return (self.text, self.result) == (other.text, other.result)

    def values(self) -> dict[str, Any]:
        """The columns of the table."""
        forfeit = self.forfeit
        costs = {
            f"{agent}_{cost}": kind(getattr(seat, cost))
            for agent, seat in zip("ab", self.costs, strict=True)
            for cost, kind in _COSTS.items()
        }
        return {
            "series": self.series, "pair": self.pair, "number": self.number,
            "result": self.result, "score": self.score, "plies": self.plies, **costs,
            "forfeit_agent": self.forfeit_agent,
            "game": stored_text(self.game),
            "first": stored_text(self.players[0]), "second": stored_text(self.players[1]),
            "forfeit_reason": None if forfeit is None else stored_text(forfeit.reason),
            "record": stored_text(self.text),
            "forfeit_trace": None if forfeit is None else stored_text(forfeit.trace),
        }  # fmt: skip


# An agent may count in NumPy's numbers, which SQLite would take for bytes.
_COSTS = {"moves": int, "interior": int, "leaves": int, "seconds": float, "late": int}
_TEXTS = ("game", "first", "second", "forfeit_reason", "record", "forfeit_trace")
_COLUMNS = (
    "series", "pair", "number", "result", "score", "plies",
    *(f"{agent}_{cost}" for agent in "ab" for cost in _COSTS),
    "forfeit_agent", *_TEXTS,
)  # fmt: skip
_PLACES = ", ".join(f"CAST(:{name} AS TEXT)" if name in _TEXTS else f":{name}" for name in _COLUMNS)
ADD_GAME = f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({_PLACES})"
"""The statement that takes ``GameRow.values``."""


def pair_rows(series: int, pair: Pair) -> list[GameRow]:
    """The two games of a pair as rows."""
    return [GameRow.new(series, pair.index, n, played) for n, played in enumerate(pair.games)]
