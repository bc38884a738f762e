"""Why a user's code cannot be compiled: one line with the file, the number and what is wrong.

Numba's own message is long and speaks of its inside. So the bytecode of the user's functions is
looked through for what no kernel can do, by a table; where nothing is found, Numba's innermost
reason is told in plain words, also by a table.
"""

from __future__ import annotations

import builtins
import dis
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from petteia.compiled.fingerprint import method_of
from petteia.compiled.kernel import Kernel
from petteia.core.compile_time import CompileTime
from petteia.core.errors import CodeError
from petteia.core.own_code import is_own, near, told

__all__ = ["Code", "circle", "explain", "in_words", "prints", "reachable", "reason"]


@dataclass(frozen=True)
class Code:
    """A user's function, and the game or evaluation whose method it is."""

    function: Any
    """A plain function; typed so, it would be taken for a method of this class."""
    tag: CompileTime | None

    def error(self, line: int | None, says: str) -> CodeError:
        code = self.function.__code__
        name = self.function.__name__
        return CodeError(f"in {name}: {says}", code.co_filename, line or code.co_firstlineno)


@dataclass(frozen=True)
class _Finding:
    code: Code
    line: int
    says: str


_NO_LIST = "kernels allocate nothing: write a tuple"
_STEPS = {
    "BUILD_LIST": f"a list is made; {_NO_LIST}, or write into an array that is given",
    "BUILD_MAP": "a dict is made; kernels have none: use a tuple or an array of the module",
    "BUILD_CONST_KEY_MAP": "a dict is made; kernels have none: use a tuple or an array",
    "BUILD_SET": "a set is made; kernels have none: use the bits of a word",
    "FORMAT_VALUE": "a text is made; kernels have no texts: leave it to move_text or text",
    "FORMAT_SIMPLE": "a text is made; kernels have no texts: leave it to move_text or text",
    "BUILD_STRING": "a text is made; kernels have no texts: leave it to move_text or text",
    "BEFORE_WITH": "kernels have no with; take it out",
    "LOAD_SPECIAL": "kernels have no with; take it out",
    "SETUP_FINALLY": "kernels have no try; test before, with if",
    "PUSH_EXC_INFO": "kernels have no try; test before, with if",
    "YIELD_VALUE": "kernels have no yield; return a value",
    "IMPORT_NAME": "kernels import nothing; import at the top of the file",
    "LOAD_BUILD_CLASS": "kernels make no classes",
    "STORE_ATTR": "sets an attribute; a game never changes after __init__: keep it in the position",
    "STORE_GLOBAL": "sets a global; kernels change nothing: keep it in the position",
    "MAKE_FUNCTION": "makes a function; write it at the top of the file",
}
_INNER = {
    "<listcomp>": f"a list is made; {_NO_LIST}, or a loop",
    "<setcomp>": "a set is made; kernels have none: use the bits of a word",
    "<dictcomp>": "a dict is made; kernels have none: use a tuple or an array",
    "<genexpr>": "a generator is made; write a loop",
}
_BUILTINS = {
    **dict.fromkeys(("list", "sorted", "reversed"), f"makes a list; {_NO_LIST}"),
    **dict.fromkeys(("dict", "set", "frozenset", "vars"), "is not for kernels; use a tuple"),
    **dict.fromkeys(("str", "repr", "format", "bin", "hex", "chr"), "makes a text; kernels do not"),
    **dict.fromkeys(("open", "input", "eval", "exec"), "is not for kernels; take it out"),
    **dict.fromkeys(("any", "all", "map", "filter", "sum"), "is not for kernels; write a loop"),
    **dict.fromkeys(("getattr", "setattr", "hasattr", "isinstance", "type"),
                    "is not for kernels; the types are known when it is compiled"),
    "super": "is not for kernels; call the other class by its name: Base.moves(self, ...)",
}  # fmt: skip
_ALLOCATING = (
    "array", "zeros", "ones", "empty", "full", "arange", "linspace", "zeros_like", "empty_like",
    "ones_like", "concatenate", "append", "stack", "where", "nonzero", "flatnonzero", "sort",
    "argsort", "unique", "copy", "eye", "bincount", "repeat", "tile",
)  # fmt: skip


# --- what can be reached --------------------------------------------------------------------------


