"""What was stored is there, whatever happens to the program, the disk or the file."""

from __future__ import annotations

import pickle
import random
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petteia.arena.store import (
    Store,
    default_path,
    schema,
)
from petteia.core.errors import PetteiaError
from tests.arena.stored import PAIRS, new_series


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "lab.db") as store:
        yield store


# --- the file ------------------------------------------------------------------------------------


def test_the_file_is_named_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PETTEIA_STORE", str(tmp_path / "deep" / "er.db"))
    assert default_path() == tmp_path / "deep" / "er.db"
    with Store() as store:
        assert not store.path.exists(), "opened at the first use"
        assert store.series() == []
        assert store.path.exists()
    monkeypatch.delenv("PETTEIA_STORE")
    assert default_path().name == "lab.db"


def test_a_store_is_sqlite_in_wal_mode_with_a_number(store: Store) -> None:
    new_series(store)
    with sqlite3.connect(store.path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert other.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
    other.close()


def _write_text(path: Path) -> None:
    path.write_text('[Game "breakthrough"]\n' * 100)


def _write_other_database(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE series (id)")
    other.close()


def _write_newer(path: Path) -> None:
    with Store(path) as store:
        new_series(store)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()


def _write_short(path: Path) -> None:
    with Store(path) as store:
        store.add_pairs(new_series(store), PAIRS)
    path.write_bytes(path.read_bytes()[:-3000])


def _write_scrambled(path: Path) -> None:
    with Store(path) as store:
        store.add_pairs(new_series(store), PAIRS)
    raw = bytearray(path.read_bytes())
    raw[100:] = random.Random(1).randbytes(len(raw) - 100)
    path.write_bytes(raw)


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (_write_text, "not an SQLite file"),
        (lambda path: path.write_bytes(b"S"), "not an SQLite file"),
        (_write_other_database, "another program's"),
        (_write_newer, "version 99.* newer petteia"),
        (_write_short, "damaged"),
        (_write_scrambled, "damaged"),
        (Path.mkdir, "not a file"),
    ],
)
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    tmp_path: Path, write: Any, what: str
) -> None:
    path = tmp_path / "other.db"
    write(path)
    before = path.read_bytes() if path.is_file() else b""
    with Store(path) as store:
        for ask in (
            lambda: store.games(),
            lambda: new_series(store),
            lambda: store.add_pair(1, PAIRS[0]),
        ):
            with pytest.raises(PetteiaError, match=what) as caught:
                ask()
            assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "lab.db", "a\0b"):
        with pytest.raises(PetteiaError, match=r"cannot use the store|not the name"):
            Store(path).series()


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "lab.db"
    path.touch()
    with Store(path) as store:
        assert store.find(new_series(store)).id == 1


def test_migrations_bring_an_old_store_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lab.db"
    with Store(path) as store:
        number = new_series(store)
        store.add_pairs(number, PAIRS)
    before = path.read_bytes()
    home = "petteia.arena.store.database.MIGRATIONS"
    good = ("ALTER TABLE series ADD COLUMN owner TEXT NOT NULL DEFAULT 'me'",)
    monkeypatch.setattr(home, (*schema.MIGRATIONS, good, ("CREATE TABLE games (x)",)))
    with Store(path) as store, pytest.raises(PetteiaError, match="games already exists"):
        store.series()
    assert path.read_bytes() == before, "all steps or none"
    monkeypatch.setattr(home, (*schema.MIGRATIONS, good))
    with Store(path) as store:
        assert store.pairs(number) == PAIRS
        assert store._database.read("SELECT owner FROM series")[0][0] == "me"
        assert store._database.read("PRAGMA user_version")[0][0] == len(schema.MIGRATIONS) + 1


def test_a_store_from_before_late_answers_were_counted_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lab.db"
    with Store(path) as store:
        number = new_series(store)
        store.add_pairs(number, PAIRS[:3])
    with sqlite3.connect(path) as old:
        for agent in "ab":
            old.execute(f"ALTER TABLE games DROP COLUMN {agent}_late")
        old.execute("PRAGMA user_version = 1")
    old.close()
    with Store(path) as store:
        assert store.pairs(number) == PAIRS[:3]
        store.add_pairs(number, PAIRS[3:])
        assert store.summaries([number])[number].as_json()["late_by_agent"] == [0, 0]


# --- when things go wrong ------------------------------------------------------------------------


