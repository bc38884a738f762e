"""The engine on checkers: the readable search's values, puzzles, draws, speed of thought."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import agents
from petteia.core.game import DECISION
from petteia.games.checkers.evaluations.tuned import NAMES, plain_weights, tuned_value
from petteia.games.checkers.learning import design
from petteia.search import reference
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.values import WIN
from tests.games.checkers.boards import board, of_games, scattered

GAME = board()
COURSE = board(repetitions=0, quiet_plies=0)


def test_without_reductions_it_has_the_value_of_the_readable_search() -> None:
    material = COURSE.evaluations["material"]
    engine = Engine(COURSE, material, table_bits=14, reduce=False)
    positions = [*list(of_games(COURSE, 160, 51))[::5], *scattered(20, 52, most=4)]
    for p in positions:
        if COURSE.kind(p) != DECISION:
            continue
        for depth in (1, 2, 3):
            engine.new_game()
            found = engine.ask(Question(p, material.array, Limits(depth=depth)))
            wanted = reference.negamax(
                COURSE, p, depth, lambda q: material.of(COURSE, q, COURSE.mover(q))
            )
            if abs(wanted) < WIN / 2:
                assert found.value == wanted
            else:  # a forced win that is found early ends the search
                assert abs(found.value or 0.0) > WIN / 2


def test_captures_are_followed_beyond_the_depth() -> None:
    engine = Engine(COURSE, COURSE.evaluations["material"], table_bits=12)
    # At depth 1 the exchange 15x22 25x18 looks like a man won.
    p = COURSE.parse("W:W22,25,26,30:B6,9,11,15")
    found = engine.ask(Question(p, engine.evaluation.array, Limits(depth=1)))
    assert abs(found.value or 0.0) < 100


@pytest.mark.rules
def test_what_is_restless() -> None:
    quiet = GAME.start()
    assert not GAME.restless(quiet, 0)
    jump = GAME.parse("B:W18,32:B14,1")
    assert GAME.restless(jump, 0)
    assert GAME.restless(jump, 5)
    threat = GAME.parse("W:W18,32:B14,1")
    assert GAME.is_threatened(threat) == GAME.must_jump(GAME.parse("B:W18,32:B14,1"))
    for p in scattered(200, 53):
        other = (*p[:3], p[3] ^ type(p[3])(1))
        assert GAME.is_threatened(p) == GAME.must_jump(other)


@pytest.mark.rules
def test_the_table_keeps_the_counter_only_once_the_draw_is_near() -> None:
    early, later = GAME.parse("W:WK12:BK14,K3:H3"), GAME.parse("W:WK12:BK14,K3:H39")
    near, nearer = GAME.parse("W:WK12:BK14,K3:H40"), GAME.parse("W:WK12:BK14,K3:H41")
    assert GAME.remembered(early) == GAME.remembered(later) == GAME.identity(early)
    assert GAME.remembered(near) != GAME.remembered(nearer)
    assert GAME.remembered(GAME.parse("B:WK12:BK14,K3")) != GAME.remembered(early)
    without = COURSE.parse("W:WK12:BK14,K3")
    assert COURSE.remembered(without) == without


def test_a_search_with_a_table_sees_the_draw_by_quiet_moves() -> None:
    """Two kings against one win, unless too little is left of the forty moves."""
    engine = Engine(GAME, GAME.evaluations["tuned"], table_bits=16)
    weights = engine.evaluation.array
    for quiet, is_won in ((0, True), (74, False)):
        p = GAME.parse(f"W:WK19,K23:BK12:H{quiet}")
        found = engine.ask(Question(p, weights, Limits(depth=13)))
        assert ((found.value or 0.0) > WIN - 100) == is_won


@pytest.mark.parametrize(
    ("fen", "move"),
    [("W:WK12,20,26:B7,14,15,18,K31", "20-16"), ("W:W7,11,15:B4,8,K14,16", "15-10")],
)
def test_it_finds_the_courses_wins(fen: str, move: str) -> None:
    agent = agents.make("engine(depth=9)", GAME)
    p = GAME.parse(fen)
    found = agent.choose(p)
    assert GAME.move_text(p, found.move) == move
    assert found.value == WIN - 7


def test_the_tuned_evaluation_is_linear_in_its_weights_and_fair_to_both_colours() -> None:
    weights = np.array(list(GAME.evaluations["tuned"].weights.values()))
    positions = [*of_games(GAME, 80, 54), *scattered(60, 55)]
    matrix = design(np.array(positions, np.uint64))
    for p, row in zip(positions, matrix, strict=True):
        value = tuned_value(GAME, p, 0, weights)
        assert value == pytest.approx(float(row @ weights), abs=0.05)
        assert tuned_value(GAME, p, 1, weights) == -value
        (there, _), *_ = GAME.symmetries(p, 0)
        assert tuned_value(GAME, there, 1, weights) == pytest.approx(value)
    assert tuple(plain_weights()) == NAMES
