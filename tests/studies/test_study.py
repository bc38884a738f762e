"""Studies run, go on after an interruption, and tell what they found in three forms."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from petteia import games
from petteia.arena.contest import Contest, Job, run_job
from petteia.arena.executors import SerialExecutor, Workers, kept_open, workers
from petteia.arena.match import Pair
from petteia.arena.store import Store
from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.games.breakthrough.study import STUDY
from petteia.studies import frame
from petteia.studies.frame import Experiment, Outcome, Running, Study
from petteia.studies.parts import Shown, nodes_by_depth, score_chart, score_table
from petteia.studies.report import Report

SMALL = "breakthrough(columns=4, rows=5)"
SERIAL = workers("serial")
DOCS = Path(__file__).parents[2] / "docs" / "cli.md"


def _tell(report: Report, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    report.heading("<Scores> & more")
    score_table(report, "All | series", outcomes.values())
    score_chart(report, "Scores", list(outcomes.values()))
    shown = Shown.of(outcomes["one"])
    report.pictures(shown.picture("The <end>"))
    searches = {"minimax": "minimax(depth={depth})"}
    counts = nodes_by_depth(report, "Nodes", games.make(SMALL), searches, 2)
    return {"game": shown.facts(), "nodes": counts}


TINY = Study(
    name="tiny",
    title="A <tiny> study",
    about="Two experiments & a claim.",
    experiments=(
        Experiment(
            "one", "greedy v random", Contest(SMALL, "greedy", "random", opening="none"), 1, 1
        ),
        Experiment(
            "two", "alpha_beta v random", Contest(SMALL, "alphabeta(depth=2)", "random"), 2, 5,
            "wins always", 1.0,
        ),
    ),
    tell=(_tell,),
)  # fmt: skip


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Every pair that is really played, by the first agent and the number of the pair."""
    seen: list[tuple[str, int]] = []

    def noted(job: Job) -> list[Pair]:
        seen.extend((job.contest.first, index) for index in job.pairs)
        return run_job(job)

    monkeypatch.setattr("petteia.arena.series.run_job", noted)
    return seen


def _run(store: Store, *, quick: bool = False, seed: int = 3) -> Running:
    running = Running(TINY, store, quick, seed)
    for _ in running.first_pairs(SERIAL):
        pass
    for _ in running.rest(SERIAL):
        pass
    return running


def test_an_interrupted_study_goes_on_and_plays_nothing_twice(
    tmp_path: Path, played: list[tuple[str, int]]
) -> None:
    with Store(tmp_path / "lab.db") as store:
        running = Running(TINY, store, seed=3)
        assert (running.pairs, running.missing) == (6, 6)
        assert running.tried == 3
        assert len(list(running.first_pairs(SERIAL))) == 3
        assert running.tried == 0
        assert running.missing == 3
        assert running.expected(SERIAL) > 0
        # The one pair of the first experiment, two of the second; then Ctrl-C.
        assert len(list(islice(running.rest(SERIAL), 3))) == 3
        kept = {row.agents[0]: len(store.pairs(row.id)) for row in store.series()}
        assert kept == {"greedy": 1, "alphabeta(depth=2)": 2}
    played.clear()
    with Store(tmp_path / "lab.db") as store:
        assert {row.state for row in store.series()} == {"finished", "stopped"}
        again = _run(store)
        assert [row.state for row in store.series()] == ["finished", "finished"]
        assert again.missing == 0
        assert again.expected(SERIAL) == 0
    assert played == [("alphabeta(depth=2)", index) for index in (2, 3, 4)]
    with Store(tmp_path / "whole.db") as store:
        whole = _run(store)
    for key, outcome in whole.outcomes.items():
        records = [[game.record for game in pair.games] for pair in outcome.result.pairs]
        same = [[game.record for game in pair.games] for pair in again.outcomes[key].result.pairs]
        assert records == same


def test_a_full_study_begins_with_the_games_of_the_quick_one(
    tmp_path: Path, played: list[tuple[str, int]]
) -> None:
    with Store(tmp_path / "lab.db") as store:
        _run(store, quick=True)
        assert len(played) == 3
        full = _run(store)
        assert len(played) == len(set(played)) == 6
        quick = _run(store, quick=True)
        assert len(played) == 6
        assert len(store.series()) == 2
        assert [row.pairs for row in store.series()] == [5, 1]
        assert len(full.outcomes["two"].result.pairs) == 5
        assert len(quick.outcomes["two"].result.pairs) == 2
        _run(store, seed=4)
        assert len(store.series()) == 4


