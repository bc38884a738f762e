"""The tables of endings: the chance that the hunter wins, by the turns that are left.

Of three tokens a row of the data is a position that is not a draw: its place (``layout``), then the
chance of a win within 0, 1, 2, ... turns when both play their best. Of four tokens each hunt
(``hunts``) has some turns for which its chances are kept, in parts of ``WHOLE``; between them they
are on a straight line. All other positions are drawn however long the game lasts. The rule of
repetition is not modelled: it could only end a hunt sooner.

Kernels take both as words: the word at which the part for four tokens begins, or 0; for each place
of three tokens which row it has, counted from 1; the rows' chances as real numbers. The part for
four tokens: for each hunt where its places begin and how many there are, where its turns begin and
how many there are, and where its chances begin, place by place; then these. Places have 32 bits,
turns 64, chances 16.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.compiled import real_of_bits, signed, words_at
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.solution.hunts import hunt_at
from petteia.games.ropasci.solution.layout import SIZE, ending_of
from petteia.solve import TableFile, folder

__all__ = [
    "KIND", "LARGE_KIND", "LARGE_NAME", "NAME", "TURNS", "WHOLE", "Kept", "exact_error",
    "exact_value", "large_path", "path", "rows_of", "words_of", "words_there",
]  # fmt: skip

KIND, NAME = "ropasci-endings", "ropasci(tokens=3)"
LARGE_KIND, LARGE_NAME = "ropasci-hunts", "ropasci(tokens=4)"
TURNS = 360
"""The longest hunt that the tables know."""
WHOLE = (1 << 16) - 1
"""A certain win, as chances of four tokens are kept."""
_ROW = TURNS + 1
_FACTS = 5  # words for each hunt: where its places, turns and chances begin, and how many


def path() -> Path:
    """Where the table of three tokens is kept."""
    return folder() / "ropasci-3.table"


def large_path() -> Path:
    """Where the table of four tokens is kept; it has that of three in it."""
    return folder() / "ropasci-4.table"


class Kept(NamedTuple):
    """The chances of a hunt of four tokens."""

    places: np.ndarray
    """Ascending."""
    turns: Sequence[int]
    """The numbers of turns left for which there are chances, ascending from 0 to ``TURNS``."""
    chances: np.ndarray
    """[place, turns]: in parts of ``WHOLE``."""


def words_of(data: np.ndarray, hunts: Sequence[Kept] = ()) -> np.ndarray:
    """The tables as kernels take them, of the data for three tokens and perhaps the hunts of four,
    in the order of ``HUNTS`` from the second on."""
    rows = np.zeros(SIZE, np.uint64)
    rows[data[:, 0].astype(np.int64)] = np.arange(1, len(data) + 1)
    chances = np.ascontiguousarray(data[:, 1:], np.float64).reshape(-1)
    begin = 1 + len(rows) + len(chances)
    first = np.array([begin if hunts else 0], np.uint64)
    facts, parts = list[int](), list[np.ndarray]()
    at = begin + _FACTS * len(hunts)
    for hunt in hunts:
        pieces = [_packed(hunt.places, np.uint32), np.array(hunt.turns, np.uint64),
                  _packed(hunt.chances, np.uint16)]  # fmt: skip
        starts = at + np.cumsum([0, *(len(piece) for piece in pieces)])
        facts += [int(starts[0]), len(hunt.places), int(starts[1]), len(hunt.turns), int(starts[2])]
        parts, at = parts + pieces, int(starts[3])
    return np.concatenate(
        [first, rows, chances.view(np.uint64), np.array(facts, np.uint64), *parts]
    )


def _packed(numbers: np.ndarray, sort: type[np.unsignedinteger]) -> np.ndarray:
    """Small numbers, several to a word."""
    flat = np.ascontiguousarray(numbers, sort).reshape(-1)
    return np.pad(flat, (0, -len(flat) % (8 // flat.itemsize))).view(np.uint64)


def rows_of(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The data for three tokens of such words again: the places, and their chances by turns."""
    rows = np.asarray(words[1 : 1 + SIZE]).astype(np.int64)
    places = np.flatnonzero(rows)
    chances = np.asarray(words[1 + SIZE : 1 + SIZE + len(places) * _ROW]).view(np.float64)
    return places, chances.reshape(-1, _ROW)[rows[places] - 1]


def words_there() -> np.ndarray | None:
    """The tables of this machine, or None. That of four tokens is mapped, not read."""
    for where in (large_path(), path()):
        if where.exists():
            return _opened(where, where.stat().st_mtime_ns)
    return None


@lru_cache(maxsize=2)
def _opened(where: Path, stamp: int) -> np.ndarray:
    if where == large_path():
        return TableFile.open(where, LARGE_KIND, LARGE_NAME).data
    return words_of(TableFile.open(where, KIND, NAME).data)


@lru_cache(maxsize=2)
def _error_of(where: Path, stamp: int) -> float:
    return float(TableFile.open(where, LARGE_KIND, LARGE_NAME).facts["within"])


def exact_error(game: RoPaSciRules, p: Words) -> float:
    """By how much ``exact_value`` may be off at a position that it knows."""
    where = large_path()
    if hunt_at(game, p)[0] < 0 or not where.exists():
        return 0.0
    return _error_of(where, where.stat().st_mtime_ns)


# --- kernels -------------------------------------------------------------------------------------


def word(tables: int, at: int) -> int:
    """Kernel: one word of the tables."""
    return signed(words_at(tables, at + 1)[at])


def exact_value(game: RoPaSciRules, p: Words, tables: int) -> float:
    """Kernel: the expected points of player 0, or not a number where the tables have nothing."""
    left = game.turns - game.turn(p)
    if left > TURNS:
        return math.nan
    place, hunter = ending_of(game, p)
    if place >= 0:
        row = word(tables, 1 + place)
        if row == 0:
            return 0.0
        at = 1 + SIZE + (row - 1) * _ROW + left
        chance = real_of_bits(words_at(tables, at + 1)[at])
        return chance if hunter == 0 else -chance
    begin = word(tables, 0)
    if begin == 0:
        return math.nan
    number, place, hunter = hunt_at(game, p)
    if number < 1:
        return math.nan
    chance = chance_of(tables, begin + _FACTS * (number - 1), place, left)
    return chance if hunter == 0 else -chance


def chance_of(tables: int, hunt: int, place: int, left: int) -> float:
    """Kernel: the chance of a place of the hunt whose facts begin at a word."""
    keys, count, turns = word(tables, hunt), word(tables, hunt + 1), word(tables, hunt + 2)
    wide, chances = word(tables, hunt + 3), word(tables, hunt + 4)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if word(tables, keys + middle // 2) >> 32 * (middle & 1) & 0xFFFFFFFF < place:
            low = middle + 1
        else:
            high = middle
    if low == count or word(tables, keys + low // 2) >> 32 * (low & 1) & 0xFFFFFFFF != place:
        return 0.0
    k = 1
    while word(tables, turns + k) < left:
        k += 1
    before, after = word(tables, turns + k - 1), word(tables, turns + k)
    share, at = (after - left) / (after - before), low * wide + k
    earlier, later = kept_at(tables, chances, at - 1), kept_at(tables, chances, at)
    return share * earlier + (1.0 - share) * later


def kept_at(tables: int, chances: int, number: int) -> float:
    """Kernel: one of the chances that begin at a word."""
    bits = words_at(tables, chances + number // 4 + 1)[chances + number // 4]
    return signed(bits >> U(16 * (number & 3)) & U(WHOLE)) / WHOLE
