"""People at the page: whole games by mouse and by keys, hints, reviews."""

from __future__ import annotations

from typing import Any

import pytest

from petteia import games
from tests.web.conftest import Served
from tests.web.playing import SMALL, Visit, begin, is_over, play_on, walk_the_review

pytestmark = pytest.mark.slow


_NEARLY_OVER = {
    "backgammon": "XGID=------B-B--------b-b------:0:0:1:00:0:0:0:0:10",
    "checkers": "B:W26,27,22,23:B6,7,10,11",
}
"""Where random players would go on for minutes."""


_SHORT = {
    "backgammon": "backgammon", "breakthrough": SMALL, "checkers": "checkers",
    "ropasci": "ropasci(throws=3, turns=20)", "ur": "ur(pieces=1)",
}  # fmt: skip


def test_the_rules_stand_beside_the_board_with_exercises(visit: Visit, lab: Served) -> None:
    page = visit("#/rules?game=ur")
    page.locator(".rule .arrow").nth(3).wait_for()
    begin(lab, page, "ur", players=["person", "random"], start="4xx2/2l5/4xx2 l 6 0 7 0 3")
    page.locator('[data-cell="c2"]').hover()
    assert page.locator(".hero .way").count() == 1  # the way that it still has to go
    page.get_by_role("button", name="Rules").click()
    box = page.locator(".exercise")
    box.locator('[data-cell="hand-l"]').click()
    box.locator('[data-cell="d1"]').click()
    box.get_by_text("Not quite").wait_for()
    box.get_by_role("button", name="Try again").click()
    box.locator('[data-cell="c2"]').drag_to(box.locator('[data-cell="d2"]'))
    box.get_by_text("you throw again").wait_for()
    box.get_by_role("button", name="Next exercise").click()
    box.get_by_text("Send the dark piece back").wait_for()
    page.get_by_role("button", name="Close the rules").click()
    assert page.locator(".beside").count() == 0


@pytest.mark.parametrize("game", games.names())
def test_a_whole_game_of_every_game_by_mouse(visit: Visit, lab: Served, game: str) -> None:
    page = visit()
    wish = {"players": ["person", "random"], "start": _NEARLY_OVER.get(game, "start"), "seed": 6}
    table = begin(lab, page, _SHORT[game], **wish)
    play_on(page)
    walk_the_review(page)
    assert page.locator(".review thead th", has_text="??").count() == 1
    luck = page.locator(".review thead th", has_text="luck").count()
    assert luck == games.make(game).has_chance
    # Only Ur with one piece is solved here.
    assert page.get_by_text("Exact: every value").count() == (game == "ur")
    page.get_by_role("button", name="Close the review").click()
    if luck:
        page.get_by_text("Rolls:").click()
        assert page.get_by_text("the one that was promised").count() == 0  # its seed was given
    page.keyboard.press("Home")
    page.get_by_role("button", name="Try from here").click()
    page.locator('.bench[data-turn="mine"]').wait_for()
    assert table not in page.url


