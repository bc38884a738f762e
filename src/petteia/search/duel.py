"""Whole games between two policies in one native call, for tuners that need thousands of them.

The games are exactly those that the arena plays with the agents of these policies: the same
openings, the same dice, the same first of equal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, mix
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, SIMULTANEOUS, SLACK, TERMINAL, Game
from petteia.core.policy import PlayedPolicy, Policy
from petteia.core.words import U, Words
from petteia.search.playout import drawn_outcome
from petteia.search.values import terminal_value

__all__ = ["Duel", "GreedyPolicy", "can_duel", "dice_unit", "greedy_policy"]

_LOW = U(0xFFFFFFFF)
_HALF = U(32)
_GOLDEN_LOW, _GOLDEN_HIGH = U(0x7F4A7C15), U(0x9E3779B9)


class GreedyPolicy(Policy):
    """The move after which an evaluation is highest; the first of equals."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def move(self, game: Any, p: Words, w: np.ndarray, out: np.ndarray) -> int:
        end = game.moves(p, out, 0)
        player = game.mover(p)
        best, chosen = 0.0, -1
        for i in range(end):
            after = game.play(p, out[i])
            if game.kind(after) == TERMINAL:
                value = terminal_value(game, after, player, 1)
            else:
                value = self.evaluation.value(game, after, player, w)
            if chosen < 0 or value > best:
                best, chosen = value, i
        return out[chosen]


@lru_cache(maxsize=256)
def greedy_policy(evaluation: Evaluation) -> GreedyPolicy:
    """The one greedy policy of an evaluation's tag: kernels are found by what they are made for."""
    return GreedyPolicy(evaluation)


def can_duel(game: Game) -> bool:
    """Whether whole games of this kind can be played by kernels: no rule that looks back, and
    one player to move at a time."""
    return not game.has_simultaneous and game.repetitions == 0


class Duel:
    """Two policies of one game with their buffers, for one thread."""

    def __init__(self, game: Game) -> None:
        assert can_duel(game)
        self.game = game
        self._out = np.empty(game.max_moves + SLACK, np.int64)
        self._prob = np.empty(game.max_moves + SLACK, np.float64)

    def play(
        self,
        first: PlayedPolicy,
        second: PlayedPolicy,
        starts: Sequence[tuple[Words, int]],
        dice: Sequence[int],
    ) -> np.ndarray:
        """The points of the first policy in pairs of games, sides swapped: (pairs, 2).

        A start is a position and the plies that led to it; ``dice`` are the seeds of the dice.
        """
        boards = np.array([p for p, _ in starts], np.uint64).reshape(len(starts), -1)
        plies = np.array([count for _, count in starts], np.int64)
        points = np.zeros((len(starts), 2), np.float64)
        seeds = np.array(dice, np.uint64)
        duels(
            self.game, first.policy, second.policy, first.weights, second.weights,
            boards, plies, seeds, self._out, self._prob, points,
        )  # fmt: skip
        return points


def _wrapped_sum(a: np.uint64, b: np.uint64) -> np.uint64:
    """a + b modulo 2**64, without an overflow that the interpreter would warn of."""
    low = (a & _LOW) + (b & _LOW)
    high = ((a >> _HALF) + (b >> _HALF) + (low >> _HALF)) & _LOW
    return (high << _HALF) | (low & _LOW)


def dice_unit(seed: np.uint64, ply: int) -> float:
    """The number in [0, 1) that decides the dice of a ply: ``core.seeds.nth`` in kernels."""
    n = U(ply + 1)
    low = n * _GOLDEN_LOW
    high = (n * _GOLDEN_HIGH + (low >> _HALF)) & _LOW
    step = (high << _HALF) | (low & _LOW)
    return np.float64(mix(_wrapped_sum(seed, step)) >> U(1)) / 2.0**63


@kernel
def duels(
    game: Any,
    first: Any,
    second: Any,
    first_weights: np.ndarray,
    second_weights: np.ndarray,
    boards: np.ndarray,
    plies: np.ndarray,
    dice: np.ndarray,
    out: np.ndarray,
    prob: np.ndarray,
    points: np.ndarray,
) -> None:
    """Plays every start twice, the first policy as player 0 and then as player 1."""
    for i in range(len(plies)):
        for swapped in range(2):
            p = load(boards, i, game.start())
            ply = plies[i]
            result = 0.0
            while ply < game.max_plies:
                kind = game.kind(p)
                if kind == TERMINAL:
                    result = game.result(p)
                    break
                if kind == SIMULTANEOUS:
                    break  # never, see can_duel
                if kind == CHANCE:
                    end = game.chances(p, out, prob, 0)
                    move = out[drawn_outcome(prob, end, dice_unit(dice[i], ply))]
                elif game.mover(p) == swapped:
                    move = first.move(game, p, first_weights, out)
                else:
                    move = second.move(game, p, second_weights, out)
                p = game.play(p, move)
                ply += 1
            points[i, swapped] = result if swapped == 0 else -result
