"""Random play: published figures, exact means of toy games, and the same games when interpreted."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.rules import drawn_outcome
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.search.perft import perft
from petteia.search.playout import playout, random_games
from tests.positions import random_positions
from tests.toys import OddEven, Race

TOYS = [pytest.param(game, id=str(game)) for game in (Race(), OddEven())]


def next_positions(game: Game, p: Words) -> list[tuple[Words, float]]:
    """Every position one ply later, with its probability under random play."""
    kind = game.kind(p)
    if kind == TERMINAL:
        return []
    if kind == CHANCE:
        return [(game.play(p, outcome), chance) for outcome, chance in game.outcomes(p)]
    if kind == SIMULTANEOUS:
        first, second = game.legal_moves(p, 0), game.legal_moves(p, 1)
        share = 1 / (len(first) * len(second))
        return [(game.play_both(p, a, b), share) for a in first for b in second]
    moves = game.legal_moves(p)
    return [(game.play(p, move), 1 / len(moves)) for move in moves]


@cache
def random_value(game: Game, p: Words) -> float:
    """The mean points of player 0 under random play, by recursion."""
    if game.kind(p) == TERMINAL:
        return float(game.result(p))
    return sum(chance * random_value(game, after) for after, chance in next_positions(game, p))


@cache
def random_length(game: Game, p: Words) -> float:
    """The mean number of plies under random play, by recursion."""
    return sum(
        chance * (1 + random_length(game, after)) for after, chance in next_positions(game, p)
    )


def lines(game: Game, p: Words, depth: int) -> int:
    """Perft by brute force."""
    if depth == 0:
        return 1
    return sum(lines(game, after, depth - 1) for after, _ in next_positions(game, p))


def test_random_breakthrough_has_the_known_figures() -> None:
    game = Breakthrough()
    found = random_games(game, game.start(), 100_000, seed=1)
    share, error = found.wins / found.games, math.sqrt(0.25 / found.games)
    assert abs(share - 0.509) < 4 * error + 0.0005  # half a unit of the published digit
    assert abs(found.plies - 64.1) < 4 * found.plies_error + 0.05
    assert abs(found.branching - 25.7) < 0.1
    assert found.draws == 0
    assert math.isclose(found.points, 2 * share - 1)
    assert math.isclose(found.points_error, 2 * error, rel_tol=0.01)


@pytest.mark.parametrize("game", TOYS)
def test_means_are_those_of_the_exact_recursion(game: Game) -> None:
    found = random_games(game, game.start(), 200_000, seed=2)
    exact = random_value(game, game.start())
    assert abs(found.points - exact) < 4 * found.points_error
    assert abs(found.plies - random_length(game, game.start())) < 4 * found.plies_error + 1e-9
    assert found.points_error < 0.01


def test_random_games_are_those_of_their_seed() -> None:
    game = Race()
    one, again, other = (random_games(game, game.start(), 500, seed) for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("game", TOYS)
def test_the_interpreter_plays_the_same_games(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def results() -> list[float]:
        state = np.array([7], np.uint64)
        out, prob = np.empty(2 * game.max_moves, np.int64), np.empty(2 * game.max_moves)
        return [playout(game, game.start(), state, out, prob) for _ in range(100)]

    compiled = results()
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    assert results() == compiled
    assert len(set(compiled)) > 1


def test_a_finished_game_is_worth_its_result() -> None:
    game = Race()
    for p in random_positions(game, 60, seed=3):
        for after, _ in next_positions(game, p):
            if game.kind(after) == TERMINAL:
                found = random_games(game, after, 3)
                assert (found.points, found.plies, found.branching) == (game.result(after), 0, 0)


def test_a_game_that_outlasts_its_limit_is_a_draw() -> None:
    game = Race(goal=60)
    assert random_games(game, game.start(), 100).draws == 100


def test_outcomes_are_drawn_by_their_probabilities() -> None:
    prob = np.array([0.5, 0.25, 0.25, 9.0])
    units = [0.0, 0.49, 0.5, 0.74, 0.75, 0.999]
    assert [drawn_outcome(prob, 3, unit) for unit in units] == [0, 0, 1, 1, 2, 2]
    assert drawn_outcome(np.array([0.3, 0.3, 0.3]), 3, 0.95) == 2  # rounding never leads outside


def test_no_games_are_an_error() -> None:
    with pytest.raises(PetteiaError, match="0 random games"):
        random_games(Race(), Race().start(), 0)


@pytest.mark.parametrize("game", TOYS)
def test_perft_of_toys_is_that_of_brute_force(game: Game) -> None:
    for p in [game.start(), *random_positions(game, 6, seed=4)]:
        assert [perft(game, p, depth) for depth in range(7)] == [
            lines(game, p, depth) for depth in range(7)
        ]
