"""Puzzles: one room each. A puzzle has one player and no opponent, so it is no ``Game``."""

from __future__ import annotations

import importlib
import pkgutil

__all__ = ["names", "studies"]


def names() -> list[str]:
    """The puzzles that ship with Petteia."""
    return sorted(room.name for room in pkgutil.iter_modules(__path__) if room.ispkg)


def studies() -> list[str]:
    """The studies of the puzzles, each as ``module:object``."""
    return [importlib.import_module(f"{__name__}.{room}.profile").STUDY for room in names()]
