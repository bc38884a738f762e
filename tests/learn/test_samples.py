"""Positions to learn from: kept, told apart, seen through the game's symmetries."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game
from petteia.core.words import Words
from petteia.learn import samples
from petteia.learn.samples import Samples


def some(count: int, seed: int = 0) -> Samples:
    rng = np.random.default_rng(seed)
    own, other = rng.integers(0, 2**63, (2, count, 2), np.uint64)
    return Samples(
        own, other, rng.integers(0, 2, count).astype(np.int8),
        rng.normal(0, 10, count).astype(np.float32),
        rng.integers(0, 2, count).astype(np.float32), np.arange(count) // 3,
    )  # fmt: skip


def positions(game: Game, count: int) -> list[Words]:
    chance, found = random.Random(1), list[Words]()
    while len(found) < count:
        p = game.start()
        while game.kind(p) == DECISION:
            found.append(p)
            p = game.play(p, chance.choice(game.legal_moves(p)))
    return chance.sample(found, count)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "some.npz"
    samples.write(file, some(10))
    for before, after in zip(some(10), samples.read(file), strict=True):
        assert (before == after).all()
    file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(PetteiaError, match="does not hold positions"):
        samples.read(file)


def test_games_that_are_joined_keep_apart() -> None:
    both = samples.joined([some(6), some(6, seed=1)])
    assert both.game.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_of_equal_positions_the_newest_stays() -> None:
    again = Samples(*(column[:3] for column in some(5)))
    both = samples.joined([some(5), again, some(5, seed=1)])
    assert samples.newest(both).tolist() == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def test_views_are_what_players_see() -> None:
    game = games.make("checkers")
    line = positions(game, 20)
    own, other, _ = samples.views(game, line)
    for p, mine, theirs in zip(line, own, other, strict=True):
        mover = int(game.mover(p))
        assert tuple(mine) == game.seen_by(p, mover)
        assert tuple(theirs) == game.seen_by(p, 1 - mover)


def test_symmetries_are_found() -> None:
    game = games.make("breakthrough(columns=5, rows=5)")
    (mirror,) = samples.permutations(game, positions(game, 300))
    squares = np.arange(25)
    wanted = squares - squares % 5 + 4 - squares % 5
    # A worker in the far row ends the game: nobody who is to move sees its own there.
    assert mirror[:20].tolist() == wanted[:20].tolist()
    assert mirror[69:89].tolist() == (64 + wanted)[5:].tolist()
    checkers = games.make("checkers")
    assert samples.permutations(checkers, positions(checkers, 100)) == []


def test_equal_positions_have_the_mean_of_their_goals() -> None:
    once = some(4)
    thrice = samples.joined([once, once, once])
    goals = np.arange(12, dtype=np.float32)
    found, means = samples.averaged(thrice, goals, np.zeros(12, np.bool_))
    by_view = {tuple(own): float(mean) for own, mean in zip(found.own, means, strict=True)}
    assert by_view == {tuple(own): 4.0 + i for i, own in enumerate(once.own)}
    apart = samples.averaged(thrice, goals, np.arange(12) >= 8)[1]
    assert sorted(apart.tolist()) == [2, 3, 4, 5, 8, 9, 10, 11]  # two groups: none is in both
