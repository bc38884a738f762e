"""The networks: inputs, the forward pass, looking ahead, and that the shipped ones play well."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.evaluations.inputs import (
    BACK_GAME,
    CONTACT,
    CONTACT_INPUTS,
    CRASHED,
    MOST_ACTIVE,
    RACE,
    RACE_INPUTS,
    class_of,
    escape_table,
    has_contact,
    hitting_rolls,
    inputs,
    strikes,
)
from petteia.games.backgammon.evaluations.network import OUT, SHAPES, WEIGHTS, estimate
from petteia.games.backgammon.evaluations.pubeval import PubevalAgent
from petteia.games.backgammon.rules.board import (
    BAR,
    POINTS,
    count_on,
    made,
    mirrored,
    occupied,
    singles,
)
from petteia.games.backgammon.rules.state import CUBE, PHASE, PLAY, TAKE, field
from petteia.games.backgammon.solution import bearoff
from petteia.games.backgammon.solution.agent import NetworkAgent
from petteia.games.backgammon.solution.neural import shipped_weights, with_scratch
from petteia.search.lines import LineSeries, series_of
from petteia.search.stepper import stepper_of
from tests.games.backgammon.boards import board, decisions, game
from tests.positions import random_positions


def test_inputs_of_the_start() -> None:
    w = np.zeros(400, np.float32)
    p = game().start()
    count = inputs(p[:4], True, w, 0, 200)
    found = dict(zip(w[:count].astype(int).tolist(), w[200 : 200 + count].tolist(), strict=True))
    assert found[4 * 23 + 1] == 1.0, "two on 24"
    assert (found[4 * 12 + 2], found[4 * 12 + 3]) == (1.0, 1.0), "five on 13"
    assert found[RACE_INPUTS] == 1.0, "167 pips"
    assert max(found) < CONTACT_INPUTS
    assert len(found) == count < MOST_ACTIVE, "no input twice"
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


def test_rolls_that_hit_two_and_what_they_cost() -> None:
    """Blots one and two points ahead of two checkers: 21 hits both. The farther blot has come
    eleven pips, the nearer ten."""
    own, blots, free = np.uint64(1 << 12 | 1 << 13), np.uint64(1 << 11 | 1 << 10), 0x1FFFFFE
    hits, doubles, cost = strikes(own, 0, np.uint64(free), blots)
    assert hits == hitting_rolls(own, 0, np.uint64(free), blots)
    assert doubles >= 2
    assert 10 * hits <= cost <= 11 * hits
    assert strikes(own, 0, np.uint64(free), np.uint64(0)) == (0, 0, 0)


def test_strikes_count_the_rolls_that_hit() -> None:
    """The two counts of the same rolls agree on positions of random games."""
    of = game()
    for p in decisions(of, 40, seed=8):
        a, b, other_a, other_b = p[:4]
        free = POINTS & ~mirrored(made(other_a, other_b))
        blots = POINTS & mirrored(singles(other_a, other_b))
        seen = occupied(a, b), int(count_on(a, b, BAR)), free, blots
        assert strikes(*seen)[0] == hitting_rolls(*seen)


def test_classes() -> None:
    of = game()
    for text, kind in (
        (board({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}), CONTACT),
        (board({24: 2, 22: 2, 13: 5, 6: 6}, {13: 5, 8: 4, 6: 6}), BACK_GAME),
        (board({24: 2, 2: 6, 1: 5, 3: 2}, {6: 5, 5: 5, 4: 5}), CRASHED),
        (board({6: 5}, {6: 5}), RACE),
    ):
        p = of.parse(text)
        assert class_of(*p[:4]) == kind
        assert class_of(p[2], p[3], p[0], p[1]) == kind, "whoever is on roll"


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


def mean_of_replies(of: Backgammon, p: Words, player: int) -> float:
    """By plain recursion: the mean over the throws of the best answer."""
    stepper, total = stepper_of(of), 0.0
    look = stepper.look(p)
    for throw, chance in zip(look.moves, look.chances, strict=True):
        q = stepper.play(p, throw)
        total += chance * max(v.value or 0.0 for v in NetworkAgent(of).values(q))
    return total if of.mover(p) == player else -total


def test_a_ply_is_the_mean_over_all_answers() -> None:
    of = game()
    p = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10")
    for each in NetworkAgent(of, plies=1).values(p)[:2]:
        q = of.play(p, each.move)
        assert each.value == pytest.approx(mean_of_replies(of, q, int(of.mover(p))), abs=1e-5)


def test_looking_ahead_plays_legally_and_what_it_says_is_best() -> None:
    of = game()
    for plies in (1, 2):
        agent = NetworkAgent(of, plies=plies)
        for p in decisions(of, 4, seed=14):
            values = agent.values(p)
            assert agent.choose(p).move == values[0].move
            assert {v.move for v in values} == set(of.legal_moves(p))


def test_threads_change_nothing() -> None:
    """To the last bit, at plays and at the cube, where a double may be answered by a beaver."""
    for of in (game(match=3, cube=True), game(cube=True, beaver=True)):
        alone, shared = (NetworkAgent(of, 2, threads=count) for count in (1, 3))
        places = random_positions(of, 200, seed=3)
        for phase in (PLAY, CUBE, TAKE):
            found = [p for p in places if field(p[4], PHASE, 7) == phase][:2]
            assert len(found) == 2
            for p in found:
                assert shared.values(p) == alone.values(p)
                assert shared.choose(p).move == alone.choose(p).move
                assert shared.remarks(p) == alone.remarks(p)


def test_threads_are_those_of_the_spec_or_else_all() -> None:
    of = game()
    for spec, used in (("network(plies=2)", 3), ("network(plies=3, threads=2)", 2), ("network", 1)):
        agent = agents.make(spec, of)
        assert isinstance(agent, NetworkAgent)
        agent.use_threads(3)
        assert agent.threads_used == used
        assert str(agent) == spec
    with pytest.raises(PetteiaError, match="threads=0 is not possible; 1 to 256"):
        agents.make("network(threads=0)", of)
    # Whole games in one call have one thread.
    alone, shared = NetworkAgent(of, 2), NetworkAgent(of, 2, threads=2)
    assert series_of(of, (alone, alone)) is not None
    assert series_of(of, (alone, shared)) is None


def test_nobody_errs_with_six_checkers_a_side() -> None:
    """Win, play and cube are those of the exact table."""
    of, table = game(cube=True), bearoff.two_sided(6)
    agent, chance = NetworkAgent(of), random.Random(3)
    for _ in range(25):
        own, other = (
            Counter(chance.choices(range(1, 7), k=chance.randint(1, 6))) for _ in range(2)
        )
        p = of.parse(board(own, other))
        at = bearoff.numbers(p, 0)
        said = agent.remarks(p)
        win, waits, doubled = table[0][at], table[3][at], min(1.0, 2 * table[2][at])
        assert said["exact"] is True
        assert said["chances"]["win"] == pytest.approx(win, abs=1e-6)  # type: ignore[index]
        assert said["cube"]["no_double"] == pytest.approx(waits, abs=1e-6)  # type: ignore[index]
        values = {of.move_text(p, v.move): v.value for v in agent.values(p)}
        assert values == pytest.approx({"roll": waits, "double": doubled}, abs=1e-6)
        rolled = of.play(of.play(p, 0), chance.choice(stepper_of(of).look(of.play(p, 0)).moves))
        for each in agent.values(rolled):
            q = of.play(rolled, each.move)
            if of.kind(q) != TERMINAL:
                exact = [page[bearoff.numbers(q, 1)] for page in (table[3], table[2])]
                theirs = max(exact[0], min(1.0, 2 * exact[1]))
                assert each.value == pytest.approx(-theirs, abs=1e-6)


def test_longer_bear_offs_are_those_of_the_one_sided_table() -> None:
    of = game()
    agent = NetworkAgent(of)
    for own, other in (({6: 5, 5: 5, 4: 5}, {6: 8, 1: 7}), ({1: 2}, {6: 15}), ({3: 7}, {2: 9})):
        for turn in (1, -1):
            p = of.parse(board(own, other, turn=turn))
            said = agent.remarks(p)
            expected = bearoff.chances_of(p, int(of.mover(p)))
            assert list(said["chances"].values()) == pytest.approx(expected, abs=1e-5)  # type: ignore[attr-defined]
            assert "exact" not in said
    # By the rules of the course bearing off is another game.
    course = game("course")
    p = course.parse(board({2: 3}, {2: 3}, dice="21"))
    assert not NetworkAgent(course).knows(p)


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
    with pytest.raises(PetteiaError, match="plies=4"):
        agents.make("network(plies=4)", game())


def one_decision() -> Words:
    return next(iter(decisions(game(), 1, seed=9)))


def test_the_shipped_file_is_small() -> None:
    assert shipped_weights().nbytes < 2 * 2**20
    assert shipped_weights().shape == (WEIGHTS,)
    assert all(shape.hidden % 4 == 0 for shape in SHAPES)