def test_the_command_writes_three_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(frame, "find", lambda name: TINY)
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as caught:
        main(["study", "tiny", "--out", str(out), "--workers", "serial", "--json"])
    assert caught.value.code == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    assert facts == json.loads((out / "tiny.json").read_text())
    assert "3 pairs to go, about 1 s on 1 worker" in said.err
    section = DOCS.read_text().split("## petteia study")[1].split("\n## ")[0]
    listed = re.search(r"JSON keys: ((?:`\w+`[,.]?\s+)+)", section)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed.group(1))) == set(facts)
    assert sorted(file.name for file in out.iterdir()) == ["tiny.html", "tiny.json", "tiny.md"]

    page = (out / "tiny.html").read_text()
    assert "A &lt;tiny&gt; study" in page
    assert "The &lt;end&gt;" in page
    assert page.count("<svg") == 3
    assert not re.search(r'(?:src|href)="(?!#)', page)
    text = (out / "tiny.md").read_text()
    assert text.startswith("# A \\<tiny\\> study\n\nTwo experiments \\& a claim.")
    assert "## \\<Scores\\> \\& more" in text
    assert "**All \\| series**" in text
    assert "| alpha_beta v random | " in text
    assert re.search(r"\| 1 \| 1 \|\n\| 2 \| 11 \|", text)

    game = facts["findings"]["game"]
    assert sum(game["moves"]) == game["plies"]
    left = [game["board"].split()[0].count(letter) for letter in "Pp"]
    assert game["captures"] == [8 - left[1], 8 - left[0]]
    two = facts["experiments"][1]
    assert (two["claim"], two["claimed"], two["games"]) == ("wins always", 1.0, 10)


@pytest.mark.slow
def test_kept_open_workers_work_on_when_one_dies() -> None:
    with kept_open(workers("1")) as where:
        with where.make() as executor:
            assert executor.submit(int, "7").result() == 7
        with where.make() as same:
            assert same is executor
            with pytest.raises(BrokenExecutor):
                same.submit(os._exit, 1).result()
        with where.make() as later:
            assert later.submit(int, "8").result() == 8


def test_kept_open_workers_are_made_again_when_their_executor_breaks() -> None:
    class Broken(SerialExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenExecutor("gone"))
            return future

    made: list[Executor] = [SerialExecutor(), Broken()]  # the broken one is made first
    with kept_open(Workers(1, lambda: nullcontext(made.pop()))) as where:
        with where.make() as broken, pytest.raises(BrokenExecutor):
            broken.submit(int, "7").result()
        with where.make() as fresh:
            assert fresh is not broken
            assert fresh.submit(int, "8").result() == 8


def test_markdown_shows_what_it_is_given() -> None:
    report = Report("#1_ *a*")
    report.text("1. ~~no~~ [link](x) three_workers _x_ `y`")
    report.code("```\n_as it is_\n```")
    text = report.markdown()
    assert text.startswith("# \\#1\\_ \\*a\\*\n")
    assert "1\\. \\~\\~no\\~\\~ \\[link\\](x) three_workers \\_x\\_ \\`y\\`" in text
    assert "````text\n```\n_as it is_\n```\n````" in text


def test_studies_are_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "breakthrough" in frame.names()
    assert frame.find("breakthrough") is STUDY
    with pytest.raises(PetteiaError, match="did you mean breakthrough"):
        frame.find("breaktrough")
    with pytest.raises(SystemExit):
        main(["study", "--json"])
    listed = json.loads(capsys.readouterr().out)["studies"]
    assert {study["name"] for study in listed} == set(frame.names())


def test_a_page_of_several_sections_lists_them() -> None:
    report = Report("Title", "Lead")
    for name in ("One", "Two & three"):
        report.heading(name)
    assert "<nav" not in report.html()
    report.heading("Four")
    report.table("Numbers", ["n"], [[1]])
    page = report.html()
    assert page.index("Lead") < page.index("<nav") < page.index('<h2 id="section-1">')
    assert '<a href="#section-2">Two &amp; three</a>' in page
    assert 'role="region" aria-label="Numbers"' in page  # which scrolls on a phone
