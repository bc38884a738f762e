"""The engine against plain negamax, exact solutions, and its own promises about limits."""

from __future__ import annotations

import threading
import time
from functools import cache

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import TERMINAL, Game
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution.solver import swept
from petteia.search import reference
from petteia.search.contract import Answer, Limits, Question
from petteia.search.engine import Engine, EngineAgent
from petteia.search.pvs import from_table, to_table
from petteia.search.values import WIN, is_decided, plies_to_end
from tests.positions import random_positions
from tests.toys import Heap

SMALL = Breakthrough(3, 5, filled=1)
STANDARD = Breakthrough()
LORENTZ = Breakthrough.evaluations["lorentz"]
CASES = [
    pytest.param(board, Breakthrough.evaluations[name], id=f"{board}-{name}")
    for board, name in (
        (SMALL, "lorentz"),
        (Breakthrough(5, 5), "offensive2"),
        (Breakthrough(4, 5, first=1), "offensive1"),
        (Breakthrough(4, 5, workers=3), "three_workers"),
    )
]
EACH = pytest.mark.parametrize(("board", "evaluation"), CASES)
TABLES = (3, 16)


@cache
def positions(board: Breakthrough) -> list[Words]:
    return random_positions(board, 300, seed=2)


@cache
def standard() -> Engine:
    return Engine(STANDARD, LORENTZ, table_bits=16)


def for_mover(board: Breakthrough, evaluation: Evaluation, searcher: int) -> reference.Evaluate:
    """The evaluation as the engine sees it: for the searcher, in single precision, and turned."""
    weights = evaluation.array

    def evaluate(p: Words) -> float:
        value = float(np.float32(evaluation.value(board, p, searcher, weights)))
        return value if board.mover(p) == searcher else -value

    return evaluate


def asked(engine: Engine, p: Words, limits: Limits, weights: np.ndarray | None = None) -> Answer:
    return engine.ask(Question(p, engine.evaluation.array if weights is None else weights, limits))


def value_of(answer: Answer) -> float:
    assert answer.value is not None
    return answer.value


@EACH
@pytest.mark.parametrize("bits", TABLES)
def test_without_reductions_the_value_is_that_of_negamax(
    board: Breakthrough, evaluation: Evaluation, bits: int
) -> None:
    engine = Engine(board, evaluation, table_bits=bits, reduce=False)
    for number, p in enumerate(positions(board)[TABLES.index(bits) : 240 : 3]):
        evaluate = for_mover(board, evaluation, int(board.mover(p)))
        for depth in (1, 2, 3) if number % 8 == 0 else (1, 2):
            found = asked(engine, p, Limits(depth=depth))
            assert found.value == reference.negamax(board, p, depth, evaluate), (
                board.text(p),
                depth,
            )


@EACH
def test_values_are_those_of_negamax_for_every_move(
    board: Breakthrough, evaluation: Evaluation
) -> None:
    engine = Engine(board, evaluation, table_bits=10, reduce=False)
    for number, p in enumerate(positions(board)[:200:4]):
        evaluate = for_mover(board, evaluation, int(board.mover(p)))
        depth = 3 if number % 10 == 0 else 2
        expected = {
            move: -reference.negamax(board, board.play(p, move), depth - 1, evaluate, ply=1)
            for move in board.legal_moves(p)
        }
        question = Question(p, evaluation.array, Limits(depth=depth), every=True)
        found = engine.ask(question).moves
        assert {each.move: each.value for each in found} == expected
        assert [each.value for each in found] == sorted(expected.values(), reverse=True)
        for each in found:
            assert each.line[0] == each.move
            plays_legally(board, p, each.line)


def plays_legally(board: Breakthrough, p: Words, line: tuple[int, ...]) -> None:
    for move in line:
        assert move in board.legal_moves(p)
        p = board.play(p, move)


