"""Puzzles: one room each. A puzzle has one player and no opponent, so it is no ``Game``."""

from __future__ import annotations

import importlib
import pkgutil

from petteia.core.puzzle import Profile

__all__ = ["names", "profile", "profiles"]


def names() -> list[str]:
    """The names of the puzzles, which are those of their rooms."""
    return sorted(room.name for room in pkgutil.iter_modules(__path__) if room.ispkg)


def profile(name: str) -> Profile:
    """Who a puzzle is."""
    found: Profile = importlib.import_module(f"{__name__}.{name}.profile").PROFILE
    return found


def profiles() -> list[Profile]:
    """The puzzles that ship with Petteia."""
    return [profile(name) for name in names()]