@pytest.mark.parametrize("game", games.names())
def test_a_whole_game_of_every_game_by_touch(visit: Visit, lab: Served, game: str) -> None:
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    wish = {"players": ["person", "random"], "start": _NEARLY_OVER.get(game, "start"), "seed": 6}
    begin(lab, page, _SHORT[game], **wish)
    play_on(page, touch=True)
    tools = page.locator(".finale").bounding_box()
    assert tools["y"] + tools["height"] <= 844  # what comes next is in sight
    walk_the_review(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_review_stays_while_one_walks_through_it_and_after_a_reload(
    visit: Visit, lab: Served
) -> None:
    page = visit()
    moves = ["a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"]
    table = begin(lab, page, moves=moves)
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Key moment 1 of").wait_for()
    page.locator(".moment").get_by_role("button", name="next key moment").click()
    page.get_by_text("Key moment 2 of").wait_for()
    page.locator(".moment .link").first.click()
    page.locator(".hero .arrow").nth(1).wait_for()  # what was played, and what was better
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    page.locator('.ply.here[data-at="0"]').wait_for()
    box, panel = (page.locator(each).bounding_box() for each in (".moment", ".beside"))
    assert panel["height"] > 500
    assert box["y"] + box["height"] <= min(800, panel["y"] + panel["height"])
    assert "better" in page.locator(".moment").inner_text()
    assert "It has more" in page.locator(".moment").inner_text()
    assert page.locator(".graph .error").count() == 2
    assert page.get_by_text("nodes=").count() == 1
    said = page.locator("div.review").inner_text()
    page.reload()
    page.get_by_text("Key moment 1 of").wait_for()
    assert page.locator(".graph svg").count() == 1
    page.locator(".moment").get_by_role("button", name="next key moment").click()
    assert page.locator("div.review").inner_text() == said
    page.get_by_role("button", name="Try it").click()
    page.locator('.bench[data-turn="mine"]').wait_for()
    assert table not in page.url
    assert page.locator(".beside").count() == 0


def test_drag_undo_redo_and_hint(visit: Visit, lab: Served) -> None:
    page = visit()
    begin(lab, page, players=["person", "greedy"])
    page.get_by_role("button", name="Hint").wait_for()
    assert page.get_by_role("button", name="Undo").count() == 0  # there is nothing to take back
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


def test_what_is_refused_is_told_beside_it(visit: Visit, lab: Served) -> None:
    page = visit()
    begin(lab, page, "checkers", start="B:W18,31:B14,1")
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
    begin(lab, page)
    page.locator('[data-cell="a1"]').click()
    assert why.inner_text() == "A1 has no legal move now"


def test_the_numbers_of_checkers_stand_on_their_squares(visit: Visit, lab: Served) -> None:
    page = visit()
    begin(lab, page, "checkers", players=["person", "random"])  # Black, at the top if not turned
    names = page.locator(".cell:has(.name)")
    read = names.evaluate_all(
        "all => all.map(e => [e.dataset.cell, e.querySelector('.name').textContent])"
    )
    assert sorted(int(cell) for cell, _ in read) == list(range(1, 33))
    assert all(cell == name for cell, name in read)


def test_a_half_made_move_is_seen_and_taken_back(visit: Visit, lab: Served) -> None:
    page = visit()
    begin(lab, page, "backgammon", moves=[":6-5"])

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
    begin(lab, page, players=["person", "random"])
    for _ in range(60):
        page.locator(".source, .status.over").first.wait_for()
        if is_over(page):
            break
        before = page.locator(".ply").count()
        _walk_to(page, page.locator(".source").last.get_attribute("data-cell"))
        page.keyboard.press("Enter")
        _walk_to(page, page.locator(".target").first.get_attribute("data-cell"))
        page.keyboard.press("Enter")
        page.locator(".ply").nth(before).wait_for()
    assert is_over(page)
    _tab_to(page, ".finale .primary")
    page.keyboard.press("Enter")
    page.locator(".review table").first.wait_for()
    while page.locator('[aria-label="next key moment"]:enabled').count():
        _tab_to(page, '[aria-label="next key moment"]')
        page.keyboard.press("Enter")
    _tab_to(page, '[aria-label="Close the review"]')
    page.keyboard.press("Enter")
    page.keyboard.press("Home")
    assert page.locator(".ply.here").inner_text() == "start"
    page.keyboard.press("ArrowRight")
    assert page.locator(".ply.here").get_attribute("data-at") == "1"
    page.keyboard.press("End")
    assert page.locator(".ply").last.get_attribute("aria-current") == "true"
    _tab_to(page, ".brand")
    page.keyboard.press("Enter")
    page.locator(".card").first.wait_for()
    _tab_to(page, '[aria-label="Play Checkers"]')
    page.keyboard.press("Enter")
    page.locator(".bench .source").first.wait_for()


def _tab_to(page: Any, selector: str) -> None:
    """Goes to something with the Tab key alone."""
    for _ in range(80):
        if page.evaluate("each => document.activeElement.matches(each)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {selector}")


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
    begin(lab, page)
    box = page.get_by_label("type a move")
    box.fill("a2a5")
    box.press("Enter")
    page.get_by_text("is not a legal move here").wait_for()
    box.fill("a2a3")
    box.press("Enter")
    page.locator(".ply").nth(1).wait_for()


def test_dice_are_promised_and_told_at_the_end(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=ur")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Rolls:").click()
    page.get_by_text("a secret that is told at the end").wait_for()
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    page.get_by_text("It is the one that was promised").wait_for()


def test_half_a_move_of_backgammon_is_taken_back(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=backgammon")
    page.get_by_label("Match").fill("3")
    page.get_by_label("Match").press("Tab")
    page.get_by_label("Cube").check()
    page.get_by_role("button", name="Begin").click()
    page.locator(".tally", has_text="of 3").first.wait_for()
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:0:0:3:10"
    begin(lab, page, "backgammon(match=3, cube=true)", start=start)
    assert page.locator(".hero .die").count() == 2
    assert page.locator(".hero .cube").text_content() == "1"
    assert page.locator(".tally").all_inner_texts() == ["0 of 3, pips 167", "1 of 3, pips 167"]
    page.locator('[data-cell="8"]').click()
    page.locator('[data-cell="5"]').click()
    assert page.locator(".hero .spent").count() == 1
    page.get_by_role("button", name="Undo").click()
    assert page.locator(".hero .spent").count() == 0
    assert page.locator('.piece[data-on="8"]').count() == 3
    begin(lab, page, "backgammon(cube=true)", start=start.replace(":31:1:0:0:3", ":00:0:0:0:0"))
    page.get_by_role("button", name="Double").click()
    page.locator(".status", has_text="White doubles to 2: black takes or drops").wait_for()
    page.get_by_role("button", name="Take").click()
    page.locator(".hero .die").first.wait_for()


def test_two_visitors_play_each_other_and_a_third_watches(visit: Visit, lab: Served) -> None:
    mine = visit(permissions=["clipboard-read", "clipboard-write"])
    table = begin(lab, mine)
    mine.get_by_role("button", name="Invite").click()
    mine.get_by_text("Only this computer can open these links").wait_for()
    mine.get_by_role("button", name="Free the seat of black").click()
    mine.get_by_text("a free seat").wait_for()
    mine.get_by_role("button", name="copy the link to this table").click()
    mine.get_by_text("Link copied").wait_for()
    assert table in mine.evaluate("navigator.clipboard.readText()")
    mine.get_by_role("button", name="copy the link for a class").click()
    mine.get_by_text("Link copied").wait_for()
    mine.keyboard.press("Escape")
    theirs, third = (visit(f"#/table/{table}", stranger=True) for _ in range(2))
    for page in (theirs, third):
        page.get_by_text("You are watching").wait_for()
        assert page.locator(".source").count() == 0
        names = page.locator(".tools").inner_text().split("\n")
        assert [each for each in names if each] == [
            "Hint", "Sit down as black", "Rules", "Flip", "More",
        ]  # fmt: skip
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
    # What the page does not offer, the server refuses.
    sit = third.request.post(f"{lab.address}api/tables/{table}/sit", data={"player": 1})
    assert sit.status == 403
    third.keyboard.press("u")
    third.get_by_role("button", name="Flip").click()
    assert third.locator("#toast").is_hidden()
    assert len(lab.client.get(f"/api/tables/{table}").json()["plies"]) == 2


def test_a_long_wait_is_explained(visit: Visit, lab: Served) -> None:
    page = visit()

    def at_once(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace("const LONG = 10_000", "const LONG = 0")
        )

    page.route("**/static/dom.js", at_once)
    page.reload()
    begin(lab, page)
    page.get_by_role("button", name="Hint").click()
    page.locator("#toast", has_text="compiled before it begins").wait_for()
    page.locator(".extra .facts", has_text="depth").wait_for()
