"""A hash of everything that compiled code depends on.

The hash covers the bytecode and constants of a kernel and of every function that it can reach,
the values of the globals that they read, and those methods and numbers of games and evaluations
whose names occur anywhere in that code. It looks at the objects in memory rather than at files:
an edit in any file, the user's own included, changes it, and an edited comment does not.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from petteia.core.compile_time import CompileTime

__all__ = ["fingerprint", "toolchain"]


class _Walk:
    def __init__(self) -> None:
        self.names: set[str] = set()
        self.parts: list[str] = []
        self.seen: set[int] = set()

    def code(self, code: CodeType) -> None:
        self.parts.append(f"code {code.co_argcount} {hashlib.sha256(code.co_code).hexdigest()}")
        self.parts.append(" ".join(code.co_names))
        self.names.update(code.co_names)
        for constant in code.co_consts:
            self.value(constant)

    def function(self, function: FunctionType) -> None:
        if id(function) in self.seen:
            return
        self.seen.add(id(function))
        self.parts.append(f"def {function.__qualname__}")
        self.code(function.__code__)
        self.value(function.__defaults__)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        for name in _all_names(function.__code__):
            if name in function.__globals__:
                self.parts.append(name)
                self.value(function.__globals__[name], function.__code__.co_names)

    def value(self, value: Any, attributes: Iterable[str] = ()) -> None:
        if isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, CodeType):
            self.code(value)
        elif isinstance(value, bool | int | float | str | bytes | np.generic) or value is None:
            self.parts.append(f"{type(value).__name__} {value!r}")
        elif isinstance(value, tuple | list | frozenset):
            self.parts.append(f"{type(value).__name__} {len(value)}")
            for item in sorted(value, key=repr) if isinstance(value, frozenset) else value:
                self.value(item)
        elif isinstance(value, np.ndarray):
            content = np.ascontiguousarray(value).tobytes()
            digest = hashlib.sha256(content).hexdigest()
            self.parts.append(f"array {value.dtype.str} {value.shape} {digest}")
        elif isinstance(value, np.dtype):
            self.parts.append(f"dtype {value.descr}")
        elif isinstance(value, ModuleType):
            self.parts.append(f"module {value.__name__}")
            if not _is_foreign(value):
                for name in attributes:
                    if hasattr(value, name):
                        self.value(getattr(value, name))
        elif isinstance(getattr(value, "function", None), FunctionType):
            self.value(value.function)
        elif isinstance(value, type | BuiltinFunctionType):
            self.parts.append(f"name {value.__module__}.{value.__qualname__}")
        else:
            self.parts.append(f"type {type(value).__module__}.{type(value).__qualname__}")


def _all_names(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_names(constant)


def _is_foreign(module: ModuleType) -> bool:
    """Libraries count by their version, see ``toolchain``, not by their content."""
    top = module.__name__.partition(".")[0]
    file = getattr(module, "__file__", None)
    return (
        file is None
        or top in sys.stdlib_module_names
        or (top != "petteia" and "site-packages" in Path(file).parts)
    )


def fingerprint(function: FunctionType, tags: Iterable[CompileTime], sorts: Iterable[str]) -> str:
    """The hash of a kernel compiled for these games, evaluations and sorts of arguments."""
    walk = _Walk()
    walk.function(function)
    tags = list(tags)
    done: list[set[str]] = [set() for _ in tags]
    grown = True
    while grown:
        grown = False
        for tag, known in zip(tags, done, strict=True):
            for name in sorted(walk.names - known):
                grown = True
                known.add(name)
                found = inspect.getattr_static(tag, name, None)
                if found is not None and not isinstance(found, property):
                    walk.parts.append(f"{type(tag).__qualname__}.{name}")
                    walk.value(found)
    text = "\n".join([toolchain(), *sorts, *walk.parts])
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1)
def toolchain() -> str:
    """What compiles and where it will run: versions, the processor, and this room's own source."""
    import llvmlite.binding as llvm

    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite")]
    here = Path(__file__).parent
    own = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(here.glob("*.py"))))
    processor = [llvm.get_process_triple(), llvm.get_host_cpu_name()]
    features = sorted(name for name, on in llvm.get_host_cpu_features().items() if on)
    return "\n".join([sys.version, *versions, own.hexdigest(), *processor, " ".join(features)])
