"""TD(λ) for linear evaluations: an agent learns from its own later values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, random_below, random_unit
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, TERMINAL
from petteia.core.seeds import derive
from petteia.core.words import U
from petteia.search.chance import dice_unit, nth_word
from petteia.search.duel import policy_memory
from petteia.search.playout import drawn_outcome
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
        game, size = school.game, school.features
        starts = [school.start(number) for number in range(self.first, self.first + self.count)]
        slopes = np.array(self.slopes)
        practise(
            game, school.policy, school.evaluation.tag,
            np.array([start.position for start in starts], np.uint64).reshape(len(starts), -1),
            np.array([start.plies for start in starts], np.int64),
            np.array([start.dice for start in starts], np.uint64),
            np.array([derive(setting.seed, "practice", self.first)], np.uint64),
            np.array([self.rate, self.decay, self.epsilon]),
            slopes, np.array(self.mean), np.array(self.deviation), np.empty(size),
            np.empty(size + 1), np.empty((2, size + 1)), np.empty((2, 2)), policy_memory(game)[0],
        )  # fmt: skip
        return slopes


def _chance(logit: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * logit))


def _learn(slopes: np.ndarray, traces: np.ndarray, player: int, step: float) -> None:
    for i in range(len(slopes)):
        slopes[i] += step * traces[player, i]


@kernel
def practise(
    game: Any,
    policy: Any,
    evaluation: Any,
    boards: np.ndarray,
    plies: np.ndarray,
    dice: np.ndarray,
    state: np.ndarray,
    numbers: np.ndarray,
    slopes: np.ndarray,
    mean: np.ndarray,
    deviation: np.ndarray,
    weights: np.ndarray,
    seen: np.ndarray,
    traces: np.ndarray,
    last: np.ndarray,
    memory: Any,
) -> None:
    """Plays and learns; changes the slopes.

    Each player learns from what he himself sees after his own moves, because evaluations speak
    for the player who chose. R. S. Sutton, "Learning to predict by the methods of temporal
    differences", 1988; the chance to win is the logistic function of the value.

    ``numbers`` are the rate, λ and the share of random moves; a row of ``last`` is whether the
    player has seen anything yet, and the chance that he saw last.
    """
    rate, decay, epsilon = numbers[0], numbers[1], numbers[2]
    size = len(weights)
    out, prob = memory.out, memory.prob
    for i in range(len(plies)):
        p = load(boards, i, game.start())
        ply = plies[i]
        last[:, :] = 0.0
        traces[:, :] = 0.0
        for j in range(size):
            weights[j] = slopes[j] / deviation[j]
        while ply < game.max_plies:
            kind = game.kind(p)
            if kind == TERMINAL:
                points = game.result(p)
                won = 1.0 if points > 0.0 else 0.0 if points < 0.0 else 0.5
                for player in range(2):
                    if last[player, 0] > 0.0:
                        target = won if player == 0 else 1.0 - won
                        _learn(slopes, traces, player, rate * (target - last[player, 1]))
                break
            if kind == CHANCE:
                end = game.chances(p, out, prob, 0)
                p = game.play(p, out[drawn_outcome(prob, end, dice_unit(U(dice[i]), ply))])
                ply += 1
                continue
            player = game.mover(p)
            if random_unit(state) < epsilon:
                end = game.moves(p, out, 0)
                move = out[random_below(state, end)]
            else:
                seed = np.int64(nth_word(U(dice[i]), ply))
                move = policy.pick(game, evaluation, p, weights, seed, memory)
            p = game.play(p, move)
            ply += 1
            if game.kind(p) == TERMINAL:
                continue
            features = evaluation.function(game, p, player)
            logit = slopes[size]
            seen[size] = 1.0
            for j in range(len(features)):
                seen[j] = (features[j] - mean[j]) / deviation[j]
                logit += slopes[j] * seen[j]
            chance = _chance(logit)
            if last[player, 0] > 0.0:
                _learn(slopes, traces, player, rate * (chance - last[player, 1]))
            for j in range(size + 1):
                traces[player, j] = decay * traces[player, j] + chance * (1.0 - chance) * seen[j]
            last[player, 0], last[player, 1] = 1.0, chance


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
