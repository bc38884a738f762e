"""Policies: quick ways to choose a move, compiled, so that whole games run at native speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.game import TERMINAL
from petteia.core.policy import Playable, Policy
from petteia.core.words import Words
from petteia.search.values import settled_value, terminal_value

__all__ = ["GREEDY", "GreedyPolicy", "Playable", "Policy", "value_after"]


class GreedyPolicy(Policy):
    """The move after which the evaluation is highest; the first of equals."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        player = game.mover(p)
        out = memory.out
        end = game.moves(p, out, 0)
        best, highest = 0, -1e18
        for i in range(end):
            value = value_after(game, evaluation, p, out[i], player, w)
            if value > highest:
                best, highest = i, value
        return out[best]


GREEDY = GreedyPolicy()
"""One for all: kernels are found by what they are compiled for."""


def value_after(
    game: Any, evaluation: Any, p: Words, move: int, player: int, w: np.ndarray
) -> float:
    """The value of a move for the player who makes it; the end of the game beats any estimate."""
    q = game.play(p, move)
    if game.kind(q) == TERMINAL:
        return terminal_value(game, q, player, 1)
    return settled_value(game, evaluation, q, player, 1, w)