def _calls(code: Code, tags: Iterable[CompileTime]) -> Iterator[tuple[int, Code]]:
    """The user's functions that a function calls, each with the line."""
    function, tag = code.function, code.tag
    for line, owner, name in _names(function.__code__):
        if owner == "":
            found: Any = function.__globals__.get(name)
            found = found.function if isinstance(found, Kernel) else found
            if isinstance(found, FunctionType) and is_own(found.__code__.co_filename):
                yield line, Code(found, None)
        elif owner in ("self", "game"):
            for each in (tag,) if tag is not None and owner == "self" else tags:
                method = method_of(each, name)
                if method is not None and is_own(method.__code__.co_filename):
                    yield line, Code(method, each)


def _names(code: CodeType) -> Iterator[tuple[int, str, str]]:
    """Names that a function reads: of globals with no owner, of attributes with their owner."""
    line, owner = code.co_firstlineno, ""
    for step in dis.get_instructions(code):
        line = (step.positions.lineno if step.positions else None) or line
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            owner = str(step.argval)
            yield line, "", owner
        elif step.opname.startswith("LOAD_FAST"):
            owner = str(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield line, owner, str(step.argval)
            owner = "?"
        elif step.opname not in ("PUSH_NULL", "CACHE", "PRECALL"):
            owner = "?"


def reachable(roots: Iterable[Code], tags: Iterable[CompileTime]) -> list[Code]:
    """The user's functions that these call, themselves included."""
    found = {code.function: code for code in roots}
    left = list(found.values())
    tags = list(tags)
    while left:
        for _, code in _calls(left.pop(0), tags):
            if code.function not in found:
                found[code.function] = code
                left.append(code)
    return list(found.values())


def prints(codes: Iterable[Code]) -> CodeError | None:
    """A ``print``, which would be compiled, and crash."""
    for code in codes:
        for line, owner, name in _names(code.function.__code__):
            if owner == "" and name == "print" and name not in code.function.__globals__:
                says = "print is not for kernels; take it out, or run with PETTEIA_INTERPRET=1"
                return code.error(line, says)
    return None


def circle(codes: Iterable[Code], tags: Iterable[CompileTime]) -> CodeError | None:
    """Functions that call each other in a circle; one that calls itself is no such circle."""
    tags = list(tags)
    for start in codes:
        left, seen = [(start, "")], set()
        while left:
            code, way = left.pop()
            for line, called in _calls(code, tags):
                if called.function is start.function and code.function is not start.function:
                    way = way or code.function.__name__
                    says = (
                        f"calls {start.function.__name__}, which calls it by {way}: a circle; only "
                        "a function that calls itself is possible"
                    )
                    return code.error(line, says)
                if called.function not in seen:
                    seen.add(called.function)
                    left.append((called, way or called.function.__name__))
    return None


# --- what is found in the bytecode ----------------------------------------------------------------


def _findings(code: Code, tags: list[CompileTime]) -> Iterator[_Finding]:
    function = code.function
    line = function.__code__.co_firstlineno
    made: str | None = None
    for step in dis.get_instructions(function.__code__):
        line = (step.positions.lineno if step.positions else None) or line
        if step.opname == "LOAD_CONST" and isinstance(step.argval, CodeType):
            made = _INNER.get(step.argval.co_name)
        says = _STEPS.get(step.opname)
        if says is not None:
            yield _Finding(code, line, made if step.opname == "MAKE_FUNCTION" and made else says)
    for line, owner, name in _names(function.__code__):
        says = _global(function, name) if owner == "" else _attribute(code, owner, name, tags)
        if says is not None:
            yield _Finding(code, line, says)


_SORTS: dict[Any, str] = {list: "a list", dict: "a dict", set: "a set", str: "a text"}


def _global(function: FunctionType, name: str) -> str | None:
    space = function.__globals__
    if name not in space and not hasattr(builtins, name):
        return told(name, [*space, *function.__code__.co_varnames])
    if name not in space:
        return f"{name} {_BUILTINS[name]}" if name in _BUILTINS else None
    sort = _SORTS.get(type(space[name]))
    return f"{name} is {sort}; kernels read numbers, tuples and NumPy arrays" if sort else None


def _attribute(code: Code, owner: str, name: str, tags: list[CompileTime]) -> str | None:
    thing = code.function.__globals__.get(owner)
    if isinstance(thing, ModuleType):
        if not hasattr(thing, name):
            return f"module {owner} has no {name!r}{near(name, dir(thing))}"
        if thing is np and name in _ALLOCATING:
            return f"{owner}.{name} makes an array; kernels allocate nothing: use tuples and words"
        return None
    if owner == "self" and code.tag is not None:
        tag: CompileTime | None = code.tag
    else:
        tag = tags[0] if owner == "game" and tags else None
    if tag is None:
        return None
    if not hasattr(tag, name):
        return f"the game has no {name!r}{near(name, dir(tag))}"
    sort = _SORTS.get(type(getattr(tag, name)))
    return f"{owner}.{name} is {sort}; keep it as a tuple or a NumPy array" if sort else None


# --- Numba's own words ----------------------------------------------------------------------------

_PLACES = re.compile(r'File "([^"]+)", line (\d+)|(?:at|of) (/[^\s()]+) \((\d+)\)')
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_REASONS = (
    (r"Can't unify return type from the following types: ([^\n]+)",
     "returns {0}; every return must give the same"),
    (r"Cannot unify ([^\n]+) and ([^\n]+) for '([A-Za-z_]\w*)(?:\.\d+)?'",
     "{2} is {0} on one way and {1} on another; make it the same on both"),
    (r"Cannot unify ([^\n]+) and ([^\n]+) for '[^\n]*",
     "a value is {0} on one way and {1} on another; make it the same on both"),
    (r"<built-in function i?mul>\)[^>]*>>> \w+\(UniTuple[^\n]*",
     "a tuple is repeated by a number that is not written there; make it in __init__, and keep it"),
    (r"No implementation of function Function\(<built-in function (\w+)>\)[^>]*>>> \w+\(([^\n]*)\)",
     "{0} is not possible with {1}"),
    (r"No implementation of function Function\(<(?:class|function) '?(\w+)[^>]*>\)[^>]*>>> "
     r"\w+\(([^\n]*)\)", "{0} is not possible with {1}"),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", "{1} has no {0!r}"),
    (r"runaway recursion", "it calls itself: say what it returns, such as def f(...) -> int:"),
    (r"[Uu]ntyped global name '(\w+)'", "{0} is nothing that a kernel can use"),
    (r"Unsupported op-code encountered: (\w+)", "Numba cannot read this line ({0})"),
    (r"(tuple index out of range[^\n]*)", "{0}; see how many words a position has"),
    (r"(\w+ says that it returns [^\n]+)", "{0}"),
)  # fmt: skip
_TYPES = (
    (r"Literal\[int\]\((-?\d+)\)", r"the number \1"),
    (r"UniTuple\(uint64 x (\d+)\)", r"\1 words"),
    (r"\buint64\b", "a word"),
    (r"\bint64\b", "a signed number"),
    (r"\bfloat64\b", "a float"),
    (r"\bbool(ean)?\b", "a truth value"),
    (r"\bnone\b", "nothing"),
    (r"\bTag\d+\b", "the game"),
    (r"unicode_type|Literal\[str\]\((\w*)\)", "a text"),
)


def in_words(kind: object) -> str:
    """A type of the compiler's for people."""
    text = str(kind)
    for pattern, words in _TYPES:
        text = re.sub(pattern, words, text)
    return text


def reason(text: str) -> str:
    """The part of Numba's long message that says what is wrong."""
    text = _COLOURS.sub("", text)
    for pattern, words in _REASONS:
        found = re.search(pattern, text)
        if found:
            return words.format(*(in_words(group or "") for group in found.groups()))
    lines = [line.strip(" -") for line in text.splitlines() if line.strip(" -")]
    lines = [line for line in lines if not line.startswith(("Failed in", "During:", "File "))]
    return in_words(lines[0]) if lines else "it cannot be compiled"


def explain(error: Exception, codes: list[Code], tags: list[CompileTime]) -> CodeError | None:
    """What is wrong in these functions of a user; None if the fault is in none of them."""
    text = _COLOURS.sub("", str(error))
    places = [(match[1] or match[3], int(match[2] or match[4])) for match in _PLACES.finditer(text)]
    findings = [finding for code in codes for finding in _findings(code, tags)]
    lines = {line for _, line in places}
    findings.sort(key=lambda finding: finding.line not in lines)
    if findings:
        return findings[0].code.error(findings[0].line, findings[0].says)
    for name, line in places:
        for code in codes:
            own = code.function.__code__
            if own.co_filename.endswith(name) and line in {each[2] for each in own.co_lines()}:
                return code.error(line, reason(text))
    return codes[0].error(None, reason(text)) if codes else None
