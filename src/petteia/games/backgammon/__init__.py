"""Backgammon: a race of fifteen checkers round the board, by dice."""

from petteia.games.backgammon.profile import Backgammon

__all__ = ["Backgammon"]
