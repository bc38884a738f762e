"""The endings without throws that are not over: hunts, and where each placement of tokens stands.

Of three tokens there is one, a paper that hunts two rocks. Of four there are five. In each the
hunting side has a token that cannot be beaten, so it cannot lose unless it wants to, and the other
has two tokens or three, so it has not lost yet.

A *placement* is where the four tokens stand when both have moved, but before the battle: tokens
that beat each other may share a hex. So a matrix of all moves is nothing but places of placements.
The first two tokens are brought by one of the twelve symmetries of the hexagon to one of 337 pairs
of hexes; the other two follow it.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import trailing_zeros
from petteia.core.words import U, Words
from petteia.games.ropasci.evaluations.tokens import count_on, planes_of
from petteia.games.ropasci.rules import RoPaSciRules, symbols
from petteia.games.ropasci.rules.hexes import HEXES
from petteia.games.ropasci.solution.layout import SYMMETRIES

__all__ = [
    "HUNTS", "OFF", "PLACEMENTS", "Hunt", "Outcomes", "hunt_at", "outcomes_of", "place_of",
    "placements", "position_with",
]  # fmt: skip

OFF = len(HEXES)
"""The hex of a token that is not there."""
BASE = OFF + 1
"""Hexes, and the place of those that are missing."""
_ROCK, _PAPER, _SCISSORS = 1, 2, 3
_ALL = 4
_GAME = RoPaSciRules()


class Hunt(NamedTuple):
    """A kind of ending, with upper as the hunter."""

    name: str
    upper: tuple[int, ...]
    """The codes of the hunting side's symbols, ascending."""
    lower: tuple[int, ...]

    @property
    def symbols(self) -> tuple[int, ...]:
        """The codes of all its tokens, 0 for those that are missing of four."""
        found = (*self.upper, *self.lower)
        return (*found, *(0 for _ in range(4 - len(found))))

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """The orders of the tokens that are the same placement."""
        sides = [0 if k < len(self.upper) else 1 for k in range(4)]
        looks = list(zip(sides, self.symbols, strict=True))
        return [way for way in permutations(range(4)) if [looks[k] for k in way] == looks]


HUNTS = (
    Hunt("P v RR", (_PAPER,), (_ROCK, _ROCK)),
    Hunt("P v RRR", (_PAPER,), (_ROCK, _ROCK, _ROCK)),
    Hunt("PP v RR", (_PAPER, _PAPER), (_ROCK, _ROCK)),
    Hunt("RP v RR", (_ROCK, _PAPER), (_ROCK, _ROCK)),
    Hunt("PS v RR", (_PAPER, _SCISSORS), (_ROCK, _ROCK)),
    Hunt("RP v RS", (_ROCK, _PAPER), (_ROCK, _SCISSORS)),
)
"""The hunt of three tokens, then those of four."""


def _pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each pair of hexes its number among those that no symmetry makes equal, and which
    symmetry brings it to the first of its kind; and these first pairs."""
    ways = np.array(SYMMETRIES, np.int64)
    first, second = np.divmod(np.arange(OFF * OFF), OFF)
    images = ways[:, first] * OFF + ways[:, second]
    way = images.argmin(axis=0)
    brought = images.min(axis=0)
    firsts = np.unique(brought)
    return np.searchsorted(firsts, brought), way, firsts


_NUMBER, _WAY, _PAIRS = _pairs()
_NUMBER_OF_PAIR = (_NUMBER * BASE).astype(np.int64)
_WAY_OF_PAIR = (_WAY * BASE).astype(np.int64)
_MOVED = np.array([[*way, OFF] for way in SYMMETRIES], np.int64).reshape(-1)
PLACEMENTS = len(_PAIRS) * BASE * BASE
"""How many places there are, those of equal placements and of missing tokens counted too."""


def place_of(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Kernel: where the placement of these four hexes stands, or where those of four arrays of
    hexes do; c and d may be ``OFF``."""
    pair = a * OFF + b
    way = _WAY_OF_PAIR[pair]
    return (_NUMBER_OF_PAIR[pair] + _MOVED[way + c]) * BASE + _MOVED[way + d]


def _signatures() -> np.ndarray:
    """By how many tokens of each symbol the hunter and its enemy have, two bits each: three times
    the number of the hunt, plus by how many steps its symbols are turned; or -1."""
    found = np.full(1 << 12, -1, np.int64)
    for number, hunt in enumerate(HUNTS):
        for turn in range(3):
            at = 0
            for k, code in enumerate(hunt.symbols):
                side = 0 if k < len(hunt.upper) else 3
                at += 1 << 2 * ((code - 1 + turn) % 3 + side) if code else 0
            found[at] = 3 * number + turn
    return found


_HUNT_OF = _signatures()
_ORDERS = np.array(
    [[hunt.orders[k % len(hunt.orders)] for k in range(6)] for hunt in HUNTS], np.int64
)


def hunt_at(game: RoPaSciRules, p: Words) -> tuple[int, int, int]:
    """Kernel: which hunt of four tokens a position is, its place, and who hunts; or -1, 0, 0."""
    if game.thrown(p, 0) != game.throws or game.thrown(p, 1) != game.throws:
        return -1, 0, 0
    board = ~U(0)
    if count_on(planes_of(p, 0), board) + count_on(planes_of(p, 1), board) != _ALL:
        return -1, 0, 0
    if game.end_of(p) != 0:
        return -1, 0, 0
    symbol = symbols(p)
    for player in range(2):
        signature = 0
        for side in range(2):
            planes = planes_of(p, player ^ side)
            for k in range(3):
                signature |= min(count_on(planes, symbol[k]), 3) << 2 * (3 * side + k)
        found = _HUNT_OF[signature]
        if found >= 0:
            stands = standing(p, player, found % 3)
            return found // 3, first_place(found // 3, stands), player
    return -1, 0, 0


