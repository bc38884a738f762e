"""Whole games between two policies in one native call, for tuners that need thousands of them.

The games are exactly those that the arena plays with the agents of these policies: the same
openings, the same dice, the same seeds, the same first of equal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.game import CHANCE, SIMULTANEOUS, SLACK, TERMINAL, Game
from petteia.core.policy import Playable
from petteia.core.words import U, Words
from petteia.search.chance import dice_unit, nth_word
from petteia.search.playout import drawn_outcome

__all__ = ["Duel", "Start", "can_duel", "policy_memory"]

_SCRATCH = 64


class Start(NamedTuple):
    """Where the two games of a pair begin, and what decides their chance."""

    position: Words
    plies: int
    """How many moves led to the position."""
    dice: int
    seeds: tuple[int, int, int, int]
    """Of player 0 and player 1 in the first game, and of both in the second."""


def can_duel(game: Game) -> bool:
    """Whether whole games of this kind can be played by kernels: no rule that looks back, and
    one player to move at a time."""
    return not game.has_simultaneous and game.repetitions == 0


def policy_memory(game: Game) -> Any:
    """The memory that policies and dice need, as one record."""
    size = game.max_moves + SLACK
    layout = np.dtype(
        [
            ("state", np.uint64, (1,)),
            ("out", np.int64, (size,)),
            ("prob", np.float64, (size,)),
            ("scratch", np.float64, (_SCRATCH,)),
        ]
    )
    return np.zeros(1, layout).view(np.recarray)


class Duel:
    """Two policies of one game with their buffers, for one thread."""

    def __init__(self, game: Game) -> None:
        assert can_duel(game)
        self.game = game
        self._memory = policy_memory(game)

    def play(self, first: Playable, second: Playable, starts: Sequence[Start]) -> np.ndarray:
        """The points of the first policy in pairs of games, sides swapped: (pairs, 2)."""
        count = len(starts)
        boards = np.array([start.position for start in starts], np.uint64).reshape(count, -1)
        plies = np.array([start.plies for start in starts], np.int64)
        seeds = np.array([(start.dice, *start.seeds) for start in starts], np.uint64)
        points = np.zeros((count, 2), np.float64)
        duels(
            self.game, first.policy, first.evaluation, first.weights,
            second.policy, second.evaluation, second.weights,
            boards, plies, seeds.reshape(count, 5), self._memory[0], points,
        )  # fmt: skip
        return points


@kernel
def duels(
    game: Any,
    first: Any,
    first_evaluation: Any,
    first_weights: np.ndarray,
    second: Any,
    second_evaluation: Any,
    second_weights: np.ndarray,
    boards: np.ndarray,
    plies: np.ndarray,
    seeds: np.ndarray,
    memory: Any,
    points: np.ndarray,
) -> None:
    """Plays every start twice, the first policy as player 0 and then as player 1.

    A row of ``seeds`` holds that of the dice, and those of both players in either game.
    """
    out, prob = memory.out, memory.prob
    for i in range(len(plies)):
        for swapped in range(2):
            p = load(boards, i, game.start())
            ply = plies[i]
            result = 0.0
            asked_first = asked_second = 0
            while ply < game.max_plies:
                kind = game.kind(p)
                if kind == TERMINAL:
                    result = game.result(p)
                    break
                if kind == SIMULTANEOUS:
                    break  # never, see can_duel
                if kind == CHANCE:
                    end = game.chances(p, out, prob, 0)
                    move = out[drawn_outcome(prob, end, dice_unit(U(seeds[i, 0]), ply))]
                elif game.mover(p) == swapped:
                    seed = np.int64(nth_word(U(seeds[i, 1 + 3 * swapped]), asked_first))
                    move = first.pick(game, first_evaluation, p, first_weights, seed, memory)
                    asked_first += 1
                else:
                    seed = np.int64(nth_word(U(seeds[i, 2 + swapped]), asked_second))
                    move = second.pick(game, second_evaluation, p, second_weights, seed, memory)
                    asked_second += 1
                p = game.play(p, move)
                ply += 1
            points[i, swapped] = result if swapped == 0 else -result
