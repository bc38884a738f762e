"""Positions to test on: met in random play."""

from __future__ import annotations

import numpy as np

from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import Words

__all__ = ["after", "random_positions"]


def after(game: Game, p: Words, rng: np.random.Generator) -> Words:
    """A position one random ply later."""
    kind = game.kind(p)
    if kind == SIMULTANEOUS:
        first, second = (int(rng.choice(game.legal_moves(p, player))) for player in (0, 1))
        return game.play_both(p, first, second)
    if kind == CHANCE:
        outcomes = game.outcomes(p)
        place = int(rng.choice(len(outcomes), p=[chance for _, chance in outcomes]))
        return game.play(p, outcomes[place][0])
    return game.play(p, int(rng.choice(game.legal_moves(p))))


def random_positions(game: Game, count: int, seed: int) -> list[Words]:
    """Different positions from random games that are not over, in the order they were met."""
    rng = np.random.default_rng(seed)
    found: dict[Words, None] = {}
    for _ in range(100 * count):
        p = game.start()
        while game.kind(p) != TERMINAL and len(found) < count:
            found[p] = None
            p = after(game, p, rng)
        if len(found) == count:
            break
    return list(found)
