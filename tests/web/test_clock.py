"""Clocks of two people: what is left, what a move adds, and who runs out of time."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest

from petteia.web.clock import Clock
from tests.web.conftest import Served
from tests.web.playing import SMALL, Visit, begin

pytestmark = pytest.mark.slow


def test_time_runs_for_who_is_to_move_and_a_move_adds_some() -> None:
    clock = Clock([60.0, 60.0], increment=2.0)
    clock.turn([1], now=100)  # nothing ran before
    clock.turn([0], now=110)
    assert clock.left == [60, 52]
    clock.turn([0], now=115)  # news that change nothing
    assert clock.left == [55, 52]
    clock.stand(now=116)  # somebody is missing: that is no move
    clock.turn([0, 1], now=200)  # both choose
    assert clock.left == [54, 52]
    clock.turn([1], now=203)
    assert clock.left == [53, 49]
    clock.settle(now=300)
    assert clock.left == [53, 0]


def test_who_runs_out_of_time_loses_and_nothing_is_taken_back(lab: Served) -> None:
    wish = {"game": SMALL, "clock": [1, 0]}
    table = lab.post("/api/tables", wish)
    assert table["clock"] == {"left": [1, 1], "running": []}
    path = f"/api/tables/{table['id']}"
    played = lab.post(f"{path}/play", {"move": "a2a3"})
    assert played["clock"]["running"] == [1]
    assert not played["may_undo"]
    assert lab.client.post(f"{path}/undo", json={}).status_code == 403
    while not (found := lab.client.get(path).json())["over"]:
        time.sleep(0.05)
    assert found["status"] == "black ran out of time, white wins"
    assert found["result"] == 1
    assert found["clock"] == {"left": [1, 0], "running": []}
    assert lab.client.post(f"{path}/play", json={"move": "a4a3"}).status_code == 400


def test_only_people_have_a_clock(lab: Served) -> None:
    wish = {"game": SMALL, "players": ["person", "random"], "clock": [60, 0]}
    answer = lab.client.post("/api/tables", json=wish)
    assert answer.status_code == 400
    assert "two people" in answer.json()["detail"]
    assert lab.client.post("/api/tables", json={**wish, "clock": [-1, 0]}).status_code == 422


def test_a_clock_stands_while_a_seat_is_free_or_the_laboratory_away(
    started: Callable[..., Served],
) -> None:
    served = started()
    table = served.post("/api/tables", {"game": SMALL, "clock": [600, 5]})
    path = f"/api/tables/{table['id']}"
    served.post(f"{path}/play", {"move": "a2a3"})
    freed = served.post(f"{path}/leave", {"player": 1})
    assert freed["clock"]["running"] == []
    served.post(f"{path}/sit", {"player": 1})
    left = served.post(f"{path}/play", {"move": "b4b3"})["clock"]["left"]
    assert 600 < left[1] <= 605
    visitor = served.visitor
    served.stop(signal.SIGKILL)
    again = started()
    again.client.cookies.set("petteia_visitor", visitor)
    found = again.client.get(path).json()
    assert found["clock"]["running"] == [0]
    assert found["clock"]["left"][1] == left[1]
    assert found["terms"] == [600, 5]


def test_a_clock_is_chosen_seen_and_kept_for_the_next_game(visit: Visit, lab: Served) -> None:
    page = visit("#/new?game=breakthrough")
    assert page.get_by_label("Clock").is_hidden()
    page.get_by_role("radio", name="Both: two people").check()
    page.get_by_label("Clock").select_option("180 2")
    page.get_by_role("button", name="Begin").click()
    page.locator(".bench .source").first.wait_for()
    assert page.locator(".clock").all_inner_texts() == ["3:00", "3:00"]
    begin(lab, page, clock=[1, 0])
    page.locator('[data-cell="a2"]').click()
    page.locator('[data-cell="a3"]').click()
    page.locator(".status", has_text="Black ran out of time").wait_for()
    assert page.locator(".clock").first.inner_text() == "0:00.0"
    page.get_by_role("button", name="New game").click()
    page.locator(".clock", has_text="0:01.0").nth(1).wait_for()
