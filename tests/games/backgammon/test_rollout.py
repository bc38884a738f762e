"""Rollouts of backgammon: right on average, and with far less noise than the dice."""

from __future__ import annotations

import json

import pytest

from petteia import agents
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
