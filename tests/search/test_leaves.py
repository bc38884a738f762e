"""UCT with random games in batches: its reference, the same tree by any number of threads, and what
an agent's arguments may be."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.games.breakthrough import Breakthrough
from petteia.search.contract import Answer, Limits, Question
from petteia.search.mcts import MonteCarlo
from petteia.search.mcts_leaves import LeafPlan
from petteia.search.reference_leaves import uct_by_leaves
from petteia.search.reference_mcts import Node
from tests.positions import random_positions
from tests.toys import Race

SMALL = Breakthrough(3, 5, filled=1)


def made(game: Game, leaves: int, games_each: int, threads: int = 1) -> MonteCarlo:
    return MonteCarlo(game, plan=LeafPlan("cpu", leaves, games_each), threads=threads)


def run(search: MonteCarlo, p: Words, simulations: int, seed: int = 0) -> Answer:
    return search.ask(Question(p, limits=Limits(nodes=simulations), seed=seed))


def size(node: Node) -> int:
    return 1 + sum(size(child) for child in node.children)


@pytest.mark.parametrize(("leaves", "each"), [(1, 1), (5, 3), (16, 2)])
@pytest.mark.parametrize("game", [pytest.param(each, id=each.name) for each in (Race(), SMALL)])
def test_the_tree_is_that_of_the_reference(game: Game, leaves: int, each: int) -> None:
    search = made(game, leaves, each)
    proven = 0
    starts = [p for p in random_positions(game, 30, seed=1) if game.kind(p) == DECISION]
    for seed, p in enumerate(starts):
        found = run(search, p, 150, seed)
        state = np.array([derive(seed, "mcts")], np.uint64)
        games_seed = derive(seed, "mcts", "playouts")
        root = uct_by_leaves(game, p, 150, state, games_seed, leaves=leaves, games=each)
        sign = 1.0 if game.mover(p) == 0 else -1.0
        assert found.is_certain == (root.exact is not None)
        proven += found.is_certain
        assert found.leaves == root.visits - 1
        assert found.interior == size(root)
        assert {m.move: (m.visits, m.value) for m in found.moves} == {
            child.move: (child.visits, pytest.approx(sign * child.mean, abs=1e-12))
            for child in root.children
            if child.visits or child.exact is not None
        } | {
            child.move: (0, None)
            for child in root.children
            if not child.visits and child.exact is None
        }
    assert 0 < proven < len(starts)


@pytest.mark.parametrize("spec", ["breakthrough", "backgammon", "ur"])
def test_threads_change_nothing(spec: str) -> None:
    game = games.make(spec)
    p = next(p for p in random_positions(game, 8, seed=2) if game.kind(p) == DECISION)
    one, two = (run(made(game, 24, 5, threads), p, 6000, seed=3) for threads in (1, 2))
    assert one.moves == two.moves
    assert 6000 <= one.leaves < 6005
    assert one.leaves == two.leaves


def test_a_small_tree_grows_until_it_may_not() -> None:
    game = Breakthrough()
    wide = MonteCarlo(game, plan=LeafPlan("cpu", 64, 1))
    tight = MonteCarlo(game, plan=LeafPlan("cpu", 64, 1), max_nodes=2000)
    assert run(wide, game.start(), 30_000).interior > 1 << 14
    found = run(tight, game.start(), 30_000)
    assert found.interior <= 2000
    assert found.leaves == 30_000


def test_an_agent_of_batches_moves_and_names_itself() -> None:
    spec = "mcts(simulations=640, playouts=cpu(leaves=16, games=4))"
    agent = agents.make(spec, SMALL)
    assert str(agent.spec) == spec
    assert sum(each.visits for each in agent.values(SMALL.start())) == 640


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("mcts(playouts=moon)", "place for playouts"),
        ("mcts(playouts=cpu(leaves=0))", "leaves=0"),
        ("mcts(playouts=cpu(games=100000))", "games=100000"),
        ("mcts(playouts=cpu(rounds=3))", "rounds"),
    ],
)
def test_what_is_not_possible_is_one_line(spec: str, says: str) -> None:
    with pytest.raises(PetteiaError, match=says) as caught:
        agents.make(spec, Breakthrough())
    assert "\n" not in str(caught.value)


def test_without_a_gpu_one_line_says_so() -> None:
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount():
            pytest.skip("there is a GPU")
    except ImportError:
        pass
    with pytest.raises(PetteiaError, match="playouts=cpu plays them here"):
        agents.make("mcts(playouts=gpu)", Breakthrough())
