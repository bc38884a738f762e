"""The study of Flow, on small boards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from petteia.arena.store import Store
from petteia.puzzles.flow import course, study
from petteia.puzzles.flow.solution.ladder import RUNGS
from petteia.puzzles.flow.study import measuring
from petteia.studies import frame
from petteia.studies.frame import Running


def test_the_study_of_flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {name: course.board(name) for name in ("5x5", "7x7")}
    parts = tuple(
        replace(part, take=measuring.solver(part.key, 0.05, 1.0)) if part.key in RUNGS else part
        for part in study.STUDY.measurements
    )
    whole = replace(frame.find("flow"), measurements=parts)
    # The tables name all boards; those that the report solved are measured in the full run.
    monkeypatch.setattr(study, "REPORTED", tuple(n for n in study.REPORTED if n in small))
    monkeypatch.setattr(study, "SMARTER", {"7x7": (1, 1.0)})
    monkeypatch.setattr(study, "SMART", {"7x7": study.SMART["7x7"]})
    monkeypatch.setattr("petteia.puzzles.flow.course.boards", lambda: small)
    monkeypatch.setattr(study, "_pictures", lambda report: None)
    monkeypatch.setattr(measuring, "SIZES", ((6, 6),))
    with Store(tmp_path / "lab.db") as store:
        running = Running(whole, store, quick=True)
        assert len(list(running.measure(tmp_path / "kept.json"))) == len(whole.measurements)
        report, facts = running.report()
    findings = json.loads(json.dumps(facts["findings"]))
    assert findings["solvers"]["smart-literal"]["7x7"]["tried"] == 826
    assert findings["engines"]["sweep"]["7x7"]["nodes"] == 1
    assert findings["engines"]["frontier"]["5x5"]["count"] == 1
    assert findings["generator"]["6x6"]["colours"] == 6
    assert "816; 3,194" in report.markdown()
    assert report.html().count("<svg") == 2
