"""Boards from which games of self-play begin: the usual one, and ones that are rare otherwise.

A network knows little of what it seldom sees. So some games begin where a side is in a back game,
has crashed, or is anywhere; from there both play as well as they can.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from petteia.core.words import U
from petteia.games.backgammon.rules.board import BAR, CHECKERS

__all__ = ["START", "random_starts", "words_of"]

_USUAL = ((24, 2), (13, 5), (8, 3), (6, 5))
_PLACES = np.arange(BAR + 1)


def words_of(counts: np.ndarray) -> np.ndarray:
    """The words of boards: (n, 2, 26) checkers by side and place, (n, 4) words."""
    found = np.zeros((len(counts), 4), np.uint64)
    places = np.arange(BAR + 1, dtype=np.uint64)
    for side in range(2):
        for plane, (word, up) in enumerate(((0, 0), (0, 32), (1, 0), (1, 32))):
            bits = (counts[:, side].astype(np.uint64) >> U(plane)) & U(1)
            found[:, 2 * side + word] |= (bits << (places + U(up))).sum(1, dtype=np.uint64)
    return found


def _usual() -> np.ndarray:
    counts = np.zeros((1, 2, BAR + 1), np.int64)
    for place, count in _USUAL:
        counts[:, :, place] = count
    return words_of(counts)


START = _usual()
"""The usual board, (1, 4)."""


def _strewn(
    chance: np.random.Generator, likely: np.ndarray, count: int, taken: np.ndarray
) -> np.ndarray:
    """So many checkers strewn over the places that are likely and not taken, often in twos."""
    side = np.zeros(BAR + 1, np.int64)
    weights = np.where(taken > 0, 0.0, likely)
    while count > 0:
        group = min(count, int(chance.choice((1, 2, 2, 3))))
        side[chance.choice(_PLACES, p=weights / weights.sum())] += group
        count -= group
    return side


def _likely(*zones: tuple[int, int, float]) -> np.ndarray:
    """How likely each place is, by zones from a place to a place."""
    found = np.full(BAR + 1, 1e-3)
    found[0] = 0.0
    for first, last, weight in zones:
        found[first : last + 1] += weight
    return found


def _pair(chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Both sides of one board: who is back or has crashed, and who is not."""
    back = np.zeros(BAR + 1, np.int64)
    kind = chance.choice(("back game", "crashed", "strewn"), p=(0.4, 0.4, 0.2))
    if kind == "back game":
        for place in chance.choice(np.arange(19, 25), 2, replace=False):
            back[place] = chance.choice((2, 2, 2, 3))
        rest = _likely((3, 8, 1.0), (9, 14, 0.7), (15, 25, 0.1))
    elif kind == "crashed":
        for place in chance.choice(np.arange(18, 26), chance.integers(1, 4)):
            back[place] += chance.choice((1, 2))
        rest = _likely((1, 3, 1.0), (4, 6, 0.6), (7, 12, 0.05))
    else:
        rest = _likely((1, 6, 1.0), (7, 13, 0.8), (14, 25, 0.6))
    off = int(chance.integers(0, 6)) if kind == "crashed" and chance.random() < 0.15 else 0
    none = np.zeros(BAR + 1, np.int64)
    back += _strewn(chance, rest, max(0, CHECKERS - off - int(back.sum())), none)
    taken = np.zeros(BAR + 1, np.int64)
    taken[1:BAR] = back[1:BAR][::-1]
    home = _likely((1, 6, 1.5), (7, 12, 0.6), (13, 18, 0.15), (19, 25, 0.05))
    gone = int(chance.integers(0, 11)) if kind == "crashed" and chance.random() < 0.4 else 0
    return back, _strewn(chance, home, CHECKERS - gone, taken)


@lru_cache(maxsize=2)
def random_starts(count: int, seed: int) -> np.ndarray:
    """So many rare boards, (count, 4) words; either side is on roll."""
    chance = np.random.default_rng(seed)
    counts = np.zeros((count, 2, BAR + 1), np.int64)
    for number in range(count):
        pair = _pair(chance)
        first = int(chance.integers(2))
        counts[number, first], counts[number, 1 - first] = pair
    return words_of(counts)
