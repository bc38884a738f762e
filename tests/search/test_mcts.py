"""UCT against its reference, exact values, and its promises about limits, seeds and proofs."""

from __future__ import annotations

import threading
from dataclasses import replace
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
from petteia.search.mcts import MonteCarlo, Outlook
from petteia.search.reference_mcts import Node, uct
from tests.positions import random_positions
from tests.toys import OddEven, Race

SMALL = Breakthrough(3, 5, filled=1)
STANDARD = Breakthrough()


def timeless(found: Outlook) -> Outlook:
    return replace(found, seconds=0.0)


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
        found = search.run(p, 120, seed=seed)
        root = uct(game, p, 120, np.array([derive(seed, "mcts")], np.uint64), 0.8, points)
        sign = 1.0 if game.mover(p) == 0 else -1.0
        assert found.is_proven == (root.exact is not None)
        assert found.simulations == root.visits - 1
        assert found.nodes == size(root)
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
    compiled = timeless(search.run(p, 60, seed=5))
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    assert timeless(search.run(p, 60, seed=5)) == compiled


def test_a_win_in_one_is_found_and_proven_at_once() -> None:
    search, wins = MonteCarlo(STANDARD), 0
    for p in random_positions(STANDARD, 400, seed=3):
        ends = [
            m for m in STANDARD.legal_moves(p) if STANDARD.kind(STANDARD.play(p, m)) == TERMINAL
        ]
        if ends:
            wins += 1
            found = search.run(p, 1000)
            assert found.move in ends
            assert (found.value, found.is_proven, found.simulations) == (1.0, True, 1)
    assert wins > 3


def test_a_loss_in_two_is_proven_and_every_move_has_its_value() -> None:
    p = STANDARD.parse("8/P6P/8/3pp3/8/8/8/3PP3 b")
    found = MonteCarlo(STANDARD).run(p, 5000)
    assert found.is_proven
    assert found.value == -1.0
    assert {move.value for move in found.moves} == {-1.0}
    assert sorted(m.move for m in found.moves) == sorted(STANDARD.legal_moves(p))


def test_whatever_is_proven_is_true() -> None:
    """Every proven node of whole trees, and the move that a proof recommends."""
    search, proven = MonteCarlo(SMALL), 0
    for p in random_positions(SMALL, 200, seed=4)[::10]:
        found = search.run(p, 3000)
        tree = search.tree[: found.nodes].tolist()
        nodes = [(0, p)]
        while nodes:
            node, q = nodes.pop()
            total, _, first, count, _, is_proven = tree[node]
            if is_proven:
                proven += 1
                assert total == (1.0 if winner(q) == 0 else -1.0)
            children = range(first, first + count)
            nodes += [(child, SMALL.play(q, tree[child][1])) for child in children]
        if found.is_proven:
            wins = winner(p) == SMALL.mover(p)
            assert found.value == (1.0 if wins else -1.0)
            assert (winner(SMALL.play(p, found.move)) == SMALL.mover(p)) == wins
    assert proven > 1000


def test_enough_simulations_prove_a_whole_small_game() -> None:
    found = MonteCarlo(SMALL).run(SMALL.start(), 10**7)
    assert found.is_proven
    assert found.value == (1.0 if winner(SMALL.start()) == 0 else -1.0)
    assert found.simulations < 10**7


def test_dice_are_weighed_by_their_probabilities() -> None:
    game = Race()
    search = MonteCarlo(game, points=2)
    checked = 0
    for p in decisions(game, 60, seed=5):
        sign = 1 if game.mover(p) == 0 else -1
        values = {m: sign * race_value(game.play(p, m)) for m in game.legal_moves(p)}
        found = search.run(p, 20_000, seed=1)
        assert abs(found.value - max(values.values())) < 0.05
        if len(values) > 1 and abs(values[1] - values[int(p[2])]) > 0.05:
            checked += 1
            assert found.move == max(values, key=lambda move: values[move])
    assert checked > 10


