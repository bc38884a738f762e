"""Compiled minimax and alpha-beta against the recursions of ``search.reference``."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia.compiled import popcount, words_at
from petteia.core.evaluation import Evaluation, WeightedEvaluation
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words
from petteia.games.breakthrough import Breakthrough
from petteia.search import reference
from petteia.search.alphabeta import FixedDepthSearch
from petteia.search.contract import Answer, Limits, Question
from petteia.search.values import WIN, settled_value, terminal_value
from tests.positions import random_positions
from tests.toys import Heap

BOARDS = (
    Breakthrough(4, 4, filled=1),
    Breakthrough(5, 5),
    Breakthrough(4, 5, first=1),
    Breakthrough(4, 5, workers=3),
)
NAMES = (("offensive1", "lorentz"), ("offensive2", "tuned"), ("lorentz",), ("offensive2",))
EACH = pytest.mark.parametrize(
    ("board", "evaluation"),
    [
        pytest.param(board, Breakthrough.evaluations[name], id=f"{board}-{name}")
        for board, names in zip(BOARDS, NAMES, strict=True)
        for name in names
    ],
)


@cache
def positions(board: Breakthrough) -> list[Words]:
    return random_positions(board, 600, seed=1)


@cache
def searches(board: Breakthrough, evaluation: Evaluation) -> tuple[FixedDepthSearch, ...]:
    """Minimax and alpha-beta."""
    return tuple(FixedDepthSearch(board, evaluation, prune=prune) for prune in (False, True))


def found(
    board: Breakthrough, evaluation: Evaluation, p: Words, depth: int, searcher: int, *, prune: bool
) -> Answer:
    return asked(searches(board, evaluation)[prune], p, depth, searcher)


def asked(search: FixedDepthSearch, p: Words, depth: int, searcher: int = 0) -> Answer:
    return search.ask(Question(p, search.evaluation.array, Limits(depth), searcher))


def value_after(search: FixedDepthSearch, p: Words, depth: int, searcher: int) -> float:
    """The value of a position one ply from the root."""
    return search.value(p, depth, searcher, search.evaluation.array, played=1)


@EACH
def test_value_and_node_counts_are_those_of_the_references(
    board: Breakthrough, evaluation: Evaluation
) -> None:
    weights = evaluation.array
    for number, p in enumerate(positions(board)[:120]):
        searcher = number % 2
        for depth in (1, 2, 3, 4) if number % 6 == 0 else (1, 2):

            def evaluate(leaf: Words, searcher: int = searcher, depth: int = depth) -> float:
                return settled_value(board, evaluation, leaf, searcher, depth, weights)

            counts = reference.Textbook(board, evaluate, searcher)
            value = counts.alphabeta(p, depth)
            pruned = found(board, evaluation, p, depth, searcher, prune=True)
            assert pruned.value == value
            assert (pruned.interior, pruned.leaves) == (counts.interior, counts.leaves)
            if depth < 3 or (depth == 3 and number % 24 == 0):
                counts = reference.Textbook(board, evaluate, searcher)
                value = counts.minimax(p, depth)
                full = found(board, evaluation, p, depth, searcher, prune=False)
                assert full.value == value == pruned.value
                assert (full.interior, full.leaves) == (counts.interior, counts.leaves)


@EACH
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_pruning_keeps_move_and_value_and_visits_no_more(
    board: Breakthrough, evaluation: Evaluation, data: st.DataObject
) -> None:
    p = data.draw(st.sampled_from(positions(board)))
    depth, searcher = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 1))
    full = found(board, evaluation, p, depth, searcher, prune=False)
    pruned = found(board, evaluation, p, depth, searcher, prune=True)
    assert (pruned.best.move, pruned.value) == (full.best.move, full.value)
    assert pruned.interior <= full.interior
    assert pruned.leaves <= full.leaves


@EACH
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_line_is_legal_and_leads_to_the_value(
    board: Breakthrough, evaluation: Evaluation, data: st.DataObject
) -> None:
    p = data.draw(st.sampled_from(positions(board)))
    depth, searcher = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 1))
    best = found(board, evaluation, p, depth, searcher, prune=data.draw(st.booleans())).best
    assert best.line[0] == best.move
    for move in best.line:
        assert move in board.legal_moves(p)
        p = board.play(p, move)
    if board.kind(p) == TERMINAL:
        assert best.value == terminal_value(board, p, searcher, len(best.line))
    else:
        assert len(best.line) == depth
        end = settled_value(board, evaluation, p, searcher, depth, evaluation.array)
        assert best.value == end


@EACH
def test_the_first_of_equal_moves_is_chosen(board: Breakthrough, evaluation: Evaluation) -> None:
    ties = 0
    for p in positions(board)[::12]:
        for searcher in (0, 1):
            best_of = max if board.mover(p) == searcher else min
            values = {
                move: value_after(searches(board, evaluation)[1], board.play(p, move), 2, searcher)
                for move in board.legal_moves(p)
            }
            first = best_of(values, key=lambda move: values[move])
            ties += sum(value == values[first] for value in values.values()) > 1
            assert found(board, evaluation, p, 3, searcher, prune=True).best.move == first
            assert found(board, evaluation, p, 3, searcher, prune=False).best.move == first
    assert ties or evaluation.name == "offensive1"  # its noise breaks ties


def test_minimax_counts_of_the_standard_board() -> None:
    game, evaluation = Breakthrough(), Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=False)
    best = asked(search, game.start(), 5)
    assert (best.interior, best.leaves) == (267_675, 6_182_818)


def test_nothing_is_searched_at_depth_zero_or_when_the_game_is_over() -> None:
    game, evaluation = BOARDS[0], Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=True)
    p = positions(game)[7]
    assert search.value(p, 0, 1, evaluation.array) == evaluation.of(game, p, 1)
    while game.kind(p) != TERMINAL:
        p = game.play(p, game.legal_moves(p)[-1])
    value = game.result(p) * (WIN - 3)
    assert search.value(p, 4, 0, evaluation.array, played=3) == value
    assert (search.ws["interior"], search.ws["leaves"]) == (0, 2)


def test_every_move_has_the_value_of_what_follows_it() -> None:
    board, evaluation = BOARDS[1], Breakthrough.evaluations["lorentz"]
    search = searches(board, evaluation)[1]
    for p in positions(board)[::60]:
        mover = int(board.mover(p))
        question = Question(p, evaluation.array, Limits(3), mover, every=True)
        every = search.ask(question).moves
        best = asked(search, p, 3, mover).best
        assert every[0] == best
        assert {each.move: each.value for each in every} == {
            move: value_after(search, board.play(p, move), 2, mover)
            for move in board.legal_moves(p)
        }


def stops_itself(game: Breakthrough, p: Words, player: int, w: np.ndarray) -> float:
    """Counts workers and stops after some evaluations: its weights are how many, and where the
    search's flag lies."""
    w[0] -= 1
    if w[0] == 0:
        words_at(int(w[1]), 1)[0] = U(1)
    balance = popcount(p[0]) - popcount(p[1])
    return float(balance if player == 0 else -balance)


