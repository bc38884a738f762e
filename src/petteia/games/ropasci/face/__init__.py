"""How positions and moves are written and drawn."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.core.face import Face
from petteia.core.view import Action, View
from petteia.core.words import Words
from petteia.games.ropasci.face import notation, picture
from petteia.games.ropasci.rules import BOTH_EMPTY, BOTH_INVINCIBLE, TURN_LIMIT, RoPaSciRules

__all__ = ["RoPaSciFace"]


_ENDINGS = {
    BOTH_EMPTY: "no remaining tokens or throws",
    BOTH_INVINCIBLE: "both players have an invincible token",
    TURN_LIMIT: "maximum number of turns reached",
}


class RoPaSciFace(RoPaSciRules, Face):
    """The rules with what people see and write of them."""

    letters = "Uu"
    brushes = "RPSrps"
    stacks = True

    def ending(self, p: Words) -> str:
        """Why a finished game is a draw; empty where somebody won or the game goes on."""
        return _ENDINGS.get(self.end_of(p), "")

    def text(self, p: Words) -> str:
        return notation.position_text(self, p)

    def parse(self, text: str) -> Words:
        return notation.parse_position(self, text)

    def move_text(self, p: Words, move: int) -> str:
        return notation.move_text(move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        return super().parse_move(p, notation.plain_move(text), player)

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        return notation.edited(self, p, cells)

    def view(self, p: Words) -> View:
        return picture.view_of(self, p, self.status(p))

    def actions(self, p: Words) -> tuple[Action, ...]:
        return picture.actions_of(self, p)
