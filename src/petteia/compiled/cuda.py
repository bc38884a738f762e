"""Kernels on NVIDIA's GPUs: PTX, which is made on any machine, run by CuPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from petteia.compiled.batch import Batch
from petteia.compiled.native import Sort
from petteia.compiled.targets import Target, cuda_of
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for

__all__ = ["Launch", "fetch", "on_gpu"]

_MOST_BLOCKS = 1 << 24
"""Blocks wait for their turn: where pieces differ in length, that evens out."""
_STACK = 16384
"""Bytes a thread for functions that call themselves, beside its memory."""


class Launch:
    """A batch with its arguments on the GPU, ready to run again and again.

    Arrays are taken there; those of CuPy are there already, and are used as they are.
    """

    def __init__(self, batch: Batch, args: tuple[Any, ...]) -> None:
        cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
        here = _each(args, cupy.ndarray, lambda array: cupy.asnumpy(array[:0]))
        entry = batch.code_for(_target(), *here)
        self._function = _loaded(entry.symbol, entry.code, batch.block, batch.crowd)
        self._block = batch.block
        _make_room(batch.layout.itemsize + _STACK)
        self._name = batch.loop.__name__
        self._args, self._there = args, on_gpu(args)
        self._fault = cupy.zeros(1, np.int64)
        sorts = batch.loop.sorts(here)
        self._flat = [
            flat for arg, sort in zip(self._there, sorts, strict=True) for flat in _flat(arg, sort)
        ]

    def __call__(self, count: int, first: int = 0) -> None:
        """Begins pieces; nobody waits for them."""
        blocks = min(-(-max(count, 1) // self._block), _MOST_BLOCKS)
        given = np.int64(first), np.int64(first + count), self._fault, *self._flat
        self._function((blocks,), (self._block,), given)

    def finish(self) -> None:
        """Waits, and brings arrays back that came from here."""
        if int(self._fault[0]) != 0:
            raise PetteiaError(f"the kernel {self._name} failed; device=cpu may say why")
        fetch(self._args, self._there)


def _each(values: tuple[Any, ...], kind: type, change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Values with those of a kind changed, inside NamedTuples too."""
    return tuple(
        type(value)(*_each(value, kind, change))
        if hasattr(value, "_fields")
        else change(value)
        if isinstance(value, kind)
        else value
        for value in values
    )


def on_gpu(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments with all arrays on the GPU."""
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    return _each(args, np.ndarray, cupy.asarray)


def fetch(args: tuple[Any, ...], there: tuple[Any, ...]) -> None:
    """Brings back into arrays what was done to their copies on the GPU."""
    for arg, copy in zip(args, there, strict=True):
        if hasattr(arg, "_fields"):
            fetch(arg, copy)
        elif isinstance(arg, np.ndarray) and arg.flags.writeable:
            copy.get(out=arg)


def _flat(arg: Any, sort: Sort) -> list[Any]:
    if not isinstance(sort, str):
        return [
            flat for each, kind in zip(arg, sort[3:], strict=True) for flat in _flat(each, kind)
        ]
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
            numbers = 0, 0, arg.size, arg.itemsize, arg.data.ptr, *arg.shape, *arg.strides
            return [np.int64(number) for number in numbers]
        case "t":
            return [np.int64(0)]
        case _:
            raise PetteiaError(
                "a batch on a GPU takes numbers, words, arrays, and NamedTuples of these"
            )


@lru_cache(maxsize=64)
def _loaded(symbol: str, ptx: bytes, block: int, crowd: int) -> Any:
    cupy = cupy_for("a batch on a GPU", "device=cpu does the same")
    module = cupy.cuda.function.Module()
    if crowd:
        begin = ptx.index(b"{", ptx.index(b".entry"))
        limits = f".maxntid {block}, 1, 1\n.minnctapersm {crowd}\n".encode()
        ptx = ptx[:begin] + limits + ptx[begin:]
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
