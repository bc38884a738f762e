"""All plays of a roll, as the change that each makes.

A play is one integer: the places that lose a checker, those that gain one, and the points where
an enemy is hit, each up to four in falling order, five bits each; 0 is nothing, or off. A checker
that moves twice only leaves its first place and arrives at its last. Two plays are therefore the
same number exactly if they lead to the same position. 0 is to play nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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

__all__ = [
    "ADDED", "HITS", "PLACE", "Side", "all_plays", "change", "landing", "moved_on", "packed",
    "sources", "two_steps", "with_place",
]  # fmt: skip

ADDED, HITS = 20, 40
"""Where the places that gain a checker and the hits begin in a play."""
PLACE = 31
"""The mask of one place."""


def packed(first: int, second: int) -> int:
    """Two places in falling order."""
    return first | second << 5 if first >= second else second | first << 5


def sources(game: Any, own: np.uint64, free: np.uint64, die: int) -> np.uint64:
    """The places from which a checker can go ``die`` points.

    ``own`` are the places with a checker, ``free`` the points with at most one enemy.
    """
    if own >> U(BAR) != U(0):
        return bit(BAR) if (free >> U(BAR - die)) & U(1) != U(0) else U(0)
    found = own & (free << U(die))
    if own & ~HOME == U(0):
        found |= own & bit(die)
        if own >> U(die) == U(0) and own != U(0):
            # The course lets any checker off here, the official rules only the farthest.
            found |= own if game.course else bit(highest(own))
    return found


def landing(place: int, die: int) -> int:
    """Where a checker arrives; 0 is off."""
    return place - die if place > die else 0


def _is_new(out: np.ndarray, begin: int, at: int, play: int) -> bool:
    i = begin
    while i < at and out[i] != play:
        i += 1
    return i == at


class Side(NamedTuple):
    """The mover's places before a roll, and what the enemy leaves."""

    own: np.uint64
    """With a checker."""
    alone: np.uint64
    """With exactly one."""
    free: np.uint64
    """Points with at most one enemy."""
    blots: np.uint64
    """Points with exactly one enemy."""


def _one_step(game: Any, side: Side, die: int, out: np.ndarray, begin: int, at: int) -> int:
    """Plays of one die alone."""
    left = sources(game, side.own, side.free, die)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        to = landing(place, die)
        hit = to if (side.blots >> U(to)) & U(1) != U(0) else 0
        play = place | to << ADDED | hit << HITS
        if _is_new(out, begin, at, play):
            out[at] = play
            at += 1
    return at


def two_steps(blots: np.uint64, place: int, to: int, other: int, then: int) -> int:
    """The play in which a checker goes from one place to another, and then one does again."""
    hits = to if (blots >> U(to)) & U(1) != U(0) else 0
    if (blots >> U(then)) & U(1) != U(0) and then != to:
        hits = packed(hits, then)
    if other == to:
        play = place | then << ADDED
    elif then == place:
        play = other | to << ADDED
    else:
        play = packed(place, other) | packed(to, then) << ADDED
    return play | hits << HITS


def _two_steps(
    game: Any, side: Side, first: int, second: int, out: np.ndarray, begin: int, at: int
) -> int:
    """Plays of two different dice in one order."""
    own, alone, free, blots = side
    left = sources(game, own, free, first)
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        to = landing(place, first)
        after = own & ~(bit(place) & alone)
        if to > 0:
            after |= bit(to)
        rest = sources(game, after, free, second)
        while rest != U(0):
            other = highest(rest)
            rest ^= bit(other)
            play = two_steps(blots, place, to, other, landing(other, second))
            if _is_new(out, begin, at, play):
                out[at] = play
                at += 1
    return at


def with_place(places: int, place: int) -> int:
    """A list of places in falling order with one more."""
    at = 0
    while places >> at & PLACE > place:
        at += 5
    low = places & ((1 << at) - 1)
    return low | place << at | places >> at << (at + 5)


