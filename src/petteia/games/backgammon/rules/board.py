"""One side's checkers as bit planes.

A side is two words. Bit i of a plane stands for the place i in the side's own numbering: 1 to 24
are the points, from the last one home to the farthest, 25 is the bar; checkers that are off stand
nowhere. The number of checkers on a place is binary over four planes: the first word holds those
of 1 and 2, the second those of 4 and 8, each pair in the low and the high half.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import byte_swap, leading_zeros, popcount, signed
from petteia.core.words import U

__all__ = [
    "BAR", "CHECKERS", "HOME", "POINTS", "bit", "checkers", "count_on", "highest", "made",
    "mirrored", "occupied", "pips", "put_on", "singles", "taken_from",
]  # fmt: skip

CHECKERS = 15
BAR = 25
HOME = U(0x7E)
"""The points 1 to 6."""
POINTS = U(0x1FFFFFE)
"""The points 1 to 24."""
_LOW = U(0xFFFFFFFF)
_UP = U(32)
# The places whose number has bit k, so that a sum of place numbers is a few population counts.
_PLACES = tuple(U(sum(1 << place for place in range(26) if place >> k & 1)) for k in range(5))


def bit(place: int) -> np.uint64:
    """The word with one bit set."""
    return U(1) << U(place)


def highest(mask: np.uint64) -> int:
    """The highest place of a mask that is not empty."""
    return 63 - leading_zeros(mask)


def occupied(a: np.uint64, b: np.uint64) -> np.uint64:
    """The places with a checker."""
    both = a | b
    return (both | (both >> _UP)) & _LOW


def made(a: np.uint64, b: np.uint64) -> np.uint64:
    """The places with two checkers or more."""
    return (b | ((a | b) >> _UP)) & _LOW


def singles(a: np.uint64, b: np.uint64) -> np.uint64:
    """The places with exactly one checker."""
    return a & ~made(a, b) & _LOW


def count_on(a: np.uint64, b: np.uint64, place: int) -> int:
    """How many checkers stand on a place."""
    low, high = U(place), U(place + 32)
    one = U(1)
    total = (a >> low) & one
    total += ((a >> high) & one) << one
    total += ((b >> low) & one) << U(2)
    total += ((b >> high) & one) << U(3)
    return signed(total)


def taken_from(a: np.uint64, b: np.uint64, place: int) -> tuple[np.uint64, np.uint64]:
    """The side with one checker less on a place that has one."""
    at = bit(place)
    a ^= at
    borrow = a & at
    a ^= borrow << _UP
    borrow &= a >> _UP
    b ^= borrow
    borrow &= b
    b ^= borrow << _UP
    return a, b


def put_on(a: np.uint64, b: np.uint64, place: int) -> tuple[np.uint64, np.uint64]:
    """The side with one checker more on a place."""
    at = bit(place)
    carry = a & at
    a ^= at
    over = carry & (a >> _UP)
    a ^= carry << _UP
    carry = over & b
    b ^= over
    b ^= carry << _UP
    return a, b


def checkers(a: np.uint64, b: np.uint64) -> int:
    """The checkers that are not off."""
    ones, twos = popcount(a & _LOW), popcount(a >> _UP)
    return ones + 2 * twos + 4 * popcount(b & _LOW) + 8 * popcount(b >> _UP)


def pips(a: np.uint64, b: np.uint64) -> int:
    """The points that all checkers together have still to go; the bar counts 25."""
    total = 0
    for k in range(5):
        total += checkers(a & (_PLACES[k] | (_PLACES[k] << _UP)),
                          b & (_PLACES[k] | (_PLACES[k] << _UP))) << k  # fmt: skip
    return total


def mirrored(mask: np.uint64) -> np.uint64:
    """The same places in the other side's numbering: i becomes 25 - i."""
    mask = ((mask >> U(1)) & U(0x5555555555555555)) | ((mask & U(0x5555555555555555)) << U(1))
    mask = ((mask >> U(2)) & U(0x3333333333333333)) | ((mask & U(0x3333333333333333)) << U(2))
    mask = ((mask >> U(4)) & U(0x0F0F0F0F0F0F0F0F)) | ((mask & U(0x0F0F0F0F0F0F0F0F)) << U(4))
    return byte_swap(mask) >> U(38)
