"""UCT against its reference, exact values, and its promises about limits, seeds and proofs."""

from __future__ import annotations

import threading
from functools import cache
from time import perf_counter

import numpy as np
import pytest

from petteia.compiled.native import sort_of
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.search.contract import Answer, Limits, Question
from petteia.search.mcts import MonteCarlo
from petteia.search.reference_mcts import Node, uct
from tests.positions import random_positions
from tests.toys import OddEven, Race

SMALL = Breakthrough(3, 5, filled=1)
STANDARD = Breakthrough()


def run(
    search: MonteCarlo,
    p: Words,
    simulations: int | None = None,
    *,
    seed: int = 0,
    seconds: float | None = None,
    every: bool = False,
) -> Answer:
    limits = Limits(nodes=simulations, seconds=seconds)
    return search.ask(Question(p, limits=limits, seed=seed, every=every))


def decisions(game: Game, count: int, seed: int) -> list[Words]:
    return [p for p in random_positions(game, count, seed) if game.kind(p) == DECISION]


@cache
def race_value(p: Words) -> float:
    """The value of the toy race for player 0 when both play best."""
    game = Race()
    if game.kind(p) == TERMINAL:
        return game.result(p)
    if game.kind(p) == CHANCE:
        return sum(chance * race_value(game.play(p, face)) for face, chance in game.outcomes(p))
    best = max if game.mover(p) == 0 else min
    return best(race_value(game.play(p, move)) for move in game.legal_moves(p))


@cache
def winner(p: Words) -> int:
    """Who wins the small board when both play best."""
    if SMALL.kind(p) == TERMINAL:
        return 0 if SMALL.result(p) > 0 else 1
    mover = int(SMALL.mover(p))
    wins = any(winner(SMALL.play(p, move)) == mover for move in SMALL.legal_moves(p))
    return mover if wins else 1 - mover


@pytest.mark.parametrize(
    ("game", "points"),
    [pytest.param(Race(), 2.0, id="race"), pytest.param(SMALL, 1.0, id="breakthrough")],
)
def test_the_tree_is_that_of_the_reference(game: Game, points: float) -> None:
    search = MonteCarlo(game, exploration=0.8, points=points)
    for seed, p in enumerate(decisions(game, 30, seed=1)):
        found = run(search, p, 120, seed=seed)
        root = uct(game, p, 120, np.array([derive(seed, "mcts")], np.uint64), 0.8, points)
        sign = 1.0 if game.mover(p) == 0 else -1.0
        assert found.is_certain == (root.exact is not None)
        assert found.leaves == root.visits - 1
        assert found.interior == size(root)
        assert {m.move: (m.visits, m.value) for m in found.moves} == {
            child.move: (
                child.visits,
                sign * child.mean if child.visits or child.exact is not None else None,
            )
            for child in root.children
        }


def size(node: Node) -> int:
    return 1 + sum(size(child) for child in node.children)


def test_the_interpreter_builds_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    search, p = MonteCarlo(Race(), points=2), decisions(Race(), 10, seed=2)[1]
    compiled = run(search, p, 60, seed=5)
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    assert run(search, p, 60, seed=5) == compiled


def test_a_win_in_one_is_found_and_proven_at_once() -> None:
    search, wins = MonteCarlo(STANDARD), 0
    for p in random_positions(STANDARD, 400, seed=3):
        ends = [
            m for m in STANDARD.legal_moves(p) if STANDARD.kind(STANDARD.play(p, m)) == TERMINAL
        ]
        if ends:
            wins += 1
            found = run(search, p, 1000)
            assert found.best.move in ends
            assert (found.value, found.is_certain, found.leaves) == (1.0, True, 1)
    assert wins > 3


def test_a_loss_in_two_is_proven_and_every_move_has_its_value() -> None:
    p = STANDARD.parse("8/P6P/8/3pp3/8/8/8/3PP3 b")
    found = run(MonteCarlo(STANDARD), p, 5000)
    assert found.is_certain
    assert found.value == -1.0
    assert {move.value for move in found.moves} == {-1.0}
    assert sorted(m.move for m in found.moves) == sorted(STANDARD.legal_moves(p))


def test_whatever_is_proven_is_true() -> None:
    """Every proven node of whole trees, and the move that a proof recommends."""
    search, proven = MonteCarlo(SMALL), 0
    for p in random_positions(SMALL, 200, seed=4)[::10]:
        found = run(search, p, 3000)
        tree = search.tree[: found.interior].tolist()
        nodes = [(0, p)]
        while nodes:
            node, q = nodes.pop()
            total, _, first, count, _, is_proven = tree[node]
            if is_proven:
                proven += 1
                assert total == (1.0 if winner(q) == 0 else -1.0)
            children = range(first, first + count)
            nodes += [(child, SMALL.play(q, tree[child][1])) for child in children]
        if found.is_certain:
            wins = winner(p) == SMALL.mover(p)
            assert found.value == (1.0 if wins else -1.0)
            assert (winner(SMALL.play(p, found.best.move)) == SMALL.mover(p)) == wins
    assert proven > 1000