def test_the_same_seed_gives_the_same_result() -> None:
    p = random_positions(STANDARD, 20, seed=6)[-1]
    one, other = MonteCarlo(STANDARD), MonteCarlo(STANDARD)
    first = timeless(one.run(p, 3000, seed=1))
    other.run(STANDARD.start(), 500, seed=9)  # what was searched before does not matter
    assert timeless(other.run(p, 3000, seed=1)) == first
    assert timeless(other.run(p, 3000, seed=2)) != first
    assert first.simulations == 3000
    assert sum(move.visits for move in first.moves) == 3000


def test_growing_changes_nothing_and_a_full_tree_still_simulates() -> None:
    p = STANDARD.start()
    grown = MonteCarlo(STANDARD)
    roomy = MonteCarlo(STANDARD)
    roomy.run(p, 30_000, seed=2)
    assert len(grown.tree) < len(roomy.tree)
    assert timeless(grown.run(p, 20_000, seed=1)) == timeless(roomy.run(p, 20_000, seed=1))
    full = MonteCarlo(STANDARD, max_nodes=1000).run(p, 5000)
    assert full.simulations == 5000
    assert full.nodes <= 1000


def test_moves_are_ranked_and_lines_are_legal() -> None:
    search = MonteCarlo(STANDARD)
    for p in random_positions(STANDARD, 60, seed=7)[::6]:
        found = search.run(p, 2000, lines=True)
        assert timeless(search.run(p, 2000)).line == found.line
        assert (found.move, found.value, found.line) == (
            found.moves[0].move,
            found.moves[0].value,
            found.moves[0].line,
        )
        assert sorted(m.move for m in found.moves) == sorted(STANDARD.legal_moves(p))
        for m in found.moves:
            assert m.line[0] == m.move
            q = p
            for step in m.line:
                assert step in STANDARD.legal_moves(q)
                q = STANDARD.play(q, step)
        if not found.is_proven:
            open_moves = [m for m in found.moves if m.value != -1.0]
            assert open_moves == sorted(
                open_moves, key=lambda m: (m.visits, m.value or 0.0), reverse=True
            )


def test_more_simulations_find_more_of_the_winning_moves() -> None:
    won = [p for p in random_positions(SMALL, 300, seed=8) if winner(p) == SMALL.mover(p)]
    search = MonteCarlo(SMALL)
    right = [
        sum(winner(SMALL.play(p, search.run(p, n).move)) == SMALL.mover(p) for p in won)
        for n in (1, 100, 10_000)
    ]
    assert right[0] < right[1] < right[2]
    assert right[2] > 0.97 * len(won)


def test_another_thread_can_stop_the_search() -> None:
    search = MonteCarlo(STANDARD)
    search.run(STANDARD.start(), 1)  # compiled before the clock runs
    timer = threading.Timer(0.1, search.stop)
    timer.start()
    found = search.run(STANDARD.start(), simulations=10**9)
    timer.join()
    assert 1 < found.simulations < 10**9
    assert search.run(STANDARD.start(), 50).simulations == 50


def test_a_limit_of_time_ends_the_search() -> None:
    search = MonteCarlo(STANDARD)
    search.run(STANDARD.start(), 1)
    started = perf_counter()
    found = search.run(STANDARD.start(), time=0.1)
    assert perf_counter() - started < 5.0
    assert found.simulations > 1
    assert search.run(STANDARD.start(), time=0.0).simulations >= 1


def test_a_search_needs_a_sensible_limit() -> None:
    with pytest.raises(PetteiaError, match="needs a limit"):
        MonteCarlo(SMALL).run(SMALL.start())
    with pytest.raises(PetteiaError, match="at least 1"):
        MonteCarlo(SMALL).run(SMALL.start(), 0)


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(PetteiaError, match="simultaneous"):
        MonteCarlo(OddEven())
    with pytest.raises(PetteiaError, match="nobody is to move"):
        MonteCarlo(Race()).run(Race().start(), 10)
    with pytest.raises(PetteiaError, match="exploration=-1"):
        MonteCarlo(SMALL, exploration=-1)
    with pytest.raises(PetteiaError, match="points=0"):
        MonteCarlo(SMALL, points=0)


def test_trees_of_other_fields_are_other_arguments_to_the_compiler() -> None:
    one, other = (np.zeros(3, [(name, np.int64), ("b", np.float64)]) for name in ("a", "c"))
    assert sort_of(one) != sort_of(other)
    assert sort_of(one) == sort_of(one.view(np.recarray))
