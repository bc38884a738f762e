"""Whole games between two policies in one native call, for tuners that need thousands of them.

The games are exactly those that the arena plays with the agents of these policies: the same
openings, the same dice, the same seeds, the same first of equal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load
from petteia.core.game import Game
from petteia.core.policy import Playable
from petteia.core.words import Words
from petteia.search.game_loop import SILENT, can_duel, game_memory, opponents_of, play_out

__all__ = ["Duel", "Start"]


class Start(NamedTuple):
    """Where the two games of a pair begin, and what decides their chance."""

    position: Words
    plies: int
    """How many moves led to the position."""
    dice: int
    seeds: tuple[int, int, int, int]
    """Of player 0 and player 1 in the first game, and of both in the second."""


class Duel:
    """Two policies of one game with their buffers, for one thread."""

    def __init__(self, game: Game) -> None:
        assert can_duel(game)
        self.game = game
        self._memory = game_memory(game)
        self._pair = np.dtype(
            [
                ("position", np.uint64, (1, len(game.start()))),
                ("ply", np.int64),
                ("dice", np.uint64),
                ("seeds", np.uint64, (2, 2)),  # by game and player
                ("points", np.float64, (2,)),  # of the first policy, by game
            ]
        )

    def play(self, first: Playable, second: Playable, starts: Sequence[Start]) -> np.ndarray:
        """The points of the first policy in pairs of games, sides swapped: (pairs, 2)."""
        pairs = np.zeros(len(starts), self._pair).view(np.recarray)
        if starts:
            pairs["position"][:, 0] = np.array([start.position for start in starts], np.uint64)
            pairs["ply"] = [start.plies for start in starts]
            pairs["dice"] = [start.dice for start in starts]
            seeds = np.array([start.seeds for start in starts], np.uint64)
            pairs["seeds"] = seeds.reshape(-1, 2, 2)
            players = opponents_of(first, second)
            duels(self.game, players, first.weights, second.weights, pairs, self._memory[0])
        return np.array(pairs["points"])


@kernel
def duels(
    game: Any,
    players: Any,
    first_weights: np.ndarray,
    second_weights: np.ndarray,
    pairs: Any,
    memory: Any,
) -> None:
    """Plays every pair: the first policy as player 0, and then as player 1."""
    weights = (first_weights, second_weights)
    for i in range(2 * len(pairs)):
        pair, number = pairs[i >> 1], i & 1
        memory.ply, memory.dice, memory.first_plays = pair.ply, pair.dice, number
        for player in range(2):
            memory.seeds[player] = pair.seeds[number, player]
            memory.asked[player] = 0
        p = load(pair.position, 0, game.start())
        play_out(game, p, players, weights, SILENT, memory)
        pair.points[number] = memory.result if number == 0 else -memory.result
