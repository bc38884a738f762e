"""The exact tables of this machine: listed, tried, and built again where they are damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petteia import games
from petteia.cli.app import main
from petteia.games.checkers.solution.packed import pack, unpack
from petteia.games.checkers.solution.slices import Slice
from petteia.solve import Control, TableFile

SPECS = (
    "checkers(pieces=2)",
    "ur(pieces=2)",
    "ur(pieces=1, rules=project-ur)",
    "breakthrough(columns=4, rows=4)",
    "backgammon(sides=2, checkers=2)",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    with pytest.raises(SystemExit) as end:
        main(["tables", *arguments, "--json"])
    assert not end.value.code
    shown = capsys.readouterr()
    return json.loads(shown.out), shown.err


def test_without_tables_there_are_none(home: Path, capsys: Any) -> None:
    facts, _ = told(capsys)
    assert facts == {"folder": str(home), "tables": [], "unknown": []}


def test_every_table_says_what_it_is(home: Path, capsys: Any) -> None:
    for spec in SPECS:
        games.solver(spec).solve(Control(), workers=1)
    (home / "strange.table").write_text("?")
    for arguments in ((), ("--verify",)):
        facts, _ = told(capsys, *arguments)
        rules = {each["rules"]: each for each in facts["tables"]}
        assert set(rules) == {
            "checkers(repetitions=0, quiet_plies=0), K v K",
            "checkers(repetitions=0, quiet_plies=0), K v M",
            "checkers(repetitions=0, quiet_plies=0), M v M",
            "ur(pieces=2, rules=finkel, dice=4)",
            "ur(pieces=1, rules=project-ur, dice=4)",
            "breakthrough(columns=4, rows=4, filled=2)",
            "backgammon(sides=2, checkers=2), a game for points",
        }
        for each in facts["tables"]:
            assert each["bytes"] == Path(each["file"]).stat().st_size
            assert len(each["checksum"]) == 8
            assert "against" in each["verified"]
            assert (each["damaged"], each["rebuilt"]) == (None, False)
        assert facts["unknown"] == [str(home / "strange.table")]


@pytest.mark.parametrize(
    ("spec", "damage"),
    [
        ("ur(pieces=1)", "cut"),
        ("ur(pieces=2)", "wrong"),
        ("checkers(pieces=2)", "flipped"),
        ("checkers(pieces=2)", "wrong"),
        ("breakthrough(columns=4, rows=4)", "foreign"),
        ("breakthrough(columns=4, rows=4)", "wrong"),
        ("backgammon(sides=2, checkers=1)", "wrong"),
    ],
)
def test_a_damaged_table_is_named_and_built_again(
    spec: str, damage: str, home: Path, capsys: Any
) -> None:
    games.solver(spec).solve(Control(), workers=1)
    kept = games.solvers()[spec.split("(")[0]].kept()[0]
    whole = kept.path.read_bytes()
    table = kept.open()
    data = np.array(table.data)
    if damage == "wrong":  # the checksum is right, the values are not
        TableFile.write(kept.path, kept.kind, kept.of, _wrong(kept.game, data), table.facts)
    elif damage == "foreign":
        TableFile.write(kept.path, kept.kind, "another game", data, {})
    else:
        kept.path.write_bytes(
            whole[:-9] if damage == "cut" else whole[:-1] + bytes([whole[-1] ^ 1])
        )
    facts, _ = told(capsys)
    assert (facts["tables"][0]["damaged"] is None) == (damage == "wrong")
    facts, err = told(capsys, "--verify")
    assert str(kept.path) in facts["tables"][0]["damaged"] or damage == "wrong"
    assert facts["tables"][0]["rebuilt"]
    assert f"building {kept.solver} again" in err
    assert not any(each["rebuilt"] for each in facts["tables"][1:])
    assert (np.array(kept.open().data) == data).all()


def test_several_damaged_tables_are_all_built_again(home: Path, capsys: Any) -> None:
    games.solver("checkers(pieces=3)").solve(Control(), workers=1)
    kept = games.solvers()["checkers"].kept()
    whole = {each.path: np.array(each.open().data) for each in kept}
    hurt = [kept[0].path, kept[-2].path, kept[-1].path]  # the last two have the same solver
    for path in hurt:
        path.write_bytes(b"")
    facts, err = told(capsys, "--verify")
    assert [each["file"] for each in facts["tables"] if each["rebuilt"]] == [*map(str, hurt)]
    assert all(str(path) in err for path in hurt)
    for each in kept:
        assert (np.array(each.open().data) == whole[each.path]).all()


def _wrong(game: str, data: np.ndarray) -> np.ndarray:
    """Other values of the same kind: turned round."""
    if game != "checkers":
        return np.ascontiguousarray(data[..., ::-1])
    values = np.empty(2 * Slice(0, 1, 0, 1).size, np.uint8)
    unpack(data.__array_interface__["data"][0], values)
    return pack(values[::-1].copy())
