"""Games of the 2021 tournament, where they are at hand: ``PETTEIA_SHARED`` names their folder."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from petteia.cli.replay import checked
from petteia.games.ropasci import RoPaSci

FILE = Path(os.environ.get("PETTEIA_SHARED", "nowhere")) / "data" / "ropasci_games.jsonl"


@pytest.mark.skipif(not FILE.exists(), reason="PETTEIA_SHARED names no folder with these games")
def test_all_tournament_games_replay_without_a_difference() -> None:
    game = RoPaSci()
    found = game.foreign_games(FILE.read_text())
    assert found is not None
    kept = found.whole()
    assert len(kept) == 133
    assert sum(len(each.plies) for each in kept) == 8306
    assert [checked(game, each, refereed=True).differences for each in kept] == [[]] * 133
    ends = Counter((each.result, each.header("Draw")) for each in kept)
    assert ends == {
        (1.0, ""): 37,
        (-1.0, ""): 45,
        (0.0, "the position stands for the third time"): 40,
        (0.0, "both players have an invincible token"): 11,
    }
