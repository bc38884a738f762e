"""The face of a game: how positions and moves are written, drawn and edited. Never compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from petteia.core.collection import Collection
from petteia.core.errors import PetteiaError, one_of
from petteia.core.record import Record
from petteia.core.rules import CHANCE, DECISION, SIMULTANEOUS, Rules
from petteia.core.view import Action, View, view_of_rows
from petteia.core.words import U, Words

__all__ = ["Face"]


class Face(Rules, is_contract=True):
    """Rules with what people see and write of them; every method has a usable default."""

    players: ClassVar[tuple[str, str]] = ("first", "second")
    """What the two players are called."""
    letters: ClassVar[str] = "xo"
    """One letter a player, for boards drawn from rows of text."""
    stacks: ClassVar[bool] = False
    """Whether several pieces can stand on one cell of the view."""
    brushes: ClassVar[str] = ""
    """The letters of the pieces that can be put on a board, where not only ``letters``."""
    foreign_suffixes: ClassVar[tuple[str, ...]] = ()
    """The suffixes of the files that ``foreign_text`` writes."""

    def text(self, p: Words) -> str:
        """One line that names the position."""
        return ":".join(f"{int(word):x}" for word in p)

    def parse(self, text: str) -> Words:
        """The position that ``text`` writes."""
        parts = text.strip().split(":")
        size = len(self.start())
        try:
            numbers = [int(part, 16) for part in parts]
        except ValueError:
            numbers = []
        if len(numbers) != size or not all(0 <= number < 2**64 for number in numbers):
            raise PetteiaError(
                f"bad position {text!r}: expected {size} hexadecimal words such as "
                f"{self.text(self.start())!r}"
            )
        return tuple(U(number) for number in numbers)

    def move_text(self, p: Words, move: int) -> str:
        """A move, or an outcome of the dice, as people write it."""
        return str(move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        """The legal move that ``text`` means here."""
        wanted = text.strip().lower()
        names = {}
        for move in self.legal_moves(p, player):
            names[self.move_text(p, move)] = move
        for name, move in names.items():
            if name.lower() == wanted:
                return move
        shown = list(names)[:8]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        raise PetteiaError(
            f"{text.strip()!r} is not a legal move here; legal are {', '.join(shown)}{more}"
            if names
            else f"{text.strip()!r} is not a legal move here; the game is over"
        )

    def parse_outcome(self, p: Words, text: str) -> int:
        """The outcome of the dice that ``text`` means here."""
        names = {self.move_text(p, outcome): outcome for outcome, _ in self.outcomes(p)}
        if text.strip() not in names:
            raise one_of(text.strip(), names, what="outcome of the dice")
        return names[text.strip()]

    def board(self, p: Words) -> list[str]:
        """Rows of text from top to bottom, '.' for an empty cell, else a letter of a player."""
        return []

    def view(self, p: Words) -> View:
        """The picture of a position as data. A game without a picture shows its words."""
        rows, status = self.board(p), self.status(p)
        if not rows and type(self).status is Face.status:
            status = f"{_readable(p)}; {status}"
        return view_of_rows(
            rows, self.letters, game=str(self), status=status,
            players=self.players,
            mover=int(self.mover(p)) if self.kind(p) == DECISION else None,
            actions=self.actions(p),
        )  # fmt: skip

    def actions(self, p: Words) -> tuple[Action, ...]:
        """The legal moves as paths over the cells of the view."""
        if self.kind(p) == SIMULTANEOUS:
            return tuple(
                Action(self.move_text(p, move), player=player)
                for player in (0, 1)
                for move in self.legal_moves(p, player)
            )
        if self.kind(p) != DECISION:
            return ()
        return tuple(Action(self.move_text(p, move)) for move in self.legal_moves(p))

    def status(self, p: Words) -> str:
        """One line for people: who is to move, or how the game ended."""
        kind = self.kind(p)
        if kind == CHANCE:
            return "the dice are thrown"
        if kind == SIMULTANEOUS:
            return "both choose"
        if kind == DECISION:
            return f"{self.players[self.mover(p)]} to move"
        points = float(self.result(p))
        if points == 0:
            why = self.ending(p)
            return f"draw: {why}" if why else "draw"
        worth = "" if abs(points) == 1 else f" with {abs(points):g} points"
        return f"{self.players[0 if points > 0 else 1]} wins{worth}"

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        """The position with other pieces on some cells of the view: the letter of a piece, one
        letter for each of a stack, or nothing for an empty cell; and, if it is given, another
        player to move."""
        raise PetteiaError(
            f"positions of {self.spec.name} cannot be edited piece by piece; write them as text"
        )

    def ending(self, p: Words) -> str:
        """Why a finished game ended as it did, where the rules know several ways; else empty."""
        return ""

    def other_texts(self, p: Words) -> dict[str, str]:
        """The position in other forms than ``text``, by the names of the forms."""
        return {}

    def foreign_text(self, records: Sequence[Record], suffix: str) -> str | None:
        """Games in a form that others keep them in, by the suffix of its files; None if unknown."""
        return None

    def foreign_games(self, text: str) -> Collection | None:
        """The games of a text in another program's format; None if it is not in one.

        A header ``Draw`` says why the game is a draw, where the text does.
        """
        return None


_LARGE = 1_000_000
"""Larger words are sets of bits rather than numbers."""


def _readable(p: Words) -> str:
    """The words of a position, large ones in hexadecimal."""
    return " ".join(str(int(word)) if word < _LARGE else f"{int(word):#x}" for word in p)
