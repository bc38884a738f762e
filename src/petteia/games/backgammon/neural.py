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
from petteia.games.backgammon.cube import cube_choice
from petteia.games.backgammon.network import OUT, SIZE, WEIGHTS, estimate, money
from petteia.games.backgammon.state import (
    MOVER,
    OPENING,
    OVER,
    PHASE,
    PLAY,
    POINTS,
    ROLL,
    TAKE,
    field,
)
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
NETWORK.point = 1.0


class NetworkPolicy(GreedyPolicy):
    """The play with the highest value, and Janowski's decision at the cube.

    With ``plies`` 1 the best few plays are judged by the mean over the other's 21 rolls, each
    answered as the networks like best.
    """

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        if field(p[4], PHASE, 7) != PLAY:
            return cube_choice(game, p, w)
        player = game.mover(p)
        out, scratch = memory.out, memory.scratch
        end = game.moves(p, out, 0)
        if end == 1:
            return out[0]
        kept = 0  # the best so far stand at the front, the best of all first
        for i in range(end):
            move = out[i]
            q = game.play(p, move)
            if is_over(q):
                return move
            value = evaluation.value(game, q, player, w)
            place = kept
            while place > 0 and scratch[place - 1] < value:
                place -= 1
            if place < _CANDIDATES:
                kept = min(kept + 1, _CANDIDATES)
                for k in range(kept - 1, place, -1):
                    scratch[k], scratch[_CANDIDATES + k] = (
                        scratch[k - 1], scratch[_CANDIDATES + k - 1],
                    )  # fmt: skip
                scratch[place], scratch[_CANDIDATES + place] = value, i
        if self.plies == 0 or kept == 1:
            return out[int(scratch[_CANDIDATES])]
        chosen, highest = 0, -1e18
        for k in range(kept):
            move = out[int(scratch[_CANDIDATES + k])]
            if scratch[k] < scratch[0] - _TOO_BAD:
                break
            value = after_reply(game, evaluation, game.play(p, move), player, w, memory, end)
            if value > highest:
                chosen, highest = move, value
        return chosen


def is_over(p: Words) -> bool:
    """Whether the last checker went off: the game is over, or the next one of a match begins."""
    phase = field(p[4], PHASE, 7)
    return phase in (OVER, OPENING)


def after_reply(
    game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray, memory: Any, begin: int
) -> float:
    """The mean over the other's rolls of the value after his best answer."""
    if field(p[4], PHASE, 7) != ROLL:
        return evaluation.value(game, p, player, w)
    out, prob = memory.out, memory.prob
    total = 0.0
    throws = game.chances(p, out, prob, begin)
    for t in range(begin, throws):
        q = game.play(p, out[t])
        least = 1e18
        end = game.moves(q, out, throws)
        for i in range(throws, end):
            r = game.play(q, out[i])
            if is_over(r):
                points = float(field(r[4], POINTS, 0xFFFF))
                value = -points if points > 0.0 else -1.0
            else:
                value = evaluation.value(game, r, player, w)
            least = min(least, value)
        total += prob[t] * least
    return total


class NetworkAgent(PolicyAgent):
    """The play that the networks like best, without looking further or after all answers."""

    name = "network"
    about = "the play that the trained networks like best; plies=1 looks at all answers"
    in_points = True

    def __init__(self, game: Game, plies: int = 0, file: str = "") -> None:
        if plies not in _POLICIES:
            raise PetteiaError(f"agent network: plies={plies} is not possible; 0 or 1")
        self.plies = plies
        self.file = file
        self.policy = _POLICIES[plies]
        super().__init__(game, NETWORK)
        if file:
            self.weights = with_scratch(loaded(file))


_CANDIDATES = 6
_TOO_BAD = 0.12
"""Plays that look worse than the best by more are not looked at again."""
_POLICIES = {0: NetworkPolicy(0), 1: NetworkPolicy(1)}