@cache
def distance(p: Words) -> int:
    """Plies to the end on the small board when both play best: positive if the mover wins."""
    if SMALL.kind(p) == TERMINAL:
        return 0
    after = [distance(SMALL.play(p, move)) for move in SMALL.legal_moves(p)]
    wins = [1 - d for d in after if d <= 0]
    return min(wins) if wins else -1 - max(after)


@pytest.mark.parametrize("reduce", [False, True])
def test_decided_games_have_the_right_winner_and_distance(reduce: bool) -> None:
    engine = Engine(SMALL, LORENTZ, table_bits=12, reduce=reduce)
    for p in positions(SMALL)[::4]:
        found = asked(engine, p, Limits(depth=40))
        value = value_of(found)
        assert is_decided(value)
        assert (value > 0) == (distance(p) > 0)
        if not reduce:  # a reduced move may hide the quickest way
            assert plies_to_end(value) == abs(distance(p))
            assert abs(value) == WIN - abs(distance(p))


@EACH
def test_lines_are_legal_and_begin_with_the_move(
    board: Breakthrough, evaluation: Evaluation
) -> None:
    engine = Engine(board, evaluation, table_bits=8)
    for p in positions(board)[::3]:
        seen: list[Answer] = []
        question = Question(p, evaluation.array, Limits(depth=6), on_depth=seen.append)
        assert engine.ask(question) == seen[-1]
        for each in seen:
            assert each.best.line[0] == each.best.move
            plays_legally(board, p, each.best.line)


@pytest.mark.parametrize("limit", [1, 2, 30, 1_000, 40_000])
def test_a_limit_of_nodes_is_kept_and_gives_the_same_result_again(limit: int) -> None:
    for p in random_positions(STANDARD, 40, seed=4)[::8]:
        engine = Engine(STANDARD, LORENTZ, table_bits=16)
        found = asked(engine, p, Limits(nodes=limit))
        assert found.best.move in STANDARD.legal_moves(p)
        plays_legally(STANDARD, p, found.best.line)
        assert found.nodes <= limit + 100  # the quiescence that was under way is finished
        again = Engine(STANDARD, LORENTZ, table_bits=16)
        assert asked(again, p, Limits(nodes=limit)) == found


class Hasty(Breakthrough):
    """Looks at hardly any late moves."""

    late_moves = (2, 3, 4)


def test_late_moves_are_passed_over_but_what_is_called_won_or_lost_is_so() -> None:
    patient, hasty = SMALL, Hasty(3, 5, filled=1)
    solution = swept(patient)
    counts = [0, 0]
    decided = 0
    for p in positions(patient)[::3]:
        for place, game in enumerate((patient, hasty)):
            engine = Engine(game, LORENTZ, table_bits=10)
            found = asked(engine, p, Limits(depth=6))
            counts[place] += found.nodes
            value = value_of(found)
            if is_decided(value):
                decided += place
                assert (value > 0) is solution.mover_wins(p), game.text(p)
    assert counts[1] < counts[0]
    assert decided > 30


def test_every_move_has_a_value_even_when_nodes_run_out_at_once() -> None:
    question = Question(STANDARD.start(), LORENTZ.array, Limits(nodes=5), every=True)
    found = standard().ask(question).moves
    assert sorted(each.move for each in found) == sorted(STANDARD.legal_moves(STANDARD.start()))
    assert all(each.value is not None for each in found)


def test_results_do_not_depend_on_earlier_games() -> None:
    used, fresh = (Engine(STANDARD, LORENTZ, table_bits=14) for _ in range(2))
    one, other = random_positions(STANDARD, 30, seed=5)[9:30:20]
    limits = Limits(nodes=20_000)
    expected = asked(fresh, one, limits)
    assert asked(used, one, limits) == expected
    asked(used, other, limits)
    used.ask(Question(one, LORENTZ.array, limits, every=True))
    used.new_game()
    assert asked(used, one, limits) == expected
    for _ in range(1100):  # past the turn of the table's generations
        used.new_game()
    assert asked(used, one, limits) == expected