def test_enough_simulations_prove_a_whole_small_game() -> None:
    found = run(MonteCarlo(SMALL), SMALL.start(), 10**7)
    assert found.is_certain
    assert found.value == (1.0 if winner(SMALL.start()) == 0 else -1.0)
    assert found.leaves < 10**7


def test_dice_are_weighed_by_their_probabilities() -> None:
    game = Race()
    search = MonteCarlo(game, points=2)
    checked = 0
    for p in decisions(game, 60, seed=5):
        sign = 1 if game.mover(p) == 0 else -1
        values = {m: sign * race_value(game.play(p, m)) for m in game.legal_moves(p)}
        found = run(search, p, 20_000, seed=1)
        assert found.value == pytest.approx(max(values.values()), abs=0.05)
        if len(values) > 1 and abs(values[1] - values[int(p[2])]) > 0.05:
            checked += 1
            assert found.best.move == max(values, key=lambda move: values[move])
    assert checked > 10


def test_the_same_seed_gives_the_same_result() -> None:
    p = random_positions(STANDARD, 20, seed=6)[-1]
    one, other = MonteCarlo(STANDARD), MonteCarlo(STANDARD)
    first = run(one, p, 3000, seed=1)
    run(other, STANDARD.start(), 500, seed=9)  # what was searched before does not matter
    assert run(other, p, 3000, seed=1) == first
    assert run(other, p, 3000, seed=2) != first
    assert first.leaves == 3000
    assert sum(move.visits for move in first.moves) == 3000


def test_growing_changes_nothing_and_a_full_tree_still_simulates() -> None:
    p = STANDARD.start()
    grown = MonteCarlo(STANDARD)
    roomy = MonteCarlo(STANDARD)
    run(roomy, p, 30_000, seed=2)
    assert len(grown.tree) < len(roomy.tree)
    assert run(grown, p, 20_000, seed=1) == run(roomy, p, 20_000, seed=1)
    full = run(MonteCarlo(STANDARD, max_nodes=1000), p, 5000)
    assert full.leaves == 5000
    assert full.interior <= 1000


def test_moves_are_ranked_and_lines_are_legal() -> None:
    search = MonteCarlo(STANDARD)
    for p in random_positions(STANDARD, 60, seed=7)[::6]:
        found = run(search, p, 2000, every=True)
        assert run(search, p, 2000).best == found.best
        assert found.value == found.best.value
        assert sorted(m.move for m in found.moves) == sorted(STANDARD.legal_moves(p))
        for m in found.moves:
            assert m.line[0] == m.move
            q = p
            for step in m.line:
                assert step in STANDARD.legal_moves(q)
                q = STANDARD.play(q, step)
        if not found.is_certain:
            open_moves = [m for m in found.moves if m.value != -1.0]
            assert open_moves == sorted(
                open_moves, key=lambda m: (m.visits, m.value or 0.0), reverse=True
            )


def test_more_simulations_find_more_of_the_winning_moves() -> None:
    won = [p for p in random_positions(SMALL, 300, seed=8) if winner(p) == SMALL.mover(p)]
    search = MonteCarlo(SMALL)
    right = [
        sum(winner(SMALL.play(p, run(search, p, n).best.move)) == SMALL.mover(p) for p in won)
        for n in (1, 100, 10_000)
    ]
    assert right[0] < right[1] < right[2]
    assert right[2] > 0.97 * len(won)


def test_another_thread_can_stop_the_search() -> None:
    search = MonteCarlo(STANDARD)
    run(search, STANDARD.start(), 1)  # compiled before the clock runs
    timer = threading.Timer(0.1, search.stop)
    timer.start()
    found = run(search, STANDARD.start(), 10**9)
    timer.join()
    assert 1 < found.leaves < 10**9
    assert run(search, STANDARD.start(), 50).leaves == 50


def test_a_limit_of_time_ends_the_search() -> None:
    search = MonteCarlo(STANDARD)
    run(search, STANDARD.start(), 1)
    started = perf_counter()
    found = run(search, STANDARD.start(), seconds=0.1)
    assert perf_counter() - started < 5.0
    assert found.leaves > 1
    assert run(search, STANDARD.start(), seconds=0.0).leaves >= 1


def test_a_search_needs_a_sensible_limit() -> None:
    with pytest.raises(PetteiaError, match="needs a limit"):
        run(MonteCarlo(SMALL), SMALL.start())
    with pytest.raises(PetteiaError, match="at least 1"):
        run(MonteCarlo(SMALL), SMALL.start(), 0)


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(PetteiaError, match="simultaneous"):
        MonteCarlo(OddEven())
    with pytest.raises(PetteiaError, match="nobody is to move"):
        run(MonteCarlo(Race()), Race().start(), 10)
    with pytest.raises(PetteiaError, match="exploration=-1"):
        MonteCarlo(SMALL, exploration=-1)
    with pytest.raises(PetteiaError, match="points=0"):
        MonteCarlo(SMALL, points=0)


def test_trees_of_other_fields_are_other_arguments_to_the_compiler() -> None:
    one, other = (np.zeros(3, [(name, np.int64), ("b", np.float64)]) for name in ("a", "c"))
    assert sort_of(one) != sort_of(other)
    assert sort_of(one) == sort_of(one.view(np.recarray))
