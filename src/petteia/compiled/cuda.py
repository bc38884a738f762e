"""Kernels on NVIDIA's GPUs: PTX, which is made on any machine, run by CuPy."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from petteia.compiled.batch import Batch
from petteia.compiled.targets import Target, cuda_of
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for

__all__ = ["run"]

_BLOCK = 128
_BLOCKS_A_PROCESSOR = 16
_STACK = 16384
"""Bytes a thread for functions that call themselves, beside its memory."""


def run(batch: Batch, first: int, last: int, args: tuple[Any, ...]) -> None:
    """Does the pieces. Arrays are taken to the GPU and brought back; those of CuPy stay there."""
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    here = [cupy.asnumpy(arg[:0]) if isinstance(arg, cupy.ndarray) else arg for arg in args]
    entry = batch.code_for(_target(), *here)
    function = _loaded(entry.symbol, entry.code)
    _make_room(batch.layout.itemsize + _STACK)
    fault = cupy.zeros(1, np.int64)
    there = [cupy.asarray(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    flat: list[Any] = [np.int64(first), np.int64(last), fault]
    for arg, sort in zip(there, batch.loop.sorts(tuple(here)), strict=True):
        flat += _flat(arg, sort)
    blocks = min(-(-max(last - first, 1) // _BLOCK), _BLOCKS_A_PROCESSOR * _multiprocessors())
    function((blocks,), (_BLOCK,), tuple(flat))
    if int(fault[0]) != 0:
        raise PetteiaError(f"the kernel {batch.loop.__name__} failed; device=cpu may say why")
    for arg, copy in zip(args, there, strict=True):
        if isinstance(arg, np.ndarray) and arg.flags.writeable:
            arg[...] = cupy.asnumpy(copy)


def _flat(arg: Any, sort: str) -> list[Any]:
    match sort[0]:
        case "i":
            return [np.int64(arg)]
        case "u":
            return [np.uint64(arg)]
        case "f":
            return [np.float64(arg)]
        case "w":
            return [np.uint64(word) for word in arg]
        case "a":
            sizes = [arg.size, arg.itemsize]
            head = [np.int64(0), np.int64(0), *map(np.int64, sizes), np.int64(arg.data.ptr)]
            return [*head, *map(np.int64, arg.shape), *map(np.int64, arg.strides)]
        case "t":
            return [np.int64(0)]
        case _:
            raise PetteiaError("a batch on a GPU takes numbers, words and arrays")


@lru_cache(maxsize=64)
def _loaded(symbol: str, ptx: bytes) -> Any:
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    module = cupy.cuda.function.Module()
    module.load(ptx + b"\0")
    return module.get_function(symbol)


def _make_room(size: int) -> None:
    """Lets a thread have so many bytes: where functions call themselves, nobody can add up what a
    kernel needs, and a thread has no more than this."""
    runtime = cupy_for("a batch on a GPU", "device=cpu does the same").cuda.runtime
    if runtime.deviceGetLimit(0) < size:
        runtime.deviceSetLimit(0, size)


@lru_cache(maxsize=1)
def _target() -> Target:
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    return cuda_of(int(cupy.cuda.Device().compute_capability))


@lru_cache(maxsize=1)
def _multiprocessors() -> int:
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    return int(cupy.cuda.Device().attributes["MultiProcessorCount"])
