"""The plays of a roll counted, and the n-th of them: without their list, for random play.

By the official rules. Both kernels follow ``plays`` in its order, so that the n-th is the list's.

Two different dice are counted by *rows*: for every first step the places from which the second can
be made, as bits. A play that is in the list already, by another way, has its bit cleared. There are
four such ways, each seen from the bits alone:

- In the order that comes second a first step that was open from the start is in the list: the two
  steps may be exchanged, since no step of one checker closes a way of another.
- Two checkers that go off are the same two, whichever die takes which.
- A checker that goes on has the same way in both orders unless it hits on one of them.
- A checker on the point on which another arrives may as well have gone on itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import nth_bit, popcount, signed
from petteia.core.words import U, Words
from petteia.games.backgammon.rules.board import (
    BAR,
    HOME,
    POINTS,
    bit,
    highest,
    made,
    mirrored,
    occupied,
    put_on,
    singles,
    taken_from,
)
from petteia.games.backgammon.rules.plays import (
    ADDED,
    HITS,
    Side,
    change,
    landing,
    moved_on,
    sources,
    two_steps,
)

__all__ = ["count_plays", "nth_play"]

# A row: its bits, the place of the first step, and how the dice are used.
_ROW = (1 << 26) - 1
_PLACE, _ORDER = 32, 40
_IN_ORDER, _EXCHANGED, _HIGHER, _LOWER = range(4)


def side_of(own: Words, other: Words) -> Side:
    """The mover's places."""
    free = POINTS & ~mirrored(made(other[0], other[1]))
    blots = POINTS & mirrored(singles(other[0], other[1]))
    return Side(occupied(own[0], own[1]), singles(own[0], own[1]), free, blots)


def count_plays(
    game: Any, own: Words, other: Words, first: int, second: int, out: np.ndarray
) -> int:
    """How many plays there are; notes in ``out`` what ``nth_play`` needs."""
    side = side_of(own, other)
    if first != second:
        return _count_rows(game, side, first, second, out)
    for steps in range(4, 0, -1):
        found = _ways(game, own[0], own[1], side.free, first, BAR, steps)
        if found > 0:
            out[0] = steps
            return found
    out[0] = 0
    return 1


def nth_play(
    game: Any, own: Words, other: Words, first: int, second: int, n: int, out: np.ndarray
) -> int:
    """The play at place ``n`` of the list."""
    side = side_of(own, other)
    if first == second:
        return _nth_double(game, own[0], own[1], side, first, out[0], n)
    if out[0] == 0:
        return 0
    at = 0
    while n >= popcount(U(out[at] & _ROW)):
        n -= popcount(U(out[at] & _ROW))
        at += 1
    row = out[at]
    # The list has high places first.
    bits = U(row & _ROW)
    place = nth_bit(bits, popcount(bits) - 1 - n)
    order = row >> _ORDER
    if order >= _HIGHER:
        to = landing(place, max(first, second) if order == _HIGHER else min(first, second))
        hit = to if (side.blots >> U(to)) & U(1) != U(0) else 0
        return place | to << ADDED | hit << HITS
    one, two = (first, second) if order == _IN_ORDER else (second, first)
    start = row >> _PLACE & 31
    return two_steps(side.blots, start, landing(start, one), place, landing(place, two))


# --- two different dice ---------------------------------------------------------------------------


def _count_rows(game: Any, side: Side, first: int, second: int, out: np.ndarray) -> int:
    starts = sources(game, side.own, side.free, first)
    going_on = U(0)  # who can go on without a hit between
    count = at = 0
    left = starts
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        rest = _rest(game, side, place, first, second)
        middle = bit(landing(place, first))
        if rest & middle & ~side.blots != U(0):
            going_on |= bit(place)
        behind = bit(place + second)
        if starts & ~(side.blots << U(first)) & behind != U(0):
            rest &= ~behind
        if rest != U(0):
            out[at] = signed(rest) | place << _PLACE | _IN_ORDER << _ORDER
            at += 1
            count += popcount(rest)
    low = bit(min(first, second) + 1) - U(1)
    left = sources(game, side.own, side.free, second)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        rest = _rest(game, side, place, second, first) & ~starts
        if bit(place) & low != U(0):
            rest &= ~low
        if going_on & bit(place) != U(0):
            rest &= ~bit(landing(place, second)) | side.blots
        if rest != U(0):
            out[at] = signed(rest) | place << _PLACE | _EXCHANGED << _ORDER
            at += 1
            count += popcount(rest)
    return count if count > 0 else _count_single(game, side, first, second, out)


