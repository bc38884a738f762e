"""Backgammon as its rules are printed: slow, short, and nothing to do with bit planes.

The kernels are compared with these. A side is a tuple of 26 numbers of checkers by place in its
own numbering: 1 to 24 are the points, 25 is the bar, and place 0 holds those that are off.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

__all__ = ["START", "Side", "plays", "points"]

Side = tuple[int, ...]
BAR, OFF = 25, 0


def side(**places: int) -> Side:
    """A side from ``p6=5`` and the like; the rest of the fifteen is off."""
    counts = [0] * 26
    for name, count in places.items():
        counts[int(name[1:])] = count
    counts[OFF] = 15 - sum(counts)
    return tuple(counts)


START = side(p24=2, p13=5, p8=3, p6=5)


def steps(own: Side, enemy: Side, die: int, *, course: bool) -> Iterator[tuple[Side, Side]]:
    """Both sides after each legal step with one die."""
    places = [place for place in range(1, 26) if own[place]]
    for place in places:
        if own[BAR] and place != BAR:
            continue
        to = place - die
        if to >= 1:
            if enemy[25 - to] >= 2:
                continue
        else:
            if max(places) > 6:
                continue
            if course:
                if to < 0 and any(other >= die for other in places):
                    continue
            elif to < 0 and place != max(places):
                continue
            to = OFF
        mine, theirs = list(own), list(enemy)
        mine[place] -= 1
        mine[to] += 1
        if to != OFF and theirs[25 - to] == 1:
            theirs[25 - to] -= 1
            theirs[BAR] += 1
        yield tuple(mine), tuple(theirs)


def _lines(
    own: Side, enemy: Side, dice: tuple[int, ...], *, course: bool
) -> Iterator[tuple[int, Side, Side]]:
    """Every way to use the dice in this order, with how many were used, none included."""
    yield 0, own, enemy
    if dice:
        for mine, theirs in steps(own, enemy, dice[0], course=course):
            for used, *after in _lines(mine, theirs, dice[1:], course=course):
                yield used + 1, after[0], after[1]


def plays(
    own: Side, enemy: Side, first: int, second: int, *, course: bool = False
) -> set[tuple[Side, Side]]:
    """The distinct positions that a roll can lead to.

    Officially as many dice as possible must be played, and the larger where either but not both
    can be. By the course rules a player may leave dice unused.
    """
    orders = {(first,) * 4} if first == second else set(permutations((first, second)))
    found = [
        (used, order[0], mine, theirs)
        for order in orders
        for used, mine, theirs in _lines(own, enemy, order, course=course)
    ]
    if course:
        return {(mine, theirs) for _, _, mine, theirs in found}
    most = max(used for used, *_ in found)
    best = [each for each in found if each[0] == most]
    if most == 1 and first != second:
        larger = max(die for _, die, _, _ in best)
        best = [each for each in best if each[1] == larger]
    return {(mine, theirs) for _, _, mine, theirs in best}


def points(loser: Side, *, course: bool = False) -> int:
    """What a game is worth: 2 for a gammon, 3 for a backgammon."""
    if course or loser[OFF]:
        return 1
    return 3 if any(loser[19:26]) else 2
