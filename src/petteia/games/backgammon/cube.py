"""What the doubling cube is worth: Janowski's model for games for points.

The truth lies between a cube that is never turned again (*dead*) and one that is turned at the
perfect moment (*live*): value = (1 - x) dead + x live, where x, the efficiency, depends on the kind
of position. R. Janowski, *Take-points in money games*, 1993; the figures of x are those that GNU
Backgammon's manual gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.words import Words
from petteia.games.backgammon.board import pips
from petteia.games.backgammon.inputs import has_contact
from petteia.games.backgammon.network import OUT, estimate
from petteia.games.backgammon.state import CENTRED, MOVER, OWNER, PHASE, TAKE, field

__all__ = ["EFFICIENCY", "MINE", "THEIRS", "cube_choice", "cubeful", "efficiency", "live"]

MINE, THEIRS = 0, 1
"""Whose cube it is, for the player on roll; ``CENTRED`` is nobody's."""
EFFICIENCY = 0.68
"""Of the cube in positions with contact."""


def _between(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1


def live(win: float, won: float, lost: float, owner: int) -> float:
    """The value with a live cube of 1: straight lines between the ends and the points at which
    the cube is turned and dropped. ``won`` and ``lost`` are what won and lost games are worth."""
    take = (lost - 0.5) / (won + lost + 0.5)
    cash = (lost + 1.0) / (won + lost + 0.5)
    if owner == MINE:
        if win < cash:
            return _between(win, 0.0, -lost, cash, 1.0)
        return _between(win, cash, 1.0, 1.0, won)
    if owner == THEIRS:
        if win < take:
            return _between(win, 0.0, -lost, take, -1.0)
        return _between(win, take, -1.0, 1.0, won)
    if win < take:
        return _between(win, 0.0, -lost, take, -1.0)
    if win < cash:
        return _between(win, take, -1.0, cash, 1.0)
    return _between(win, cash, 1.0, 1.0, won)


def cubeful(
    win: float, gammon: float, backgammon: float, lost_gammon: float, lost_backgammon: float,
    owner: int, x: float,
) -> float:  # fmt: skip
    """The value for the player on roll, in units of the cube as it stands."""
    lose = 1.0 - win
    won = (win + gammon + backgammon) / win if win > 0.0 else 1.0
    lost = (lose + lost_gammon + lost_backgammon) / lose if lose > 0.0 else 1.0
    dead = win * won - lose * lost
    return (1.0 - x) * dead + x * live(win, won, lost, owner)


def efficiency(p: Words, player: int) -> float:
    """How nearly perfectly the cube can be used."""
    if has_contact(p[0], p[1], p[2], p[3]):
        return EFFICIENCY
    own = pips(p[0], p[1]) if player == 0 else pips(p[2], p[3])
    return min(0.7, max(0.6, 0.6 + (own - 40) * 0.1 / 80.0))


def cube_choice(game: Any, p: Words, w: np.ndarray) -> int:
    """Kernel: the decision at the cube by the networks' chances: 0 to roll or take, 1 to double or
    drop, 2 to beaver. In a match it is that of a game for points."""
    taking = field(p[4], PHASE, 7) == TAKE
    player = field(p[4], MOVER, 1)
    roller = 1 - player if taking else player
    estimate(p, roller, w)
    owner = field(p[4], OWNER, 3)
    mine = CENTRED if owner == CENTRED else MINE
    x = efficiency(p, roller)
    win = np.float64(w[OUT])
    gammon, backgammon = np.float64(w[OUT + 1]), np.float64(w[OUT + 2])
    lost_gammon, lost_backgammon = np.float64(w[OUT + 3]), np.float64(w[OUT + 4])
    taken = 2.0 * cubeful(win, gammon, backgammon, lost_gammon, lost_backgammon, THEIRS, x)
    if taking:
        if taken > 1.0:
            return 1
        return 2 if game.beaver and taken < 0.0 else 0
    if game.jacoby and mine == CENTRED:  # gammons do not count yet
        waiting = cubeful(win, 0.0, 0.0, 0.0, 0.0, mine, x)
    else:
        waiting = cubeful(win, gammon, backgammon, lost_gammon, lost_backgammon, mine, x)
    return 1 if min(taken, 1.0) > waiting else 0
