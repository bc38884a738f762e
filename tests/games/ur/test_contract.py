"""Every rule set of Ur keeps the contract of a game."""

from __future__ import annotations

import pytest

from petteia import games
from petteia.check import check_game


@pytest.mark.parametrize(
    "spec", ["ur(pieces=2)", "blitz(pieces=2)", "masters(pieces=2)", "project-ur"]
)
def test_the_contract_holds(spec: str) -> None:
    assert check_game(games.make(spec), games=2).positions > 60
