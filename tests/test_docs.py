"""What the pages say is what the program does."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main

import petteia.core.position
from petteia.cli.app import app, command, main
from petteia.core.position import Position
from petteia.core.words import U
from tests.pages import PAGES, ROOT, blocks, command_lines

SMALL = "breakthrough(columns=4, rows=5)"
FLOW = ROOT / "examples" / "flow" / "7x7.txt"


def test_the_readme_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 8
    assert failed == 0


def test_the_docstrings_run() -> None:
    failed, tried = doctest.testmod(petteia.core.position)
    assert tried >= 3
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def _sections() -> dict[str, str]:
    text = (ROOT / "docs" / "cli.md").read_text()
    # A command's name is in small letters, a group's command has two; what follows is arguments.
    parts = re.split(r"^## petteia ([a-z-]+(?: [a-z-]+)?).*$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.split("\n## ")[0] for part in parts[2::2]), strict=True))


def _commands() -> dict[str, Any]:
    """Every command by its name, those of a group by both names."""
    found: dict[str, Any] = {}
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]
        whole = command(name)
        inner = getattr(whole, "commands", None)
        if inner is None:
            found[name] = whole
        else:
            found |= {f"{name} {each}": inner[each] for each in inner}
    return found


def test_the_page_lists_exactly_the_commands() -> None:
    assert set(_sections()) == set(_commands())


@pytest.mark.parametrize("name", sorted(_commands()))
def test_the_page_lists_exactly_the_options(name: str) -> None:
    options = {
        option
        for parameter in _commands()[name].params
        for option in parameter.opts
        if option.startswith("--") and option != "--help"
    }
    assert set(re.findall(r"`(--[a-z-]+)", _sections()[name])) == options


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("perft", SMALL, "--depth", "2"),
        ("bench", SMALL),
        ("check", SMALL, "--games", "1"),
        ("plan",),
        ("doctor",),
        ("analyse", SMALL, "--agent", "alphabeta(depth=2, eval=offensive2)"),
        ("match", SMALL, "random", "random", "--pairs", "1"),
        ("play", SMALL, "--side", "none", "--agent", "random"),
        ("flow solve", str(FLOW)),
        ("flow count", str(FLOW)),
        ("flow check", str(FLOW)),
        ("flow show", str(FLOW)),
        ("flow hint", str(FLOW)),
        ("flow generate", "--width", "6", "--height", "6"),
        ("flow bench", str(FLOW.parent)),
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_page_lists_exactly_the_json_keys(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*arguments[0].split(), *arguments[1:], "--json"])
    keys = json.loads(capsys.readouterr().out)
    listed = re.search(r"JSON keys: ((?:`\w+`[,.]?\s+)+)", _sections()[arguments[0]] + "\n")
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed.group(1))) == set(keys)


def test_the_evaluations_page_is_complete() -> None:
    from petteia.games.breakthrough import Breakthrough

    text = (ROOT / "docs" / "games" / "breakthrough.md").read_text()
    for name in (*Breakthrough.evaluations, *Breakthrough.variants):
        assert f"| `{name}` |" in text


def test_examples_are_as_short_as_the_readme_says() -> None:
    lengths = {file.name: len(file.read_text().splitlines()) for file in ROOT.glob("examples/*.py")}
    assert lengths["tictactoe.py"] == 60
    assert all(length < 100 for length in lengths.values())


def _mentioned(page: Path) -> list[str]:
    """Command lines within sentences, but for those that stand for many and names of options."""
    found = re.findall(r"(?<!`)`(petteia [a-z][^`]*)`", page.read_text())
    lines = [" ".join(line.split()) for line in found]
    return [line for line in lines if not re.search(r"\.\.\.|\b[A-Z]+\b|^[a-z -]*$", line)]


_LINES = [(page, line) for page in PAGES for line in (*command_lines(page), *_mentioned(page))]


def test_command_lines_are_understood() -> None:
    """Each has a command that exists, and its options and arguments are read without a mistake."""
    assert len(_LINES) >= 80
    for page, line in _LINES:
        _, name, *rest = shlex.split(line, comments=True)
        if name.startswith("-"):
            continue
        found = command(name)
        while hasattr(found, "commands") and rest:
            name, *rest = rest
            found = found.commands[name]
        try:
            found.make_context(name, rest)
        except Exception as error:
            raise AssertionError(f"{page.relative_to(ROOT)}: {line}: {error}") from error


def test_every_picture_of_the_page_is_drawn() -> None:
    space: dict[str, Any] = {"__name__": "pictures"}
    for block in blocks(ROOT / "docs" / "pictures.md", "python"):
        exec(block, space)
    kinds = ("OnSquares", "OnHexes", "OnATrack", "WithCards", "OnARing")
    for kind in kinds:
        game = space[kind]()
        for p in ((U(0), U(0), U(0)), (U(2), U(1), U(1)), (U(6), U(4), U(1))):
            view = game.view(p)
            cells = {cell.id for cell in view.cells}
            assert len(cells) == len(view.cells) > 1
            assert all(piece.cell in cells for piece in view.pieces)
            assert all(action.path and set(action.path) <= cells for action in view.actions)
            assert "<svg" in Position(game, p)._repr_svg_()


def test_the_answers_to_questions_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    space: dict[str, Any] = {}
    for block in blocks(ROOT / "docs" / "questions.md", "python"):
        exec(block, space)
    assert len(space["decision"].line) > 0
