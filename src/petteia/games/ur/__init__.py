"""The Royal Game of Ur."""

from petteia.games.ur.profile import Ur

__all__ = ["Ur"]
