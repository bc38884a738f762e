"""Runs a user's own code as plain Python and reports what goes wrong in one line.

The line names the file, the number, the function and what is wrong. A loop without end is ended,
and the line that a function returned from is known.
"""

from __future__ import annotations

import builtins
import contextlib
import difflib
import inspect
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

import numpy as np

from petteia.core.compile_time import CompileTime
from petteia.core.errors import CodeError, PetteiaError

__all__ = [
    "OutOfRoom",
    "Watch",
    "blamed",
    "explained",
    "is_own",
    "near",
    "place_of",
    "placed",
    "told",
]

PATIENCE = 10.0
"""Seconds that one call of a rule may take as plain Python."""
_LINES = 4096  # lines between two looks at the clock

_PACKAGE = Path(__file__).parents[1]
_PYTHON = Path(sysconfig.get_path("stdlib")).resolve()


@lru_cache(maxsize=4096)
def is_own(file: str) -> bool:
    """Whether a file of code is a user's: neither ours, nor Python's, nor an installed one."""
    if file.startswith("<"):
        return False
    path = Path(file).resolve()
    installed = {"site-packages", "dist-packages"}.intersection(path.parts)
    return not (installed or path.is_relative_to(_PACKAGE) or path.is_relative_to(_PYTHON))


def place_of(thing: Any) -> tuple[str | None, int | None]:
    """The file and the line in which a function or a class begins; nothing if unknown."""
    code = getattr(inspect.unwrap(thing) if callable(thing) else thing, "__code__", None)
    if isinstance(code, CodeType):
        return code.co_filename, code.co_firstlineno
    try:
        return inspect.getsourcefile(thing), inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return None, None


def blamed(thing: Any, says: str, line: int | None = None) -> CodeError:
    """The error of a function or class, at its first line or at the one that is given."""
    file, first = place_of(thing)
    return CodeError(says, file, line or first)


def near(name: str, known: Iterable[str]) -> str:
    """``; did you mean ...?`` for a name that is not known; empty if none is like it."""
    found = difflib.get_close_matches(name, [each for each in known if each != name], 2, 0.6)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def told(name: str, known: Iterable[str]) -> str:
    """What is said of a name that has no meaning."""
    public = _public()
    if name in public:
        return f"name {name!r} is not defined; write: from petteia import {name}"
    return f"name {name!r} is not defined{near(name, {*known, *public})}"


def _public() -> list[str]:
    """What ``from petteia import ...`` offers, looked up so that this room imports none above."""
    return list(sys.modules["petteia"].__all__)


# --- exceptions ---------------------------------------------------------------------------------


class _Endless(Exception):
    pass


class OutOfRoom(Exception):
    """A write outside an array, raised in the line that writes."""


def _frames(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _named_error(error: NameError, frame: FrameType) -> str:
    if isinstance(error, UnboundLocalError):
        return f"{error}; give it a value on every way to this line"
    return told(error.name or "", [*frame.f_locals, *frame.f_globals, *dir(builtins)])


def _attribute_error(error: AttributeError, frame: FrameType) -> str:
    name, thing = error.name, error.obj
    if name is None or name == "":
        return str(error)
    if isinstance(thing, CompileTime):
        owner = "the game" if hasattr(thing, "start") else "the evaluation"
    elif isinstance(thing, ModuleType):
        owner = f"module {thing.__name__}"
    else:
        owner = f"{type(thing).__name__} {thing!r}" if thing is not None else "None"
    return f"{owner} has no {name!r}{near(name, dir(thing))}"


def _last_quoted(text: str) -> str:
    """The name that an import did not find: cannot import name 'popcout' from 'petteia' (...)."""
    return text.split("'")[1] if text.count("'") >= 2 else ""


def _in_words(error: BaseException, frame: FrameType) -> str:
    match error:
        case _Endless():
            return f"no end after {PATIENCE:g} seconds; is a loop endless?"
        case NameError():
            return _named_error(error, frame)
        case AttributeError():
            return _attribute_error(error, frame)
        case RecursionError():
            return "it calls itself without end, or too deep; a kernel needs a way out"
        case ZeroDivisionError() | FloatingPointError():
            return f"division by zero or a number without sense ({error})"
        case OutOfRoom():
            return str(error)
        case ImportError(name="petteia"):
            return f"{error.msg}{near(_last_quoted(error.msg), _public())}"
        case AssertionError():
            return f"assertion failed: {error}" if str(error) else "assertion failed"
        case _:
            return f"{type(error).__name__}: {error}"


def explained(error: BaseException, thing: Any = None, what: str = "") -> PetteiaError:
    """An exception as one line: where in the user's code it came from, and why.

    ``thing`` is what was called, in case none of its own lines had been reached.
    """
    if isinstance(error, PetteiaError):
        return error
    own = [
        (frame, line)
        for frame, line in _frames(error.__traceback__)
        if is_own(frame.f_code.co_filename)
    ]
    if not own:
        file, line = place_of(thing) if thing is not None else (None, None)
        name = what or getattr(thing, "__name__", "")
        says = f"{type(error).__name__}: {error}"
        return CodeError(f"in {name}: {says}" if name else says, file, line)
    # Of a recursion without end the first call tells more than the last.
    frame, line = own[0] if isinstance(error, RecursionError) else own[-1]
    name = frame.f_code.co_name
    says = _in_words(error, frame)
    if name != "<module>":
        says = f"in {name}: {says}"
    return CodeError(says, frame.f_code.co_filename, line)


def placed(error: BaseException, file: str) -> PetteiaError:
    """What went wrong while a user's file was loaded, at the line of the file that did it."""
    if isinstance(error, CodeError):
        return error
    if isinstance(error, PetteiaError):
        lines = [
            line for frame, line in _frames(error.__traceback__) if frame.f_code.co_filename == file
        ]
        return CodeError(str(error), file, lines[-1] if lines else None)
    if isinstance(error, SystemExit):
        return CodeError("the file ends Python while it is loaded; take the exit out", file, None)
    found = explained(error)
    return found if isinstance(found, CodeError) and found.file else CodeError(str(found), file)


# --- running ------------------------------------------------------------------------------------


class Watch:
    """Calls functions of a user; ``line`` is the one that the last call returned from."""

    def __init__(self) -> None:
        self.line: int | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns; whatever it raises becomes one line."""
        try:
            with (
                np.errstate(over="ignore", divide="raise", invalid="raise"),
                self._tracing(getattr(function, "__func__", function)),
            ):
                return function(*arguments)
        except PetteiaError:
            raise
        except Exception as error:
            raise explained(error, function) from error

    @contextlib.contextmanager
    def _tracing(self, function: Any) -> Iterator[None]:
        self.line = None
        before = sys.gettrace()
        if before is not None:  # a debugger, or a measurement of coverage
            yield
            return
        outer = getattr(function, "__code__", None)
        late, count = time.monotonic() + PATIENCE, 0

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal count
            if event == "return" and frame.f_code is outer:
                self.line = frame.f_lineno
            elif event == "line":
                count += 1
                if count % _LINES == 0 and time.monotonic() > late:
                    raise _Endless
            return line

        def call(frame: FrameType, event: str, _: Any) -> Any:
            return line if is_own(frame.f_code.co_filename) else None

        sys.settrace(call)
        try:
            yield
        finally:
            sys.settrace(None)
