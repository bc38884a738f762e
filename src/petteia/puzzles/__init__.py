"""Puzzles: one room each. A puzzle has one player and no opponent, so it is no ``Game``."""
