"""The networks: inputs, the forward pass, learning, and that the shipped ones play well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.inputs import (
    CONTACT_INPUTS,
    RACE_INPUTS,
    escape_table,
    has_contact,
    hitting_rolls,
    inputs,
)
from petteia.games.backgammon.evaluations.network import (
    HIDDEN,
    OUT,
    WEIGHTS,
    estimate,
    fresh_weights,
)
from petteia.games.backgammon.evaluations.neural import NetworkAgent, shipped_weights, with_scratch
from petteia.games.backgammon.evaluations.pubeval import PubevalAgent
from petteia.games.backgammon.learning.training import Lane
from petteia.search.lines import LineSeries
from tests.games.backgammon.boards import board, decisions, game


def test_inputs_of_the_start() -> None:
    w = np.zeros(400, np.float32)
    p = game().start()
    count = inputs(p[:4], True, w, 0, 200)
    found = dict(zip(w[:count].astype(int).tolist(), w[200 : 200 + count].tolist(), strict=True))
    assert found[4 * 23 + 1] == 1.0, "two on 24"
    assert (found[4 * 12 + 2], found[4 * 12 + 3]) == (1.0, 1.0), "five on 13"
    assert found[RACE_INPUTS] == 1.0, "167 pips"
    assert max(found) < CONTACT_INPUTS
    assert RACE_INPUTS + 1 not in found, "nobody can be hit"


def test_rolls_that_hit() -> None:
    """A checker six points away is hit by 17 rolls: 11 sixes, 51, 42, 33, 22 with free points."""
    own, blot, free = 1 << 12, 1 << 6, 0x1FFFFFE
    assert hitting_rolls(np.uint64(own), 0, np.uint64(free), np.uint64(blot)) == 17
    # One point away: 11 aces and nothing else.
    assert hitting_rolls(np.uint64(1 << 7), 0, np.uint64(free), np.uint64(blot)) == 11
    # From the bar to the 20 point: 11 fives, 41 and 32.
    bar = np.uint64(1 << 25)
    assert hitting_rolls(bar, 1, np.uint64(free), np.uint64(1 << 20)) == 15


def test_a_wall_of_six_lets_nobody_escape() -> None:
    table = escape_table()
    assert table[0b111111] == 0.0
    assert table[0] == pytest.approx(23 / 36), "seven points or more"
    assert np.all((table >= 0) & (table <= 1))


def test_contact() -> None:
    of = game()
    assert has_contact(*of.start()[:4])
    assert not has_contact(*of.parse(board({6: 5}, {6: 5}))[:4])
    assert has_contact(*of.parse(board({6: 5}, {20: 1}))[:4])


def test_chances_are_chances_and_parts_below_the_whole() -> None:
    of, w = game(), with_scratch(shipped_weights())
    for p in decisions(of, 15, seed=2):
        for player in (0, 1):
            estimate(p, player, w)
            win, gammon, backgammon, lost_gammon, lost_backgammon = w[OUT : OUT + 5]
            assert 0 <= backgammon <= gammon <= win <= 1
            assert 0 <= lost_backgammon <= lost_gammon <= 1 - win + 1e-6


def test_learning_moves_the_outputs_to_the_outcome() -> None:
    lane = Lane(game())
    start = fresh_weights(3)[:WEIGHTS].astype(np.float64)
    lane.play(start, 60, 0.02, 0.7, 5)
    games, turns, evaluations = lane.memory[0]["counts"][:3]
    assert games == 60
    assert turns > 60 * 20
    assert evaluations > turns
    change = np.abs(lane.weights - start)
    assert np.isfinite(lane.weights).all()
    assert change.max() > 1e-3
    again = Lane(game())
    again.play(start, 60, 0.02, 0.7, 5)
    assert np.array_equal(again.weights, lane.weights), "the same seed, the same weights"


def test_the_shipped_networks_beat_pubeval() -> None:
    of = game()
    network, pubeval = NetworkAgent(of), PubevalAgent(of)
    table = LineSeries(of, network, pubeval)  # the dice decide who starts
    points = [table.result(of.start(), (0, 0), number) for number in range(250)]
    error = float(np.std(points)) / len(points) ** 0.5
    assert np.mean(points) > 2 * error


def test_the_opening_31_makes_the_five_point() -> None:
    of = game()
    p = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert of.move_text(p, agents.make("network", of).choose(p).move) == "8/5 6/5"
    values = agents.make("network", of).values(p)
    assert values[0].value is not None
    assert values[0].value > (values[-1].value or 0.0)


def test_looking_at_all_answers_plays_legally() -> None:
    of = game()
    agent = NetworkAgent(of, plies=1)
    for p in decisions(of, 12, seed=14):
        assert agent.choose(p).move in of.legal_moves(p)


def test_weights_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.npy"
    np.save(file, shipped_weights())
    agent = agents.make(f'network(file="{file}")', game())
    p = one_decision()
    assert agent.choose(p).move == agents.make("network", game()).choose(p).move
    np.save(file, np.zeros(5, np.float32))
    with pytest.raises(PetteiaError, match="weights, not 5"):
        agents.make(f'network(file="{file}")', game())
    with pytest.raises(PetteiaError, match="cannot read"):
        agents.make('network(file="nowhere.npy")', game())
    with pytest.raises(PetteiaError, match="plies=3"):
        agents.make("network(plies=3)", game())


def one_decision() -> Words:
    return next(iter(decisions(game(), 1, seed=9)))


def test_the_shipped_file_is_small() -> None:
    assert shipped_weights().nbytes < 2 * 2**20
    assert shipped_weights().shape == (WEIGHTS,)
    assert HIDDEN % 4 == 0
