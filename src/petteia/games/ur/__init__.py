"""The Royal Game of Ur."""

from petteia.games.ur.rules import Ur

__all__ = ["Ur"]
