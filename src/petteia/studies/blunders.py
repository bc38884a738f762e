"""The costly moves of a submission, for its page on the site of a ladder.

A search of a fixed number of nodes judges, so that the same games have the same blunders on every
machine. What was judged is kept: a ladder's site is written again and again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from petteia import agents
from petteia.arena.store import GameRow
from petteia.core import spec as specs
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.writing import write_whole
from petteia.review.game import review, usual_judge
from petteia.review.marks import marks_of

__all__ = ["Blunder", "Blunders"]

_NODES = 20_000
"""Of every search."""
_COSTLY = ("?", "??")


@dataclass(frozen=True)
class Blunder:
    """A move that lost a good part of the chance of winning."""

    ply: int
    """From 1."""
    move: str
    mark: str
    best: str
    lost: float
    """Of the chance of winning."""


def judge_of(game: Game) -> str:
    """The game's usual judge, counting nodes where it would take time; else one that can."""
    usual = specs.parse(usual_judge(game))
    given = [("nodes", _NODES) if key == "time" else (key, value) for key, value in usual.arguments]
    counting = str(specs.Spec(usual.name, tuple(given)))
    for text in (counting, *(offer.judge for offer in agents.offers(game)), str(usual)):
        with contextlib.suppress(PetteiaError):
            if text:
                agents.make(text, game).close()
                return text
    return "random"


class Blunders:
    """Judges games, each once."""

    def __init__(self, game: Game, path: Path) -> None:
        """``path`` keeps what was judged before."""
        self.game, self.path = game, path
        self.judge = judge_of(game)
        self._agent: Agent | None = None
        self._known: dict[str, list[dict[str, Any]]] = {}
        with contextlib.suppress(OSError, ValueError):  # it is worked out again
            self._known = dict(json.loads(path.read_text("utf-8")))

    def of(self, row: GameRow, player: int) -> list[Blunder]:
        """The costly moves of a player; none where the judge has nothing to say."""
        key = hashlib.sha256(f"{self.judge} {player} {row.text}".encode()).hexdigest()[:24]
        if key not in self._known:
            self._known[key] = [asdict(each) for each in self._judged(row, player)]
        return [Blunder(**each) for each in self._known[key]]

    def save(self) -> None:
        """Keeps what was judged."""
        write_whole(self.path, json.dumps(self._known))

    def _judged(self, row: GameRow, player: int) -> list[Blunder]:
        if self._agent is None:
            self._agent = agents.make(self.judge, self.game)
        try:
            found = review(self.game, row.record, self._agent)
        except PetteiaError:  # the judge cannot tell one move from another here
            return []
        marks, text = marks_of(self.game), self.game.move_text
        return [
            Blunder(
                each.ply + 1, text(each.position, each.move), mark,
                text(each.position, each.best), each.lost_chance,
            )
            for each in found.of(player)[0]
            if (mark := marks.of_loss(each.lost_chance)) in _COSTLY
        ]  # fmt: skip
