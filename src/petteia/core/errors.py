"""Errors that a user can cause and repair."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["CodeError", "LineError", "PetteiaError", "one_line", "one_of"]

_LONGEST_TEXT = 500


class PetteiaError(ValueError):
    """A user's mistake: one line that names what was wrong and what would be right.

    The command line prints it and exits with 2; it never shows a traceback.
    """


class CodeError(PetteiaError):
    """A mistake in a user's own file: ``mine.py:12: in moves: what is wrong; what is right``."""

    def __init__(self, says: str, file: str | None = None, line: int | None = None) -> None:
        self.says = " ".join(says.split())
        self.file = _short(file) if file else None
        self.line = line
        place = f"{self.file}:{line}" if line else self.file
        super().__init__(f"{place}: {self.says}" if place else self.says)


class LineError(PetteiaError):
    """A mistake in a line of a text: ``line 12: what is wrong; what is right``."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


def _short(file: str) -> str:
    """The path as a user in this folder would write it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def one_line(text: str) -> str:
    """Text as one line of visible characters, cut where it is very long."""
    joined = " ".join(text.split())
    visible = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in joined)
    return visible if len(visible) <= _LONGEST_TEXT else visible[:_LONGEST_TEXT] + "..."


def one_of(name: str, known: Iterable[str], *, what: str) -> PetteiaError:
    """The error for an unknown name: the nearest known names first, else all of them."""
    names = sorted(known)
    # A slip changes much of a short name, and little of a long one: "triangle" is not "bridges".
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5 if len(name) <= 3 else 0.65)
    if near:
        return PetteiaError(f"unknown {what} {name!r}; did you mean {' or '.join(near)}?")
    listing = ", ".join(names) if names else "none"
    return PetteiaError(f"unknown {what} {name!r}; there is: {listing}")
