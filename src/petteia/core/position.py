"""A position as a value: what a notebook holds and shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from petteia.core.drawing import svg, terminal
from petteia.core.errors import PetteiaError
from petteia.core.face import Face
from petteia.core.history import is_repeated, repetition_text
from petteia.core.rules import DECISION, SIMULTANEOUS, TERMINAL, Kind
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

    game: Face
    words: Words
    earlier: tuple[Words, ...] = field(default=(), repr=False, compare=False)
    """The positions before this one, kept where the rules look back."""

    @classmethod
    def of(cls, game: Face, text: str = "start") -> Position:
        """The position that a text writes; ``start`` is the initial one."""
        return cls(game, game.start() if text.strip() == "start" else game.parse(text))

    def __str__(self) -> str:
        return self.game.text(self.words)

    @classmethod
    def along(cls, game: Face, line: Sequence[Words]) -> list[Position]:
        """The positions of a line, each with those before it."""
        looks_back = bool(game.repetitions)
        return [
            cls(game, words, tuple(line[:number]) if looks_back else ())
            for number, words in enumerate(line)
        ]

    def then(self, words: Words) -> Position:
        """The position that followed this one."""
        return Position(
            self.game, words, (*self.earlier, self.words) if self.game.repetitions else ()
        )

    @property
    def is_repeated(self) -> bool:
        """Whether it is a draw because it stood before."""
        return is_repeated(self.game, self.earlier, self.words)

    @property
    def kind(self) -> Kind:
        """What happens here."""
        kind = Kind(self.game.kind(self.words))
        return Kind.TERMINAL if kind != TERMINAL and self.is_repeated else kind

    @property
    def mover(self) -> int | None:
        """The player to move at a decision."""
        return int(self.game.mover(self.words)) if self.kind == DECISION else None

    @property
    def result(self) -> float | None:
        """The points of player 0 where the game is over."""
        if self.game.kind(self.words) == TERMINAL:
            return float(self.game.result(self.words))
        return 0.0 if self.is_repeated else None

    @property
    def status(self) -> str:
        """One line for people: who is to move, or how the game ended."""
        over = self.game.kind(self.words) != TERMINAL and self.is_repeated
        return repetition_text(self.game) if over else self.game.status(self.words)

    def moves(self, player: int | None = None) -> list[str]:
        """The legal moves in notation."""
        if self.kind not in (DECISION, SIMULTANEOUS):
            return []
        legal = self.game.legal_moves(self.words, player)
        return [self.game.move_text(self.words, move) for move in legal]

    def play(self, move: str | int) -> Position:
        """The position after a move."""
        if self.kind == SIMULTANEOUS:
            raise PetteiaError(f"both choose here; expected two moves such as a|b, found {move!r}")
        number = self.game.parse_move(self.words, move) if isinstance(move, str) else move
        return self.then(self.game.play(self.words, number))

    def play_both(self, first: str | int, second: str | int) -> Position:
        """The position after both players' moves."""
        moves = [
            self.game.parse_move(self.words, move, player) if isinstance(move, str) else move
            for player, move in enumerate((first, second))
        ]
        return self.then(self.game.play_both(self.words, moves[0], moves[1]))

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
        view = self.game.view(self.words)
        if self.game.kind(self.words) != TERMINAL and self.is_repeated:
            return replace(view, status=self.status, mover=None, actions=())
        return view

    def svg(self) -> str:
        """The picture as an SVG document."""
        return svg.board(self.view())

    def draw(self) -> str:
        """The picture as plain text."""
        return terminal.board(self.view())

    def _repr_svg_(self) -> str:
        return self.svg()
