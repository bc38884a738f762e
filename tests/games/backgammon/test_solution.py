"""Bear-off tables: against plain recursion, and against each other."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.games.backgammon import reference
from petteia.games.backgammon.face.positions import position_id, position_of, side_of
from petteia.games.backgammon.reference import Side
from petteia.games.backgammon.solution import bearoff
from petteia.solve import Control
from tests.games.backgammon.boards import board, game

THROWS = [(a, b, 1 / 36 if a == b else 1 / 18) for a in range(1, 7) for b in range(a, 7)]


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    return bearoff.one_sided()


@pytest.fixture(scope="module")
def first() -> np.ndarray:
    return bearoff.first_off()


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


@cache
def first_checker(counts: tuple[int, ...]) -> float:
    """The mean number of rolls to the first checker off, by plain recursion."""
    total = 0.0
    for one, two, chance in THROWS:
        after = reference.plays(home(counts), home((0,) * 6), one, two)
        ends = [mine[1:7] for mine, _ in after]
        total += chance * (1 + min(first_checker(e) if sum(e) == 15 else 0.0 for e in ends))
    return total


def test_the_first_checker_off(first: np.ndarray) -> None:
    assert np.allclose(first.sum(axis=1), 1.0, atol=1e-12)
    for counts in ((13, 0, 0, 0, 0, 2), (13, 0, 0, 1, 1, 0)):
        mean = float(first[number(counts)] @ np.arange(bearoff.FIRST_ROLLS))
        assert mean == pytest.approx(first_checker(counts), abs=1e-12)
    assert first[number((14, 0, 0, 0, 0, 0)), 0] == 1.0, "one is off already"


def test_gammons_by_hand(
    table: tuple[np.ndarray, np.ndarray], first: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearoff, "_one_sided_table", lambda: np.hstack([table[0], first]))
    # White's last two are off with this throw; Black has all fifteen, so it is a gammon.
    p = position_of([0, 2, *[0] * 24], [0, *[0] * 5, 15, *[0] * 19])
    assert bearoff.chances_of(p, 0) == pytest.approx((1.0, 1.0, 0.0, 0.0, 0.0))
    # Black throws first: he saves it if a checker goes off, with any six or with a double.
    win, gammon, _, lost_gammon, _ = bearoff.chances_of(p, 1)
    assert (win, gammon) == (0.0, 0.0)
    missed = sum(
        chance
        for a, b, chance in THROWS
        if all(sum(m[1:7]) == 15 for m, _ in reference.plays(
            home((0, 0, 0, 0, 0, 15)), home((2, 0, 0, 0, 0, 0)), a, b))
    )  # fmt: skip
    assert lost_gammon == pytest.approx(missed)


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
        assert table[0, number(own), number(other)] == pytest.approx(chance(own, other), abs=1e-12)


def test_the_cube_by_hand() -> None:
    """One checker on six each: 27 rolls of 36 take it off. Who misses stands near enough for his
    next roll, which comes if the other misses as well."""
    table = bearoff.two_sided(1)
    six = number((0, 0, 0, 0, 0, 1))
    chance, mine, theirs, middle = table[:, six, six]
    assert chance == pytest.approx(0.75 + 0.25 * 0.25)
    # The other owns it and cashes when it is his turn, so that a miss costs a point.
    assert theirs == pytest.approx(0.75 - 0.25)
    assert middle == pytest.approx(0.75 - 0.25)
    # My own cube: the other cannot double, and misses a quarter of the time.
    assert mine == pytest.approx(0.75 - 0.25 * (0.75 - 0.25))


def test_values_with_the_cube_are_those_of_gnu_backgammon() -> None:
    dump = shutil.which("bearoffdump", path="/usr/games:/usr/bin:/usr/local/games")
    file = Path("/var/lib/gnubg/gnubg_ts0.bd")
    if dump is None or not file.exists():
        pytest.skip("GNU Backgammon's bearoffdump and its two-sided table are not installed")
    table, sides, chance = bearoff.two_sided(6), bearoff.positions(6), random.Random(5)
    for _ in range(40):  # 400 were compared once, none further off than the file's 16 bits
        i, j = chance.randrange(1, len(sides)), chance.randrange(1, len(sides))
        p = position_of([0, *sides[i], *[0] * 19], [0, *sides[j], *[0] * 19])
        order = [dump, "-p", position_id(p), str(file)]
        said = subprocess.run(order, capture_output=True, text=True, check=True).stdout
        found = [float(v) for v in re.findall(r"(?:equity|cube)\s*: ([+-][\d.]+)", said)]
        win, mine, theirs, middle = table[:, i, j]
        assert found == pytest.approx([2 * win - 1, mine, middle, theirs], abs=2e-4)


def test_one_sided_chances_are_near_the_exact_ones(
    table: tuple[np.ndarray, np.ndarray], first: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearoff, "_one_sided_table", lambda: np.hstack([table[0], first]))
    exact = bearoff.two_sided(3)[0]
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
    assert solver.table().shape == (4, 28, 28)  # type: ignore[attr-defined]
    with pytest.raises(PetteiaError, match="sides=3"):
        games.solver("backgammon(sides=3)")


# --- the agent ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("PETTEIA_TABLES", str(tmp_path_factory.mktemp("tables")))
    games.solver("backgammon(sides=2)").solve(Control(), workers=1)
    yield None
    patch.undo()


def test_perfect_play_looks_up_the_exact_chances(tables: object) -> None:
    of, exact = game(), bearoff.two_sided(6)[0]
    agent = agents.make("perfect", of)
    p = of.parse(board({6: 2, 4: 1, 1: 3}, {5: 2, 2: 2}, dice="41"))
    for each in agent.values(p):
        q = of.play(p, each.move)
        chance = exact[bearoff.numbers(q, 1)]
        assert each.value == pytest.approx(1 - 2 * chance, abs=1e-6)
    assert agent.choose(p).move == agent.values(p)[0].move
    assert agent.remarks(p)["exact"] is True
    start = of.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert agent.choose(start).move == agents.make("network", of).choose(start).move


def test_perfect_play_at_the_cube(tables: object) -> None:
    of, table = game(cube=True), bearoff.two_sided(6)
    agent = agents.make("perfect", of)
    for own, other in (({6: 2}, {6: 2}), ({1: 3, 2: 3}, {6: 3}), ({5: 4}, {1: 2})):
        p = of.parse(board(own, other))
        at = bearoff.numbers(p, 0)
        values = {of.move_text(p, v.move): v.value for v in agent.values(p)}
        assert values["roll"] == pytest.approx(table[3][at], abs=1e-6)
        assert values["double"] == pytest.approx(min(2 * table[2][at], 1), abs=1e-6)
        offered = of.parse(board(own, other, dice="D"))
        values = {of.move_text(offered, v.move): v.value for v in agent.values(offered)}
        assert values["take"] == pytest.approx(-2 * table[2][at], abs=1e-6)
        assert values["drop"] == -1


def test_what_perfect_play_knows_exactly(tables: object) -> None:
    few, many = board({6: 2, 1: 3}, {5: 2}, dice="41"), board({6: 7}, {5: 2}, dice="41")
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    for of in (game(), game(cube=True)):
        agent = agents.make("perfect", of)
        assert [agent.knows(of.parse(text)) for text in (few, many, start)] == [True, False, False]
    # Beavers and the scores of a match are not in the tables.
    match, beavers = few.replace(":0:0:10", ":0:3:10"), few.replace(":0:0:10", ":2:0:10")
    for of, text in ((game(cube=True, beaver=True), beavers), (game(match=3), match)):
        assert not agents.make("perfect", of).knows(of.parse(text))


def test_perfect_play_needs_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    with pytest.raises(PetteiaError, match="petteia solve"):
        agents.make("perfect", game())
    with pytest.raises(PetteiaError, match="official rules"):
        agents.make("perfect", game("course"))
