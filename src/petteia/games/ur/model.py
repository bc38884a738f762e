"""The object model of the Project Ur report: cells, pieces, boards, players and the game.

It is the readable reference of the rules in ``rules.py`` and of the text's two strategies, and it
plays by itself:

    >>> from petteia.games.ur.model import Game
    >>> game = Game(seed=1)
    >>> game.play(game.strategy_massugu, game.strategy_ashikazu, depth_right=2)
    'R'

Names are the report's, in this language's usual spelling. Where the report's table of coordinates
puts the peace rosette on M4, its program and the real board have it on M3, and so has this.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import ClassVar

__all__ = ["Board", "Cell", "Game", "IBoard", "Piece", "Player", "Strategy"]

COLUMNS = "LMR"
ROWS = 8
DICE = 4

Utils = list[tuple[int, int]]
"""What moving each piece is worth: pairs of a utility and the piece's number."""


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
        """The cell so many steps further on a way; None where the way is shorter."""
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
        """Where a piece would come with so many steps, or None."""
        return self.n_step_next_cell(self.cell_of(piece), step, self.get_path(piece.side))

    def is_allowed(self, piece: Piece, step: int) -> bool:
        """Whether the rules let a piece go so many steps."""
        cell = self.destination(piece, step) if step > 0 and piece.can_move else None
        if cell is None:
            return False
        there = cell.get_contain_piece()
        if there is None or cell.property == "end":
            return True
        return there.side != piece.side and cell.property != "peace rosette"

    def move_piece(self, tg_piece: Piece, step: int) -> Cell | None:
        """Moves a piece; whoever stands there goes back to its start.

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


class Player:
    """Somebody who plays."""

    player_num: ClassVar[int] = 0
    """How many players were made."""

    def __init__(self, side: str, name: str = "nameless", pieces: Sequence[Piece] = ()) -> None:
        self.player_id = Player.player_num
        Player.player_num += 1
        self.name = name
        self.side = side
        self.pieces = list(pieces)

    def __str__(self) -> str:
        return f"{self.name} ({self.side})"


Strategy = Callable[[Player, IBoard, int, int], Utils]
"""Given the player, an imaginary board, the roll and a depth: what each piece's move is worth."""


