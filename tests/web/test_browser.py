"""People at the page: whole games by mouse and by keys, hints, reviews, on desk and phone."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import petteia.web
from petteia import games
from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"
STATIC = Path(petteia.web.__file__).parent / "static"
Visit = Callable[..., Any]

_NEARLY_OVER = {"backgammon": "XGID=------B-B--------b-b------:0:0:1:00:0:0:0:0:10"}
"""Where random players would go on for minutes."""

pytestmark = pytest.mark.slow


def _begin(lab: Served, page: Any, game: str = SMALL, **wish: Any) -> str:
    table = lab.post("/api/tables", {"game": game, "seed": 5, **wish})
    page.goto(f"{lab.address}#/table/{table['id']}")
    page.locator(".bench .cell").first.wait_for()
    return str(table["id"])


def _over(page: Any) -> bool:
    return bool(page.locator(".status.over").count())


def play_by_mouse(page: Any, turns: int = 400) -> None:
    """Clicks pieces and where they can go until the game is over."""
    ready = page.locator(".source, .status.over").first
    for turn in range(turns):
        ready.wait_for()
        if _over(page):
            return
        before = page.locator(".ply").count()
        sources = page.locator(".source")
        sources.nth((7 * turn) % sources.count()).click()
        targets = page.locator(".target")
        targets.nth(turn % targets.count()).click()
        page.locator(".ply").nth(before).wait_for()
    raise AssertionError("the game did not end")


def play_by_typing(page: Any, lab: Served, table: str, seconds: float = 150) -> None:
    """Types legal moves until the page says that the game is over."""
    box = page.get_by_label("type a move")
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        state = lab.client.get(f"/api/tables/{table}").json()
        if state["over"]:
            page.locator(".status.over").wait_for()
            return
        view = state["view"]
        legal = view["choices"][0] if state["kind"] == "simultaneous" else view["actions"]
        is_mine = state["kind"] == "simultaneous" or view["mover"] == 0
        if not is_mine or not legal or 0 in state["chosen"]:
            time.sleep(0.02)
            continue
        serial = state["serial"]
        box.fill(legal[(7 * serial) % len(legal)]["move"])
        box.press("Enter")
        while state["serial"] == serial and not state["chosen"]:
            assert time.monotonic() < deadline, state
            state = lab.client.get(f"/api/tables/{table}").json()
    raise AssertionError("the game did not end")


def test_the_first_page_is_one_click_from_a_game(visit: Visit) -> None:
    page = visit()
    page.locator(".card .primary").first.click()
    page.locator(".bench .source").first.wait_for()
    assert "#/table/" in page.url


@pytest.mark.parametrize("game", [name for name in games.names() if name != "breakthrough"])
def test_a_whole_game_of_every_game(visit: Visit, lab: Served, game: str) -> None:
    page = visit()
    wish = {"players": ["person", "random"], "start": _NEARLY_OVER.get(game, "start")}
    table = _begin(lab, page, _short(game), **wish)
    play_by_typing(page, lab, table)


def _short(name: str) -> str:
    """The variant of a game that is over soonest, by its parameters."""
    kind = games.classes()[name]
    wanted = {"pieces": 1, "throws": 3, "turns": 40}
    known = [key for key in inspect.signature(kind).parameters if key in wanted]
    return f"{name}({', '.join(f'{key}={wanted[key]}' for key in known)})" if known else name


def test_a_whole_game_by_mouse(visit: Visit, lab: Served) -> None:
    page = visit()
    _begin(lab, page, players=["person", "random"])
    play_by_mouse(page)
    assert "wins" in page.locator(".status").inner_text()
    page.get_by_role("button", name="Review").click()
    page.locator(".review table").wait_for()
    page.locator(".graph svg").wait_for()
    page.get_by_role("button", name="Try from here").click()


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
    page.get_by_text("is no legal move here").wait_for()
    box.fill("a2a3")
    box.press("Enter")
    page.locator(".ply").nth(1).wait_for()


def test_analysis_has_every_value_and_an_address(visit: Visit) -> None:
    page = visit("#/analyse?game=" + SMALL)
    page.locator(".ranked").first.wait_for()
    page.locator('[data-cell="a2"]').click()
    page.locator('.target[data-cell="a3"]').click()
    page.locator(".ply").nth(1).wait_for()
    page.get_by_text("All 9 moves").wait_for()
    assert "moves=a2a3" in page.url
    page.reload()
    page.locator(".ply").nth(1).wait_for()
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("radio", name="empty").check()
    page.locator('[data-cell="a3"]').click()
    page.locator('[data-cell="a3"][aria-label*="empty"]').wait_for()
    assert "start=" in page.url


def test_features_show_what_moves_do_for_them(visit: Visit) -> None:
    page = visit("#/analyse?game=" + SMALL + "&agent=alphabeta(depth%3D2,eval%3Doffensive2)")
    row = page.locator(".shares tr", has_text="my front")
    row.hover()
    page.locator(".heat").first.wait_for(state="attached")


def test_a_phone_needs_no_scrolling(visit: Visit, lab: Served) -> None:
    page = visit(width=390, height=800, has_touch=True, is_mobile=True)
    _begin(lab, page, players=["person", "random"])
    page.locator('[data-cell="a2"]').tap()
    page.locator('.target[data-cell="a3"]').tap()
    page.locator(".ply").nth(2).wait_for()
    tools = page.locator(".tools").bounding_box()
    assert tools["y"] + tools["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_is_small() -> None:
    files = [file for file in STATIC.rglob("*") if file.suffix in (".js", ".css")]
    assert len(files) > 5
    assert sum(file.stat().st_size for file in files) <= 150_000


def test_scripts_are_checked_and_evaluate_no_text() -> None:
    for script in STATIC.glob("*.js"):
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
    page.get_by_role("link", name="series").first.click()
    page.locator(".store tbody tr").nth(5).wait_for()
    page.locator(".store .link").first.click()
    page.locator(".bench .cell").first.wait_for()
    page.keyboard.press("End")
    page.locator(".moves .ply.here").last.wait_for()


def test_weights_of_an_evaluation_make_an_opponent(visit: Visit) -> None:
    page = visit("#/new?game=" + SMALL)
    page.get_by_text("Another agent").click()
    page.get_by_text("Weights of its evaluation").click()
    page.get_by_label("evaluation", exact=True).select_option("offensive2")
    page.get_by_label("my front").fill("7")
    page.get_by_role("button", name="Begin").click()
    page.locator(".who", has_text="offensive2(my_front=7)").wait_for()


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
