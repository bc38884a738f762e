"""Endgame tables: golden figures, every value against its successors, and play by them."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import agents, games
from petteia.cli.app import main
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, DRAWN, TERMINAL
from petteia.core.history import Line
from petteia.core.words import Words
from petteia.games.checkers.solution.files import (
    KIND,
    Tables,
    path_of,
    table_name,
    tables_there,
)
from petteia.games.checkers.solution.packed import (
    LONGEST_CODE,
    NONE,
    code_lengths,
    pack,
    packed_value,
    unpack,
)
from petteia.games.checkers.solution.probe import DRAW, value_of
from petteia.games.checkers.solution.slices import (
    Slice,
    number_of_placement,
    placement,
    slices,
    turned_words,
)
from petteia.search.distance import Prover
from petteia.search.values import WIN, plies_to_end
from petteia.solve import Control, Stopped, TableFile
from tests.games.checkers.boards import board, thrown

GAME = board()
COURSE = board(repetitions=0, quiet_plies=0)

# Positions, wins, draws and losses of the player to move, whose pieces are named first. The first
# row was published by E. Trice; the sums of positions are those of Schaeffer's formula.
GOLDEN = {
    "K v K": (992, 230, 654, 108),
    "KK v K": (14_880, 14_846, 34, 0),
    "KK v KK": (215_760, 58_361, 153_456, 3_943),
    "MM v MM": (125_664, 26_945, 95_631, 3_088),
}
SPLITS = {(1, 1): 3_488, (2, 1): 98_016, (2, 2): 2_662_932, (3, 1): 1_773_192}


@pytest.fixture(scope="module")
def four() -> Iterator[dict[str, Any]]:
    """All positions with at most four pieces, in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("PETTEIA_TABLES", folder)
        yield games.solver("checkers(pieces=4)").solve(Control(), workers=2)


# --- slices -------------------------------------------------------------------------------------


@pytest.mark.rules
def test_numbers_and_placements_are_two_names_of_the_same() -> None:
    chance = random.Random(1)
    for one in slices(5, 5):
        for _ in range(6):
            number = chance.randrange(one.size)
            p = placement(number, one.array, chance.randint(0, 1))
            if p[0] & p[1]:
                continue
            assert number_of_placement(p) == number
            counts = [int(x).bit_count() for x in (p[0] & ~p[2], p[0] & p[2], p[1] & ~p[2])]
            assert (*counts, int(p[1] & p[2]).bit_count()) == one.counts


@pytest.mark.rules
def test_every_placement_of_a_small_slice_has_a_number_of_its_own() -> None:
    one = Slice(1, 0, 1, 0)
    found = [placement(number, one.array, 0) for number in range(one.size)]
    real = [p for p in found if not p[0] & p[1]]
    assert len(set(real)) == len(real) == 760


@pytest.mark.rules
def test_slices_come_after_those_to_which_they_lead() -> None:
    order = slices(6, 3)
    for place, one in enumerate(order):
        assert one.stored == one
        assert all(other in order[:place] for other in one.crowned())
    assert {one.pieces for one in order} == {2, 3, 4, 5, 6}


@pytest.mark.rules
def test_turning_the_board_twice_changes_nothing() -> None:
    chance = random.Random(2)
    for _ in range(50):
        p = thrown(chance, 5)
        assert turned_words(turned_words(p)) == p
        assert turned_words(p) == GAME.symmetries(p, 0)[0][0]


# --- packing ------------------------------------------------------------------------------------


def tangled(length: int, kinds: int, seed: int) -> np.ndarray:
    """Values that often stay, sometimes change, and are missing here and there."""
    chance = np.random.default_rng(seed)
    values = chance.integers(0, kinds, length).astype(np.uint8)
    stays = chance.random(length) < 0.6
    for i in range(1, length):
        if stays[i]:
            values[i] = values[i - 1]
    values[values == NONE] = DRAW
    values[chance.random(length) < 0.05] = NONE
    return values