def standing(p: Words, hunter: int, turn: int) -> int:
    """Kernel: the hexes of all four tokens in the order of a hunt, six bits each."""
    symbol, stands, count = symbols(p), 0, 0
    for side in range(2):
        planes = planes_of(p, hunter ^ side)
        for code in range(3):
            left = (planes[0] | planes[1] | planes[2]) & symbol[(code + turn) % 3]
            while left != U(0):
                place = trailing_zeros(left)
                for _ in range(count_on(planes, U(1) << U(place))):
                    stands |= place << 6 * count
                    count += 1
                left &= left - U(1)
    return stands


def first_place(number: int, stands: int) -> int:
    """Kernel: the first of the places of a hunt's equal placements."""
    best = PLACEMENTS
    for k in range(6):
        way = _ORDERS[number, k]
        a, b = stands >> 6 * way[0] & 63, stands >> 6 * way[1] & 63
        c, d = stands >> 6 * way[2] & 63, stands >> 6 * way[3] & 63
        best = min(best, place_of(a, b, c, d))
    return best


def placements(hunt: Hunt) -> tuple[np.ndarray, np.ndarray]:
    """The places of all placements of a hunt, and their hexes, shape (places, 4)."""
    fourth = OFF if hunt.symbols[3] else 1
    pair, c, d = np.unravel_index(np.arange(len(_PAIRS) * OFF * fourth), (len(_PAIRS), OFF, fourth))
    d = d if hunt.symbols[3] else d + OFF
    hexes = np.stack([_PAIRS[pair] // OFF, _PAIRS[pair] % OFF, c, d], axis=1)
    return (pair * BASE + c) * BASE + d, hexes


def position_with(hunt: Hunt, hexes: tuple[int, ...], alive: int = 15) -> Words:
    """The position with the tokens of a hunt on these hexes, no two that beat each other on one;
    of those whose bit in ``alive`` is not set the board is rid."""
    low = high = U(0)
    planes = [U(0)] * 8
    for k, (code, place) in enumerate(zip(hunt.symbols, hexes, strict=True)):
        if code == 0 or not alive >> k & 1:
            continue
        bit, side = U(1) << U(place), 0 if k < len(hunt.upper) else 4
        low |= bit if code & 1 else U(0)
        high |= bit if code & 2 else U(0)
        carry = bit
        for plane in range(side, side + 4):
            planes[plane], carry = planes[plane] ^ carry, planes[plane] & carry
    throws = U(_GAME.throws)
    return (low, high, *planes, throws | throws << U(4))


class Outcomes(NamedTuple):
    """What follows from the placements of a hunt."""

    open: np.ndarray
    """Places, ascending: where the hunt goes on, one for each of equal placements."""
    like: np.ndarray
    """By place: which place has the same value; the first of equal placements."""
    over: np.ndarray
    """Places where the game is over."""
    points: np.ndarray
    """And the points of the hunter there."""
    falls: np.ndarray
    """Places where one token was taken, and the hunt of three goes on."""
    into: np.ndarray
    """And the places of what is left, among its placements."""


def outcomes_of(hunt: Hunt) -> Outcomes:
    """Every placement of a hunt after its battles."""
    places, hexes = placements(hunt)
    like = np.arange(PLACEMENTS)
    images = [place_of(*(hexes[:, k] for k in way)) for way in hunt.orders]
    like[places] = np.min(images, axis=0)
    alive, whole = _survivors(hunt, hexes), (1 << len(hunt.upper) + len(hunt.lower)) - 1
    over, points, falls, into = list[np.ndarray](), list[np.ndarray](), [_NONE], [_NONE]
    for left in np.unique(alive).tolist():
        if left == whole:
            continue
        those = np.flatnonzero(alive == left)
        end, worth = _end(hunt, left)
        if end:
            over.append(places[those])
            points.append(np.full(len(those), worth))
        else:
            a, b, c = (hexes[those, k] for k in range(4) if left >> k & 1)
            falls.append(places[those])
            into.append(place_of(a, b, c, np.full(len(those), OFF)))
    goes_on = places[alive == whole]
    return Outcomes(
        goes_on[like[goes_on] == goes_on], like, np.concatenate(over), np.concatenate(points),
        np.concatenate(falls), np.concatenate(into),
    )  # fmt: skip


_NONE = np.zeros(0, np.int64)


def _survivors(hunt: Hunt, hexes: np.ndarray) -> np.ndarray:
    """The tokens that the battles leave, as bits: one falls where a token stands that beats it."""
    alive = np.zeros(len(hexes), np.int64)
    for k, code in enumerate(hunt.symbols):
        falls = np.zeros(len(hexes), np.bool_)
        for other, hunter in enumerate(hunt.symbols):
            if code and hunter == code % 3 + 1:
                falls |= hexes[:, k] == hexes[:, other]
        if code:
            alive |= np.where(falls, 0, 1 << k)
    return alive


def _end(hunt: Hunt, alive: int) -> tuple[int, float]:
    """How the game ended when only these tokens are left, or 0; and the hunter's points."""
    p = position_with(hunt, (0, 20, 40, 60), alive)
    return _GAME.end_of(p), _GAME.result(p)
