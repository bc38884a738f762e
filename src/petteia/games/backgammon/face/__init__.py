"""How positions and moves are written and drawn."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.core.face import Face
from petteia.core.view import Action, View
from petteia.core.words import Words
from petteia.games.backgammon.face import notation, picture, positions
from petteia.games.backgammon.rules import BackgammonRules

__all__ = ["BackgammonFace"]


class BackgammonFace(BackgammonRules, Face):
    """The rules with what people see and write of them."""

    letters = picture.LETTERS
    stacks = True

    def text(self, p: Words) -> str:
        return positions.xgid(self, p)

    def parse(self, text: str) -> Words:
        return positions.parse(self, text)

    def move_text(self, p: Words, move: int) -> str:
        return notation.move_text(self, p, move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        return notation.parse_move(self, p, text)

    def other_texts(self, p: Words) -> dict[str, str]:
        both = f"{positions.position_id(p)}:{positions.match_id(self, p)}"
        return {"Position ID": positions.position_id(p), "Position and Match ID": both}

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        return picture.edited(self, p, cells, mover)

    def view(self, p: Words) -> View:
        return picture.view(self, p, self.status(p))

    def actions(self, p: Words) -> tuple[Action, ...]:
        return picture.actions(self, p)
