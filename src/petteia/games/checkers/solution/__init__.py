"""Endgame tables: the exact distance to the end of every position with few pieces."""

from petteia.games.checkers.solution.slices import Slice

__all__ = ["Slice"]
