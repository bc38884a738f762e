"""The rules of RoPaSci 360 on bitboards.

A position is eleven words. Two hold the symbol on every hex, as two bits of its code: 1 rock,
2 paper, 3 scissors; after the battles of a turn a hex has one symbol at most. Four planes a player
hold how many tokens the player has on every hex, as the bits of the count. The last word holds the
throws made by both players and the turns played.

A move is ``from * 64 + to``; a throw comes from the number 60 + the symbol's code.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import bit_reverse, nth_bit, popcount, signed, trailing_zeros
from petteia.core.errors import PetteiaError
from petteia.core.rules import SIMULTANEOUS, TERMINAL, Rules
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import symmetry
from petteia.games.ropasci.rules.hexes import NEARNESS, NEIGHBOURS, zone

__all__ = [
    "BOTH_EMPTY", "BOTH_INVINCIBLE", "LOWER_WINS", "PASS", "TURN_LIMIT", "UPPER_WINS",
    "RoPaSciRules", "symbols", "tokens",
]  # fmt: skip

PASS = -1
"""Doing nothing. No player may, but an evaluation may ask what a move does on its own."""

UPPER_WINS, LOWER_WINS, BOTH_EMPTY, BOTH_INVINCIBLE, TURN_LIMIT = 1, 2, 3, 4, 5

# The symbol that survives where the symbols of a set meet; the set's bit k stands for code k.
_SURVIVORS = {2: 1, 4: 2, 8: 3, 2 | 4: 2, 2 | 8: 1, 4 | 8: 3, 2 | 4 | 8: 0}
_SURVIVOR = U(sum(code << 2 * present for present, code in _SURVIVORS.items()))

Planes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


class RoPaSciRules(Rules):
    """RoPaSci 360: rock, paper, scissors on hexes, both players at the same time."""

    name = "ropasci"
    players = ("upper", "lower")
    max_moves = 327
    max_plies = 361

    def __init__(self, throws: int = 9, turns: int = 360, repetitions: int = 3) -> None:
        """``throws`` a player; a draw after so many ``turns``, and when a position has occurred
        so often (``repetitions=0``: never)."""
        if not 1 <= throws <= 9:
            raise PetteiaError(f"ropasci: throws={throws} is not possible; 1 to 9")
        if not 1 <= turns <= 10_000:
            raise PetteiaError(f"ropasci: turns={turns} is not possible; 1 to 10000")
        if repetitions not in (0, *range(2, 10)):
            raise PetteiaError(
                f"ropasci: repetitions={repetitions} is not possible; 2 to 9, or 0 for no such rule"
            )
        self.throws, self.turns, self.repetitions = throws, turns, repetitions
        self.max_plies = turns + 1
        self.neighbours = NEIGHBOURS
        self.nearness = NEARNESS
        self.zones = np.array(
            [zone(player, thrown) for player in (0, 1) for thrown in range(10)], np.uint64
        )
        """Throw zones: of player k after t throws at ``10 * k + t``."""

    # --- kernels -------------------------------------------------------------------------------

    def start(self) -> Words:
        zero = U(0)
        return (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)

    def kind(self, p: Words) -> int:
        return SIMULTANEOUS if self.end_of(p) == 0 else TERMINAL

    def thrown(self, p: Words, player: int) -> int:
        """How many throws a player has made."""
        return signed((p[10] >> U(4 * player)) & U(15))

    def turn(self, p: Words) -> int:
        """How many turns were played."""
        return signed(p[10] >> U(8))

    def end_of(self, p: Words) -> int:
        """How the game ended, or 0: the first of the rules' conditions that holds."""
        upper_spent = self.thrown(p, 0) == self.throws
        lower_spent = self.thrown(p, 1) == self.throws
        if upper_spent or lower_spent:
            upper, lower = tokens(p, 0), tokens(p, 1)
            if upper_spent and upper == U(0):
                return BOTH_EMPTY if lower_spent and lower == U(0) else LOWER_WINS
            if lower_spent and lower == U(0):
                return UPPER_WINS
            upper_safe = lower_spent and has_invincible(p, upper, lower)
            lower_safe = upper_spent and has_invincible(p, lower, upper)
            if upper_safe and lower_safe:
                return BOTH_INVINCIBLE
            if upper_safe and popcount(lower) == 1 and (p[7] | p[8] | p[9]) == U(0):
                return UPPER_WINS
            if lower_safe and popcount(upper) == 1 and (p[3] | p[4] | p[5]) == U(0):
                return LOWER_WINS
        return TURN_LIMIT if self.turn(p) >= self.turns else 0

    def result(self, p: Words) -> float:
        end = self.end_of(p)
        return 1.0 if end == UPPER_WINS else -1.0 if end == LOWER_WINS else 0.0

    def identity(self, p: Words) -> Words:
        """What must be the same for a repetition: everything but the number of turns."""
        return (p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10] & U(255))

    def moves_of(self, p: Words, player: int, out: np.ndarray, at: int) -> int:
        own = tokens(p, player)
        standing = own
        while standing != U(0):
            source = trailing_zeros(standing)
            targets = self.targets(own, source)
            standing &= standing - U(1)
            while targets != U(0):
                out[at] = source * 64 + trailing_zeros(targets)
                at += 1
                targets &= targets - U(1)
        thrown = self.thrown(p, player)
        if thrown < self.throws:
            targets = self.zones[10 * player + thrown]
            while targets != U(0):
                move = 61 * 64 + trailing_zeros(targets)
                out[at], out[at + 1], out[at + 2] = move, move + 64, move + 128
                at += 3
                targets &= targets - U(1)
        return at

    def targets(self, own: np.uint64, source: int) -> np.uint64:
        """Where a token can go: beside it, or beside an own token there."""
        targets = beside = self.neighbours[source]
        pivots = beside & own
        while pivots != U(0):
            targets |= self.neighbours[trailing_zeros(pivots)]
            pivots &= pivots - U(1)
        return targets & ~(U(1) << U(source))

    def count_moves_of(self, p: Words, player: int, out: np.ndarray) -> int:
        """Notes where each token can go, one after another."""
        own = tokens(p, player)
        standing, at, count = own, 0, 0
        while standing != U(0):
            targets = self.targets(own, trailing_zeros(standing))
            out[at] = signed(targets)
            at += 1
            count += popcount(targets)
            standing &= standing - U(1)
        thrown = self.thrown(p, player)
        if thrown < self.throws:
            count += 3 * popcount(self.zones[10 * player + thrown])
        return count

    def nth_move_of(self, p: Words, player: int, n: int, out: np.ndarray) -> int:
        standing, at = tokens(p, player), 0
        while standing != U(0):
            targets = U(out[at])
            found = popcount(targets)
            if n < found:
                return trailing_zeros(standing) * 64 + nth_bit(targets, n)
            n -= found
            at += 1
            standing &= standing - U(1)
        zone = self.zones[10 * player + self.thrown(p, player)]
        return (61 + n % 3) * 64 + nth_bit(zone, n // 3)

    def play_both(self, p: Words, first: int, second: int) -> Words:
        low, high, count = p[0], p[1], p[10] + U(256)
        upper = (p[2], p[3], p[4], p[5])
        lower = (p[6], p[7], p[8], p[9])
        ours = theirs = U(0)  # the codes of the two symbols that land
        if first >= 0:
            source = U(first >> 6)
            if source > U(60):
                ours = source - U(60)
                count += U(1)
            else:
                ours = symbol_at(low, high, source)
                upper = one_less(upper, U(1) << source)
        if second >= 0:
            source = U(second >> 6)
            if source > U(60):
                theirs = source - U(60)
                count += U(16)
            else:
                theirs = symbol_at(low, high, source)
                lower = one_less(lower, U(1) << source)
        standing = upper[0] | upper[1] | upper[2] | upper[3]
        standing |= lower[0] | lower[1] | lower[2] | lower[3]
        low &= standing
        high &= standing
        here, there = U(first & 63), U(second & 63)
        if here == there and first >= 0 and second >= 0:
            low, high, upper, lower = battle(low, high, upper, lower, here, ours, theirs)
        else:
            if first >= 0:
                low, high, upper, lower = battle(low, high, upper, lower, here, ours, U(0))
            if second >= 0:
                low, high, upper, lower = battle(low, high, upper, lower, there, U(0), theirs)
        return (
            low, high, upper[0], upper[1], upper[2], upper[3],
            lower[0], lower[1], lower[2], lower[3], count,
        )  # fmt: skip

    def seen_by(self, p: Words, player: int) -> Words:
        """By player, its own first: rock, paper, scissors, and hexes with several tokens; last the
        throws that are left. Lower sees the board turned by half."""
        rock, paper, scissors = symbols(p)
        own, enemy = tokens(p, player), tokens(p, 1 - player)
        several, others = p[3] | p[4] | p[5], p[7] | p[8] | p[9]
        if player == 1:
            several, others = others, several
        left = (U(1) << U(self.throws - self.thrown(p, player))) - U(1)
        left |= ((U(1) << U(self.throws - self.thrown(p, 1 - player))) - U(1)) << U(16)
        return (
            faced(own & rock, player), faced(own & paper, player), faced(own & scissors, player),
            faced(enemy & rock, player), faced(enemy & paper, player),
            faced(enemy & scissors, player), faced(several, player), faced(others, player), left,
        )  # fmt: skip

    # --- not compiled --------------------------------------------------------------------------

    def symmetries_of_both(self, p: Words, first: int, second: int) -> list[tuple[Words, int, int]]:
        return symmetry.images(p, first, second)


def faced(hexes: np.uint64, player: int) -> np.uint64:
    """Kernel: hexes as a player sees them who looks from its own home row."""
    return hexes if player == 0 else bit_reverse(hexes) >> U(3)


def tokens(p: Words, player: int) -> np.uint64:
    """Kernel: the hexes on which a player has tokens."""
    return p[2] | p[3] | p[4] | p[5] if player == 0 else p[6] | p[7] | p[8] | p[9]


def symbols(p: Words) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Kernel: the hexes with rock, with paper and with scissors."""
    return p[0] & ~p[1], p[1] & ~p[0], p[0] & p[1]


def has_invincible(p: Words, own: np.uint64, enemy: np.uint64) -> bool:
    """Kernel: whether there is a token whose hunter the enemy does not have on the board."""
    rock, paper, scissors = symbols(p)
    return bool(
        (own & rock != U(0) and enemy & paper == U(0))
        or (own & paper != U(0) and enemy & scissors == U(0))
        or (own & scissors != U(0) and enemy & rock == U(0))
    )


def symbol_at(low: np.uint64, high: np.uint64, place: np.uint64) -> np.uint64:
    """Kernel: the code of the symbol on a hex, 0 where nothing stands."""
    return ((low >> place) & U(1)) | (((high >> place) & U(1)) << U(1))


def one_less(planes: Planes, bit: np.uint64) -> Planes:
    """Kernel: the counts with one token fewer on a hex."""
    borrow1 = bit & ~planes[0]
    borrow2 = borrow1 & ~planes[1]
    borrow3 = borrow2 & ~planes[2]
    return (planes[0] ^ bit, planes[1] ^ borrow1, planes[2] ^ borrow2, planes[3] ^ borrow3)


def one_more(planes: Planes, bit: np.uint64) -> Planes:
    """Kernel: the counts with one token more on a hex."""
    carry1 = bit & planes[0]
    carry2 = carry1 & planes[1]
    carry3 = carry2 & planes[2]
    return (planes[0] ^ bit, planes[1] ^ carry1, planes[2] ^ carry2, planes[3] ^ carry3)


def battle(
    low: np.uint64,
    high: np.uint64,
    upper: Planes,
    lower: Planes,
    place: np.uint64,
    ours: np.uint64,
    theirs: np.uint64,
) -> tuple[np.uint64, np.uint64, Planes, Planes]:
    """Kernel: tokens with these codes (0: none) land on a hex; who is beaten leaves the board."""
    bit = U(1) << place
    before = symbol_at(low, high, place)
    present = ((U(1) << before) | (U(1) << ours) | (U(1) << theirs)) & U(14)
    left = (_SURVIVOR >> (present << U(1))) & U(3)
    if before != left:
        keep = ~bit
        upper = (upper[0] & keep, upper[1] & keep, upper[2] & keep, upper[3] & keep)
        lower = (lower[0] & keep, lower[1] & keep, lower[2] & keep, lower[3] & keep)
        low = (low & keep) | ((left & U(1)) << place)
        high = (high & keep) | ((left >> U(1)) << place)
    if ours != U(0) and ours == left:
        upper = one_more(upper, bit)
    if theirs != U(0) and theirs == left:
        lower = one_more(lower, bit)
    return low, high, upper, lower
