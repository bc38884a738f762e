"""All puzzles of a folder, and why what is no puzzle could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.reading import naming, number_of, read_text
from petteia.puzzles.flow.formats import levels, read
from petteia.puzzles.flow.rules import Puzzle

__all__ = ["puzzles_in"]

_SIZE = re.compile(r"\s*[0-9]{1,5}\s+([0-9]{1,5})\s*")


def puzzles_in(folder: Path) -> Iterator[tuple[str, Puzzle | PetteiaError]]:
    """What each file holds, by its name; the puzzles of a set by the numbers of their lines too."""
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
    """The puzzles of a set, each with the number of its line; any other text is one puzzle,
    number 0."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    levels_told = [line for _, line in lines if ";" in line and levels.looks_like_one(line)]
    if len(levels_told) > 1:
        return lines
    boards = _with_sizes(lines) or _apart(text)
    return boards if len(boards) > 1 else [(0, text)]


def _with_sizes(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Boards that follow each other, each with a line ``width height`` before it, perhaps to the
    end ``0 0``; none if the lines are anything else. Before a size ``#`` begins a remark."""
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        if lines[at][1].startswith("#"):
            at += 1
            continue
        size = _SIZE.fullmatch(lines[at][1])
        height = number_of(size[1]) if size else 0
        if height == 0 and found and size and at == len(lines) - 1:
            break
        if height == 0 or at + height >= len(lines):
            return []
        board = lines[at : at + 1 + height]
        found.append((board[0][0], "\n".join(line for _, line in board)))
        at += 1 + height
    return found


def _apart(text: str) -> list[tuple[int, str]]:
    """Boards with empty lines between them; none if one has a single row."""
    groups: list[tuple[int, list[str]]] = []
    is_apart = True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            is_apart = True
            continue
        if is_apart:
            groups.append((number, []))
        groups[-1][1].append(line)
        is_apart = False
    if any(len(rows) < 2 or rows[0].lstrip().startswith(("{", "[")) for _, rows in groups):
        return []
    return [(number, "\n".join(rows)) for number, rows in groups]
