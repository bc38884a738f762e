"""RoPaSci 360: rock, paper, scissors on a board of hexes, both players at the same time."""

from petteia.games.ropasci.profile import RoPaSci

__all__ = ["RoPaSci"]
