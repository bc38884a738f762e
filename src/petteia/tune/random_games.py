"""Positions of random games, on which symmetries and regions are found."""

from __future__ import annotations

import random

from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.words import Words
from petteia.learn.regions import Regions, regions
from petteia.search.stepper import stepper_of
from petteia.tune.joint_play import any_step

__all__ = ["regions_of", "some_positions"]

_STEPS = 20_000
"""Of the random games in which regions are found."""


def some_positions(game: Game, seed: int, count: int = 400) -> list[Words]:
    """Positions of random games."""
    chance, stepper = random.Random(seed), stepper_of(game)
    found: list[Words] = []
    while len(found) < 8 * count:
        p = game.start()
        for _ in range(game.max_plies):
            if (seen := stepper.look(p)).kind == TERMINAL:
                break
            if seen.kind == DECISION:
                found.append(p)
            p = any_step(game, p, seen, chance)
    return chance.sample(found, count)


def regions_of(game: Game, seed: int) -> Regions:
    """The regions that the game names, or those that its random games show."""
    chance, stepper = random.Random(seed), stepper_of(game)
    befores, afters = list[Words](), list[Words]()
    while len(befores) < _STEPS:
        p = game.start()
        for _ in range(game.max_plies):
            if (seen := stepper.look(p)).kind == TERMINAL:
                break
            befores.append(p)
            p = any_step(game, p, seen, chance)
            afters.append(p)
    return regions(game, befores, afters)
