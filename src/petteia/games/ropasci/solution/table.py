"""The table of endings: the chance that the hunter wins, by the turns that are left.

A row of the data is a position that is not a draw: its place (``layout``), then the chance of a win
within 0, 1, 2, ... turns when both play their best. All other positions are drawn however long the
game lasts. The rule of repetition is not modelled: it could only end a hunt sooner.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np

from petteia.compiled import real_of_bits, signed, words_at
from petteia.core.words import Words
from petteia.games.ropasci.rules import RoPaSciRules
from petteia.games.ropasci.solution.layout import SIZE, ending_of
from petteia.solve import TableFile, folder

__all__ = ["KIND", "NAME", "TURNS", "exact_value", "path", "words_there"]

KIND, NAME = "ropasci-endings", "ropasci(tokens=3)"
TURNS = 360
"""The longest hunt that the table knows."""
_ROW = TURNS + 1


def path() -> Path:
    """Where the table is kept."""
    return folder() / "ropasci-3.table"


def words_of(data: np.ndarray) -> np.ndarray:
    """The table as kernels take it: for each place which row it has, counted from 1, then the
    chances of the rows as real numbers."""
    rows = np.zeros(SIZE, np.uint64)
    rows[data[:, 0].astype(np.int64)] = np.arange(1, len(data) + 1)
    chances = np.ascontiguousarray(data[:, 1:], np.float64).reshape(-1)
    return np.concatenate([rows, chances.view(np.uint64)])


def words_there() -> np.ndarray | None:
    """The table of this machine, or None."""
    where = path()
    return _opened(where, where.stat().st_mtime_ns) if where.exists() else None


@lru_cache(maxsize=2)
def _opened(where: Path, stamp: int) -> np.ndarray:
    return words_of(TableFile.open(where, KIND, NAME).data)


def exact_value(game: RoPaSciRules, p: Words, tables: int) -> float:
    """Kernel: the expected points of player 0, or not a number where the table has nothing."""
    place, hunter = ending_of(game, p)
    left = game.turns - game.turn(p)
    if place < 0 or left > TURNS:
        return math.nan
    row = signed(words_at(tables, SIZE)[place])
    if row == 0:
        return 0.0
    at = SIZE + (row - 1) * _ROW + left
    chance = real_of_bits(words_at(tables, at + 1)[at])
    return chance if hunter == 0 else -chance
