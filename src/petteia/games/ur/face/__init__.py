"""How positions and moves are written and drawn."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.core.face import Face
from petteia.core.game import CHANCE, DECISION
from petteia.core.view import Action, View
from petteia.core.words import Words
from petteia.games.ur.face import notation, picture
from petteia.games.ur.rules import UrRules

__all__ = ["UrFace"]


class UrFace(UrRules, Face):
    """The rules with what people see and write of them."""

    letters = "ld"
    stacks = True

    def text(self, p: Words) -> str:
        return notation.position_text(self, p)

    def parse(self, text: str) -> Words:
        return notation.parse_position(self, text)

    def move_text(self, p: Words, move: int) -> str:
        return notation.move_text(self, p, move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        return super().parse_move(p, notation.plain_move(self, p, text), player)

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        return notation.edited(self, p, cells, mover)

    def view(self, p: Words) -> View:
        return picture.view(self, p, self.status(p))

    def actions(self, p: Words) -> tuple[Action, ...]:
        return picture.actions(self, p)

    def status(self, p: Words) -> str:
        kind, name = self.kind(p), self.players[self.mover(p)]
        if kind == CHANCE:
            return f"{name} to roll"
        if kind == DECISION:
            return f"{name} to move, rolled {self.roll(p)}"
        return super().status(p)