def test_weights_and_searchers_do_not_share_entries() -> None:
    board, evaluation = CASES[1].values
    assert isinstance(board, Breakthrough)
    assert isinstance(evaluation, Evaluation)
    engine = Engine(board, evaluation, reduce=False)
    p = board.start()
    one, two = evaluation.array, evaluation.with_weights({"my": 9, "opp": 4}).array
    values = [asked(engine, p, Limits(depth=2), weights).value for weights in (one, two, one)]
    assert values[0] == values[2] != values[1]
    for move in board.legal_moves(p):  # the enemy searches what was just searched
        after = board.play(p, move)
        found = asked(engine, after, Limits(depth=3), one).value
        alone = asked(Engine(board, evaluation, reduce=False), after, Limits(depth=3), one).value
        assert found == alone


def test_a_limit_of_time_ends_the_search() -> None:
    engine = standard()
    asked(engine, STANDARD.start(), Limits(depth=1))  # compiled before the clock
    started = time.perf_counter()
    found = asked(engine, STANDARD.start(), Limits(seconds=0.1))
    assert time.perf_counter() - started < 5.0
    assert found.best.move in STANDARD.legal_moves(STANDARD.start())
    assert found.depth > 1


def test_a_forced_move_takes_no_time() -> None:
    checkers = games.make("checkers")
    engine = Engine(checkers, checkers.evaluations["material"], table_bits=10)
    p = checkers.parse("B:W18,31,32:B14,1,2")
    assert len(checkers.legal_moves(p)) == 1
    assert asked(engine, p, Limits(seconds=60)).depth == 1
    assert asked(engine, p, Limits(nodes=2000)).depth > 1
    every = Question(p, engine.evaluation.array, Limits(seconds=0.05), every=True)
    assert engine.ask(every).depth > 1


def test_a_clock_is_shared_out_over_the_game() -> None:
    game = games.make("breakthrough")
    agent = agents.make("engine(game_time=1, increment=0.001)", game)
    assert isinstance(agent, EngineAgent)
    first = agent.limits.seconds or 0.0
    p, shares = game.start(), [first]
    for ply in range(12):
        p = game.play(p, agent.choose(p, seed=ply).move)
        shares.append(agent.limits.seconds or 0.0)
    assert shares == sorted(shares, reverse=True)
    assert 0.0 < shares[-1] < 0.9 * first
    agent.new_game()
    assert agent.limits.seconds == first
    with pytest.raises(PetteiaError, match="increment goes with game_time"):
        agents.make("engine(increment=1)", game)
    capped = agents.make("engine(game_time=100, time=0.5)", game)
    assert isinstance(capped, EngineAgent)
    assert capped.limits.seconds == 0.5


def test_no_time_at_all_still_gives_a_legal_move() -> None:
    found = asked(standard(), STANDARD.start(), Limits(seconds=0.0))
    assert found.best.move in STANDARD.legal_moves(STANDARD.start())


def test_another_thread_can_stop_the_search() -> None:
    engine = standard()
    asked(engine, STANDARD.start(), Limits(depth=1))
    timer = threading.Timer(0.1, engine.stop)
    timer.start()
    found = asked(engine, STANDARD.start(), Limits())
    timer.join()
    assert found.best.move in STANDARD.legal_moves(STANDARD.start())
    assert found.nodes > 1


class Stakes(Heap):
    """A heap about several points."""

    most_points = 4.0


@pytest.mark.parametrize(("game", "points"), [(Heap(), 1), (Stakes(), 1), (Stakes(), 3)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_forced_end_that_is_met_at_another_ply_has_its_value_there(
    game: Game, points: int, sign: int
) -> None:
    for ply, other, left in ((1, 1, 5), (2, 8, 3), (9, 4, 11)):
        value = sign * points * (WIN - (ply + left))
        found = from_table(game, to_table(game, value, ply), other)
        assert found == sign * points * (WIN - (other + left))
    assert from_table(game, to_table(game, 250.0, 3), 7) == 250.0
