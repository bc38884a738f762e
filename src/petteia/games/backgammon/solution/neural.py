"""The trained networks as an evaluation, the bear-off tables beside them."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from petteia.compiled.kernel import is_interpreted
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import (
    Chances,
    before_game,
    cube_value,
    efficiency,
    value_by_phase,
)
from petteia.games.backgammon.evaluations.network import (
    GIVEN_EFFICIENCY,
    OUT,
    SIZE,
    WEIGHTS,
    estimate,
)
from petteia.games.backgammon.rules.state import MOVER, OPENING, PHASE, TAKE, field
from petteia.games.backgammon.solution.lookup import (
    are_few,
    are_home,
    exact_ways,
    flat_tables,
    home_chances,
)

__all__ = [
    "NETWORK", "NetworkEvaluation", "chances", "is_exact", "loaded", "shipped_weights",
    "with_scratch",
]  # fmt: skip


@lru_cache(maxsize=1)
def shipped_weights() -> np.ndarray:
    """The weights that come with the package; how they were made stands in ``network.log``."""
    file = resources.files("petteia.games.backgammon.evaluations").joinpath("network.npy")
    with resources.as_file(file) as path:
        return np.load(path)


def loaded(file: str) -> np.ndarray:
    """The weights of a file of one's own, as ``training`` writes it."""
    try:
        return np.asarray(np.load(file, allow_pickle=False), np.float32)
    except (OSError, ValueError) as error:
        raise PetteiaError(f"cannot read the networks in {file}: {error}") from None


def with_scratch(weights: np.ndarray) -> np.ndarray:
    """Weights, the memory that a forward pass needs, and the bear-off tables."""
    if weights.shape != (WEIGHTS,):
        raise PetteiaError(f"the networks have {WEIGHTS} weights, not {weights.size}")
    # The interpreter would take hours to build the tables; there the networks do without.
    tables = np.zeros(0, np.float32) if is_interpreted() else flat_tables()
    w = np.zeros(SIZE + len(tables), np.float32)
    w[:WEIGHTS] = weights
    w[SIZE:] = tables
    return w


def chances(game: Any, p: Words, roller: int, w: np.ndarray) -> Chances:
    """Kernel: the five chances of the player on roll, see ``cube``: by the tables, which are of
    the official rules, where both sides are home; else by the networks."""
    if are_home(p) and len(w) > SIZE and not game.course:
        return home_chances(p, roller, w, SIZE)
    estimate(p, roller, w)
    return (
        np.float64(w[OUT]), np.float64(w[OUT + 1]), np.float64(w[OUT + 2]),
        np.float64(w[OUT + 3]), np.float64(w[OUT + 4]),
    )  # fmt: skip


def is_exact(game: Any, p: Words, w: np.ndarray) -> bool:
    """Kernel: whether the tables have what a position is worth, the cube included: in games for
    points by the official rules, and without beavers."""
    if len(w) == SIZE or game.match > 0 or game.beaver or game.course:
        return False
    return are_home(p) and are_few(p)


def network_value(game: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that the networks expect, the cube counted; in a match from -1 to 1."""
    phase = field(p[4], PHASE, 7)
    if phase == OPENING:
        return before_game(game, p, player)
    roller = field(p[4], MOVER, 1)
    if phase == TAKE:
        roller = 1 - roller
    if game.cube and is_exact(game, p, w):
        value = value_by_phase(phase, exact_ways(p, roller, w, SIZE))
        return value if player == roller else -value
    c = chances(game, p, roller, w)
    if game.match == 1 or game.course:
        value = 2.0 * c[0] - 1.0
    else:
        x = efficiency(p, roller)
        if w[GIVEN_EFFICIENCY] > 0.0:
            x = np.float64(w[GIVEN_EFFICIENCY])
        value = cube_value(game, p, roller, x, c)
    return value if player == roller else -value


class NetworkEvaluation(Evaluation):
    """The networks; their weights are one array and have no names."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        return network_value(game, p, player, w)

    @property
    def array(self) -> np.ndarray:
        return with_scratch(shipped_weights())


NETWORK = NetworkEvaluation("network", network_value)
NETWORK.point = 1.0
