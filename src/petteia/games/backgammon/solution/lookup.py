"""The bear-off tables as kernels look into them: one flat array of single precision.

First the four pages of the two-sided table for at most six checkers a side, then the rows of the
one-sided one: see ``bearoff``. Both are built in a second, once a process, unless ``petteia solve``
has kept them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import THEIRS, Chances, Ways, owner_for
from petteia.games.backgammon.rules.board import HOME, checkers, occupied
from petteia.games.backgammon.rules.state import LEVEL, field
from petteia.games.backgammon.solution import bearoff
from petteia.games.backgammon.solution.bearoff import FEW, ROW, index_of, race_chances

__all__ = ["are_few", "are_home", "exact_ways", "flat_tables", "home_chances"]

_SIDES = bearoff.sides_with(FEW)
_PAGE = _SIDES * _SIDES
_ONE_SIDED = 4 * _PAGE


@lru_cache(maxsize=1)
def flat_tables() -> np.ndarray:
    """All of it."""
    both, one = bearoff.kept_or_built(2), bearoff.kept_or_built(1)
    return np.concatenate([both.ravel(), one.ravel()], dtype=np.float32, casting="same_kind")


def are_home(p: Words) -> bool:
    """Kernel: whether both sides have all their checkers home."""
    return (occupied(p[0], p[1]) | occupied(p[2], p[3])) & ~HOME == 0


def are_few(p: Words) -> bool:
    """Kernel: whether neither side has more checkers than the exact table."""
    return checkers(p[0], p[1]) <= FEW and checkers(p[2], p[3]) <= FEW


def _place(p: Words, roller: int) -> int:
    """Where a pair of sides stands in a page."""
    own, other = (p[:2], p[2:4]) if roller == 0 else (p[2:4], p[:2])
    return index_of(own[0], own[1]) * _SIDES + index_of(other[0], other[1])


def home_chances(p: Words, roller: int, w: np.ndarray, at: int) -> Chances:
    """Kernel: the chances of the player on roll where both are home, by the tables in an array
    from a place on: exact with few checkers, else as if each played alone."""
    if are_few(p):
        win = np.float64(w[at + _place(p, roller)])
        return (win, 0.0, 0.0, 0.0, 0.0)
    own, other = (p[:2], p[2:4]) if roller == 0 else (p[2:4], p[:2])
    rows = at + _ONE_SIDED
    return race_chances(
        w, rows + ROW * index_of(own[0], own[1]), rows + ROW * index_of(other[0], other[1])
    )


def exact_ways(p: Words, roller: int, w: np.ndarray, at: int) -> Ways:
    """Kernel: what the cube is worth in a game for points where few are left, exactly."""
    points = float(1 << field(p[4], LEVEL, 15))
    place = at + _place(p, roller)
    waits = np.float64(w[place + (1 + owner_for(p, roller)) * _PAGE])
    taken = 2.0 * np.float64(w[place + (1 + THEIRS) * _PAGE])
    return Ways(points * waits, points * taken, points)
