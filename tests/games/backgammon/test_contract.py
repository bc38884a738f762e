"""Every setting of the rules holds the contract."""

from __future__ import annotations

import pytest

from petteia import games
from petteia.check import check_game


@pytest.mark.parametrize(
    "spec", ["backgammon", "backgammon(rules=course)", "backgammon(match=3, cube=true)"]
)
def test_the_contract_holds(spec: str) -> None:
    check_game(games.make(spec), games=1)
