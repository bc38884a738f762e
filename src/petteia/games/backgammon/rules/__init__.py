"""The rules of backgammon as kernels.

A position is five words: the checkers of White and of Black, two words each and each in that
player's own numbering (see ``board``), and the state (see ``state``). Throws are chance nodes; a
move is a whole play (see ``plays``), or at the cube 0 to roll or to take, 1 to double or to drop,
2 to beaver.
"""

from __future__ import annotations

import numpy as np

from petteia.core.errors import PetteiaError, one_of
from petteia.core.rules import CHANCE, DECISION, TERMINAL, Rules, drawn_outcome
from petteia.core.words import U, Words
from petteia.games.backgammon.rules.board import (
    BAR,
    CHECKERS,
    checkers,
    occupied,
    put_on,
    taken_from,
)
from petteia.games.backgammon.rules.counting import count_plays, nth_play
from petteia.games.backgammon.rules.plays import ADDED, HITS, PLACE, all_plays
from petteia.games.backgammon.rules.state import (
    CENTRED,
    CRAWFORD,
    CUBE,
    FIRST,
    LARGEST_CUBE,
    LEVEL,
    MOVER,
    OPENING,
    OVER,
    OWNER,
    PHASE,
    PLAY,
    POINTS,
    ROLL,
    SCORES,
    SECOND,
    TAKE,
    WINNER,
    field,
    parts_of,
    state_of,
)

__all__ = ["BackgammonRules"]

_FAR = U(sum(1 << place for place in range(19, 26)))
"""The enemy's home board and the bar."""
_START = ((24, 2), (13, 5), (8, 3), (6, 5))
_LONGEST_MATCH = 64


def _throws(course: bool, opening: bool) -> tuple[np.ndarray, np.ndarray]:
    """The throws in the order of ``chances``, and their probabilities."""
    throws, odds = [], []
    for starter in range(2 if opening else 1):
        for first in range(6, 0, -1):
            # By the course rules the order of the dice matters to strategies.
            for second in range(6 if course else first, 0, -1):
                if opening and not course and first == second:
                    continue
                throws.append(starter << 6 | first << 3 | second)
                if course:
                    odds.append(1.0 / 72.0 if opening else 1.0 / 36.0)
                elif opening:
                    odds.append(1.0 / 30.0)
                else:
                    odds.append(1.0 / 36.0 if first == second else 1.0 / 18.0)
    return np.array(throws, np.int64), np.array(odds)


