"""A position as a value: what a notebook holds and shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from petteia.core.drawing import svg, terminal
from petteia.core.game import DECISION, SIMULTANEOUS, TERMINAL, Game, Kind
from petteia.core.view import View
from petteia.core.words import Words

__all__ = ["Position"]


@dataclass(frozen=True)
class Position:
    """A position of a game, immutable.

    >>> from petteia import games, Position
    >>> start = Position.of(games.make("breakthrough"))
    >>> print(start.play("b2a3").play("a7a6"))
    pppppppp/1ppppppp/p7/8/8/P7/P1PPPPPP/PPPPPPPP w
    """

    game: Game
    words: Words

    @classmethod
    def of(cls, game: Game, text: str = "start") -> Position:
        """The position that a text writes; ``start`` is the initial one."""
        return cls(game, game.start() if text.strip() == "start" else game.parse(text))

    def __str__(self) -> str:
        return self.game.text(self.words)

    @property
    def kind(self) -> Kind:
        """What happens here."""
        return Kind(self.game.kind(self.words))

    @property
    def mover(self) -> int | None:
        """The player to move at a decision."""
        return int(self.game.mover(self.words)) if self.kind == DECISION else None

    @property
    def result(self) -> float | None:
        """The points of player 0 where the game is over."""
        return float(self.game.result(self.words)) if self.kind == TERMINAL else None

    def moves(self, player: int | None = None) -> list[str]:
        """The legal moves in notation."""
        if self.kind not in (DECISION, SIMULTANEOUS):
            return []
        legal = self.game.legal_moves(self.words, player)
        return [self.game.move_text(self.words, move) for move in legal]

    def play(self, move: str | int) -> Position:
        """The position after a move."""
        number = self.game.parse_move(self.words, move) if isinstance(move, str) else move
        return Position(self.game, self.game.play(self.words, number))

    def line_texts(self, line: Iterable[int]) -> list[str]:
        """A line of moves in notation, as far as one player after the other decides."""
        texts, position = list[str](), self
        for move in line:
            texts.append(self.game.move_text(position.words, move))
            position = position.play(move)
            if position.kind != DECISION:
                break
        return texts

    def view(self) -> View:
        """The picture as data."""
        return self.game.view(self.words)

    def svg(self) -> str:
        """The picture as an SVG document."""
        return svg.board(self.view())

    def draw(self) -> str:
        """The picture as plain text."""
        return terminal.board(self.view())

    def _repr_svg_(self) -> str:
        return self.svg()