@pytest.mark.parametrize(
    ("length", "kinds"), [(1, 1), (63, 2), (64, 3), (65, 256), (999, 7), (20_000, 250), (5_000, 1)]
)
def test_what_is_packed_is_read_again(length: int, kinds: int) -> None:
    values = tangled(length, kinds, length)
    packed = pack(values)
    address = packed.__array_interface__["data"][0]
    whole = np.empty(length, np.uint8)
    unpack(address, whole)
    there = values != NONE
    assert (whole == values)[there].all()
    for at in range(0, length, max(1, length // 97)):
        assert packed_value(address, at) == whole[at]


def test_no_code_is_too_long_and_none_too_many() -> None:
    for counts in ([1], [5, 1], [2**n for n in range(40)], [1] * 256, [0, 0, 9]):
        lengths = code_lengths(np.array(counts, np.int64))
        assert 1 <= lengths.min() <= lengths.max() <= LONGEST_CODE
        assert code_lengths(np.array(counts, np.int64), 9).max() <= 9
        assert (0.5**lengths).sum() <= 1.0  # Kraft: such a code exists


def test_packed_tables_are_small(four: dict[str, Any]) -> None:
    assert four["bytes"] < 0.5 * four["positions"]


# --- what they say ------------------------------------------------------------------------------


def test_golden_figures(four: dict[str, Any]) -> None:
    rows = {row["slice"]: row for row in four["slices"]}
    for name, figures in GOLDEN.items():
        keys = ("positions", "wins", "draws", "losses")
        assert tuple(rows[name][key] for key in keys) == figures
    assert rows["K v K"]["longest_win"] == 11
    for (white, black), positions in SPLITS.items():
        sizes = [
            row["positions"]
            for name, row in rows.items()
            if [len(side) for side in name.split(" v ")] == [white, black]
        ]
        assert sum(sizes) == positions, (white, black)
    assert four["positions"] == sum(row["positions"] for row in four["slices"])


def known(fen: str) -> int:
    tables = GAME.exact_tables()
    assert tables is not None
    return int(GAME.known(GAME.parse(fen), tables.__array_interface__["data"][0]))


def test_first_position(four: dict[str, Any]) -> None:
    assert known("W:WK23,K19:BK28,12") == 61
    assert known("B:WK23,K19:BK28,12") == DRAWN
    assert known("B:WK5,21:BK10,K14") == -known_turned("B:WK5,21:BK10,K14")


def known_turned(fen: str) -> int:
    """The same for the other colour, with the sign turned."""
    p = GAME.symmetries(GAME.parse(fen), 0)[0][0]
    return -known(GAME.text(p))


def test_more_pieces_are_not_known(four: dict[str, Any]) -> None:
    assert known("W:WK23,K19,K1:BK28,12") == 0


def test_the_tables_agree_with_the_prover(four: dict[str, Any]) -> None:
    chance = random.Random(3)
    prover = Prover(COURSE, table_bits=18)
    tables = tables_there()
    assert tables is not None
    decided = 0
    for _ in range(150):
        p = thrown(chance, 2)
        if COURSE.kind(p) == TERMINAL:
            continue
        value = value_of(p, tables.directory)
        proved = prover.prove(p, plies=7)
        if proved.plies is not None:
            decided += 1
            assert value == proved.plies
        else:
            assert value == DRAW or value > 7
    assert decided > 10


def test_a_proof_may_use_the_tables_where_no_rule_contradicts_them(four: dict[str, Any]) -> None:
    fen = "W:WK23,K19:BK28,12"
    proved = Prover(COURSE, table_bits=16, exact=True).prove(COURSE.parse(fen))
    assert (proved.result, proved.plies, len(proved.line)) == ("win", 61, 61)
    drawn = Prover(COURSE, table_bits=16, exact=True).prove(COURSE.parse(fen.replace("W:W", "B:W")))
    assert drawn.result == "draw"
    # Under the rule of 40 moves a win is certain only while it is near enough.
    for quiet, result in ((0, "win"), (19, "win"), (20, "unknown")):
        limited = Prover(GAME, table_bits=16, exact=True).prove(
            GAME.parse(f"{fen}:H{quiet}"), nodes=5000
        )
        assert limited.result == result


def test_every_value_is_consistent_with_its_successors(four: dict[str, Any]) -> None:
    facts = games.solver("checkers(pieces=3, verify=true)").solve(Control(), workers=1)
    assert facts["verified"] == 204_056


def test_verifying_finds_a_wrong_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    solver = games.solver("checkers(pieces=2, verify=true)")
    solver.solve(Control(), workers=1)
    one = Slice(0, 1, 0, 1)
    tables = Tables()
    tables.open(one)
    found = tables.files[one]
    data = tables.values(one)
    data[int(np.argmax(data == 11))] = 13
    TableFile.write(path_of(one), KIND, table_name(one), pack(data), found.facts)
    with pytest.raises(PetteiaError, match="is wrong at"):
        solver.solve(Control(), workers=1)


# --- playing by them ----------------------------------------------------------------------------


def distance(p: Words) -> int:
    tables = tables_there()
    assert tables is not None
    return int(value_of(p, tables.directory))


def played(attacker: Agent, defender: Agent, p: Words, plies: int) -> list[Words]:
    """What the two make of a position in so many plies at most."""
    line = Line(GAME, GAME.text(p), p)
    while GAME.kind(p) == DECISION and not line.is_drawn and len(line.positions) <= plies:
        agent = (attacker, defender)[(len(line.positions) - 1) % 2]
        agent.follow(line)
        p = GAME.play(p, agent.choose(p).move)
        line.stand(p)
    return line.positions


def of_value(count: int, seed: int, lowest: int, highest: int) -> list[Words]:
    """Positions with three or four pieces and a value between these."""
    chance, found = random.Random(seed), list[Words]()
    while len(found) < count:
        p = thrown(chance, 2)
        value = distance(p)
        is_won = value == DRAW or value % 2 == 1
        if GAME.kind(p) == DECISION and lowest <= value <= highest and is_won:
            found.append(p)
    return found


def test_a_win_is_played_out_in_its_distance(four: dict[str, Any]) -> None:
    engine, perfect = (
        agents.make("engine(nodes=2000, exact=true)", GAME),
        agents.make("perfect", GAME),
    )
    for p in [GAME.parse("W:WK23,K19:BK28,12"), *of_value(25, 61, 9, 60)]:
        for agent in (engine, perfect):
            agent.new_game()
        line = played(engine, perfect, p, 100)
        assert [distance(q) for q in line] == list(range(distance(p), -1, -1))
        assert GAME.result(line[-1]) == (1.0 if GAME.mover(p) == 0 else -1.0)


def test_a_draw_is_held(four: dict[str, Any]) -> None:
    engine, perfect = (
        agents.make("engine(nodes=2000, exact=true)", GAME),
        agents.make("perfect", GAME),
    )
    for p in [GAME.parse("B:WK23,K19:BK28,12"), *of_value(15, 62, DRAW, DRAW)]:
        for agent in (engine, perfect):
            agent.new_game()
        assert all(distance(q) == DRAW for q in played(engine, perfect, p, 30))


def test_the_perfect_player_wins_and_holds(four: dict[str, Any]) -> None:
    agent = agents.make("perfect", GAME)
    p = GAME.parse("W:WK23,K19:BK28,12")
    values = agent.values(p)
    assert (values[0].value, plies_to_end(values[0].value or 0.0)) == (WIN - 61, 61)
    for left in range(61, 0, -1):
        assert distance(p) == left
        p = GAME.play(p, agent.choose(p).move)
    assert GAME.result(p) == -1.0
    drawn = agent.choose(GAME.parse("B:WK23,K19:BK28,12"))
    assert drawn.value == 0.0
    before = agent.choose(GAME.start())
    assert before.depth > 1


def test_the_perfect_player_needs_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path / "none"))
    with pytest.raises(PetteiaError, match="needs endgame tables"):
        agents.make("perfect", GAME)


