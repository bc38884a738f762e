"""Perft: how many lines of play there are to a depth. The first test of any rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words

__all__ = ["perft"]


def perft(game: Game, p: Words, depth: int) -> int:
    """Leaves at exactly this depth; outcomes of dice and joint moves count as one ply each.

    Where a game says that throws are no plies (``perft_counts_dice``), they cost no depth.
    A game that is over has no moves, so its lines end before the depth and do not count.
    """
    if depth == 0:
        return 1
    levels = depth + 1 if game.perft_counts_dice else 2 * depth + 1
    out = np.empty(2 * game.max_moves * levels, np.int64)
    prob = np.empty(2 * game.max_moves * levels, np.float64)
    return count_leaves(game, p, depth, out, prob, 0)


@kernel
def count_leaves(
    game: Any, p: Words, depth: int, out: np.ndarray, prob: np.ndarray, at: int
) -> int:
    """Counts in bulk: at depth 1 the moves are generated and not made."""
    kind = game.kind(p)
    if kind == TERMINAL:
        return 0
    if kind == SIMULTANEOUS:
        middle = game.moves_of(p, 0, out, at)
        end = game.moves_of(p, 1, out, middle)
        if depth == 1:
            return (middle - at) * (end - middle)
        total = 0
        for i in range(at, middle):
            for j in range(middle, end):
                after = game.play_both(p, out[i], out[j])
                total += count_leaves(game, after, depth - 1, out, prob, end)
        return total
    end = game.chances(p, out, prob, at) if kind == CHANCE else game.moves(p, out, at)
    free = kind == CHANCE and not game.perft_counts_dice
    if depth == 1 and not free:
        return end - at
    below = depth if free else depth - 1
    total = 0
    for i in range(at, end):
        total += count_leaves(game, game.play(p, out[i]), below, out, prob, end)
    return total
