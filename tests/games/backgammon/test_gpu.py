"""The program for a graphics processor, as far as it can be seen without one: its plays and inputs,
built for the processor by a C++ compiler, are those of the kernels."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.games.backgammon.evaluations.inputs import escape_table, has_contact, inputs
from petteia.games.backgammon.evaluations.network import WEIGHTS, fresh_weights
from petteia.games.backgammon.learning import gpu
from petteia.games.backgammon.rules.state import parts_of
from petteia.search.stepper import stepper_of
from tests.games.backgammon.boards import decisions, game, sides

NODES = 150
"""How many here; three thousand were compared once, with no difference."""

# What the program takes from CUDA, in plain C++.
AROUND = """
#include <cmath>
#define __device__
#define __global__
struct Place { int x, y, z; };
static Place blockIdx, blockDim, threadIdx;
static int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static unsigned __brev(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++) if (x >> i & 1) r |= 1u << (31 - i);
    return r;
}
static int atomicAdd(int *p, int v) { int old = *p; *p += v; return old; }
static float __shfl_xor_sync(unsigned, float v, int) { return v; }
"""
CALLS = """
extern "C" int list_all(const Board *b, int first, int second, Board *out, int room)
{
    Sink sink = {out, 0, room};
    plays(sink, *b, first, second);
    return sink.count;
}
extern "C" int see(const Board *b, const float *escapes, unsigned char *i, float *v, int *count)
{
    Inputs in = {i, v, 0};
    const int flags = read_board(*b, escapes, in);
    *count = in.count;
    return flags;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler here to build the CUDA program for the processor")
    folder = tmp_path_factory.mktemp("gpu")
    text, built = folder / "all.cpp", folder / "all.so"
    text.write_text(AROUND + gpu.source() + CALLS)
    order = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", str(built), str(text)]
    subprocess.run(order, check=True, capture_output=True)
    return ctypes.CDLL(str(built))


def flat(own: tuple[int, ...], other: tuple[int, ...]) -> np.ndarray:
    return np.array([0, *own[1:], 0, *other[1:]], np.int8)


def test_plays_and_inputs_are_those_of_the_kernels(program: ctypes.CDLL) -> None:
    of, escapes = game(), escape_table().astype(np.float32)
    found, stepper = np.zeros((4096, 52), np.int8), stepper_of(of)
    index, value = np.zeros(80, np.uint8), np.zeros(80, np.float32)
    w, count = np.zeros(400, np.float32), ctypes.c_int()

    def at(array: np.ndarray) -> ctypes.c_void_p:
        return array.ctypes.data_as(ctypes.c_void_p)

    for p in decisions(of, NODES, seed=5):
        board, parts = flat(*sides(p)), parts_of(p[4])
        listed = program.list_all(at(board), parts["first"], parts["second"], at(found), 4096)
        ours = {flat(*sides(of.moved(p, move))).tobytes() for move in stepper.look(p).moves}
        assert {row.tobytes() for row in found[:listed]} == ours
        words = p[:4] if parts["mover"] == 0 else (p[2], p[3], p[0], p[1])
        contact = bool(has_contact(*words))
        size = inputs(tuple(words), contact, w, 0, 200)
        flags = program.see(at(board), at(escapes), at(index), at(value), ctypes.byref(count))
        assert flags & 1 == contact
        here = dict(zip(index[: count.value].tolist(), value.tolist(), strict=False))
        kernels = dict(zip(w[:size].astype(int).tolist(), w[200:].tolist(), strict=False))
        assert here == pytest.approx(kernels, abs=1e-6)


def has_device() -> bool:
    try:
        gpu.cupy_here()
    except PetteiaError:
        return False
    return True


def test_without_a_device_one_line_says_so(tmp_path: Path) -> None:
    if has_device():
        pytest.skip("there is a graphics processor here")
    with pytest.raises(SystemExit, match=r"^petteia: .*training trains on the processor$"):
        gpu.main(["--out", str(tmp_path / "w.npy")])
    with pytest.raises(PetteiaError, match="trains on the processor"):
        gpu.Trainer(fresh_weights(3)[:WEIGHTS], 256)


def test_a_round_on_the_device_moves_the_weights() -> None:
    if not has_device():
        pytest.skip("there is no graphics processor with CuPy here")
    trainer = gpu.Trainer(fresh_weights(3)[:WEIGHTS], 256)
    before = trainer.w.copy()
    known, targets = trainer.lesson(1, 0.5)
    trainer.learn(known, targets, 1024, 0.001)
    assert float(abs(trainer.w - before).max()) > 1e-4
