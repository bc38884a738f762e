"""The board of the report's object model: cells, pieces, the board and the imaginary board.

See ``model.py``, which also has the players and the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

__all__ = ["Board", "Cell", "IBoard", "Piece"]

COLUMNS = "LMR"
ROWS = 8


class Cell:
    """A place of the board that can hold pieces; the start and the end hold any number."""

    type_chart: ClassVar[dict[str, str]] = {
        "L0": "rosette", "R0": "rosette", "L6": "rosette", "R6": "rosette",
        "M3": "peace rosette",
        "L4": "start", "R4": "start", "L5": "end", "R5": "end",
    }  # fmt: skip
    """What the special positions are; every other is plain."""

    def __init__(self, row: int, column: str, *, is_copy: bool = False) -> None:
        self.row = row
        """0 to 7."""
        self.column = column
        """L, M or R."""
        self.position = f"{column}{row}"
        self.contain: list[Piece] = []
        """The pieces that stand here."""
        self.is_copy = is_copy
        self.property = self.type_chart.get(self.position, "plain")

    def get_contain_piece(self) -> Piece | None:
        """The piece that stands here; the first of several."""
        return self.contain[0] if self.contain else None

    def remove_piece(self, tg_p: Piece) -> None:
        """Takes a piece away."""
        self.contain.remove(tg_p)

    def get_copy(self) -> Cell:
        """An empty copy of the cell for an imaginary board."""
        return Cell(self.row, self.column, is_copy=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cell):
            return NotImplemented
        return (self.position, self.is_copy) == (other.position, other.is_copy)

    def __hash__(self) -> int:
        return hash((self.position, self.is_copy))

    def __str__(self) -> str:
        return self.position

    def __repr__(self) -> str:
        return f"Cell({self.position}, {self.property}, {self.contain})"


class Piece:
    """One of a player's seven pieces."""

    can_capture: ClassVar[bool] = True
    """Whether pieces can be captured at all."""
    piece_num_arr: ClassVar[list[int]] = [0, 0]
    """How many pieces were made for each side without a number of their own."""

    def __init__(self, side: str, piece_num: int | None = None, *, is_copy: bool = False) -> None:
        self.side = side
        """L or R."""
        self.position: str | None = None
        """Where it stands."""
        self.is_copy = is_copy
        self.can_move = True
        """False once it has come to the end."""
        if piece_num is None:
            piece_num = self.piece_num_arr[self.side_num(side)] % 7
            self.piece_num_arr[self.side_num(side)] += 1
        self.piece_num = piece_num
        """0 to 6."""
        self.code = f"{side}{piece_num}"

    @staticmethod
    def side_num(side: str) -> int:
        """0 for L, 1 for R."""
        return 0 if side == "L" else 1

    def get_copy(self) -> Piece:
        """A copy for an imaginary board, at the same place."""
        copy = Piece(self.side, self.piece_num, is_copy=True)
        copy.position, copy.can_move = self.position, self.can_move
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Piece):
            return NotImplemented
        return (self.code, self.is_copy) == (other.code, other.is_copy)

    def __hash__(self) -> int:
        return hash((self.code, self.is_copy))

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"Piece({self.code} on {self.position})"


