"""The evaluation that was learned: fair, by token, and a chance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from petteia import agents
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations.learned import FEATURES, POINT, expected, features, saving
from petteia.review.chances import chance_of
from tests.positions import random_positions

GAME = RoPaSci()
LEARNED = GAME.evaluations["learned"]


def value(text: str) -> float:
    return LEARNED.of(GAME, GAME.parse(text), 0)


@pytest.mark.rules
def test_it_is_the_same_in_all_images_and_turns_with_the_colours() -> None:
    for p in random_positions(GAME, 25, seed=4):
        here = LEARNED.of(GAME, p, 0)
        assert LEARNED.of(GAME, p, 1) == pytest.approx(-here)
        images = [q for q, _, _ in GAME.symmetries_of_both(p, 61 * 64, 61 * 64)]
        assert sorted({round(LEARNED.of(GAME, q, 0), 6) for q in images}) in (
            sorted({round(here, 6), round(-here, 6)}),
            [round(here, 6)],
        )
        assert sum(LEARNED.shares(GAME, p, 0).values()) == pytest.approx(here, abs=1e-6)
        assert abs(here) < POINT


def test_a_stack_is_worth_less_than_its_tokens_apart() -> None:
    assert value("5/6/7/8/9/8/2(SS)4/6/2r2 2-3 10") < value("5/6/7/8/9/8/2SS3/6/2r2 2-3 10")


def test_features_count_tokens_and_not_hexes() -> None:
    at = FEATURES.index("stacked")
    p = GAME.parse("5/6/7/8/9/8/2(SSS)4/6/2(rr)2 5-5 10")
    assert features(GAME, p, 0)[at] == 1
    assert features(GAME, p, 0)[FEATURES.index("tokens")] == 1


def test_a_lead_of_three_is_nearly_a_win_and_less_when_turns_run_out() -> None:
    lead = "1R1P1/6/2S4/8/9/8/1r5/6/5 {} {}"
    agent = agents.make("nash", GAME)
    p = GAME.parse(lead.format("6-7", 40))
    chance = chance_of(agent, p, LEARNED.of(GAME, p, 0))
    assert 0.85 < chance < 0.99
    assert 0 < value(lead.format("6-7", 350)) < value(lead.format("6-7", 40))


TRADED = ((4, 4), (5, 5), (6, 6), (7, 7))
"""Throws made with two tokens more than the enemy: a throw each is traded."""


def test_trading_pays_who_is_ahead() -> None:
    chances = [value(f"1R1P1/6/2S4/8/9/8/1r5/6/5 {upper}-{lower} 40") for upper, lower in TRADED]
    assert chances == sorted(chances)


def test_won_games_still_tell_better_moves_from_worse() -> None:
    assert LEARNED.weights["slow"] > 0
    assert expected(15.0, 0.1) > expected(14.0, 0.1) + 1e-3
    assert expected(3.5, 0.0) == pytest.approx(2 * 0.9707 - 1, abs=1e-4)
    assert all(expected(x, 0.1) == -expected(-x, 0.1) for x in np.linspace(0, 30, 7))
    assert math.isclose(expected(1e6, 0.1), 1.0, abs_tol=1e-4)


def test_saved_throws_count_no_more_than_one_once_the_enemy_has_none() -> None:
    def saved(upper: int, lower: int, turn: int = 40) -> float:
        p = GAME.parse(f"1R1P1/6/7/8/9/8/1r5/6/5 {upper}-{lower} {turn}")
        found = saving(GAME, p, 0, LEARNED.array)
        assert saving(GAME, p, 1, LEARNED.array) == -found
        return found

    assert saved(3, 8) > saved(4, 8) > saved(8, 8) == 0
    assert saved(3, 9) == saved(4, 9) == saved(8, 9)
    assert saved(3, 9) > saved(9, 9) == 0
    assert saved(3, 6) > saved(3, 6, turn=300) > 0


def test_a_hunter_with_a_helper_is_not_alone() -> None:
    # By value iteration over the endings of four tokens, it catches one sooner or later.
    alone, helped = "4P/6/5r1/8/9/8/7/6/1r3 9-9 40", "4P/6/5r1/8/1R7/8/7/6/1r3 9-9 40"
    assert value(helped) > 2 * value(alone) > 0


@pytest.mark.parametrize(
    "text",
    [
        "RRRR1/6/2SSS2/8/9/8/1r5/6/1p3 9-9 40",  # no paper to come: the rock is invincible
        "4P/6/7/8/9/8/1r5/6/1r3 9-9 40",  # one hunter of two
    ],
)
def test_a_lead_that_cannot_be_won_is_worth_little(text: str) -> None:
    assert 0 < value(text) < 50
