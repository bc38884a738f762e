"""Studies of measurements: taken once, kept, told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petteia.arena.store import Store
from petteia.studies.frame import Measurement, Running, Study
from petteia.studies.report import Report

taken: list[tuple[str, bool, int]] = []


def _measurement(key: str) -> Measurement:
    def take(quick: bool, seed: int) -> dict[str, Any]:
        taken.append((key, quick, seed))
        return {"key": key, "seed": seed}

    return Measurement(key, f"measuring {key}", take)


def _tell(report: Report, found: Mapping[str, Any]) -> dict[str, Any]:
    report.table("Found", ["key", "seed"], [[each["key"], each["seed"]] for each in found.values()])
    return dict(found)


MEASURED = Study(
    "measured", "Measured", "Two things.", (), (_tell,), (_measurement("a"), _measurement("b"))
)


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    taken.clear()
    kept = tmp_path / "measured.json"
    with Store(tmp_path / "lab.db") as store:
        steps = Running(MEASURED, store, quick=True, seed=3).measure(kept)
        assert next(steps) == "measuring a"  # and then Ctrl-C
        running = Running(MEASURED, store, quick=True, seed=3)
        assert list(running.measure(kept)) == ["measuring a", "measuring b"]
        assert taken == [("a", True, 3), ("b", True, 3)]
        report, facts = running.report()
        assert facts["findings"] == {key: {"key": key, "seed": 3} for key in "ab"}
        assert facts["experiments"] == []
        assert "A quick run, seed 3." in report.markdown()
        assert "records" not in report.markdown()
        list(Running(MEASURED, store, quick=False, seed=3).measure(kept))
        assert taken[2:] == [("a", False, 3), ("b", False, 3)]
        kept.write_text("damaged")
        list(Running(MEASURED, store, quick=False, seed=3).measure(kept))
        assert len(taken) == 6


def test_a_key_stands_for_one_thing() -> None:
    with pytest.raises(AssertionError, match="a key stands for two"):
        replace(MEASURED, measurements=(_measurement("a"), _measurement("a")))
