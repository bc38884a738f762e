"""The trained networks as an evaluation and as an agent."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from petteia.core.agent import ANY, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import (
    before_game,
    cube_value,
    efficiency,
    facts,
    named,
    stake,
)
from petteia.games.backgammon.evaluations.network import (
    GIVEN_EFFICIENCY,
    OUT,
    SIZE,
    WEIGHTS,
    estimate,
)
from petteia.games.backgammon.rules.state import (
    CUBE,
    MOVER,
    OPENING,
    OVER,
    PHASE,
    PLAY,
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
    """Weights with the memory that a forward pass needs behind them."""
    if weights.shape != (WEIGHTS,):
        raise PetteiaError(f"a network has {WEIGHTS} weights, not {weights.size}")
    w = np.zeros(SIZE, np.float32)
    w[:WEIGHTS] = weights
    return w


def chances(p: Words, roller: int, w: np.ndarray) -> tuple[float, float, float, float, float]:
    """Kernel: the networks' five chances for the player on roll, see ``cube``."""
    estimate(p, roller, w)
    return (
        np.float64(w[OUT]), np.float64(w[OUT + 1]), np.float64(w[OUT + 2]),
        np.float64(w[OUT + 3]), np.float64(w[OUT + 4]),
    )  # fmt: skip


def network_value(game: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that the networks expect, the cube counted; in a match from -1 to 1."""
    phase = field(p[4], PHASE, 7)
    if phase == OPENING:
        return before_game(game, p, player)
    roller = field(p[4], MOVER, 1)
    if phase == TAKE:
        roller = 1 - roller
    c = chances(p, roller, w)
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


class NetworkPolicy(GreedyPolicy):
    """The play, or the turn of the cube, with the highest value.

    With ``plies`` 1 the best few plays are judged by the mean over the other's 21 rolls, each
    answered as the networks like best.
    """

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        player = game.mover(p)
        out, scratch = memory.out, memory.scratch
        end = game.moves(p, out, 0)
        if end == 1:
            return out[0]
        kept = 0  # the best so far stand at the front, the best of all first
        for i in range(end):
            value = expected(game, evaluation, game.play(p, out[i]), player, w)
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
        if self.plies == 0 or field(p[4], PHASE, 7) != PLAY:
            return out[int(scratch[_CANDIDATES])]
        near = _TOO_BAD * stake(game, p)
        chosen, highest = 0, -1e18
        for k in range(kept):
            move = out[int(scratch[_CANDIDATES + k])]
            if scratch[k] < scratch[0] - near:
                break
            value = after_reply(game, evaluation, game.play(p, move), player, w, memory, end)
            if value > highest:
                chosen, highest = move, value
        return chosen


def expected(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that a player can expect."""
    if field(p[4], PHASE, 7) == OVER:
        points = game.result(p)
        return points if player == 0 else -points
    return evaluation.value(game, p, player, w)


def after_reply(
    game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray, memory: Any, begin: int
) -> float:
    """The mean over the other's rolls of the value after his best answer."""
    if field(p[4], PHASE, 7) == CUBE:
        waits, doubled = game.play(p, 0), game.play(p, 1)
        if expected(game, evaluation, doubled, player, w) < expected(
            game, evaluation, waits, player, w
        ):
            taken, dropped = game.play(doubled, 0), game.play(doubled, 1)
            lost = expected(game, evaluation, dropped, player, w)
            if lost > expected(game, evaluation, taken, player, w):
                return lost
            waits = taken
        p = waits
    if field(p[4], PHASE, 7) != ROLL:
        return expected(game, evaluation, p, player, w)
    out, prob = memory.out, memory.prob
    total = 0.0
    throws = game.chances(p, out, prob, begin)
    for t in range(begin, throws):
        q = game.play(p, out[t])
        least = 1e18
        end = game.moves(q, out, throws)
        for i in range(throws, end):
            least = min(least, expected(game, evaluation, game.play(q, out[i]), player, w))
        total += prob[t] * least
    return total


class NetworkAgent(PolicyAgent):
    """The play that the networks like best, without looking further or after all answers."""

    name = "network"
    about = "the play that the trained networks like best; plies=1 looks at all answers"
    for_visitors = at_most(plies=1, efficiency=ANY)
    in_points = True

    def __init__(self, game: Game, plies: int = 0, file: str = "", efficiency: float = 0.0) -> None:
        """``efficiency`` of the cube: from 0.01 (dead) to 1 (live), or 0 for the usual ones."""
        if plies not in _POLICIES:
            raise PetteiaError(f"agent network: plies={plies} is not possible; 0 or 1")
        if not 0.0 <= efficiency <= 1.0:
            raise PetteiaError(
                f"agent network: efficiency={efficiency} is not possible; "
                "0.01 (a dead cube) to 1 (a live one), or 0 for the usual ones"
            )
        self.plies = plies
        self.file = file
        self.efficiency = efficiency
        self.policy = _POLICIES[plies]
        super().__init__(game, NETWORK)
        if file:
            self.weights = with_scratch(loaded(file))
        self.weights[GIVEN_EFFICIENCY] = efficiency

    def remarks(self, p: Words) -> dict[str, object]:
        phase = int(field(p[4], PHASE, 7))
        if phase in (OPENING, OVER):
            return {}
        mover = int(field(p[4], MOVER, 1))
        roller = 1 - mover if phase == TAKE else mover
        found = chances(p, roller, self.weights)
        said = facts(self.game, p, roller, self.efficiency or efficiency(p, roller), found)
        return {"chances": named(found), **({} if phase == PLAY else said)}


_CANDIDATES = 6
_TOO_BAD = 0.12
"""Plays that look worse than the best by more, in cubes, are not looked at again."""
_POLICIES = {0: NetworkPolicy(0), 1: NetworkPolicy(1)}
