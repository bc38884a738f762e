"""What is tuned, against whom, by which games: plain data that any worker can act on."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.arena.match import Opening
from petteia.core import spec as specs
from petteia.core.agent import Agent, EvaluatingAgent
from petteia.core.errors import PetteiaError, one_of
from petteia.core.evaluation import SEED, Evaluation, LinearEvaluation
from petteia.core.game import Game
from petteia.core.seeds import derive

__all__ = ["AIMS", "Bench", "Setting", "Weights", "bench_of", "scores_of"]

Weights = tuple[float, ...]
"""The tuned weights, in the order of their names."""

AIMS = ("wins", "points")


@dataclass(frozen=True)
class Setting:
    """An agent with weights, its opponent, and the series that measures a candidate."""

    game: str
    agent: str
    """Who is tuned, with the weights to start from."""
    against: str
    series: int = 269
    """Games by which a candidate is judged."""
    seed: int = 0
    opening: str = "random"
    aim: str = "wins"
    """``wins``, draws as half; or ``points``, where games have more than one point at stake."""
    only: tuple[str, ...] = ()
    """The names of the weights to tune; nothing means all."""

    def contest(self, first: str, second: str, dice: str) -> Contest:
        """A contest with the dice of this name; contests of one name have the same dice."""
        seed = derive(self.seed, "tune", dice) % 2**31
        return Contest(self.game, first, second, seed, self.opening)

    @property
    def pairs(self) -> int:
        """The pairs of a series; if it has an odd number of games, the last is ignored."""
        return -(-self.series // 2)

    @property
    def games(self) -> int:
        """The games that a series takes."""
        return 2 * self.pairs


@dataclass(frozen=True)
class Bench:
    """A setting with its game and agent made."""

    game: Game
    agent: Agent
    evaluation: Evaluation
    names: tuple[str, ...]
    """Of the weights that are tuned."""

    @property
    def start(self) -> np.ndarray:
        """The weights to start from."""
        return np.array([self.evaluation.weights[name] for name in self.names])

    def full(self, weights: Sequence[float]) -> dict[str, float]:
        """All weights of the evaluation, the tuned ones as given."""
        given = zip(self.names, (float(weight) for weight in weights), strict=True)
        return {**self.evaluation.weights, **dict(given)}

    def evaluation_spec(self, weights: Sequence[float]) -> specs.Spec:
        """The evaluation with these weights."""
        full = self.full(weights)
        if not self.evaluation.is_seeded:
            return specs.Spec(self.evaluation.name, tuple(full.items()))
        return specs.Spec(
            self.evaluation.name, tuple((key, full[key]) for key in full if key != SEED)
        )

    def agent_spec(self, weights: Sequence[float]) -> specs.Spec:
        """The agent with these weights."""
        given = self.agent.spec
        kept = {**dict(given.arguments), "eval": self.evaluation_spec(weights)}
        return specs.Spec(given.name, tuple(kept.items()))

    def linear(self, method: str) -> LinearEvaluation:
        """The evaluation, for methods that need features."""
        if not isinstance(self.evaluation, LinearEvaluation):
            raise PetteiaError(
                f"method {method} needs a linear evaluation, which {self.evaluation.name} is not; "
                "hillclimb, spsa and cmaes take any weights"
            )
        return self.evaluation


@lru_cache(maxsize=4)
def bench_of(setting: Setting) -> Bench:
    """The setting with everything made and checked."""
    game = games.make(setting.game)
    agent = agents.make(setting.agent, game)
    if not isinstance(agent, EvaluatingAgent) or not _takes_eval(agent):
        raise PetteiaError(
            f"agent {agent.spec.name} has no evaluation to tune; for instance greedy(eval=...)"
        )
    evaluation = agent.evaluation
    known = [name for name in evaluation.weights if name != SEED]
    if not known:
        raise PetteiaError(f"evaluation {evaluation.name} has no weights to tune")
    for name in setting.only:
        if name not in known:
            raise one_of(name, known, what=f"weight of evaluation {evaluation.name}")
    names = tuple(name for name in known if name in setting.only) if setting.only else tuple(known)
    if setting.aim not in AIMS:
        raise one_of(setting.aim, AIMS, what="aim")
    Opening.parse(game, setting.opening)
    agents.make(setting.against, game)
    return Bench(game, agent, evaluation, names)


def _takes_eval(agent: Agent) -> bool:
    return "eval" in inspect.signature(type(agent)).parameters


def scores_of(points: np.ndarray, aim: str) -> np.ndarray:
    """What the points of games count: themselves, or 1 for a win and half for a draw."""
    return points if aim == "points" else (np.sign(points) + 1) / 2
