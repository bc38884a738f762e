"""The chance to win a match from a score: a table made by our own model.

A game from the start is a game at 50 %, in which a stated part of the won games are gammons and
whose cube is worth what Janowski's model says (``cube.match_value``). Its ends lead to scores that
are nearer to the end of the match, so that the table fills itself from there. After the Crawford
game the leader may once drop a double at no cost where the other needs an even number of points:
a small stated gain.

The file that comes with us holds ``made_tables(LONGEST)``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

__all__ = ["FREE_DROP", "GAMMONS", "LONGEST", "MODEL_EFFICIENCY", "chance", "made_tables"]

LONGEST = 64
"""Points of the longest match."""
GAMMONS = 0.29
"""Gammons among the won games of the model."""
MODEL_EFFICIENCY = 0.8
"""Of the cube in the model, see ``cube``."""
FREE_DROP = 0.02
"""The part of the other's chances that the leader's free drop takes."""
_NONE, _CRAWFORD, _AFTER = 0, 1, 2
"""The pages of the table: without the Crawford rule, with it, and after the Crawford game."""
_FILE = Path(__file__).with_name("match_equity.npy")
TABLE = np.asarray(np.load(_FILE, allow_pickle=False), np.float64)


def chance(table: np.ndarray, crawford: bool, late: bool, own: int, other: int) -> float:
    """Kernel: the chance of a player who needs ``own`` points before a game, against one who needs
    ``other``. ``late`` tells that one of them was a point away in the game before."""
    if own <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    return table[(_AFTER if late else _CRAWFORD) if crawford else _NONE, own, other]


def made_tables(
    length: int, gammons: float = GAMMONS, x: float = MODEL_EFFICIENCY, free: float = FREE_DROP
) -> np.ndarray:
    """All three pages for matches of up to so many points."""
    from petteia.games.backgammon.evaluations.cube import Match, match_value
    from petteia.games.backgammon.rules.state import CENTRED

    table = np.full((3, length + 1, length + 1), 0.5)

    def fill(page: int, own: int, other: int, cube: bool) -> None:
        g = 0.5 * gammons
        even = (0.5, g, 0.0, g, 0.0)
        match = Match(table, page != _NONE, own, other)
        value = match_value(match, even, CENTRED, x, 0, cube)
        if page != _CRAWFORD and min(own, other) == 1 and max(own, other) % 2 == 0:
            value += free * (1.0 - value)
        table[page, own, other] = value
        table[page, other, own] = 1.0 - value

    for page in (_NONE, _AFTER):
        for other in range(2, length + 1):
            fill(page, 1, other, cube=True)
    for other in range(2, length + 1):
        fill(_CRAWFORD, 1, other, cube=False)
    for page in (_NONE, _CRAWFORD):
        for total in range(4, 2 * length + 1):
            for own in range(max(2, total - length), total // 2 + 1):
                if own < total - own:
                    fill(page, own, total - own, cube=True)
    return table
