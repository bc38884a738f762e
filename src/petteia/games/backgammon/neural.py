"""The trained networks as an evaluation and as an agent."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.backgammon.network import OUT, SIZE, WEIGHTS, estimate, money
from petteia.games.backgammon.state import MOVER, OPENING, OVER, PHASE, PLAY, TAKE, field
from petteia.search.lines import PolicyAgent
from petteia.search.policy import GreedyPolicy

__all__ = ["NETWORK", "NetworkAgent", "NetworkEvaluation", "shipped_weights"]


@lru_cache(maxsize=1)
def shipped_weights() -> np.ndarray:
    """The weights that come with the package; how they were made stands in ``network.log``."""
    file = resources.files("petteia.games.backgammon").joinpath("network.npy")
    with resources.as_file(file) as path:
        return np.load(path)


def loaded(file: str) -> np.ndarray:
    """The weights of a file of one's own, as ``training`` writes it."""
    try:
        return np.asarray(np.load(file, allow_pickle=False), np.float32)
    except (OSError, ValueError) as error:
        raise PetteiaError(f"cannot read the networks in {file}: {error}") from None


def with_scratch(weights: np.ndarray) -> np.ndarray:
    """Weights with the memory that a forward pass needs behind them."""
    if weights.shape != (WEIGHTS,):
        raise PetteiaError(f"a network has {WEIGHTS} weights, not {weights.size}")
    w = np.zeros(SIZE, np.float32)
    w[:WEIGHTS] = weights
    return w


def network_value(game: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that the networks expect; in a match to one point the chances of winning."""
    on_roll = field(p[4], MOVER, 1)
    if field(p[4], PHASE, 7) == TAKE:
        on_roll = 1 - on_roll
    estimate(p, on_roll, w)
    value = 2.0 * np.float64(w[OUT]) - 1.0 if game.match == 1 or game.course else money(w)
    return value if player == on_roll else -value


class NetworkEvaluation(Evaluation):
    """The networks; their weights are one array and have no names."""

    def value(self, game: Any, p: Words, player: int, w: np.ndarray) -> float:
        return network_value(game, p, player, w)

    @property
    def array(self) -> np.ndarray:
        return with_scratch(shipped_weights())


NETWORK = NetworkEvaluation("network", network_value)


class NetworkPolicy(GreedyPolicy):
    """The play with the highest value; the cube is left alone, and any double taken."""

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if field(p[4], PHASE, 7) != PLAY:
            return 0
        player = game.mover(p)
        out = memory.out
        end = game.moves(p, out, 0)
        if end == 1:
            return out[0]
        best, highest = 0, -1e18
        for i in range(end):
            q = game.play(p, out[i])
            phase = field(q[4], PHASE, 7)
            if phase in (OVER, OPENING):  # the last checker is off
                return out[i]
            value = evaluation.value(game, q, player, w)
            if value > highest:
                best, highest = i, value
        return out[best]


class NetworkAgent(PolicyAgent):
    """The play that the networks like best, without looking further."""

    name = "network"
    about = "the play that the trained networks like best"
    policy = NetworkPolicy()

    def __init__(self, game: Game, file: str = "") -> None:
        self.file = file
        super().__init__(game, NETWORK)
        if file:
            self.weights = with_scratch(loaded(file))