class BackgammonRules(Rules):
    """Backgammon by the official rules or by those of the course framework."""

    name = "backgammon"
    players = ("white", "black")

    def __init__(
        self,
        rules: str = "official",
        match: int = 0,
        cube: bool = False,
        crawford: bool = True,
        jacoby: bool = False,
        beaver: bool = False,
    ) -> None:
        if rules not in ("official", "course"):
            raise one_of(rules, ("official", "course"), what="rules of backgammon")
        if not 0 <= match <= _LONGEST_MATCH:
            raise PetteiaError(
                f"backgammon: match={match} is not possible; 0 for a single game, "
                f"or 1 to {_LONGEST_MATCH} points"
            )
        if rules == "course" and (match or cube):
            raise PetteiaError("backgammon: rules=course has neither a cube nor matches")
        if jacoby and (match or not cube):
            raise PetteiaError("backgammon: jacoby needs cube=true, and is not played in matches")
        if beaver and (match or not cube):
            raise PetteiaError("backgammon: beaver needs cube=true, and is not played in matches")
        self.rules = rules
        self.match = match
        self.cube = cube
        self.crawford = crawford
        self.jacoby = jacoby
        self.beaver = beaver
        self.course = rules == "course"
        # Fifteen checkers share at most four steps in C(18, 4) ways, with fewer steps in C(19, 4).
        self.max_moves = 3876 if self.course else 3060
        self.max_plies = 4000 if not match else 4000 * (2 * match - 1)
        self.most_points = 1.0 if match or self.course else 3.0 * (1 << LARGEST_CUBE if cube else 1)
        a = b = U(0)
        for place, count in _START:
            for _ in range(count):
                a, b = put_on(a, b, place)
        self.side_a, self.side_b = a, b
        self.rolls = _throws(self.course, opening=False)
        self.opening_rolls = _throws(self.course, opening=True)
        """Every throw with its probability, at the opening and later."""
        self.first_state = state_of(phase=OPENING, crawford=int(match == 1 and crawford), mover=0)

    # --- the kernels ---------------------------------------------------------------------------

    def start(self) -> Words:
        return (self.side_a, self.side_b, self.side_a, self.side_b, self.first_state)

    def perft_start(self) -> Words:
        """The board of the start with White on roll, whose 21 rolls all count."""
        return (*self.start()[:4], state_of(phase=ROLL))

    def kind(self, p: Words) -> int:
        phase = field(p[4], PHASE, 7)
        if phase <= ROLL:
            return CHANCE
        return TERMINAL if phase == OVER else DECISION

    def mover(self, p: Words) -> int:
        return field(p[4], MOVER, 1)

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        """A throw is first die * 8 + second; at the opening 64 more where Black begins."""
        opening = field(p[4], PHASE, 7) == OPENING
        throws, odds = self.opening_rolls if opening else self.rolls
        for i in range(len(throws)):
            out[at + i], prob[at + i] = throws[i], odds[i]
        return at + len(throws)

    def count_chances(self, p: Words, out: np.ndarray, prob: np.ndarray) -> int:
        return len(self.opening_rolls[0] if field(p[4], PHASE, 7) == OPENING else self.rolls[0])

    def chance_at(
        self, p: Words, unit: float, count: int, out: np.ndarray, prob: np.ndarray
    ) -> int:
        throws, odds = self.opening_rolls if field(p[4], PHASE, 7) == OPENING else self.rolls
        return throws[drawn_outcome(odds, count, unit)]

    def sides(self, p: Words) -> tuple[Words, Words]:
        """The mover's checkers and the other's."""
        return (p[:2], p[2:4]) if field(p[4], MOVER, 1) == 0 else (p[2:4], p[:2])

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        phase = field(p[4], PHASE, 7)
        if phase == PLAY:
            own, other = self.sides(p)
            first, second = field(p[4], FIRST, 7), field(p[4], SECOND, 7)
            return all_plays(self, own, other, first, second, out, at)
        options = 3 if phase == TAKE and self.beaver else 2
        for option in range(options):
            out[at + option] = option
        return at + options

    def count_moves(self, p: Words, out: np.ndarray) -> int:
        if self.course or field(p[4], PHASE, 7) != PLAY:
            return self.moves(p, out, 0)
        own, other = self.sides(p)
        return count_plays(self, own, other, field(p[4], FIRST, 7), field(p[4], SECOND, 7), out)

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        if self.course or field(p[4], PHASE, 7) != PLAY:
            return out[n]
        own, other = self.sides(p)
        first, second = field(p[4], FIRST, 7), field(p[4], SECOND, 7)
        return nth_play(self, own, other, first, second, n, out)

    def play(self, p: Words, move: int) -> Words:
        phase = field(p[4], PHASE, 7)
        if phase == PLAY:
            return self.after_play(p, move)
        state = p[4]
        if phase <= ROLL:
            if phase == OPENING:
                state |= U(move >> 6) << U(MOVER)
            dice = U(move >> 3 & 7) << U(FIRST) | U(move & 7) << U(SECOND)
            return (p[0], p[1], p[2], p[3], (state ^ U((phase ^ PLAY) << PHASE)) | dice)
        if phase == CUBE:
            if move == 0:
                return (p[0], p[1], p[2], p[3], state ^ U((CUBE ^ ROLL) << PHASE))
            return (p[0], p[1], p[2], p[3], state ^ U((CUBE ^ TAKE) << PHASE | 1 << MOVER))
        taker = field(state, MOVER, 1)
        if move == 1:
            return self.after_game(p, 1 - taker, 1)
        state += U(1 if move == 0 else 2) << U(LEVEL)
        state &= ~U(3 << OWNER)
        state |= U(taker) << U(OWNER)
        return (p[0], p[1], p[2], p[3], state ^ U((TAKE ^ ROLL) << PHASE | 1 << MOVER))

    def moved(self, p: Words, move: int) -> Words:
        """The checkers after a play, the state as it was."""
        white = field(p[4], MOVER, 1) == 0
        a, b = (p[0], p[1]) if white else (p[2], p[3])
        other_a, other_b = (p[2], p[3]) if white else (p[0], p[1])
        lost, gained, hits = move & 0xFFFFF, move >> ADDED & 0xFFFFF, move >> HITS
        while lost != 0:
            a, b = taken_from(a, b, lost & PLACE)
            lost >>= 5
        while gained != 0:
            a, b = put_on(a, b, gained & PLACE)
            gained >>= 5
        while hits != 0:
            other_a, other_b = taken_from(other_a, other_b, BAR - (hits & PLACE))
            other_a, other_b = put_on(other_a, other_b, BAR)
            hits >>= 5
        if white:
            return (a, b, other_a, other_b, p[4])
        return (other_a, other_b, a, b, p[4])

    def after_play(self, p: Words, move: int) -> Words:
        """The next turn, or the end of the game where the last checker went off."""
        q = self.moved(p, move)
        mover = field(p[4], MOVER, 1)
        if (q[0] | q[1] if mover == 0 else q[2] | q[3]) == U(0):
            return self.after_game(q, mover, self.worth(q, 1 - mover))
        state = p[4] & ~U(63 << FIRST)
        state ^= U((PLAY ^ ROLL) << PHASE | 1 << MOVER)
        if self.may_double(state, 1 - mover):
            state ^= U((ROLL ^ CUBE) << PHASE)
        return (q[0], q[1], q[2], q[3], state)

    def may_double(self, state: np.uint64, player: int) -> bool:
        """Whether a player on turn has access to the cube."""
        if not self.cube or field(state, CRAWFORD, 1) == 1:
            return False
        owner = field(state, OWNER, 3)
        return (owner in (CENTRED, player)) and field(state, LEVEL, 15) < LARGEST_CUBE

    def worth(self, p: Words, loser: int) -> int:
        """1, 2 for a gammon, 3 for a backgammon."""
        a, b = (p[0], p[1]) if loser == 0 else (p[2], p[3])
        if self.course or checkers(a, b) < CHECKERS:
            return 1
        return 3 if occupied(a, b) & _FAR != U(0) else 2

    def after_game(self, p: Words, winner: int, worth: int) -> Words:
        """The end, or in a match that goes on the next game."""
        state = p[4]
        if self.jacoby and field(state, LEVEL, 15) == 0:
            worth = 1
        points = worth << field(state, LEVEL, 15)
        over = U(OVER << PHASE) | U(winner) << U(WINNER) | U(winner) << U(MOVER)
        if self.match == 0:
            kept = state & U(0x7FFFFC00)
            return (p[0], p[1], p[2], p[3], kept | over | U(points) << U(POINTS))
        shift = SCORES + 7 * winner
        before = field(state, shift, 127)
        after = min(before + points, self.match)
        other = field(state, SCORES + 7 * (1 - winner), 127)
        scores = (state & U(0x3FFF << SCORES) & ~U(127 << shift)) | U(after) << U(shift)
        if after == self.match:
            kept = state & U((15 << LEVEL) | (3 << OWNER) | (1 << CRAWFORD))
            return (p[0], p[1], p[2], p[3], kept | scores | over | U(1) << U(POINTS))
        state = scores | U(CENTRED << OWNER) | U(OPENING << PHASE)
        near = self.match - 1
        if self.crawford and after == near and before < near and other < near:
            state |= U(1 << CRAWFORD)
        return (self.side_a, self.side_b, self.side_a, self.side_b, state)

    def result(self, p: Words) -> float:
        points = float(field(p[4], POINTS, 0xFFFF))
        return points if field(p[4], WINNER, 1) == 0 else -points

    def seen_by(self, p: Words, player: int) -> Words:
        """Its own checkers, the other's, and the state; the cube and the score from its side."""
        own, other = 2 * player, 2 - 2 * player
        owner = field(p[4], OWNER, 3)
        seat = U(owner) if owner == CENTRED or player == 0 else U(1 - owner)
        scores = U(field(p[4], SCORES + 7 * player, 127))
        scores |= U(field(p[4], SCORES + 7 - 7 * player, 127)) << U(7)
        state = p[4] & U(((1 << OWNER) - 1) ^ 1 | 1 << CRAWFORD)  # dice, phase, cube; not the mover
        state |= (seat << U(OWNER)) | (scores << U(SCORES))
        return (p[own], p[own + 1], p[other], p[other + 1], state)

    # --- not compiled --------------------------------------------------------------------------

    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        """The same with the players exchanged; everybody counts in his own numbering."""
        parts = parts_of(p[4])
        parts["mover"] ^= 1
        parts["white"], parts["black"] = parts["black"], parts["white"]
        if parts["owner"] != CENTRED:
            parts["owner"] ^= 1
        if parts["phase"] == OVER:
            parts["winner"] ^= 1
        elif parts["phase"] == OPENING:
            parts["mover"] = 0
        return [((p[2], p[3], p[0], p[1], state_of(**parts)), move)]
