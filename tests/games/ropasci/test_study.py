"""The study of RoPaSci 360: what it declares, and what it measures without series."""

from __future__ import annotations

from petteia.arena.contest import Contest
from petteia.games.ropasci.study import mixing, parts
from petteia.studies import frame
from petteia.studies.report import Report


def test_every_contest_can_be_played() -> None:
    study = frame.find("ropasci")
    assert len({key.key.split("-")[0] for key in study.experiments}) == 8
    seen: set[Contest] = set()
    for experiment in study.experiments:
        if experiment.contest not in seen and experiment.quick:
            experiment.contest.checked()
            seen.add(experiment.contest)
    assert len(seen) > 20
    cheap = ("3-", "4-", "5-greedy", "5-nash", "6-", "8-", "11-")
    assert all(e.full >= 200 for e in study.experiments if e.key.startswith(cheap))


def test_what_needs_no_series_is_measured_and_told() -> None:
    assert parts.conformance(100) == (100, 0)
    report = Report("RoPaSci 360")
    copied = parts.copying(0.02)
    assert copied["ratio"] > 1
    parts.show_copying(report, copied)
    pruned = parts.pruning(2)
    assert 0 < pruned["looked_at"] < 1
    assert 0 < pruned["double_oracle"] < 1
    parts.show_pruning(report, pruned)
    solved = parts.solvers(2)
    assert solved[0]["gap90"] < 1e-6
    parts.show_solvers(report, solved)
    labelled = parts.labels(3)
    assert all(0 < each["log_loss"] < 3 for each in labelled.values())
    parts.show_labels(report, labelled)
    foreseen = mixing.foreseen(2, 1)
    assert foreseen["agents"]["nash"]["one"]["mean"] < 1e-6
    mixing.show_foreseen(report, foreseen)
    timed = mixing.at_times(1, (0.01,))
    mixing.show_times(report, timed)
    text = report.markdown()
    assert "0.01 s a move" in text
    assert "deepcopy" in text
    assert "HiGHS" in text
    assert parts.memory_of_search() < 100
