"""Endings of four tokens: placements against the rules, chances against linear programs."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from petteia import agents, games
from petteia.core.errors import PetteiaError
from petteia.core.words import U, Words
from petteia.games.ropasci import RoPaSci, course
from petteia.games.ropasci.solution import solver, table
from petteia.games.ropasci.solution.chase import Chase, Three
from petteia.games.ropasci.solution.hunts import (
    HUNTS,
    OFF,
    Hunt,
    hunt_at,
    place_of,
    placements,
    position_with,
)
from petteia.games.ropasci.solution.layout import ending_of, placement
from petteia.games.ropasci.solution.straight import StraightLines
from petteia.games.ropasci.solution.sweep import ONE
from petteia.games.ropasci.solution.table import WHOLE, Kept
from petteia.games.ropasci.solution.work import Work
from petteia.search.reference_joint import by_linear_program
from petteia.solve import Control, Stopped, TableFile

GAME = RoPaSci()
FOUR = HUNTS[1:]
TURNS = 3


def stands_of(hunt: Hunt, chase: Chase, count: int) -> list[tuple[int, int, int, int]]:
    """Where the tokens stand at some random places of a solved hunt, half of them with a chance."""
    rng = np.random.default_rng(count)
    found = placements(hunt)
    hexes = dict(zip(found[0].tolist(), found[1].tolist(), strict=True))
    hopeful = chase.places[chase.chances > 0]
    some = [*rng.choice(chase.places, count // 2), *rng.choice(hopeful, count // 2)]
    return [tuple(hexes[place]) for place in some]


def value_of(hunt: Hunt, chances: np.ndarray, turn: int, q: Words, three: Three) -> float:
    """What a solved hunt says of the position after a turn, by the rules' own names for it."""
    if GAME.end_of(q) != 0:
        return float(GAME.result(q))
    number, place, hunter = hunt_at(GAME, q)
    assert hunter == 0
    if number >= 0:
        assert HUNTS[number] == hunt
        return float(chances[place]) / ONE
    place, hunter = ending_of(GAME, q)
    assert place >= 0
    assert hunter == 0
    there, lines = three.at(np.array([place_of(*placement(place), OFF)]))
    return float(lines[0, turn]) if there[0] else 0.0


@pytest.fixture(scope="module")
def three() -> Three:
    return Three.solved(TURNS, 1, lambda share, what: None)


@pytest.fixture(scope="module", params=FOUR, ids=lambda hunt: hunt.name)
def solved(request: pytest.FixtureRequest, three: Three) -> tuple[Hunt, Chase, list[np.ndarray]]:
    """A hunt solved for some turns, and the chances of all its placements by turns."""
    chase = Chase(request.param, 1, three)
    line = [chase.before.copy()]
    for _ in range(TURNS):
        chase.longer()
        line.append(chase.before.copy())
    return request.param, chase, line


Solved = tuple[Hunt, Chase, list[np.ndarray]]


def test_chances_are_those_of_a_linear_program_of_the_turn_before(
    solved: Solved, three: Three
) -> None:
    """Every pair of moves is played by the rules, so battles and falls are those of the rules."""
    hunt, chase, line = solved
    new = 0
    for stand in stands_of(hunt, chase, 10):
        p = position_with(hunt, stand)
        place = hunt_at(GAME, p)[1]
        for turn in range(TURNS):
            matrix = [
                [
                    value_of(hunt, line[turn], turn, GAME.play_both(p, a, b), three)
                    for b in GAME.legal_moves(p, 1)
                ]
                for a in GAME.legal_moves(p, 0)
            ]
            chance = float(line[turn + 1][place]) / ONE
            assert chance == pytest.approx(by_linear_program(np.array(matrix))[0], abs=1e-6)
            new += chance > float(line[turn][place]) / ONE
    assert new >= 5


def test_more_turns_never_hurt_the_hunter(solved: Solved) -> None:
    _, chase, line = solved
    for turn in range(TURNS):
        assert (line[turn + 1][chase.places] >= line[turn][chase.places] - 16).all()
    assert 0 < chase.residual < 1e-6


def test_images_have_the_same_chance(solved: Solved) -> None:
    hunt, chase, line = solved
    ways = [way for way in product((0, 1), (0, 1), range(3)) if any(way)]
    for stand in stands_of(hunt, chase, 20):
        p = position_with(hunt, stand)
        chance = int(line[-1][place_of(*stand)])
        for (q, _, _), (_, swapped, _) in zip(
            GAME.symmetries_of_both(p, 61 * 64, 61 * 64), ways, strict=True
        ):
            number, place, hunter = hunt_at(GAME, q)
            assert (HUNTS[number], hunter) == (hunt, swapped)
            assert abs(int(line[-1][place]) - chance) < 16


@pytest.mark.rules
@pytest.mark.parametrize(
    "text",
    [
        "start",
        "5/6/7/8/3rr4/8/1r5/6/P4 8-9 20",  # a throw is left
        "5/6/7/8/3r5/8/1r5/6/P4 9-9 20",  # three tokens
        "5/6/7/8/3rr4/8/1r1r3/6/P4 9-9 20",  # five
        "5/6/7/8/3rs4/8/1r5/6/P4 9-9 20",  # lower has won: nothing beats its scissors
        "5/6/7/8/9/8/1(rrr)5/6/P4 9-9 360",  # the last turn is over
    ],
)
def test_other_positions_are_no_hunt_of_four(text: str) -> None:
    assert hunt_at(GAME, GAME.parse(text) if text != "start" else GAME.start())[0] < 1


# --- what is kept -------------------------------------------------------------------------------


