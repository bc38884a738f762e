"""What a board looks like: the view and the actions over its cells."""

from __future__ import annotations

from petteia.core.game import DECISION
from petteia.core.view import Action, Cell, Label, Piece, View
from petteia.core.words import Words
from petteia.games.checkers.face.notation import LETTERS, move_text
from petteia.games.checkers.face.paths import captures_of, way_of
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import bit_of, cell_of, number_at, squares_of

__all__ = ["actions", "view"]


def _cells() -> tuple[Cell, ...]:
    """Dark squares are named by their numbers, light ones as on a chess board."""
    cells = []
    for row in range(8):
        for column in range(8):
            number = number_at(row, column)
            name = f"{chr(97 + column)}{8 - row}" if number is None else str(number)
            mark = "dark" if number else "light"
            cells.append(Cell(name, (column, row), mark=mark, named=number is not None))
    return tuple(cells)


_CELLS = _cells()
_LABELS = tuple(Label(str(4 * row + 1), (-1, row)) for row in range(8)) + tuple(
    Label(str(4 * row + 4), (8, row)) for row in range(8)
)


def view(game: CheckersRules, p: Words, status: str) -> View:
    """The board, Black at the top; as text it has the numbers of each row's ends beside it."""
    pieces = []
    for owner in (0, 1):
        for number in squares_of(p[owner]):
            is_king = int(p[2]) >> bit_of(number) & 1
            letter = LETTERS[owner]
            pieces.append(
                Piece(
                    str(number),
                    owner,
                    letter.upper() if is_king else letter,
                    "king" if is_king else "man",
                )
            )
    legal = actions(game, p)
    captures = any(action.captures for action in legal)
    pieces.sort(key=lambda piece: cell_of(int(piece.cell)))
    return View(
        game=str(game), size=(8, 8), cells=_CELLS, pieces=tuple(pieces), labels=_LABELS,
        mover=int(game.mover(p)) if game.kind(p) == DECISION else None,
        status=status, actions=legal, players=game.players,
        forced="who can capture must capture" if captures else "",
    )  # fmt: skip


def actions(game: CheckersRules, p: Words) -> tuple[Action, ...]:
    """Every legal move with the squares that it touches and those that it empties."""
    if game.kind(p) != DECISION:
        return ()
    return tuple(
        Action(
            move_text(game, p, move),
            tuple(map(str, way_of(game, p, move))),
            tuple(map(str, captures_of(move))),
        )
        for move in game.legal_moves(p)
    )
