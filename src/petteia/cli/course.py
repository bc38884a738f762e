"""``petteia checkers-solve``: the course's two command lines."""

from __future__ import annotations

from pathlib import Path

from petteia.cli import output
from petteia.games.checkers import course

__all__ = ["run"]


def run(source: Path, target: Path, whole: bool, seconds: float, as_json: bool) -> None:
    """Solves a puzzle and writes one board, or the whole game."""
    found = course.answer(source, target, whole=whole, seconds=seconds)
    if found.proved.result != "win":
        output.note(found.said)
    if as_json:
        output.json_object({"input": str(source), "output": str(target), **found.facts()})