def test_the_engine_uses_tables_for_a_person_and_not_in_a_series(four: dict[str, Any]) -> None:
    p = GAME.parse("W:WK23,K19:BK28,12")
    for spec, is_known in (("engine(depth=1)", True), ("engine(depth=1, exact=false)", False)):
        agent = agents.make(spec, GAME)
        before = agent.choose(p).value or 0.0
        assert abs(before) < WIN - 1000
        agent.use_tables()
        found = agent.choose(p).value or 0.0
        assert (found == WIN - 61) == is_known
        assert str(agent) == spec


# --- proofs -------------------------------------------------------------------------------------


def prove(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    with pytest.raises(SystemExit) as end:
        main(["analyse", "checkers", *arguments, "--prove", "--json"])
    assert not end.value.code
    told = capsys.readouterr()
    return json.loads(told.out), told.err


def test_a_proof_finds_the_tables(four: dict[str, Any], capsys: Any) -> None:
    facts, _ = prove(capsys, "W:WK23,K19:BK28,12")
    assert (facts["result"], facts["plies"], len(facts["line"])) == ("win", 61, 61)
    assert facts["tables_built"] is None


def test_a_proof_builds_the_tables_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    monkeypatch.setattr("petteia.cli.analyse_prove._AT_FIRST", 0.01)
    drawn = "W:WK1:BK32"
    facts, _ = prove(capsys, drawn, "--tables", "0", "--seconds", "0.01")
    assert (facts["result"], facts["tables_built"]) == ("unknown", None)
    facts, told = prove(capsys, drawn)
    assert (facts["result"], facts["tables_built"]) == ("draw", "checkers(pieces=4, side=1)")
    assert "building exact tables, once" in told
    facts, _ = prove(capsys, drawn)
    assert (facts["result"], facts["tables_built"]) == ("draw", None)
    assert GAME.missing_tables(GAME.parse("W:WK1,K2:BK32,5,6"), 5) == "checkers(pieces=5, side=3)"
    assert GAME.missing_tables(GAME.start(), None) is None
    with pytest.raises(PetteiaError, match="tables of 9 pieces are not possible"):
        GAME.missing_tables(GAME.start(), 9)


# --- files --------------------------------------------------------------------------------------


def test_what_is_there_is_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    solver = games.solver("checkers(pieces=3)")
    seen: list[str] = []
    first = solver.solve(Control(), workers=2)
    gone = path_of(Slice(0, 1, 1, 1))
    gone.unlink()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("checkers/*")}
    again = solver.solve(Control(lambda _, what: seen.append(what)), workers=1)
    assert again["slices"] == first["slices"]
    assert gone.exists()
    assert kept.items() <= {p: p.stat().st_mtime_ns for p in tmp_path.glob("checkers/*")}.items()
    assert "KM v K" in seen
    assert "KK v K was there" in seen


def test_it_stops_when_asked_and_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    shares: list[float] = []

    def show(share: float, what: str) -> None:
        shares.append(share)
        if what == "KK v K":
            control.stop()

    control = Control(show)
    with pytest.raises(Stopped):
        games.solver("checkers(pieces=3)").solve(control, workers=1)
    assert path_of(Slice(0, 1, 0, 1)).exists()
    assert not path_of(Slice(1, 0, 2, 0)).exists()
    assert all(a <= b for a, b in pairwise(shares))
    games.solver("checkers(pieces=3)").solve(Control(), workers=1)
    assert path_of(Slice(1, 0, 2, 0)).exists()


def test_without_tables_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path / "none"))
    assert GAME.exact_tables() is None


@pytest.mark.parametrize("bad", ["pieces=1", "pieces=7", "side=9"])
def test_impossible_tables_are_refused(bad: str) -> None:
    with pytest.raises(PetteiaError, match="is not possible"):
        games.solver(f"checkers({bad})")
