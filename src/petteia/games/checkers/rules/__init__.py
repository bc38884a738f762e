"""The rules of English (ACF) checkers on bitboards.

A position is four words: the pieces of player 0 (Black, at the top, moving down, first to move),
those of player 1 (White), the kings of both, and the turn: bit 0 is the player to move, above it
stand the quiet plies so far, where a rule counts them. ``board.py`` says which bit is which
square.

A move is a whole turn, all jumps of a chain included; ``moves.py`` says how it is packed.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, signed, trailing_zeros
from petteia.core.errors import PetteiaError
from petteia.core.rules import DECISION, TERMINAL, Rules
from petteia.core.words import U, Words
from petteia.games.checkers.rules.board import ALL, BLACK_HOME, LAND, OVER, WHITE_HOME, turned
from petteia.games.checkers.rules.moves import (
    CAPTURES,
    CHAIN,
    Jumper,
    jumpers,
    steppers,
    write_chains,
    write_steps,
)

__all__ = ["CheckersRules"]


class CheckersRules(Rules):
    """English draughts: forced captures with free choice, short kings, crowning ends the move."""

    name = "checkers"
    players = ("black", "white")
    max_moves = 256

    def __init__(
        self,
        repetitions: int = 3,
        quiet_plies: int = 80,
        advances: bool = True,
        both_ways: bool = False,
    ) -> None:
        """The n-th ``repetitions`` of a position and ``quiet_plies`` in a row are draws, 0 for
        never; ``advances`` of men break quiet, as captures do; ``both_ways`` counts a king's
        circuit run in two directions as two moves."""
        if repetitions not in (0, 2, 3, 4, 5):
            raise PetteiaError(
                f"checkers: repetitions={repetitions} is not possible; 0 for never, or 2 to 5"
            )
        if not 0 <= quiet_plies <= 1000:
            raise PetteiaError(
                f"checkers: quiet_plies={quiet_plies} is not possible; 0 for never, up to 1000"
            )
        self.repetitions, self.quiet_plies = repetitions, quiet_plies
        self.advances, self.both_ways = advances, both_ways
        self.over, self.land = OVER, LAND
        self.squares = ALL
        self.homes = (BLACK_HOME, WHITE_HOME)
        # Without a draw rule a game need not end; random ones end soon enough.
        self.max_plies = 2000 if quiet_plies else 20000

    # --- kernels -------------------------------------------------------------------------------

    def start(self) -> Words:
        return (U(0x1EFF), U(0x7FBC00000), U(0), U(0))

    def kind(self, p: Words) -> int:
        if self.quiet_plies > 0 and signed(p[3] >> U(1)) >= self.quiet_plies:
            return TERMINAL
        return DECISION if self.can_move(p) else TERMINAL

    def mover(self, p: Words) -> int:
        return signed(p[3] & U(1))

    def result(self, p: Words) -> float:
        if self.can_move(p):  # then it is over because nothing has happened for too long
            return 0.0
        return 1.0 if p[3] & U(1) != U(0) else -1.0

    def identity(self, p: Words) -> Words:
        """The position without its counter: what counts as the same when it comes again."""
        return (p[0], p[1], p[2], p[3] & U(1))

    def remembered(self, p: Words) -> Words:
        """Without the counter until half of the quiet plies have passed: no search looks so far
        ahead that it would see the draw from there."""
        if signed(p[3] >> U(1)) >= self.quiet_plies // 2:
            return p
        return self.identity(p)

    def lookback(self, p: Words) -> int:
        if self.quiet_plies > 0 and self.advances:
            return signed(p[3] >> U(1))
        return 1 << 30

    def sides(self, p: Words) -> tuple[np.uint64, np.uint64]:
        """The pieces of the player to move, and of the other."""
        if p[3] & U(1) == U(0):
            return p[0], p[1]
        return p[1], p[0]

    def ways(self, p: Words, own: np.uint64) -> tuple[np.uint64, np.uint64]:
        """The mover's pieces that may go up, and those that may go down."""
        kings = own & p[2]
        if p[3] & U(1) == U(0):
            return kings, own
        return own, kings

    def can_move(self, p: Words) -> bool:
        """Whether the player to move has a move of any sort."""
        own, enemy = self.sides(p)
        up, down = self.ways(p, own)
        empty = self.squares & ~(own | enemy)
        if steppers(up, down, empty) != U(0):
            return True
        return jumpers(up, down, enemy, empty) != U(0)

    def must_jump(self, p: Words) -> bool:
        """Whether the player to move has a capture, which is then compulsory."""
        own, enemy = self.sides(p)
        up, down = self.ways(p, own)
        return jumpers(up, down, enemy, self.squares & ~(own | enemy)) != U(0)

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        """All captures, or, where there is none, all other moves; by square, and from each up
        left, up right, down left, down right."""
        own, enemy = self.sides(p)
        up, down = self.ways(p, own)
        empty = self.squares & ~(own | enemy)
        from_squares = jumpers(up, down, enemy, empty)
        if from_squares != U(0):
            first = at
            while from_squares != U(0):
                start = from_squares & (~from_squares + U(1))
                from_squares ^= start
                square = trailing_zeros(start)
                ways = (3 if up & start != U(0) else 0) | (12 if down & start != U(0) else 0)
                crown = U(0) if p[2] & start != U(0) else self.homes[0] | self.homes[1]
                jumper = Jumper(square, ways, empty | start, crown, first)
                at = write_chains(self, jumper, square, enemy, U(0), out, at)
            return at
        return write_steps(up, down, empty, out, at)

    def steps(self, p: Words, out: np.ndarray, at: int) -> int:
        """The moves that take nothing, whether or not a capture is compulsory."""
        own, enemy = self.sides(p)
        up, down = self.ways(p, own)
        return write_steps(up, down, self.squares & ~(own | enemy), out, at)

    def play(self, p: Words, move: int) -> Words:
        start, end = U(1) << U(move & 63), U(1) << U(move >> 6 & 63)
        taken = U(move >> CAPTURES) & self.squares
        is_king = p[2] & start != U(0)
        kings = p[2] & ~(taken | start)
        black_moves = p[3] & U(1) == U(0)
        if is_king or end & (self.homes[1] if black_moves else self.homes[0]) != U(0):
            kings |= end
        turn = U(1) if black_moves else U(0)
        if self.quiet_plies > 0 and taken == U(0) and (is_king or not self.advances):
            turn |= (p[3] >> U(1)) + U(1) << U(1)
        if black_moves:
            return (p[0] & ~start | end, p[1] & ~taken, kings, turn)
        return (p[0] & ~taken, p[1] & ~start | end, kings, turn)

    def priority(self, p: Words, move: int) -> int:
        """The longest captures, then crowning, then men before kings."""
        taken = U(move >> CAPTURES) & self.squares
        if taken != U(0):
            return 100 + popcount(taken)
        start, end = U(1) << U(move & 63), U(1) << U(move >> 6 & 63)
        if p[2] & start != U(0):
            return 0
        return 60 if end & (self.homes[0] | self.homes[1]) != U(0) else 1

    def restless(self, p: Words, beyond: int) -> bool:
        """A capture is compulsory, so that what stands on the board says little. At the depth
        itself the mover may also answer the threat of one."""
        return self.must_jump(p) or (beyond == 0 and self.is_threatened(p))

    def is_threatened(self, p: Words) -> bool:
        """Whether the other side could capture if it were its turn."""
        enemy, own = self.sides(p)
        kings = own & p[2]
        up, down = (own, kings) if p[3] & U(1) == U(0) else (kings, own)
        return jumpers(up, down, enemy, self.squares & ~(own | enemy)) != U(0)

    def seen_by(self, p: Words, player: int) -> Words:
        """Men and kings of one's own, then the enemy's; White's board is turned around."""
        if player == 0:
            return (p[0] & ~p[2], p[0] & p[2], p[1] & ~p[2], p[1] & p[2])
        own, enemy, kings = turned(p[1]), turned(p[0]), turned(p[2])
        return (own & ~kings, own & kings, enemy & ~kings, enemy & kings)

    # --- not compiled --------------------------------------------------------------------------

    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        """The board seen from the other side, with the colours exchanged."""
        start, end = 34 - (move & 63), 34 - (move >> 6 & 63)
        taken = int(turned(U(move >> CAPTURES) & ALL))
        same = start | end << 6 | taken << CAPTURES | move >> CHAIN << CHAIN
        return [((turned(p[1]), turned(p[0]), turned(p[2]), p[3] ^ U(1)), same)]