class Board:
    """The board with its cells and the pieces in play."""

    def __init__(self, pieces: Sequence[Piece] = ()) -> None:
        self.field = [[Cell(row, column) for column in COLUMNS] for row in range(ROWS)]
        """The cells by row and column."""
        self.in_game_ps = list(pieces)
        """All pieces, left's first."""
        for piece in self.in_game_ps:
            self.put(piece, self.get_start(piece.side))

    def put(self, piece: Piece, cell: Cell) -> None:
        """Takes a piece from where it stands and puts it onto a cell."""
        if piece.position is not None:
            here = self.get_cell(int(piece.position[1]), piece.position[0])
            if piece in here.contain:
                here.remove_piece(piece)
        cell.contain.append(piece)
        piece.position = cell.position
        piece.can_move = cell.property != "end"

    def get_field_info(self, limit: int = 7) -> list[tuple[str, str | None]]:
        """Code and position of all pieces whose number is less than ``limit``."""
        return [(p.code, p.position) for p in self.in_game_ps if p.piece_num < limit]

    def get_start(self, side: str) -> Cell:
        """The start of a side."""
        return self.get_cell(4, side)

    def get_end(self, side: str) -> Cell:
        """The end of a side."""
        return self.get_cell(5, side)

    @staticmethod
    def get_col_num(col: str) -> int:
        """0 for the left column, 1 for the middle, 2 for the right."""
        return COLUMNS.index(col)

    def get_cell(self, row: int, column: str) -> Cell:
        """The cell at a row and a column."""
        return self.field[row][self.get_col_num(column)]

    def next_cell(self, tg_cell: Cell, side: str) -> Cell | None:
        """The next cell on the side's way, or None after the end."""
        return self.n_step_next_cell(tg_cell, 1, self.get_path(side))

    def get_path(self, side: str) -> list[Cell]:
        """The way of a side from its start to its end, both included."""
        down = [(row, side) for row in (4, 3, 2, 1, 0)]
        middle = [(row, "M") for row in range(ROWS)]
        back = [(row, side) for row in (7, 6, 5)]
        return [self.get_cell(*place) for place in (*down, *middle, *back)]

    @staticmethod
    def n_step_next_cell(tg_cell: Cell, steps: int, path: Sequence[Cell]) -> Cell | None:
        """The cell this many steps further on a way; None where the way is shorter."""
        place = path.index(tg_cell) + steps
        return path[place] if place < len(path) else None

    def get_distance(self, cell_a: Cell, cell_b: Cell) -> int:
        """The steps between two cells on a way that passes both."""
        for side in "LR":
            path = self.get_path(side)
            if cell_a in path and cell_b in path:
                return abs(path.index(cell_a) - path.index(cell_b))
        raise ValueError(f"no side's way passes both {cell_a} and {cell_b}")

    def cell_of(self, piece: Piece) -> Cell:
        """The cell on which a piece stands."""
        assert piece.position is not None
        return self.get_cell(int(piece.position[1]), piece.position[0])

    def progress(self, piece: Piece) -> int:
        """How many steps a piece has gone: 0 at the start, 15 at the end."""
        return self.get_distance(self.get_start(piece.side), self.cell_of(piece))

    def destination(self, piece: Piece, step: int) -> Cell | None:
        """Where a piece would come with this many steps, or None."""
        return self.n_step_next_cell(self.cell_of(piece), step, self.get_path(piece.side))

    def is_allowed(self, piece: Piece, step: int) -> bool:
        """Whether the rules let a piece go this many steps."""
        cell = self.destination(piece, step) if step > 0 and piece.can_move else None
        if cell is None:
            return False
        there = cell.get_contain_piece()
        if there is None or cell.property == "end":
            return True
        return there.side != piece.side and cell.property != "peace rosette"

    def move_piece(self, tg_piece: Piece, step: int) -> Cell | None:
        """Moves a piece; a piece there goes back to its start.

        Gives the cell it has come to, or None if there is none so far ahead.
        """
        cell = self.destination(tg_piece, step)
        if cell is None:
            return None
        there = cell.get_contain_piece()
        if there is not None and cell.property != "end" and there.can_capture:
            self.put(there, self.get_start(there.side))
        self.put(tg_piece, cell)
        return cell

    def __str__(self) -> str:
        lines = []
        for row in self.field:
            cells = ["".join(piece.code for piece in cell.contain) or "." for cell in row]
            lines.append(" ".join(f"{text:>4}" for text in cells))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.get_field_info()})"


class IBoard(Board):
    """An imaginary board: what a player moves in its head. Cells and pieces are copies."""

    def __init__(
        self,
        original: Board,
        left_ps: Sequence[Piece] | None = None,
        right_ps: Sequence[Piece] | None = None,
    ) -> None:
        self.original = original
        """The board that is imagined."""
        own = original.in_game_ps
        lefts = [p for p in own if p.side == "L"] if left_ps is None else left_ps
        rights = [p for p in own if p.side == "R"] if right_ps is None else right_ps
        self.left_ps = [piece.get_copy() for piece in lefts]
        self.right_ps = [piece.get_copy() for piece in rights]
        self.pieces_dict = {"L": self.left_ps, "R": self.right_ps}
        self.in_game_ps = self.left_ps + self.right_ps
        self.field = [[cell.get_copy() for cell in row] for row in original.field]
        for piece in self.in_game_ps:
            self.cell_of(piece).contain.append(piece)

    def get_p_set(self, side: str) -> list[Piece]:
        """The pieces of a side."""
        return self.pieces_dict[side]

    def other_p_set(self, p_set: list[Piece]) -> list[Piece]:
        """The pieces of the opponent of those whose pieces are given."""
        return self.right_ps if p_set is self.left_ps else self.left_ps

    def get_piece(self, side: str, piece_num: int) -> Piece:
        """A piece by its side and number."""
        return next(p for p in self.get_p_set(side) if p.piece_num == piece_num)
