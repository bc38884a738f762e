"""What a network sees of a position: sparse inputs from the side of the player on roll.

Each place of each side has four inputs: one checker, two, three or more, and half of those beyond
three. One more a side tells how many are off. Where the sides can still meet, eight numbers a side
follow that a network of one layer finds hard to work out: see ``_insights``.
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
    "CONTACT_INPUTS", "INSIGHTS", "MOST_ACTIVE", "RACE_INPUTS", "SIDE", "escape_table", "escapes",
    "has_contact", "hitting_rolls", "inputs",
]  # fmt: skip

SIDE = 4 * BAR + 1
RACE_INPUTS = 2 * SIDE
INSIGHTS = 8
CONTACT_INPUTS = RACE_INPUTS + 2 * INSIGHTS
MOST_ACTIVE = 80
"""No position has more inputs that are not nought: 30 checkers on places, twice."""


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


def _insights(sides: Words, base: int, w: np.ndarray, index: int, value: int, n: int) -> int:
    """Pips, shots, what the other's shots would cost, the longest wall, how the last checker
    escapes, how well the other is walled in at worst, pips to the end of contact, and the risk of
    staying on the bar."""
    a, b, other_a, other_b = sides
    own = occupied(a, b)
    shut = mirrored(made(other_a, other_b)) & POINTS
    blots = mirrored(singles(other_a, other_b)) & POINTS
    on_bar = count_on(a, b, BAR)
    rear = highest(own)

    w[index + n], w[value + n] = base, pips(a, b) / 167.0
    n += 1
    shots = hitting_rolls(own, on_bar, POINTS & ~shut, blots)
    if shots > 0:
        w[index + n], w[value + n] = base + 1, shots / 36.0
        n += 1
        left, dearest = blots, 0
        while left != U(0):  # the hit that costs the other most
            place = highest(left)
            left ^= bit(place)
            if place < rear:
                dearest = max(dearest, place)
        w[index + n], w[value + n] = base + 2, shots / 36.0 * dearest / 24.0
        n += 1
    wall, run = made(a, b) & POINTS, 0
    while wall != U(0):
        run += 1
        wall &= wall >> U(1)
    w[index + n], w[value + n] = base + 3, run / 6.0
    n += 1
    w[index + n], w[value + n] = base + 4, escapes(rear, mirrored(shut))
    n += 1
    # The other's escapes from each point of my side of the board; the least of them.
    mine = made(a, b) & POINTS
    least = 1.0
    for place in range(1, 10):
        if (mine >> U(place)) & U(1) == U(0):
            least = min(least, _ESCAPES[signed((mine >> U(place + 1)) & U(0xFFF))])
    w[index + n], w[value + n] = base + 5, least
    n += 1
    far, line, left = 0, BAR - highest(occupied(other_a, other_b)), own
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        if place <= line:
            break
        far += (place - line) * count_on(a, b, place)
    w[index + n], w[value + n] = base + 6, far / 167.0
    n += 1
    if on_bar > 0:
        closed = popcount(mirrored(shut) & HOME) / 6.0
        w[index + n], w[value + n] = base + 7, closed * closed
        n += 1
    return n


def inputs(sides: Words, contact: bool, w: np.ndarray, index: int, value: int) -> int:
    """Writes the inputs that are not nought from ``index`` and ``value`` on; gives their number.

    ``sides`` are the two words of the player on roll, then those of the other.
    """
    a, b, other_a, other_b = sides
    n = _points(a, b, 0, w, index, value, 0)
    n = _points(other_a, other_b, SIDE, w, index, value, n)
    if contact:
        n = _insights(sides, RACE_INPUTS, w, index, value, n)
        turned = (other_a, other_b, a, b)
        n = _insights(turned, RACE_INPUTS + INSIGHTS, w, index, value, n)
    return n
