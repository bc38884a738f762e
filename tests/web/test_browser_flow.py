"""Flow at the page: drawn by mouse and keys, kept, and solved."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest

from tests.web.conftest import Served
from tests.web.playing import Visit

pytestmark = pytest.mark.slow


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


_CENTRES = """
(all) => Object.fromEntries(all.map((each) => {
    const box = each.getBoundingClientRect();
    return [each.dataset.cell, { x: box.x + box.width / 2, y: box.y + box.height / 2 }];
}))
"""


def test_flow_by_touch(visit: Visit) -> None:
    page = visit(
        "#/flow?puzzle=" + quote("A___\nB_BA"),
        width=390,
        height=844,
        has_touch=True,
        is_mobile=True,
    )
    page.locator(".dot-of").first.wait_for()
    hand = page.context.new_cdp_session(page)
    cells = page.locator("[data-cell]").evaluate_all(_CENTRES)
    for path in (["r1c1", "r1c2", "r1c3", "r1c4", "r2c4"], ["r2c1", "r2c2", "r2c3"]):
        for number, cell in enumerate(path):
            kind = "touchMove" if number else "touchStart"
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [cells[cell]]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator(".status.won", has_text="Solved in 2 strokes").wait_for()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("link", name="Leave no gap").click()
    page.get_by_text("4 by 4, 3 colours").wait_for()


def test_a_drawing_of_flow_is_kept_and_taken_back(visit: Visit) -> None:
    page = visit("#/flow?puzzle=" + quote("A_A\nB_B\nC_C"))
    for row in (1, 2, 3):
        ends = (page.locator(f'[data-cell="r{row}c{column}"]') for column in (1, 3))
        next(ends).drag_to(next(ends))
    page.locator(".status.won", has_text="Solved in 3 strokes").wait_for()
    page.locator('.flow-won [aria-label="3 of 3 stars"]').wait_for()
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
    page.get_by_text("A puzzle of your own").last.click()
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


def test_packs_and_stars_of_flow(visit: Visit, lab: Served) -> None:
    page = visit("#/flow", width=390, height=700)
    page.get_by_text("5×5 easy, 1 of 20").wait_for()
    page.locator(".dot-of").first.wait_for()
    for part in (".flow-board", ".tools >> nth=0"):  # the board and the controls, without scrolling
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 700, part
    asked = {"width": 5, "height": 5, "difficulty": "easy", "seed": _seed("5-easy/1")}
    text = lab.post("/api/flow/new", asked)["text"]
    page.get_by_role("button", name="Hint").click()
    words = page.locator(".hint").inner_text()
    assert "①" in words
    assert not re.search(r"r\d+c\d+", words)  # it points at the board
    assert page.locator(".hint-sign").count() >= 1
    page.reload()  # which forgets neither the hint nor the time
    page.locator(".dot-of").first.wait_for()
    solved = lab.post("/api/flow/solve", {"text": text})["paths"]
    for path in solved:
        page.locator(f'[data-cell="{path[0]}"]').hover()
        page.mouse.down()
        for cell in path[1:]:
            page.locator(f'[data-cell="{cell}"]').hover()
        page.mouse.up()
    page.locator('.flow-won [aria-label="1 of 3 stars"]').wait_for()  # a hint was given
    progress = json.loads(page.evaluate("localStorage['flow-progress']"))
    seconds = progress["5-easy/1"]["seconds"]
    assert seconds == round(seconds, 3)
    progress["5-easy/1"]["seconds"] = 9999  # which a second record would beat
    page.evaluate("all => localStorage['flow-progress'] = JSON.stringify(all)", progress)
    page.reload()
    page.locator('.flow-won [aria-label="1 of 3 stars"]').wait_for()
    assert json.loads(page.evaluate("localStorage['flow-progress']")) == progress
    page.get_by_role("link", name="Next puzzle").click()
    page.get_by_text("5×5 easy, 2 of 20").wait_for()
    page.get_by_role("button", name="Packs").click()
    page.get_by_role("row", name="5×5 easy 1 of 20 1 of 60").wait_for()
    page.get_by_role("link", name="The puzzle of today").click()
    page.get_by_text("Daily puzzle").wait_for()
    assert "daily=" in page.url


def test_a_solver_is_watched_on_a_phone_without_scrolling(visit: Visit) -> None:
    page = visit("#/flow", width=390, height=700)
    page.locator(".dot-of").first.wait_for()
    page.get_by_text("Watch a solver").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    page.locator(".watch-text", has_text="solution").wait_for()
    assert page.evaluate("scrollY") == 0
    for part in (".flow-board", ".watch .tools", ".watch .slider"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 700, part
    assert page.locator(".watch-text").bounding_box()["y"] < 690
    page.get_by_role("button", name="Back to my drawing").click()


def test_a_pasted_mistake_stays_and_can_be_mended(visit: Visit) -> None:
    page = visit("#/flow?puzzle=A_B")  # no puzzle: one of ours is shown
    page.get_by_text("5×5 easy, 1 of 20").wait_for()
    page.locator(".dot-of").first.wait_for()
    page.get_by_role("button", name="Paste").click()
    text = page.get_by_role("textbox", name="puzzle")
    text.fill("A  A\nB  B")
    page.get_by_role("button", name="Open").click()
    page.locator(".wrong", has_text="a blank is no cell").wait_for()
    assert text.input_value() == "A  A\nB  B"
    text.fill("A__A\nB__B")
    page.get_by_role("button", name="Open").click()
    page.get_by_text("4 by 2, 2 colours").wait_for()
    page.get_by_text("Watch a solver").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("solution").wait_for()


def test_a_puzzle_without_solution_keeps_its_drawing(visit: Visit) -> None:
    page = visit("#/flow?puzzle=" + quote("A_B\n__A\nB__"))
    page.locator('[data-cell="r1c1"]').drag_to(page.locator('[data-cell="r1c2"]'))
    page.get_by_text("is not covered").or_(page.get_by_text("2 of 9 cells")).wait_for()
    page.get_by_role("button", name="Solve").click()
    page.get_by_text("sweep: there is none").wait_for()
    assert page.locator("polyline.pipe").count() == 1


def _seed(name: str) -> int:
    """The seed of a puzzle of a pack (FNV-1a): everybody has the same puzzles."""
    found = 2166136261
    for letter in name:
        found = ((found ^ ord(letter)) * 16777619) & 0xFFFFFFFF
    return found
