"""The scale of values: a finished game outweighs every evaluation, a quicker win a slower one."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.words import Words

__all__ = ["DECIDED", "WIN", "is_decided", "plies_to_end", "settled_value", "terminal_value"]

WIN = 1_000_000.0
"""The value of a win now. Evaluations stay far below; single precision holds it exactly."""

DECIDED = 900_000.0
"""A value beyond is that of a game won or lost by force."""


def terminal_value(game: Any, p: Words, searcher: int, ply: int) -> float:
    """Kernel: the value for the searcher of a game that ended ``ply`` plies from the root."""
    points = game.result(p)
    value = points * (WIN - ply)
    return value if searcher == 0 else -value


def settled_value(
    game: Any, evaluation: Any, p: Words, player: int, ply: int, w: np.ndarray
) -> float:
    """Kernel: the value of an unfinished position that is not searched further, ``ply`` plies from
    the root: what the evaluation says, after what is certain where it leaves that to others."""
    if evaluation.after_forced:
        forced = game.forced(p)
        if forced != 0:
            value = WIN - (ply + abs(forced))
            return value if (forced > 0) == (game.mover(p) == player) else -value
    return evaluation.value(game, p, player, w)


def is_decided(value: float) -> bool:
    """Whether a value means that the game is won or lost by force."""
    return abs(value) > DECIDED


def plies_to_end(value: float) -> int | None:
    """How many plies a decided game of one point still takes; None for an evaluation."""
    return round(WIN - abs(value)) if is_decided(value) and abs(value) <= WIN else None
