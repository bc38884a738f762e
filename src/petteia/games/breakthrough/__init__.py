"""Breakthrough: bring one worker to the enemy's home row."""

from petteia.games.breakthrough.profile import Breakthrough

__all__ = ["Breakthrough"]
