"""All puzzles of a folder, and why what is no puzzle could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.reading import naming, read_text
from petteia.puzzles.flow.formats import levels, read
from petteia.puzzles.flow.rules import Puzzle

__all__ = ["puzzles_in"]


def puzzles_in(folder: Path) -> Iterator[tuple[str, Puzzle | PetteiaError]]:
    """What each file holds, by its name; a set of level lines by the number of the line too."""
    for path in sorted(each for each in folder.iterdir() if not each.is_dir()):
        try:
            if not path.is_file():
                raise PetteiaError(f"{path} is no file with a puzzle")
            texts = _texts(read_text(path))
        except PetteiaError as error:
            yield path.name, error
            continue
        for line, text in texts:
            name = f":{line}" if line else ""
            try:
                with naming(f"{path}{name}"):
                    yield f"{path.name}{name}", read(text).puzzle
            except PetteiaError as error:
                yield f"{path.name}{name}", error


def _texts(text: str) -> list[tuple[int, str]]:
    """The level lines of a set, each with its number; any other text is one puzzle, number 0."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    levels_told = [line for _, line in lines if ";" in line and levels.looks_like_one(line)]
    return lines if len(levels_told) > 1 else [(0, text)]
