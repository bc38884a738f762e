"""The evaluations of Breakthrough: the report's formulas, written out from its text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from petteia.compiled import kernel
from petteia.core.words import U, Words
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.evaluations import EVALUATIONS, LEARNED, weighted_count
from petteia.games.breakthrough.evaluations.structure import FEATURES, structure_features
from petteia.games.breakthrough.reference import ReferencePosition
from petteia.games.breakthrough.rules.masks import square_table, weight_planes
from tests.games.breakthrough.boards import board, every_board, of_games, pieces_of, scattered

pytestmark = pytest.mark.rules

SEEDED = ("offensive1", "defensive1")


class Terms:
    """The report's terms for one player."""

    def __init__(self, rows: int, position: ReferencePosition, player: str) -> None:
        enemy = "b" if player == "w" else "w"
        mine = self.advanced(rows, position, player)
        theirs = self.advanced(rows, position, enemy)
        self.my, self.opp = len(mine), len(theirs)
        self.my_front, self.opp_front = max(mine, default=0), max(theirs, default=0)
        self.my_avg = sum(mine) / len(mine) if mine else 0
        self.opp_avg = sum(theirs) / len(theirs) if theirs else 0
        self.opp_at_my_base = theirs.count(rows - 1)
        self.few = 1 if self.my < 3 else 0

    @staticmethod
    def advanced(rows: int, position: ReferencePosition, player: str) -> list[int]:
        """How many rows each worker of a player has advanced from its own home row."""
        found = [int(square[1:]) for square, owner in position.pieces.items() if owner == player]
        return [row - 1 if player == "w" else rows - row for row in found]


FORMULAS: dict[str, Callable[[Terms], float]] = {
    "defensive2": lambda t: (
        2 * t.my + 2 * t.my_front + 3 * t.my_avg - 2 * t.opp - 5 * t.opp_front - 2 * t.opp_avg
    ),
    "offensive2": lambda t: (
        1 * t.my + 2 * t.my_front + 3 * t.my_avg - 0 * t.opp - 5 * t.opp_front - 2 * t.opp_avg
    ),
    "three_workers": lambda t: (
        2 * t.my + 2 * t.my_front + 3 * t.my_avg - 10 * t.few
        - 2 * t.opp - 5 * t.opp_front - 2 * t.opp_avg - 10 * t.opp_at_my_base
    ),
    "three_workers_as_printed": lambda t: (
        (2 * t.my + 2 * t.my_front + 3 * t.my_avg - 10 * t.few)
        - (2 * t.opp - 5 * t.opp_front - 2 * t.opp_avg - 10 * t.opp_at_my_base)
    ),
    "three_workers_offensive": lambda t: (
        t.my + 2 * t.my_front + 3 * t.my_avg - 10 * t.few
        - 5 * t.opp_front - 2 * t.opp_avg - 10 * t.opp_at_my_base
    ),
    "long_board": lambda t: (
        2 * t.my + 5 * t.my_front + 5 * t.my_avg - 2 * t.opp - 5 * t.opp_front - 2 * t.opp_avg
    ),
    "long_board_offensive": lambda t: (
        t.my + 5 * t.my_front + 5 * t.my_avg - 5 * t.opp_front - 2 * t.opp_avg
    ),
}  # fmt: skip

WITHOUT_NOISE: dict[str, Callable[[Terms], float]] = {
    "defensive1": lambda t: 2 * t.my,
    "offensive1": lambda t: 2 * (30 - t.opp),
}

# As printed, the goal row at the top.
LORENTZ_AND_HOREY = """
    36 36 36 36 36 36 36 36
    20 28 28 28 28 28 28 20
    16 21 21 21 21 21 21 16
    11 15 15 15 15 15 15 11
     7 10 10 10 10 10 10  7
     4  6  6  6  6  6  6  4
     2  3  3  3  3  3  3  2
     5 15 15  5  5 15 15  5
"""
PRINTED = [[int(n) for n in line.split()] for line in LORENTZ_AND_HOREY.strip().splitlines()]


