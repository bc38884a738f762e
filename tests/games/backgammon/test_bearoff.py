"""Bear-off tables: against plain recursion, and against each other."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from petteia import games
from petteia.core.errors import PetteiaError
from petteia.games.backgammon import bearoff, reference
from petteia.games.backgammon.positions import position_of, side_of
from petteia.games.backgammon.reference import Side
from petteia.solve import Control

THROWS = [(a, b, 1 / 36 if a == b else 1 / 18) for a in range(1, 7) for b in range(a, 7)]


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    return bearoff.one_sided()


def number(counts: tuple[int, ...]) -> int:
    return int(bearoff.index_of(*side_of([0, *counts, *[0] * 19])))


def home(counts: tuple[int, ...]) -> Side:
    return (15 - sum(counts), *counts, *[0] * 19)


@cache
def mean_rolls(counts: tuple[int, ...]) -> float:
    """By plain recursion over the readable rules."""
    if not sum(counts):
        return 0.0
    total = 0.0
    for first, second, chance in THROWS:
        after = reference.plays(home(counts), home((0,) * 6), first, second)
        total += chance * (1 + min(mean_rolls(mine[1:7]) for mine, _ in after))
    return total


def test_every_side_has_its_number() -> None:
    sides = bearoff.positions()
    assert len(sides) == bearoff.ONE_SIDED == 54_264
    assert [number(side) for side in sides[::97]] == list(range(0, len(sides), 97))
    assert len(bearoff.positions(6)) == 924


def test_chances_add_up_and_give_the_mean(table: tuple[np.ndarray, np.ndarray]) -> None:
    chances, mean = table
    assert np.allclose(chances.sum(axis=1), 1.0, atol=1e-12)
    assert np.allclose(chances @ np.arange(bearoff.ROLLS), mean, atol=1e-9)


@pytest.mark.parametrize(
    "counts",
    [(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (2, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 1),
     (0, 1, 0, 1, 1, 0), (3, 0, 0, 0, 0, 1)],
)  # fmt: skip
def test_means_are_those_of_plain_recursion(
    table: tuple[np.ndarray, np.ndarray], counts: tuple[int, ...]
) -> None:
    assert table[1][number(counts)] == pytest.approx(mean_rolls(counts), abs=1e-12)


def test_known_figures(table: tuple[np.ndarray, np.ndarray]) -> None:
    chances, mean = table
    # One checker on six goes off at once with 27 rolls of 36, two on ace always.
    assert chances[number((0, 0, 0, 0, 0, 1)), 1] == pytest.approx(27 / 36)
    assert chances[number((2, 0, 0, 0, 0, 0)), 1] == pytest.approx(1.0)
    assert mean[number((4, 0, 0, 0, 0, 0))] == pytest.approx(1 + 30 / 36)


def test_two_sided_chances_are_exact() -> None:
    table = bearoff.two_sided(2)

    @cache
    def chance(own: tuple[int, ...], other: tuple[int, ...]) -> float:
        total = 0.0
        for first, second, weight in THROWS:
            after = reference.plays(home(own), home((0,) * 6), first, second)
            ends = [mine[1:7] for mine, _ in after]
            total += weight * max(1.0 - chance(other, end) if sum(end) else 1.0 for end in ends)
        return total

    for own, other in (
        ((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)),
        ((0, 0, 1, 0, 0, 1), (1, 0, 0, 0, 0, 0)),
        ((0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 0, 1)),
    ):
        assert table[number(own), number(other)] == pytest.approx(chance(own, other), abs=1e-12)


def test_one_sided_chances_are_near_the_exact_ones(
    table: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearoff, "_one_sided_table", lambda: table[0])
    exact = bearoff.two_sided(3)
    sides = bearoff.positions(3)
    worst = 0.0
    for own in sides[1::7]:
        for other in sides[1::11]:
            p = position_of([0, *own, *[0] * 19], [0, *other, *[0] * 19])
            assert bearoff.is_bear_off(p)
            worst = max(worst, abs(bearoff.win_chance(p, 0) - exact[number(own), number(other)]))
    assert worst < 0.01


def test_solving_keeps_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    solver = games.solver("backgammon(sides=2, checkers=2)")
    facts = solver.solve(Control(), workers=1)
    assert facts["positions"] == 28 * 28
    assert Path(str(facts["file"])).exists()
    with pytest.raises(PetteiaError, match="sides=3"):
        games.solver("backgammon(sides=3)")
