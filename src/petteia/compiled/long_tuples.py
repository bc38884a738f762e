"""Tuples of more than thirty words, as Numba can read them.

Python builds a long tuple by way of a list, which Numba follows only in a straight line of code.
``(a, b if c else d, ...)`` is therefore compiled as a sum of short tuples, which is the same.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from types import CodeType, FunctionType

__all__ = ["with_short_tuples"]

_LONG = 30  # of more Python makes a list first
_LIST_TO_TUPLE = 6  # the number of that step where it is one of Python's intrinsic calls


def _is_long(code: CodeType) -> bool:
    return any(
        step.opname == "LIST_TO_TUPLE"
        or (step.opname == "CALL_INTRINSIC_1" and step.arg == _LIST_TO_TUPLE)
        for step in dis.get_instructions(code)
    )


class _Shorter(ast.NodeTransformer):
    changed = False

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        self.generic_visit(node)
        starred = any(isinstance(item, ast.Starred) for item in node.elts)
        if not isinstance(node.ctx, ast.Load) or len(node.elts) <= _LONG or starred:
            return node
        self.changed = True
        parts: list[ast.expr] = [
            ast.Tuple(node.elts[at : at + _LONG], ast.Load())
            for at in range(0, len(node.elts), _LONG)
        ]
        total = parts[0]
        for part in parts[1:]:
            total = ast.BinOp(total, ast.Add(), part)
        return ast.fix_missing_locations(ast.copy_location(total, node))


def with_short_tuples(function: FunctionType) -> FunctionType:
    """The same function; another one with the same lines if it has long tuples."""
    if not _is_long(function.__code__):
        return function
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, SyntaxError):  # a function without a file, or a lambda within a line
        return function
    definition = tree.body[0]
    shorter = _Shorter()
    if not isinstance(definition, ast.FunctionDef):
        return function
    definition.decorator_list = []
    shorter.visit(definition)
    if not shorter.changed:
        return function
    names = function.__code__.co_freevars
    if names:  # stand around it as they did, so that they are free again
        around = ast.parse(f"def around({', '.join(names)}):\n    pass").body[0]
        assert isinstance(around, ast.FunctionDef)
        around.body = [definition]
        tree.body = [around]
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    code = _inner(compile(tree, function.__code__.co_filename, "exec"), function)
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__annotations__ = function.__annotations__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    return made


def _inner(code: CodeType, function: FunctionType) -> CodeType:
    """The function's own code in that of a module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found = constant.co_name == function.__name__
            return constant if found else _inner(constant, function)
    raise LookupError(function.__name__)
