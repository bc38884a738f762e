"""A ladder in the laboratory: standings while it is played, and the pages of its site."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petteia.cli import main
from petteia.core.errors import PetteiaError
from petteia.web.ladder import site_of
from tests.submitted import FIRST, LAST, hand_in
from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"

PIG = str(Path(__file__).parents[2] / "examples" / "pig.py")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder of submissions that have played."""
    folder = tmp_path / "class"
    hand_in(folder, "<first>", FIRST)
    hand_in(folder, "last", LAST)
    (folder / "broken.py").write_text("def choose(:\n")
    words = ("--game", SMALL, "--pairs", "1", "--workers", "serial", "--time", "20")
    with pytest.raises(SystemExit) as end:
        main(["ladder", str(folder), *words, "--blunders", "0", "--json"])
    assert end.value.code == 0
    return folder


def test_the_folder_is_that_of_the_submissions_or_of_the_site(tmp_path: Path) -> None:
    assert site_of(tmp_path) == (tmp_path / "_site").resolve()
    (tmp_path / "ladder.json").touch()
    assert site_of(tmp_path) == tmp_path.resolve()
    with pytest.raises(PetteiaError, match="there is no folder"):
        site_of(tmp_path / "nowhere")


def test_standings_and_pages(
    played: Path, started: Callable[..., Served], browser: Any, capsys: Any
) -> None:
    lab = started("--ladder", str(played), PIG)
    assert lab.client.get("/api/games").json()["ladder"] is True
    found = lab.client.get("/api/ladder").json()
    rows = {row["name"]: row for row in found["rows"]}
    assert set(rows) == {"<first>", "last", "broken", "random"}
    assert (found["pairs"], found["missing"]) == (1, 0)
    assert rows["broken"]["message"].startswith("broken.py:1: SyntaxError")
    assert found["rows"][-1]["name"] == "broken"
    for row in rows.values():
        answer = lab.client.get(row["page"])
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    for path in ("index.html", "points.csv", "ladder.json", "replay.js"):
        assert lab.client.get(f"/ladder/{path}").status_code == 200
    for path in ("nothing.html", "..%2f.ladder%2fgames.db", "..%2fbroken.py", "games"):
        assert lab.client.get(f"/ladder/{path}").status_code == 404

    page = browser.new_page()
    page.goto(f"{lab.address}#/ladder")
    page.get_by_role("link", name="Ladder", exact=True).wait_for()
    page.get_by_role("link", name="<first>").wait_for()
    site = played / "_site" / "ladder.json"
    facts = json.loads(site.read_text())
    site.write_text(json.dumps(facts | {"missing": 7}))
    page.get_by_text("7 pairs of games are still to be played").wait_for()
    page.get_by_role("link", name="<first>").click()
    page.get_by_role("heading", name="<first>").wait_for()
    page.get_by_role("link", name="games").first.click()
    page.locator("#board *").first.wait_for()
    page.set_viewport_size({"width": 360, "height": 640})  # the way to every page has room
    page.goto(lab.address)
    page.get_by_role("link", name="Ladder", exact=True).wait_for()
    assert page.evaluate(
        "[document.querySelector('nav')].every(x => x.scrollWidth <= x.clientWidth)"
    )
    page.get_by_role("button", name="Play Pig").click()
    page.locator(".board-words", has_text="0 : 0").wait_for()  # a game that has no picture
    page.close()
    site.write_text("{}")
    assert lab.client.get("/api/ladder").status_code == 404


def test_a_laboratory_without_a_ladder_says_so(lab: Served) -> None:
    assert lab.client.get("/api/games").json()["ladder"] is False
    for path in ("/api/ladder", "/ladder/index.html"):
        assert lab.client.get(path).status_code == 404
