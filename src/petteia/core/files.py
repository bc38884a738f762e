"""A user's own Python file: a game, an evaluation or an agent in it is used by the file's path."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from petteia.core.errors import CodeError, PetteiaError, one_of
from petteia.core.own_code import blamed, placed

__all__ = [
    "function_in", "function_or_subclass_in", "is_file_name", "load_module", "path_of",
    "subclass_in",
]  # fmt: skip

_loaded: dict[tuple[Path, str], ModuleType] = {}


def is_file_name(name: str) -> bool:
    """Whether a name in a spec means a Python file: ``mine.py`` or ``mine.py:thing``."""
    return name.endswith(".py") or ".py:" in name


def _split(name: str) -> tuple[Path, str | None]:
    if name.endswith(".py"):
        return Path(name).expanduser(), None
    file, _, attribute = name.rpartition(":")
    return Path(file).expanduser(), attribute


def path_of(name: str) -> Path:
    """The file that a name in a spec means."""
    return _split(name)[0]


def load_module(path: Path) -> ModuleType:
    """Runs a file as a module, with its folder importable; an error in it is one line."""
    full = path.resolve()
    try:
        source = full.read_bytes()
    except (OSError, ValueError):
        raise PetteiaError(f"there is no file {str(path)!r}") from None
    key = (full, hashlib.sha256(source).hexdigest())
    if key in _loaded:
        return _loaded[key]
    name = f"petteia_file_{path.stem}_{hashlib.sha256(repr(key).encode()).hexdigest()[:8]}"
    module = ModuleType(name)
    module.__file__ = str(full)
    if str(full.parent) not in sys.path:
        sys.path.insert(0, str(full.parent))
    sys.modules[name] = module
    # Python's own cache of bytecode goes by whole seconds: an edit within one would be missed,
    # in this file and in those that it imports.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        exec(compile(source, str(full), "exec"), module.__dict__)
    except SyntaxError as error:
        del sys.modules[name]
        # An error of what the file imports names that file.
        raise CodeError(f"SyntaxError: {error.msg}", error.filename, error.lineno) from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise placed(error, str(full)) from error
    finally:
        sys.dont_write_bytecode = writes
    _loaded[key] = module
    return module


def _choice(
    name: str,
    accepts: Callable[[Any], bool],
    *,
    what: str,
    kinds: str,
    prefers: Sequence[Callable[[Any], bool]] = (),
) -> Any:
    """The thing of a file that a name means; the only one of its kind may go unnamed, and of
    several the only one that is preferred, by the first rule that leaves only one."""
    path, attribute = _split(name)
    module = load_module(path)
    own = {
        key: value
        for key, value in vars(module).items()
        if accepts(value) and getattr(value, "__module__", None) == module.__name__
    }
    if attribute is not None:
        if attribute not in own:
            raise one_of(attribute, own, what=f"{what} in {path}")
        return own[attribute]
    if not own:
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                what_kind = what.capitalize()
                raise blamed(
                    value,
                    f"class {value.__name__} is no {what}; write class "
                    f"{value.__name__}({what_kind}):",
                )
    for rule in prefers:
        preferred = {key: value for key, value in own.items() if rule(value)}
        if len(preferred) == 1:
            own = preferred
    if len(own) != 1:
        advice = f"name one, for instance {path}:{min(own)}" if own else "it should hold one"
        raise PetteiaError(f"{path} holds {len(own)} {kinds}; {advice}")
    return next(iter(own.values()))


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


def function_in(name: str, *, what: str) -> Any:
    """The function that ``file.py:function`` names; the only one of the file may go unnamed."""
    return _choice(name, _is_function, what=what, kinds="functions")


def subclass_in(name: str, base: type, *, what: str) -> Any:
    """The class that ``file.py:Class`` names; the only one of its kind may go unnamed."""

    def accepts(value: Any) -> bool:
        return isinstance(value, type) and issubclass(value, base)

    return _choice(name, accepts, what=what, kinds=f"classes of kind {what}")


def function_or_subclass_in(name: str, base: type, *, what: str) -> Any:
    """The function or the class that ``file.py:thing`` names; a lone one may go unnamed.

    Functions may help it: one that is called ``choose`` or ``evaluate`` is meant, or the only thing
    that is a class or takes three arguments, as agents and evaluations do.
    """

    def is_class(value: Any) -> bool:
        return isinstance(value, type) and issubclass(value, base)

    def accepts(value: Any) -> bool:
        return _is_function(value) or is_class(value)

    def is_usual(value: Any) -> bool:
        return getattr(value, "__name__", "") in ("choose", "evaluate")

    def is_likely(value: Any) -> bool:
        return is_class(value) or _takes_three(value)

    kinds = f"functions and classes of kind {what}"
    return _choice(name, accepts, what=what, kinds=kinds, prefers=(is_usual, is_likely))


def _takes_three(function: Any) -> bool:
    try:
        inspect.signature(function).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    return True
