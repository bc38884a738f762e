"""Matches are fair, repeatable, and count what went wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from petteia import agents, games
from petteia.arena.match import Match, MatchResult
from petteia.arena.play import opening, play_game
from petteia.arena.statistics import pair_interval, wilson
from petteia.core import record
from petteia.core.agent import Agent, Decision
from petteia.core.game import Game
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.search.stepper import Stepper
from tests.toys import OddEven, Race

SMALL = games.make("breakthrough(columns=4, rows=5)")


def _match(a: str, b: str, game: Game = SMALL, seed: int = 0) -> Match:
    return Match(game, agents.make(a, game), agents.make(b, game), seed=seed)


class Fails(Agent):
    """Raises when it is asked for a move."""

    name = "fails"

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        raise RuntimeError("out of ideas")


class Cheats(Agent):
    """Plays a move that nobody may play."""

    name = "cheats"

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        return Decision(63)


def test_a_pair_has_the_same_opening_with_sides_swapped() -> None:
    match = _match("random", "greedy(eval=offensive2)", seed=5)
    pair = match.pair(3)
    first, second = (game.record for game in pair.games)
    assert first.plies[:4] == second.plies[:4]
    assert first.players == tuple(reversed(second.players))
    assert [game.record for game in match.pair(3).games] == [first, second]
    assert match.pair(4).games[0].record.plies[:4] != first.plies[:4]


def test_a_match_can_be_repeated_and_its_records_replay() -> None:
    results = [_match("random", "mcts(simulations=20)", seed=7).run(4) for _ in range(2)]
    assert results[0].scores == results[1].scores
    for pair in results[0].pairs:
        for game in pair.games:
            end = replay(game.record, SMALL)[-1]
            assert SMALL.result(end) == game.result
            assert record.read_all(record.write(game.record)) == [game.record]


def test_the_stronger_agent_wins_from_both_sides() -> None:
    result = _match("engine(nodes=300)", "random", seed=1).run(5)
    assert result.score == 1.0
    assert result.as_json()["wins"] == 10
    assert result.interval == wilson(1.0, 5)


def test_counts_are_those_of_the_agents_not_of_the_seats() -> None:
    result = _match("minimax(depth=2, eval=offensive2)", "random", seed=1).run(2)
    assert result.seat(0).interior > 0
    assert result.seat(1).interior == 0
    moves = sum(game.plies - 4 for pair in result.pairs for game in pair.games)
    assert result.seat(0).moves + result.seat(1).moves == moves


@pytest.mark.parametrize(
    ("agent", "reason"), [(Fails(SMALL), "out of ideas"), (Cheats(SMALL), "illegal move 63")]
)
def test_forfeits_lose_are_counted_and_do_not_stop_the_match(agent: Agent, reason: str) -> None:
    result = Match(SMALL, agent, agents.make("random", SMALL), opening="none").run(3)
    assert result.forfeits() == (6, 0)
    assert result.score == 0.0
    played = result.pairs[0].games[0]
    assert played.forfeit is not None
    assert reason in played.forfeit.reason
    assert ("Forfeit", f"white: {played.forfeit.reason}") in played.record.headers


def test_dice_are_the_same_in_both_games_of_a_pair() -> None:
    match = _match("random", "random", Race(), seed=2)
    for index in range(5):
        first, second = (
            [ply.texts[0] for ply in game.record.plies if ply.kind == "chance"]
            for game in match.pair(index).games
        )
        shared = min(len(first), len(second))
        assert first[:shared] == second[:shared]
    result = match.run(20)
    assert {abs(pair.games[0].result) for pair in result.pairs} == {1.0, 2.0}


def test_simultaneous_games_are_played() -> None:
    result = _match("random", "random", OddEven(), seed=2).run(20)
    texts = {len(ply.texts) for pair in result.pairs for g in pair.games for ply in g.record.plies}
    assert texts == {2}
    assert 0 < result.count(1.0) < 40


def test_openings_do_not_end_the_game_and_differ() -> None:
    tiny = games.make("breakthrough(columns=2, rows=4)")
    stepper = Stepper(tiny)
    for seed in range(50):
        p = tiny.start()
        for move in opening(tiny, 3, seed):
            p = stepper.play(p, move)
        assert stepper.look(p).moves
    assert len({tuple(opening(SMALL, 4, seed)) for seed in range(20)}) > 15


def test_an_endless_game_is_a_draw() -> None:
    class Walk(Race):
        max_plies = 3

    game = Walk(goal=50)
    pair = (agents.make("random", game), agents.make("random", game))
    assert play_game(game, pair, seeds=(0, 0)).result == 0.0


def test_wilson_agrees_with_published_values() -> None:
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for wins, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(wins / trials, trials) == pytest.approx((low, high), abs=5e-5)


def test_an_empty_match_knows_nothing() -> None:
    assert MatchResult().interval == (0.0, 1.0)
    assert MatchResult().score == 0.5


@pytest.mark.parametrize(("strength", "bias"), [(0.5, 0.0), (0.5, 0.45), (0.8, 0.1), (0.95, 0.04)])
def test_the_interval_covers_the_truth_in_about_95_percent(strength: float, bias: float) -> None:
    """``bias`` is what the first move is worth: pairs of a biased game are mostly split."""
    rng = random.Random(f"{strength} {bias}")
    covered, trials = 0, 2000
    for _ in range(trials):
        pairs = [
            ((rng.random() < strength + bias) + (rng.random() < strength - bias)) / 2
            for _ in range(40)
        ]
        low, high = pair_interval(pairs)
        covered += low <= strength <= high
    assert 0.925 <= covered / trials <= 0.995


def test_the_interval_of_split_pairs_is_narrow_but_not_empty() -> None:
    low, high = pair_interval([0.5] * 50)
    assert 0.45 < low < 0.5 < high < 0.55


@pytest.mark.parametrize("agent", ["random", "alphabeta(depth=1)"], ids=["natively", "asked"])
def test_a_game_may_be_won_by_its_last_possible_ply(agent: str) -> None:
    game = games.make(str(Path(__file__).parents[2] / "examples" / "tictactoe.py"))
    match = Match(game, agents.make(agent, game), agents.make("random", game), seed=1)
    played = [each for index in range(20) for each in match.pair(index).games]
    full = [each for each in played if each.plies == game.max_plies]
    for each in full:
        *_, last = replay(each.record, game)  # which holds the result against the rules
        assert each.result == game.result(last)
    assert {each.result for each in full} >= {0.0, 1.0}
