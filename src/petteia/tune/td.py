"""TD(λ) for linear evaluations: an agent learns from its own later values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.game_loop import EXPLORING_FIELDS, Observer, game_memory, play_out
from petteia.tune.lessons import Outcomes, school_of
from petteia.tune.question import Question
from petteia.tune.regression import fit_logistic
from petteia.tune.setting import Setting, Weights
from petteia.tune.tuner import Candidate, Plan, Tuner, as_weights, wanted

__all__ = ["TemporalDifference"]

_FIRST_LOOK = 100
"""Games that show how large features are."""
_TRIALS = 10
"""Series on the way, for the plot."""


@dataclass(frozen=True)
class Practice(Question):
    """Games of self-play with learning; the answer holds the slopes after them."""

    slopes: Weights
    """Of the standard features, and last the constant."""
    mean: Weights
    deviation: Weights
    count: int
    first: int
    rate: float
    decay: float
    epsilon: float

    @property
    def games(self) -> int:
        return self.count

    def answer(self, setting: Setting) -> np.ndarray:
        school = school_of(setting, TemporalDifference.name)
        game, numbers = school.game, range(self.first, self.first + self.count)
        begun = [school.start(number) for number in numbers]
        starts = np.zeros(self.count, _start(game)).view(np.recarray)
        starts["position"][:, 0] = [start.position for start in begun]
        starts["ply"] = [start.plies for start in begun]
        starts["dice"] = [start.dice for start in begun]
        memory = game_memory(game, _fields(school.features))[0]
        memory["whims"][0] = derive(setting.seed, "practice", self.first)
        memory["rate"], memory["decay"], memory["epsilon"] = self.rate, self.decay, self.epsilon
        memory["slopes"], memory["mean"] = self.slopes, self.mean
        memory["deviation"] = self.deviation
        practise(game, school.players, starts, memory)
        return np.array(memory["slopes"])


def _start(game: Game) -> np.dtype[Any]:
    return np.dtype(
        [
            ("position", np.uint64, (1, len(game.start()))),
            ("ply", np.int64),
            ("dice", np.uint64),
        ]
    )


def _fields(size: int) -> list[tuple[Any, ...]]:
    """The memory of a learner with this many features."""
    return [
        *EXPLORING_FIELDS,
        ("rate", np.float64),
        ("decay", np.float64),  # lambda
        ("slopes", np.float64, (size + 1,)),  # of the standard features, and the constant
        ("mean", np.float64, (size,)),  # of each feature
        ("deviation", np.float64, (size,)),
        ("weights", np.float64, (size,)),  # that play this game
        ("seen", np.float64, (size + 1,)),  # the standard features after a move, and 1
        ("traces", np.float64, (2, size + 1)),  # what each player's predictions hung on
        ("has_seen", np.int64, (2,)),  # whether a player has seen anything yet
        ("chance", np.float64, (2,)),  # that each player saw last
    ]


def _chance(logit: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * logit))


def _learn(memory: Any, player: int, target: float) -> None:
    """Kernel: moves a player's last prediction towards a target."""
    step = memory.rate * (target - memory.chance[player])
    for i in range(len(memory.slopes)):
        memory.slopes[i] += step * memory.traces[player, i]


