"""The exact solution in pieces that a GPU can share: the same layers and moves as ``sweep``.

A piece is one own mask's share of one content of the shared tiles, for one mask of the opponent's
private squares: neighbouring pieces read neighbouring values. Values are written in place and in no
order; the iteration contracts, so that fresh values among old ones only help.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import Batch, popcount, trailing_zeros
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.core.words import U
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.layout import Layout, layout_of
from petteia.games.ur.solution.solver import SINGLE, Solved, layer_pairs
from petteia.games.ur.solution.sweep import (
    Layer,
    Tiles,
    fill_steps,
    guess_tiles,
    layer_of,
    successors,
    who_and_where,
)
from petteia.solve import Control, Sweeps

__all__ = ["SHARE", "solve_in_pieces"]

TOLERANCE = {32: 1e-6, 64: 1e-12}
_SHARES = 3
"""2**3 pieces share the own masks of one content of the tiles."""
_MOST_MASKS = 64
"""Settings of a side's private squares for which there is room."""
_RESTS = 11
"""Sweeps over what still changes, after each over everything."""
_MOST_ROUNDS = 5000


def state_value(game: Any, layer: Layer, tiles: Tiles, rank: int, i: int) -> Any:
    """The mover's chance before the dice with one own mask and one mask of the opponent."""
    values, one = layer.values, layer.chance[5]
    walkers, free = who_and_where(game, tiles, U(layer.layout.mask_of[rank]))
    passed = one - values[tiles.over + rank * tiles.width + i]
    expected = layer.chance[0] * passed
    for roll in range(1, 5):
        targets = (walkers << U(roll)) & free
        best = passed if targets == U(0) else -one
        while targets != U(0):
            target = trailing_zeros(targets)
            targets &= targets - U(1)
            value = one
            if target <= game.squares or layer.a + 1 < game.count:
                after = successors(game, layer, tiles, rank, target - roll, target)
                if after.keeps_turn:
                    value = values[after.first + i * after.stride]
                else:
                    value = one - values[after.first + i]
            best = max(best, value)
        expected += layer.chance[roll] * best
    return expected


def share(n: int, memory: Any, game: Any, layer: Layer, change: np.ndarray, write: int) -> None:
    """Piece ``n`` of a sweep over a layer; ``change`` gets its largest change."""
    t, values = layer.layout, layer.values
    masks = len(t.mask_of)  # a power of two
    i, rest = n & (masks - 1), n >> popcount(U(masks - 1))
    c = layer.order[rest >> _SHARES]
    width = layer.widths[c]
    worst = layer.chance[5] - layer.chance[5]
    if i < width:
        left, over = game.count - layer.a - t.counts[c, 0], np.int64(layer.turned[c])
        tiles = Tiles(c, U(t.own[c]), U(t.other[c]), left, width, over)
        base, height = np.int64(layer.here[c]), layer.heights[c]
        for rank in range(height - 1 - (rest & ((1 << _SHARES) - 1)), -1, -(1 << _SHARES)):
            value = state_value(game, layer, tiles, rank, i)
            place = base + i * height + rank
            worst = max(worst, abs(value - values[place]))
            if write != 0:
                values[place] = value
    change[n] = worst


def first_guess(n: int, memory: Any, game: Any, layer: Layer) -> None:
    """Piece ``n``: first values of the states with one content of the shared tiles."""
    fill_steps(game, layer, memory.steps)
    guess_tiles(game, layer, layer.order[n], memory.steps)


_GUESS = Batch(first_guess, [("steps", np.int64, (_MOST_MASKS,))], block=64)
SHARE = Batch(share, [("unused", np.int64)], block=512, crowd=3)
"""A sweep over a layer."""


class _Layer:
    """One layer where it is worked on."""

    def __init__(self, device: _Device, a: int, b: int) -> None:
        layer = layer_of(a, b, device.layout, device.values[:1].copy(), device.chance)
        layer = layer._replace(values=device.values, order=layer.order.copy())
        self.sweeps = Sweeps(SHARE, device.game, layer, device.change, device=device.name)
        self.order = self.sweeps.given[1].order
        self.all, self.pieces = self.order.copy(), device.pieces
        self.change = self.sweeps.given[2]
        self.guess = Sweeps(_GUESS, *self.sweeps.given[:2], device=device.name)
        self.active = len(self.order)
        """How many contents of the tiles still change; they stand first in ``order``."""

    def sweep(self) -> None:
        """Over what still changes."""
        self.sweeps(self.active * self.pieces, 1)

    def sweep_all(self, least: float, *, write: bool = True) -> float:
        """Over everything; finds what changes by ``least`` or more, and the largest change."""
        count = len(self.all)
        self.order[:] = self.all
        self.sweeps(count * self.pieces, int(write))
        changes = self.change[: count * self.pieces].reshape(count, -1).max(axis=1)
        active = self.all[changes >= least]
        self.active = len(active)
        self.order[: self.active] = active
        return float(changes.max())


class _Device:
    """What all layers share."""

    def __init__(self, game: UrRules, layout: Layout, precision: int, name: str) -> None:
        if len(layout.mask_of) > _MOST_MASKS:
            raise PetteiaError(f"{game} has too many private squares for this solver")
        numbers: Any = np
        self.title = name
        if name == "gpu":
            numbers = cupy_for("solving", "without gpu=true the processor does it")
            self.title = numbers.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.game, self.layout, self.name = game, layout, name
        self.pieces = len(layout.mask_of) << _SHARES
        """For one content of the tiles."""
        dtype = np.float32 if precision == SINGLE else np.float64
        self.values: Any = numbers.full(layout.states, 0.5, dtype)
        self.chance = np.array([*game.chance, 1.0], dtype)
        self.change: Any = numbers.zeros(len(layout.order) * self.pieces, np.float32)

    def layers(self, a: int, b: int) -> list[_Layer]:
        """A layer and its mirror image."""
        return [_Layer(self, x, y) for x, y in dict.fromkeys([(a, b), (b, a)])]


def solve_in_pieces(
    game: UrRules,
    control: Control,
    *,
    precision: int,
    tolerance: float | None = None,
    device: str = "gpu",
) -> Solved:
    """Solves all layers."""
    layout = layout_of(game)
    there = _Device(game, layout, precision, device)
    there.layers(game.count - 1, game.count - 1)[0].sweep_all(0.0, write=False)  # compiles
    least = tolerance or TOLERANCE[precision]
    pairs = layer_pairs(game.count)
    sweeps = updates = done = 0
    started = time.perf_counter()
    for a, b in pairs:
        size = layout.layer(a, b).stop - layout.layer(a, b).start
        layers = there.layers(a, b)
        for layer in layers:
            layer.guess(len(layer.all))
        for _ in range(_MOST_ROUNDS):
            control.report(done / layout.states, f"{a} and {b} pieces home")
            change = max(layer.sweep_all(least) for layer in layers)
            sweeps += 1
            updates += size * len(layers)
            if change < least:
                break
            for _ in range(_RESTS):
                for layer in layers:
                    layer.sweep()
                    updates += size * layer.active // len(layer.all)
            sweeps += _RESTS
        else:
            raise PetteiaError(f"{game}: layer {a}, {b} does not settle below {least:g}")
        done += size * len(layers)
        for layer in layers:
            layer.sweeps.finish()
    seconds = time.perf_counter() - started
    residual = max(
        layer.sweep_all(least, write=False) for a, b in pairs for layer in there.layers(a, b)
    )
    values = there.values if device == "cpu" else there.values.get()
    return Solved(values, residual, sweeps, updates, 0, seconds, {"device": there.title})
