"""The exact solution on a graphics processor: the same layers, one CUDA kernel, through CuPy.

A thread block takes one content of the shared tiles, a column of threads one mask of the
opponent's private squares: neighbours read neighbours, as in ``sweep.py``. Values are written in
place and in no order; the iteration contracts, so that fresh values among old ones only help.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for
from petteia.games.ur.rules import UrRules
from petteia.games.ur.solution.layout import Layout, layout_of
from petteia.games.ur.solution.solver import SINGLE, Solved, layer_pairs
from petteia.solve import Control

__all__ = ["solve_on_gpu", "source_of"]

TOLERANCE = {32: 1e-6, 64: 1e-12}
_BATCH = 4  # sweeps between two looks at how much still changes
_THREADS = 512

_SOURCE = r"""
__constant__ int meets[] = {MEETS};
__constant__ int slot[] = {SLOT};
__constant__ int weight[] = {WEIGHT};
__constant__ int fits[] = {FITS};
__constant__ int bits_of[] = {BITS};
__constant__ int rank_of[] = {RANKS};
__constant__ unsigned mask_of[] = {MASKS};
__constant__ real chance[] = {CHANCE};

struct Layer { int a, b; };  // pieces home of the mover and of the opponent

// The states of one layer that share the contents c of the shared tiles.
__device__ float update(
    real *values, const unsigned *offset, const unsigned char *counts, const unsigned *own,
    const unsigned *other, const int *swapped, Layer layer, int c, bool write)
{
    const int left = PIECES - layer.a - counts[2 * c], right = PIECES - layer.b - counts[2 * c + 1];
    const int i = threadIdx.x;
    if (left < 0 || right < 0) return 0;
    const int height = fits[left], width = fits[right];
    if (i >= width) return 0;
    const unsigned *same = offset + (size_t)(layer.a * PIECES + layer.b) * TILES;
    const unsigned *turned = offset + (size_t)(layer.b * PIECES + layer.a) * TILES;
    const unsigned enemy = other[c], blocked = enemy & SAFE;
    float worst = 0;
    for (int rank = height - 1 - threadIdx.y; rank >= 0; rank -= blockDim.y) {
        const unsigned pieces = own[c] | mask_of[rank];
        const unsigned walkers = pieces | (left > __popc(mask_of[rank]) ? 1u : 0u);
        const int bits = bits_of[rank];
        const real pass = 1 - values[turned[swapped[c]] + (size_t)rank * width + i];
        real mean = chance[0] * pass;
        for (int roll = 1; roll <= 4; roll++) {
            unsigned targets = (walkers << roll) & OPEN & ~(pieces | blocked);
            real best = targets ? (real)-1 : pass;
            while (targets) {
                const int target = __ffs(targets) - 1, source = target - roll;
                targets &= targets - 1;
                int after = c, bits2 = bits;
                if (source > 0) {
                    if (meets[source]) after -= weight[source];
                    else bits2 ^= 1 << slot[source];
                }
                real value;
                if (target > SQUARES) {
                    if (layer.a + 1 == PIECES) value = 1;
                    else value = 1 - values[turned[TILES + swapped[after]]
                                            + (size_t)rank_of[bits2] * width + i];
                } else {
                    const bool captures = enemy >> target & 1;
                    if (!meets[target]) bits2 |= 1 << slot[target];
                    else after += captures ? -weight[target] : weight[target];
                    const int rank2 = rank_of[bits2];
                    if ((ROSETTES >> target & 1) || (captures && CAPTURE_ROLLS))
                        value = values[same[after]
                            + (size_t)i * fits[PIECES - layer.a - counts[2 * after]] + rank2];
                    else
                        value = 1 - values[turned[swapped[after]]
                            + (size_t)rank2 * fits[PIECES - layer.b - counts[2 * after + 1]] + i];
                }
                best = best > value ? best : value;
            }
            mean += chance[roll] * best;
        }
        real *place = values + same[c] + (size_t)i * height + rank;
        const float change = fabs((double)(*place - mean));
        worst = worst > change ? worst : change;
        if (write) *place = mean;
    }
    return worst;
}

