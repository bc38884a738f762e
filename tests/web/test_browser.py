"""People at the page: whole games by mouse and by keys, hints, reviews, on desk and phone."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import petteia.web
from petteia import games
from petteia.core.drawing.style import SHEET
from petteia.web import puzzles
from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"
STATIC = Path(petteia.web.__file__).parent / "static"
Visit = Callable[..., Any]

_NEARLY_OVER = {
    "backgammon": "XGID=------B-B--------b-b------:0:0:1:00:0:0:0:0:10",
    "checkers": "B:W26,27,22,23:B6,7,10,11",
}
"""Where random players would go on for minutes."""
_SHORT = {
    "backgammon": "backgammon", "breakthrough": SMALL, "checkers": "checkers",
    "ropasci": "ropasci(throws=3, turns=20)", "ur": "ur(pieces=1)",
}  # fmt: skip

pytestmark = pytest.mark.slow


def _begin(lab: Served, page: Any, game: str = SMALL, **wish: Any) -> str:
    table = lab.post("/api/tables", {"game": game, "seed": 5, **wish})
    page.goto(f"{lab.address}#/table/{table['id']}")
    page.locator(".bench .cell").first.wait_for()
    return str(table["id"])


def _over(page: Any) -> bool:
    return bool(page.locator(".status.over").count())


_WAYS = (".option", ".choice button", ".target", ".source")
"""What can be clicked in the middle of a move, what ends it first."""


def play_by_mouse(page: Any, clicks: int = 3000) -> None:
    """Clicks whatever can be clicked until the game is over.

    The page says whose turn it is: ``mine`` as long as a click is wanted, ``sent`` from the click
    that makes a move to the server's answer.
    """
    turn = page.locator('[data-turn="mine"], [data-turn="over"]')
    for click in range(clicks):
        turn.wait_for()
        if _over(page):
            return
        for way in _WAYS:
            found = page.locator(way).locator("visible=true")
            count = found.count()
            if count:
                found.nth((7 * click) % count).click()
                break
    raise AssertionError("the game did not end")


def test_the_first_page_is_one_click_from_a_game(visit: Visit) -> None:
    page = visit()
    page.locator(".card .primary").first.click()
    page.locator(".bench .source").first.wait_for()
    assert "#/table/" in page.url


@pytest.mark.parametrize("game", games.names())
def test_a_whole_game_of_every_game_by_mouse(visit: Visit, lab: Served, game: str) -> None:
    page = visit()
    wish = {"players": ["person", "random"], "start": _NEARLY_OVER.get(game, "start"), "seed": 6}
    table = _begin(lab, page, _SHORT[game], **wish)
    play_by_mouse(page)
    page.get_by_role("button", name="Review").click()
    page.locator(".review table").wait_for()
    page.locator(".graph svg").wait_for()
    assert page.locator(".review thead th", has_text="??").count() == 1
    luck = page.locator(".review thead th", has_text="luck").count()
    assert luck == games.make(game).has_chance
    # Only Ur with one piece is solved here.
    assert page.get_by_text("Exact: every value").count() == (game == "ur")
    if luck:
        page.get_by_text("Rolls:").click()
        assert page.get_by_text("the one that was promised").count() == 0  # its seed was given
    page.keyboard.press("Home")
    page.get_by_role("button", name="Try from here").click()
    page.locator('.bench[data-turn="mine"]').wait_for()
    assert table not in page.url


def test_a_review_stays_while_one_walks_through_it_and_after_a_reload(
    visit: Visit, lab: Served
) -> None:
    page = visit()
    moves = ["a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"]
    table = _begin(lab, page, moves=moves)
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Key moment 1 of").wait_for()
    page.locator(".moment").get_by_role("button", name="next key moment").click()
    page.get_by_text("Key moment 2 of").wait_for()
    page.locator(".moment .link").first.click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    page.locator('.ply.here[data-at="0"]').wait_for()
    box, panel = (page.locator(each).bounding_box() for each in (".moment", ".panel"))
    assert box["y"] >= panel["y"]
    assert box["y"] + box["height"] <= min(800, panel["y"] + panel["height"])
    tools = page.locator(".tools").bounding_box()
    assert tools["y"] + tools["height"] <= panel["y"] + panel["height"]
    assert page.locator(".graph .error").count() == 2
    assert page.get_by_text("nodes=").count() == 1
    said = page.locator(".review").inner_text()
    page.reload()
    page.get_by_text("Key moment 1 of").wait_for()
    assert page.locator(".graph svg").count() == 1
    page.locator(".moment").get_by_role("button", name="next key moment").click()
    assert page.locator(".review").inner_text() == said
    page.get_by_role("button", name="Try again from here").click()
    page.locator('.bench[data-turn="mine"]').wait_for()
    assert table not in page.url
    assert page.locator(".report").is_hidden()


def test_drag_undo_redo_and_hint(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, players=["person", "greedy"])
    page.locator('[data-cell="a2"]').drag_to(page.locator('[data-cell="a3"]'))
    page.locator(".ply").nth(2).wait_for()
    assert page.locator(".ply").nth(1).inner_text().strip() == "a2a3"
    answer = page.locator(".ply").nth(2).inner_text()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    page.locator(".ply").nth(2).wait_for()
    assert page.locator(".ply").nth(2).inner_text() == answer
    page.get_by_role("button", name="Hint").click()
    page.locator(".ranked").nth(2).wait_for()
    assert page.locator(".arrow").count() == 3
    assert "%" in page.locator(".ranked .odds").first.inner_text()


def test_games_and_opponents_are_called_as_people_call_them(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=ur")
    page.get_by_role("heading", name="Royal Game of Ur", exact=True).wait_for()
    assert "=0" not in page.locator("form label").all_inner_texts()[1]
    _begin(lab, page, players=["person", "greedy"], moves=["a2a3"])
    page.locator(".who", has_text="Beginner").wait_for()
    assert page.locator('.who[title="greedy"]').count() == 1
    page.goto(lab.address + "#/")
    first = page.locator(".recent li").first
    first.wait_for()
    assert first.inner_text().startswith("Breakthrough (columns=4, rows=5) person – Beginner")


def test_what_is_refused_is_told_beside_it(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, "checkers", start="B:W18,31:B14,1")
    why = page.locator(".refusal")
    page.locator('[data-cell="1"]').click()
    assert why.inner_text() == "Who can capture must capture"
    assert page.locator(".refused .source").get_attribute("data-cell") == "14"
    cell, box = page.locator('[data-cell="1"]').bounding_box(), why.bounding_box()
    assert abs(box["y"] - cell["y"]) < 2.5 * cell["height"]
    page.locator('[data-cell="18"]').click()
    assert why.inner_text() == "It is the turn of black"
    page.locator('[data-cell="14"]').drag_to(page.locator('[data-cell="17"]'))
    assert why.inner_text() == "Who can capture must capture"
    page.locator('[data-cell="14"]').drag_to(page.locator('[data-cell="23"]'))
    page.locator(".ply").nth(1).wait_for()
    assert why.is_hidden()
    page.keyboard.press("Home")
    page.locator('.ply.here[data-at="0"]').wait_for()
    page.locator('[data-cell="1"]').click()
    assert "earlier position" in why.inner_text()
    _begin(lab, page)
    page.locator('[data-cell="a1"]').click()
    assert why.inner_text() == "A1 has no legal move now"


def test_the_numbers_of_checkers_stand_on_their_squares(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, "checkers", players=["person", "random"])  # Black, at the top if not turned
    names = page.locator(".cell:has(.name)")
    read = names.evaluate_all(
        "all => all.map(e => [e.dataset.cell, e.querySelector('.name').textContent])"
    )
    assert sorted(int(cell) for cell, _ in read) == list(range(1, 33))
    assert all(cell == name for cell, name in read)


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


def test_a_half_made_move_is_seen_and_taken_back(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, "backgammon", moves=[":6-5"])

    def standing() -> list[int]:
        return [page.locator(f'.piece[data-on="{cell}"]').count() for cell in ("24", "18")]

    page.locator('[data-cell="24"]').click(position={"x": 15, "y": 20})
    page.locator('.target[data-cell="18"]').click(position={"x": 15, "y": 20})
    assert standing() == [1, 1]
    assert page.locator('[data-cell="18"]').get_attribute("aria-label").startswith("18, white man")
    page.get_by_role("button", name="Flip").click()
    assert standing() == [1, 1]
    page.locator('.cell[tabindex="0"]').focus()
    page.keyboard.press("Escape")
    assert standing() == [2, 0]


def test_a_whole_game_by_keys(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, players=["person", "random"])
    for _ in range(60):
        page.locator(".source, .status.over").first.wait_for()
        if _over(page):
            break
        before = page.locator(".ply").count()
        _walk_to(page, page.locator(".source").last.get_attribute("data-cell"))
        page.keyboard.press("Enter")
        _walk_to(page, page.locator(".target").first.get_attribute("data-cell"))
        page.keyboard.press("Enter")
        page.locator(".ply").nth(before).wait_for()
    assert _over(page)
    page.locator(".moves").focus()
    page.keyboard.press("Home")
    assert page.locator(".ply.here").inner_text() == "start"
    page.keyboard.press("ArrowRight")
    assert page.locator(".ply.here").get_attribute("data-at") == "1"
    page.keyboard.press("End")
    assert page.locator(".ply").last.get_attribute("aria-current") == "true"


def _walk_to(page: Any, cell: str) -> None:
    """Moves the focus over the board with the arrows alone."""
    board = page.locator(".board")
    for _ in range(40):
        if not page.locator(".cell:focus").count():
            page.locator("#help").focus()
            page.keyboard.press("Tab")
        here = board.locator(":focus").get_attribute("data-cell")
        if here == cell:
            return
        column, row = ord(cell[0]) - ord(here[0]), int(cell[1:]) - int(here[1:])
        keys = ("ArrowRight", "ArrowLeft") if column else ("ArrowUp", "ArrowDown")
        page.keyboard.press(keys[0] if (column or row) > 0 else keys[1])
    raise AssertionError(f"no way to {cell}")


def test_a_move_can_be_typed_and_mistakes_are_told(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page)
    box = page.get_by_label("type a move")
    box.fill("a2a5")
    box.press("Enter")
    page.get_by_text("is not a legal move here").wait_for()
    box.fill("a2a3")
    box.press("Enter")
    page.locator(".ply").nth(1).wait_for()


_IS_WHOLE = """
(shown) => {
    const free = shown.cloneNode(true);
    free.style.position = "absolute";
    free.style.width = "auto";
    shown.after(free);
    const wide = free.offsetWidth;
    free.remove();
    return shown.offsetWidth >= wide;
}
"""


def test_analysis_has_every_value_and_an_address(visit: Visit) -> None:
    page = visit("#/analyse?game=" + SMALL)
    page.locator(".ranked").first.wait_for()
    page.locator('[data-cell="a2"]').click()
    page.locator('.target[data-cell="a3"]').click()
    page.locator(".ply").nth(1).wait_for()
    page.get_by_text("All 9 moves").wait_for()
    assert page.locator('select[aria-label="game"]').evaluate(_IS_WHOLE)
    assert "moves=a2a3" in page.url
    page.reload()
    page.locator(".ply").nth(1).wait_for()
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("radio", name="nothing").check()
    page.locator('[data-cell="a3"]').click()
    page.locator('[data-cell="a3"][aria-label*="empty"]').wait_for()
    assert "start=" in page.url


def test_features_show_what_moves_do_for_them(visit: Visit) -> None:
    page = visit("#/analyse?game=" + SMALL + "&agent=alphabeta(depth%3D2,eval%3Doffensive2)")
    row = page.locator(".shares tr", has_text="my avg")
    row.hover()
    page.locator(".heat.stone").first.wait_for(state="attached")
    page.locator(".heat.move").first.wait_for(state="attached")


def test_a_phone_needs_no_scrolling(visit: Visit, lab: Served) -> None:
    page = visit(width=390, height=800, has_touch=True, is_mobile=True)
    _begin(lab, page, players=["person", "random"])
    page.locator('[data-cell="a2"]').tap()
    page.locator('.target[data-cell="a3"]').tap()
    page.locator(".ply").nth(2).wait_for()
    tools = page.locator(".tools").bounding_box()
    assert tools["y"] + tools["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


_NOTES_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifts += each.value;
}).observe({ type: "layout-shift", buffered: true });
"""
_SMALL_ONES = """
() => [...document.querySelectorAll("button, a:not(.skip), select, summary")]
    .filter((each) => each.offsetParent)
    .map((each) => [each.outerHTML, each.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 24)
    .map(([text]) => text)
"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 800)])
def test_nothing_jumps_and_everything_can_be_hit(
    visit: Visit, lab: Served, width: int, height: int
) -> None:
    page = visit(width=width, height=height)
    page.add_init_script(_NOTES_SHIFTS)
    table = lab.post("/api/tables", {"game": SMALL, "players": ["person", "greedy"]})
    for path, wait in (
        ("", ".card"),
        (f"#/table/{table['id']}", ".source"),
        ("#/flow?puzzle=7x7", ".dot-of"),
    ):
        page.goto("about:blank")  # a page of its own each time
        page.goto(lab.address + path)
        page.locator(wait).first.wait_for()
        page.locator("nav a", has_text="Studies").wait_for()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate("window.shifts") == 0, path
        if width < height:
            assert page.evaluate(_SMALL_ONES) == [], path
        elif path:
            assert page.evaluate("document.documentElement.scrollHeight") == height, path


def test_the_page_is_small(lab: Served) -> None:
    names = [file.name for file in STATIC.rglob("*") if file.suffix in (".js", ".css")]
    names += [SHEET.name, "puzzles/flow/page.js", "puzzles/flow/page.css"]
    assert len(names) > 5
    sent = text = 0
    for name in names:
        asked = {"Accept-Encoding": "gzip"}
        with lab.client.stream("GET", f"/static/{name}", headers=asked) as answer:
            assert answer.status_code == 200
            sent += sum(len(part) for part in answer.iter_raw())
        text += len(lab.client.get(f"/static/{name}").content)
    assert sent <= 70_000
    assert text <= 250_000


def test_scripts_are_checked_and_evaluate_no_text() -> None:
    for script in [*STATIC.glob("*.js"), *puzzles.static("flow").glob("*.js")]:
        text = script.read_text()
        assert text.startswith("// @ts-check\n"), script.name
        assert "innerHTML" not in text, script.name
        assert "eval(" not in text, script.name


def test_a_match_is_begun_and_watched(visit: Visit) -> None:
    page = visit("#/measure")
    form = page.locator("form.card").first
    form.get_by_label("First agent").fill("greedy")
    form.get_by_label("Second agent").fill("random")
    form.get_by_label("Pairs of games").fill("3")
    page.get_by_role("button", name="Begin the match").click()
    page.get_by_text("Finished: 3 of 3 pairs").wait_for()
    page.locator(".sample .board").wait_for()
    thinks, does_not = page.locator(".costs td:last-child").all_inner_texts()
    assert re.fullmatch(r"\d*\.?\d*[1-9]\d* (ms|s)", thinks), thinks
    assert does_not == "–"
    page.goto(page.url.split("#")[0] + "#/measure")
    page.get_by_role("link", name="Compare agents").click()
    page.locator(".ratings tbody tr").nth(1).wait_for()
    page.locator(".cross").wait_for()
    page.get_by_role("button", name="A match of these two").click()
    page.locator(".store tbody a").first.click()
    page.locator(".store tbody tr").nth(5).wait_for()
    page.locator(".store .link").first.click()
    page.locator(".bench .cell").first.wait_for()
    page.keyboard.press("End")
    page.locator(".moves .ply.here").last.wait_for()


@pytest.mark.parametrize(
    ("game", "evaluation", "weight", "agent"),
    [
        (SMALL, "offensive2", "my front", "offensive2(my_front=5)"),
        ("checkers", "material", "kings", "material(kings=150)"),
        ("ur", "fitted", "my hand", "fitted(my_hand=0.5)"),
        ("backgammon", "features", "singles", "features(singles=3)"),
        ("ropasci", "hunt", "tokens", "hunt(tokens=20)"),
    ],
)
def test_weights_of_an_evaluation_make_an_opponent(
    visit: Visit, game: str, evaluation: str, weight: str, agent: str
) -> None:
    page = visit("#/new?game=" + game)
    page.get_by_text("Another agent", exact=True).click()
    page.get_by_text("Weights of its evaluation").click()
    page.get_by_label("evaluation", exact=True).select_option(evaluation)
    value = agent.split("=")[1].rstrip(")")
    page.locator(".sliders").get_by_label(weight).fill(value)
    page.get_by_role("radio").nth(1).check()  # does not fold the sliders away
    assert page.locator(".sliders").is_visible()
    page.get_by_role("button", name="Begin").click()
    page.locator(".who", has_text=agent).wait_for()


def test_exact_values_are_shown_as_such(visit: Visit) -> None:
    page = visit("#/analyse?game=" + quote("ur(pieces=1)") + "&moves=:4")
    page.get_by_text("exact, from the solved table").wait_for()
    # 0.6798 is what petteia solve says of a first throw of four.
    assert page.locator(".ranked .odds").first.inner_text() == "68 %"
    page.locator(".bar[aria-label*=exact]").wait_for()
    page.goto(page.url.split("#")[0] + "#/analyse?game=checkers&start=" + quote("W:WK32:BK1"))
    page.get_by_text("exact, from the solved table").wait_for()
    assert page.locator(".ranked .value").first.inner_text() == "draw"
    page.goto(page.url.split("#")[0] + "#/analyse?game=" + quote("ur(pieces=1)"))
    page.get_by_text("before it light has 53.0 %").wait_for()


def test_dice_are_promised_and_told_at_the_end(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=ur")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Rolls:").click()
    page.get_by_text("a secret that is told at the end").wait_for()
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    page.get_by_text("It is the one that was promised").wait_for()


def test_positions_are_shared_and_pasted(visit: Visit) -> None:
    page = visit("#/analyse?game=backgammon&moves=" + quote(":3-1"))
    page.locator(".ranked").first.wait_for()
    page.get_by_role("button", name="Share").click()
    for name in ("position", "Position ID", "game as SGF", "game as MAT"):
        page.locator(".forms").get_by_text(name, exact=True).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Paste").click()
    page.get_by_label("position, moves or game").fill("4HPwATDgc/ABMA")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("White to roll").wait_for()


def test_flow_by_mouse_and_by_keys(visit: Visit, lab: Served) -> None:
    page = visit("#/flow?puzzle=" + quote("A_A\nB_B\nC_C"))
    page.locator('[data-cell="r1c1"]').drag_to(page.locator('[data-cell="r1c3"]'))
    page.get_by_text("A is joined").wait_for()
    page.locator('[data-cell="r2c1"]').drag_to(page.locator('[data-cell="r2c3"]'))
    page.get_by_text("B is joined").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint").wait_for()
    page.locator('.flow-cell[tabindex="0"]').focus()
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.get_by_text("Solved in 3 strokes").wait_for()
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("Watch a solver").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    page.get_by_text("solution").wait_for()


def test_a_drawing_of_flow_is_kept_and_taken_back(visit: Visit) -> None:
    page = visit("#/flow?puzzle=" + quote("A_A\nB_B\nC_C"))
    for row in (1, 2, 3):
        ends = (page.locator(f'[data-cell="r{row}c{column}"]') for column in (1, 3))
        next(ends).drag_to(next(ends))
    page.locator(".status.won", has_text="Solved in 3 strokes").wait_for()
    page.get_by_role("button", name="Next puzzle").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("6 of 9 cells").wait_for()
    assert page.locator(".status.won").count() == 0
    page.locator('[data-cell="r2c2"]').click()  # a click cuts nothing
    page.locator('[data-cell="r2c1"]').click()
    page.locator('[data-cell="r3c2"]').click()
    page.get_by_text("A path begins at a dot").wait_for()
    page.reload()
    page.get_by_text("6 of 9 cells").wait_for()
    assert page.locator("polyline.pipe").count() == 2
    page.get_by_role("button", name="New puzzle").click()
    page.get_by_role("button", name="Back to it").click()
    page.get_by_text("6 of 9 cells").wait_for()
    page.get_by_text("Watch a solver").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    page.locator('[data-cell="r1c1"]').click()
    page.get_by_text("A solver is shown here").wait_for()


def test_flow_over_a_bridge_and_past_the_border(visit: Visit, lab: Served) -> None:
    """Two paths cross at a bridge, and none turns there; with warps a path leaves the board."""
    page = visit("#/flow?puzzle=" + quote("_A_\nB+B\n_A_") + "&rule=touching")
    for ends in (("r1c2", "r3c2"), ("r2c1", "r2c3")):
        page.locator(f'[data-cell="{ends[0]}"]').drag_to(page.locator(f'[data-cell="{ends[1]}"]'))
    page.get_by_text("r1c1 is not covered").wait_for()  # all else is right
    assert page.locator(".deck").count() == 1
    for grid, rows, key, lines in (
        ("warps", ["A_A", "___", "___"], "ArrowLeft", 2),
        ("hex", ["A__", "A__", "___"], "ArrowDown", 1),
    ):
        text = json.dumps({"rows": rows, "grid": grid})
        page = visit("#/flow?puzzle=" + quote(text) + "&rule=touching")
        page.locator('[data-cell="r1c1"]').focus()
        for pressed in ("Enter", key, "Enter"):
            page.keyboard.press(pressed)
        page.get_by_text("is not covered").wait_for()
        assert page.locator("polyline.pipe").count() == lines


def test_every_page_says_that_it_is_offline_and_comes_back(
    browser: Any, started: Callable[..., Served]
) -> None:
    served = started()
    page = browser.new_page()
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
    page.close()


def test_two_visitors_play_each_other_and_a_third_watches(visit: Visit, lab: Served) -> None:
    mine = visit(permissions=["clipboard-read", "clipboard-write"])
    table = _begin(lab, mine)
    mine.get_by_role("button", name="Invite").click()
    mine.get_by_text("a free seat").wait_for()
    assert table in mine.evaluate("navigator.clipboard.readText()")
    theirs, third = (visit(f"#/table/{table}", stranger=True) for _ in range(2))
    for page in (theirs, third):
        page.get_by_text("You are watching").wait_for()
        assert page.locator(".source").count() == 0
        names = page.locator(".tools").inner_text().split("\n")
        assert [each for each in names if each] == ["Hint", "Sit down as black", "Flip", "More"]
    theirs.get_by_role("button", name="Sit down as black").click()
    # Who sits down is no watcher any more, and has his pieces before him.
    theirs.get_by_text("You are watching").wait_for(state="hidden")
    rows = [theirs.locator(f'[data-cell="{cell}"]').bounding_box()["y"] for cell in ("a5", "a1")]
    assert rows[0] > rows[1]
    third.get_by_role("button", name="Sit down").wait_for(state="detached")
    mine.locator('[data-cell="a2"]').click()
    mine.locator('[data-cell="a3"]').click()
    theirs.locator('.bench[data-turn="mine"]').wait_for()
    assert mine.locator(".source").count() == 0
    # A move is taken back by who made it.
    assert mine.get_by_role("button", name="Undo").count() == 1
    assert theirs.get_by_role("button", name="Undo").count() == 0
    theirs.locator('[data-cell="b4"]').click()
    theirs.locator('[data-cell="b3"]').click()
    third.locator(".ply").nth(2).wait_for()
    mine.locator('.bench[data-turn="mine"]').wait_for()
    third.keyboard.press("u")
    third.get_by_role("button", name="Flip").click()
    assert third.locator("#toast").is_hidden()
    assert len(lab.client.get(f"/api/tables/{table}").json()["plies"]) == 2


def test_a_job_of_somebody_else_is_only_looked_at(visit: Visit, lab: Served) -> None:
    wish = {"game": SMALL, "agents": ["greedy", "random"], "pairs": 50_000}
    job = lab.post("/api/matches", wish)
    page = visit(f"#/measure/job/{job['id']}", stranger=True)
    page.get_by_text("of 50000 pairs").wait_for()
    assert page.get_by_role("button", name="Stop").count() == 0
    mine = visit(f"#/measure/job/{job['id']}")
    mine.get_by_role("button", name="Stop").click()
    mine.get_by_role("button", name="Go on").wait_for()
    page.get_by_text("Stopped").wait_for()
    assert page.get_by_role("button", name="Go on").count() == 0
