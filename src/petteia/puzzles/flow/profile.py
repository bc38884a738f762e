"""Who this puzzle is."""

from __future__ import annotations

__all__ = ["STUDY"]

STUDY = "petteia.puzzles.flow.study:STUDY"
"""The study, loaded when it is asked for: it lies above the puzzle."""
