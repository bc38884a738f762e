"""Pubeval, Gerry Tesauro's public benchmark of 1993, written afresh from its definition.

A linear score of the position after a play, with one set of weights for contact and one for
races; which of them counts is decided before the play. The weights are the author's, who gave
them to the public domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.agent import at_most
from petteia.core.evaluation import PlainEvaluation
from petteia.core.game import Game
from petteia.core.words import U, Words
from petteia.games.backgammon.evaluations.inputs import has_contact
from petteia.games.backgammon.rules.board import (
    BAR,
    CHECKERS,
    POINTS,
    bit,
    checkers,
    count_on,
    highest,
    mirrored,
    occupied,
    singles,
)
from petteia.games.backgammon.rules.state import PHASE, PLAY, field
from petteia.search.lines import PolicyAgent
from petteia.search.policy import GreedyPolicy

__all__ = ["PUBEVAL", "PubevalAgent", "score"]

# A row for each point from 24 down to 1: an enemy's blot, one checker, two or more, exactly
# three, and half of those beyond three.
_CONTACT = (
    (0.25696, -0.66937, -1.66135, -2.02487, -2.53398),
    (-0.16092, -1.11725, -1.06654, -0.9283, -1.99558),
    (-1.10388, -0.80802, 0.09856, -0.62086, -1.27999),
    (-0.5922, -0.73667, 0.89032, -0.38933, -1.59847),
    (-1.50197, -0.60966, 1.56166, -0.47389, -1.8039),
    (-0.83425, -0.97741, -1.41371, 0.245, 0.1097),
    (-1.36476, -1.05572, 1.1542, 0.11069, -0.38319),
    (-0.74816, -0.59244, 0.81116, -0.39511, 0.11424),
    (-0.73169, -0.56074, 1.09792, 0.15977, 0.13786),
    (-1.18435, -0.43363, 1.06169, -0.21329, 0.04798),
    (-0.94373, -0.22982, 1.22737, -0.13099, -0.06295),
    (-0.75882, -0.13658, 1.78389, 0.30416, 0.36797),
    (-0.69851, 0.13003, 1.2307, 0.40868, -0.21081),
    (-0.64073, 0.31061, 1.59554, 0.65718, 0.25429),
    (-0.80789, 0.0824, 1.78964, 0.54304, 0.41174),
    (-1.06161, 0.07851, 2.01451, 0.49786, 0.91936),
    (-0.9075, 0.05941, 1.8312, 0.58722, 1.28777),
    (-0.83711, -0.33248, 2.64983, 0.52698, 0.82132),
    (-0.58897, -1.18223, 3.35809, 0.62017, 0.57353),
    (-0.07276, -0.36214, 4.37655, 0.45481, 0.21746),
    (0.10504, -0.61977, 3.54001, 0.04612, -0.18108),
    (0.63211, -0.87046, 2.47673, -0.48016, -1.27157),
    (0.86505, -1.11342, 1.24612, -0.82385, -2.77082),
    (1.23606, -1.59529, 0.10438, -1.30206, -4.1152),
)
_RACE = (
    (0.0, -0.1716, 0.2701, 0.29906, -0.08471),
    (0.0, -1.40375, -1.05121, 0.07217, -0.01351),
    (0.0, -1.29506, -2.16183, 0.13246, -1.03508),
    (0.0, -2.29847, -2.34631, 0.17253, 0.08302),
    (0.0, -1.27266, -2.87401, -0.07456, -0.3424),
    (0.0, -1.3464, -2.46556, -0.13022, -0.01591),
    (0.0, 0.27448, 0.60015, 0.48302, 0.25236),
    (0.0, 0.39521, 0.68178, 0.05281, 0.09266),
    (0.0, 0.24855, -0.06844, -0.37646, 0.05685),
    (0.0, 0.17405, 0.0043, 0.74427, 0.00576),
    (0.0, 0.12392, 0.31202, -0.91035, -0.1627),
    (0.0, 0.01418, -0.10839, -0.02781, -0.88035),
    (0.0, 1.07274, 2.00366, 1.16242, 0.2252),
    (0.0, 0.85631, 1.06349, 1.49549, 0.18966),
    (0.0, 0.37183, -0.50352, -0.14818, 0.12039),
    (0.0, 0.13681, 0.13978, 1.11245, -0.12707),
    (0.0, -0.22082, 0.20178, -0.06285, -0.52728),
    (0.0, -0.13597, -0.19412, -0.09308, -1.26062),
    (0.0, 3.05454, 5.16874, 1.5068, 5.35),
    (0.0, 2.19605, 3.8539, 0.88296, 2.30052),
    (0.0, 0.92321, 1.08744, -0.11696, -0.7856),
    (0.0, -0.09795, -0.8305, -1.09167, -4.94251),
    (0.0, -1.00316, -3.66465, -2.56906, -9.67677),
    (0.0, -2.77982, -7.26713, -3.40177, -12.32252),
)
_TAKEN = (5.62596, 0.0)
"""For half of the enemy's checkers on the bar."""
_OFF = (-2.758, 3.4204)
"""For all own checkers off."""


def _tables() -> np.ndarray:
    """The score of a point by race, place and count; count 0 is an enemy's blot there."""
    table = np.zeros((2, BAR, CHECKERS + 1))
    for race, rows in enumerate((_CONTACT, _RACE)):
        for row, (blot, one, many, three, beyond) in enumerate(rows):
            place = 24 - row
            table[race, place, 0] = blot
            for count in range(1, CHECKERS + 1):
                value = one if count == 1 else many
                value += three if count == 3 else 0.0
                value += beyond * (count - 3) / 2 if count >= 4 else 0.0
                table[race, place, count] = value
    return table


_TABLE = _tables()


def score(p: Words, player: int, race: int) -> float:
    """The score of a position for a player who has just moved; the highest is best."""
    a, b = (p[0], p[1]) if player == 0 else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if player == 0 else (p[0], p[1])
    own = checkers(a, b)
    if own == 0:
        return 1e8
    total = (_TAKEN[0] if race == 0 else _TAKEN[1]) * 0.5 * count_on(other_a, other_b, BAR)
    total += (_OFF[0] if race == 0 else _OFF[1]) * (CHECKERS - own) / 15.0
    left = occupied(a, b) & POINTS
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        total += _TABLE[race, place, count_on(a, b, place)]
    left = mirrored(singles(other_a, other_b)) & POINTS
    while left != U(0):
        place = highest(left)
        left ^= bit(place)
        total += _TABLE[race, place, 0]
    return total


def pubeval_value(game: Any, p: Words, player: int) -> float:
    """Tesauro's public linear score, for contact or for the race as the position is."""
    race = 0 if has_contact(p[0], p[1], p[2], p[3]) else 1
    return score(p, player, race)


PUBEVAL = PlainEvaluation("pubeval", pubeval_value)


class PubevalPolicy(GreedyPolicy):
    """The play with the highest score."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if field(p[4], PHASE, 7) != PLAY:
            return 0
        player, out = game.mover(p), memory.out
        race = 0 if has_contact(p[0], p[1], p[2], p[3]) else 1
        end = game.moves(p, out, 0)
        best, top = 0, -1e18
        for i in range(end):
            value = score(game.moved(p, out[i]), player, race)
            if value > top:
                best, top = i, value
        return out[best]


class PubevalAgent(PolicyAgent):
    """Tesauro's public benchmark player."""

    name = "pubeval"
    about = "Tesauro's public benchmark of 1993, an intermediate player"
    for_visitors = at_most()
    policy = PubevalPolicy()

    def __init__(self, game: Game) -> None:
        super().__init__(game, PUBEVAL)