@kernel
def value(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    return float(evaluation.value(game, p, player, w))


def some(game: Breakthrough) -> list[Words]:
    return list(chain(of_games(game, 60, seed=1), scattered(game, 60, seed=2)))


NETWORKS = {each.name for each in LEARNED.values()}
"""Tested in tests/learn."""


def test_every_evaluation_is_tested_here() -> None:
    ours = {"lorentz", "advancement", "tuned", *NETWORKS}
    assert {*FORMULAS, *WITHOUT_NOISE, *ours} == set(EVALUATIONS)
    assert {name for name, each in EVALUATIONS.items() if each.is_seeded} == set(SEEDED)


@every_board
def test_the_reports_formulas(game: Breakthrough) -> None:
    for p in some(game):
        for player in (0, 1):
            terms = Terms(game.rows, pieces_of(game, p), "wb"[player])
            for name, formula in FORMULAS.items():
                found = EVALUATIONS[name].of(game, p, player)
                assert found == pytest.approx(formula(terms), abs=1e-9), (name, game.text(p))
            for name, formula in WITHOUT_NOISE.items():
                noise = EVALUATIONS[name].of(game, p, player) - formula(terms)
                assert 0 <= noise < 1, (name, game.text(p))


def test_the_terms_at_the_start() -> None:
    game = board()
    terms = Terms(8, pieces_of(game, game.start()), "b")
    assert (terms.my, terms.my_front, terms.my_avg) == (16, 1, 0.5)
    shares = EVALUATIONS["defensive2"].shares(game, game.start(), 1)
    assert shares["my"] == 32
    assert shares["my_front"] == 2
    assert shares["my_avg"] == 1.5
    assert sum(shares.values()) == EVALUATIONS["defensive2"].of(game, game.start(), 1)


def test_the_slip_of_the_sign_rewards_the_enemys_advance() -> None:
    game = board(workers=3)
    behind, ahead = (game.parse(f"{row} w") for row in (
        "8/ppp5/8/8/8/8/PPP5/8", "8/pp6/8/8/8/2p5/PPP5/8",
    ))  # fmt: skip
    printed, meant = EVALUATIONS["three_workers_as_printed"], EVALUATIONS["three_workers"]
    assert printed.of(game, ahead, 0) > printed.of(game, behind, 0)
    assert meant.of(game, ahead, 0) < meant.of(game, behind, 0)


@pytest.mark.parametrize("name", SEEDED)
def test_noise_belongs_to_the_position_the_player_and_the_seed(name: str) -> None:
    game = board()
    seeds = [EVALUATIONS[name].with_weights({"seed": seed}) for seed in (0, 1, 2**53)]
    noises: list[float] = []
    for p in of_games(game, 300, seed=3):
        if p == game.start() and noises:
            break
        for player in (0, 1):
            terms = Terms(8, pieces_of(game, p), "wb"[player])
            for evaluation in seeds:
                found = evaluation.of(game, p, player)
                assert found == evaluation.of(game, p, player)
                noises.append(found - WITHOUT_NOISE[name](terms))
        turned = (p[0], p[1], U(1) - p[2])
        assert seeds[0].of(game, p, 0) != seeds[0].of(game, turned, 0)
    assert len({round(noise, 9) for noise in noises}) == len(noises) > 150
    assert all(0 <= noise < 1 for noise in noises)
    assert 0.4 < sum(noises) / len(noises) < 0.6


@pytest.mark.parametrize("seed", [-1, -7, 2**52 + 1])
def test_any_whole_seed_is_a_seed(seed: int) -> None:
    game = board()
    evaluation = EVALUATIONS["defensive1"].with_weights({"seed": seed})
    found = evaluation.of(game, game.start(), 0)
    assert 32 <= found < 33
    assert value(game, evaluation, game.start(), 0, evaluation.array) == found


def test_the_noise_is_smaller_than_a_worker() -> None:
    game = board()
    p = game.parse("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPP1 w")
    for seed in range(20):
        for name, player in (("defensive1", 0), ("offensive1", 1)):
            evaluation = EVALUATIONS[name].with_weights({"seed": seed})
            difference = evaluation.of(game, game.start(), player) - evaluation.of(game, p, player)
            assert difference > 0 if name == "defensive1" else difference < 0


def test_lorentz_is_the_printed_table_square_by_square() -> None:
    game = board()
    lorentz = EVALUATIONS["lorentz"]
    assert square_table(8, 8) == PRINTED[::-1]
    for row in range(8):
        for column in range(8):
            bit = U(1 << (8 * row + column))
            white, black = (bit, U(0), U(0)), (U(0), bit, U(0))
            assert (
                lorentz.of(game, white, 0)
                == -lorentz.of(game, white, 1)
                == PRINTED[7 - row][column]
            )
            assert lorentz.of(game, black, 1) == -lorentz.of(game, black, 0) == PRINTED[row][column]


@every_board
def test_tables_add_up_over_the_pieces(game: Breakthrough) -> None:
    table = square_table(game.columns, game.rows)
    for p in some(game):
        lorentz = advancement = 0
        for square, owner in pieces_of(game, p).pieces.items():
            row, column = int(square[1:]) - 1, ord(square[0]) - ord("a")
            sign, up = (1, row) if owner == "w" else (-1, game.rows - 1 - row)
            lorentz += sign * table[up][column]
            advancement += sign * (4 + up)
        for player, sign in ((0, 1), (1, -1)):
            assert EVALUATIONS["lorentz"].of(game, p, player) == sign * lorentz
            assert EVALUATIONS["advancement"].of(game, p, player) == sign * advancement


@pytest.mark.parametrize(("columns", "rows"), [(8, 8), (10, 5), (5, 5), (3, 7), (2, 32), (21, 3)])
def test_the_table_of_any_board_is_symmetric_and_rises(columns: int, rows: int) -> None:
    table = square_table(columns, rows)
    assert [len(line) for line in table] == [columns] * rows
    assert all(line == line[::-1] for line in table)
    assert set(table[-1]) == {36}
    for lower, upper in pairwise(table[1:]):
        assert all(a <= b for a, b in zip(lower, upper, strict=True))


def test_weight_planes_add_up_weights() -> None:
    chance = np.random.default_rng(1)
    for _ in range(50):
        weights = chance.integers(0, 64, 64).tolist()
        word = int(chance.integers(0, 2**63)) * 2 + int(chance.integers(0, 2))
        wanted = sum(weight for square, weight in enumerate(weights) if word >> square & 1)
        planes = weight_planes(weights, 6)
        assert weighted_count(U(word), planes) == wanted
        assert all(type(plane) is np.uint64 for plane in planes)
    with pytest.raises(AssertionError):
        weight_planes([64], 6)


COMPILED_ON = [
    board(),
    board(columns=10, rows=5),
    board(workers=3),
    board(columns=3, rows=7, filled=3, workers=2),
]


@pytest.mark.parametrize("game", COMPILED_ON, ids=str)
@pytest.mark.parametrize("name", sorted(EVALUATIONS.keys() - NETWORKS))
def test_compiled_values_are_the_interpreted_ones(game: Breakthrough, name: str) -> None:
    evaluation = EVALUATIONS[name]
    if name in SEEDED:
        evaluation = evaluation.with_weights({"seed": 12345})
    for p in some(game):
        for player in (0, 1):
            found = value(game, evaluation, p, player, evaluation.array)
            assert found == evaluation.of(game, p, player)


@pytest.mark.parametrize("size", [(8, 8), (10, 5), (3, 7)])
def test_our_evaluation_is_the_same_for_both_sides(size: tuple[int, int]) -> None:
    game = board(columns=size[0], rows=size[1])
    tuned = game.evaluations["tuned"]
    differing = 0
    for p in of_games(game, 60, seed=4):
        value = tuned.of(game, p, 0)
        assert tuned.of(game, p, 1) == pytest.approx(-value)
        for q, _ in game.symmetries(p, 0):
            other = int(q[2] != p[2])  # with the colours exchanged the player is the other one
            assert tuned.of(game, q, other) == pytest.approx(value)
        assert sum(tuned.shares(game, p, 0).values()) == pytest.approx(value)
        differing += value != 0
    assert differing > 30


def test_structure_by_example() -> None:
    game = board()
    p = game.parse("8/8/2p5/3P4/4P3/8/8/8 w")
    shares = dict(zip(FEATURES, structure_features(game, p, 0), strict=True))
    assert shares["row3"] == 1  # e4
    assert shares["row4"] == 1  # d5
    assert shares["row2"] == -1  # c6 has come two rows
    assert shares["hanging"] == -1  # c6 is attacked by d5; d5 is attacked too, but guarded by e4
    assert shares["contested"] == 1
    assert shares["supported"] == 1
    assert shares["front"] == 2  # three moves against five
    assert shares["tempo"] == 1
