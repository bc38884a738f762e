"""The exact solution on a GPU: the same layers, and the same moves as ``sweep.py`` has them.

A piece is one own mask's share of one content of the shared tiles, for one mask of the opponent's
private squares: neighbouring pieces read neighbouring values. Values are written in place and in no
order; the iteration contracts, so that fresh values among old ones only help.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import Batch, popcount, trailing_zeros
from petteia.compiled.cuda import Launch
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.core.words import U
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.layout import Layout, layout_of
from petteia.games.ur.solution.solver import SINGLE, Solved, layer_pairs
from petteia.games.ur.solution.sweep import Layer, Tiles, successors
from petteia.solve import Control

__all__ = ["solve_on_gpu"]

TOLERANCE = {32: 1e-6, 64: 1e-12}
_BATCH = 4  # sweeps between two looks at how much still changes
_SHARES = 8
"""So many pieces share the own masks of one content of the tiles."""
_MOST_SWEEPS = 20_000


def state_value(game: Any, layer: Layer, tiles: Tiles, rank: int, i: int) -> Any:
    """The mover's chance before the dice with one own mask and one mask of the opponent."""
    values, one = layer.values, layer.chance[5]
    mask = U(layer.layout.mask_of[rank])
    pieces = tiles.own | mask
    walkers = pieces
    if tiles.left > popcount(mask):
        walkers |= U(1)
    free = game.open_squares & ~(pieces | (tiles.other & game.safe))
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


def share(n: int, memory: Any, game: Any, layer: Layer, write: int, change: np.ndarray) -> None:
    """Piece ``n`` of a sweep over a layer; ``change`` gets the largest change, if it has room."""
    t, values = layer.layout, layer.values
    a, b, count, masks = layer.a, layer.b, game.count, len(layer.layout.mask_of)
    i, rest = n % masks, n // masks
    c = layer.order[rest // _SHARES]
    left, width = count - a - t.counts[c, 0], t.fits[count - b - t.counts[c, 1]]
    worst = layer.chance[5] - layer.chance[5]
    if i < width:
        over = np.int64(t.offset[b, a, t.swapped[c]])
        tiles = Tiles(c, U(t.own[c]), U(t.other[c]), left, width, over)
        base, height = np.int64(t.offset[a, b, c]), t.fits[left]
        for rank in range(height - 1 - rest % _SHARES, -1, -_SHARES):
            value = state_value(game, layer, tiles, rank, i)
            place = base + i * height + rank
            worst = max(worst, abs(value - values[place]))
            if write != 0:
                values[place] = value
    if len(change) > 1:
        change[n] = worst


SHARE = Batch(share, [("unused", np.int64)])


class _Device:
    """The tables and values on the GPU."""

    def __init__(self, cupy: Any, game: UrRules, layout: Layout, precision: int) -> None:
        self.cupy, self.game, self.here = cupy, game, layout
        dtype = np.float32 if precision == SINGLE else np.float64
        there: list[Any] = [
            cupy.asarray(each) if isinstance(each, np.ndarray) else each for each in layout
        ]
        self.layout = Layout(*there)
        self.values = cupy.full(layout.states, 0.5, dtype)
        self.chance = cupy.asarray(np.array([*game.chance, 1.0], dtype))
        self.pieces = len(layout.order) * _SHARES * len(layout.mask_of)
        self.change = cupy.zeros(self.pieces, dtype)

    def sweeps(self, a: int, b: int, *, write: bool = True) -> list[Any]:
        """Sweeps over a pair of layers: without and with the largest change."""
        t = self.here
        pairs = [(a, b)] if a == b else [(a, b), (b, a)]
        found = []
        for change in (self.change[:1], self.change):
            launches = []
            for mover, other in pairs:
                x, y = t.counts[t.order, 0], t.counts[t.order, 1]
                fits = (x <= self.game.count - mover) & (y <= self.game.count - other)
                order = self.cupy.asarray(t.order[fits])
                room = self.cupy.zeros((1, 1), self.values.dtype)
                layer = Layer(mover, other, self.layout, order, self.values, self.chance, room)
                count = len(order) * _SHARES * len(t.mask_of)
                launches.append((Launch(SHARE, (self.game, layer, int(write), change)), count))
            found.append(lambda launches=launches: [run(count) for run, count in launches])
        return found

    def largest(self) -> float:
        """The largest change since the last look."""
        found = float(self.change.max())
        self.change.fill(0)
        return found


def solve_on_gpu(
    game: UrRules, control: Control, *, precision: int, tolerance: float | None = None
) -> Solved:
    """Solves all layers on the GPU."""
    cupy = cupy_for("solving", "without gpu=true the processor does it")
    layout = layout_of(game)
    device = _Device(cupy, game, layout, precision)
    device.sweeps(game.count - 1, game.count - 1, write=False)[1]()  # compiles
    device.largest()
    tolerance = tolerance or TOLERANCE[precision]
    pairs = layer_pairs(game.count)
    sweeps = updates = done = 0
    started = time.perf_counter()
    for a, b in pairs:
        size = (layout.layer(a, b).stop - layout.layer(a, b).start) * (1 if a == b else 2)
        plain, looking = device.sweeps(a, b)
        for _ in range(_MOST_SWEEPS // _BATCH):
            control.report(done / layout.states, f"{a} and {b} pieces home")
            for _ in range(_BATCH - 1):
                plain()
            looking()
            sweeps += _BATCH
            updates += _BATCH * size
            if device.largest() < tolerance:
                break
        else:
            raise PetteiaError(f"{game}: layer {a}, {b} does not settle below {tolerance:g}")
        done += size
    seconds = time.perf_counter() - started
    residual = 0.0
    for a, b in pairs:
        device.sweeps(a, b, write=False)[1]()
        residual = max(residual, device.largest())
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return Solved(
        cupy.asnumpy(device.values), residual, sweeps, updates, 0, seconds, {"device": name}
    )
