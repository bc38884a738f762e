"""Compiled minimax and alpha-beta against the recursions of ``search.reference``."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia.compiled import popcount
from petteia.core.evaluation import Evaluation, WeightedEvaluation
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.search import reference
from petteia.search.alphabeta import FixedDepthSearch, Found
from petteia.search.values import WIN, settled_value, terminal_value
from tests.positions import random_positions

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
) -> Found:
    return searches(board, evaluation)[prune].run(p, depth, searcher, evaluation.array)


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

            counts = reference.Counts()
            value = reference.alphabeta(board, p, depth, evaluate, searcher, counts)
            pruned = found(board, evaluation, p, depth, searcher, prune=True)
            assert pruned.value == value
            assert (pruned.interior, pruned.leaves) == (counts.interior, counts.leaves)
            if depth < 3 or (depth == 3 and number % 24 == 0):
                counts = reference.Counts()
                value = reference.minimax(board, p, depth, evaluate, searcher, counts)
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
    assert (pruned.move, pruned.value) == (full.move, full.value)
    assert pruned.interior <= full.interior
    assert pruned.leaves <= full.leaves
    assert pruned.finished <= full.finished <= full.leaves


@EACH
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_line_is_legal_and_leads_to_the_value(
    board: Breakthrough, evaluation: Evaluation, data: st.DataObject
) -> None:
    p = data.draw(st.sampled_from(positions(board)))
    depth, searcher = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 1))
    best = found(board, evaluation, p, depth, searcher, prune=data.draw(st.booleans()))
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
                move: searches(board, evaluation)[1]
                .run(board.play(p, move), 2, searcher, evaluation.array, ply=1)
                .value
                for move in board.legal_moves(p)
            }
            first = best_of(values, key=lambda move: values[move])
            ties += sum(value == values[first] for value in values.values()) > 1
            assert found(board, evaluation, p, 3, searcher, prune=True).move == first
            assert found(board, evaluation, p, 3, searcher, prune=False).move == first
    assert ties or evaluation.name == "offensive1"  # its noise breaks ties


def test_minimax_counts_of_the_standard_board() -> None:
    game, evaluation = Breakthrough(), Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=False)
    best = search.run(game.start(), 5, 0, evaluation.array)
    assert (best.interior, best.leaves, best.finished) == (267_675, 6_182_818, 0)


def test_nothing_is_searched_at_depth_zero_or_when_the_game_is_over() -> None:
    game, evaluation = BOARDS[0], Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=True)
    p = positions(game)[7]
    assert search.run(p, 0, 1, evaluation.array) == Found(
        -1, evaluation.of(game, p, 1), (), 0, 1, 0
    )
    while game.kind(p) != TERMINAL:
        p = game.play(p, game.legal_moves(p)[-1])
    value = game.result(p) * (WIN - 3)
    assert search.run(p, 4, 0, evaluation.array, ply=3) == Found(-1, value, (), 0, 1, 1)


def stops_itself(game: Breakthrough, p: Words, player: int, w: np.ndarray) -> float:
    """Counts workers and stops after some evaluations: its weights are the counts and one more."""
    w[5] -= 1
    if w[5] == 0:
        w[4] = 1
    balance = popcount(p[0]) - popcount(p[1])
    return float(balance if player == 0 else -balance)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), prune=st.booleans(), searcher=st.integers(0, 1), leaves=st.integers(1, 4000))
def test_a_stopped_search_answers_from_the_moves_it_has_finished(
    data: st.DataObject, prune: bool, searcher: int, leaves: int
) -> None:
    board = BOARDS[0]
    search = FixedDepthSearch(
        board, WeightedEvaluation("stops_itself", stops_itself, {"unused": 0.0}), prune=prune
    )
    weights = np.zeros(6, np.int64)
    search.counts = weights[:5]
    p = data.draw(st.sampled_from(positions(board)))
    moves = board.legal_moves(p)
    values = [search.run(board.play(p, move), 3, searcher, weights, ply=1).value for move in moves]
    weights[5] = leaves
    best = search.run(p, 4, searcher, weights)
    best_of = max if board.mover(p) == searcher else min
    assert (best.move, best.value) in [(-1, -1e18), (-1, 1e18)] + [
        (moves[values.index(best_of(values[:k]))], best_of(values[:k]))
        for k in range(1, len(moves) + 1)
    ]


def test_another_thread_can_stop_a_search() -> None:
    game, evaluation = Breakthrough(), Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=False)
    search.run(game.start(), 1, 0, evaluation.array)  # compiled before the clock runs
    timer = threading.Timer(0.1, lambda: search.counts.__setitem__(4, 1))
    timer.start()
    best = search.run(game.start(), 9, 0, evaluation.array)  # would take an hour
    timer.join()
    assert best.leaves > 0


def test_a_search_that_is_stopped_before_it_starts_finds_nothing() -> None:
    game, evaluation = BOARDS[0], Breakthrough.evaluations["lorentz"]
    search = FixedDepthSearch(game, evaluation, prune=True)
    search.counts[4] = 1
    assert search.run(game.start(), 4, 0, evaluation.array).move == -1
