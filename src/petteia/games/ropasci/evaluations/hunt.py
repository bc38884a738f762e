"""Our first evaluation, its weights set by hand."""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.evaluation import LinearEvaluation
from petteia.core.words import U, Words
from petteia.games.ropasci.evaluations.tokens import closest, count_on, harmonic, planes_of
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["HUNT"]

OUR_WEIGHTS = {
    "tokens": 10.0,
    "throws": 8.0,  # results of games weigh the last throw nearly as a token
    "attack": 2.0,
    "pressure": 0.6,
    "exposed": 0.4,
    "safe": 2.0,
    "variety": 0.5,
}


def side(game: RoPaSciRules, p: Words, player: int) -> tuple[float, ...]:
    """Kernel: our features of one side."""
    own, enemy = planes_of(p, player), planes_of(p, 1 - player)
    rock, paper, scissors = p[0] & ~p[1], p[1] & ~p[0], p[0] & p[1]
    mine = own[0] | own[1] | own[2] | own[3]
    other = enemy[0] | enemy[1] | enemy[2] | enemy[3]
    left = game.throws - game.thrown(p, player)
    their_left = game.throws - game.thrown(p, 1 - player)
    tokens = count_on(own, rock | paper | scissors)
    attack = closest(game, mine & rock, enemy, scissors, True)
    attack = max(attack, closest(game, mine & paper, enemy, rock, True))
    attack = max(attack, closest(game, mine & scissors, enemy, paper, True))
    pressure = (
        nearest_sum(game, mine & rock, other & scissors)
        + nearest_sum(game, mine & paper, other & rock)
        + nearest_sum(game, mine & scissors, other & paper)
    )
    exposed = 0.0
    if their_left > 0:
        thrown = game.throws - their_left
        exposed = float(popcount(mine & game.zones[10 * (1 - player) + thrown]))
    safe = 0.0
    if their_left == 0 and (
        (mine & rock != U(0) and other & paper == U(0))
        or (mine & paper != U(0) and other & scissors == U(0))
        or (mine & scissors != U(0) and other & rock == U(0))
    ):
        safe = 1.0
    kinds = 0.0
    if mine & rock != U(0):
        kinds += 1.0
    if mine & paper != U(0):
        kinds += 1.0
    if mine & scissors != U(0):
        kinds += 1.0
    return (
        float(tokens + left), harmonic(left), attack, pressure, -exposed, safe,
        max(kinds - 3.0, -float(left)) if left < 3 else kinds - 3.0,
    )  # fmt: skip


def nearest_sum(game: RoPaSciRules, hunters: np.uint64, prey: np.uint64) -> float:
    """Kernel: over all prey the nearness of its nearest hunter."""
    total = 0.0
    if hunters == U(0):
        return 0.0
    while prey != U(0):
        row = trailing_zeros(prey) * 61
        prey &= prey - U(1)
        best, left = 0.0, hunters
        while left != U(0):
            best = max(best, game.nearness[row + trailing_zeros(left)])
            left &= left - U(1)
        total += best
    return total


def our_features(game: RoPaSciRules, p: Words, player: int) -> tuple[float, ...]:
    """Tokens, throws, closest attack, pressure on all prey, tokens in the enemy's throw zone, an
    invincible token, and variety: own less the enemy's."""
    a, b = side(game, p, player), side(game, p, 1 - player)
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6],
    )  # fmt: skip


HUNT = LinearEvaluation("hunt", our_features, OUR_WEIGHTS)
