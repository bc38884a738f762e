"""Puzzles: one room each. A puzzle has one player and no opponent, so it is no ``Game``."""

from __future__ import annotations

import importlib
import pkgutil

from petteia.core.puzzle import Profile

__all__ = ["profiles"]


def profiles() -> list[Profile]:
    """The puzzles that ship with Petteia."""
    rooms = sorted(room.name for room in pkgutil.iter_modules(__path__) if room.ispkg)
    return [importlib.import_module(f"{__name__}.{room}.profile").PROFILE for room in rooms]
