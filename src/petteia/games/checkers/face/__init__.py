"""How positions and moves are written and drawn."""

from __future__ import annotations

from collections.abc import Mapping

from petteia.compiled import signed
from petteia.core.face import Face
from petteia.core.view import Action, View
from petteia.core.words import U, Words
from petteia.games.checkers.face import notation, picture
from petteia.games.checkers.rules import CheckersRules

__all__ = ["CheckersFace"]


class CheckersFace(CheckersRules, Face):
    """The rules with what people see and write of them."""

    letters = notation.LETTERS
    brushes = notation.BRUSHES

    def ending(self, p: Words) -> str:
        """Why a game is a draw that did not end by repetition."""
        quiet = signed(p[3] >> U(1))
        if not 0 < self.quiet_plies <= quiet:
            return ""
        return f"{quiet} moves without a capture{' or a step of a man' if self.advances else ''}"

    def text(self, p: Words) -> str:
        return notation.fen(p)

    def parse(self, text: str) -> Words:
        return notation.parse_position(self, text)

    def move_text(self, p: Words, move: int) -> str:
        return notation.move_text(self, p, move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        return notation.parse_move(self, p, text)

    def other_texts(self, p: Words) -> dict[str, str]:
        """The course's grid, in which it is always Red's turn."""
        return {"course grid": notation.grid(p)} if int(p[3]) & 1 else {}

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        return notation.edited(self, p, cells, mover)

    def view(self, p: Words) -> View:
        return picture.view(self, p, self.status(p))

    def actions(self, p: Words) -> tuple[Action, ...]:
        return picture.actions(self, p)
