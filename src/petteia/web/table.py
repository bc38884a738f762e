"""A table: one game being played, by people or agents, with everything that happened at it."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from petteia.core import record
from petteia.core.drawing import with_regular_hexes
from petteia.core.drawing.scene import scene_json
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, Game, Kind
from petteia.core.session import Session
from petteia.core.view import Action, View
from petteia.core.words import Words
from petteia.web.clock import Clock
from petteia.web.messages import pictures, tables

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


def picture(game: Game, p: Words, last: tuple[str, ...] = ()) -> pictures.View:
    """A position as the page draws it."""
    kind = int(game.kind(p))
    view = with_regular_hexes(_view(game, p)).with_last(last)
    facts = cast("pictures.View", view.as_json())
    facts["scene"] = cast("pictures.Scene", scene_json(view))
    facts["kind"] = Kind(kind).name.lower()
    facts["text"] = game.text(p)
    if kind == CHANCE:
        facts["outcomes"] = [
            {"text": game.move_text(p, outcome), "chance": chance}
            for outcome, chance in game.outcomes(p)
        ]
    if kind == SIMULTANEOUS:
        facts["choices"] = [
            [cast("pictures.Action", vars(action)) for action in actions_of(game, p, player)]
            for player in (0, 1)
        ]
    return facts


@dataclass(eq=False)
class Table(Session):
    """A session that the page shows: whose it is, and who sits where."""

    game: Game  # pyright: ignore[reportIncompatibleVariableOverride]  (never given another)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    created: float = field(default_factory=time.time)
    owner: str = ""
    """The visitor who began it, on whose account agents think."""
    seats: tuple[str, str] = ("", "")
    """The visitor who has each person's seat; nobody means that it is free."""
    clock: Clock | None = None
    terms: tuple[float, float] | None = None
    """Of the clock: seconds for the game, and seconds that a move adds."""
    late: bool = False
    """Whether who lost by resigning ran out of time."""

    @property
    def ending(self) -> str:
        """How the game ended, as one line, where the position on the board cannot tell."""
        if self.late and self.resigned is not None:
            names = self.game.players
            return f"{names[self.resigned]} ran out of time, {names[1 - self.resigned]} wins"
        return super().ending

    def lose_on_time(self, player: int) -> None:
        """The player's time is over."""
        self.resign(player)
        self.late = True

    def clocks(self, chosen: Collection[int], now: float) -> None:
        """Sets the clocks for the position on the board; ``chosen`` have made their secret choice.
        Before the first move, and while somebody is missing, nobody's time runs."""
        if self.clock is None:
            return
        begun = any(ply.kind != "chance" for ply in self.plies)
        if self.is_over or not begun or not all(self.seats):
            self.clock.stand(now)
        elif self.kind == SIMULTANEOUS:
            self.clock.turn([side for side in (0, 1) if side not in chosen], now)
        else:
            self.clock.turn([] if self.mover is None else [self.mover], now)

    @property
    def status(self) -> str:
        """One line for people, as the picture says it."""
        return self.ending or _view(self.game, self.p).status or self.game.status(self.p)

    # --- as data ---------------------------------------------------------------------------------

    def last_path(self, at: int) -> tuple[str, ...]:
        """The cells of the ply that led to position ``at``."""
        # Dice are thrown after a move: its mark stays until the next.
        while at > 0 and self.plies[at - 1].kind == "chance":
            at -= 1
        if at == 0:
            return ()
        return _view(self.game, self.positions[at - 1]).path(*self.plies[at - 1].texts)

    def at(self, number: int) -> pictures.View:
        """The picture after this many plies."""
        if not 0 <= number < len(self.positions):
            raise PetteiaError(f"this game has positions 0 to {len(self.plies)}")
        return picture(self.game, self.positions[number], self.last_path(number))

    def rolls(self) -> list[tables.Roll]:
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

    def listed(self) -> list[tables.Ply]:
        """The plies for a list of moves."""
        found: list[tables.Ply] = []
        for ply, p in zip(self.plies, self.positions, strict=False):
            mover = int(self.game.mover(p)) if ply.kind == "move" else None
            word = record.ply_text(ply)
            texts = list(ply.texts)
            found.append({"kind": ply.kind, "texts": texts, "player": mover, "word": word})
        return found

    def state(self) -> tables.Line:
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
            "players": self.players,
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
