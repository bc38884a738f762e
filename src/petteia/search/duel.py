"""Whole games between two policies in one native call, for tuners that need thousands of them.

The games are exactly those that the arena plays with the agents of these policies: the same
openings, the same dice, the same seeds, the same first of equal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import Batch, load
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
    """Two policies of one game, on threads or a GPU: the points are the same everywhere."""

    def __init__(self, game: Game) -> None:
        assert can_duel(game)
        self.game = game
        self.batch = Batch(duel_game, game_memory(game).dtype)

    def play(
        self,
        first: Playable,
        second: Playable,
        starts: Sequence[Start],
        *,
        weights: np.ndarray | None = None,
        device: str = "cpu",
        threads: int = 1,
    ) -> np.ndarray:
        """The points of the first policy in pairs of games, sides swapped: (pairs, 2).

        ``weights`` are the first policy's in each pair, where they are not the same in all.
        """
        args = self.arguments(first, second, starts, weights)
        self.batch(2 * len(starts), *args, device=device, threads=threads)
        return args[-1]

    def arguments(
        self,
        first: Playable,
        second: Playable,
        starts: Sequence[Start],
        weights: np.ndarray | None = None,
    ) -> tuple[Any, ...]:
        """What the games are given; the last of it are the points, still to come."""
        count, words = len(starts), len(self.game.start())
        pairs = Pairs(
            np.array([start.position for start in starts], np.uint64).reshape(count, words),
            np.array([start.plies for start in starts], np.int64),
            np.array([start.dice for start in starts], np.uint64),
            np.array([start.seeds for start in starts], np.uint64).reshape(count, 2, 2),
        )
        if weights is None:
            weights = first.own_weights()[None]
        players = opponents_of(first, second)
        both = Weights(weights, second.own_weights())
        return self.game, players, both, pairs, np.zeros((count, 2))


class Weights(NamedTuple):
    """Of the two policies."""

    first: np.ndarray
    """A row for each pair, or one for all."""
    second: np.ndarray


class Pairs(NamedTuple):
    """Pairs of games, as kernels see them."""

    position: np.ndarray
    ply: np.ndarray
    dice: np.ndarray
    seeds: np.ndarray
    """[pair, game, player]"""


def duel_game(
    i: int,
    memory: Any,
    game: Any,
    players: Any,
    weights: Weights,
    pairs: Pairs,
    points: np.ndarray,
) -> None:
    """Piece ``i``: a game of pair ``i >> 1``, the first policy as player 0 or, in the second game,
    as player 1."""
    pair, number = i >> 1, i & 1
    memory.ply, memory.dice, memory.first_plays = pairs.ply[pair], pairs.dice[pair], number
    for player in range(2):
        memory.seeds[player] = pairs.seeds[pair, number, player]
        memory.asked[player] = 0
    row = pair if len(weights.first) > 1 else 0
    p = load(pairs.position, pair, game.start())
    play_out(game, p, players, (weights.first[row], weights.second), SILENT, memory)
    points[pair, number] = memory.result if number == 0 else -memory.result
