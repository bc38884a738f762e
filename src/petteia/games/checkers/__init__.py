"""Checkers: English draughts, the endgame solver of a course report, and an engine."""

from petteia.games.checkers.profile import Checkers

__all__ = ["Checkers"]
