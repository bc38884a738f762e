"""The tour runs, and its report is one self-contained page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from petteia.cli import main
from petteia.studies.report import Link, Report, new_figure


@pytest.mark.slow
def test_the_tour_visits_every_game_and_writes_one_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--out", str(tmp_path / "tour"), "--json"])
    assert caught.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"report", "seconds", "games"}
    facts = found["games"]["breakthrough"]
    assert facts["matches"]["random"]["score"] > 0.9
    assert facts["perft"]["leaves"] in (256036, 6182818, 149264638, 3751915714)
    assert found["games"]["flow"]["boards"] == 9
    page = Path(found["report"]).read_text()
    assert page.count("<svg") >= 2 * len(found["games"])  # boards and charts of every stop
    assert {"breakthrough", "checkers"} <= set(found["games"])
    assert ">RoPaSci 360</a>" in page  # the list of contents
    assert not re.search(r'(?:src|href)="(?!#)', page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_reports_escape_what_they_are_given() -> None:
    report = Report("<title>", "a & b")
    report.heading("<h>")
    report.text("<script>")
    report.code("<code>")
    report.table("<caption>", ["<c>", "n"], [["<x>", 1_000], ["y", 2]])
    report.links(Link("<x>", 'a "b".html'))
    figure, axes = new_figure()
    axes.plot([1, 2])
    report.chart(figure, "<figure>")
    page = report.html()
    assert "<script>" not in page
    assert "<x>" not in page
    assert '<p><a href="a%20%22b%22.html">&lt;x&gt;</a></p>' in page
    assert r"[\<x\>](a%20%22b%22.html)" in report.markdown()
    assert "&lt;x&gt;" in page
    assert "<td class=n>1,000</td>" in page
    assert page.count("<svg") == 1
