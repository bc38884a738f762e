"""Several threads in one search: the same answers where they are exact, and limits that hold."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from petteia import agents
from petteia.core.errors import PetteiaError
from petteia.core.words import U
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution.solver import swept
from petteia.search.claims import claim, claim_of, made_claims, release
from petteia.search.contract import Limits, PlainSearchAgent, Question
from petteia.search.engine import Engine
from petteia.search.mcts import MonteCarlo
from petteia.search.values import is_decided
from tests.positions import random_positions

SMALL = Breakthrough(3, 5, filled=1)
STANDARD = Breakthrough()
LORENTZ = Breakthrough.evaluations["lorentz"]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def test_a_claimed_move_is_free_again_when_it_is_released() -> None:
    claims = made_claims()
    ws: Any = np.zeros(1, [("claims", np.int64)]).view(np.recarray)[0]
    ws["claims"] = claims.__array_interface__["data"][0]
    wanted = claim_of(U(12345), 7, 5)
    assert len({int(wanted), int(claim_of(U(12345), 7, 6)), int(claim_of(U(12345), 8, 5))}) == 3
    assert claim(ws, wanted)
    assert not claim(ws, wanted)
    release(ws, wanted)
    assert not claims.any()
    assert claim(ws, wanted)


@pytest.mark.parametrize("every", [False, True])
def test_without_reductions_many_threads_find_the_values_of_one(every: bool) -> None:
    one, many = (
        Engine(STANDARD, LORENTZ, table_bits=16, reduce=False, threads=count) for count in (1, 3)
    )
    for p in random_positions(STANDARD, 60, seed=6)[12::16]:
        question = Question(p, LORENTZ.array, Limits(depth=5), every=every)
        expected, found = one.ask(question), many.ask(question)
        if every:
            values = (
                {each.move: each.value for each in answer.moves} for answer in (expected, found)
            )
            assert next(values) == next(values)
        assert found.value == expected.value
        assert found.depth == expected.depth
        assert found.best.line[0] == found.best.move


def test_decided_games_have_the_right_winner() -> None:
    solution = swept(SMALL)
    engine = Engine(SMALL, LORENTZ, table_bits=12, threads=2)
    for p in random_positions(SMALL, 60, seed=2)[::4]:
        value = engine.ask(Question(p, LORENTZ.array, Limits(depth=40))).value
        assert value is not None
        assert is_decided(value)
        assert (value > 0) is solution.mover_wins(p)


@pytest.mark.parametrize("limit", [1, 2_000, 50_000])
def test_a_limit_of_nodes_counts_those_of_all_threads(limit: int) -> None:
    engine = Engine(STANDARD, LORENTZ, table_bits=16, threads=3)
    found = engine.ask(Question(STANDARD.start(), LORENTZ.array, Limits(nodes=limit)))
    assert found.best.move in STANDARD.legal_moves(STANDARD.start())
    assert found.nodes <= limit + 3 * 100  # the quiescence that was under way is finished


def test_all_threads_end_when_the_search_is_stopped() -> None:
    engine = Engine(STANDARD, LORENTZ, table_bits=16, threads=2)
    p = STANDARD.start()
    depths = []

    def hear(depth: int) -> None:
        depths.append(depth)
        if depth == 4:
            engine.stop()

    question = Question(p, LORENTZ.array, on_depth=lambda answer: hear(answer.depth))
    assert engine.ask(question).best.move in STANDARD.legal_moves(p)
    assert depths == [1, 2, 3, 4]


def test_the_same_simulations_in_as_many_trees_give_the_same_answer() -> None:
    p = STANDARD.start()
    question = Question(p, limits=Limits(nodes=500), seed=3)
    found = MonteCarlo(STANDARD, threads=3).ask(question)
    assert found == MonteCarlo(STANDARD, threads=3).ask(question)
    assert found != MonteCarlo(STANDARD).ask(question)
    assert found.leaves == sum(each.visits for each in found.moves) == 500
    assert sorted(each.move for each in found.moves) == sorted(STANDARD.legal_moves(p))


def test_fewer_simulations_than_threads_are_possible() -> None:
    question = Question(STANDARD.start(), limits=Limits(nodes=2), seed=3)
    assert MonteCarlo(STANDARD, threads=5).ask(question).leaves == 2


def test_what_one_tree_has_proven_is_certain() -> None:
    search = MonteCarlo(SMALL, threads=2)
    solution, certain = swept(SMALL), 0
    for p in random_positions(SMALL, 60, seed=2)[::4]:
        found = search.ask(Question(p, limits=Limits(nodes=4_000), seed=1))
        certain += found.is_certain
        if found.is_certain:
            assert found.value == (1.0 if solution.mover_wins(p) else -1.0)
    assert certain >= 8


@pytest.mark.parametrize("name", ["engine", "mcts"])
def test_impossible_numbers_of_threads_are_refused(name: str) -> None:
    for count in (0, -2, 1000):
        with pytest.raises(PetteiaError, match=f"threads={count} is not possible; 1 to 256"):
            agents.make(f"{name}(threads={count})", STANDARD)


@pytest.mark.parametrize(
    ("spec", "used"),
    [
        ("engine(time=0.1)", 4),
        ("engine", 4),
        ("engine(time=0.1, threads=2)", 2),
        ("engine(depth=3)", 1),
        ("engine(time=9, nodes=100)", 1),
        ("mcts(time=0.1)", 4),
        ("mcts(time=0.1, threads=1)", 1),
        ("mcts", 1),
    ],
)
def test_commands_give_threads_only_where_nothing_else_is_said(spec: str, used: int) -> None:
    agent = agents.make(spec, STANDARD)
    agent.use_threads(4)
    assert isinstance(agent, PlainSearchAgent)
    assert isinstance(agent.search, Engine | MonteCarlo)
    assert agent.search.threads == used
    assert str(agent) == spec
