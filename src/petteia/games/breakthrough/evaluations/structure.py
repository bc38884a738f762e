"""Our evaluation: where workers stand, and how they stand together.

Every feature is the player's less the enemy's, so that the evaluation of one side is the negative
of the other's. The weights come from ``benchmarks/train_breakthrough.py``: logistic regression of
the results of our engine's games on the features of their quiet positions.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount
from petteia.core.words import U, Words
from petteia.games.breakthrough.rules import BreakthroughRules
from petteia.games.breakthrough.rules.masks import BANDS
from petteia.games.breakthrough.rules.races import moves_left

__all__ = ["FEATURES", "structure_features"]

FEATURES = (
    *(f"row{band}" for band in range(BANDS)),
    "edge", "guards", "hanging", "contested", "supported", "phalanx", "chain", "blocked", "spare",
    "cover", "lean", "home", "front", "tempo",
)  # fmt: skip


def side_features(
    game: BreakthroughRules, own: np.uint64, enemy: np.uint64, player: int
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


def structure_features(game: BreakthroughRules, p: Words, player: int) -> tuple[float, ...]:
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
