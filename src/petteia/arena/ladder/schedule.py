"""Which meeting tells most about the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Ratings

__all__ = ["information", "most_informative"]

_ELO = 400 / math.log(10)


def information(ratings: Ratings) -> NDArray[np.float64]:
    """How much a game of every two players is expected to tell: (players, players).

    A game adds e (1 - e) to the information about their difference, e being the expected score. The
    logarithm of the determinant of all information then grows by log(1 + e (1 - e) v), v being the
    variance of the difference so far: the criterion of D-optimal designs (A. C. Atkinson, A. N.
    Donev and R. D. Tobias, Optimum Experimental Designs, with SAS, 2007, chapter 10).
    """
    strength = np.array(ratings.elo) / _ELO
    spread = 1 / np.cosh((strength[:, None] - strength[None, :]) / 2) ** 2 / 4  # e (1 - e)
    own = ratings.covariance.diagonal()
    variance = (own[:, None] + own[None, :] - 2 * ratings.covariance) / _ELO**2
    # Rounded, so that those who tell the same do so on every machine.
    return np.log1p(spread * np.maximum(0.0, variance)).round(9).astype(np.float64)


def most_informative(ratings: Ratings, meetings: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The meeting of the largest information; the first of those that tell the same."""
    first, second = np.array(meetings).T
    return meetings[int(np.argmax(information(ratings)[first, second]))]
