"""The pages themselves: their names, sizes and weight, and what they do without a server."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import petteia.web
from petteia.core.drawing.style import SHEET
from petteia.web import puzzles
from tests.web.conftest import Served
from tests.web.playing import SMALL, Visit, begin

pytestmark = pytest.mark.slow


STATIC = Path(petteia.web.__file__).parent / "static"


def test_the_first_page_is_one_click_from_a_game(visit: Visit) -> None:
    page = visit()
    page.locator(".card .primary").first.wait_for()
    for play in page.locator(".card .primary").all():  # all of them without scrolling
        box = play.bounding_box()
        assert box["y"] + box["height"] <= 800
    page.locator(".card .primary").first.click()
    page.locator(".bench .source").first.wait_for()
    assert "#/table/" in page.url


def test_games_and_opponents_are_called_as_people_call_them(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=ur")
    page.get_by_role("heading", name="Royal Game of Ur", exact=True).wait_for()
    levels = page.locator(".level")
    assert levels.count() == 6
    assert all("Elo" in words for words in levels.all_inner_texts())
    assert page.locator(".level input").nth(1).is_checked()  # somebody easy
    assert "=" not in page.locator("form").inner_text()  # specs are for those who look for them
    begin(lab, page, players=["person", "alphabeta(depth=2)"], moves=["a2a3"])
    page.locator(".who", has_text="Club player").wait_for()
    assert page.locator('.who[title="alphabeta(depth=2)"]').count() == 1
    page.goto(lab.address + "#/")
    first = page.locator(".recent li").first
    first.wait_for()
    assert first.inner_text().startswith("Breakthrough (columns=4, rows=5) person – Club player")


def test_a_page_that_was_left_before_it_was_drawn_stays_away(visit: Visit, lab: Served) -> None:
    page = visit()
    held: list[Any] = []
    page.route("**/api/tables/*", lambda request: held.append(request))
    table = lab.post("/api/tables", {"game": SMALL, "seed": 5, "players": ["person", "random"]})
    page.evaluate("number => (location.hash = `#/table/${number}`)", table["id"])
    page.evaluate("() => dispatchEvent(new HashChangeEvent('hashchange'))")
    while len(held) < 2:
        page.wait_for_timeout(10)
    # The answers come in the opposite order: the visit that counts is drawn before the other.
    held[1].continue_()
    page.locator(".bench .source").first.wait_for()
    with page.expect_response("**/api/tables/*") as answer:
        held[0].continue_()
    answer.value.finished()
    page.unroute("**/api/tables/*")
    assert page.locator(".bench").count() == 1
    page.locator('[data-cell="a2"]').drag_to(page.locator('[data-cell="a3"]'))
    page.locator(".ply").nth(2).wait_for()


_SPILLS = """
(all) => all
    .filter((box) => box.firstElementChild.getBoundingClientRect().height > box.offsetHeight + 1)
    .map((box) => box.nextElementSibling.textContent)