def _rest(game: Any, side: Side, place: int, die: int, other: int) -> np.uint64:
    """The places from which the other die can be played after a step."""
    to = landing(place, die)
    after = side.own & ~(bit(place) & side.alone)
    if to > 0:
        after |= bit(to)
    return sources(game, after, side.free, other)


def _count_single(game: Any, side: Side, first: int, second: int, out: np.ndarray) -> int:
    """Where no two steps are possible: one, with the higher die if it can be."""
    row, order = sources(game, side.own, side.free, max(first, second)), _HIGHER
    if row == U(0):
        row, order = sources(game, side.own, side.free, min(first, second)), _LOWER
    if row == U(0):
        out[0] = 0
        return 1
    out[0] = signed(row) | order << _ORDER
    return popcount(row)


# --- doubles --------------------------------------------------------------------------------------


def _stepped(a: np.uint64, b: np.uint64, place: int, die: int) -> tuple[np.uint64, np.uint64]:
    a, b = taken_from(a, b, place)
    return put_on(a, b, place - die) if place > die else (a, b)


def _open(game: Any, a: np.uint64, b: np.uint64, free: np.uint64, die: int, last: int) -> np.uint64:
    """From where the next step can be made, no farther than the last."""
    return sources(game, occupied(a, b), free, die) & (bit(last + 1) - U(1))


def _ways(
    game: Any, a: np.uint64, b: np.uint64, free: np.uint64, die: int, last: int, steps: int
) -> int:
    """How many plays of so many steps there are, from falling places."""
    if steps == 0:
        return 1
    if steps == 1:
        return popcount(_open(game, a, b, free, die, last))
    if steps == 2:
        return _two(game, a, b, free, die, last)
    count = 0
    left = _open(game, a, b, free, die, last)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        next_a, next_b = _stepped(a, b, place, die)
        if steps == 3:
            count += _two(game, next_a, next_b, free, die, place)
        else:
            count += _three(game, next_a, next_b, free, die, place)
    return count


def _three(game: Any, a: np.uint64, b: np.uint64, free: np.uint64, die: int, last: int) -> int:
    count = 0
    left = _open(game, a, b, free, die, last)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        next_a, next_b = _stepped(a, b, place, die)
        count += _two(game, next_a, next_b, free, die, place)
    return count


def _two(game: Any, a: np.uint64, b: np.uint64, free: np.uint64, die: int, last: int) -> int:
    own = occupied(a, b)
    left = _open(game, a, b, free, die, last)
    far = own & ~HOME
    if own >> U(BAR) == U(0) and (popcount(far) > 1 or far & made(a, b) != U(0)):
        # Nobody enters or goes off: after a step the second comes from a place no higher, not from
        # one that is empty now, and perhaps from where the first arrived.
        arrived = (left >> U(die)) & ~own & (free << U(die))
        count = popcount(left)
        count = count * (count + 1) // 2
        return count - popcount(left & singles(a, b)) + popcount(arrived)
    count = 0
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        next_a, next_b = _stepped(a, b, place, die)
        count += popcount(_open(game, next_a, next_b, free, die, place))
    return count


def _nth_double(
    game: Any, a: np.uint64, b: np.uint64, side: Side, die: int, steps: int, n: int
) -> int:
    last, path, hits, struck, blots = BAR, 0, 0, 0, side.blots
    for step in range(steps):
        left = _open(game, a, b, side.free, die, last)
        last = highest(left)
        next_a, next_b = _stepped(a, b, last, die)
        found = _ways(game, next_a, next_b, side.free, die, last, steps - step - 1)
        while n >= found:
            n -= found
            left ^= bit(last)
            last = highest(left)
            next_a, next_b = _stepped(a, b, last, die)
            found = _ways(game, next_a, next_b, side.free, die, last, steps - step - 1)
        a, b = next_a, next_b
        path |= last << (5 * step)
        to = landing(last, die)
        if (blots >> U(to)) & U(1) != U(0):
            hits |= to << (5 * struck)
            struck += 1
            blots ^= bit(to)
    return change(path, moved_on(path, steps, die), steps, hits)
