"""Whole games in one kernel are the games that the arena plays with the same agents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.arena.contest import Contest, Job, run_job
from petteia.arena.points import is_compiled, pair_points, points_together
from petteia.core.seeds import derive, nth
from petteia.search.chance import dice_unit
from petteia.search.duel import Duel, Start
from petteia.search.game_loop import can_duel, game_memory
from tests.toys import OddEven

RACE = str(Path(__file__).parents[1] / "tune" / "linear_race.py:LinearRace")
SMALL = "breakthrough(columns=4, rows=5)"
HASTY = "greedy(eval=strides(own=1))"


def by_the_arena(contest: Contest, pairs: range) -> np.ndarray:
    played = run_job(Job(contest, tuple(pairs)))
    return np.array([(pair.games[0].result, -pair.games[1].result) for pair in played])


@pytest.mark.parametrize(
    ("game", "first", "second", "opening"),
    [
        (RACE, HASTY, "greedy", "random"),
        (RACE, "greedy(eval=strides(near=-3))", HASTY, "random"),
        (RACE, HASTY, "whim", "random"),
        (RACE, "whim", "whim", "random"),
        (SMALL, "greedy(eval=offensive2)", "greedy(eval=defensive2(my=3))", "random(plies=3)"),
        (SMALL, "greedy(eval=offensive2)", "greedy(eval=offensive2)", "none"),
        (SMALL, "greedy", "greedy(eval=offensive2)", "random(plies=3)"),
    ],
)
def test_duels_are_the_arenas_games(game: str, first: str, second: str, opening: str) -> None:
    contest = Contest(game, first, second, seed=5, opening=opening)
    assert is_compiled(contest)
    found = pair_points(contest, range(40))
    assert np.array_equal(found, by_the_arena(contest, range(40)))
    assert np.array_equal(pair_points(contest, [7, 3]), found[[7, 3]])


def test_points_beyond_one_are_seen() -> None:
    points = pair_points(Contest(RACE, HASTY, "greedy", seed=1), range(60))
    assert {1.0, 2.0} <= set(np.abs(points).ravel())
    assert points.mean() > 0.5


def test_agents_that_are_no_policies_are_played_by_the_arena() -> None:
    for first in ("random", "greedy(eval=offensive1)", "alphabeta(depth=1)"):
        contest = Contest(SMALL, first, "greedy", seed=2)
        assert not is_compiled(contest)
        assert np.array_equal(pair_points(contest, range(4)), by_the_arena(contest, range(4)))


def test_noise_with_a_seed_of_its_own_is_a_policy() -> None:
    contest = Contest(SMALL, "greedy(eval=offensive1(seed=4))", "greedy(eval=offensive2)", seed=2)
    assert is_compiled(contest)
    assert np.array_equal(pair_points(contest, range(20)), by_the_arena(contest, range(20)))


def test_a_policy_says_what_the_agent_plays() -> None:
    game = games.make(SMALL)
    agent = agents.make("greedy(eval=offensive2)", game)
    played = agent.playable()
    assert played is not None
    memory = game_memory(game)[0]
    p = game.start()
    for _ in range(6):
        move = agent.choose(p).move
        policy, evaluation, weights = played
        assert policy.pick(game, evaluation, p, weights, 0, memory) == move
        p = game.play(p, move)


def test_simultaneous_games_cannot_be_dueled() -> None:
    assert not can_duel(OddEven())


def test_dice_are_the_arenas_to_the_last_bit() -> None:
    for seed in (0, derive(1, "dice"), 2**63 - 1):
        for ply in (0, 1, 2, 77, 1023):
            assert dice_unit(np.uint64(seed), ply) == nth(seed, ply) / 2**63


def test_many_contests_at_once_have_the_points_of_each() -> None:
    asked = [
        (Contest(RACE, HASTY, "greedy", seed=1), range(10)),
        (Contest(RACE, "greedy", HASTY, seed=1), range(5)),
        (Contest(RACE, HASTY, "greedy", seed=2), range(3, 9)),
    ]
    together = points_together(asked, "cpu")
    for (contest, pairs), points in zip(asked, together, strict=True):
        assert np.array_equal(points, pair_points(contest, pairs))


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_play_the_same_games(threads: int) -> None:
    duel = Duel(games.make(RACE))
    first, second = (agents.make(name, duel.game).playable() for name in (HASTY, "greedy"))
    assert first is not None
    assert second is not None
    start = duel.game.start()
    starts = [Start(start, 0, 7 * n, (n, n + 1, n + 2, n + 3)) for n in range(40)]
    alone = duel.play(first, second, starts)
    assert np.array_equal(duel.play(first, second, starts, threads=threads), alone)
