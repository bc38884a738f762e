"""The boards on which the rules are tried, and random positions on them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from petteia.core.words import Words, words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.reference import ReferencePosition, ReferenceRules

PARAMETERS = [
    {},
    {"first": 1},
    {"filled": 1},
    {"workers": 3},
    {"workers": 2, "first": 1},
    {"columns": 10, "rows": 5},
    {"columns": 10, "rows": 5, "filled": 1, "first": 1},
    {"columns": 10, "rows": 5, "workers": 3},
    {"columns": 5, "rows": 5},
    {"columns": 5, "rows": 5, "filled": 1},
    {"columns": 5, "rows": 5, "workers": 2},
    {"columns": 4, "rows": 6},
    {"columns": 4, "rows": 6, "workers": 3, "first": 1},
    {"columns": 3, "rows": 7},
    {"columns": 3, "rows": 7, "workers": 3},
    {"columns": 3, "rows": 7, "filled": 3, "workers": 2},
    {"columns": 2, "rows": 32},
    {"columns": 21, "rows": 3, "filled": 1},
]
"""All sizes and variants of the course, and the extremes of what fits into 64 squares."""


@cache
def board(**parameters: int) -> Breakthrough:
    """The game with these parameters; one object for all tests, so that it is compiled once."""
    return Breakthrough(**parameters)


def _on(games: list[Breakthrough]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=str)


every_board = _on([board(**each) for each in PARAMETERS])
"""Runs a test on all boards."""

one_worker_boards = _on([board(**each) for each in PARAMETERS if "workers" not in each])
"""Runs a test on the boards on which one arrival wins."""


def printed(game: Breakthrough) -> ReferenceRules:
    """The printed rules of the same game."""
    return ReferenceRules(game.columns, game.rows, game.filled, game.workers, game.first)


def pieces_of(game: Breakthrough, p: Words) -> ReferencePosition:
    """The position as the printed rules see it."""
    pieces = {}
    for square in range(game.columns * game.rows):
        name = f"{chr(ord('a') + square % game.columns)}{square // game.columns + 1}"
        if int(p[0]) >> square & 1:
            pieces[name] = "w"
        if int(p[1]) >> square & 1:
            pieces[name] = "b"
    return ReferencePosition(pieces, "wb"[int(p[2])])


def words_of(game: Breakthrough, position: ReferencePosition) -> Words:
    """The position as the kernels see it."""
    boards = {"w": 0, "b": 0}
    for name, owner in position.pieces.items():
        boards[owner] |= 1 << (ord(name[0]) - ord("a") + (int(name[1:]) - 1) * game.columns)
    return words(boards["w"], boards["b"], "wb".index(position.mover))


def of_games(game: Breakthrough, count: int, seed: int) -> Iterator[Words]:
    """Positions of games between random players, their ends included."""
    chance = random.Random(seed)
    p = game.start()
    for _ in range(count):
        yield p
        moves = game.legal_moves(p)
        p = game.play(p, chance.choice(moves)) if moves else game.start()


def scattered(game: Breakthrough, count: int, seed: int, most: int = 64) -> Iterator[Words]:
    """Workers thrown onto the board, at most so many a side; not over in two ways at once."""
    chance = random.Random(seed)
    squares = range(game.columns * game.rows)
    goals = [int(goal) for goal in game.goals]
    most = min(most, game.columns * game.filled)
    while count > 0:
        white, black = (chance.randint(0, most) for _ in range(2))
        places = chance.sample(squares, white + black)
        boards = [sum(1 << s for s in places[:white]), sum(1 << s for s in places[white:])]
        for player in (0, 1):  # arrivals are rare in games: most of these go elsewhere
            if chance.random() < 0.8:
                boards[player] &= ~goals[player]
        over = [(boards[i] & goals[i]).bit_count() >= game.workers for i in (0, 1)]
        over += [boards[i].bit_count() < game.workers for i in (0, 1)]
        if sum(over) <= 1:
            yield words(*boards, chance.randint(0, 1))
            count -= 1


def late(game: Breakthrough, count: int, seed: int) -> Iterator[Words]:
    """Few workers, near their goals: many of these positions are one or two plies from the end."""
    return scattered(game, count, seed, most=5)


def empty_list(game: Breakthrough) -> np.ndarray:
    """Room for every move of a position."""
    return np.zeros(game.max_moves, np.int64)
