"""The report's evaluation, made precise.

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

from petteia.core.evaluation import WeightedEvaluation
from petteia.core.words import Words
from petteia.games.ropasci.evaluations.tokens import closest, count_on, harmonic, planes_of
from petteia.games.ropasci.rules import RoPaSciRules

__all__ = ["REPORT", "REPORT_WEIGHTS"]

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


REPORT = WeightedEvaluation("report", report_value, REPORT_WEIGHTS)
