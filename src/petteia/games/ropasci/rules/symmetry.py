"""The twelve symmetries: left and right, colours with a half turn, the three symbols in turn."""

from __future__ import annotations

from itertools import product

from petteia.core.words import U, Words
from petteia.games.ropasci.rules.hexes import HEXES, NUMBER

__all__ = ["images"]

_MIRROR = [NUMBER[r, -r - q] for r, q in HEXES]
_TURNED = [NUMBER[-r, -q] for r, q in HEXES]


def images(p: Words, first: int, second: int) -> list[tuple[Words, int, int]]:
    """The eleven other positions that are the same but for the way they lie or for names, each
    with the same two moves there."""
    ways = product((False, True), (False, True), range(3))
    return [_image(p, first, second, *way) for way in ways if any(way)]


def _image(
    p: Words, first: int, second: int, mirrored: bool, swapped: bool, steps: int
) -> tuple[Words, int, int]:
    to = list(range(61))
    if mirrored:
        to = [_MIRROR[place] for place in to]
    if swapped:
        to = [_TURNED[place] for place in to]

    def board(word: int) -> int:
        return sum(1 << to[place] for place in range(61) if word >> place & 1)

    def code(old: int) -> int:
        return (old - 1 + steps) % 3 + 1 if old else 0

    def move(old: int) -> int:
        if old < 0:
            return old
        source, target = divmod(old, 64)
        source = 60 + code(source - 60) if source > 60 else to[source]
        return source * 64 + to[target]

    words = [int(word) for word in p]
    low = high = 0
    for place in range(61):
        new = code((words[0] >> place & 1) | (words[1] >> place & 1) << 1)
        low |= (new & 1) << to[place]
        high |= (new >> 1) << to[place]
    upper, lower = [board(word) for word in words[2:6]], [board(word) for word in words[6:10]]
    count = words[10]
    if swapped:
        upper, lower = lower, upper
        count = count & ~255 | (count & 15) << 4 | count >> 4 & 15
        first, second = second, first
    q = tuple(U(word) for word in (low, high, *upper, *lower, count))
    return q, move(first), move(second)
