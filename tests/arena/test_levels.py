"""Opponents for people: every game has six, and their strengths were measured."""

from __future__ import annotations

import pytest

from petteia import games
from petteia.arena.executors import workers
from petteia.arena.levels import measure, measured


@pytest.mark.parametrize("name", games.names())
def test_every_level_was_measured_and_beats_the_one_below(name: str) -> None:
    levels, strengths = games.make(name).levels, measured(name)
    assert len({level.name for level in levels}) == 6
    assert list(strengths) == [level.agent for level in levels]
    weakest, *others = strengths.values()
    assert (weakest.elo, weakest.error) == (0, 0)
    elos = [each.elo for each in strengths.values()]
    assert elos == sorted(elos)
    assert all(each.score > 0.5 and each.error > 0 and each.games >= 100 for each in others)


def test_variants_and_strangers_have_no_measured_levels() -> None:
    assert measured("ur(rules=blitz)") == measured("./mine.py:Mine") == {}


def test_a_level_that_wins_more_is_rated_higher() -> None:
    game = games.make("breakthrough(columns=4, rows=5)")
    found = next(measure(game, 4, 1, workers("serial")))
    assert [each.agent for each in found] == [level.agent for level in game.levels]
    assert found[0].games == found[1].games == 8
    assert (found[1].elo > 0) == (found[1].score > 0.5)
    assert found[2].games == 0
