"""Self-play in batches: real games, the same on threads, and what is kept of them."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import games
from petteia.compiled.targets import CUDA
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE
from petteia.learn.samples import Samples, views
from petteia.search.evaluations import evaluation_for
from petteia.search.values import settled_value
from petteia.tune.batch_play import BatchPlay
from tests.positions import random_positions

PLAYERS = [("breakthrough", "offensive2"), ("breakthrough", "learned"), ("ur", None)]
"""One of a few weights, one that writes into its many, one with dice."""


def made(spec: str, named: str | None, most: int = 256) -> BatchPlay:
    game = games.make(spec)
    found = specs.parse(named) if named else None
    return BatchPlay(game, evaluation_for(game, found), most=most)


@pytest.mark.parametrize(("spec", "named"), PLAYERS)
def test_threads_play_the_same_games(spec: str, named: str | None) -> None:
    play = made(spec, named)
    one, two = (play.play(40, 0.2, 7, threads=threads) for threads in (1, 2))
    assert len(one.mover) > 400
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    other = play.play(40, 0.2, 8)
    assert len(other.mover) != len(one.mover) or not np.array_equal(other.own, one.own)


def test_what_is_kept_is_a_line_of_play() -> None:
    play = made("breakthrough", "offensive2")
    found = play.play(20, 0.1, 3)
    game, start = play.game, play.game.start()
    begins = np.flatnonzero(np.diff(found.game, prepend=-1)).tolist()
    assert found.game[begins].tolist() == list(range(20))
    first = views(game, [start])
    assert (found.own[begins] == first.own[0]).all()
    p = start
    for row in range(begins[0], begins[1] - 1):  # some move leads from each row to the next
        after = {}
        for move in game.legal_moves(p):
            q = game.play(p, move)
            seen = views(game, [q])
            after[seen.own.tobytes(), seen.other.tobytes(), int(seen.mover[0])] = q
        key = found.own[row + 1].tobytes(), found.other[row + 1].tobytes(), found.mover[row + 1]
        p = after[key[0], key[1], int(key[2])]
        tag, weights = play.evaluation.tag, play.evaluation.array
        value = settled_value(game, tag, p, int(key[2]), 0, weights.copy())
        assert found.value[row + 1] == np.float32(value)


def test_results_speak_for_the_mover() -> None:
    found = made("breakthrough", "offensive2").play(30, 0.1, 3)
    for number in range(30):
        rows = found.game == number
        first = found.result[rows & (found.mover == 0)]
        second = found.result[rows & (found.mover == 1)]
        assert set(first) <= {0.0, 1.0}
        assert len(set(first)) == 1
        assert set(second) == {1 - first[0]}


def test_before_a_throw_where_there_are_dice_and_no_more_than_asked() -> None:
    play = made("ur", None, most=9)
    found: Samples = play.play(10, 0.0, 1)
    assert list(np.bincount(found.game)) == [9] * 10
    throws = [p for p in random_positions(play.game, 50, 1) if play.game.kind(p) == CHANCE]
    rolled = np.uint64(7) << np.uint64(41)  # where Ur's view tells the roll
    assert not (views(play.game, throws).own[:, 0] & rolled).any()
    assert not (found.own[:, 0] & rolled).any()


def test_rules_that_look_back_are_refused_in_one_line() -> None:
    with pytest.raises(PetteiaError, match="looks") as caught:
        made("checkers", None)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("named", ["offensive2", "learned"])
def test_it_compiles_for_a_gpu_without_one(named: str) -> None:
    play = made("breakthrough", named)
    entry = play.batch.code_for(CUDA, *play.arguments(1, 0.1, 0))
    assert b".entry" in entry.code