// Both layers of a pair; the largest change goes to worst, as the bits of a float above 0.
extern "C" __global__ void sweep(
    real *values, const unsigned *offset, const unsigned char *counts, const unsigned *own,
    const unsigned *other, const int *swapped, const int *order, int a, int b, int write,
    int *worst)
{
    const int c = order[blockIdx.x];
    float change = update(values, offset, counts, own, other, swapped, {a, b}, c, write);
    if (a != b)
        change = fmaxf(change, update(
            values, offset, counts, own, other, swapped, {b, a}, swapped[c], write));
    for (int half = 16; half; half >>= 1)
        change = fmaxf(change, __shfl_xor_sync(~0u, change, half));
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0 && change > 0)
        atomicMax(worst, __float_as_int(change));
}
"""


def source_of(game: UrRules, layout: Layout, precision: int) -> str:
    """The CUDA program for one game, its tables written into it."""

    def row(numbers: Any) -> str:
        return ", ".join(str(number) for number in numbers)

    named = {
        "{MEETS}": row(game.meets),
        "{SLOT}": row(layout.slot.tolist()),
        "{WEIGHT}": row(layout.weight.tolist()),
        "{FITS}": row(layout.fits.tolist()),
        "{BITS}": row(layout.bits_of.tolist()),
        "{RANKS}": row(layout.rank_of.tolist()),
        "{MASKS}": row(layout.mask_of.tolist()),
        "{CHANCE}": row(game.chance),
    }
    source = _SOURCE
    for name, numbers in named.items():
        source = source.replace(name, "{" + numbers + "}")
    defined = {
        "real": "float" if precision == SINGLE else "double",
        "PIECES": game.count,
        "SQUARES": game.squares,
        "TILES": len(layout.own),
        "OPEN": f"{int(game.open_squares)}u",
        "ROSETTES": f"{int(game.rosettes)}u",
        "SAFE": f"{int(game.safe)}u",
        "CAPTURE_ROLLS": int(game.capture_rolls),
    }
    return "".join(f"#define {name} {value}\n" for name, value in defined.items()) + source


class _Device:
    """The tables and values on the graphics processor."""

    def __init__(self, cupy: Any, game: UrRules, layout: Layout, precision: int) -> None:
        self.cupy, self.layout, self.pieces = cupy, layout, game.count
        dtype = np.float32 if precision == SINGLE else np.float64
        self.values = cupy.full(layout.states, 0.5, dtype)
        self.tables = (
            cupy.asarray(layout.offset.reshape(-1)),
            cupy.asarray(layout.counts.astype(np.uint8).reshape(-1)),
            cupy.asarray(layout.own.astype(np.uint32)),
            cupy.asarray(layout.other.astype(np.uint32)),
            cupy.asarray(layout.swapped.astype(np.int32)),
        )
        self.worst = cupy.zeros(1, np.int32)
        code = source_of(game, layout, precision)
        self.kernel = cupy.RawModule(code=code, options=("--std=c++17",)).get_function("sweep")
        width = len(layout.mask_of)
        self.block = (width, max(1, _THREADS // width), 1)

    def order(self, a: int, b: int) -> Any:
        """The contents of the shared tiles that occur in a pair of layers, furthest ahead first."""
        t = self.layout
        x, y = t.counts[t.order, 0], t.counts[t.order, 1]
        fits = (x <= self.pieces - a) & (y <= self.pieces - b)
        return self.cupy.asarray(t.order[fits].astype(np.int32))

    def sweep(self, a: int, b: int, order: Any, *, write: bool) -> None:
        """One sweep over a pair of layers; the largest change is added to ``worst``."""
        numbers = (np.int32(a), np.int32(b), np.int32(write))
        self.kernel(
            (len(order),), self.block, (self.values, *self.tables, order, *numbers, self.worst)
        )

    def change(self) -> float:
        """The largest change since the last look."""
        found = float(self.worst.view(np.float32)[0])
        self.worst.fill(0)
        return found


def solve_on_gpu(
    game: UrRules, control: Control, *, precision: int, tolerance: float | None = None
) -> Solved:
    """Solves all layers on the graphics processor."""
    cupy = cupy_for("solving", "without gpu=true the processor does it")
    layout = layout_of(game)
    device = _Device(cupy, game, layout, precision)
    device.sweep(game.count - 1, game.count - 1, device.order(0, 0), write=False)  # compiles
    device.change()
    tolerance = tolerance or TOLERANCE[precision]
    pairs = layer_pairs(game.count)
    sweeps = updates = done = 0
    cupy.cuda.Device().synchronize()
    started = time.perf_counter()
    for a, b in pairs:
        size = (layout.layer(a, b).stop - layout.layer(a, b).start) * (1 if a == b else 2)
        order, change = device.order(a, b), 1.0
        while change >= tolerance:
            control.report(done / layout.states, f"{a} and {b} pieces home")
            for number in range(_BATCH):
                if number == _BATCH - 1:
                    device.worst.fill(0)
                device.sweep(a, b, order, write=True)
            sweeps += _BATCH
            updates += _BATCH * size
            change = device.change()
            if sweeps > 200_000:
                raise PetteiaError(f"{game}: layer {a}, {b} does not settle below {tolerance:g}")
        done += size
    cupy.cuda.Device().synchronize()
    seconds = time.perf_counter() - started
    for a, b in pairs:
        device.sweep(a, b, device.order(a, b), write=False)
    residual = device.change()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return Solved(
        cupy.asnumpy(device.values), residual, sweeps, updates, 0, seconds, {"device": name}
    )
