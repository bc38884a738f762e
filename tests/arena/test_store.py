"""What is stored comes back as it was, from the store and from files."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia import __version__
from petteia.arena.match import MatchResult, Pair
from petteia.arena.play import Forfeit, Played, Seat
from petteia.arena.store import (
    GameRow,
    Store,
    Summary,
    export,
    export_csv,
    export_parquet,
    export_records,
)
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.core.record import Ply, Record
from tests.arena.stored import AGENTS, PAIRS, SMALL, new_series, odd_pair


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "lab.db") as store:
        yield store


# --- series and pairs ----------------------------------------------------------------------------


def test_a_series_keeps_what_was_asked_for(store: Store) -> None:
    options = {"opening_plies": 4, "sprt": {"elo": [0, 5.5]}, "limit": None}
    number = new_series(store, seed=2**70, kind="study", options=options, note="für Élise\n2")
    found = store.find(number)
    assert (found.game, found.agents, found.seed, found.pairs) == (SMALL, AGENTS, 2**70, 6)
    assert (found.kind, found.state, found.note) == ("study", "running", "für Élise\n2")
    assert found.options == options
    assert found.version == __version__
    assert found.created.endswith("+00:00")


def test_pairs_come_back_equal_also_after_reopening(store: Store) -> None:
    number = new_series(store)
    store.add_pairs(number, PAIRS[3:])
    store.add_pair(number, PAIRS[0])
    store.close()
    assert store.pairs(number) == [PAIRS[0], *PAIRS[3:]]
    assert store.missing(number) == [1, 2]
    assert store.game(number, 4, 1).played == PAIRS[4].games[1]
    assert any(game.seats[0].seconds for pair in PAIRS for game in pair.games)


def test_the_columns_are_those_of_the_agents(store: Store) -> None:
    number = new_series(store)
    store.add_pairs(number, PAIRS)
    result = MatchResult(PAIRS)
    rows = store.games(series=number)
    assert [row.score for row in rows] == result.scores
    for agent in (0, 1):
        assert sum(row.costs[agent].moves for row in rows) == result.seat(agent).moves
        stored = store._database.read(f"SELECT sum({'ab'[agent]}_leaves) FROM games")[0][0]
        assert stored == result.seat(agent).leaves


def test_a_summary_is_the_result_of_the_match(store: Store) -> None:
    number, empty = new_series(store), new_series(store)
    store.add_pairs(number, [*PAIRS[:4], odd_pair(4), odd_pair(5)])
    result = MatchResult(store.pairs(number))
    found = store.summaries([number, empty])
    facts = found[number].as_json()
    assert facts.pop("plies") == pytest.approx(
        sum(game.plies for pair in result.pairs for game in pair.games) / 12
    )
    assert facts.pop("interval") == pytest.approx(result.interval)
    assert facts.pop("forfeits_by_agent") == [4, 0]
    assert facts.pop("late_by_agent") == list(result.late()) == [2, 2]
    assert facts == pytest.approx({key: result.as_json()[key] for key in facts})
    for agent in (0, 1):
        costs = astuple(found[number].costs[agent])
        assert costs == pytest.approx(astuple(result.seat(agent)), rel=1e-12)
    assert found[empty] == Summary()


def test_adding_a_pair_again_changes_nothing(store: Store) -> None:
    number = new_series(store)
    store.add_pairs(number, PAIRS[:2])
    slower = replace(PAIRS[0].games[0], seats=(Seat(1, 2, 3, 99.0), Seat()))
    store.add_pairs(number, [PAIRS[1], Pair(0, (slower, PAIRS[0].games[1])), PAIRS[2]])
    assert store.pairs(number) == PAIRS[:3]


def test_another_game_in_the_place_of_a_stored_one_is_an_error(store: Store) -> None:
    number = new_series(store)
    store.add_pair(number, PAIRS[0])
    with pytest.raises(PetteiaError, match=r"pair 0 of series 1 .* another game"):
        store.add_pairs(number, [PAIRS[1], replace(PAIRS[2], index=0)])
    assert store.pairs(number) == PAIRS[:1]


def test_several_runs_share_a_store_without_mixing(store: Store) -> None:
    first, second = new_series(store), new_series(store)
    store.add_pairs(first, PAIRS[:2])
    store.add_pairs(second, PAIRS[1:3])
    assert store.pairs(first) == PAIRS[:2]
    assert store.pairs(second) == PAIRS[1:3]
    store.delete(first)
    assert [row.series for row in store.games()] == [second] * 4
    with pytest.raises(PetteiaError, match="no series 1"):
        store.pairs(first)
    store.delete(second)
    assert new_series(store) > second, "the number of a deleted series is not used again"


def test_states_are_set_and_checked(store: Store) -> None:
    number = new_series(store)
    for state in ("stopped", "running", "finished"):
        store.finish(number, state)
        assert store.find(number).state == state
    with pytest.raises(PetteiaError, match="finished"):
        store.finish(number, "finish")
    with pytest.raises(PetteiaError, match="kind of series"):
        new_series(store, kind="war")
    with pytest.raises(PetteiaError, match="cannot have -1 pairs"):
        new_series(store, pairs=-1)


@pytest.mark.parametrize("number", [0, 7, -1, 2**63])
def test_an_unknown_series_is_refused(store: Store, number: int) -> None:
    for ask in (store.find, store.pairs, store.missing, store.delete, store.finish):
        with pytest.raises(PetteiaError, match=r"no series|2\^63"):
            ask(number)
    with pytest.raises(PetteiaError, match=r"no series|2\^63"):
        store.add_pair(number, PAIRS[0])
    with pytest.raises(PetteiaError, match=r"no game|2\^63"):
        store.game(number, 0, 0)


def test_filters(store: Store) -> None:
    plain = new_series(store, game="breakthrough", agents=("random", "engine(nodes=9)"))
    small = new_series(store)
    other = new_series(store, game="breakthroughs", agents=("100%", "a_b"))
    store.finish(small)
    for number in (plain, small, other):
        store.add_pair(number, PAIRS[0])

    def found(**wish: Any) -> list[int]:
        return [row.id for row in store.series(**wish)]

    assert found() == [other, small, plain]
    assert found(limit=2) == [other, small]
    assert found(game="breakthrough") == [small, plain]
    assert found(game=SMALL) == [small]
    assert found(agent="ENGINE(") == [plain]
    assert found(agent="%") == [other]
    assert found(agent="_b", state="running") == [other]
    assert found(state="finished", game="breakthrough", agent="greedy") == [small]
    with pytest.raises(PetteiaError, match="state"):
        store.series(state="done")
    assert len(store.games(agent="greedy")) == 6
    assert [row.number for row in store.games(series=small, limit=1)] == [0]
    assert store.games(game="awithlaknannai") == []


_texts = st.text(st.characters(), max_size=12) | st.sampled_from(["\0", "\ud83d\ude00", "'; --"])
_counts = st.integers(0, 2**62)
_seats = st.builds(Seat, _counts, _counts, _counts, st.floats(0, allow_infinity=False))
_plies = st.builds(Ply, st.just("move"), st.tuples(_texts), _texts) | st.builds(
    Ply, st.just("both"), st.tuples(_texts, _texts)
)


@st.composite
def _games(draw: st.DrawFn) -> Played:
    result = draw(st.floats(-1e9, 1e9))
    kept = Record(
        draw(_texts), draw(st.tuples(_texts, _texts)), draw(_texts),
        tuple(draw(st.lists(_plies, max_size=4))), result, (("Note", draw(_texts)),),
    )  # fmt: skip
    forfeit = draw(st.none() | st.builds(Forfeit, st.integers(0, 1), _texts, _texts))
    return Played(kept, result, draw(_counts), draw(st.tuples(_seats, _seats)), forfeit)


@settings(max_examples=150)
@given(drawn=st.tuples(_games(), _games()), names=st.tuples(_texts, _texts), note=_texts)
def test_any_text_and_any_number_come_back(
    drawn: tuple[Played, Played],
    names: tuple[str, str],
    note: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    # One file for all examples: what one leaves behind must not matter to the next.
    with Store(tmp_path_factory.getbasetemp() / "odd.db") as store:
        number = new_series(store, agents=names, note=note, game=note)
        pair = Pair(3, drawn)
        store.add_pair(number, pair)
        store.add_pair(number, pair)
        assert store.pairs(number) == [pair]
        found = store.find(number)
        assert (found.agents, found.note, found.game) == (names, note, note)
        assert number in {row.id for row in store.series(agent=names[0], game=note)}


# --- to files and back ---------------------------------------------------------------------------


def _rows(store: Store) -> list[GameRow]:
    number = new_series(store)
    store.add_pairs(number, PAIRS)
    return store.games(series=number)


def test_records_go_out_and_come_back_as_the_same_series(store: Store, tmp_path: Path) -> None:
    rows = _rows(store)
    export_records(tmp_path / "all.txt", rows)
    number = store.import_records(tmp_path / "all.txt")
    found = store.find(number)
    assert (found.kind, found.state, found.game, found.agents) == (
        "import",
        "finished",
        SMALL,
        AGENTS,
    )
    assert found.note == "from all.txt"
    assert [pair.index for pair in store.pairs(number)] == list(range(6))
    assert MatchResult(store.pairs(number)).scores == MatchResult(PAIRS).scores
    assert [row.record for row in store.games(series=number)] == [row.record for row in rows]
    assert store.missing(number) == []


def test_single_games_and_games_of_several_agents_are_taken_too(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "some.pgn"
    first, second = (game.record for game in PAIRS[0].games)
    record.save(path, [first, first, second, second])
    number = store.import_records(path)
    assert [(row.pair, row.number) for row in store.games(series=number)] == [
        (0, 0), (1, 0), (1, 1), (2, 1),
    ]  # fmt: skip
    scores = PAIRS[0].scores
    assert store.summaries([number])[number].score == sum(scores) / 2
    assert store.missing(number) == []

    record.save(path, [second, replace(first, players=("person", "x"))])
    found = store.find(store.import_records(path))
    assert found.agents == ("*", "*")
    assert [row.players for row in store.games(agent="person")] == [("person", "x")]


def test_a_forfeit_is_known_again(store: Store, tmp_path: Path) -> None:
    kept = replace(
        PAIRS[0].games[0].record, plies=(), result=1.0, headers=(("Forfeit", "black: E: no"),)
    )
    record.save(tmp_path / "f.txt", [kept])
    number = store.import_records(tmp_path / "f.txt")
    assert store.game(number, 0, 0).forfeit == Forfeit(1, "E: no")
    assert store.problems(number) == ["E: no"]


_GOOD = record.write(PAIRS[0].games[0].record)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no game"),
        ("PK\x03\x04", "line 1: expected"),
        (
            _GOOD + "\n" + _GOOD.replace(" 1. ", " 1. a1a9 ").replace("\n1. ", "\n1. a1a9 "),
            "game 2: ply 1",
        ),
        (_GOOD + _GOOD[: len(_GOOD) - 8], "expected"),
        (_GOOD + _GOOD.replace("breakthrough", "brekthrough", 1), "game 2: unknown game"),
        ('[Game "breakthrough"]\n\n1. a2a3 *\n', "game 1: it is not finished"),
        ('[Game "breakthrough"]\n[Start "8/8"]\n\n1. a2a3 1-0\n', "game 1: start of the game"),
        ('[Game "./nowhere.py"]\n\n1-0\n', "game 1: there is no file"),
    ],
)
def test_a_bad_file_is_refused_and_changes_nothing(
    store: Store, tmp_path: Path, text: str, what: str
) -> None:
    _rows(store)
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(PetteiaError, match=what) as caught:
        store.import_records(path)
    assert str(path) in str(caught.value)
    assert len(store.series()) == 1
    assert len(store.games()) == 12


def test_a_full_disk_leaves_no_part_of_an_import(store: Store, tmp_path: Path) -> None:
    rows = _rows(store)
    export_records(tmp_path / "all.txt", rows * 20)
    (pages,) = store._database.read("PRAGMA page_count")[0]
    store._database.read(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(PetteiaError, match="the disk is full"):
        store.import_records(tmp_path / "all.txt")
    assert len(store.series()) == 1


def test_csv_has_one_line_a_game(store: Store, tmp_path: Path) -> None:
    number = new_series(store)
    store.add_pairs(number, [*PAIRS, odd_pair(6)])
    export_csv(tmp_path / "games.csv", store.games())
    text = (tmp_path / "games.csv").read_text(encoding="utf-8")
    assert text.count("\n") == 1 + 14
    rows = list(csv.DictReader(text.splitlines()))
    assert [float(row["score"]) for row in rows[:12]] == MatchResult(PAIRS).scores
    assert sum(int(row["a_moves"]) for row in rows[:12]) == MatchResult(PAIRS).seat(0).moves
    assert rows[0]["first"] == AGENTS[0]
    assert rows[-1]["forfeit_agent"] == "0"
    assert rows[-1]["forfeit_reason"] == "x: \\ud800 '; DROP TABLE"


def test_the_name_decides_what_is_written(store: Store, tmp_path: Path) -> None:
    rows = _rows(store)
    export(tmp_path / "a.PGN", rows)
    export(tmp_path / "a.csv", rows)
    assert len(record.load(tmp_path / "a.PGN")) == 12
    for name in ("a.xlsx", "a"):
        with pytest.raises(PetteiaError, match=r"\.txt, \.pgn, \.csv, \.parquet"):
            export(tmp_path / name, rows)
    with pytest.raises(PetteiaError, match="cannot write"):
        export(tmp_path / "nowhere" / "a.csv", rows)


def test_parquet_without_pyarrow_names_the_extra(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PetteiaError, match=r"petteia\[parquet\]"):
        export(tmp_path / "a.parquet", _rows(store))
    assert not (tmp_path / "a.parquet").exists()


def test_parquet_keeps_the_table_and_the_records(store: Store, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    number = new_series(store)
    store.add_pairs(number, [*PAIRS, odd_pair(6)])
    rows = store.games()
    export_parquet(tmp_path / "a.parquet", rows)
    found = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [each["record"] for each in found] == [row.text for row in rows]
    assert [each["score"] for each in found] == [row.score for row in rows]
    assert [each["forfeit_agent"] for each in found] == [None] * 12 + [0, 0]
    assert [file.name for file in tmp_path.glob("*.part")] == []
    with pytest.raises(PetteiaError, match="cannot write"):
        export_parquet(tmp_path / "nowhere" / "a.parquet", rows)
