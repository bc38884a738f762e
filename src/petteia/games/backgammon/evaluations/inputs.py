"""What a network sees of a position: sparse inputs from the side of the player on roll.

Each place of each side has four inputs: one checker, two, three or more, and half of those beyond
three. One more a side tells how many are off. Where the sides can still meet, numbers follow for
each side that a network of one layer finds hard to work out, such as the rolls that hit: see
``_attack`` and ``_defence``.

Positions are of four classes, each with a network of its own: see ``class_of``.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, signed
from petteia.core.words import U, Words
from petteia.games.backgammon.rules.board import (
    BAR,
    CHECKERS,
    HOME,
    POINTS,
    bit,
    checkers,
    count_on,
    highest,
    made,
    mirrored,
    occupied,
    pips,
    singles,
)

__all__ = [
    "BACK_GAME", "CLASSES", "CONTACT", "CONTACT_INPUTS", "CRASHED", "INSIGHTS", "MOST_ACTIVE",
    "RACE", "RACE_INPUTS", "SIDE", "class_of", "escape_table", "escapes", "has_contact",
    "hitting_rolls", "inputs", "strikes",
]  # fmt: skip

CONTACT, CRASHED, BACK_GAME, RACE = range(4)
"""The classes of positions."""
CLASSES = ("contact", "crashed", "back game", "race")
SIDE = 4 * BAR + 1
RACE_INPUTS = 2 * SIDE
_ATTACK, _DEFENCE = 14, 16
INSIGHTS = _ATTACK + _DEFENCE
"""Numbers a side beside its checkers: see ``_attack`` and ``_defence``."""
CONTACT_INPUTS = RACE_INPUTS + 2 * INSIGHTS
MOST_ACTIVE = 128
"""No position has more inputs that are not zero: 30 checkers on places, twice, and insights."""
_FEW = 6
"""A side with no more checkers to play with has crashed."""
_DEEP = U(0x6)
"""The points 1 and 2, where checkers are of little use before the end."""
_THERE = U(0x1F80000)
"""The other's home board, 19 to 24."""
_PRIME = U(0xFF0)
"""The points 4 to 11, where a wall holds best."""
_UP = U(32)


def escape_table() -> np.ndarray:
    """For the enemy's points among the next twelve as bits: rolls of 36 that get past six points.

    A checker gets past if it can go seven points or more with its dice, by way of free points.
    """
    table = np.zeros(4096, np.float32)
    for shut in range(4096):
        rolls = 0
        for first in range(1, 7):
            for second in range(1, 7):
                steps = [first] * 4 if first == second else [first, second]
                far = 0
                for order in {tuple(steps), tuple(reversed(steps))}:
                    gone = 0
                    for step in order:
                        if gone + step <= 12 and shut >> (gone + step - 1) & 1:
                            break
                        gone += step
                    far = max(far, gone)
                rolls += far >= 7
        table[shut] = rolls / 36
    return table


_ESCAPES = escape_table()


def has_contact(a: np.uint64, b: np.uint64, other_a: np.uint64, other_b: np.uint64) -> bool:
    """Whether a checker of one side is still behind one of the other."""
    own, other = occupied(a, b), occupied(other_a, other_b)
    if own == U(0) or other == U(0):
        return False
    return highest(own) + highest(other) > BAR


def escapes(place: int, walls: np.uint64) -> float:
    """The part of all rolls with which a checker on a place gets past what the other side, whose
    points are given in its own numbering, has built ahead of it."""
    return np.float64(_ESCAPES[signed((walls >> U(BAR - place + 1)) & U(0xFFF))])


def _points(
    a: np.uint64, b: np.uint64, base: int, w: np.ndarray, index: int, value: int, n: int
) -> int:
    """The inputs of one side's places, written as pairs of a number and a value."""
    left = occupied(a, b)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        count = count_on(a, b, place)
        unit = base + 4 * (place - 1)
        w[index + n] = unit + (count - 1 if count < 3 else 2)
        w[value + n] = 1.0
        n += 1
        if count > 3:
            w[index + n] = unit + 3
            w[value + n] = 0.5 * (count - 3)
            n += 1
    off = CHECKERS - checkers(a, b)
    if off > 0:
        w[index + n] = base + 4 * BAR
        w[value + n] = off / 15.0
        n += 1
    return n


