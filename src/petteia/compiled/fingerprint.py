"""A hash of everything that compiled code depends on.

The hash covers the bytecode and constants of a kernel and of every function that it can reach,
the values of the globals that they read, and those methods and numbers of games and evaluations
whose names occur anywhere in that code. It looks at the objects in memory rather than at files:
an edit in any file, the user's own included, changes it, and an edited comment does not.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import inspect
import io
import sys
import sysconfig
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from petteia.compiled.targets import HOST, Target
from petteia.core.compile_time import CompileTime

__all__ = ["fingerprint", "method_of", "rules_fingerprint", "source_fingerprint", "toolchain"]


_PLAIN = (bool, int, float, complex, str, bytes, slice, range, np.generic)


def method_of(tag: CompileTime, name: str) -> FunctionType | None:
    """The method that ``tag.name`` means in compiled code; everything else there is a value."""
    found = getattr(type(tag), name, None)
    return found if isinstance(found, FunctionType) else None


class _Walk:
    def __init__(self) -> None:
        self.names: set[str] = set()
        self.parts: list[str] = []
        self.tags: list[CompileTime] = []
        self.seen: dict[Any, int] = {}
        self.kept: list[Any] = []  # what was seen stays alive, so that ids are not used again

    def is_new(self, thing: Any, *view: Any) -> bool:
        """Notes which of the things seen so far this is; the same code may use it by two names."""
        number = self.seen.setdefault((id(thing), *view), len(self.seen))
        self.parts.append(f"thing {number}")
        new = number == len(self.kept)
        if new:
            self.kept.append(thing)
        return new

    def code(self, code: CodeType) -> None:
        digest = hashlib.sha256(code.co_code + code.co_exceptiontable).hexdigest()
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
        # Parameters may be given by name, so their names and order count; those of other
        # variables do not.
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.parts.append(f"code {counts} {code.co_flags} {digest} {' '.join(parameters)}")
        self.parts.append(" ".join(code.co_names))
        self.names.update(code.co_names)
        for constant in code.co_consts:
            self.value(constant)

    def function(self, function: FunctionType) -> None:
        if not self.is_new(function):
            return
        # The type of a recursive call is read from the annotation.
        told = function.__annotations__.get("return")
        returns = told if isinstance(told, str) else ""
        self.parts.append(f"def {function.__qualname__} {returns}")
        names = self.body(function)
        self.value(function.__defaults__)
        self.value(tuple((function.__kwdefaults__ or {}).items()))
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        for name in names:
            if name in function.__globals__:
                self.parts.append(name)
                self.value(function.__globals__[name], names)

    def body(self, function: FunctionType) -> tuple[str, ...]:
        """Adds what a function does; gives the names that it looks up."""
        self.code(function.__code__)
        return tuple(_all_names(function.__code__))

    def value(self, value: Any, attributes: tuple[str, ...] = ()) -> None:
        """Adds a value; ``attributes`` are the names that may be read from it if it is a module."""
        if isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, CompileTime):
            if self.is_new(value):
                self.tags.append(value)
        elif isinstance(value, CodeType):
            self.code(value)
        elif isinstance(value, Enum):
            self.parts.append(f"member {value.name}")
            self.value(value.value)
        elif isinstance(value, _PLAIN) or value is None:
            self.parts.append(f"{type(value).__name__} {value!r}")
        elif isinstance(value, tuple | list | frozenset):
            fields = getattr(value, "_fields", ())
            self.parts.append(f"{type(value).__name__} {len(value)} {fields}")
            for item in sorted(value, key=repr) if isinstance(value, frozenset) else value:
                self.value(item)
        elif isinstance(value, np.ndarray):
            content = np.ascontiguousarray(value).tobytes()
            digest = hashlib.sha256(content).hexdigest()
            self.parts.append(f"array {value.dtype!r} {value.shape} {digest}")
        elif isinstance(value, np.dtype):
            self.parts.append(f"dtype {value!r}")
        elif isinstance(value, ModuleType):
            self.module(value, attributes)
        elif isinstance(value, type):
            self.type(value)
        else:
            self.other(value)

    def module(self, module: ModuleType, attributes: tuple[str, ...]) -> None:
        self.parts.append(f"module {module.__name__}")
        if not _is_library(module) and self.is_new(module, attributes):
            for name in attributes:
                if hasattr(module, name):
                    self.parts.append(name)
                    self.value(getattr(module, name), attributes)

    def type(self, kind: type) -> None:
        home = sys.modules.get(kind.__module__)
        place = f"{kind.__module__}." if home is not None and _is_library(home) else ""
        self.parts.append(f"type {place}{kind.__qualname__} {getattr(kind, '_fields', ())}")
        if issubclass(kind, Enum):
            self.value(tuple(kind.__members__.items()))

    def other(self, value: Any) -> None:
        # A kernel, or a function that Numba itself has marked.
        function = getattr(value, "function", None) or getattr(value, "py_func", None)
        if isinstance(function, FunctionType):
            self.function(function)
        else:
            self.type(type(value))
            self.parts.append(f"called {getattr(value, '__name__', '')}")


class _SourceWalk(_Walk):
    """The same by what is written, which all versions of Python read alike."""

    def body(self, function: FunctionType) -> tuple[str, ...]:
        text = textwrap.dedent(inspect.getsource(function))
        self.parts.append(" ".join(_tokens(text)))
        tree = list(ast.walk(_Unannotated().visit(ast.parse(text))))
        own = {each.arg for each in tree if isinstance(each, ast.arg)}
        read = {each.attr for each in tree if isinstance(each, ast.Attribute)}
        for each in tree:
            if isinstance(each, ast.Name):
                (read if isinstance(each.ctx, ast.Load) else own).add(each.id)
        self.names.update(read - own)
        return tuple(sorted(read - own))


class _Unannotated(ast.NodeTransformer):
    """Takes out the types, which compiled code never looks up."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _tokens(text: str) -> Iterator[str]:
    """The words of a function without comments and sentences that say what it does."""
    gaps = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
    begins = (tokenize.NEWLINE, tokenize.INDENT)
    last = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in gaps:
            continue
        if token.type != tokenize.STRING or last not in begins:
            yield token.string if token.type != tokenize.INDENT else "indent"
        last = token.type


