"""The object model of the Project Ur report: cells, pieces, boards, players and the game.

It is the readable reference of the rules in ``rules.py`` and of the text's two strategies, and it
plays by itself:

    >>> from petteia.games.ur.report.model import Game
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

from petteia.games.ur.report.model_board import Board, Cell, IBoard, Piece

__all__ = ["Board", "Cell", "Game", "IBoard", "Piece", "Player", "Strategy"]

DICE = 4

Utils = list[tuple[int, int]]
"""What moving each piece is worth: pairs of a utility and the piece's number."""


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
        """The pieces of a side that the rules let go this many steps."""
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