class Learning(Observer):
    """Learns after every move; changes the slopes.

    Each player learns from what he himself sees after his own moves, because evaluations speak
    for the player who chose. R. S. Sutton, "Learning to predict by the methods of temporal
    differences", 1988; the chance to win is the logistic function of the value.
    """

    def begin(self, memory: Any) -> None:
        for player in range(2):
            memory.has_seen[player] = 0
            for i in range(len(memory.slopes)):
                memory.traces[player, i] = 0.0
        for i in range(len(memory.weights)):
            memory.weights[i] = memory.slopes[i] / memory.deviation[i]

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        if memory.kind != DECISION or game.kind(after) == TERMINAL:
            return
        player, size = game.mover(p), len(memory.weights)
        features = players.chooser.evaluation.function(game, after, player)
        logit = memory.slopes[size]
        memory.seen[size] = 1.0
        for i in range(len(features)):
            memory.seen[i] = (features[i] - memory.mean[i]) / memory.deviation[i]
            logit += memory.slopes[i] * memory.seen[i]
        chance = _chance(logit)
        if memory.has_seen[player] != 0:
            _learn(memory, player, chance)
        slope = chance * (1.0 - chance)
        for i in range(size + 1):
            kept = memory.decay * memory.traces[player, i]
            memory.traces[player, i] = kept + slope * memory.seen[i]
        memory.has_seen[player], memory.chance[player] = 1, chance

    def end(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        if memory.is_over == 0:
            return
        points = memory.result
        won = 1.0 if points > 0.0 else 0.0 if points < 0.0 else 0.5
        for player in range(2):
            if memory.has_seen[player] != 0:
                target = won if player == 0 else 1.0 - won
                _learn(memory, player, target)


_LEARNING = Learning()


@kernel
def practise(game: Any, players: Any, starts: Any, memory: Any) -> None:
    """Plays games against itself, and learns."""
    for i in range(len(starts)):
        start = starts[i]
        memory.ply, memory.dice = start.ply, start.dice
        p = load(start.position, 0, game.start())
        play_out(game, p, players, memory.weights, _LEARNING, memory)


class TemporalDifference(Tuner):
    """Self-play with learning after every move; the rate falls to a tenth on the way.

    Some games of the start show how large the features are, and a logistic fit of them how the
    start's values stand to chances of winning.
    """

    name = "td"
    about = "TD(lambda) in self-play, for linear evaluations"

    def __init__(
        self,
        setting: Setting,
        plan: Plan,
        rate: float = 0.02,
        decay: float = 0.7,
        epsilon: float = 0.05,
    ) -> None:
        """``decay`` is λ; ``epsilon`` the share of random moves."""
        super().__init__(setting, plan)
        if not (rate > 0 and 0 <= decay <= 1 and 0 <= epsilon <= 1):
            raise PetteiaError("method td needs rate above 0, decay and epsilon from 0 to 1")
        school_of(setting, self.name)
        self.rate, self.decay, self.epsilon = rate, decay, epsilon
        self.iterations = wanted(plan.iterations, None, 1, 50)
        self.lessons = max(1, (plan.budget or 200 * self.iterations) // self.iterations)
        self._slopes: Weights = ()
        self._mean: Weights = ()
        self._deviation: Weights = ()
        self._step = -1
        self._is_trial = False
        self._score: float | None = None

    @property
    def games(self) -> int:
        series = min(_TRIALS, self.iterations) * self.setting.games
        return _FIRST_LOOK + self.iterations * self.lessons + series

    @property
    def best(self) -> Candidate:
        if not self._slopes:
            return Candidate(self.start, None)
        weights = np.array(self._slopes[:-1]) / np.array(self._deviation)
        return Candidate(as_weights(weights), self._score)

    def ask(self) -> list[Question]:
        if self._step < 0:
            return [Outcomes(self.name, self.start, _FIRST_LOOK, 0, max(self.epsilon, 0.1))]
        if self._is_trial:
            return [self.trial(self.best.weights, "search")]
        if self._step == self.iterations:
            return []
        rate = self.rate * (1 - 0.9 * self._step / self.iterations)
        first = _FIRST_LOOK + self._step * self.lessons
        return [
            Practice(
                self._slopes, self._mean, self._deviation, self.lessons, first, rate, self.decay,
                self.epsilon,
            )
        ]  # fmt: skip

    def tell(self, answers: Sequence[np.ndarray]) -> None:
        answer = answers[0]
        if self._step < 0:
            self._begin(answer)
        elif self._is_trial:
            self._score = self.score(answer)
            self.mark(0, self._step, self._score, True, self.best.weights)
            self._is_trial = False
            return
        else:
            self._slopes = as_weights(answer)
        self._step += 1
        done, before = (
            step * _TRIALS // self.iterations for step in (self._step, max(self._step - 1, 0))
        )
        self._is_trial = done > before or self._step == self.iterations

    def _begin(self, rows: np.ndarray) -> None:
        features, ends = rows[:, :-2], rows[:, -2]
        deviation = features.std(axis=0)
        self._mean = as_weights(features.mean(axis=0))
        self._deviation = as_weights(np.where(deviation > 0, deviation, 1.0))
        value = features @ self.bench.start
        size, constant = fit_logistic(value[:, None], ends)
        weights = max(float(size[0]), 0.0) * self.bench.start
        middle = constant + float(weights @ np.array(self._mean))
        self._slopes = (*as_weights(weights * np.array(self._deviation)), middle)
        self.notes = {"lambda": self.decay}
