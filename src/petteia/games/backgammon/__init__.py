"""Backgammon: a race of fifteen checkers round the board, by dice."""

from petteia.games.backgammon.rules import Backgammon

__all__ = ["Backgammon"]
