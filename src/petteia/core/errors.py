"""Errors that a user can cause and repair."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["PetteiaError", "one_of"]


class PetteiaError(ValueError):
    """A user's mistake: one line that names what was wrong and what would be right.

    The command line prints it and exits with 2; it never shows a traceback.
    """


def one_of(name: str, known: Iterable[str], *, what: str) -> PetteiaError:
    """The error for an unknown name: the nearest known names first, else all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return PetteiaError(f"unknown {what} {name!r}; did you mean {' or '.join(near)}?")
    listing = ", ".join(names) if names else "none"
    return PetteiaError(f"unknown {what} {name!r}; there is: {listing}")
