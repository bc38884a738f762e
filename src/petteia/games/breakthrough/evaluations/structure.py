"""Our evaluation: where workers stand, and how they stand together.

Every feature is the player's less the enemy's, so that the evaluation of one side is the negative
of the other's. The weights come from ``benchmarks/train_breakthrough.py``: logistic regression of
the results of our engine's games on the features of their quiet positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petteia.compiled import popcount
from petteia.core.words import U, Words
from petteia.games.breakthrough.rules.races import moves_left

if TYPE_CHECKING:
    from petteia.games.breakthrough.rules import Breakthrough

__all__ = ["BANDS", "FEATURES", "bands", "home_guards", "structure_features", "wings"]

BANDS = 7
"""Rows from home to the last but one; on other boards the rows are shared out among them."""

FEATURES = (
    *(f"row{band}" for band in range(BANDS)),
    "edge", "guards", "hanging", "contested", "supported", "phalanx", "chain", "blocked", "spare",
    "cover", "lean", "home", "front", "tempo",
)  # fmt: skip


def bands(columns: int, rows: int) -> tuple[tuple[np.uint64, ...], ...]:
    """By player and band: its squares."""
    row = 2**columns - 1
    found = [[0] * BANDS, [0] * BANDS]
    for r in range(rows - 1):
        band = round(r * (BANDS - 1) / (rows - 2))
        found[0][band] |= row << (columns * r)
        found[1][band] |= row << (columns * (rows - 1 - r))
    return tuple(tuple(U(squares) for squares in side) for side in found)


def home_guards(columns: int, rows: int) -> tuple[np.uint64, np.uint64]:
    """The two pairs on the home row that guard all of it (Lorentz and Horey), by player."""
    places = {c for c in (1, 2, columns - 3, columns - 2) if 0 < c < columns - 1}
    row = sum(1 << c for c in places)
    return (U(row), U(row << (columns * (rows - 1))))


def wings(columns: int, rows: int) -> tuple[np.uint64, np.uint64]:
    """The left and the right half of the board; a column in the middle belongs to neither."""
    half = 2 ** (columns // 2) - 1
    left = sum(half << (columns * row) for row in range(rows))
    return (U(left), U(left << ((columns + 1) // 2)))


def side_features(
    game: Breakthrough, own: np.uint64, enemy: np.uint64, player: int
) -> tuple[int, ...]:
    """What one side has of every feature but the last two.

    Where one arrival wins, nobody is home, and who stands one step from the goal decides the game
    before any evaluation is asked: these two need no count then.
    """
    attacked = game.guarded(enemy, 1 - player)
    guarded = game.guarded(own, player)
    rows = game.bands[player]
    out = own & ~(rows[0] | rows[1])
    empty = game.squares & ~(own | enemy)
    if player == 0:
        ahead = own << U(game.columns)
        diagonal = guarded & game.squares & ~own
    else:
        ahead = own >> U(game.columns)
        diagonal = guarded & ~own
    safe = empty & ~attacked & ~game.halves[player]
    return (
        popcount(own & rows[0]),
        popcount(own & rows[1]),
        popcount(own & rows[2]),
        popcount(own & rows[3]),
        popcount(own & rows[4]),
        popcount(own & rows[5]),
        popcount(own & rows[6]) if game.workers > 1 else 0,
        popcount(out & ~(game.not_left & game.not_right)),
        popcount(own & game.home_guards[player]),
        popcount(own & attacked & ~guarded),
        popcount(own & attacked & guarded),
        popcount(out & guarded),
        popcount(out & ((own & game.not_right) << U(1))),
        popcount(out & ahead),
        popcount(enemy & ahead),
        popcount(ahead & safe) + popcount(diagonal & safe),
        popcount(game.guarded(own & game.goals[1 - player], player)),
        abs(popcount(own & game.wings[0]) - popcount(own & game.wings[1])),
        popcount(own & game.goals[player]) if game.workers > 1 else 0,
    )


def structure_features(game: Breakthrough, p: Words, player: int) -> tuple[float, ...]:
    """All features, the player's less the enemy's."""
    a = side_features(game, p[0], p[1], 0)
    b = side_features(game, p[1], p[0], 1)
    front = 0
    if p[1] != U(0):
        front += moves_left(game, p[1], 1)
    if p[0] != U(0):
        front -= moves_left(game, p[0], 0)
    # White's less black's, counted in whole numbers: the sign comes last.
    sign = 1 if player == 0 else -1
    return (
        float(sign * (a[0] - b[0])), float(sign * (a[1] - b[1])), float(sign * (a[2] - b[2])),
        float(sign * (a[3] - b[3])), float(sign * (a[4] - b[4])), float(sign * (a[5] - b[5])),
        float(sign * (a[6] - b[6])), float(sign * (a[7] - b[7])), float(sign * (a[8] - b[8])),
        float(sign * (a[9] - b[9])), float(sign * (a[10] - b[10])), float(sign * (a[11] - b[11])),
        float(sign * (a[12] - b[12])), float(sign * (a[13] - b[13])), float(sign * (a[14] - b[14])),
        float(sign * (a[15] - b[15])), float(sign * (a[16] - b[16])), float(sign * (a[17] - b[17])),
        float(sign * (a[18] - b[18])), float(sign * front),
        1.0 if game.mover(p) == player else -1.0,
    )  # fmt: skip
