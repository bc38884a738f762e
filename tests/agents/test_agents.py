"""Agents are made from specs, play legally, and say clearly what was wrong."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.position import Position
from petteia.core.spec import parse
from petteia.core.words import Words
from tests.positions import random_positions
from tests.toys import OddEven, Race

SMALL = games.make("breakthrough(columns=4, rows=5)")
SPECS = [
    "random",
    "greedy(eval=offensive1)",
    "minimax(depth=2, eval=defensive1)",
    "alphabeta(depth=3, eval=offensive2)",
    "engine(nodes=500)",
    "engine(depth=3, eval=defensive2(opp_front=-6))",
    "mcts(simulations=50)",
]


@pytest.mark.parametrize("spec", SPECS)
def test_agents_play_legally_and_repeatably(spec: str) -> None:
    agent = agents.make(spec, SMALL)
    p = SMALL.start()
    for seed in range(6):
        legal = SMALL.legal_moves(p)
        agent.new_game()
        first = agent.choose(p, seed=seed).move
        agent.new_game()
        assert first in legal
        assert agent.choose(p, seed=seed).move == first
        p = SMALL.play(p, first)


@pytest.mark.parametrize("spec", SPECS)
def test_specs_print_back_to_the_same_text(spec: str) -> None:
    agent = agents.make(spec, SMALL)
    assert str(agent) == spec
    assert pickle.loads(pickle.dumps(agent.spec)) == parse(spec)


@pytest.mark.parametrize("spec", SPECS[1:])
def test_values_rank_every_legal_move_and_agree_with_the_choice(spec: str) -> None:
    agent = agents.make(spec, SMALL)
    p = SMALL.start()
    values = agent.values(p, seed=3)
    assert sorted(each.move for each in values) == sorted(SMALL.legal_moves(p))
    numbers = [each.value for each in values if each.value is not None]
    if not spec.startswith("mcts"):
        assert numbers == sorted(numbers, reverse=True)
    if "depth" in spec:
        assert agent.choose(p, seed=3).value == pytest.approx(numbers[0])
    assert all(each.line[0] == each.move for each in values)


def test_noise_changes_with_the_seed_of_the_move_unless_the_spec_fixes_it() -> None:
    game = games.make("breakthrough")
    free = agents.make("greedy(eval=defensive1)", game)
    assert len({free.choose(game.start(), seed=seed).move for seed in range(30)}) > 5
    fixed = agents.make("greedy(eval=defensive1(seed=4))", game)
    assert len({fixed.choose(game.start(), seed=seed).move for seed in range(30)}) == 1


def test_greedy_takes_the_win() -> None:
    game = games.make("breakthrough")
    p = Position.of(game, "8/P7/8/8/8/8/p7/8 w")
    move = agents.make("greedy(eval=offensive1)", game).choose(p.words).move
    assert game.move_text(p.words, move) in ("a7a8", "a7b8")


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("alphabet(depth=3)", "did you mean alphabeta"),
        ("alphabeta(dept=3)", "did you mean depth"),
        ("alphabeta(depth=deep)", "depth=deep is not a whole number"),
        ("alphabeta(depth=0)", "1 to 60"),
        ("alphabeta(depth=3, eval=ofensive2)", "did you mean offensive2"),
        ("alphabeta(depth=3, eval=offensive2(fron=1))", "weight of evaluation offensive2"),
        ("alphabeta(depth=3, eval=offensive2(my=true))", "is not a number"),
        ("engine(time=0)", "above 0"),
        ("engine(nodes=-1)", "above 0"),
        ("engine(table=0)", "1 to 4096"),
        ("mcts(simulations=0)", "above 0"),
        ("alphabeta(eval=./nowhere.py:f)", "there is no file"),
    ],
)
def test_wrong_specs_say_what_would_be_right(spec: str, what: str) -> None:
    with pytest.raises(PetteiaError, match=what) as caught:
        agents.make(spec, SMALL)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["minimax(depth=2)", "alphabeta(depth=2)", "engine(nodes=10)"])
@pytest.mark.parametrize("game", [Race(), OddEven()])
def test_tree_searches_refuse_dice_and_simultaneous_moves(spec: str, game: Race | OddEven) -> None:
    with pytest.raises(PetteiaError, match="cannot play"):
        agents.make(spec, game)


def test_agents_for_dice_play_them() -> None:
    game = Race()
    p = game.play(game.start(), 2)
    for spec in ("random", "greedy", "mcts(simulations=100)"):
        assert agents.make(spec, game).choose(p, seed=1).move in game.legal_moves(p)


def test_plain_greedy_puts_what_is_certain_first() -> None:
    agent, certain = agents.make("greedy", SMALL), 0

    def end(p: Words) -> int:
        """1 where the player who has just moved wins, -1 where he loses, 0 where nobody knows."""
        return 1 if SMALL.kind(p) == TERMINAL else -int(np.sign(SMALL.forced(p)))

    for p in random_positions(SMALL, 200, seed=3):
        ends = {move: end(SMALL.play(p, move)) for move in SMALL.legal_moves(p)}
        assert ends[agent.choose(p).move] == max(ends.values())
        certain += len(set(ends.values())) > 1
    assert certain > 20


def test_random_chooses_for_each_side_of_a_simultaneous_node() -> None:
    game = OddEven()
    agent = agents.make("random", game)
    first = {agent.choose(game.start(), seed=s, player=0).move for s in range(40)}
    second = {agent.choose(game.start(), seed=s, player=1).move for s in range(40)}
    assert (first, second) == ({1, 2, 3}, {1, 2})


def _agent(tmp_path: Path, source: str, spec: str) -> Agent:
    path = tmp_path / "mine.py"
    path.write_text(source)
    return agents.make(spec.replace("FILE", str(path)), SMALL)


def test_a_users_evaluation_is_used_by_its_path(tmp_path: Path) -> None:
    source = (
        "from petteia import popcount\n"
        "def helper(word):\n    return popcount(word)\n"
        "def mine(game, p, player):\n    return 3.0 * helper(p[player]) + game.columns\n"
    )
    agent = _agent(tmp_path, source, "alphabeta(depth=1, eval=FILE:mine)")
    assert agent.choose(SMALL.start()).value == 3.0 * 8 + 4


def test_a_users_features_have_weights_and_shares(tmp_path: Path) -> None:
    source = (
        "from petteia import popcount\n"
        "def mine(game, p, player):\n"
        "    return (float(popcount(p[player])), float(popcount(p[1 - player])))\n"
        "mine.weights = {'own': 2.0, 'enemy': -1.0}\n"
    )
    agent = _agent(tmp_path, source, "greedy(eval=FILE(own=5))")
    evaluation = agents.evaluation_for(SMALL, agent.spec.arguments[0][1])  # type: ignore[arg-type]
    assert evaluation.shares(SMALL, SMALL.start(), 0) == {"own": 40.0, "enemy": -8.0}
    assert agent.choose(SMALL.start()).value == 32.0


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("def mine(game, p, player)\n    return 1.0\n", "SyntaxError"),
        ("import nothing_of_this_name\n", "ModuleNotFoundError"),
        ("def other(game, p, player):\n    return 1.0\n", "unknown evaluation"),
        ("def mine(game, p):\n    return 1.0\n", "takes 2 parameters"),
    ],
)
def test_a_users_mistakes_are_one_line(tmp_path: Path, source: str, what: str) -> None:
    with pytest.raises(PetteiaError, match=what) as caught:
        _agent(tmp_path, source, "greedy(eval=FILE:mine)")
    assert "\n" not in str(caught.value)


def test_an_evaluation_that_cannot_be_compiled_is_one_line(tmp_path: Path) -> None:
    source = "def mine(game, p, player):\n    return len({'a': 1, 'b': player})\n"
    with pytest.raises(PetteiaError) as caught:
        _agent(tmp_path, source, "greedy(eval=FILE:mine)").choose(SMALL.start())
    assert "\n" not in str(caught.value)
    assert "mine.py:2: in mine: " in str(caught.value)


def test_changed_weights_need_no_new_kernel() -> None:
    base = SMALL.evaluations["defensive2"]
    changed = base.with_weights({"my": 9}).with_weights({"opp": 1})
    assert changed.tag is base.tag is base
    values = [
        agents.make(f"greedy(eval=defensive2(my={my}))", SMALL).choose(SMALL.start()).value
        for my in (2, 3)
    ]
    assert values[1] == pytest.approx((values[0] or 0) + 8)
