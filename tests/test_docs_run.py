"""Every command line and every piece of Python in the pages is run, with less to play."""

from __future__ import annotations

import io
import shlex
import shutil
from pathlib import Path
from typing import Any

import matplotlib
import pytest

from petteia import games
from petteia.cli import main
from petteia.core import saved
from petteia.solve import Control
from tests.pages import PAGES, ROOT, blocks, command_lines
from tests.submitted import FIRST, LAST, hand_in

pytestmark = pytest.mark.slow

_SERIAL = ("--workers", "serial")
_LESS: dict[str, tuple[str, ...]] = {
    "check": ("--games", "1"),
    "ladder": ("--pairs", "1", "--baseline", "none", "--blunders", "0", *_SERIAL),
    "learn": ("--minutes", "0.01", *_SERIAL),
    "match": ("--pairs", "1", *_SERIAL),
    "puzzle": ("--positions", "20"),
    "random": ("--games", "100"),
    "tournament": ("--pairs", "1", *_SERIAL),
    "tune": ("--series", "4", "--budget", "40", "--iterations", "1", "--confirm", "2", *_SERIAL),
}
"""What makes a command short. Of two options with one name the last counts."""

_SMALLER = {
    "ur": "ur(pieces=2)",
    "ur(pieces=3)": "ur(pieces=2)",
    "breakthrough(columns=3, rows=9)": "breakthrough(columns=3, rows=5)",
    "breakthrough(columns=4, rows=7)": "breakthrough(columns=4, rows=4)",
    "examples/connect_four.py(columns=5, rows=4)": "examples/connect_four.py(columns=4, rows=4)",
    "examples/pig.py": "examples/pig.py(goal=20)",
}
"""Boards that are solved in a moment in place of those that take minutes."""

_ELSEWHERE = ("gpu", "--cluster", "--watch", "petteia study ")
"""What needs another machine, has no end, or takes a minute; their own tests run these."""

_PLAYED = ("api.md", "csp.md", "processors.md", "tune.md", "tutorial.md")
"""Pages whose Python is a program; that of others is a part of one, or run by other tests."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the pages speak of: own files, a game that was played, submissions."""
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "TABLES", "WEIGHTS"):
        monkeypatch.setenv(f"PETTEIA_{name}", str(tmp_path / name.lower()))
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    monkeypatch.setattr("petteia.web.serve.run", lambda *_, **__: None)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    shutil.copy(ROOT / "examples" / "tictactoe.py", "mygame.py")
    own = [*blocks(ROOT / "docs" / "your-own.md", "python")[:3]]
    own += blocks(ROOT / "docs" / "tutorial.md", "python")[:1]
    Path("mine.py").write_text("\n".join(own))
    hand_in(tmp_path / "submissions", "first", FIRST)
    hand_in(tmp_path / "submissions", "last", LAST)
    return tmp_path


def _run(line: str) -> None:
    """Runs a command line as it stands, but for its size."""
    words = [_SMALLER.get(word, word) for word in shlex.split(line, comments=True)][1:]
    with pytest.raises(SystemExit) as ended:
        main([*words, *_LESS.get(words[0], ())])
    assert ended.value.code in (0, None), line


_WITH_COMMANDS = [page for page in PAGES if command_lines(page)]


@pytest.mark.parametrize("page", _WITH_COMMANDS, ids=lambda page: page.stem)
def test_every_command_line_runs(page: Path, desk: Path) -> None:
    lines = command_lines(page)
    if any(" ur" in line for line in lines):
        games.solver("ur(pieces=2)").solve(Control(), workers=1)
        _run("petteia match ur random random --records game.rgn")
    if page.name == "tune.md":  # a tuning as short as here finds nothing better
        spec = "greedy(eval=offensive2(my_front=2))"
        saved.save("hare", saved.Saved("breakthrough", spec, "offensive2(my_front=2)", {}))
    for line in lines:
        if not any(part in line for part in _ELSEWHERE):
            _run(line)


@pytest.mark.parametrize("name", _PLAYED)
def test_the_python_of_a_page_runs(name: str, desk: Path) -> None:
    matplotlib.use("agg")
    space: dict[str, Any] = {}
    for text in blocks(ROOT / "docs" / name, "python"):
        for much, little in (("pairs=100", "pairs=2"), ("pairs=50", "pairs=2"),
                             ("iterations=20", "iterations=1")):  # fmt: skip
            text = text.replace(much, little)
        exec(text, space)
