"""A table: one game being played, by people or agents, with everything that happened at it."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from petteia.core import fair, record
from petteia.core.drawing import with_regular_hexes
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game, Kind
from petteia.core.history import is_repeated, repetition_text
from petteia.core.record import Ply, Record
from petteia.core.seeds import derive
from petteia.core.view import Action, View
from petteia.core.words import Words
from petteia.web.trust import PERSON

__all__ = ["Table", "actions_of", "picture"]


@lru_cache(maxsize=4096)
def _view(game: Game, p: Words) -> View:
    return game.view(p)


def actions_of(game: Game, p: Words, player: int) -> list[Action]:
    """The moves of one player where both choose, as paths over cells if the game draws them so."""
    drawn = {
        action.move: action
        for action in _view(game, p).actions
        if getattr(action, "player", None) in (None, player)
    }
    texts = [game.move_text(p, move) for move in game.legal_moves(p, player)]
    return [drawn.get(text, Action(text)) for text in texts]


def picture(game: Game, p: Words, last: tuple[str, ...] = ()) -> dict[str, Any]:
    """A position as the page draws it."""
    kind = int(game.kind(p))
    facts = with_regular_hexes(_view(game, p)).with_last(last).as_json()
    facts["kind"] = Kind(kind).name.lower()
    facts["text"] = game.text(p)
    if kind == CHANCE:
        facts["outcomes"] = [
            {"text": game.move_text(p, outcome), "chance": chance}
            for outcome, chance in game.outcomes(p)
        ]
    if kind == SIMULTANEOUS:
        facts["choices"] = [
            [vars(action) for action in actions_of(game, p, player)] for player in (0, 1)
        ]
    return facts


@dataclass
class Table:
    """A game at a table. Undone plies are kept, so that they can be played again."""

    game: Game
    players: tuple[str, str]
    """``person``, or the spec of an agent."""
    seed: int = 0
    """Decides the dice and whatever agents leave to chance."""
    secret: str = ""
    """Decides the dice instead, where it was promised before the game; told when it is over."""
    start: str = "start"
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    created: float = field(default_factory=time.time)
    owner: str = ""
    """The visitor who began it, on whose account agents think."""
    seats: tuple[str, str] = ("", "")
    """The visitor who has each person's seat; nobody means that it is free."""
    plies: list[Ply] = field(default_factory=list)
    undone: list[Ply] = field(default_factory=list)
    resigned: int | None = None
    serial: int = 0
    """Grows with every change."""

    def __post_init__(self) -> None:
        self.positions: list[Words] = record.positions(self.game, self.start, self.plies)

    # --- where it stands -------------------------------------------------------------------------

    @property
    def p(self) -> Words:
        return self.positions[-1]

    @property
    def kind(self) -> int:
        return int(self.game.kind(self.p))

    @property
    def is_drawn_by_repetition(self) -> bool:
        """Whether a rule that looks back ends the game."""
        return is_repeated(self.game, self.positions[:-1], self.p)

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.kind == TERMINAL or self.is_drawn_by_repetition

    @property
    def result(self) -> float | None:
        """The points of player 0, if the game is over."""
        if self.resigned is not None:
            return -1.0 if self.resigned == 0 else 1.0
        if self.kind == TERMINAL:
            return float(self.game.result(self.p))
        return 0.0 if self.is_drawn_by_repetition else None

    @property
    def people(self) -> list[int]:
        return [side for side in (0, 1) if self.players[side] == PERSON]

    def agents_to_move(self) -> list[int]:
        """The players whose move the server must find, or whose dice it must throw: -1."""
        if self.is_over:
            return []
        kind = self.kind
        if kind == CHANCE:
            return [-1]
        movers = [int(self.game.mover(self.p))] if kind == DECISION else [0, 1]
        return [side for side in movers if self.players[side] != PERSON]

    @property
    def promise(self) -> str:
        """What was told of the secret before the game."""
        return fair.promise(self.secret) if self.secret else ""

    @property
    def status(self) -> str:
        """One line for people."""
        if self.resigned is not None:
            names = self.game.players
            return f"{names[self.resigned]} resigned, {names[1 - self.resigned]} wins"
        if self.kind != TERMINAL and self.is_drawn_by_repetition:
            return repetition_text(self.game)
        return _view(self.game, self.p).status or self.game.status(self.p)

    # --- what happens ----------------------------------------------------------------------------

    def play(self, *texts: str) -> None:
        """A move, or the moves of both."""
        if self.is_over:
            raise PetteiaError(f"the game is over: {self.status}")
        kind = self.kind
        if kind == CHANCE:
            raise PetteiaError("the dice are thrown first")
        wanted = 2 if kind == SIMULTANEOUS else 1
        if len(texts) != wanted:
            raise PetteiaError(f"expected {wanted} move{'s' if wanted > 1 else ''} here")
        if wanted == 2:
            numbers = [self.game.parse_move(self.p, t, side) for side, t in enumerate(texts)]
            named = tuple(self.game.move_text(self.p, number) for number in numbers)
            after = self.game.play_both(self.p, numbers[0], numbers[1])
            self._step(Ply("both", named), after)
            return
        number = self.game.parse_move(self.p, texts[0])
        text = self.game.move_text(self.p, number)
        self._step(Ply("move", (text,)), self.game.play(self.p, number))

    def roll(self) -> None:
        """Throws the dice: the same at this ply however often it is taken back."""
        ply, outcomes = len(self.plies), self.game.outcomes(self.p)
        if self.secret:
            chosen = fair.thrown(self.secret, ply, outcomes)
        else:
            chosen = fair.drawn(derive(self.seed, "dice", ply), outcomes)
        text = self.game.move_text(self.p, chosen)
        self._step(Ply("chance", (text,)), self.game.play(self.p, chosen))

    def _step(self, ply: Ply, after: Words) -> None:
        # The way forward stays open as long as the same moves are played again.
        if self.undone and self.undone[0] == ply:
            self.undone.pop(0)
        else:
            self.undone.clear()
        self.plies.append(ply)
        self.positions.append(after)
        self.serial += 1

    def undo(self) -> None:
        """Back to the last decision of a person, or one ply where no person plays."""
        if self.resigned is not None:
            self.resigned = None
            self.serial += 1
            return
        at = self._last_decision()
        if at < 0 or (self.people and not self._is_a_persons(at)):
            raise PetteiaError("there is no move to take back")
        self._back_to(at)

    def _last_decision(self) -> int:
        at = len(self.plies) - 1
        while at > 0 and not self._is_a_persons(at):
            at -= 1
        return at

    def taken_back_by(self) -> list[int]:
        """The people whose decision ``undo`` would take back."""
        if self.resigned is not None:
            return [self.resigned]
        at = self._last_decision()
        return self._deciders(self.plies[at], self.positions[at]) if at >= 0 else []

    def played_again_by(self) -> list[int]:
        """The people whose decision ``redo`` would play again."""
        return self._deciders(self.undone[0], self.p) if self.undone else []

    def _deciders(self, ply: Ply, p: Words) -> list[int]:
        if ply.kind == "both":
            return self.people
        return [side for side in self.people if ply.kind == "move" and self.game.mover(p) == side]

    def _is_a_persons(self, at: int) -> bool:
        ply, p = self.plies[at], self.positions[at]
        if ply.kind == "move":
            return not self.people or int(self.game.mover(p)) in self.people
        return ply.kind == "both"

    def _back_to(self, at: int) -> None:
        self.undone = self.plies[at:] + self.undone
        del self.plies[at:]
        del self.positions[at + 1 :]
        self.serial += 1

    def redo(self) -> None:
        """Plays again what was taken back, to the next decision of a person."""
        if not self.undone:
            raise PetteiaError("there is nothing to play again")
        while self.undone:
            ply = self.undone[0]
            after = record.positions(self.game, self.game.text(self.p), [ply])[-1]
            self._step(ply, after)
            if not self.people or self.is_over:
                break
            if self.kind == SIMULTANEOUS:
                break
            if self.kind == DECISION and int(self.game.mover(self.p)) in self.people:
                break

    def resign(self, player: int | None = None) -> None:
        """The player gives up; without a name, the person who is to move."""
        if self.is_over:
            raise PetteiaError(f"the game is over: {self.status}")
        if not self.people:
            raise PetteiaError("nobody here can resign; two agents play")
        if player is None:
            mover = int(self.game.mover(self.p)) if self.kind == DECISION else -1
            player = mover if mover in self.people else self.people[0]
        if player not in self.people:
            raise PetteiaError("only a person can resign")
        self.resigned = player
        self.undone.clear()
        self.serial += 1

    # --- as data ---------------------------------------------------------------------------------

    def last_path(self, at: int) -> tuple[str, ...]:
        """The cells of the ply that led to position ``at``."""
        # Dice are thrown after a move: its mark stays until the next.
        while at > 0 and self.plies[at - 1].kind == "chance":
            at -= 1
        if at == 0:
            return ()
        ply, before = self.plies[at - 1], self.positions[at - 1]
        if ply.kind == "both":
            paths = [
                next((a.path for a in actions_of(self.game, before, side) if a.move == text), ())
                for side, text in enumerate(ply.texts)
            ]
            return (*paths[0], *paths[1])
        for action in _view(self.game, before).actions:
            if action.move == ply.texts[0]:
                return action.path
        return ()

    def at(self, number: int) -> dict[str, Any]:
        """The picture after so many plies."""
        if not 0 <= number < len(self.positions):
            raise PetteiaError(f"this game has positions 0 to {len(self.plies)}")
        return picture(self.game, self.positions[number], self.last_path(number))

    def rolls(self) -> list[dict[str, Any]]:
        """How often each outcome of the dice came, and how often it was to be expected."""
        expected: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for ply, p in zip(self.plies, self.positions, strict=False):
            if ply.kind == "chance":
                seen[ply.texts[0]] += 1
                for outcome, chance in self.game.outcomes(p):
                    expected[self.game.move_text(p, outcome)] += chance  # type: ignore[assignment]
        return [
            {"roll": text, "count": seen[text], "expected": round(float(share), 3)}
            for text, share in expected.items()
        ]

    def thrown(self) -> list[list[str]]:
        """What each player threw; a throw is his who moves next."""
        found: list[list[str]] = [[], []]
        waiting: list[str] = []
        for ply, p in zip(self.plies, self.positions, strict=False):
            if ply.kind == "chance":
                waiting += ply.texts
            else:
                found[int(self.game.mover(p))] += waiting
                waiting = []
        if waiting and self.kind == DECISION:
            found[int(self.game.mover(self.p))] += waiting
        return found

    def listed(self) -> list[dict[str, Any]]:
        """The plies for a list of moves."""
        found = []
        for ply, p in zip(self.plies, self.positions, strict=False):
            mover = int(self.game.mover(p)) if ply.kind == "move" else None
            word = record.ply_text(ply)
            texts = list(ply.texts)
            found.append({"kind": ply.kind, "texts": texts, "player": mover, "word": word})
        return found

    def state(self) -> dict[str, Any]:
        """Everything that the page shows."""
        over = self.is_over
        view = self.at(len(self.plies))
        view["status"] = self.status
        if over:
            view["actions"], view["choices"], view["mover"] = [], [[], []], None
        return {
            "id": self.id,
            "serial": self.serial,
            "game": str(self.game),
            "names": list(self.game.players),
            "players": list(self.players),
            "start": self.start,
            "seed": self.seed,
            "promise": self.promise,
            "secret": self.secret if over else "",
            "created": self.created,
            "plies": self.listed(),
            "redo": len(self.undone),
            "kind": "terminal" if over else Kind(self.kind).name.lower(),
            "over": over,
            "result": self.result,
            "status": self.status,
            "view": view,
            "rolls": self.rolls() if self.game.has_chance else [],
            "thrown": self.thrown() if self.game.has_chance else [],
        }

    def record(self) -> Record:
        """The game as a record."""
        headers = [("Seed", str(self.seed))]
        if self.secret:
            headers.append(("Promise", self.promise))
            headers += [("Secret", self.secret)] if self.is_over else []
        return Record(
            game=str(self.game),
            players=self.players,
            start=self.start,
            plies=tuple(self.plies),
            result=self.result,
            headers=tuple(headers),
        )
