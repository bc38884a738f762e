"""The scripts in ``benchmarks/`` and ``docs/`` find what they take from the package. Nothing else
runs most of them, so that a name that moved would be noticed only by whoever wants figures."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted([*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("docs/*.py")])


def taken(script: Path) -> Iterator[tuple[str, str]]:
    """The names that a script imports from the package, each with its module."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "petteia":
            yield from ((str(node.module), each.name) for each in node.names)


def is_there(module: str, name: str) -> bool:
    """Whether a module has a name, or is the folder of a module of that name."""
    try:
        if hasattr(importlib.import_module(module), name):
            return True
        importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("petteia"):
            pytest.skip(f"needs {error.name}")
        return False
    return True


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_finds_what_it_imports(script: Path) -> None:
    missing = [f"{module}.{name}" for module, name in taken(script) if not is_there(module, name)]
    assert not missing, f"{script.name} imports what is not there: {', '.join(missing)}"


def test_a_name_that_moved_is_noticed() -> None:
    assert is_there("petteia.search.evaluations", "evaluation_for")
    assert not is_there("petteia.core", "evaluations")
