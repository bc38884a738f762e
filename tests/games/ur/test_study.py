"""The study of Project Ur: leagues, matrices, learning, and the whole in a minute."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from petteia.cli.app import main
from petteia.games.ur import study
from petteia.games.ur.report import diagram


def test_leagues_follow_from_the_margins() -> None:
    assert study.leagues_of(diagram.MARGINS) == {
        "A": ["SM"],
        "B": ["SA1", "SA2", "SA3", "SA4", "SA5"],
        "C": ["SA6", "SA8", "SA9"],
        "D": ["SA7", "SA10", "SA11"],
        "E": ["SA12"],
        "F": ["SA13", "SA14", "SA15"],
    }


def test_the_published_times_grow_in_a_line() -> None:
    fits = study._fits(diagram.RUNTIMES)
    assert fits["linear"] > 0.9 > fits["exponential"]


def test_the_program_s_games_are_those_of_the_author() -> None:
    cells = study.matrix((0, 1), 1000, as_coded=True, seed=1)
    published = {(0, 0): (0.545, 111.5), (0, 1): (0.625, 173.7), (1, 0): (0.350, 171.8)}
    for key, (rate, turns) in published.items():
        # The author played 200 games: two standard errors are 0.07 and about 6 turns.
        assert cells[key].rate == pytest.approx(rate, abs=0.075)
        assert cells[key].turns == pytest.approx(turns, abs=8)
    assert study.matrix((0, 1), 1000, as_coded=True, seed=1) == cells


@pytest.mark.slow
def test_the_quick_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PETTEIA_TABLES", str(tmp_path / "tables"))
    monkeypatch.setattr(study, "_QUICK_PAIRS", 4)
    with pytest.raises(SystemExit) as end:
        main(["study", "project-ur", "--quick", "--json", "--out", str(tmp_path),
              "--workers", "serial"])  # fmt: skip
    assert not end.value.code
    facts = json.loads(capsys.readouterr().out)
    assert tuple(facts["diagram1"]) == diagram.PUBLISHED
    assert tuple(facts["margins"]) == diagram.MARGINS
    assert set(facts["leagues"]) == set("ABCDEF")
    curve = facts["findings"]["learning"]["curve"]
    assert curve[-1]["regret"] < curve[0]["regret"]
    assert (tmp_path / "project-ur.html").stat().st_size > 10_000
