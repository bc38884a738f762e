"""A small network that has nearly learned the exact solution: strong play without a table.

Two hidden layers on plain features of a position as the side to roll sees it. The weights ship
with the package as half-precision numbers; the page of the game tells how they were made. A game
with fewer pieces is the end of one with seven, so that the same weights play it.
"""

from __future__ import annotations

import time
from functools import cache
from importlib import resources
from typing import cast

import numpy as np

from petteia.core.agent import Agent, Decision, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL, Game
from petteia.core.words import Words
from petteia.games.ur.rules import UrRules
from petteia.search.contract import ranked
from petteia.search.stepper import stepper_of

__all__ = ["ByChance", "Distilled", "inputs", "network"]

_FILE = "distilled.npz"
_SQUARES, _COUNTS = 14, 8
_PIECES = 7
"""What the network has learned; with fewer, the others are home from the start."""


@cache
def network() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """The layers, each a matrix and a row of biases, in single precision."""
    path = resources.files("petteia.games.ur.evaluations") / _FILE
    with path.open("rb") as file, np.load(file) as kept:
        layers = [(kept[f"w{n}"], kept[f"b{n}"]) for n in range(len(kept.files) // 2)]
    return tuple((w.astype(np.float32), b.astype(np.float32)) for w, b in layers)


def inputs(words: np.ndarray) -> np.ndarray:
    """Features of positions given by their first words: [n, 60].

    For the side to roll and then for the other: its squares 1 to 14, then how many pieces it has
    in hand and home, each as one of eight.
    """
    words = np.asarray(words, np.uint64)
    mover = (words >> np.uint64(40)) & np.uint64(1)
    halves = [words & np.uint64(0xFFFFF), (words >> np.uint64(20)) & np.uint64(0xFFFFF)]
    places = np.arange(1, _SQUARES + 1, dtype=np.uint64)
    columns = []
    for swap in (False, True):
        side = np.where((mover == 1) != swap, halves[1], halves[0])
        squares = (side[:, None] >> places) & np.uint64(1)
        home = side >> np.uint64(17)
        hand = np.uint64(7) - home - squares.sum(1, dtype=np.uint64)
        columns.append(squares.astype(np.float32))
        counts = np.arange(_COUNTS, dtype=np.uint64)
        columns += [(number[:, None] == counts).astype(np.float32) for number in (hand, home)]
    return np.concatenate(columns, 1)


def chances(words: np.ndarray) -> np.ndarray:
    """The network's chance of winning for the side to roll at each position."""
    x = inputs(words)
    layers = network()
    for w, b in layers[:-1]:
        x = np.maximum(x @ w + b, 0.0)
    w, b = layers[-1]
    return 1.0 / (1.0 + np.exp(-(x @ w + b)[:, 0]))


class ByChance(Agent):
    """Plays the move after which its chance of winning is best; values are expected points."""

    in_points = True

    def chances(self, p: Words) -> tuple[list[int], list[float]]:
        """The moves of a decision, with the mover's chance of winning after each."""
        raise NotImplementedError

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        moves, chances = self.chances(p)
        best = max(chances)
        return Decision(
            moves[chances.index(best)],
            2 * best - 1,
            depth=1,
            leaves=len(moves),
            seconds=time.perf_counter() - started,
            notes={"win_chance": best},
        )

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        found = [MoveValue(m, 2 * c - 1, (m,)) for m, c in zip(*self.chances(p), strict=True)]
        return list(ranked(found))


class Distilled(ByChance):
    """Asks a network."""

    name = "distilled"
    about = "a small network fitted to the exact solution; needs no table"
    for_visitors = at_most()

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        ur = cast(UrRules, game)
        if (ur.rules, ur.dice_count) != ("finkel", 4):
            raise PetteiaError(
                f"agent distilled has learned ur by Finkel's rules with four dice, not {game}"
            )
        home = _PIECES - ur.count
        self._home = np.uint64(home << 17 | home << 37)

    def chances(self, p: Words) -> tuple[list[int], list[float]]:
        stepper = stepper_of(self.game)
        seen = stepper.look(p)
        after = [stepper.play(p, move) for move in seen.moves]
        found = chances(np.array([q[0] for q in after], np.uint64) + self._home)
        for place, q in enumerate(after):
            if self.game.kind(q) == TERMINAL:
                found[place] = 1.0
            elif self.game.mover(q) != seen.mover:
                found[place] = 1.0 - found[place]
        return seen.moves, [float(chance) for chance in found]

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        moves = stepper_of(self.game).look(p).moves
        return Decision(moves[0]) if len(moves) == 1 else super().choose(p, seed=seed)
