"""What the rest of a game teaches: no luck, and nothing beyond a random move."""

from __future__ import annotations

import numpy as np
import pytest

from petteia import games
from petteia.core.game import CHANCE, DECISION
from petteia.search.evaluations import evaluation_for
from petteia.search.expectimax import Expectimax
from petteia.tune.dice_play import DicePlay
from petteia.tune.hindsight import Seen, worth


def seen(value: list[float], foreseen: list[float], strayed: list[bool], points: float) -> Seen:
    positions, kinds = np.zeros((len(value), 1), np.uint64), np.zeros(len(value))
    return Seen(positions, kinds, np.array(value), np.array(foreseen), np.array(strayed), points)


def test_luck_teaches_nothing() -> None:
    """A throw that was expected to bring 0.1 and brought 0.8, after which nothing surprises."""
    found = worth(seen([0.1, 0.8, 0.8], [0.8, 0.8, 1.0], [False] * 3, 1.0))
    assert found.tolist() == [0.1, 0.8, 0.8]


def test_a_surprise_fades() -> None:
    found = worth(seen([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [False] * 3, 1.0))
    assert found == pytest.approx([0.9**3, 0.9**2, 0.9])


def test_a_random_move_ends_the_lesson() -> None:
    found = worth(seen([0.2, 0.3, 0.0], [0.3, -0.5, 0.0], [False, True, False], 1.0))
    assert found == pytest.approx([0.2, 0.3, 0.9])


def test_a_look_ahead_sees_what_expectimax_sees() -> None:
    game = games.make("ur(pieces=2)")
    evaluation = evaluation_for(game, None)
    assert evaluation.point == 1.0
    tree = Expectimax(game, evaluation, prune="none", table_bits=None)
    played = DicePlay(game, evaluation).play(0.2, 3)
    assert {CHANCE, DECISION} == set(played.kinds.tolist())
    assert played.strayed.any()
    assert not played.strayed.all()
    for row, value in zip(played.positions[:60], played.value, strict=False):
        p = tuple(row)
        assert value == pytest.approx(tree.value(p, 1, 0, evaluation.array), abs=1e-6)
