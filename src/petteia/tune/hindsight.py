"""What the rest of a game says of each of its positions, where dice fall or both choose at once.

A look one turn ahead gives the points that can be expected. What the rest of the game adds to that
is its lesson, less what was luck: of a throw, or of a move drawn from a mixed strategy, the look
had foreseen what each outcome would be worth, so that only what came after the one that fell says
anything. Lessons fade by lambda a step (R. S. Sutton, "Learning to predict by the methods of
temporal differences", 1988), and a move that was made at random breaks them off.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Seen", "worth"]

_LAMBDA = 0.9


class Seen(NamedTuple):
    """The positions of one game, in their order; all values are points of player 0."""

    positions: np.ndarray
    """(n, words)"""
    kinds: np.ndarray
    value: np.ndarray
    """What a look one turn ahead expected; not a number where nobody can tell."""
    foreseen: np.ndarray
    """What it expected of the next position, before that was looked at itself."""
    strayed: np.ndarray
    """Whether the move was not the player's choice."""
    points: float
    """At the end."""


def worth(seen: Seen) -> np.ndarray:
    """What each position was worth to player 0."""
    found = np.empty(len(seen.value))
    shown = seen.points
    for i in range(len(found) - 1, -1, -1):
        shown = _LAMBDA * (shown - seen.foreseen[i]) if not seen.strayed[i] else 0.0
        shown += seen.value[i]
        found[i] = shown
    return found
