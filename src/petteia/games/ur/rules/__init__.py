"""The rules of the Royal Game of Ur.

A position is two words. The first holds, for each side, the squares of its own path on which it
has pieces (bit k for square k, counted from 1), then its pieces home, then the turn:

    bits 0-19   light: squares 1 to 16 in bits 1-16, pieces home in bits 17-19
    bits 20-39  dark, the same
    bit 40      the side to roll or to move: 0 light, 1 dark
    bits 41-43  the roll plus one; 0 while the dice are still to be thrown

Pieces in hand are those that are missing. The second word is 0, or says which of the numbered
pieces of Project Ur stands where: four bits of progress for each of light's seven pieces, then for
each of dark's, and bit 63.

A move is the square from which a piece goes, 0 from the hand, plus 32 times one more than the
piece's number where pieces have numbers; 31 is a pass. An outcome of the dice is the roll.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import nth_bit, popcount, signed, trailing_zeros
from petteia.core.errors import PetteiaError, one_of
from petteia.core.rules import CHANCE, DECISION, TERMINAL, Rules
from petteia.core.words import U, Words
from petteia.games.ur.rules.rule_sets import RULE_SETS

__all__ = ["PASS", "UrRules"]

PASS = 31
_HALF = U(20)
_SIDE = U(0xFFFFF)
_NUMBERED = U(1 << 63)


class UrRules(Rules):
    """The Royal Game of Ur by four rule sets, with one to seven pieces a side."""

    name = "ur"
    players = ("light", "dark")
    max_moves = 8
    max_plies = 20_000

    def __init__(self, pieces: int = 0, rules: str = "finkel", dice: int = 0) -> None:
        """``pieces`` a side and the number of ``dice``: 0 means as many as the rule set has."""
        if rules not in RULE_SETS:
            raise one_of(rules, RULE_SETS, what="rule set of ur")
        found = RULE_SETS[rules]
        if not 0 <= pieces <= 7:
            raise PetteiaError(f"ur: pieces={pieces} is not possible; 1 to 7")
        if dice not in (0, 3, 4):
            raise PetteiaError(f"ur: dice={dice} is not possible; 3 (where no mark counts 4) or 4")
        self.rules = rules
        self.pieces = 0 if pieces == found.pieces else pieces
        self.dice = 0 if dice == found.dice else dice
        self.rule_set = found
        self.count = pieces or found.pieces
        """Pieces a side."""
        self.dice_count = dice or found.dice
        self.squares = len(found.path)
        """The length of the path; the square after the last is home."""
        self.meets = found.meets
        self.chance = found.chances(self.dice_count)
        self.rosettes = U(sum(1 << n for n in found.rosette_squares))
        shared = sum(1 << n for n, other in enumerate(found.meets) if other)
        self.safe = U(int(self.rosettes) & shared) if found.safe else U(0)
        """The shared squares on which nobody can be captured."""
        self.open_squares = U(
            (2 ** (self.squares + 2) - 2) ^ sum(1 << n for n in found.closed_squares)
        )
        """The squares on which one may land, home included."""
        self.on_board = U(2 ** (self.squares + 1) - 2)
        self.capture_rolls = found.capture_rolls
        self.numbered = rules == "project-ur"
        """Whether games start with numbered pieces."""

    # --- kernels -------------------------------------------------------------------------------

    def start(self) -> Words:
        return (U(0), _NUMBERED if self.numbered else U(0))

    def side(self, p: Words, player: int) -> np.uint64:
        """The squares and the pieces home of a player."""
        return (p[0] >> (_HALF * U(player))) & _SIDE

    def home(self, p: Words, player: int) -> int:
        """How many of a player's pieces are home."""
        return signed((p[0] >> (_HALF * U(player) + U(17))) & U(7))

    def hand(self, p: Words, player: int) -> int:
        """How many of a player's pieces wait to enter."""
        return self.count - self.home(p, player) - popcount(self.side(p, player) & self.on_board)

    def roll(self, p: Words) -> int:
        """What the dice show, or -1 before they are thrown."""
        return signed((p[0] >> U(41)) & U(7)) - 1

    def kind(self, p: Words) -> int:
        if self.home(p, 0) == self.count or self.home(p, 1) == self.count:
            return TERMINAL
        return CHANCE if p[0] >> U(41) == U(0) else DECISION

    def mover(self, p: Words) -> int:
        return signed((p[0] >> U(40)) & U(1))

    def result(self, p: Words) -> float:
        return 1.0 if self.home(p, 0) == self.count else -1.0

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        for roll in range(5):
            if self.chance[roll] > 0.0:
                out[at] = roll
                prob[at] = self.chance[roll]
                at += 1
        return at

    def count_chances(self, p: Words, out: np.ndarray, prob: np.ndarray) -> int:
        return 5 if self.chance[0] > 0.0 else 4

    def chance_at(
        self, p: Words, unit: float, count: int, out: np.ndarray, prob: np.ndarray
    ) -> int:
        for roll in range(4):
            unit -= self.chance[roll]
            if unit < 0.0:
                return roll
        return 4

    def targets(self, p: Words) -> np.uint64:
        """The squares on which the mover can land, home included."""
        roll = (p[0] >> U(41)) & U(7)
        if roll < U(2):
            return U(0)
        player = self.mover(p)
        own = self.side(p, player) & self.on_board
        walkers = own | (U(1) if self.hand(p, player) > 0 else U(0))
        blocked = own | (self.side(p, 1 - player) & self.safe)
        return (walkers << (roll - U(1))) & self.open_squares & ~blocked

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        targets = self.targets(p)
        if targets == U(0):
            out[at] = PASS
            return at + 1
        sources = targets >> ((p[0] >> U(41)) - U(1))
        if p[1] != U(0):
            return self.numbered_moves(p, sources, out, at)
        while sources != U(0):
            out[at] = trailing_zeros(sources)
            at += 1
            sources &= sources - U(1)
        return at

    def count_moves(self, p: Words, out: np.ndarray) -> int:
        if p[1] != U(0):
            return self.moves(p, out, 0)
        targets = self.targets(p)
        return 1 if targets == U(0) else popcount(targets)

    def nth_move(self, p: Words, n: int, out: np.ndarray) -> int:
        if p[1] != U(0):
            return out[n]
        targets = self.targets(p)
        if targets == U(0):
            return PASS
        return nth_bit(targets, n) - self.roll(p)

    def numbered_moves(self, p: Words, sources: np.uint64, out: np.ndarray, at: int) -> int:
        """One move for every numbered piece that can go."""
        places = p[1] >> (U(28) * U(self.mover(p)))
        for number in range(self.count):
            place = (places >> U(4 * number)) & U(15)
            if (sources >> place) & U(1) != U(0):
                out[at] = 32 * (number + 1) + signed(place)
                at += 1
        return at

    def play(self, p: Words, move: int) -> Words:
        board, names = p[0], p[1]
        if board >> U(41) == U(0):
            return (board | (U(move + 1) << U(41)), names)
        roll = (board >> U(41)) - U(1)
        board &= U(2**41 - 1)
        turn = U(1) << U(40)
        if move == PASS:
            return (board ^ turn, names)
        player = self.mover(p)
        shift, other = _HALF * U(player), _HALF * U(1 - player)
        source = U(move & 31)
        target = source + roll
        if source != U(0):
            board ^= U(1) << (source + shift)
        again = (self.rosettes >> target) & U(1) != U(0)
        if names != U(0):
            names = self.renamed(names, player, move >> 5, target)
        if target > U(self.squares):
            board += U(1) << (U(17) + shift)
        else:
            board |= U(1) << (target + shift)
            meets = self.meets[signed(target)]
            if meets > 0:
                victim = U(1) << (U(meets) + other)
                if board & victim != U(0):
                    board ^= victim
                    again = again or self.capture_rolls
        return (board if again else board ^ turn, names)

    def renamed(self, names: np.uint64, player: int, piece: int, target: np.uint64) -> np.uint64:
        """The second word after a numbered piece (counted from 1) has gone to a square."""
        place = U(28 * player + 4 * (piece - 1))
        names = (names & ~(U(15) << place)) | (target << place)
        if target <= U(self.squares) and self.meets[signed(target)] > 0:
            for number in range(self.count):
                place = U(28 * (1 - player) + 4 * number)
                if (names >> place) & U(15) == target:
                    names &= ~(U(15) << place)
        return names

    def priority(self, p: Words, move: int) -> int:
        """Captures first, then rosettes, then the most advanced piece."""
        if move == PASS:
            return 0
        target = (move & 31) + self.roll(p)
        if target > self.squares:
            return 90 + target
        meets = self.meets[target]
        if meets > 0 and (self.side(p, 1 - self.mover(p)) >> U(meets)) & U(1) != U(0):
            return 100 + meets
        if (self.rosettes >> U(target)) & U(1) != U(0):
            return 80 + target
        return target

    def seen_by(self, p: Words, player: int) -> Words:
        own, other = self.side(p, player), self.side(p, 1 - player)
        return (own | (other << _HALF) | ((p[0] >> U(41)) << U(41)), U(0))

    # --- not compiled --------------------------------------------------------------------------

    def symmetries(self, p: Words, move: int) -> list[tuple[Words, int]]:
        """Light and dark exchanged."""
        word, names = int(p[0]), int(p[1])
        turned = word >> 40 << 40 ^ 1 << 40 | (word & 0xFFFFF) << 20 | word >> 20 & 0xFFFFF
        low = 2**28 - 1
        if names:
            names = 1 << 63 | (names & low) << 28 | names >> 28 & low
        return [((U(turned), U(names)), move)]
