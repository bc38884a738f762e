"""Expectiminimax against its readable form; pruning and the table change nothing."""

from __future__ import annotations

import math

import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation, PlainEvaluation
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.words import Words
from petteia.search import reference
from petteia.search.expectimax import PRUNINGS, Expectimax
from tests.positions import random_positions
from tests.toys import OddEven, Race

UR = games.make("ur")


def lead(game: Game, p: Words, player: int) -> float:
    """How much further the player's runner is, in points."""
    ahead = float(p[0]) - float(p[1])
    return (ahead if player == 0 else -ahead) / 5.0


def _in_points() -> Evaluation:
    evaluation = PlainEvaluation("lead", lead)
    evaluation.point = 1.0
    return evaluation


def test_a_race_searched_to_its_end_has_its_exact_value() -> None:
    game = Race()
    tree = Expectimax(game, _in_points())
    exact = _exact(game, game.start())
    assert tree.value(game.start(), 12, 0, tree.evaluation.array) == pytest.approx(exact, abs=1e-6)


def _exact(game: Game, p: Words) -> float:
    return reference.expectimax(game, p, 30, lambda _: math.nan, 0, 1.0)


@pytest.mark.parametrize("scaled", [True, False])
def test_values_are_those_of_the_readable_form(scaled: bool) -> None:
    game = Race()
    evaluation = _in_points() if scaled else PlainEvaluation("lead", lead)
    trees = [
        Expectimax(game, evaluation, prune=prune, table_bits=bits)
        for prune in PRUNINGS
        for bits in (None, 8)
    ]
    for p in random_positions(game, 60, 4):
        for depth in (1, 2, 3):
            for player in (0, 1):

                def judge(q: Words, player: int = player) -> float:
                    return lead(game, q, player)

                expected = reference.expectimax(game, p, depth, judge, player, evaluation.point)
                for tree in trees:
                    found = tree.value(p, depth, player, evaluation.array)
                    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", ["advancement", "utility"])
def test_pruning_and_the_table_change_no_value(name: str) -> None:
    evaluation = UR.evaluations[name]
    plain = Expectimax(UR, evaluation, prune="none", table_bits=None)
    others = [
        Expectimax(UR, evaluation, prune=prune, table_bits=bits)
        for prune, bits in (("star1", None), ("star2", None), ("none", 12), ("star2", 12))
    ]
    for p in random_positions(UR, 2500, 5):
        mover = int(UR.mover(p))
        value = plain.value(p, 3, mover, evaluation.array)
        for other in others:
            assert other.value(p, 3, mover, evaluation.array) == value


def test_star2_with_a_table_needs_fewer_nodes() -> None:
    evaluation = UR.evaluations["advancement"]
    found = {}
    for prune, bits in (("none", None), ("star1", None), ("star2", 16)):
        tree = Expectimax(UR, evaluation, prune=prune, table_bits=bits)
        found[prune] = 0
        for p in random_positions(UR, 20, 6):
            tree.value(p, 4, 0, evaluation.array)
            found[prune] += tree.nodes
    assert found["star2"] < found["star1"] < found["none"]


def test_the_agent_plays_the_move_with_the_highest_value() -> None:
    pruned, plain = (
        agents.make(f"expectimax(depth=2, eval=advancement, prune={prune}, table={table})", UR)
        for prune, table in (("star2", 1), ("none", 0))
    )
    for p in random_positions(UR, 300, 7):
        if UR.kind(p) == DECISION:
            values = plain.values(p)
            assert pruned.choose(p).move == plain.choose(p).move
            assert plain.choose(p).value == values[0].value
            assert pruned.values(p) == values


def test_a_value_before_the_throw_is_the_mean_after_it() -> None:
    evaluation = UR.evaluations["advancement"]
    tree = Expectimax(UR, evaluation)
    (p,) = [q for q in random_positions(UR, 80, 8) if UR.kind(q) == CHANCE][-1:]
    mean = sum(
        chance * tree.value(UR.play(p, roll), 2, 0, evaluation.array)
        for roll, chance in UR.outcomes(p)
    )
    assert tree.value(p, 2, 0, evaluation.array) == pytest.approx(mean, abs=1e-7)


@pytest.mark.parametrize(
    "spec", ["expectimax(depth=0)", "expectimax(depth=99)", "expectimax(prune=star3)",
             "expectimax(table=-1)"],
)  # fmt: skip
def test_impossible_searches_are_refused(spec: str) -> None:
    with pytest.raises(PetteiaError):
        agents.make(spec, UR)


def test_simultaneous_moves_are_refused() -> None:
    with pytest.raises(PetteiaError, match="simultaneous"):
        agents.make("expectimax", OddEven())
