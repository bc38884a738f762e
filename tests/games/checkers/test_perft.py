"""Perft figures of checkers: OEIS A133046 from the start, and positions with kings."""

from __future__ import annotations

import pytest

from petteia.search.perft import perft
from tests.games.checkers.boards import board

START = (7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564)
"""Leaves at depth 1, 2, 3, ...; the two ways to count circuits differ from depth 12 on."""

# Leaves at depth 1 to 6 with circuits counted both ways; three programs agreed on them.
POSITIONS = {
    "B:WK3,K7,21:B15,K16": (6, 26, 105, 567, 2_554, 14_785),
    "W:WK22,24,26,K28:B2,K3,9,K14,20,K32": (5, 16, 83, 582, 3_190, 23_896),
    "B:WK3,K4,28:BK21": (2, 8, 32, 160, 417, 2_323),
    "B:WK1,K4,K15:B16": (2, 8, 7, 48, 94, 744),
    "B:WK3:B6,18,K29,K31": (7, 14, 112, 418, 3_039, 7_147),
    "B:W5,K7,K9:BK23,24,K26,K32": (10, 80, 733, 5_619, 47_370, 337_077),
    "W:W10,15,18,22,23,25,29:B14": (1, 0, 0, 0, 0, 0),
    "W:W11,21,27,28,29:B1,3,6,13,15": (7, 35, 140, 616, 2_362, 9_794),
    "B:W21,24,25,27,29,30,31:B1,2,4,6,8,12,14,18": (9, 45, 261, 1_284, 6_825, 29_921),
    "W:WK15:BK27": (4, 16, 55, 144, 511, 1_644),
    "W:WK10:BK23": (4, 16, 55, 208, 635, 2_000),
    "B:W19,21,22,28:B6,9,13,16,K30": (1, 4, 21, 72, 291, 976),
    "B:W14,15,22,23:BK18,K6": (4, 24, 131, 491, 2_279, 9_224),
}


def test_perft_of_the_start_position() -> None:
    game = board()
    found = [perft(game, game.start(), depth) for depth in range(1, len(START) + 1)]
    assert found == list(START)


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("both_ways", [False, True])
def test_perft_of_positions_with_kings(fen: str, both_ways: bool) -> None:
    game = board(both_ways=both_ways) if both_ways else board()
    p = game.parse(fen)
    assert [perft(game, p, depth) for depth in range(1, 7)] == list(POSITIONS[fen])


def test_a_circuit_is_one_move_or_two() -> None:
    fen = "W:WK31:B26,27,18,19"
    one, two = board(), board(both_ways=True)
    assert perft(one, one.parse(fen), 1) == 1
    assert perft(two, two.parse(fen), 1) == 2