def stoppable(*, prune: bool) -> FixedDepthSearch:
    evaluation = WeightedEvaluation("stops_itself", stops_itself, {"leaves": 0.0, "flag": 0.0})
    search = FixedDepthSearch(BOARDS[0], evaluation, prune=prune)
    evaluation.weights["flag"] = float(search.ws.__array_interface__["data"][0])
    return search


@settings(max_examples=150, deadline=None)
@given(data=st.data(), prune=st.booleans(), searcher=st.integers(0, 1), leaves=st.integers(1, 4000))
def test_a_stopped_search_answers_from_the_moves_it_has_finished(
    data: st.DataObject, prune: bool, searcher: int, leaves: int
) -> None:
    board, search = BOARDS[0], stoppable(prune=prune)
    p = data.draw(st.sampled_from(positions(board)))
    moves = board.legal_moves(p)
    values = [value_after(search, board.play(p, move), 3, searcher) for move in moves]
    search.evaluation.weights["leaves"] = leaves
    answer = asked(search, p, 4, searcher)
    best_of = max if board.mover(p) == searcher else min
    assert (answer.best.move, answer.value) in [(moves[0], None)] + [
        (moves[values.index(best_of(values[:k]))], best_of(values[:k]))
        for k in range(1, len(moves) + 1)
    ]


def test_a_search_stopped_at_its_first_move_still_names_a_legal_one() -> None:
    board, search = BOARDS[0], stoppable(prune=False)
    search.evaluation.weights["leaves"] = 1
    question = Question(board.start(), search.evaluation.array, Limits(4))
    assert search.answer(question).moves == ()
    answer = search.ask(question)
    assert answer.best.move in board.legal_moves(board.start())
    assert (answer.value, answer.best.value, answer.leaves) == (None, None, 1)
    assert answer.decision(0).move == answer.best.move
    question.every = True  # what was not finished has no value
    every = search.ask(question).moves
    assert {each.move: each.value for each in every} == dict.fromkeys(
        board.legal_moves(board.start())
    )


def test_another_thread_can_stop_a_search() -> None:
    game, evaluation = Breakthrough(), Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=False)
    asked(search, game.start(), 1)  # compiled before the clock runs
    timer = threading.Timer(0.1, search.stop)
    timer.start()
    answer = asked(search, game.start(), 9)  # would take an hour
    timer.join()
    assert answer.leaves > 0
    assert answer.best.move in game.legal_moves(game.start())


def second_weight(game: Heap, p: Words, player: int, w: np.ndarray) -> float:
    return float(w[1])


class Narrow(WeightedEvaluation):
    """Its array is longer than its weights, and in single precision, as that of a network."""

    @property
    def array(self) -> np.ndarray:
        return np.array([0.0, 0.1], np.float32)


def test_an_evaluation_gets_its_array_as_it_made_it() -> None:
    search = FixedDepthSearch(Heap(), Narrow("narrow", second_weight), prune=True)
    assert asked(search, Heap().start(), 1).value == float(np.float32(0.1))
