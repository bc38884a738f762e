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
from petteia.games.breakthrough.races import moves_left

if TYPE_CHECKING:
    from petteia.games.breakthrough.rules import Breakthrough

__all__ = ["BANDS", "FEATURES", "bands", "home_guards", "structure_features"]

BANDS = 7
"""Rows from home to the last but one; on other boards the rows are shared out among them."""

FEATURES = (
    *(f"row{band}" for band in range(BANDS)),
    "edge", "guards", "hanging", "contested", "supported", "phalanx", "chain", "blocked", "spare",
    "front", "tempo",
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


def side_features(
    game: Breakthrough, own: np.uint64, enemy: np.uint64, player: int
) -> tuple[float, ...]:
    """What one side has of every feature but the last two."""
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
    safe = ~attacked & ~game.halves[player]
    return (
        float(popcount(own & rows[0])),
        float(popcount(own & rows[1])),
        float(popcount(own & rows[2])),
        float(popcount(own & rows[3])),
        float(popcount(own & rows[4])),
        float(popcount(own & rows[5])),
        float(popcount(own & rows[6])),
        float(popcount(out & ~(game.not_left & game.not_right))),
        float(popcount(own & game.home_guards[player])),
        float(popcount(own & attacked & ~guarded)),
        float(popcount(own & attacked & guarded)),
        float(popcount(out & guarded)),
        float(popcount(out & ((own & game.not_right) << U(1)))),
        float(popcount(out & ahead)),
        float(popcount(enemy & ahead)),
        float(popcount(ahead & empty & safe) + popcount(diagonal & empty & safe)),
    )


def structure_features(game: Breakthrough, p: Words, player: int) -> tuple[float, ...]:
    """All features, the player's less the enemy's."""
    own, enemy = (p[0], p[1]) if player == 0 else (p[1], p[0])
    a = side_features(game, own, enemy, player)
    b = side_features(game, enemy, own, 1 - player)
    mine = his = 0
    if own != U(0):
        mine = moves_left(game, own, player)
    if enemy != U(0):
        his = moves_left(game, enemy, 1 - player)
    tempo = 1.0 if game.mover(p) == player else -1.0
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6],
        a[7] - b[7], a[8] - b[8], a[9] - b[9], a[10] - b[10], a[11] - b[11], a[12] - b[12],
        a[13] - b[13], a[14] - b[14], a[15] - b[15],
        float(his - mine), tempo,
    )  # fmt: skip
