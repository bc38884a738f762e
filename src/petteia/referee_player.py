"""Our player of RoPaSci 360, under the name that the course's referee is given.

python -m referee petteia.referee_player petteia.referee_player
"""

from petteia.games.ropasci.course import Player

__all__ = ["Player"]
