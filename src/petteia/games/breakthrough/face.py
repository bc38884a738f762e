"""How Breakthrough is written: FEN-like positions, algebraic moves, the report's ``7 1 R``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from petteia.core.errors import PetteiaError, one_of
from petteia.core.face import Face
from petteia.core.view import Action
from petteia.core.words import U, Words
from petteia.games.breakthrough.rules import BreakthroughRules

__all__ = [
    "edited", "move_text", "parse_position", "plain_move", "position_text", "rows_of",
    "square_name",
]  # fmt: skip

_LETTERS = "wb"
_REPORT_MOVE = re.compile(r"(\d{1,4})[\s,]+(\d{1,4})[\s,]+([LRUDF])", re.IGNORECASE)
_ALGEBRAIC = re.compile(r"([a-z]\d+)\s*[-x:]?\s*([a-z]\d+)", re.IGNORECASE)


def square_name(game: BreakthroughRules, square: int) -> str:
    """a1 is the left square of player 0's home row."""
    return _names(game.columns)[square]


@cache
def _names(columns: int) -> tuple[str, ...]:
    return tuple(f"{chr(97 + square % columns)}{square // columns + 1}" for square in range(64))


def rows_of(game: BreakthroughRules, p: Words, empty: str, white: str, black: str) -> list[str]:
    """The board as text, top row first."""
    rows = []
    for row in reversed(range(game.rows)):
        bits = [row * game.columns + column for column in range(game.columns)]
        rows.append(
            "".join(
                white if int(p[0]) >> bit & 1 else black if int(p[1]) >> bit & 1 else empty
                for bit in bits
            )
        )
    return rows


def position_text(game: BreakthroughRules, p: Words) -> str:
    """FEN: rows from the top, P white, p black, numbers for empty squares; then w or b."""
    rows = rows_of(game, p, ".", "P", "p")
    packed = [re.sub(r"\.+", lambda run: str(len(run.group())), row) for row in rows]
    return f"{'/'.join(packed)} {'wb'[int(p[2])]}"


def parse_position(game: BreakthroughRules, text: str) -> Words:
    """Reads a FEN; what stands after the side to move may be dashes and counters."""

    def bad(why: str) -> PetteiaError:
        return PetteiaError(f"bad position {text.strip()!r}: {why}")

    fields = text.split()
    if len(fields) < 2 or fields[1] not in ("w", "b"):
        example = position_text(game, game.start())
        raise bad(f"expected a board and w or b, for instance {example!r}")
    if any(not re.fullmatch(r"-|\d+", field) for field in fields[2:]):
        raise bad("after the side to move only dashes and counters may follow")
    rows = fields[0].split("/")
    if len(rows) != game.rows:
        raise bad(f"{len(rows)} rows, but the board has {game.rows}")
    white = black = 0
    for number, row in enumerate(rows):
        bit = (game.rows - 1 - number) * game.columns
        width = 0
        for token in re.findall(r"\d+|\D", row):
            if token.isdecimal() and token.isascii():
                width += min(int(token[:3]), 100)
            elif token in "Pp":
                if token == "P":
                    white |= 1 << (bit + width)
                else:
                    black |= 1 << (bit + width)
                width += 1
            else:
                raise bad(f"{token!r} in row {game.rows - number}; expected P, p or a number")
            if width > game.columns:
                break
        if width != game.columns:
            count = "more" if width > game.columns else "fewer"
            raise bad(f"row {game.rows - number} has {count} than {game.columns} squares")
    most = game.columns * game.filled
    for side, workers in (("white", white), ("black", black)):
        if workers.bit_count() > most:
            raise bad(f"{side} has {workers.bit_count()} workers, at most {most} are possible")
    p = (U(white), U(black), U("wb".index(fields[1])))
    ends = [
        (white & int(game.goals[0])).bit_count() >= game.workers,
        (black & int(game.goals[1])).bit_count() >= game.workers,
        white.bit_count() < game.workers,
        black.bit_count() < game.workers,
    ]
    if sum(ends) > 1:
        raise bad("the game would be over in two ways at once")
    return p


def edited(game: BreakthroughRules, p: Words, cells: Mapping[str, str], mover: int | None) -> Words:
    """The position with other workers on some squares; it must be one that can be written."""
    squares = {square_name(game, s): s for s in range(game.columns * game.rows)}
    boards = [int(p[0]), int(p[1])]
    for cell, letter in cells.items():
        if cell not in squares:
            raise one_of(cell, squares, what="square")
        if letter and letter not in _LETTERS:
            raise one_of(letter, _LETTERS, what="piece")
        for player in (0, 1):
            boards[player] &= ~(1 << squares[cell])
            boards[player] |= (letter == _LETTERS[player]) << squares[cell]
    side = int(p[2]) if mover is None else mover
    return parse_position(game, position_text(game, (U(boards[0]), U(boards[1]), U(side))))


def move_text(game: BreakthroughRules, p: Words, move: int) -> str:
    """``a2a3``, or ``a2xb3`` for a capture."""
    source, target = divmod(int(move), 64)
    enemy = int(p[0]) if p[2] else int(p[1])
    names = _names(game.columns)
    return f"{names[source]}{'x' if enemy >> target & 1 else ''}{names[target]}"


def plain_move(game: BreakthroughRules, p: Words, text: str) -> str:
    """A move in any accepted writing as ``move_text`` would write it, legal or not.

    The report's form is row, column and direction: rows count from the top and columns from the
    left, both from 1; L and R are the diagonals as seen on the picture, U (or D, F) is straight.
    """
    report = _REPORT_MOVE.fullmatch(text.strip())
    if report:
        row, column = game.rows - int(report[1]), int(report[2]) - 1
        aside = {"L": -1, "R": 1}.get(report[3].upper(), 0)
        ahead = 1 if int(p[2]) == 0 else -1
        cells = [(row, column), (row + ahead, column + aside)]
        if not all(0 <= r < game.rows and 0 <= c < game.columns for r, c in cells):
            raise PetteiaError(
                f"{text.strip()!r} leaves the board of {game.rows} rows and {game.columns} columns"
            )
        source, target = (r * game.columns + c for r, c in cells)
        return move_text(game, p, source * 64 + target)
    algebraic = _ALGEBRAIC.fullmatch(text.strip())
    if algebraic:
        squares = {square_name(game, s): s for s in range(game.columns * game.rows)}
        pair = [squares.get(name.lower()) for name in algebraic.groups()]
        if pair[0] is not None and pair[1] is not None:
            return move_text(game, p, pair[0] * 64 + pair[1])
    return text


class BreakthroughFace(BreakthroughRules, Face):
    """The rules with what people see and write of them."""

    letters = _LETTERS

    def text(self, p: Words) -> str:
        return position_text(self, p)

    def parse(self, text: str) -> Words:
        return parse_position(self, text)

    def move_text(self, p: Words, move: int) -> str:
        return move_text(self, p, move)

    def parse_move(self, p: Words, text: str, player: int | None = None) -> int:
        return super().parse_move(p, plain_move(self, p, text), player)

    def board(self, p: Words) -> list[str]:
        return rows_of(self, p, ".", *self.letters)

    def actions(self, p: Words) -> tuple[Action, ...]:
        found = []
        for move in self.legal_moves(p):
            text = move_text(self, p, move)
            source, target = (square_name(self, square) for square in divmod(move, 64))
            found.append(Action(text, (source, target), (target,) if "x" in text else ()))
        return tuple(found)

    def edited(self, p: Words, cells: Mapping[str, str], mover: int | None = None) -> Words:
        return edited(self, p, cells, mover)
