"""The commands that show what is in the store."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petteia.arena.match import MatchResult, Pair
from petteia.arena.store import Store
from petteia.cli import records as records_command
from petteia.cli import series as series_command
from petteia.core import record
from petteia.core.errors import PetteiaError
from tests.arena.stored import AGENTS, PAIRS, SMALL, new_series, odd_pair


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a finished series, one with odd texts that runs, and one without games."""
    path = tmp_path_factory.mktemp("store") / "lab.db"
    with Store(path) as store:
        store.add_pairs(new_series(store, note="first of all", options={"plies": 4}), PAIRS)
        store.finish(1)
        number = new_series(store, game="g", agents=("\x1b[2J[/]", "\udcff"), pairs=3)
        store.add_pair(number, odd_pair(0))
        new_series(store, game="breakthrough(columns=10, rows=5)", agents=("x", "y"))
    return path


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    """The same store for one test to change."""
    shutil.copy(filled, tmp_path / "lab.db")
    return tmp_path / "lab.db"


def series(path: Path | None, as_json: bool = False, **options: Any) -> None:
    series_command.run(series_command.Options(**options, store=path, as_json=as_json))


def records(path: Path | None, as_json: bool = False, **options: Any) -> None:
    records_command.run(records_command.Options(**options, store=path, as_json=as_json))


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    """Calls a command for JSON; standard output is exactly one JSON object."""

    def ask(command: Any, path: Path | None, **options: Any) -> dict[str, Any]:
        command(path, as_json=True, **options)
        out, err = capsys.readouterr()
        out.encode()
        assert err == ""
        assert out.count("\n") == 1
        found = json.loads(out)
        assert isinstance(found, dict)
        return found

    return ask


def test_series_are_listed_with_score_and_interval(ask: Any, filled: Path) -> None:
    found = ask(series, filled)
    assert list(found) == ["series"]
    empty, odd, first = found["series"]
    result = MatchResult(PAIRS)
    assert (first["id"], first["game"], first["agents"]) == (1, SMALL, list(AGENTS))
    assert (first["pairs"], first["played"], first["games"]) == (6, 6, 12)
    assert (first["state"], first["note"]) == ("finished", "first of all")
    assert first["score"] == pytest.approx(result.score)
    assert first["interval"] == pytest.approx(list(result.interval))
    assert (odd["score"], odd["forfeits_by_agent"]) == (0.5, [2, 0])
    assert (empty["score"], empty["interval"], empty["games"]) == (None, None, 0)


def test_series_are_chosen(ask: Any, filled: Path) -> None:
    def found(**options: Any) -> list[int]:
        return [each["id"] for each in ask(series, filled, **options)["series"]]

    assert found(limit=1) == [3]
    assert found(game="breakthrough") == [3, 1]
    assert found(game="long-board") == [3], "a variant's name stands for its settings"
    assert found(game="breakthrough(columns=4,rows=5)") == [1]
    assert found(agent="greedy") == [1]
    assert found(state="running") == [3, 2]
    assert found(game="nothing") == []


