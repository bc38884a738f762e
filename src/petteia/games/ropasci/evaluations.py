"""Evaluations of RoPaSci 360: the report's, made precise, and ours.

For a player X and the enemy Y, with prey(t) the symbol that t beats and hunter(t) the one that
beats t:

1. the weight of a type: W[t] = (Y's tokens of prey(t) + Y's throws left / 3) / all that Y has left
2. throws left
3. closeness to prey: the largest sum of 1/distance from one of X's tokens to Y's tokens that it
   beats; danger is the same with hunters in place of prey
4. tokens and throws left
5. tokens whose hunter the enemy has not on the board

The report's six strategies are terms of the sum or switches, so that each can be left out. The
values are those of a player's utility less ``weaken`` times the enemy's.
"""

from __future__ import annotations

import numpy as np

from petteia.compiled import popcount, trailing_zeros
from petteia.core.evaluation import Evaluation, LinearEvaluation, WeightedEvaluation
from petteia.core.words import U, Words
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["EVALUATIONS", "REPORT_WEIGHTS"]

Planes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

REPORT_WEIGHTS = {
    "throws": 2.0,  # feature 2, by strategy 6 as 1 + 1/2 + 1/3 + ...
    "tokens": 10.0,  # feature 4
    "attack": 3.0,  # feature 3, strategy 3
    "danger": 1.5,  # strategy 5 wants it below attack
    "invincible": 0.5,  # feature 5
    "ratio": 1.0,  # strategy 1
    "heavy": 1.0,  # strategy 2
    "weaken": 1.0,  # what the enemy's utility counts
    "group": 1.0,  # strategy 4: sum over all prey; 0: the nearest alone
    "harmonic": 1.0,  # strategy 6: the next throw costs 1/throws left; 0: always 1
    "by_rules": 0.0,  # feature 5 as in the rules: only when the enemy has no throws left
}


def planes_of(p: Words, player: int) -> Planes:
    """Kernel: the planes of a player's counts."""
    if player == 0:
        return (p[2], p[3], p[4], p[5])
    return (p[6], p[7], p[8], p[9])


def count_on(planes: Planes, hexes: np.uint64) -> int:
    """Kernel: how many tokens stand on these hexes."""
    total = popcount(planes[0] & hexes)
    if planes[1] | planes[2] | planes[3] != U(0):
        total += (
            2 * popcount(planes[1] & hexes)
            + 4 * popcount(planes[2] & hexes)
            + 8 * popcount(planes[3] & hexes)
        )
    return total


def closest(
    game: RoPaSciRules, own: np.uint64, enemy: Planes, prey: np.uint64, group: bool
) -> float:
    """Kernel: the largest sum of 1/distance from one of our hexes to the enemies on ``prey``.

    Prey and hunter never share a hex after a battle, so that no distance is 0.
    """
    best = 0.0
    targets = (enemy[0] | enemy[1] | enemy[2] | enemy[3]) & prey
    many = enemy[1] | enemy[2] | enemy[3]
    if targets == U(0):
        return 0.0
    while own != U(0):
        row = trailing_zeros(own) * 61
        own &= own - U(1)
        total, left = 0.0, targets
        while left != U(0):
            place = trailing_zeros(left)
            bit = left & (~left + U(1))
            left &= left - U(1)
            near = game.nearness[row + place]
            if not group:
                total = max(total, near)
            elif bit & many != U(0):
                total += near * count_on(enemy, bit)
            else:
                total += near
        best = max(best, total)
    return best


def harmonic(throws: int) -> float:
    """Kernel: 1 + 1/2 + ... + 1/throws."""
    total = 0.0
    for k in range(1, throws + 1):
        total += 1.0 / k
    return total


def utility(game: RoPaSciRules, p: Words, player: int, w: np.ndarray) -> float:
    """Kernel: the report's utility of one player."""
    own, enemy = planes_of(p, player), planes_of(p, 1 - player)
    rock, paper, scissors = p[0] & ~p[1], p[1] & ~p[0], p[0] & p[1]
    mine = own[0] | own[1] | own[2] | own[3]
    our_rocks, our_papers = count_on(own, rock), count_on(own, paper)
    our_scissors = count_on(own, scissors)
    rocks, papers, blades = count_on(enemy, rock), count_on(enemy, paper), count_on(enemy, scissors)
    left = game.throws - game.thrown(p, player)
    their_left = game.throws - game.thrown(p, 1 - player)
    tokens, theirs = our_rocks + our_papers + our_scissors, rocks + papers + blades

    value = w[1] * (tokens + left)
    value += w[0] * (harmonic(left) if w[9] != 0.0 else left)
    group = w[8] != 0.0
    if w[2] != 0.0:
        attack = closest(game, mine & rock, enemy, scissors, group)
        attack = max(attack, closest(game, mine & paper, enemy, rock, group))
        value += w[2] * max(attack, closest(game, mine & scissors, enemy, paper, group))
    if w[3] != 0.0:
        danger = closest(game, mine & rock, enemy, paper, group)
        danger = max(danger, closest(game, mine & paper, enemy, scissors, group))
        value -= w[3] * max(danger, closest(game, mine & scissors, enemy, rock, group))
    if w[4] != 0.0 and (w[10] == 0.0 or their_left == 0):
        safe = (our_rocks if papers == 0 else 0) + (our_papers if blades == 0 else 0)
        value += w[4] * (safe + (our_scissors if rocks == 0 else 0))
    if (w[5] != 0.0 or w[6] != 0.0) and their_left + theirs > 0:
        share, third = 1.0 / (their_left + theirs), their_left / 3.0
        for_rock, for_paper = (blades + third) * share, (rocks + third) * share
        for_scissors = (papers + third) * share
        value += w[6] * (
            for_rock * our_rocks + for_paper * our_papers + for_scissors * our_scissors
        )
        every = for_rock + for_paper + for_scissors
        if tokens > 0 and every > 0.0:
            value -= w[5] * (
                abs(our_rocks / tokens - for_rock / every)
                + abs(our_papers / tokens - for_paper / every)
                + abs(our_scissors / tokens - for_scissors / every)
            )
    return value


def report_value(game: RoPaSciRules, p: Words, player: int, w: np.ndarray) -> float:
    """The report's evaluation: own utility less ``weaken`` times the enemy's."""
    return utility(game, p, player, w) - w[7] * utility(game, p, 1 - player, w)


# --- ours ----------------------------------------------------------------------------------------

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


EVALUATIONS: dict[str, Evaluation] = {
    evaluation.name: evaluation
    for evaluation in (
        WeightedEvaluation("report", report_value, REPORT_WEIGHTS),
        LinearEvaluation("hunt", our_features, OUR_WEIGHTS),
    )
}
