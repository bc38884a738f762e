"""Rollouts: what a position is worth when two policies play it out many times.

The luck of the dice is taken out by looking ahead. Before every throw an evaluation says what each
outcome would be worth with the best move after it; the outcome that fell, less the mean of all, was
luck. Its mean is zero whatever the evaluation thinks, so that the points less all luck have the
right mean and, where the evaluation knows something of the game, a far smaller spread. The same
trial of two positions throws the same dice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.policy import Playable
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.search.chance import dice_unit, nth_word
from petteia.search.game_loop import (
    Chooser,
    Observer,
    Players,
    chooser_of,
    game_memory,
    play_out,
)

__all__ = ["RolledOut", "Rollout", "best_points", "points_of"]

_ROUND = 12
"""Trials between two looks at whether anybody still waits."""

_POINTS = np.dtype([("reduced", np.float64), ("raw", np.float64)])

_FIELDS = [
    ("seed", np.uint64),  # of all trials
    ("first_trial", np.int64),
    ("last_trial", np.int64),  # exclusive
    ("player", np.int64),  # for whom values speak
    ("most_moves", np.int64),  # after this many the evaluation decides; 0 plays to the end
    ("takes_luck", np.int64),  # whether the luck of the dice is taken out
    ("thrown", np.int64),  # throws so far
    ("luck", np.float64),  # of the dice so far, for the player
]


@dataclass(frozen=True)
class RolledOut:
    """The trials of one position, all values for one player."""

    reduced: np.ndarray
    """The points of each trial less its luck."""
    raw: np.ndarray
    """The points of each trial as they fell."""

    @property
    def trials(self) -> int:
        """How many there were."""
        return len(self.raw)

    @property
    def value(self) -> float:
        """The mean without luck."""
        return float(self.reduced.mean())

    @property
    def error(self) -> float:
        """Its standard error."""
        return _error(self.reduced)

    @property
    def raw_value(self) -> float:
        """The mean with luck."""
        return float(self.raw.mean())

    @property
    def raw_error(self) -> float:
        """Its standard error."""
        return _error(self.raw)

    @property
    def ratio(self) -> float:
        """How many times as many trials without taking out luck would be as exact."""
        return (self.raw_error / self.error) ** 2 if self.error > 0.0 else math.inf

    def behind(self, other: RolledOut) -> tuple[float, float]:
        """How far another's value is above this one and the standard error of that, trial by trial:
        they had the same dice."""
        gap = other.reduced - self.reduced
        return float(gap.mean()), _error(gap)


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0


class Rollout:
    """Plays positions out with one policy for both sides, in one thread."""

    def __init__(self, game: Game, by: Playable, *, plies: int = 0, luck: bool = True) -> None:
        """``plies`` moves are played and then the evaluation speaks; 0 plays to the end."""
        assert not game.has_simultaneous
        self.game = game
        self.by = by
        self.plies = plies
        self.luck = luck
        self._players = _trial_of(chooser_of(by.policy, by.evaluation))
        self._weights = by.own_weights()
        self._memory = game_memory(game, _FIELDS)
        self._is_stopped = False

    def stop(self) -> None:
        """End a running rollout soon, with the trials so far. Any thread may call it."""
        self._is_stopped = True

    def run(
        self, positions: Sequence[Words], player: int, trials: int, seed: int,
        hear: Callable[[int], None] | None = None,
    ) -> list[RolledOut]:  # fmt: skip
        """Every position played out as often, the values for a player; ``hear`` is told how many
        trials are done."""
        self._is_stopped = False
        boards = np.array(positions, np.uint64).reshape(len(positions), -1)
        points = np.zeros((len(positions), trials), _POINTS).view(np.recarray)
        memory = self._memory[0]
        memory["seed"] = derive(seed, "rollout")
        memory["player"], memory["most_moves"] = player, self.plies
        memory["takes_luck"] = self.luck
        done = 0
        while done < trials and not (self._is_stopped and done > 1):
            memory["first_trial"], memory["last_trial"] = done, min(trials, done + _ROUND)
            roll_out(self.game, self._players, self._weights, boards, points, memory)
            done = int(memory["last_trial"])
            if hear is not None:
                hear(done)
        return [RolledOut(each["reduced"][:done], each["raw"][:done]) for each in points]


def points_of(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that a player has at the end, or else can expect."""
    if game.kind(p) == TERMINAL:
        points = float(game.result(p))
        return points if player == 0 else -points
    return evaluation.value(game, p, player, w)


def best_points(game: Any, evaluation: Any, p: Words, w: np.ndarray, memory: Any) -> float:
    """The same after the best move, where there is one to be made; of the player in memory. The
    list of moves begins where the outcomes of the dice end."""
    player = memory.player
    if game.kind(p) != DECISION:
        return points_of(game, evaluation, p, player, w)
    mover = game.mover(p)
    end = game.moves(p, memory.out, memory.outcomes)
    best = -1e18
    for i in range(memory.outcomes, end):
        best = max(best, points_of(game, evaluation, game.play(p, memory.out[i]), mover, w))
    return best if mover == player else -best


class Trial(Players):
    """One chooser for both sides; the n-th throw and the n-th move have seeds of their own, so that
    positions can be compared throw by throw."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser

    def unit(self, memory: Any) -> float:
        return dice_unit(U(memory.dice), memory.thrown)

    def choose(self, game: Any, p: Words, weights: Any, memory: Any) -> int:
        seed = nth_word(U(memory.seeds[0]), memory.ply - memory.thrown)
        return self.chooser.pick(game, p, weights, seed, memory)


@lru_cache(maxsize=64)
def _trial_of(chooser: Chooser) -> Trial:
    return Trial(chooser)


class LuckTaken(Observer):
    """Adds up what the dice gave the player, by the evaluation of who plays."""

    def begin(self, memory: Any) -> None:
        memory.thrown, memory.luck = 0, 0.0

    def has_enough(self, memory: Any) -> bool:
        return memory.most_moves > 0 and memory.ply - memory.thrown == memory.most_moves

    def throw(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        if memory.takes_luck == 0:
            return
        mean, found = 0.0, 0.0
        for i in range(memory.outcomes):
            q = game.play(p, memory.out[i])
            value = best_points(game, players.chooser.evaluation, q, weights, memory)
            mean += memory.prob[i] * value
            if i == memory.fell:
                found = value
        memory.luck += found - mean

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        if memory.kind == CHANCE:
            memory.thrown += 1


_LUCK_TAKEN = LuckTaken()


@kernel
def roll_out(
    game: Any, players: Any, weights: np.ndarray, boards: np.ndarray, points: Any, memory: Any
) -> None:
    """Some trials of every board: the points less the luck, and the points."""
    evaluation, player = players.chooser.evaluation, memory.player
    for board in range(len(boards)):
        for trial in range(memory.first_trial, memory.last_trial):
            memory.ply = 0
            memory.dice = nth_word(U(memory.seed), 2 * trial)
            memory.seeds[0] = nth_word(U(memory.seed), 2 * trial + 1)
            p = load(boards, board, game.start())
            p = play_out(game, p, players, weights, _LUCK_TAKEN, memory)
            raw = points_of(game, evaluation, p, player, weights)
            points[board, trial].raw = raw
            points[board, trial].reduced = raw - memory.luck
