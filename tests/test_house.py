"""Habits of the source whose exceptions stand in ``docs/architecture.md``, each with its reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import petteia

HOUSE = Path(petteia.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
ROOMS = ("games", "puzzles")
MOST_LINES, MOST_PARAMETERS = 60, 7
MOST_EXCEPTIONS = 9  # of a kind: "below ten"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def told() -> list[set[str]]:
    """What stands between backticks in the first columns of the tables of exceptions."""
    found: list[set[str]] = []
    for line in PAGE.read_text("utf-8").partition("## Exceptions")[2].splitlines():
        if line.startswith("|---"):
            found.append(set())
        elif line.startswith("| `"):
            first = line.split("|")[1]
            found[-1].update(re.findall(r"`([^`]+)`", first))
    return found


def sources() -> list[tuple[str, Path]]:
    """Every module, with its path as the page writes it."""
    files = sorted(HOUSE.rglob("*.py"))
    return [(file.relative_to(HOUSE).as_posix(), file) for file in files]


def names() -> set[str]:
    """What the games and puzzles are called: their folders."""
    folders = (each for room in ROOMS for each in (HOUSE / room).iterdir())
    return {each.name for each in folders if (each / "__init__.py").exists()}


def line_count(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def parameter_count(function: Function) -> int:
    """Without the object of a method."""
    given = function.args
    in_order = [*given.posonlyargs, *given.args]
    is_method = bool(in_order) and in_order[0].arg in ("self", "cls")
    return len(in_order) + len(given.kwonlyargs) - is_method


def beyond(count: Callable[[Function], int], most: int) -> list[tuple[str, str]]:
    """The functions of which there is more than that: their names and files."""
    return [
        (node.name, name)
        for name, file in sources()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, Function) and count(node) > most
    ]


def test_games_are_named_in_their_rooms() -> None:
    known = names()
    assert {"breakthrough", "ur", "flow"} <= known
    word = re.compile(rf"\b({'|'.join(known)})\b", re.IGNORECASE)
    naming = {
        name
        for name, file in sources()
        if name.split("/")[0] not in ROOMS and word.search(file.read_text("utf-8"))
    }
    assert naming == told()[0]


def test_no_script_of_the_lab_names_a_game() -> None:
    word = re.compile(rf"\b({'|'.join(names())})\b", re.IGNORECASE)
    static = HOUSE / "web" / "static"
    files = [file for kind in ("js", "ts", "html") for file in static.rglob(f"*.{kind}")]
    assert len(files) > 20
    assert [file.name for file in files if word.search(file.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("place", "count", "most"),
    [(1, line_count, MOST_LINES), (2, parameter_count, MOST_PARAMETERS)],
    ids=["lines", "parameters"],
)
def test_functions_are_small(place: int, count: Callable[[Function], int], most: int) -> None:
    found, reasons = beyond(count, most), told()[place]
    assert len(found) <= MOST_EXCEPTIONS
    for function, file in found:
        where = {file, file.split("/")[0]}
        is_told = function in reasons and bool(where & reasons)
        assert is_told, f"{file}: {function} is not in the table"
    functions = {function for function, _ in found}
    stale = {each for each in reasons if each.isidentifier()} - functions
    stale -= {file.split("/")[0] for _, file in found}
    assert not stale, f"no exceptions any more: {stale}"