def hitting_rolls(own: np.uint64, on_bar: int, free: np.uint64, blots: np.uint64) -> int:
    """How many of the 36 rolls hit one of the blots, nearly exact."""
    if blots == U(0):
        return 0
    total = 0
    field = own & POINTS
    for first in range(1, 7):
        for second in range(1, first + 1):
            one, two = U(first), U(second)
            if on_bar == 0:
                a = (field >> one) & free
                if first == second:
                    b = (a >> one) & free
                    c = (b >> one) & free
                    reached = a | b | c | (c >> one)
                else:
                    b = (field >> two) & free
                    reached = a | b | (a >> two) | (b >> one)
            else:
                a = bit(BAR - first) & free
                b = bit(BAR - second) & free
                reached = a | b
                if on_bar == 1:
                    if a != U(0):
                        reached |= ((field | a) >> two) & free
                    if b != U(0):
                        reached |= ((field | b) >> one) & free
            if reached & blots != U(0):
                total += 1 if first == second else 2
    return total


def _of(a: np.uint64, b: np.uint64, places: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The checkers of a side that stand on some places."""
    both = places | places << _UP
    return a & both, b & both


def _count(a: np.uint64, b: np.uint64, places: np.uint64) -> int:
    """How many checkers stand on some places."""
    a, b = _of(a, b, places)
    return checkers(a, b)


def _has_crashed(a: np.uint64, b: np.uint64) -> bool:
    return checkers(a, b) - _count(a, b, _DEEP) <= _FEW


def class_of(a: np.uint64, b: np.uint64, other_a: np.uint64, other_b: np.uint64) -> int:
    """A race, where nobody can be hit any more; a crashed board, where a side has at most six
    checkers that are not off or deep at home; a back game, where a side holds two points of the
    other's home board; or else contact."""
    if not has_contact(a, b, other_a, other_b):
        return RACE
    if _has_crashed(a, b) or _has_crashed(other_a, other_b):
        return CRASHED
    if popcount(made(a, b) & _THERE) > 1 or popcount(made(other_a, other_b) & _THERE) > 1:
        return BACK_GAME
    return CONTACT


def strikes(own: np.uint64, on_bar: int, free: np.uint64, blots: np.uint64) -> tuple[int, int, int]:
    """Of the 36 rolls, nearly exact: those that hit, those that hit two, and the pips that the
    dearest hit of each costs the other, added up. A blot on a place has come as many pips."""
    hits = doubles = cost = 0
    if blots == U(0):
        return hits, doubles, cost
    men = own & POINTS
    for first in range(1, 7):
        for second in range(1, first + 1):
            one, two = U(first), U(second)
            a, b = men >> one, men >> two
            rest = U(0)
            if on_bar > 0:
                a, b = bit(BAR - first), bit(BAR - second)
                if on_bar == 1:
                    if a & free != U(0):
                        rest |= (men | a) >> two
                    if b & free != U(0):
                        rest |= (men | b) >> one
            elif first == second:
                a &= free
                b = (a >> one) & free
                rest = (b >> one) & free
                rest |= rest >> one
            else:
                rest = (a & free) >> two | (b & free) >> one
            struck = (a | b | rest) & blots
            if struck == U(0):
                continue
            weight = 1 if first == second else 2
            hits += weight
            cost += weight * highest(struck)
            if struck & (struck - U(1)) != U(0) and (a & blots != U(0)) and (b & blots != U(0)):
                doubles += weight
    return hits, doubles, cost


def _put(w: np.ndarray, index: int, value: int, n: int, unit: int, x: float) -> int:
    """One input; nothing where it is zero."""
    w[index + n], w[value + n] = unit, x
    return n + (1 if x != 0.0 else 0)


def _attack(sides: Words, base: int, w: np.ndarray, index: int, value: int, n: int) -> int:
    """Pips, the rolls that hit and what they cost, the bar, the board and the walls."""
    a, b, other_a, other_b = sides
    own, points = occupied(a, b), made(a, b) & POINTS
    shut = mirrored(made(other_a, other_b)) & POINTS
    blots = mirrored(singles(other_a, other_b)) & POINTS
    on_bar = count_on(a, b, BAR)
    n = _put(w, index, value, n, base, pips(a, b) / 167.0)
    hits, doubles, cost = strikes(own, on_bar, POINTS & ~shut, blots)
    if hits > 0:
        n = _put(w, index, value, n, base + 1, hits / 36.0)
        n = _put(w, index, value, n, base + 2, doubles / 18.0)
        n = _put(w, index, value, n, base + 3, cost / 432.0)
    if on_bar > 0:
        closed = popcount(shut & _THERE) / 6.0
        n = _put(w, index, value, n, base + 4, closed * closed)
        n = _put(w, index, value, n, base + 5, closed * (on_bar - 1))
    board = popcount(points & HOME)
    n = _put(w, index, value, n, base + 6, board / 6.0)
    n = _put(w, index, value, n, base + 7, board * board / 36.0)
    n = _put(w, index, value, n, base + 8, popcount(singles(a, b) & HOME) / 3.0)
    n = _put(w, index, value, n, base + 9, popcount(points & _PRIME) / 6.0)
    wall, run = points, 0
    while wall != U(0):
        run += 1
        wall &= wall >> U(1)
    n = _put(w, index, value, n, base + 10, run / 6.0)
    # How the other gets away from each point of my side: the worst, and the mean.
    least, total, held = 1.0, 0.0, 0.0
    theirs = mirrored(occupied(other_a, other_b))
    for place in range(13):
        open_for = np.float64(_ESCAPES[signed((points >> U(place + 1)) & U(0xFFF))])
        total += open_for
        if (points >> U(place)) & U(1) == U(0) and place < 10:
            least = min(least, open_for)
        if (theirs >> U(place)) & U(1) != U(0):
            held += (1.0 - open_for) * (1.0 - open_for)
    n = _put(w, index, value, n, base + 11, least)
    n = _put(w, index, value, n, base + 12, total / 13.0)
    n = _put(w, index, value, n, base + 13, held / 3.0)
    return n


def _defence(sides: Words, base: int, w: np.ndarray, index: int, value: int, n: int) -> int:
    """The checkers that are back, how they get away, and how long the others can wait for them."""
    a, b, other_a, other_b = sides
    own, points = occupied(a, b), made(a, b) & POINTS
    walls = made(other_a, other_b) & POINTS
    rear, line = highest(own), BAR - highest(occupied(other_a, other_b))
    anchors = points & _THERE
    back = _count(a, b, _THERE | bit(BAR))
    n = _put(w, index, value, n, base, rear / 25.0)
    n = _put(w, index, value, n, base + 1, escapes(rear, walls))
    n = _put(w, index, value, n, base + 2, popcount(anchors) / 2.0)
    n = _put(w, index, value, n, base + 3, back / 4.0)
    if anchors != U(0):
        n = _put(w, index, value, n, base + 4, (highest(anchors) - 18) / 6.0)
        n = _put(w, index, value, n, base + 5, (highest(anchors & (~anchors + U(1))) - 18) / 6.0)
        if anchors & (anchors - U(1)) != U(0):
            n = _put(w, index, value, n, base + 6, back / 6.0)
    # Checker by checker from the rear: those that still have somebody to pass, then the others.
    far = passing = moved = outside = 0
    mobile = spread = 0.0
    left = own
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        count = count_on(a, b, place)
        if place > line:
            far += (place - line) * count
            passing += count
            spread += count * (place - line) * (place - line)
        else:
            moved += place * count
        if place > 6:
            if place > 12:
                mobile += (place - 6) * count * escapes(place, walls)
            if place < 19:
                outside += (place - 6) * count
    n = _put(w, index, value, n, base + 7, far / 167.0)
    n = _put(w, index, value, n, base + 8, passing / 15.0)
    n = _put(w, index, value, n, base + 9, spread / 2000.0)
    n = _put(w, index, value, n, base + 10, moved / 60.0)
    n = _put(w, index, value, n, base + 11, mobile / 60.0)
    n = _put(w, index, value, n, base + 12, outside / 50.0)
    n = _put(w, index, value, n, base + 13, _count(a, b, _DEEP) / 6.0)
    # Points that reach the next one within a throw of one die stand together.
    below = points >> U(1) | points >> U(2) | points >> U(3)
    below |= below >> U(3)
    n = _put(w, index, value, n, base + 14, popcount(points & below) / 6.0)
    off = CHECKERS - checkers(a, b)
    if off > 5:
        n = _put(w, index, value, n, base + 15, (off - 5) / 10.0)
    return n


def inputs(sides: Words, contact: bool, w: np.ndarray, index: int, value: int) -> int:
    """Writes the inputs that are not zero from ``index`` and ``value`` on; gives their number.

    ``sides`` are the two words of the player on roll, then those of the other.
    """
    a, b, other_a, other_b = sides
    n = _points(a, b, 0, w, index, value, 0)
    n = _points(other_a, other_b, SIDE, w, index, value, n)
    if contact:
        turned = (other_a, other_b, a, b)
        mine, theirs = RACE_INPUTS, RACE_INPUTS + INSIGHTS
        n = _attack(sides, mine, w, index, value, n)
        n = _defence(sides, mine + _ATTACK, w, index, value, n)
        n = _attack(turned, theirs, w, index, value, n)
        n = _defence(turned, theirs + _ATTACK, w, index, value, n)
    return n
