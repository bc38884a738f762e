"""Machine code as a Python callable, by llvmlite and ctypes alone.

Numba's import and set-up take seconds; loading a finished object file takes milliseconds. The
functions follow Numba's calling convention: a place for the result, a place for an exception,
then the arguments flattened to numbers and pointers. ctypes releases the interpreter's lock
while they run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from petteia.compiled.disk import Entry
from petteia.core.errors import PetteiaError

__all__ = ["Native", "NativeError", "Sort", "callable_of", "sort_of"]

Sort = str | tuple[Any, ...]
"""What a kernel must know of an argument to be compiled for it."""

_DONE, _NONE = 0, -2  # status codes of Numba's calling convention


class NativeError(PetteiaError, RuntimeError):
    """A kernel raised. Run it with PETTEIA_INTERPRET=1 to see where."""


def sort_of(value: Any) -> Sort:
    """The sort of an argument: i, u, f for numbers, wN for words, a... for arrays, r... for
    records; of a NamedTuple "n", its class, the names of its fields and their sorts.

    Words are checked here, at the border: a plain int among them would be compiled as signed.
    """
    if type(value) is np.uint64:
        return "u"
    if isinstance(value, (bool, int, np.integer)):
        return "i"
    if isinstance(value, (float, np.floating)):
        return "f"
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is not None:
            return ("n", type(value), fields, *map(sort_of, value))
        if not all(type(word) is np.uint64 for word in value):
            raise TypeError(f"a position is a tuple of np.uint64, not {value!r}")
        return f"w{len(value)}"
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise TypeError("kernels take contiguous arrays")
        # Records of equal size but other fields must not share code: the fields are named too.
        return f"a{value.ndim}{_fields(value.dtype) if value.dtype.fields else value.dtype.str}"
    if isinstance(value, np.void):
        return f"r{_fields(value.dtype)}"
    raise TypeError(
        "kernels take numbers, words, arrays, records and NamedTuples of these, "
        f"not {type(value).__name__}"
    )


@lru_cache(maxsize=64)
def _fields(dtype: np.dtype[Any]) -> str:
    return str(dtype.descr)


def _whole(value: Any) -> list[Any]:
    number = int(value)
    if not -(2**63) <= number < 2**63:  # ctypes would cut it off without a word
        raise OverflowError(f"{number} has more than 64 bits; a word is written np.uint64(...)")
    return [number]


def _word(value: Any) -> list[Any]:
    return [int(value)]


def _real(value: Any) -> list[Any]:
    return [float(value)]


def _words(value: Any) -> list[Any]:
    return [int(word) for word in value]


def _array(value: np.ndarray) -> list[Any]:
    place = value.__array_interface__["data"][0]
    return [None, None, value.size, value.itemsize, place, *value.shape, *value.strides]


def _record(value: np.void) -> list[Any]:
    # The record's own interface describes every field, which takes ten times as long.
    return [np.frombuffer(value, np.uint8).__array_interface__["data"][0]]


def _nothing(_: Any) -> list[Any]:
    return [None]


_Layout = tuple[list[Any], Callable[[Any], list[Any]]]


def _flat(layouts: Sequence[_Layout], values: Sequence[Any]) -> list[Any]:
    """Values one after the other, as numbers and pointers."""
    flat: list[Any] = []
    for (_, flatten), value in zip(layouts, values, strict=True):
        flat += flatten(value)
    return flat


def _layout(sort: Sort) -> _Layout:
    """The C types of an argument and how to flatten a value to them."""
    pointer, whole = ctypes.c_void_p, ctypes.c_int64
    if not isinstance(sort, str):
        parts = [_layout(each) for each in sort[3:]]
        return [kind for kinds, _ in parts for kind in kinds], partial(_flat, parts)
    match sort[0]:
        case "i":
            return [whole], _whole
        case "u":
            return [ctypes.c_uint64], _word
        case "f":
            return [ctypes.c_double], _real
        case "w":
            return [ctypes.c_uint64] * int(sort[1:]), _words
        case "a":
            dimensions = int(sort[1])
            return [pointer, pointer, whole, whole, pointer] + [whole] * (2 * dimensions), _array
        case "r":
            return [pointer], _record
        case _:
            return [pointer], _nothing


def _result(sort: str) -> tuple[Any, Callable[[Any], Any]]:
    """The C type of a result and how to read it."""
    match sort[0]:
        case "f":
            return ctypes.c_double, lambda cell: cell.value
        case "b":
            return ctypes.c_uint8, lambda cell: bool(cell.value)
        case "w":
            return ctypes.c_uint64 * int(sort[1:]), lambda cell: tuple(map(np.uint64, cell))
        case "u":
            return getattr(ctypes, f"c_uint{sort[1:]}"), lambda cell: np.uint64(cell.value)
        case "n":
            return ctypes.c_int64, lambda _: None
        case _:
            return getattr(ctypes, f"c_int{sort[1:]}"), lambda cell: cell.value


@lru_cache(maxsize=1)
def _engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


_kept: list[Any] = []  # object files must outlive the code in them


def callable_of(entry: Entry, sorts: Sequence[Sort], name: str) -> Native:
    """The kernel as a function of the arguments whose sorts are given."""
    import llvmlite.binding as llvm

    if entry.needs_numba:
        import petteia.compiled.compiler  # noqa: F401  (its runtime's symbols are needed)
    engine = _engine()
    file = llvm.ObjectFileRef.from_data(entry.code)
    engine.add_object_file(file)
    engine.finalize_object()
    _kept.append(file)
    address = engine.get_function_address(entry.symbol)

    return Native(address, [_layout(sort) for sort in sorts], entry.result, name)


class Native:
    """Machine code that takes the arguments for which it was compiled."""

    def __init__(self, address: int, layouts: Sequence[_Layout], result: str, name: str) -> None:
        flat = [kind for kinds, _ in layouts for kind in kinds]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *flat)
        self._code = prototype(address)
        self._flat = partial(_flat, layouts)
        self._cell_type, self._read = _result(result)
        self._name = name

    def _failed(self) -> NativeError:
        return NativeError(
            f"the kernel {self._name} failed; run with PETTEIA_INTERPRET=1 to see why"
        )

    def __call__(self, *values: Any) -> Any:
        cell, problem = self._cell_type(), ctypes.c_void_p()
        arguments = self._flat(values)
        status = self._code(ctypes.addressof(cell), ctypes.addressof(problem), *arguments)
        if status not in (_DONE, _NONE):
            raise self._failed()
        return self._read(cell)

    def bind(self, *values: Any) -> Callable[[], Any]:
        """The same with its arguments fixed, for one thread: a call takes about a microsecond."""
        cell, problem = self._cell_type(), ctypes.c_void_p()
        arguments = [ctypes.addressof(cell), ctypes.addressof(problem), *self._flat(values)]
        code, read = self._code, self._read

        def call(kept: Any = (cell, problem, values)) -> Any:
            status = code(*arguments)
            if status not in (_DONE, _NONE):
                raise self._failed()
            return read(cell)

        return call
