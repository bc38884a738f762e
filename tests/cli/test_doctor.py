"""``petteia doctor`` says what this machine can do, and what to do where it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petteia.cli import doctor, main
from petteia.compiled import disk

PARTS = ("compiler", "processors", "gpu", "sandbox", "cache", "store")


def _asked(capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--json"])
    assert left.value.code == code
    shown = capsys.readouterr()
    found: dict[str, Any] = json.loads(shown.out)
    assert tuple(found) == PARTS
    for part in found.values():
        assert set(part) == {"ok", "says"}
        assert isinstance(part["ok"], bool)
        assert part["says"]
        assert "\n" not in part["says"]
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the compiler, which one test looks at."""
    monkeypatch.setattr(doctor, "_TINY", "print('a compiler')")


def test_it_really_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    found = _asked(capsys)["compiler"]
    assert found["ok"]
    assert "Numba 0." in found["says"] or "switched off" in found["says"]


def test_a_compiler_that_fails_is_told_with_its_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "is_interpreted", lambda: False)
    monkeypatch.setattr(doctor, "_TINY", "raise ImportError('no module numba')")
    found = _asked(capsys, code=1)["compiler"]
    assert not found["ok"]
    assert "ImportError: no module numba; install" in found["says"]


def test_what_is_missing_of_the_sandbox_is_told_and_is_no_failure(
    quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETTEIA_SANDBOX", "limits")
    found = _asked(capsys)["sandbox"]
    assert not found["ok"]
    assert "Missing: they can end your other processes" in found["says"]


def test_the_store_is_looked_at_and_not_made(
    quick: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path = tmp_path / "deep" / "lab.db"
    monkeypatch.setenv("PETTEIA_STORE", str(path))
    assert "will be made by the first match" in _asked(capsys)["store"]["says"]
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_text("a letter")
    found = _asked(capsys, code=1)["store"]
    assert not found["ok"]
    assert "is not a store of petteia" in found["says"]


def test_a_cache_that_cannot_be_written_is_told(
    quick: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "folder", lambda: None)
    found = _asked(capsys, code=1)["cache"]
    assert "PETTEIA_CACHE names one" in found["says"]


def test_people_get_a_table(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor"])
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines() if line[:1].islower()] == list(PARTS)
