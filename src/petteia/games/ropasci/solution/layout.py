"""Where an ending stands in its table.

Without throws and with three tokens the game is over, but for one case: a token that cannot be
beaten hunts two that it beats. (Of two tokens against one, any that the one cannot beat is
invincible and wins; the one against two of its prey is invincible, but has to catch one of them.)

Without throws the board has no home rows, so all twelve symmetries of the hexagon hold. The hunter
is brought to one of nine hexes, and the two prey are taken in order.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import RoPaSciRules, tokens
from petteia.games.ropasci.rules.hexes import HEXES, NUMBER

__all__ = ["PLACES", "SIZE", "SYMMETRIES", "ending_of", "number_of", "placement", "position_of"]


def _symmetries() -> list[list[int]]:
    found = []
    for is_mirrored in (False, True):
        for turns in range(6):
            to = []
            for r, q in HEXES:
                if is_mirrored:
                    r, q = q, r
                for _ in range(turns):
                    r, q = -q, r + q
                to.append(NUMBER[r, q])
            found.append(to)
    return found


SYMMETRIES = _symmetries()
"""For each of the twelve symmetries of the hexagon: where every hex goes."""
_WAYS = np.array(SYMMETRIES, np.int64)
_FIRST = _WAYS.min(axis=0)
PLACES = np.unique(_FIRST)
"""The nine hexes to which a hunter may be brought."""
_PLACE = np.searchsorted(PLACES, _FIRST).astype(np.int64)
_BROUGHT = np.array([_WAYS[int(_WAYS[:, h].argmin())] for h in range(61)], np.int64).reshape(-1)
"""At ``h * 61 + x``: where hex x goes when a hunter on hex h is brought to its place."""
SIZE = len(PLACES) * 61 * 61


def number_of(hunter: int, first: int, second: int) -> int:
    """Kernel: the place of a hunter and two prey in the table."""
    a, b = _BROUGHT[hunter * 61 + first], _BROUGHT[hunter * 61 + second]
    return (_PLACE[hunter] * 61 + min(a, b)) * 61 + max(a, b)


def placement(number: int) -> tuple[int, int, int]:
    """Kernel: a hunter and two prey that stand at this place."""
    return PLACES[number // 3721], number // 61 % 61, number % 61


def position_of(game: RoPaSciRules, number: int) -> Words:
    """Kernel: the position with upper's paper as the hunter and lower's rocks as prey. Prey on the
    hunter's hex are no position; they are never asked for."""
    hunter, first, second = placement(number)
    paper, one, other = U(1) << U(hunter), U(1) << U(first), U(1) << U(second)
    zero, throws = U(0), U(game.throws)
    return (
        one | other, paper, paper, zero, zero, zero,
        one ^ other, one & other, zero, zero, throws | throws << U(4),
    )  # fmt: skip


def ending_of(game: RoPaSciRules, p: Words) -> tuple[int, int]:
    """Kernel: the place of a position in the table and the hunting player; -1 if it has none."""
    if game.thrown(p, 0) != game.throws or game.thrown(p, 1) != game.throws:
        return -1, 0
    if p[3] | p[4] | p[5] == U(0) and popcount(p[2]) == 1:
        hunter, prey, pair, player = p[2], tokens(p, 1), p[7], 0
        if p[8] | p[9] != U(0):
            return -1, 0
    elif p[7] | p[8] | p[9] == U(0) and popcount(p[6]) == 1:
        hunter, prey, pair, player = p[6], tokens(p, 0), p[3], 1
        if p[4] | p[5] != U(0):
            return -1, 0
    else:
        return -1, 0
    single = p[6] if player == 0 else p[2]
    if popcount(single) + 2 * popcount(pair) != 2 or game.end_of(p) != 0:
        return -1, 0
    first = trailing_zeros(prey)
    rest = prey & (prey - U(1))
    second = first if rest == U(0) else trailing_zeros(rest)
    return number_of(trailing_zeros(hunter), first, second), player
