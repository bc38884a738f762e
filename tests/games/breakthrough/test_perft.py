"""Perft figures of Breakthrough, most of them agreed on by several engines.

OpenSpiel, Fairy-Stockfish and Pedersen's engine counted 8x8; OpenSpiel and Fairy-Stockfish the
other square boards from six rows on; the rest comes from at least two independent programs.
"""

from __future__ import annotations

import pytest

from petteia.games.breakthrough.reference import ReferencePosition, ReferenceRules
from petteia.search.perft import perft
from tests.games.breakthrough.boards import board, pieces_of, printed

TABLE = {
    (8, 8, 2): (22, 484, 11_132, 256_036, 6_182_818, 149_264_638),
    (7, 7, 2): (19, 361, 7_220, 144_251, 3_042_166, 63_936_806),
    (6, 6, 2): (16, 256, 4_308, 71_478, 1_248_290, 21_470_998, 381_006_806),
    (5, 6, 2): (13, 169, 2_331, 31_545, 453_608, 6_401_274, 92_931_876),
    (5, 10, 2): (13, 169, 2_366, 33_124, 502_502, 7_623_121, 121_355_063),
    (5, 5, 2): (13, 156, 1_924, 23_084, 289_828, 3_538_840, 43_719_470),
    (6, 5, 2): (16, 240, 3_666, 54_448, 839_494, 12_626_046, 193_407_966),
    (10, 5, 2): (28, 756, 20_534, 544_764, 14_703_118, 389_244_406),
    (10, 5, 1): (28, 784, 20_496, 535_594, 13_351_898, 332_061_346),
    (5, 5, 1): (13, 169, 1_911, 21_514, 232_478, 2_467_006, 25_718_186),
}
"""Leaves at depth 1, 2, 3, ... by columns, rows and filled home rows."""

FAIRY_STOCKFISH = "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w"


@pytest.mark.parametrize("size", TABLE, ids="{0[0]}x{0[1]}-{0[2]}".format)
def test_perft_of_the_start_position(size: tuple[int, int, int]) -> None:
    columns, rows, filled = size
    game = board(columns=columns, rows=rows, filled=filled)
    found = [perft(game, game.start(), depth) for depth in range(1, len(TABLE[size]) + 1)]
    assert found == list(TABLE[size])


def test_perft_does_not_depend_on_who_starts() -> None:
    game = board(columns=5, rows=5, first=1)
    assert perft(game, game.start(), 6) == TABLE[5, 5, 2][5]


@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (4, 121_264)])
def test_perft_of_the_position_in_fairy_stockfishs_tests(depth: int, leaves: int) -> None:
    game = board()
    assert perft(game, game.parse(FAIRY_STOCKFISH), depth) == leaves


def count(rules: ReferenceRules, position: ReferencePosition, depth: int) -> int:
    """Perft by the printed rules."""
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(count(rules, rules.play(position, move), depth - 1) for move in moves)


def test_three_workers_change_nothing_before_anyone_can_arrive() -> None:
    game = board(workers=3)
    assert [perft(game, game.start(), depth) for depth in (1, 2, 3, 4, 5)] == [*TABLE[8, 8, 2][:5]]


@pytest.mark.parametrize(
    ("parameters", "fen", "depth"),
    [
        ({"workers": 3}, "PP1p4/P1P5/8/2p5/4P3/8/1p3p2/1p6 w", 4),
        ({"workers": 3}, "pP1P4/P7/8/3p1p2/4P3/8/5pp1/8 w", 4),
        ({"workers": 3}, "4p3/2P1P2P/8/3p4/8/8/p1p2p2/3P4 b", 4),
        ({"columns": 10, "rows": 5, "workers": 3}, "pp2p4p/2P6P/4pp2P1/3p3P2/P2P1P2p1 b", 3),
        ({"columns": 10, "rows": 5}, "ppp1p1pppp/3p2P3/1P2p2p2/4P1PP2/PPP1P2PPP w", 3),
        ({"columns": 3, "rows": 7}, "ppp/1pp/p2/2P/P2/1P1/PPP b", 5),
        ({"columns": 21, "rows": 3, "filled": 1}, "p4p4p9p/4PP2P12/P9P3P5P w", 3),
    ],
)
def test_perft_where_games_end_is_that_of_the_printed_rules(
    parameters: dict[str, int], fen: str, depth: int
) -> None:
    game = board(**parameters)
    p = game.parse(fen)
    wanted = [count(printed(game), pieces_of(game, p), d) for d in range(1, depth + 1)]
    assert [perft(game, p, d) for d in range(1, depth + 1)] == wanted
    assert wanted[-1] > 100
