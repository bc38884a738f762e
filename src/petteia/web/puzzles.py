"""The puzzles of the laboratory: what each brings in the ``lab`` of its room.

- ``router.py``: its routes, as ``router``;
- ``tasks.py``: what searching processes do for it, as ``TASKS``, and what its page can ask to be
  shown step by step, as ``SHOWN``;
- ``static``: its page (``page.js`` with a function ``page``, and ``page.css``), its
  ``picture.svg``, and the types of its messages (``messages.d.ts``, written by ``typescript``).

A puzzle without a ``lab`` is not in the laboratory.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from petteia import puzzles
from petteia.web.messages.choices import Puzzle
from petteia.web.messages.socket import Shown
from petteia.web.messages.workers import PuzzleTask

if TYPE_CHECKING:  # a searching process does without FastAPI
    from petteia.web.router import Router

__all__ = ["listed", "names", "router", "shown", "static", "tasks"]


def names() -> list[str]:
    """The puzzles that have a ``lab``."""
    return [name for name in puzzles.names() if importlib.util.find_spec(_place(name))]


def listed() -> list[Puzzle]:
    """The puzzles as the page offers them."""
    found = [puzzles.profile(name) for name in names()]
    return [{"name": each.name, "title": each.title, "about": each.in_short} for each in found]


def router(name: str) -> Router:
    """The routes of a puzzle."""
    found: Router = _part(name, "router").router
    return found


def tasks(name: str) -> tuple[type[PuzzleTask], ...]:
    """What a searching process does for a puzzle."""
    found: tuple[type[PuzzleTask], ...] = _part(name, "tasks").TASKS
    return found


def shown(name: str) -> tuple[type[Shown], ...]:
    """What a puzzle shows step by step."""
    found: tuple[type[Shown], ...] = _part(name, "tasks").SHOWN
    return found


def static(name: str) -> Path:
    """The folder of a puzzle's page."""
    file = importlib.import_module(_place(name)).__file__
    assert file is not None
    return Path(file).with_name("static")


def _place(name: str) -> str:
    return f"petteia.puzzles.{name}.lab"


def _part(name: str, part: str) -> ModuleType:
    return importlib.import_module(f"{_place(name)}.{part}")
