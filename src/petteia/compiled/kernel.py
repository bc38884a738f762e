"""``@kernel``: a function that Python calls and that runs compiled."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from petteia.compiled import disk, native
from petteia.compiled.fingerprint import fingerprint
from petteia.compiled.targets import HOST, Target
from petteia.core.compile_time import CompileTime

__all__ = ["Kernel", "is_interpreted", "kernel"]

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.RLock()


def is_interpreted() -> bool:
    """Whether kernels run as plain Python, for debugging and coverage."""
    switches = (os.environ.get("PETTEIA_INTERPRET"), os.environ.get("NUMBA_DISABLE_JIT"))
    return any(switch not in (None, "", "0") for switch in switches)


class Kernel(Generic[P, R]):
    """A compiled function.

    It takes numbers, words (tuples of np.uint64), arrays, records, NamedTuples of these, games and
    evaluations; it is compiled once for every combination of sorts, games and evaluations that it
    meets. A NamedTuple gives arrays a name without copying them or fixing their lengths; in a
    recursion a record is faster, which is one pointer.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = cast("FunctionType", function)
        self.__name__ = self.function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._arity = self.function.__code__.co_argcount
        self._callables: dict[tuple[Any, ...], native.Native] = {}
        self._by_content: dict[str, native.Native] = {}
        self._tags: list[Any] = []  # keeps them alive, so that their ids stay theirs

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"

    def __call__(self, *args: P.args, **named: P.kwargs) -> R:
        if is_interpreted():
            return cast("R", self.function(*args, **named))
        if named or len(args) != self._arity:
            bound = inspect.signature(self.function).bind(*args, **named)
            bound.apply_defaults()
            return self._run(bound.args)
        return self._run(args)

    def bind(self, *args: P.args, **_: P.kwargs) -> Callable[[], R]:
        """The kernel with all its arguments fixed: what changes between calls stands in arrays.

        Where a kernel does little, finding it by its arguments takes longer than running it.
        """
        if is_interpreted():
            return partial(self.function, *args)
        return self._found(args).bind(*args)

    def _run(self, args: tuple[Any, ...]) -> R:
        return cast("R", self._found(args)(*args))

    def _found(self, args: tuple[Any, ...]) -> native.Native:
        shape = tuple(
            [id(arg) if isinstance(arg, CompileTime) else native.sort_of(arg) for arg in args]
        )
        return self._callables.get(shape) or self._load(shape, args)

    def _load(self, shape: tuple[Any, ...], args: tuple[Any, ...]) -> native.Native:
        tags = [arg for arg in args if isinstance(arg, CompileTime)]
        sorts = self.sorts(args)
        with _lock:
            content = fingerprint(self.function, tags, sorts)
            found = self._by_content.get(content)
            if found is None:
                entry = self._entry(content, args, sorts, HOST)
                found = native.callable_of(entry, sorts, self.__name__)
                self._by_content[content] = found
            self._tags += tags
            self._callables[shape] = found
            return found

    @staticmethod
    def sorts(args: tuple[Any, ...]) -> list[native.Sort]:
        """What the compiler must know of arguments that are not tags."""
        return ["t" if isinstance(arg, CompileTime) else native.sort_of(arg) for arg in args]

    def code_for(self, target: Target, *args: Any) -> disk.Entry:
        """Its code for another processor and for arguments like these; kept as all code is."""
        tags = [arg for arg in args if isinstance(arg, CompileTime)]
        sorts = self.sorts(args)
        with _lock:
            content = fingerprint(self.function, tags, sorts, target)
            return self._entry(content, args, sorts, target)

    def _entry(
        self, content: str, args: tuple[Any, ...], sorts: list[native.Sort], target: Target
    ) -> disk.Entry:
        entry = disk.read(self.__name__, content)
        if entry is None:
            from petteia.compiled import compiler
            from petteia.compiled.notice import compiling

            symbol = f"petteia_{content}"
            with compiling(self.__name__):
                entry = compiler.compile(self.function, args, sorts, symbol, target)
            disk.write(self.__name__, content, entry)
        return entry


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Marks a function that Python calls and that runs compiled."""
    return Kernel(function)
