"""The kernels of RoPaSci 360 against its printed rules, and against the contract.

A hundred thousand positions were compared once without a difference; here are a few thousand.
"""

from __future__ import annotations

from petteia.check import check_game
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.study.conformance import differences

GAME = RoPaSci()


def test_kernels_agree_with_the_reference() -> None:
    assert differences(GAME, 4000, seed=3) == (4000, 0)


def test_the_contract_and_all_twelve_symmetries_hold() -> None:
    checked = check_game(GAME, games=5)
    assert checked.positions > 300
    assert len(GAME.symmetries_of_both(GAME.start(), 61 * 64, 61 * 64)) == 11
