"""Rollouts: what a position is worth when two policies play it out many times.

The luck of the dice is taken out by looking ahead. Before every throw an evaluation says what each
outcome would be worth with the best move after it; the outcome that fell, less the mean of all, was
luck. Its mean is nought whatever the evaluation thinks, so that the points less all luck have the
right mean and, where the evaluation knows something of the game, a far smaller spread. The same
trial of two positions throws the same dice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, SLACK, TERMINAL, Game
from petteia.core.policy import Playable
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.search.chance import dice_unit, nth_word
from petteia.search.playout import drawn_outcome

__all__ = ["RolledOut", "Rollout"]

_SCRATCH = 64
_ROUND = 12
"""Trials between two looks at whether anybody still waits."""


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
        size = game.max_moves + SLACK
        layout = np.dtype(
            [
                ("state", np.uint64, (1,)),
                ("out", np.int64, (size,)),
                ("prob", np.float64, (size,)),
                ("scratch", np.float64, (_SCRATCH,)),
            ]
        )
        self._memory = np.zeros(1, layout).view(np.recarray)
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
        points = np.zeros((len(positions), trials, 2))
        dice = derive(seed, "rollout")
        done = 0
        while done < trials and not (self._is_stopped and done > 1):
            end = min(trials, done + _ROUND)
            roll_out(
                self.game, self.by.policy, self.by.evaluation, self.by.weights, boards, player,
                done, end, self.plies, self.luck, dice, self._memory[0], points,
            )  # fmt: skip
            done = end
            if hear is not None:
                hear(done)
        return [RolledOut(each[:done, 0], each[:done, 1]) for each in points]


def points_of(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that a player has at the end, or else can expect."""
    if game.kind(p) == TERMINAL:
        points = float(game.result(p))
        return points if player == 0 else -points
    return evaluation.value(game, p, player, w)


def best_points(
    game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray, out: np.ndarray, at: int
) -> float:
    """The same after the best move, where there is one to be made."""
    if game.kind(p) != DECISION:
        return points_of(game, evaluation, p, player, w)
    mover = game.mover(p)
    end = game.moves(p, out, at)
    best = -1e18
    for i in range(at, end):
        best = max(best, points_of(game, evaluation, game.play(p, out[i]), mover, w))
    return best if mover == player else -best


@kernel
def roll_out(
    game: Any,
    policy: Any,
    evaluation: Any,
    w: np.ndarray,
    boards: np.ndarray,
    player: int,
    first: int,
    last: int,
    plies: int,
    luck: bool,
    seed: int,
    memory: Any,
    points: np.ndarray,
) -> None:
    """Some trials of every board: the points less the luck, and the points."""
    out, prob = memory.out, memory.prob
    for board in range(len(boards)):
        for trial in range(first, last):
            p = load(boards, board, game.start())
            dice = nth_word(U(seed), 2 * trial)
            own = nth_word(U(seed), 2 * trial + 1)
            moved, thrown, lucky = 0, 0, 0.0
            while moved + thrown < game.max_plies:
                kind = game.kind(p)
                if kind in (TERMINAL, SIMULTANEOUS) or (plies > 0 and moved == plies):
                    break
                if kind == CHANCE:
                    end = game.chances(p, out, prob, 0)
                    fell = drawn_outcome(prob, end, dice_unit(dice, thrown))
                    if luck:
                        mean, found = 0.0, 0.0
                        for i in range(end):
                            q = game.play(p, out[i])
                            value = best_points(game, evaluation, q, player, w, out, end)
                            mean += prob[i] * value
                            if i == fell:
                                found = value
                        lucky += found - mean
                    p = game.play(p, out[fell])
                    thrown += 1
                else:
                    chance = np.int64(nth_word(own, moved))
                    p = game.play(p, policy.pick(game, evaluation, p, w, chance, memory))
                    moved += 1
            end_points = points_of(game, evaluation, p, player, w)
            points[board, trial, 0] = end_points - lucky
            points[board, trial, 1] = end_points
