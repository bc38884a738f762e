"""The rules of Breakthrough on bitboards.

A position is three words: the workers of player 0 (white, at the bottom, moving up), those of
player 1 (black), and the player to move. Square a1 is bit 0, b1 bit 1, and so on row by row. A
move is ``from * 64 + to``.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import bit_reverse, nth_bit, popcount, signed, trailing_zeros
from petteia.core.errors import PetteiaError
from petteia.core.rules import DECISION, TERMINAL, Rules
from petteia.core.words import U, Words
from petteia.games.breakthrough.rules.masks import (
    bands,
    home_guards,
    square_table,
    weight_planes,
    wings,
)
from petteia.games.breakthrough.rules.patterns import pattern_table
from petteia.games.breakthrough.rules.races import cones, forced_end, ways

__all__ = ["BreakthroughRules"]


class BreakthroughRules(Rules):
    """Breakthrough on up to 64 squares, with the variants of the course report."""

    name = "breakthrough"
    players = ("white", "black")
    late_moves = (10, 16, 24)
    max_plies = 512

    def __init__(
        self, columns: int = 8, rows: int = 8, filled: int = 2, workers: int = 1, first: int = 0
    ) -> None:
        """``filled`` home rows a side; ``workers`` arrivals win; player ``first`` starts."""
        if not (columns >= 2 and rows >= 3 and columns * rows <= 64):
            raise PetteiaError(
                f"breakthrough: a board of {columns} columns x {rows} rows is not possible; "
                "at least 2 columns, 3 rows, and at most 64 squares"
            )
        if not 1 <= filled <= rows // 2:
            raise PetteiaError(
                f"breakthrough: filled={filled} is not possible with {rows} rows; "
                f"1 to {rows // 2} home rows a side"
            )
        if not 1 <= workers <= columns:
            raise PetteiaError(
                f"breakthrough: workers={workers} is not possible; 1 to {columns} fit on a row"
            )
        if first not in (0, 1):
            raise PetteiaError(f"breakthrough: first={first} is not possible; 0 or 1")
        self.columns, self.rows, self.filled = columns, rows, filled
        self.workers, self.first = workers, first

        row = 2**columns - 1
        every_row = sum(1 << (columns * r) for r in range(rows))
        squares = 2 ** (columns * rows) - 1
        self.homes = (
            U(2 ** (columns * filled) - 1),
            U(squares ^ (2 ** (columns * (rows - filled)) - 1)),
        )
        self.goals = (U(row << (columns * (rows - 1))), U(row))
        """The row on which each player's workers arrive."""
        self.thresholds = (U(row << (columns * (rows - 2))), U(row << columns))
        """The row before it: a worker there arrives with its next move."""
        lower = 2 ** (columns * (rows // 2)) - 1
        upper = squares ^ (2 ** (columns * ((rows + 1) // 2)) - 1)
        self.halves = (U(upper), U(lower))
        """The far half of the board for each player; a middle row belongs to neither."""
        self.squares = U(squares)
        self.not_left = U(squares ^ every_row)
        self.not_right = U(squares ^ (every_row << (columns - 1)))
        self.row_planes = weight_planes([r for r in range(rows) for _ in range(columns)], 5)
        """Masks whose weighted counts add up the rows of the workers on them."""
        table = square_table(columns, rows)
        flipped = [value for r in reversed(range(rows)) for value in table[r]]
        self.lorentz_planes = (
            weight_planes([value for line in table for value in line], 6),
            weight_planes(flipped, 6),
        )
        self.bands, self.home_guards = bands(columns, rows), home_guards(columns, rows)
        self.wings = wings(columns, rows)
        near = rows // 2 + 1
        self.fields = (
            U(squares ^ (2 ** (columns * (rows - near)) - 1)),
            U(2 ** (columns * near) - 1),
        )
        """The rows from which each player's workers may be runners."""
        self.cones, self.ways = cones(columns, rows), ways(columns, rows)
        self.patterns = pattern_table(columns)
        self.max_moves = 3 * max(1, columns * filled) + 3

    # --- kernels -------------------------------------------------------------------------------

    def start(self) -> Words:
        return (self.homes[0], self.homes[1], U(self.first))

    def kind(self, p: Words) -> int:
        if self.workers == 1:
            over = ((p[0] & self.goals[0]) | (p[1] & self.goals[1])) != U(0)
            return TERMINAL if over or p[0] == U(0) or p[1] == U(0) else DECISION
        if self.winner(p) >= 0:
            return TERMINAL
        straight, left, right = self.targets(p)
        return DECISION if (straight | left | right) != U(0) else TERMINAL

    def mover(self, p: Words) -> int:
        return signed(p[2])

    def winner(self, p: Words) -> int:
        """The player who has arrived or whose enemy has too few workers left, else -1."""
        if popcount(p[0] & self.goals[0]) >= self.workers or popcount(p[1]) < self.workers:
            return 0
        if popcount(p[1] & self.goals[1]) >= self.workers or popcount(p[0]) < self.workers:
            return 1
        return -1

    def targets(self, p: Words) -> tuple[np.uint64, np.uint64, np.uint64]:
        """Where the mover's workers can go: straight ahead, and diagonally to either side."""
        free = self.squares & ~(p[0] | p[1])
        if p[2] == U(0):
            own = p[0]
            straight = (own << U(self.columns)) & free
            left = ((own & self.not_left) << U(self.columns - 1)) & self.squares & ~own
            right = ((own & self.not_right) << U(self.columns + 1)) & self.squares & ~own
        else:
            own = p[1]
            straight = (own >> U(self.columns)) & free
            left = ((own & self.not_left) >> U(self.columns + 1)) & ~own
            right = ((own & self.not_right) >> U(self.columns - 1)) & ~own
        return straight, left, right

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        straight, left, right = self.targets(p)
        if p[2] == U(0):
            at = _moves_to(left, self.columns - 1, out, at)
            at = _moves_to(straight, self.columns, out, at)
            return _moves_to(right, self.columns + 1, out, at)
        at = _moves_to(left, -self.columns - 1, out, at)
        at = _moves_to(straight, -self.columns, out, at)
        return _moves_to(right, 1 - self.columns, out, at)

    def count_moves(self, p: Words, out: np.ndarray) -> int:
        straight, left, right = self.targets(p)
        return popcount(straight) + popcount(left) + popcount(right)

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        straight, left, right = self.targets(p)
        ahead = self.columns if p[2] == U(0) else -self.columns
        before, until = popcount(left), popcount(left) + popcount(straight)
        targets, step = left, ahead - 1
        if n >= until:
            targets, step = right, ahead + 1
            n -= until
        elif n >= before:
            targets, step = straight, ahead
            n -= before
        target = nth_bit(targets, n)
        return (target - step) * 64 + target

    def play(self, p: Words, move: int) -> Words:
        source, target = U(1) << U(move >> 6), U(1) << U(move & 63)
        if p[2] == U(0):
            return ((p[0] ^ source) | target, p[1] & ~target, U(1))
        return (p[0] & ~target, (p[1] ^ source) | target, U(0))

    def result(self, p: Words) -> float:
        winner = self.winner(p)
        if winner < 0:  # the mover cannot move, and loses
            winner = 1 - signed(p[2])
        return 1.0 if winner == 0 else -1.0

    def advance(self, square: int, player: int) -> int:
        """How many rows a worker of the player on this square has advanced."""
        row = square // self.columns
        return row if player == 0 else self.rows - 1 - row

    def priority(self, p: Words, move: int) -> int:
        player = signed(p[2])
        target = move & 63
        enemy = p[1] if player == 0 else p[0]
        far = self.advance(target, player)
        if far == self.rows - 1 and self.workers == 1:
            return 1000
        if (enemy >> U(target)) & U(1) != U(0):
            return 100 + 8 * (self.rows - 1 - far)
        return far

    def noisy_moves(self, p: Words, out: np.ndarray, at: int) -> int:
        """Captures of workers that are past the middle or stand without support."""
        _, left, right = self.targets(p)
        if p[2] == U(0):
            victims = p[1] & (self.halves[1] | ~self.guarded(p[1], 1))
            at = _moves_to(left & victims, self.columns - 1, out, at)
            return _moves_to(right & victims, self.columns + 1, out, at)
        victims = p[0] & (self.halves[0] | ~self.guarded(p[0], 0))
        at = _moves_to(left & victims, -self.columns - 1, out, at)
        return _moves_to(right & victims, 1 - self.columns, out, at)

    def guarded(self, workers: np.uint64, player: int) -> np.uint64:
        """The squares on which the player could take back."""
        if player == 0:
            return ((workers & self.not_left) << U(self.columns - 1)) | (
                (workers & self.not_right) << U(self.columns + 1)
            )
        return ((workers & self.not_left) >> U(self.columns + 1)) | (
            (workers & self.not_right) >> U(self.columns - 1)
        )

    def forced(self, p: Words) -> int:
        """Arrivals, threats that stand, and races that are won; see ``races``."""
        return forced_end(self, p) if self.workers == 1 else 0

    def seen_by(self, p: Words, player: int) -> Words:
        """Own workers, then the enemy's; Black's board is turned around."""
        if player == 0:
            return (p[0], p[1])
        unused = U(64 - self.columns * self.rows)
        return (bit_reverse(p[1]) >> unused, bit_reverse(p[0]) >> unused)

    # --- not compiled --------------------------------------------------------------------------

    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        """The board seen in a mirror, and with the colours exchanged."""
        c, size = self.columns, self.columns * self.rows
        mirror = [s - s % c + c - 1 - s % c for s in range(size)]
        turned = [(self.rows - 1 - s // c) * c + s % c for s in range(size)]
        source, target = divmod(move, 64)
        return [
            (
                (_moved(p[0], mirror), _moved(p[1], mirror), p[2]),
                mirror[source] * 64 + mirror[target],
            ),
            (
                (_moved(p[1], turned), _moved(p[0], turned), U(1) - p[2]),
                turned[source] * 64 + turned[target],
            ),
        ]


def _moves_to(targets: np.uint64, step: int, out: np.ndarray, at: int) -> int:
    """Writes one move for every target square, each from ``step`` squares before."""
    while targets != U(0):
        target = trailing_zeros(targets)
        out[at] = (target - step) * 64 + target
        at += 1
        targets &= targets - U(1)
    return at


def _moved(board: np.uint64, to: list[int]) -> np.uint64:
    return U(sum(1 << to[square] for square in range(len(to)) if int(board) >> square & 1))
