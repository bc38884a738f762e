"""The report's strategies in whole-game kernels and under the tuner."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.arena.executors import workers
from petteia.arena.match import Match
from petteia.arena.points import is_compiled, pair_points
from petteia.core.agent import Agent, Decision
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.tune.session import Session, setting_of
from petteia.tune.tuner import Plan

COURSE = "backgammon(rules=course)"


class Asked(Agent):
    """Another agent that can only be asked move by move."""

    name = "asked"

    def __init__(self, game: Game, inner: Agent) -> None:
        super().__init__(game)
        self.inner = inner
        self.given = inner.spec

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        return self.inner.choose(p, seed=seed, player=player)


@pytest.mark.parametrize(
    ("first", "second"),
    [("strategy1", "weighting_distance"), ("move_random_piece", "move_furthest_back")],
)
def test_whole_games_are_those_of_the_agents_asked_move_by_move(first: str, second: str) -> None:
    game = games.make(COURSE)
    contest = Contest(str(game), first, second, seed=3)
    assert is_compiled(contest)
    both = [Asked(game, agents.make(name, game)) for name in (first, second)]
    played = Match(game, both[0], both[1], seed=3).run(pairs=6).pairs
    expected = [(pair.games[0].result, -pair.games[1].result) for pair in played]
    assert np.array_equal(pair_points(contest, range(6)), expected)


def test_the_report_starts_from_weighting_distance() -> None:
    setting = setting_of(COURSE, against="weighting_distance", series=269, seed=4)
    session = Session(setting, "hillclimb", Plan(1, 3), confirm=20)
    for _ in session.steps(workers("serial")):
        pass
    facts = session.facts()
    assert facts["agent"].startswith("compare(eval=features(")
    assert facts["start"]["singles"] == 2
    assert facts["start"]["blockade"] == 0
    # The same play, but where sums tie and the order of rounding decides.
    assert facts["start_score"] == pytest.approx(0.5, abs=0.05)
    assert facts["games"] == 4 * 270
