"""What a user's kernels must give, held against what the compiler makes of them.

Each kernel is compiled for the arguments that searches give it, alone: so a mistake is told where
it stands, and a word that became a signed number or a float is found before it is used.
"""

# Numba is typed in parts only.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

from numba.core import ir
from numba.core import types as _types

from petteia.compiled import reasons
from petteia.compiled.reasons import Code
from petteia.core.compile_time import CompileTime
from petteia.core.errors import CodeError, PetteiaError
from petteia.core.evaluation import Evaluation, LinearEvaluation
from petteia.core.game import Game
from petteia.core.own_code import is_own
from petteia.core.trial import KERNELS

types: Any = _types

__all__ = ["Forms", "Typing", "hold", "own_codes"]

Typing = Callable[[FunctionType, tuple[Any, ...]], Any]
"""The compiled form of a function for arguments of these types, with its signature."""

Forms = Callable[[FunctionType], Iterable[Any]]
"""All compiled forms of a function so far."""

_NUMBERS = types.Array(types.int64, 1, "C")
_REALS = types.Array(types.float64, 1, "C")
_WORDS = ("start", "play", "play_both")


def _is_own(function: Any) -> bool:
    return isinstance(function, FunctionType) and is_own(function.__code__.co_filename)


def own_codes(function: FunctionType, tags: Sequence[CompileTime]) -> list[Code]:
    """The user's functions that a kernel reaches, those of its games and evaluations first."""
    roots = [Code(method, tag) for tag in tags for _, method in _kernels(tag)]
    if _is_own(function):
        roots.append(Code(function, None))
    return reasons.reachable(roots, tags)


def _kernels(tag: CompileTime) -> Iterator[tuple[str, FunctionType]]:
    if isinstance(tag, Game):
        for name in KERNELS:
            method = getattr(type(tag), name)
            if _is_own(method):
                yield name, method
    elif isinstance(tag, Evaluation) and _is_own(tag.function):
        yield "function", tag.function  # type: ignore[misc]


def hold(
    typed: Typing,
    forms: Forms,
    type_of: Callable[[CompileTime], Any],
    tags: Sequence[CompileTime],
) -> None:
    """Compiles the user's kernels one by one; the first that is wrong is told."""
    game = next((tag for tag in tags if isinstance(tag, Game)), None)
    if game is None:
        return
    words = types.UniTuple(types.uint64, len(game.start()))
    given = {"p": words, "out": _NUMBERS, "prob": _REALS, "unit": types.float64}
    for tag in tags:
        for name, method in _kernels(tag):
            if isinstance(tag, Evaluation):
                arguments: list[Any] = [type_of(game), words, types.int64, _REALS]
                arguments = arguments[: len(inspect.signature(method).parameters)]
            else:
                named = list(inspect.signature(getattr(Game, name)).parameters)[1:]
                arguments = [type_of(tag), *(given.get(each, types.int64) for each in named)]
            code = Code(method, tag if tag is game else None)
            try:
                found = typed(method, tuple(arguments))
            except PetteiaError:
                raise
            except Exception as error:
                codes = reasons.reachable([code], tags)
                raise reasons.explain(error, codes, list(tags)) or error from error
            fault = _fault(name, tag, found.signature.return_type, words)
            if fault:
                mixed = _mixed(reasons.reachable([code], tags), forms) if name in _WORDS else None
                raise mixed or code.error(None, fault)


def _fault(name: str, tag: CompileTime, result: Any, words: Any) -> str | None:
    """What is wrong with the type that a kernel returns."""
    result = types.unliteral(result)
    told = reasons.in_words(result)
    if isinstance(result, (types.NoneType, types.Optional)):
        return "returns nothing on some way; return a value on each"
    if isinstance(tag, Evaluation):
        if isinstance(tag, LinearEvaluation):
            fits = isinstance(result, types.UniTuple) and isinstance(result.dtype, types.Number)
            return None if fits else f"returns {told}; make each feature a float(...)"
        return None if isinstance(result, types.Number) else f"returns {told}; return a number"
    if name in _WORDS:
        if result == words:
            return None
        return (
            f"the words become {told} when compiled; a constant or number that meets a word is "
            "written U(...)"
        )
    if name == "identity":
        fits = isinstance(result, types.BaseTuple) and set(result.types) <= {types.uint64}
        return None if fits else f"returns {told}; return a tuple of words"
    if name == "result":
        return None if isinstance(result, types.Number) else f"returns {told}; return a number"
    fits = isinstance(result, (types.Integer, types.Boolean, types.IntEnumMember))
    return None if fits else f"returns {told} when compiled; return a whole number"


def _mixed(codes: Sequence[Code], forms: Forms) -> CodeError | None:
    """Where a word meets a number that is none, and what comes out is no word either."""
    for code in codes:
        for form in forms(code.function):
            for line, left, right, found in _operations(form.type_annotation):
                sorts = {types.unliteral(left), types.unliteral(right)}
                plain = [each for each in sorts if each != types.uint64]
                if types.uint64 in sorts and plain and found not in (types.uint64, types.boolean):
                    return code.error(
                        line,
                        f"a word meets {reasons.in_words(plain[0])} and becomes "
                        f"{reasons.in_words(found)}; write U(...) around the number",
                    )
    return None


def _operations(annotation: Any) -> Iterator[tuple[int, Any, Any, Any]]:
    for block in annotation.blocks.values():
        for step in block.body:
            value = getattr(step, "value", None)
            if isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop"):
                kinds = [annotation.typemap[side.name] for side in (value.lhs, value.rhs)]
                yield step.loc.line, *kinds, annotation.typemap[step.target.name]
