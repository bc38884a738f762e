"""Regret matching+ for matrix games: kernels on the memory of ``search.matrix``."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["loss", "regret_matching"]

_LOOK = 25
"""The loss is looked at every so many iterations: it costs as much as one of them."""


def regret_matching(ws: Any, iterations: int, enough: float) -> None:
    """Plays the game of the choices that are left, and writes the mean strategies.

    The players take turns and later strategies weigh more (Tammelin 2014, section 4). Ends after
    the iterations, or when the strategies lose at most ``enough`` together.
    """
    for player in range(2):
        for a in range(ws.left_counts[player]):
            ws.regret[player, a] = 0.0
            ws.strategy[player, ws.left[player, a]] = 0.0
        match(ws, player)
    for step in range(1, iterations + 1):
        regret(ws, 0)
        regret(ws, 1)
        for player in range(2):
            for a in range(ws.left_counts[player]):
                ws.strategy[player, ws.left[player, a]] += step * ws.now[player, a]
        ws.iterations += 1
        if step % _LOOK == 0 and loss(ws, step) <= enough:
            break
    done = 0.0
    for a in range(ws.left_counts[0]):
        done += ws.strategy[0, ws.left[0, a]]
    for player in range(2):
        for a in range(ws.left_counts[player]):
            ws.strategy[player, ws.left[player, a]] /= done


def match(ws: Any, player: int) -> None:
    """The strategy in proportion to positive regret; any choice where there is none."""
    count, total = ws.left_counts[player], 0.0
    for a in range(count):
        total += max(ws.regret[player, a], 0.0)
    for a in range(count):
        share = max(ws.regret[player, a], 0.0) / total if total > 0.0 else 1.0 / count
        ws.now[player, a] = share


def regret(ws: Any, player: int) -> None:
    """A player regrets what it did not play against the other's strategy, and plays on by that."""
    count, other = ws.left_counts[player], 1 - player
    # Where a choice of the player and one of the other lie in the matrix.
    own, across = (ws.counts[1], 1) if player == 0 else (1, ws.counts[1])
    sign = 1.0 if player == 0 else -1.0
    total = 0.0
    for a in range(count):
        value, at = 0.0, ws.left[player, a] * own
        for b in range(ws.left_counts[other]):
            value += ws.matrix[at + ws.left[other, b] * across] * ws.now[other, b]
        value *= sign
        total += ws.now[player, a] * value
        ws.regret[player, a] += value
    for a in range(count):
        ws.regret[player, a] = max(ws.regret[player, a] - total, 0.0)
    match(ws, player)


def loss(ws: Any, step: int) -> float:
    """What the sums of strategies over so many steps would lose to best answers."""
    wide = ws.counts[1]
    high, low = -np.inf, np.inf
    value: Any
    for a in range(ws.left_counts[0]):
        value = 0.0
        for b in range(ws.left_counts[1]):
            j = ws.left[1, b]
            value += ws.matrix[ws.left[0, a] * wide + j] * ws.strategy[1, j]
        high = max(high, value)
    for b in range(ws.left_counts[1]):
        value = 0.0
        for a in range(ws.left_counts[0]):
            i = ws.left[0, a]
            value += ws.matrix[i * wide + ws.left[1, b]] * ws.strategy[0, i]
        low = min(low, value)
    return (high - low) * (2.0 / (step * (step + 1.0)))
