"""The exact solution of Ur on a GPU by generated code, beside the CUDA program written by hand.

    python benchmarks/gpu_ur.py --pieces 7 --json

The generated code takes its moves from the sweep of the processor (``solution/sweep.py``): the
rules are not written again. As soon as it has 0.8 of the speed, the program written by hand can
go. On an H200 with 7 pieces it has 0.68 of it in double precision (4.92 s beside 3.36 s), 0.57 in
single (2.03 s beside 1.16 s). Both wait for memory most of the time; numbers of 64 bits, where
CUDA has 32, cost registers (42 a thread beside 36) and instructions.

A piece is one own mask's share of one content of the shared tiles, for one mask of the opponent's
private squares: neighbouring pieces read neighbouring values. Values are written in place and in no
order; the iteration contracts, so that fresh values among old ones only help.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from petteia.compiled import Batch, popcount, trailing_zeros
from petteia.compiled.cuda import Launch
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.core.words import U
from petteia.games.ur import Ur
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution import gpu as by_hand
from petteia.games.ur.solution.layout import Layout, layout_of
from petteia.games.ur.solution.solver import SINGLE, Solved, layer_pairs
from petteia.games.ur.solution.sweep import Layer, Tiles, layer_of, successors
from petteia.solve import Control

TOLERANCE = {32: 1e-6, 64: 1e-12}
_BATCH = 4  # sweeps between two looks at how much still changes
_SHARES = 3
"""2**3 pieces share the own masks of one content of the tiles; 2**6 masks has the opponent, or
fewer."""
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
    i, rest = n & 63, n >> 6
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
    if len(change) > 1:
        change[n] = worst


SHARE = Batch(share, [("unused", np.int64)], block=512, crowd=3)


class _Device:
    """The tables and values on the GPU."""

    def __init__(self, cupy: Any, game: UrRules, layout: Layout, precision: int) -> None:
        self.cupy, self.game, self.layout = cupy, game, layout
        dtype = np.float32 if precision == SINGLE else np.float64
        self.values = cupy.full(layout.states, 0.5, dtype)
        self.chance = np.array([*game.chance, 1.0], dtype)
        self.change = cupy.zeros(len(layout.order) << (_SHARES + 6), dtype)

    def sweeps(self, a: int, b: int, *, write: bool = True) -> list[Callable[[], None]]:
        """Sweeps over a pair of layers: without and with the largest change."""
        pairs = [(a, b)] if a == b else [(a, b), (b, a)]
        layers = [
            layer_of(x, y, self.layout, np.zeros(1, self.values.dtype), self.chance)
            for x, y in pairs
        ]
        found: list[Callable[[], None]] = []
        for change in (self.change[:1], self.change):
            runs = []
            for each in layers:
                layer = each._replace(values=self.values)
                launch = Launch(SHARE, (self.game, layer, int(write), change))
                runs.append((launch, len(each.order) << (_SHARES + 6)))
            found.append(partial(_run_all, runs))
        return found

    def largest(self) -> float:
        """The largest change since the last look."""
        found = float(self.change.max())
        self.change.fill(0)
        return found


def _run_all(runs: list[tuple[Launch, int]]) -> None:
    for launch, count in runs:
        launch(count)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pieces", type=int, default=7)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game, facts = Ur(given.pieces), dict[str, float]()
    for bits in (32, 64):
        for name, solve in (("generated", solve_on_gpu), ("by_hand", by_hand.solve_on_gpu)):
            found = [solve(game, Control(), precision=bits) for _ in range(given.repeats)]
            facts[f"{name}_{bits}"] = min(each.seconds for each in found)
        facts[f"ratio_{bits}"] = facts[f"by_hand_{bits}"] / facts[f"generated_{bits}"]
    print(json.dumps(facts) if given.json else "\n".join(f"{k} {v:.3f}" for k, v in facts.items()))


if __name__ == "__main__":
    main()