def test_a_series_is_shown(ask: Any, filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = ask(series, filled, show=1)["series"]
    seat = MatchResult(PAIRS).seat(1)
    assert found["costs"][1]["interior"] == seat.interior
    assert found["costs"][1]["seconds"] == pytest.approx(seat.seconds)
    assert found["problems"] == []
    assert ask(series, filled, show=2)["series"][0]["problems"][0].startswith("x: \\ud800")
    series(filled, show=1)
    out = capsys.readouterr().out
    assert "6 of 6 pairs, 12 games" in out
    assert "note: first of all" in out
    assert "plies: 4" in out
    assert f"score of {AGENTS[0]}: " in out
    series(filled, show=3)
    assert "0 of 6 pairs, 0 games" in capsys.readouterr().out


def test_a_list_is_a_table_that_odd_texts_cannot_break(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (series, records):
        command(filled)
        out = capsys.readouterr().out
        out.encode()
        assert "\x1b" not in out
        assert "[/]" in out
    series(filled, show=2)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "forfeit: x:   '; DROP TABLE" in out
    series(filled, agent="nobody")
    records(filled, agent="nobody")
    assert capsys.readouterr().out == "there are no such series\nthere are no such games\n"


def test_a_series_is_deleted(ask: Any, path: Path) -> None:
    assert ask(series, path, delete=1) == {"deleted": 1, "games": 12}
    assert [each["id"] for each in ask(series, path)["series"]] == [3, 2]
    with pytest.raises(PetteiaError, match="no series 1"):
        series(path, delete=1)


def test_games_are_listed(ask: Any, filled: Path) -> None:
    found = ask(records, filled)
    assert list(found) == ["games"]
    assert len(found["games"]) == 14
    assert found["games"][0]["forfeit"].startswith("x: ")
    found = ask(records, filled, series=1, limit=3)["games"]
    assert [(each["pair"], each["number"]) for each in found] == [(0, 0), (0, 1), (1, 0)]
    assert found[1]["players"] == list(reversed(AGENTS))
    assert found[1]["score"] == PAIRS[0].scores[1]
    assert len(ask(records, filled, game="breakthrough", agent="random")["games"]) == 12


def test_a_game_is_replayed_board_by_board(
    ask: Any, filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = PAIRS[2].games[1]
    (found,) = ask(records, filled, replay="1/2/1")["games"]
    assert len(found["positions"]) == game.plies + 1
    assert record.read_all(found["record"]) == [game.record]
    records(filled, replay="1/2/1")
    out = capsys.readouterr().out
    assert out.count(" a  b  c  d\n") == game.plies + 1
    assert f"\n1. white {game.record.plies[0].texts[0]}\n" in out
    assert f"\n2. black {game.record.plies[1].texts[0]}\n" in out
    assert "[.]" in out
    assert f"result: {game.result:+g} for white" in out


@pytest.mark.parametrize("name", ["games.txt", "games.pgn", "games.csv"])
def test_games_are_exported(ask: Any, filled: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    found = ask(records, filled, game="breakthrough", export=file)
    assert found == {"exported": 12, "file": str(file)}
    text = file.read_text()
    assert text.count("[Game ") == 12 or text.count("\n") == 13


def test_a_list_is_short_and_an_export_whole(ask: Any, path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        more = [Pair(index, PAIRS[0].games) for index in range(30)]
        store.add_pairs(new_series(store, pairs=30), more)
    assert len(ask(records, path)["games"]) == 20
    file = tmp_path / "all.txt"
    assert ask(records, path, series=4, export=file)["exported"] == 60
    assert ask(records, path, series=4, limit=5, export=file)["exported"] == 5


def test_games_are_imported_into_a_new_store(
    ask: Any, filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, fresh = tmp_path / "games.txt", tmp_path / "deep" / "fresh.db"
    ask(records, filled, series=1, export=file)
    assert ask(records, fresh, import_=file) == {"imported": 12, "series": 1}
    (found,) = ask(series, fresh)["series"]
    assert found["score"] == pytest.approx(MatchResult(PAIRS).score)
    record.save(file, [replace(PAIRS[0].games[0].record, players=("x", "y")), *_records()])
    assert ask(records, fresh, import_=file)["series"] == 2
    assert ask(series, fresh)["series"][0]["score"] is None, "of several agents there is no score"
    records(fresh, import_=file)
    assert "3 games are now series 3" in capsys.readouterr().out


def _records() -> list[record.Record]:
    return [game.record for game in PAIRS[0].games]


def test_an_absent_store_is_empty_and_is_not_made(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lab.db"
    monkeypatch.setenv("PETTEIA_STORE", str(path))
    assert ask(series, None) == {"series": []}
    assert ask(records, None) == {"games": []}
    series(None)
    assert capsys.readouterr().out == "the store is empty\n"
    for command, options in ((series, {"show": 1}), (records, {"replay": "1/0/0"})):
        with pytest.raises(PetteiaError, match="the store is empty"):
            command(None, **options)
    with pytest.raises(PetteiaError, match="there is no store"):
        series(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("command", "options", "what"),
    [
        (series, {"state": "runing"}, "did you mean running"),
        (series, {"game": "break("}, "bad spec"),
        (series, {"show": 9}, "no series 9"),
        (series, {"show": 2**70}, "below"),
        (series, {"show": 1, "delete": 1}, "together"),
        (records, {"series": 9}, "no series 9"),
        (records, {"replay": "1/2"}, "expected SERIES/PAIR/NUMBER"),
        (records, {"replay": "1/2/-1"}, "expected SERIES/PAIR/NUMBER"),
        (records, {"replay": "1/2/9"}, "no game 1/2/9"),
        (records, {"replay": "2/0/0"}, "unknown game"),
        (records, {"replay": "1/0/0", "export": Path("x.txt")}, "only one of"),
        (records, {"agent": "nobody", "export": Path("x.txt")}, "no such games"),
        (records, {"series": 1, "export": Path("x.doc")}, "end the name with"),
        (records, {"import_": Path("nowhere.txt")}, "nowhere.txt"),
    ],
)
def test_mistakes(path: Path, command: Any, options: dict[str, Any], what: str) -> None:
    before = path.read_bytes()
    with pytest.raises(PetteiaError, match=what):
        command(path, **options)
    assert path.read_bytes() == before