def test_a_full_disk_is_one_clear_error_and_loses_nothing(store: Store) -> None:
    number = new_series(store)
    store.add_pair(number, PAIRS[0])
    (pages,) = store._database.read("PRAGMA page_count")[0]
    store._database.read(f"PRAGMA max_page_count = {pages + 3}")
    kept, problem = 1, ""
    while not problem:
        try:
            store.add_pair(number, replace(PAIRS[1], index=kept))
            kept += 1
        except PetteiaError as error:
            problem = str(error)
    assert re.fullmatch("the disk is full; .* keeps what was stored before", problem)
    assert [pair.index for pair in store.pairs(number)] == list(range(kept))
    store._database.read("PRAGMA max_page_count = 1000000")
    store.add_pair(number, replace(PAIRS[1], index=kept))
    store.close()
    assert [pair.index for pair in store.pairs(number)] == list(range(kept + 1))


def test_a_batch_is_kept_whole_or_not_at_all(store: Store) -> None:
    number = new_series(store)
    store.add_pair(number, PAIRS[0])
    (pages,) = store._database.read("PRAGMA page_count")[0]
    store._database.read(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(PetteiaError, match="the disk is full"):
        store.add_pairs(number, [replace(PAIRS[1], index=index) for index in range(1, 100)])
    assert store.pairs(number) == PAIRS[:1]


_ADDER = """
import pickle, sys
from dataclasses import replace
from pathlib import Path
from petteia.arena.store import Store
path, series, start, batch = sys.argv[1], *map(int, sys.argv[2:])
pair = pickle.loads((Path(path).parent / "pair").read_bytes())
with Store(path) as store:
    for index in range(start, 10**9, batch):
        store.add_pairs(series, [replace(pair, index=i) for i in range(index, index + batch)])
        print(index, flush=True)
"""


def _adder(path: Path, series: int, start: int, batch: int) -> subprocess.Popen[str]:
    (path.parent / "pair").write_bytes(pickle.dumps(PAIRS[0]))
    command = [sys.executable, "-c", _ADDER, str(path), str(series), str(start), str(batch)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_program_loses_nothing_that_was_stored(
    store: Store, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(4)
    number = new_series(store, pairs=0)
    promised: set[int] = set()
    rounds, at_once, step = 7, 3, 10**6
    for turn in range(rounds):
        batches = [rng.choice((1, 1, 7)) for _ in range(at_once)]
        starts = [step * (at_once * turn + each) for each in range(at_once)]
        store.close()
        adders = [_adder(store.path, number, *each) for each in zip(starts, batches, strict=True)]
        for adder in adders:
            request.addfinalizer(adder.kill)
        for adder, batch in zip(adders, batches, strict=True):
            assert adder.stdout is not None
            for _ in range(rng.randrange(1, 30)):
                index = int(adder.stdout.readline())
                promised.update(range(index, index + batch))
            threading.Event().wait(rng.random() * 0.01)
            adder.kill()
            rest, _ = adder.communicate()
            assert adder.returncode != 0
            for line in rest.split("\n")[:-1]:
                promised.update(range(int(line), int(line) + batch))
        assert store._database.read("PRAGMA integrity_check")[0][0] == "ok"
        halves = "SELECT count(*) FROM games GROUP BY pair HAVING count(*) != 2"
        assert store._database.read(halves) == []
        stored = {row[0] for row in store._database.read("SELECT DISTINCT pair FROM games")}
        assert promised <= stored
    assert {replace(pair, index=0) == PAIRS[0] for pair in store.pairs(number)[:50]} == {True}


@pytest.mark.slow
def test_several_processes_make_and_use_one_store(tmp_path: Path) -> None:
    path = tmp_path / "lab.db"
    script = _ADDER.replace("10**9", "start + 20").replace(
        "    for index",
        "    store.new_series(game='g', agents=('a', 'b'), seed=0, pairs=1)\n    for index",
    )
    (tmp_path / "pair").write_bytes(pickle.dumps(PAIRS[0]))
    adders = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path), "1", str(100 * each), "1"],
            stdout=subprocess.DEVNULL,
        )
        for each in range(4)
    ]
    assert [adder.wait() for adder in adders] == [0] * 4
    with Store(path) as store:
        assert len(store.series()) == 4
        assert len(store.games(series=1)) == 2 * 20 * 4


def test_threads_share_a_store(store: Store) -> None:
    numbers = [new_series(store) for _ in range(4)]
    problems: list[BaseException] = []

    def add(number: int) -> None:
        try:
            for pair in PAIRS:
                store.add_pair(number, pair)
                store.summaries(numbers)
        except BaseException as error:  # noqa: BLE001  (shown by the assertion below)
            problems.append(error)

    threads = [threading.Thread(target=add, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert [store.missing(number) for number in numbers] == [[]] * 4


def test_a_store_in_use_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    number = new_series(store)
    monkeypatch.setattr("petteia.arena.store.database._WAIT", 0.05)
    store.close()
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(PetteiaError, match="in use by another program"):
        store.add_pair(number, PAIRS[0])
    other.execute("ROLLBACK")
    other.close()
    store.add_pair(number, PAIRS[0])
    assert store.pairs(number) == PAIRS[:1]
