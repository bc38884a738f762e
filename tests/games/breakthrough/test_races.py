"""Races: what is called certain is so, by the tables of solved boards and by exhaustive search."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL
from petteia.core.words import U
from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.rules.patterns import gets_home
from petteia.games.breakthrough.rules.races import stands_two
from petteia.games.breakthrough.solution.solver import swept
from petteia.games.breakthrough.solution.table import Values
from petteia.search.distance import Prover
from tests.games.breakthrough.boards import board, late, of_games

EIGHT = board()


@pytest.mark.parametrize(
    ("columns", "rows", "told"),
    [
        (4, 5, {-4: 252_462, 0: 2_660_688, 3: 2_540_016, 5: 44_636}),
        (3, 7, {-6: 3_142, -4: 1_277_942, 0: 14_028_054, 3: 11_352_270, 5: 695_460}),
    ],
)
def test_every_race_ends_as_the_solved_board_says(
    columns: int, rows: int, told: dict[int, int]
) -> None:
    """All positions of the boards, not a sample."""
    solution = swept(board(columns=columns, rows=rows), workers=2)
    assert solution.check_ends() == told


def test_a_wrong_pattern_would_be_found() -> None:
    game = Breakthrough(columns=4, rows=5)
    solution = swept(game)
    wrong = Values(game, solution.layout, ~solution.bits)
    with pytest.raises(PetteiaError, match=r"the certain end at .* is not the table's"):
        wrong.check_ends()


@pytest.mark.parametrize("game", [EIGHT, board(columns=10, rows=5)], ids=str)
def test_a_race_takes_as_long_as_it_says(game: Breakthrough) -> None:
    prover = Prover(game, table_bits=16, rules_alone=True)
    seen: Counter[int] = Counter()
    for p in [*late(game, 3000, seed=6), *of_games(game, 500, seed=7)]:
        if game.kind(p) == TERMINAL:
            continue
        forced = game.forced(p)
        if forced == 0 or abs(forced) > 7 or seen[forced] == 25:
            continue
        seen[forced] += 1
        if forced > 0:
            assert prover.shortest_win(p, forced) == forced, game.text(p)
        else:
            wins = [prover.shortest_win(game.play(p, m), -forced - 1) for m in game.legal_moves(p)]
            assert None not in wins, game.text(p)
            assert max(plies or 0 for plies in wins) == -forced - 1, game.text(p)
    assert min(seen[plies] for plies in (1, -2, 3, -4, 5)) > 5


@pytest.mark.parametrize("columns", [2, 3, 5])
def test_two_moves_from_the_goal_the_rule_is_the_generated_pattern(columns: int) -> None:
    game = board(columns=columns, rows=5)
    for near in range(2**columns):
        for guards in range(2**columns):
            enemy = U(near << (3 * columns) | guards << (4 * columns))
            stands = int(stands_two(game, enemy, 0))
            for column in range(columns):
                beside = near << 1 | near >> 1
                setting = near >> column & 1 | ((guards << 2) >> column & 31) << 1
                edges = (min(column, 2), min(columns - 1 - column, 2))
                wanted = not beside >> column & 1 and gets_home(2, *edges)[setting]
                assert bool(stands >> column & 1) == wanted


def test_more_enemies_never_help_a_runner() -> None:
    table = gets_home(3, 3, 3)
    settings = np.arange(len(table))
    assert 0 < table.sum() < len(table) / 10
    for bit in range(13):
        fewer = settings & ~(1 << bit)
        assert not (table & ~table[fewer]).any()


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        ("8/8/8/3P4/8/8/6pp/P7 w", -2),
        ("8/8/8/3P4/8/6pp/8/P7 w", -4),  # black needs two moves, white three
        ("8/8/8/3P4/5ppp/8/8/P7 w", 5),
        ("3p4/8/8/3P4/5ppp/8/8/P7 w", 5),  # somebody stands in the way: it goes around him
        ("2p1p3/8/8/3P4/5ppp/8/8/P7 w", 5),  # who blocks its way no longer guards
        ("pppppppp/8/8/3P4/8/8/8/8 w", 0),
        ("8/pp6/p7/3P4/8/8/8/P7 b", -6),
        ("4p1pp/6pp/8/8/P7/8/8/8 w", 7),  # four moves away
        ("4p1pp/6pp/8/8/P7/8/8/8 b", -8),
        ("8/8/8/3P4/6pp/8/8/P7 w", 0),  # two workers might be captured before
        ("7p/8/8/P7/8/8/1p6/8 w", -2),
    ],
)
def test_races_by_example(text: str, forced: int) -> None:
    assert EIGHT.forced(EIGHT.parse(text)) == forced


def test_with_three_workers_to_bring_home_nothing_is_called_certain() -> None:
    game = board(workers=3)
    assert {int(game.forced(p)) for p in late(game, 200, seed=8)} == {0}
