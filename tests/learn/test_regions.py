"""Regions: cells that move together, and a number for every pattern."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from petteia import games
from petteia.games.breakthrough import Breakthrough
from petteia.learn.regions import codes
from petteia.tune.random_games import regions_of
from tests.toys import Heap


def test_ways_that_were_seen_have_numbers_of_their_own() -> None:
    """Empty, own man, enemy's man, own king, enemy's king; a fourth word is never set."""
    ways = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]])
    code, counts = codes(ways[:, :, None])
    assert code.ravel().tolist() == [1, 2, 2, 0]
    assert counts.tolist() == [5]
    every = np.array(list(itertools.product((0, 1), repeat=3)))
    assert codes(every[:, :, None])[0].ravel().tolist() == [1, 2, 4]


def test_regions_are_cells_that_move_together() -> None:
    game = games.make("breakthrough")
    found = regions_of(game, 1)
    assert found.rows.shape == (128, 64)
    regions_there = [{int(bit) % 64 for bit in np.flatnonzero(rows)} for rows in found.rows.T]
    regions_there = [cells for cells in regions_there if cells]
    assert set().union(*regions_there) == set(range(64))
    for cells in regions_there:
        assert 4 <= len(cells) <= 6
        for cell in cells:  # each is a step away from another
            row, column = divmod(cell, 8)
            steps = {(row + up) * 8 + column + right for up in (-1, 1) for right in (-1, 0, 1)}
            assert steps & (cells - {cell})


@pytest.mark.parametrize("name", ["breakthrough(columns=4, rows=5)", "checkers", "ur", "ropasci"])
def test_nothing_leads_beyond_a_table(name: str) -> None:
    found = regions_of(games.make(name), 2)
    sums = found.rows.reshape(len(found.bias), -1, found.rows.shape[1]).sum(axis=1)
    assert found.rows.min() == 0
    assert (sums + found.bias).max() < found.size


def test_players_who_see_alike_have_a_part_each() -> None:
    found = regions_of(Heap(), 3)
    assert (found.bias[1] * 2 == found.size).all()
    assert (found.rows[: len(found.rows) // 2] == found.rows[len(found.rows) // 2 :]).all()


class Named(Breakthrough):
    name = "named"
    regions = ((0, 1, 2), (8, 9))


class TooLarge(Breakthrough):
    name = "too-large"
    regions = (tuple(range(16)),)


def test_a_game_names_its_regions() -> None:
    found = regions_of(Named(), 4)
    cells = [set((np.flatnonzero(column) % 64).tolist()) for column in found.rows.T]
    assert cells[:3] == [{0, 1, 2}, {8, 9}, set()]
    with pytest.raises(ValueError, match="patterns; 16384 fit"):
        regions_of(TooLarge(), 4)


def test_the_same_games_have_the_same_regions() -> None:
    game = games.make("checkers")
    first, second = regions_of(game, 5), regions_of(game, 5)
    assert all(np.all(one == other) for one, other in zip(first, second, strict=True))
