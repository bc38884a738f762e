"""Rollouts of backgammon: right on average, and with far less noise than the dice."""

from __future__ import annotations

import json
import math

import pytest

from petteia import agents
from petteia.arena.statistics import Z95
from petteia.cli.app import main
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.backgammon.solution.agent import NetworkAgent
from petteia.search.rollout import Rollout
from petteia.search.stepper import stepper_of
from tests.games.backgammon.boards import board, game

OF = game()
RACE = board({3: 1, 4: 1, 6: 1}, {2: 1, 5: 2})


@pytest.fixture(scope="module")
def network() -> NetworkAgent:
    return NetworkAgent(OF)


def exact(agent: NetworkAgent, p: Words, known: dict[Words, float]) -> float:
    """White's points if both play as the agent does, by plain recursion over all throws."""
    stepper = stepper_of(OF)
    look = stepper.look(p)
    if look.kind == TERMINAL:
        return look.result
    if p not in known:
        known[p] = sum(
            chance * exact(agent, stepper.play(q, agent.choose(q).move), known)
            for throw, chance in zip(look.moves, look.chances, strict=True)
            for q in [stepper.play(p, throw)]
        )
    return known[p]


def test_the_mean_is_exact_and_the_noise_small(network: NetworkAgent) -> None:
    p = OF.parse(RACE)
    value = exact(network, p, {})
    (found,) = Rollout(OF, network.playable()).run([p], 0, 1500, seed=7)
    assert found.value == pytest.approx(value, abs=4 * found.error)
    assert found.raw_value == pytest.approx(value, abs=4 * found.raw_error)
    assert found.ratio > 10
    (other,) = Rollout(OF, network.playable()).run([p], 1, 1500, seed=7)
    assert other.value == pytest.approx(-found.value), "the same games, as Black sees them"


def test_luck_is_most_of_the_noise_at_the_start(network: NetworkAgent) -> None:
    """Over a whole game of contact; the evaluation is an estimate and the mean still right."""
    p = OF.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    (found,) = Rollout(OF, network.playable()).run([p], 0, 48, seed=3)
    assert found.ratio > 2
    gap = abs(found.value - found.raw_value)
    assert gap < 4 * (found.error**2 + found.raw_error**2) ** 0.5
    (short,) = Rollout(OF, network.playable(), plies=4).run([p], 0, 48, seed=3)
    assert short.error < found.error
    (plain,) = Rollout(OF, network.playable(), luck=False).run([p], 0, 48, seed=3)
    assert (plain.raw == found.raw).all(), "the same dice"
    assert (plain.reduced == plain.raw).all()


ENDINGS = (
    board({20: 1, 3: 2, 2: 2}, {6: 2, 4: 2, 3: 1}),
    board({7: 2, 5: 1, 1: 2}, {20: 1, 2: 3}),
    board({25: 1, 4: 3}, {5: 2, 3: 2, 1: 1}),
)
"""Few checkers, one of which can still be hit."""


def test_intervals_of_short_rollouts_hold_what_long_ones_find(network: NetworkAgent) -> None:
    """Of 180 intervals of 95 % about 171 hold, and 160 to 179 in all but one series of a thousand;
    intervals half as wide would not do."""
    long, short = Rollout(OF, network.playable()), Rollout(OF, network.playable(), plies=6)
    gaps = []
    for number, text in enumerate(ENDINGS):
        p = OF.parse(text)
        (known,) = long.run([p], 0, 4000, seed=number)
        for seed in range(100, 160):
            (found,) = short.run([p], 0, 36, seed=seed)
            assert found.ratio > 4, "and they are narrow"
            error = math.hypot(found.error, known.error)
            gaps.append(abs(found.value - known.value) / error)
    assert 160 <= sum(gap <= Z95 for gap in gaps) <= 179
    assert sum(gap <= Z95 / 2 for gap in gaps) < 160


def test_the_agent_tells_value_and_error(capsys: pytest.CaptureFixture[str]) -> None:
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    agent = "rollout(trials=36, plies=4, candidates=2)"
    with pytest.raises(SystemExit):
        main(["analyse", "backgammon", position, "--agent", agent, "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["best"] == "8/5 6/5"
    first, second, third = facts["moves"][:3]
    assert first["visits"] == second["visits"] == 36
    assert first["behind"] == 0
    assert second["behind"] > 0
    assert first["error"] < first["raw_error"]
    assert first["variance_ratio"] > 2
    assert "error" not in third
    assert facts["stops"] == {"after_moves": 4, "judge": "network", "errors": "of chance alone"}
    assert agents.make("rollout(plies=0)", OF).remarks(OF.parse(position)) == {}


def test_a_rollout_can_be_stopped_and_repeated(network: NetworkAgent) -> None:
    p = OF.parse(RACE)
    rollout = Rollout(OF, network.playable())
    whole = rollout.run([p], 0, 48, seed=1)[0]
    part = rollout.run([p], 0, 48, seed=1, hear=lambda done: rollout.stop())[0]
    assert part.trials < whole.trials == 48
    assert (part.reduced == whole.reduced[: part.trials]).all()


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("rollout(by=pubeval)", "does not estimate points"),
        ("rollout(by=random)", "cannot play whole games"),
        ("rollout(trials=1)", "trials=1"),
    ],
)
def test_what_cannot_be_rolled_out(spec: str, why: str) -> None:
    with pytest.raises(PetteiaError, match=why):
        agents.make(spec, OF)