def change(lost: int, gained: int, count: int, hits: int) -> int:
    """The play that takes checkers from some places and puts them on others.

    Both lists have ``count`` places in falling order; what stands in both has only passed.
    """
    removed = added = 0
    out = put = i = j = 0
    while i < count or j < count:
        place = lost >> (5 * i) & PLACE if i < count else -1
        to = gained >> (5 * j) & PLACE if j < count else -1
        if place == to:
            i += 1
            j += 1
        elif place > to:
            removed |= place << (5 * out)
            out += 1
            i += 1
        else:
            added |= to << (5 * put)
            put += 1
            j += 1
    return removed | added << ADDED | hits << HITS


def moved_on(path: int, steps: int, die: int) -> int:
    """Where the checkers of a path arrive with one die each."""
    gained = 0
    for i in range(steps):
        gained |= landing(path >> (5 * i) & PLACE, die) << (5 * i)
    return gained


def _longest(
    game: Any, a: np.uint64, b: np.uint64, free: np.uint64, die: int, last: int, wanted: int
) -> int:
    """How many of the wanted steps of a double can be made, each from no farther than the last."""
    if wanted == 0:
        return 0
    best = 0
    left = sources(game, occupied(a, b), free, die) & (bit(last + 1) - U(1))
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        next_a, next_b = taken_from(a, b, place)
        if place > die:
            next_a, next_b = put_on(next_a, next_b, place - die)
        found = 1 + _longest(game, next_a, next_b, free, die, place, wanted - 1)
        if found > best:
            best = found
            if best == wanted:
                return best
    return best


class Double(NamedTuple):
    """A double that is partly played."""

    a: np.uint64
    b: np.uint64
    blots: np.uint64
    """Enemies that were not hit yet."""
    last: int
    """The place of the last step; the next is no farther."""
    steps: int
    path: int
    """The places from which the steps were made."""
    hits: int
    struck: int
    """How many the hits are."""


def _double(
    game: Any, d: Double, free: np.uint64, die: int, wanted: int, out: np.ndarray, at: int
) -> int:
    """Plays of a double. Steps from falling places give every set of steps exactly once."""
    if d.steps == wanted or game.course:
        out[at] = change(d.path, moved_on(d.path, d.steps, die), d.steps, d.hits)
        at += 1
    if d.steps == wanted:
        return at
    left = sources(game, occupied(d.a, d.b), free, die) & (bit(d.last + 1) - U(1))
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        to = landing(place, die)
        a, b = taken_from(d.a, d.b, place)
        if to > 0:
            a, b = put_on(a, b, to)
        hits, struck, blots = d.hits, d.struck, d.blots
        if (blots >> U(to)) & U(1) != U(0):
            hits |= to << (5 * struck)
            struck += 1
            blots ^= bit(to)
        path = d.path | place << (5 * d.steps)
        after = Double(a, b, blots, place, d.steps + 1, path, hits, struck)
        at = _double(game, after, free, die, wanted, out, at)
    return at


def all_plays(
    game: Any, own: Words, other: Words, first: int, second: int, out: np.ndarray, begin: int
) -> int:
    """Writes every distinct play of a roll; both sides are two words in their own numbering."""
    a, b = own
    free = POINTS & ~mirrored(made(other[0], other[1]))
    blots = POINTS & mirrored(singles(other[0], other[1]))
    at = begin
    if first == second:
        most = 4 if game.course else _longest(game, a, b, free, first, BAR, 4)
        start = Double(a, b, blots, BAR, 0, 0, 0, 0)
        return _double(game, start, free, first, most, out, at)
    side = Side(occupied(a, b), singles(a, b), free, blots)
    if game.course:
        out[at] = 0
        at = _one_step(game, side, first, out, begin, at + 1)
        at = _one_step(game, side, second, out, begin, at)
    at = _two_steps(game, side, first, second, out, begin, at)
    at = _two_steps(game, side, second, first, out, begin, at)
    if at == begin:
        at = _one_step(game, side, max(first, second), out, begin, at)
    if at == begin:
        at = _one_step(game, side, min(first, second), out, begin, at)
    if at == begin:
        out[at] = 0
        at += 1
    return at