class Game:
    """A game: a board, two players, the dice and the strategies."""

    def __init__(self, seed: int = 0, pieces: int = 7) -> None:
        self.p_array = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
        """The chance of every roll from 0 to 4."""
        sides = {side: [Piece(side, number) for number in range(pieces)] for side in "LR"}
        self.player1 = Player("L", pieces=sides["L"])
        self.player2 = Player("R", pieces=sides["R"])
        self.player_dict = {"L": self.player1, "R": self.player2}
        self.board = Board(sides["L"] + sides["R"])
        self.turns = 0
        """Times that the sides have alternated, the last turn included."""
        self._random = random.Random(seed)

    def roll_dice(self) -> int:
        """Throws four dice, each marked on two of its four corners."""
        return sum(self._random.randrange(2) for _ in range(DICE))

    def get_pieces(self, side: str) -> list[Piece]:
        """The pieces of a side."""
        return self.player_dict[side].pieces

    def get_piece(self, side: str, piece_num: int) -> Piece:
        """A piece by its side and number."""
        return next(p for p in self.get_pieces(side) if p.piece_num == piece_num)

    @staticmethod
    def opp_side(side: str) -> str:
        """The other side."""
        return "R" if side == "L" else "L"

    def other_player(self, side: str) -> Player:
        """The opponent of a side."""
        return self.player_dict[self.opp_side(side)]

    @staticmethod
    def piece_filter(side: str, curr_step: int, blackboard: IBoard) -> list[Piece]:
        """The pieces of a side that the rules let go so many steps."""
        return [p for p in blackboard.get_p_set(side) if blackboard.is_allowed(p, curr_step)]

    def select_move(self, util_arr: Utils, side: str) -> int | None:
        """The piece with the best utility; of equals the least advanced, then the lowest."""
        if not util_arr:
            return None

        def rank(entry: tuple[int, int]) -> tuple[int, int, int]:
            util, number = entry
            return (-util, self.board.progress(self.get_piece(side, number)), number)

        return min(util_arr, key=rank)[1]

    def victory_check(self, side: str) -> bool:
        """Whether all pieces of a side have come to its end."""
        return len(self.board.get_end(side).contain) == len(self.get_pieces(side))

    # --- strategies ------------------------------------------------------------------------------

    @staticmethod
    def captured_progress(board: Board, piece: Piece, step: int) -> int:
        """The progress of the opposing piece that a move would send back, or 0."""
        cell = board.destination(piece, step)
        there = cell.get_contain_piece() if cell is not None else None
        if cell is None or there is None or cell.property == "end":
            return 0
        return board.progress(there)

    def strategy_massugu(
        self, player: Player, blackboard: IBoard, curr_step: int, depth: int = 0
    ) -> Utils:
        """Straight ahead: how far the piece comes, and how far whom it captures had come."""
        return [
            (
                blackboard.progress(piece)
                + curr_step
                + self.captured_progress(blackboard, piece, curr_step),
                piece.piece_num,
            )
            for piece in self.piece_filter(player.side, curr_step, blackboard)
        ]

    def strategy_ashikazu(
        self, player: Player, blackboard: IBoard, curr_step: int, depth: int = 2
    ) -> Utils:
        """Steps made and sent back, own less the opponent's, over ``depth`` half-turns."""
        found = []
        for piece in self.piece_filter(player.side, curr_step, blackboard):
            imagined = IBoard(blackboard)
            total = curr_step + self.captured_progress(imagined, piece, curr_step)
            imagined.move_piece(imagined.get_piece(player.side, piece.piece_num), curr_step)
            side = player.side
            for _ in range(depth - 1):
                if all(not p.can_move for p in imagined.get_p_set(side)):
                    break  # the side that has just moved has won
                side = self.opp_side(side)
                best = self.best_unknown_step(imagined, side)
                if best is None:
                    break
                util, reply, step = best
                total += util if side == player.side else -util
                imagined.move_piece(reply, step)
            found.append((total, piece.piece_num))
        return found

    def best_unknown_step(self, board: IBoard, side: str) -> tuple[int, Piece, int] | None:
        """The most that a side can make of any roll from 1 to 4: utility, piece and steps."""
        options = [
            (-(step + self.captured_progress(board, piece, step)), piece.piece_num, step)
            for piece in board.get_p_set(side)
            for step in range(1, 5)
            if board.is_allowed(piece, step)
        ]
        if not options:
            return None
        util, number, step = min(options)
        return (-util, board.get_piece(side, number), step)

    # --- the course of a game --------------------------------------------------------------------

    def move(self, side: str, piece_num: int, step: int) -> bool:
        """Moves a piece on the real board; whether the side rolls again."""
        cell = self.board.move_piece(self.get_piece(side, piece_num), step)
        return cell is not None and "rosette" in cell.property

    def play(
        self,
        strategy_left: Strategy,
        strategy_right: Strategy,
        depth_left: int = 2,
        depth_right: int = 2,
    ) -> str:
        """Plays the game to its end and gives the winning side. Left begins."""
        ways = {"L": (strategy_left, depth_left), "R": (strategy_right, depth_right)}
        side = "L"
        while True:
            strategy, depth = ways[side]
            step = self.roll_dice()
            utils = strategy(self.player_dict[side], IBoard(self.board), step, depth)
            chosen = self.select_move(utils, side)
            again = chosen is not None and self.move(side, chosen, step)
            if self.victory_check(side):
                self.turns += 1
                return side
            if not again:
                self.turns += 1
                side = self.opp_side(side)