def _all_names(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_names(constant)


_PYTHON = Path(sysconfig.get_path("stdlib")).resolve()


def _is_library(module: ModuleType) -> bool:
    """Whether a module counts by its version, see ``toolchain``, and not by its content."""
    if module.__name__.partition(".")[0] in ("numba", "numpy"):
        return True
    file = getattr(module, "__file__", None)
    if file is None:  # built into Python, or a folder without __init__.py
        return not hasattr(module, "__path__")
    path = Path(file).resolve()
    installed = {"site-packages", "dist-packages"}.intersection(path.parts)
    return path.is_relative_to(_PYTHON) and not installed


def fingerprint(
    function: FunctionType,
    tags: Iterable[CompileTime],
    sorts: Iterable[Any],
    target: Target = HOST,
) -> str:
    """The hash of a kernel compiled for these games, evaluations and sorts of arguments."""
    return _hashed(_Walk(), toolchain(target), function, tags, sorts)


def source_fingerprint(
    function: FunctionType, tags: Iterable[CompileTime], sorts: Iterable[Any], target: Target
) -> str:
    """The same by the sources, equal on all machines: for code that is made here and run elsewhere.

    It does not know which versions compiled it; it knows the files of this room that decide what
    the code does."""
    return _hashed(_SourceWalk(), f"{target}\n{_source_of(_DECIDING)}", function, tags, sorts)


def rules_fingerprint(function: FunctionType, tags: Iterable[CompileTime]) -> str:
    """The hash of what a function computes, whoever compiles it: for results that are kept."""
    return _hashed(_Walk(), "", function, tags, ())


def _hashed(
    walk: _Walk,
    made_by: str,
    function: FunctionType,
    tags: Iterable[CompileTime],
    sorts: Iterable[Any],
) -> str:
    walk.function(function)
    for tag in tags:
        walk.value(tag)
    done: list[set[str]] = []
    grown = True
    while grown:
        grown = False
        done += [set() for _ in walk.tags[len(done) :]]
        for tag, known in zip(list(walk.tags), done, strict=True):
            for name in sorted(walk.names - known):
                grown = True
                known.add(name)
                found = method_of(tag, name) or getattr(tag, name, None)
                if found is not None:
                    walk.parts.append(f"{type(tag).__qualname__}.{name}")
                    walk.value(found)
    text = "\n".join([made_by, *map(str, sorts), *walk.parts])
    return hashlib.sha256(text.encode()).hexdigest()


_DECIDING = (
    "bits", "compiler", "instructions", "long_tuples", "mathematics", "memory", "wasm",
)  # fmt: skip
"""The files of this room without which the same source could mean other code."""


def _source_of(names: Iterable[str]) -> str:
    files = (Path(__file__).with_name(f"{name}.py") for name in sorted(names))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


@lru_cache(maxsize=8)
def toolchain(target: Target = HOST) -> str:
    """What compiles and where it will run: versions, the processor, and this room's own source."""
    import llvmlite.binding as llvm

    libraries = ("numba", "numpy", "llvmlite")
    versions = [f"{name} {importlib.metadata.version(name)}" for name in libraries]
    own = _source_of(file.stem for file in Path(__file__).parent.glob("*.py"))
    if target is HOST:
        processor = [llvm.get_process_triple(), llvm.get_host_cpu_name()]
        processor += sorted(name for name, on in llvm.get_host_cpu_features().items() if on)
    else:
        processor = [str(target)]
    return "\n".join([sys.version, *versions, own, *processor])