"""


def test_a_phone_needs_no_scrolling(visit: Visit, lab: Served) -> None:
    page = visit(width=390, height=800, has_touch=True, is_mobile=True)
    page.locator(".card-board").nth(5).wait_for()
    assert page.locator(".card-board").evaluate_all(_SPILLS) == []  # nothing covers the buttons
    begin(lab, page, players=["person", "random"])
    page.locator('[data-cell="a2"]').tap()
    page.locator('.target[data-cell="a3"]').tap()
    page.locator(".ply").nth(2).wait_for()
    tools = page.locator(".tools").bounding_box()
    assert tools["y"] + tools["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    begin(lab, page, "ur", players=["person", "random"])
    page.locator(".hero .standing").wait_for()  # a wide board stands upright
    assert page.locator('[data-cell="d2"]').bounding_box()["width"] > 45


_NOTES_SHIFTS = """
window.shifts = [];
const whole = ({ node }) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 100);
new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts.push(...each.sources.map(whole));
}).observe({ type: "layout-shift", buffered: true });
"""


_SMALL_ONES = """
() => [...document.querySelectorAll("button, a:not(.skip), select, summary")]
    .filter((each) => each.offsetParent)
    .map((each) => [each.outerHTML, each.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 24)
    .map(([text]) => text)
"""


def _measured_and_reviewed(page: Any, lab: Served) -> tuple[str, int, str]:
    """A match that was played, its series, and the table of a game that was reviewed."""
    job = lab.post("/api/matches", {"game": SMALL, "agents": ["greedy", "random"], "pairs": 2})
    page.goto(f"{lab.address}#/measure/job/{job['id']}")
    page.locator(".status", has_text="Finished").wait_for()
    facts = lab.client.get(f"/api/jobs/{job['id']}").json()["result"]
    played = ["a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"]
    reviewed = begin(lab, page, moves=played)
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Key moment 1 of").wait_for()
    return job["id"], facts["series"], reviewed


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 800), (1920, 1080), (768, 1024), (390, 844), (360, 640)]
)
def test_nothing_jumps_and_everything_can_be_hit(
    visit: Visit, lab: Served, width: int, height: int
) -> None:
    page = visit(width=width, height=height)
    page.add_init_script(_NOTES_SHIFTS)
    table = lab.post("/api/tables", {"game": SMALL, "players": ["person", "greedy"]})
    job, series, reviewed = _measured_and_reviewed(page, lab)
    for path, wait in (
        ("", ".card"),
        (f"#/table/{table['id']}", ".source"),
        ("#/analyse?game=" + SMALL, ".ranked"),
        ("#/flow?puzzle=7x7", ".dot-of"),
        ("#/new?game=ur", ".level"),
        ("#/rules?game=checkers", ".exercise .source"),
        ("#/measure", "form.card"),
        ("#/studies", ".card"),
        (f"#/table/{reviewed}", ".review table"),
        (f"#/measure/job/{job}", ".sample .board"),
        (f"#/measure/series/{series}", ".store tbody tr"),
        (f"#/measure/compare?game={SMALL}", ".cross"),
        ("#/analyse?game=ur", ".all-moves .link"),
    ):
        page.goto("about:blank")  # a page of its own each time
        page.goto(lab.address + path)
        page.locator(wait).first.wait_for()
        page.locator("nav a", has_text="Studies").wait_for()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate("window.shifts") == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        if width < 500:
            assert page.evaluate(_SMALL_ONES) == [], path
        elif wait in (".source", ".dot-of"):  # a game lies on one screen
            assert page.evaluate("document.documentElement.scrollHeight") == height, path


def test_the_page_is_small(lab: Served) -> None:
    names = [file.name for file in STATIC.rglob("*") if file.suffix in (".js", ".css")]
    names += [SHEET.name]
    names += [
        f"puzzles/flow/{file.name}"
        for file in puzzles.static("flow").iterdir()
        if file.suffix in (".js", ".css")
    ]
    assert len(names) > 5
    sent = text = 0
    for name in names:
        asked = {"Accept-Encoding": "gzip"}
        with lab.client.stream("GET", f"/static/{name}", headers=asked) as answer:
            assert answer.status_code == 200
            sent += sum(len(part) for part in answer.iter_raw())
        text += len(lab.client.get(f"/static/{name}").content)
    # All pages together; the first one needs a third of it.
    assert sent <= 85_000
    assert text <= 230_000


def test_scripts_come_without_their_comments_and_every_line_keeps_its_number(lab: Served) -> None:
    for script in STATIC.glob("*.js"):
        answer = lab.client.get(f"/static/{script.name}")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "/**" not in answer.text
        lines, sent = script.read_text().split("\n"), answer.text.split("\n")
        assert len(sent) == len(lines)
        assert all(a == b for a, b in zip(lines, sent, strict=True) if "*" not in a)
        known = {"if-none-match": answer.headers["etag"]}
        assert lab.client.get(f"/static/{script.name}", headers=known).status_code == 304


def test_scripts_are_checked_and_evaluate_no_text() -> None:
    for script in [*STATIC.glob("*.js"), *puzzles.static("flow").glob("*.js")]:
        text = script.read_text()
        assert text.startswith("// @ts-check\n"), script.name
        assert "innerHTML" not in text, script.name
        assert "eval(" not in text, script.name


def test_every_page_says_that_it_is_offline_and_comes_back(
    browser: Any, started: Callable[..., Served]
) -> None:
    served = started()
    context = browser.new_context(reduced_motion="reduce")
    page, game = context.new_page(), context.new_page()
    # A game in two tabs, in the middle of which the server is killed.
    game.goto(served.address)
    wish = {"game": SMALL, "players": ["person", "random"], "seed": 5}
    table = context.request.post(f"{served.address}api/tables", data=wish).json()["id"]
    game.goto(f"{served.address}#/table/{table}")
    game.locator(".bench .source").first.wait_for()
    other = context.new_page()
    other.goto(game.url)
    other.locator(".bench .source").first.wait_for()
    game.locator('[data-cell="a2"]').drag_to(game.locator('[data-cell="a3"]'))
    other.locator('.bench[data-turn="mine"] .ply >> nth=2').wait_for()
    page.goto(served.address + "#/flow?puzzle=" + quote("A_A\nB_B\nC_C"))
    page.locator(".dot-of").first.wait_for()
    assert page.locator("#offline").is_hidden()
    served.stop(signal.SIGKILL)
    page.locator("#offline").wait_for()
    page.locator('[data-cell="r1c1"]').drag_to(page.locator('[data-cell="r1c3"]'))
    page.get_by_role("link", name="Measure").click()
    page.get_by_role("heading", name="That did not work").wait_for()
    started("--port", served.address.split(":")[2].rstrip("/"))
    page.locator("form.card").first.wait_for()
    page.locator("#offline").wait_for(state="hidden")
    page.go_back()
    page.get_by_text("3 of 9 cells").wait_for()  # what was drawn meanwhile
    # Both tabs go on by themselves, and so does one that is loaded again.
    game.locator("#offline").wait_for(state="hidden")
    game.locator(".source").first.click()
    game.locator(".target").first.click()
    other.locator('.bench[data-turn="mine"] .ply >> nth=4').wait_for()
    game.reload()
    game.locator(".ply").nth(4).wait_for()
    game.go_back()
    game.locator(".continue").wait_for()
    game.go_forward()
    game.locator(".ply").nth(4).wait_for()
    context.close()
