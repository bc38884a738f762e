"""Rollouts for any game with dice: unbiased whatever the evaluation thinks, and quieter."""

from __future__ import annotations

import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.search.rollout import Rollout
from petteia.search.stepper import stepper_of

GAME = games.make("ur(pieces=2)")


def test_taking_out_luck_keeps_the_mean_and_lessens_the_noise() -> None:
    """The evaluation is crude: a share of the way. Both means are of the same games."""
    player = agents.make("greedy(eval=advancement)", GAME).playable()
    assert player is not None
    (found,) = Rollout(GAME, player).run([GAME.start()], 0, 4000, seed=2)
    gap = abs(found.value - found.raw_value)
    assert gap < 4 * (found.raw_error**2 + found.error**2) ** 0.5
    assert found.ratio > 1.3
    assert set(found.raw.tolist()) == {1.0, -1.0}


def test_moves_are_compared_on_the_same_dice() -> None:
    player = agents.make("greedy(eval=advancement)", GAME).playable()
    assert player is not None
    stepper = stepper_of(GAME)
    p = stepper.play(GAME.start(), GAME.parse_outcome(GAME.start(), "4"))
    q = stepper.play(p, stepper.look(p).moves[0])
    same = Rollout(GAME, player).run([q, q], 0, 48, seed=5)
    assert same[0].behind(same[1]) == (0.0, 0.0)


def test_the_agent_is_for_games_with_dice() -> None:
    with pytest.raises(PetteiaError, match="games with dice"):
        agents.make("rollout", games.make("breakthrough"))
    agent = agents.make("rollout(by=greedy(eval=advancement), trials=24, plies=0)", GAME)
    p = stepper_of(GAME).play(GAME.start(), GAME.parse_outcome(GAME.start(), "2"))
    assert agent.choose(p).move in GAME.legal_moves(p)
