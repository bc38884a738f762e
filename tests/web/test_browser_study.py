"""People who study at the page: analysis, measuring, sharing."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.web.conftest import Served
from tests.web.playing import SMALL, Visit

pytestmark = pytest.mark.slow


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


def test_a_match_is_begun_and_watched(visit: Visit, lab: Served) -> None:
    page = visit("#/measure")
    form = page.locator("form.card").first
    form.locator("select[name=game]").select_option("breakthrough")
    form.get_by_label("choose: First agent").select_option("alphabeta")
    form.get_by_text("Settings").first.click()
    form.get_by_label("Depth").fill("1")
    assert form.get_by_role("textbox", name="First agent").input_value() == "alphabeta(depth=1)"
    form.get_by_role("textbox", name="First agent").fill("minimax(depth=1)")
    assert form.get_by_label("choose: First agent").input_value() == "minimax"
    form.get_by_label("Pairs of games").fill("3")
    form.get_by_role("button", name="How long will the match take?").click()
    form.get_by_text(re.compile(r"About \d+ s for 6 games of some \d+ moves")).wait_for()
    form.get_by_role("textbox", name="First agent").fill("greedy")
    form.get_by_role("textbox", name="Second agent").fill("random")
    before = len(lab.client.get("/api/jobs").json()["jobs"])
    page.get_by_role("button", name="Begin the match").dblclick()
    page.locator(".status", has_text="Finished").wait_for()
    assert len(lab.client.get("/api/jobs").json()["jobs"]) == before + 1
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
    page.get_by_text("Advanced", exact=True).click()
    page.get_by_text("Weights of its evaluation").click()
    page.get_by_label("evaluation", exact=True).select_option(evaluation)
    value = agent.split("=")[1].rstrip(")")
    page.locator(".sliders").get_by_label(weight).fill(value)
    page.get_by_role("radio").nth(1).check()  # does not fold the sliders away
    assert page.locator(".sliders").is_visible()
    page.get_by_role("button", name="Begin").click()
    page.locator(".who", has_text=agent).wait_for()


def test_a_piece_that_was_chosen_stays_so_while_the_same_position_is_drawn_again(
    visit: Visit,
) -> None:
    page = visit("#/analyse?game=" + quote(SMALL))
    page.locator('[data-cell="a2"]').click()
    page.get_by_role("button", name="Engine off").click()
    with page.expect_response("**/api/line"):
        page.get_by_role("button", name="Engine on").click()
    page.locator(".ranked").nth(2).wait_for()
    page.locator('.target[data-cell="a3"]').click()
    page.locator('.ply.here:has-text("a2a3")').wait_for()


def test_variations_of_an_analysis_are_kept_and_back_stays_on_the_page(visit: Visit) -> None:
    page = visit("#/analyse?game=" + quote(SMALL))
    page.locator(".ranked").nth(2).wait_for()
    page.get_by_label("lines").select_option("5")
    page.locator(".ranked").nth(4).wait_for()
    page.get_by_text("million nodes a second").wait_for()
    page.get_by_role("button", name="Engine off").click()

    def move(start: str, end: str) -> None:
        page.locator(f'[data-cell="{start}"]').click()
        page.locator(f'[data-cell="{end}"]').click()
        page.locator(f'.ply.here:has-text("{start}{end}")').wait_for()

    move("a2", "a3")
    move("b4", "b3")
    page.keyboard.press("Home")
    move("b2", "c3")
    page.get_by_role("button", name="Comment").click()
    page.get_by_role("textbox", name="comment").fill("bold")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_text("bold", exact=True).wait_for()
    page.get_by_role("button", name="Make it the main line").click()
    page.get_by_role("button", name="Make it the main line").wait_for(state="detached")
    page.go_back()
    page.go_back()
    page.locator('.ply.here[data-at="0"]').wait_for()
    assert page.locator(".variations .chip").all_inner_texts() == ["b2c3", "a2a3"]
    page.locator(".chip", has_text="a2a3").click()
    page.locator('.ply.here[data-at="1"]', has_text="a2a3").wait_for()
    page.reload()
    page.locator(".chip", has_text="b2c3").wait_for()
    page.get_by_role("button", name="Delete from here").click()
    page.locator(".variations .chip").wait_for(state="detached")
    assert page.locator(".ply", has_text="b2c3").count() == 1


def test_exact_values_are_shown_as_such(visit: Visit) -> None:
    page = visit("#/analyse?game=" + quote("ur(pieces=1)") + "&moves=:4")
    page.get_by_text("exact, from the solved table").wait_for()
    # 0.6798 is what petteia solve says of a first throw of four.
    assert page.locator(".ranked .odds").first.inner_text() == "68 %"
    page.locator(".bar[aria-label*=exact]").wait_for()
    page.goto(page.url.split("#")[0] + "#/analyse?game=checkers&start=" + quote("W:WK32:BK1"))
    page.locator(".ranked .value", has_text="draw").first.wait_for()
    assert page.get_by_text("exact, from the solved table").count() == 1
    page.goto(page.url.split("#")[0] + "#/analyse?game=" + quote("ur(pieces=1)"))
    page.get_by_text("before it light has 53.0 %").wait_for()


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


def test_games_are_shared_as_pictures_and_links_as_codes(visit: Visit) -> None:
    page = visit("#/analyse?game=" + quote(SMALL) + "&moves=" + quote("a2a3 b4b3 d2d3"))
    page.get_by_role("button", name="Engine off").click()
    page.get_by_role("button", name="Share").click()

    def saved(name: str) -> list[Any]:
        with page.expect_download() as found:
            page.get_by_role("button", name=name).click()
        with Image.open(found.value.path()) as picture:
            frames = ImageSequence.Iterator(picture)
            return [np.asarray(frame.convert("RGB")).astype(int) for frame in frames]

    (drawn,) = saved("picture as PNG")
    first, *_, last = film = saved("game as GIF")
    assert len(film) == 4
    # The film ends with the same position, in 256 colours, and began with another one.
    assert np.abs(last - drawn).max() <= 32
    assert np.abs(first - drawn).max() > 100
    page.get_by_role("button", name="QR code").click()
    page.get_by_text("Only this computer can open the page").wait_for()


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
