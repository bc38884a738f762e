"""Searches where both choose, in games with dice and with moves of one player alone: against
linear programs at every node, at all positions that can come."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import of_function
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import U, Words
from petteia.search import reference_joint
from petteia.search.contract import Limits, Question
from petteia.search.evaluations import EVEN
from petteia.search.joint_mcts import JointMctsSearch
from petteia.search.joint_node import throw
from petteia.search.nash import NashSearch
from petteia.search.paranoid import HopefulSearch, ParanoidSearch
from tests.toys import Market

GOOFSPIEL = games.make(str(Path(__file__).parents[2] / "examples" / "goofspiel.py"))
MARKET = Market()


def lead(game: Market, p: Words, player: int) -> float:
    """The difference so far and a part of the stake, so that no two positions are alike."""
    value = float(p[2]) - 100.0 + 0.125 * float(p[1]) + 0.25 * float(p[0])
    return value if player == 0 else -value


LEAD = of_function("lead", lead)


def following(game: Game, p: Words) -> list[Words]:
    kind = game.kind(p)
    if kind == TERMINAL:
        return []
    if kind == CHANCE:
        return [game.play(p, outcome) for outcome, _ in game.outcomes(p)]
    if kind == DECISION:
        return [game.play(p, move) for move in game.legal_moves(p)]
    pairs = [(a, b) for a in game.legal_moves(p, 0) for b in game.legal_moves(p, 1)]
    return [game.play_both(p, a, b) for a, b in pairs]


def reachable(game: Game, p: Words) -> list[Words]:
    """A position and all that can come after it."""
    found: dict[Words, None] = {}
    waiting = [p]
    while waiting:
        q = waiting.pop()
        if q not in found:
            found[q] = None
            waiting += following(game, q)
    return list(found)


@cache
def exact(game: Game, p: Words) -> float:
    """The points of player 0 when both play their best to the end."""
    if game.kind(p) == TERMINAL:
        return float(game.result(p))
    values = [exact(game, q) for q in following(game, p)]
    if game.kind(p) == CHANCE:
        return sum(c * v for (_, c), v in zip(game.outcomes(p), values, strict=True))
    if game.kind(p) == DECISION:
        return (max if game.mover(p) == 0 else min)(values)
    matrix = np.array(values).reshape(len(game.legal_moves(p, 0)), -1)
    return reference_joint.by_linear_program(matrix)[0]


def cards(*numbers: int) -> np.uint64:
    return U(sum(1 << number for number in numbers))


# Hands that differ and prizes of any sum: no symmetry makes a wrong value right.
FIVE = GOOFSPIEL.play(GOOFSPIEL.start(), 4)
FOUR = (cards(1, 2, 4, 5), cards(1, 3, 4, 5), cards(1, 2, 5), U(4), U(0), U(3))
THREE = (cards(1, 3, 5), cards(2, 3, 4), cards(2, 4, 5), U(0), U(1), U(2))
EQUAL_THREE = (cards(1, 2, 3), cards(1, 2, 3), cards(1, 2, 3), U(0), U(0), U(0))


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("start", [EQUAL_THREE, THREE], ids=["equal hands", "other hands"])
def test_goofspiel_of_three_is_exact_at_every_position(start: Words, bounded: bool) -> None:
    search = NashSearch(GOOFSPIEL, EVEN, win=1.0, bounded=bounded)
    for p in reachable(GOOFSPIEL, start):
        value = exact(GOOFSPIEL, p)
        assert search.value(Question(p, EVEN.array, Limits(3))) == pytest.approx(value, abs=1e-5)
        if GOOFSPIEL.kind(p) == SIMULTANEOUS:
            for player, sign in ((0, 1.0), (1, -1.0)):
                question = Question(p, EVEN.array, Limits(3), player)
                found = search.ask(question)
                assert found.value == pytest.approx(sign * value, abs=1e-5)
                assert search.exploited(question, found) < 1e-6


def test_goofspiel_of_four_is_exact() -> None:
    search = NashSearch(GOOFSPIEL, EVEN, win=1.0)
    positions = reachable(GOOFSPIEL, FOUR)
    assert len({round(exact(GOOFSPIEL, p), 6) for p in positions}) > 8
    for p in [FOUR, *positions[::17]]:
        assert search.value(Question(p, EVEN.array, Limits(4))) == pytest.approx(
            exact(GOOFSPIEL, p), abs=1e-5
        )


def test_goofspiel_of_five_has_the_known_values() -> None:
    search = NashSearch(GOOFSPIEL, EVEN, win=1.0)
    rows, columns, matrix = search.matrix(Question(FIVE, EVEN.array, Limits(6)))
    assert rows == columns == [1, 2, 3, 4, 5]
    assert matrix == pytest.approx(-matrix.T, abs=1e-5), "the hands are equal"
    # A bid of 4 for the prize of 4, and what the others answer; by linear programs at every node.
    assert matrix[3] == pytest.approx([0.21099, 0.59564, 1.0, 0.0, -0.50978], abs=2e-5)


@pytest.mark.parametrize("evaluation", [EVEN, LEAD], ids=["no evaluation", "lead"])
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_all_kinds_of_positions_at_all_depths(depth: int, evaluation: object) -> None:
    assert evaluation in (EVEN, LEAD)
    judge = EVEN if evaluation is EVEN else LEAD

    def evaluate(p: Words) -> float:
        return judge.of(MARKET, p, 0)

    for bounded in (False, True):
        search = NashSearch(MARKET, judge, win=100.0, bounded=bounded)
        for p in reachable(MARKET, MARKET.start())[::11]:
            value = reference_joint.nash(MARKET, p, depth, evaluate, win=100.0)
            assert search.value(Question(p, judge.array, Limits(depth))) == pytest.approx(
                value, abs=1e-6
            )


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_one_after_the_other_and_hope_in_all_kinds_of_positions(depth: int) -> None:
    paranoid = ParanoidSearch(MARKET, LEAD, win=100.0)
    hopes = [
        (mean, HopefulSearch(MARKET, LEAD, takes_mean=mean, win=100.0)) for mean in (False, True)
    ]

    def evaluate(p: Words) -> float:
        return LEAD.of(MARKET, p, 0)

    positions = [p for p in reachable(MARKET, MARKET.start()) if MARKET.kind(p) != TERMINAL]
    for p in positions[::23]:
        kind = MARKET.kind(p)
        if kind == CHANCE:
            continue
        for player in (0, 1) if kind == SIMULTANEOUS else (int(MARKET.mover(p)),):
            sign = 1.0 if player == 0 else -1.0
            value = reference_joint.paranoid(MARKET, p, depth, player, evaluate, win=100.0)
            question = Question(p, LEAD.array, Limits(depth), player, seed=1)
            found = paranoid.ask(question)
            assert found.value == pytest.approx(sign * value)
            for mean, hopeful in hopes:
                value = reference_joint.hopeful(
                    MARKET, p, depth, player, evaluate, mean=mean, win=100.0
                )
                found = hopeful.ask(question)
                assert found.value == pytest.approx(sign * value)


def test_who_decides_alone_gets_every_move_valued() -> None:
    search = NashSearch(MARKET, EVEN, win=1.0)
    decisions = [p for p in reachable(MARKET, MARKET.start()) if MARKET.kind(p) == DECISION]
    assert {int(MARKET.mover(p)) for p in decisions} == {0, 1}
    for p in decisions[::5]:
        mover = int(MARKET.mover(p))
        sign = 1.0 if mover == 0 else -1.0
        found = search.ask(Question(p, EVEN.array, Limits(4), mover))
        assert {each.move for each in found.moves} == set(MARKET.legal_moves(p))
        values = [sign * exact(MARKET, MARKET.play(p, each.move)) for each in found.moves]
        assert [each.value for each in found.moves] == pytest.approx(values, abs=1e-4)
        assert values[0] == pytest.approx(max(values), abs=1e-4)
        with pytest.raises(PetteiaError, match="nobody chooses"):
            search.ask(Question(p, EVEN.array, Limits(4), 1 - mover))


# --- Monte Carlo ----------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", ["rm", "exp3"])
def test_monte_carlo_comes_near_the_exact_values(selection: str) -> None:
    tree = JointMctsSearch(GOOFSPIEL, EVEN, selection=selection, exploration=0.05, playouts=True)
    for prize in (2, 4, 5):
        p = GOOFSPIEL.play(THREE, prize)
        for player, sign in ((0, 1.0), (1, -1.0)):
            found = tree.ask(Question(p, EVEN.array, Limits(nodes=100_000), player, seed=1))
            assert found.value == pytest.approx(sign * exact(GOOFSPIEL, p), abs=0.05)


def test_monte_carlo_decides_alone_before_dice_and_both() -> None:
    tree = JointMctsSearch(MARKET, EVEN, selection="exp3", exploration=0.1, playouts=True)
    for p, best in (
        ((U(2), U(8), U(100), U(0)), 1),  # the first player takes a stake of which it wins a fifth
        ((U(2), U(8), U(100), U(1)), 0),  # the second player halves it
    ):
        mover = int(MARKET.mover(p))
        found = tree.ask(Question(p, EVEN.array, Limits(nodes=100_000), mover, seed=2))
        assert found.chances()[best] == 1.0
        value = exact(MARKET, p) if mover == 0 else -exact(MARKET, p)
        assert found.value == pytest.approx(value, abs=0.15)


def test_monte_carlo_with_confidence_bounds_draws_the_dice() -> None:
    # Decoupled bounds need not find an equilibrium; where one choice is best they do.
    p = (cards(2, 5), cards(1, 3), cards(1), U(5), U(0), U(0))
    tree = JointMctsSearch(GOOFSPIEL, EVEN, playouts=True)
    found = tree.ask(Question(p, EVEN.array, Limits(nodes=5000), seed=1))
    assert exact(GOOFSPIEL, p) == 1.0
    assert found.value == pytest.approx(1.0, abs=0.05)
    assert found.chances()[5] > 0.9


# --- what cannot be -------------------------------------------------------------------------------


def test_a_search_that_meets_what_cannot_be_says_so() -> None:
    start = MARKET.start()
    with pytest.raises(PetteiaError, match="where none may be beyond"):
        NashSearch(MARKET, LEAD, win=1e-9).value(Question(start, LEAD.array))
    search = NashSearch(MARKET, LEAD)
    search.ws["thrown"] = len(search.ws["outcomes"])
    # As where throws follow one another without an end: the memory of the last is used up.
    assert throw(MARKET, start, search.ws) == (search.ws["thrown"],) * 2
    assert search.ws["stop"] == 1
    with pytest.raises(PetteiaError, match="throws of the dice follow one another"):
        search.refuse_nonsense()
