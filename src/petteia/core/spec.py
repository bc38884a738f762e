"""Specs: the small text form in which games, agents and evaluations are named everywhere.

    breakthrough(columns=10, rows=5)
    alphabeta(depth=4, eval=./mine.py:my_eval)
    engine(time=0.1, eval=offensive1(seed=7))

A spec is a name and named arguments; a value is a number, a truth value, a text or a spec.
``parse(str(spec)) == spec`` holds for every spec, so specs serve as keys, records and messages.
"""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from petteia.core.errors import PetteiaError, one_of

__all__ = ["Spec", "Value", "arguments", "build", "parse"]

Value: typing.TypeAlias = "int | float | bool | str | Spec"

_BARE = re.compile(r"[A-Za-z_./~][\w./~:\-+\\]*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_KEY = re.compile(r"[A-Za-z_]\w*")
_SPACE = re.compile(r"\s*")
_DEEPEST = 20


@dataclass(frozen=True)
class Spec:
    """A name with named arguments."""

    name: str
    """What is meant: a registered name, or ``file.py:function``."""
    arguments: tuple[tuple[str, Value], ...] = ()
    """The named arguments in the order in which they were given."""

    def __str__(self) -> str:
        name = self.name if _is_bare(self.name) else _quoted(self.name)
        if not self.arguments:
            return name
        return f"{name}({', '.join(f'{key}={_text(value)}' for key, value in self.arguments)})"


def _is_bare(text: str) -> bool:
    if text in ("true", "false") or _NUMBER.fullmatch(text):
        return False
    return bool(_BARE.fullmatch(text))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int | float):
        return repr(value)
    # A quoted name alone would be read as a text.
    return str(value) if value.arguments or _is_bare(value.name) else f"{value}()"


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, wanted: str) -> PetteiaError:
        rest = self.text[self.at : self.at + 12]
        found = f"{rest!r}" if rest else "the end"
        return PetteiaError(
            f"bad spec {self.text!r}: expected {wanted} at character {self.at + 1}, found {found}"
        )

    def skip(self) -> None:
        self.at = typing.cast("re.Match[str]", _SPACE.match(self.text, self.at)).end()

    def take(self, token: str) -> bool:
        self.skip()
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def match(self, pattern: re.Pattern[str]) -> str | None:
        self.skip()
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def string(self) -> str:
        out: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == '"':
                return "".join(out)
            if char == "\\" and self.at < len(self.text):
                char = self.text[self.at].replace("n", "\n")
                self.at += 1
            out.append(char)
        raise self.fail('a closing "')

    def spec(self, depth: int = 0) -> Spec:
        if depth > _DEEPEST:
            raise PetteiaError(f"bad spec: more than {_DEEPEST} specs inside each other")
        if self.take('"'):
            name = self.string()
            if not name:
                raise self.fail("a name between the quotes")
        else:
            name = self.match(_BARE) or ""
            if not name:
                raise self.fail("a name")
        return Spec(name, self.arguments(depth))

    def arguments(self, depth: int) -> tuple[tuple[str, Value], ...]:
        if not self.take("("):
            return ()
        found: dict[str, Value] = {}
        while not self.take(")"):
            if found and not self.take(","):
                raise self.fail("',' or ')'")
            key = self.match(_KEY)
            if key is None or not self.take("="):
                raise self.fail("an argument such as depth=4")
            if key in found:
                raise PetteiaError(f"bad spec {self.text!r}: {key} is given twice")
            found[key] = self.value(depth)
        return tuple(found.items())

    def value(self, depth: int) -> Value:
        start = self.at
        number = self.match(_NUMBER)
        if number is not None:
            self.skip()
            if self.at == len(self.text) or self.text[self.at] in ",)":
                return _number(number)
            self.at = start
        quoted = self.at
        if self.take('"'):
            text = self.string()
            if not self.take("("):
                return text
            self.at = quoted
            return self.spec(depth + 1)
        spec = self.spec(depth + 1)
        if not spec.arguments and spec.name in ("true", "false"):
            return spec.name == "true"
        return spec


def _number(text: str) -> int | float:
    if re.fullmatch(r"[+-]?\d+", text):
        if len(text) > 20:
            raise PetteiaError(f"bad spec: the number {text[:20]}... is too large")
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise PetteiaError(f"bad spec: the number {text} is too large")
    return value


def parse(text: str | Spec) -> Spec:
    """Reads a spec; the error names the place that was wrong."""
    if isinstance(text, Spec):
        return text
    parser = _Parser(text)
    spec = parser.spec()
    parser.skip()
    if parser.at != len(text):
        raise parser.fail("the end")
    return spec


def _wanted(annotation: Any) -> str:
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    parts = typing.get_args(annotation) or (annotation,)
    return " or ".join(names.get(part, "a name") for part in parts if part is not type(None))


def _fits(value: Value, annotation: Any) -> Any:
    """The value in the type that the annotation asks for, if any; raises TypeError."""
    if annotation is inspect.Parameter.empty:
        return value.name if isinstance(value, Spec) and not value.arguments else value
    kinds = typing.get_args(annotation) or (annotation,)
    if isinstance(value, bool):
        if bool in kinds:
            return value
    elif isinstance(value, int) and int in kinds:
        return value
    elif isinstance(value, int | float) and float in kinds:
        return float(value)
    elif isinstance(value, str) and str in kinds:
        return value
    elif isinstance(value, str) and Spec in kinds:
        return Spec(value)
    elif isinstance(value, Spec):
        if Spec in kinds:
            return value
        if str in kinds and not value.arguments:
            return value.name
    raise TypeError


def build(factory: Callable[..., Any], spec: Spec, *, what: str, **given: Any) -> Any:
    """Calls the factory with the spec's arguments, checked against its signature.

    ``given`` holds arguments that are not the user's to name.
    """
    parameters = inspect.signature(factory, eval_str=True).parameters
    open_ones = {key: p for key, p in parameters.items() if key not in given and key != "self"}
    bound: dict[str, Any] = {}
    for key, value in spec.arguments:
        if key not in open_ones:
            raise one_of(key, open_ones, what=f"argument of {what} {spec.name}")
        annotation = open_ones[key].annotation
        try:
            bound[key] = _fits(value, annotation)
        except TypeError:
            raise PetteiaError(
                f"{what} {spec.name}: {key}={_text(value)} is not {_wanted(annotation)}"
            ) from None
    for key, parameter in open_ones.items():
        if parameter.default is inspect.Parameter.empty and key not in bound:
            raise PetteiaError(
                f"{what} {spec.name} needs {key}, for instance "
                f"{spec.name}({key}={_example(parameter.annotation)})"
            )
    return factory(**given, **bound)


def _example(annotation: Any) -> str:
    kinds = typing.get_args(annotation) or (annotation,)
    return "3" if int in kinds else "0.1" if float in kinds else "..."


def arguments(thing: object) -> tuple[tuple[str, Value], ...]:
    """The arguments that would make this object again: those that differ from the default.

    The object keeps every argument of its ``__init__`` as an attribute of the same name.
    """
    found: list[tuple[str, Value]] = []
    kind: Callable[..., Any] = type(thing)
    for key, default in _defaults(kind):
        value = getattr(thing, key, default)
        if value != default:
            found.append((key, value))
    return tuple(found)


@lru_cache(maxsize=256)
def _defaults(kind: Callable[..., Any]) -> tuple[tuple[str, Any], ...]:
    parameters = inspect.signature(kind).parameters
    return tuple((key, parameter.default) for key, parameter in parameters.items())