def test_lines_are_off_by_no_more_than_they_say() -> None:
    rng = np.random.default_rng(3)
    speed, most = rng.uniform(0.01, 0.2, 500), rng.uniform(0.1, 1, 500)
    curves = [most * (1 - np.exp(-speed * t)) for t in range(101)]
    lines = StraightLines(500)
    for t in range(1, 101):
        lines.add((curves[t] * ONE).astype(np.int64))
    lines.finish(150)
    assert lines.turns[0] == 0
    assert lines.turns[-2:] == [100, 150]
    assert 5 < len(lines.turns) < 50
    rows = np.stack(lines.rows) / WHOLE
    off = 0.0
    for t in range(101):
        k = int(np.searchsorted(lines.turns, t))
        share = (lines.turns[k] - t) / max(lines.turns[k] - lines.turns[k - 1], 1)
        off = max(off, np.abs(share * rows[k - 1] + (1 - share) * rows[k] - curves[t]).max())
    assert 0.001 < off < lines.error + 1 / WHOLE < 0.01


def kept_of(hunt: Hunt, three: Three, stop_at: int = 0) -> Kept:
    """A hunt solved for 12 turns, perhaps stopped on the way and taken up again."""

    def report(share: float, what: str) -> None:
        if what.endswith(f" {stop_at} turns"):
            raise Stopped("enough")

    if stop_at:
        with pytest.raises(Stopped):
            Work(hunt, three, 1).to_the_end(12, report)
    found = Work(hunt, three, 1)
    found.to_the_end(12, lambda share, what: None)
    return found.kept()


def test_a_hunt_that_was_stopped_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    hunt, three = HUNTS[2], Three.solved(12, 1, lambda share, what: None)
    whole = kept_of(hunt, three)
    again = Work(hunt, three, 1)  # finished: nothing is left to do
    again.to_the_end(12, lambda share, what: pytest.fail(what))
    assert (again.kept().chances == whole.chances).all()
    again.parts.clear()
    stopped = kept_of(hunt, three, stop_at=7)
    assert stopped.turns == whole.turns
    assert (stopped.places == whole.places).all()
    assert np.abs(stopped.chances.astype(int) - whole.chances).max() <= 1


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first turns of two hunts, solved as a whole, in a folder of their own."""
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    monkeypatch.setattr(solver, "TURNS", TURNS)
    monkeypatch.setattr(solver, "HUNTS", HUNTS[:3])
    return tmp_path


def test_the_table_says_what_was_solved(small: Path) -> None:
    facts = games.solver("ropasci(tokens=4)").solve(Control(), workers=2)
    assert [int(str(facts[key])) for key in ("positions", "lost")] == [204_070 + 307_542, 0]
    counted = [int(str(facts[key])) for key in ("won", "uncertain", "drawn")]
    assert sum(counted) == facts["positions"]
    within = float(str(facts["within"]))
    assert 0 < within < 0.01
    assert [path.name for path in small.iterdir()] == ["ropasci-4.table"]
    words = table.words_there()
    assert words is not None
    address = words.__array_interface__["data"][0]
    three = Three.solved(TURNS, 1, lambda share, what: None)
    chase = Chase(HUNTS[2], 1, three)
    for left in range(1, TURNS + 1):
        chase.longer()
        for each in stands_of(HUNTS[2], chase, 20):
            p = position_with(HUNTS[2], each)
            p = (*p[:-1], p[-1] | U((GAME.turns - left) << 8))
            chance = float(chase.before[place_of(*each)]) / ONE
            assert GAME.exact_value(p, address) == pytest.approx(chance, abs=within)


def made_up(chance: float) -> str:
    """Writes tables in which one position has this chance whatever the turns; its text."""
    p = position_with(HUNTS[2], (30, 40, 31, 50))
    p = (*p[:-1], p[-1] | U(100 << 8))
    place = hunt_at(GAME, p)[1]
    full = int(chance * WHOLE)
    none = Kept(np.zeros(0, np.int64), [0, table.TURNS], np.zeros((0, 2), np.uint16))
    one = Kept(np.array([place]), [0, table.TURNS], np.array([[full, full]], np.uint16))
    words = table.words_of(
        np.zeros((0, table.TURNS + 2), np.float32), [none, one, none, none, none]
    )
    TableFile.write(
        table.large_path(), table.LARGE_KIND, table.LARGE_NAME, words, {"within": 0.002}
    )
    return GAME.text(p)


def test_nash_looks_hunts_up_only_where_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    p = GAME.parse(made_up(0.25))
    assert not agents.make("nash", GAME).knows(p)
    agent = agents.make("nash(exact=true)", GAME)
    assert agent.knows(p)
    assert agent.within(p) == pytest.approx(0.2)  # in hundredths, as the evaluation
    # Every move leaves the one position that is no draw, but for those that stay in its class.
    assert abs(agent.choose(p, player=0).value or 0.0) <= 25
    asked = agents.make("nash(exact=false)", GAME)
    asked.use_tables()
    assert not asked.knows(p)


def test_the_player_for_the_referee_uses_tables_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    p = GAME.parse(made_up(0.25))
    assert course._made().knows(p)
    table.large_path().write_bytes(b"damaged")
    assert not course._made().knows(p)
    assert "not a table of Petteia's" in capsys.readouterr().err


def test_other_tables_in_its_place_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    TableFile.write(table.large_path(), "another", "game", np.zeros(4), {})
    with pytest.raises(PetteiaError, match=r"ropasci-4\.table holds another of game"):
        agents.make("nash(exact=true)", GAME)
