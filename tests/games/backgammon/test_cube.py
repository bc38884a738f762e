"""Janowski's model of the cube."""

from __future__ import annotations

import pytest

from petteia import agents
from petteia.games.backgammon.cube import EFFICIENCY, MINE, THEIRS, cubeful, efficiency, live
from petteia.games.backgammon.state import CENTRED
from tests.games.backgammon.boards import board, game


def test_the_example_of_the_manual() -> None:
    """GNU Backgammon's manual: static chances to a cubeless, a live and a cubeful value."""
    assert cubeful(0.454, 0.103, 0.001, 0.106, 0.003, CENTRED, 0.0) == pytest.approx(
        -0.097, abs=1e-3
    )
    played = live(0.454, 1.229, 1.196, CENTRED)
    assert played == pytest.approx(-0.157, abs=1e-3)
    assert 0.32 * -0.097 + EFFICIENCY * played == pytest.approx(-0.138, abs=1e-3)


def test_without_gammons_the_live_points_are_20_and_80_percent() -> None:
    for owner, low, high in ((CENTRED, -1.0, 1.0), (MINE, -0.5, 1.0), (THEIRS, -1.0, 0.5)):
        assert live(0.2, 1.0, 1.0, owner) == pytest.approx(low)
        assert live(0.8, 1.0, 1.0, owner) == pytest.approx(high)


def test_owning_the_cube_is_never_worse() -> None:
    for percent in range(5, 100, 5):
        win = percent / 100
        values = [cubeful(win, 0.1 * win, 0.0, 0.1 * (1 - win), 0.0, o, 0.68) for o in (0, 2, 1)]
        assert values == sorted(values, reverse=True)


def test_efficiency_grows_with_the_length_of_a_race() -> None:
    of = game(cube=True)
    short = of.parse(board({6: 2}, {6: 2}))
    long = of.parse(board({12: 15}, {12: 15}))
    assert efficiency(short, 0) == pytest.approx(0.6)
    assert efficiency(long, 0) == pytest.approx(0.7)
    assert efficiency(of.start(), 0) == EFFICIENCY


def test_the_network_doubles_cashes_and_drops() -> None:
    of = game(cube=True)
    agent = agents.make("network", of)
    won = of.parse(board({1: 3, 2: 3}, {6: 10, 1: 2}))
    assert of.move_text(won, agent.choose(won).move) == "double"
    offered = of.parse(board({1: 3, 2: 3}, {6: 10, 1: 2}, dice="D"))
    assert of.move_text(offered, agent.choose(offered).move) == "drop"
    opening = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert of.move_text(opening, agent.choose(opening).move) == "roll"
    gift = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10")
    assert of.move_text(gift, agent.choose(gift).move) == "take"
