"""Seats belong to the visitor who took them; others watch."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import websockets.sync.client as ws
from fastapi.routing import APIRoute

from petteia import games
from petteia.web import seats
from petteia.web.app import application
from petteia.web.seats import NotYours
from petteia.web.settings import Settings
from petteia.web.table import Table
from tests.toys import OddEven
from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"
OTHER = {"cookie": "petteia_visitor=somebody_else_1234"}
THIRD = {"cookie": "petteia_visitor=a_third_one_12345678"}


def _refused(lab: Served, path: str, body: Any, who: dict[str, str]) -> str:
    """What another visitor is told, who has no cookies of ours."""
    answer = httpx.post(lab.address.rstrip("/") + path, json=body, headers=who)
    assert answer.status_code == 403, answer.text
    said: str = answer.json()["detail"]
    assert "\n" not in said
    return said


def _asked(lab: Served, path: str, body: Any, who: dict[str, str]) -> dict[str, Any]:
    answer = httpx.post(lab.address.rstrip("/") + path, json=body, headers=who)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


DEEDS: list[tuple[str, dict[str, Any]]] = [
    ("play", {"move": "b4b3"}),
    ("undo", {}),
    ("redo", {}),
    ("resign", {}),
    ("resign", {"player": 0}),
    ("players", {"players": ["random", "random"]}),
    ("sit", {"player": 0}),
    ("leave", {"player": 0}),
    ("choose", {"player": 0, "move": "b4b3"}),
    ("answer", {"serial": 1, "move": "0"}),
]


def test_every_deed_at_a_table_is_tried() -> None:
    found = {
        route.path.removeprefix("/api/tables/{number}/")
        for route in application(Settings()).routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ())
        if route.path.startswith("/api/tables/{number}/")
    }
    assert found == {deed for deed, _ in DEEDS}, "say who may do what is new"


def test_whoever_has_only_the_address_watches(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL})
    path = f"/api/tables/{table['id']}"
    lab.post(f"{path}/play", {"move": "a2a3"})
    before = lab.client.get(path).json()
    assert (before["mine"], before["free"], before["own"]) == ([0, 1], [], True)
    for deed, body in DEEDS:
        _refused(lab, f"{path}/{deed}", body, OTHER)
    assert httpx.delete(lab.address.rstrip("/") + path, headers=OTHER).status_code == 404
    seen = httpx.get(lab.address.rstrip("/") + path, headers=OTHER).json()
    assert (seen["mine"], seen["own"]) == ([], False)
    assert lab.client.get(path).json() == before
    assert "somebody_else" not in lab.client.get(path).text


def test_a_watcher_does_not_disturb_who_thinks(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL, "players": ["engine(time=2.0)", "person"]})
    path = f"/api/tables/{table['id']}"
    with _watching(lab, table["id"]) as news:
        while not next(news)["thinking"]:
            pass
        for deed, body in DEEDS:
            if deed != "sit":
                _refused(lab, f"{path}/{deed}", body, OTHER)
        # Whoever cancelled it would have told so.
        state = next(news)
        assert state["plies"], "the search went on to its end"


@contextmanager
def _watching(
    lab: Served, table: str, who: dict[str, str] | None = None
) -> Iterator[Iterator[dict[str, Any]]]:
    """What a visitor's page hears of a table."""
    with ws.connect(lab.socket, additional_headers=who) as socket:
        socket.send(json.dumps({"id": 1, "do": "watch", "table": table}))

        def news() -> Iterator[dict[str, Any]]:
            while True:
                yield json.loads(socket.recv(60))["part"]

        yield news()


def test_two_visitors_play_and_a_third_watches(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL, "seat": 0})
    path = f"/api/tables/{table['id']}"
    assert (table["mine"], table["free"]) == ([0], [1])
    with _watching(lab, table["id"], OTHER) as theirs, _watching(lab, table["id"], THIRD) as third:
        assert next(theirs)["free"] == [1]
        assert next(third)["mine"] == []
        sat = _asked(lab, f"{path}/sit", {"player": 1}, OTHER)
        assert (sat["mine"], sat["free"]) == ([1], [])
        assert next(theirs)["mine"] == [1]
        assert next(third)["mine"] == []
        assert "taken" in _refused(lab, f"{path}/sit", {"player": 1}, THIRD)
        assert "plays white" in _refused(lab, f"{path}/play", {"move": "a2a3"}, OTHER)
        lab.post(f"{path}/play", {"move": "a2a3"})
        assert len(next(theirs)["plies"]) == len(next(third)["plies"]) == 1
        # Not his move to take back, and not mine to make.
        _refused(lab, f"{path}/undo", {}, OTHER)
        assert lab.client.post(f"{path}/play", json={"move": "b4b3"}).status_code == 403
        _asked(lab, f"{path}/play", {"move": "b4b3"}, OTHER)
        assert lab.client.post(f"{path}/undo").status_code == 403
        assert lab.client.post(f"{path}/resign", json={"player": 1}).status_code == 403
        changed = lab.client.post(f"{path}/players", json={"players": ["person", "random"]})
        assert changed.status_code == 403
        assert _asked(lab, f"{path}/undo", {}, OTHER)["redo"] == 1
        assert lab.client.post(f"{path}/redo").status_code == 403
        _asked(lab, f"{path}/redo", {}, OTHER)
        over = _asked(lab, f"{path}/resign", {}, OTHER)
        assert over["result"] == 1.0
        assert lab.client.post(f"{path}/undo").status_code == 403
        assert not _asked(lab, f"{path}/undo", {}, OTHER)["over"]


def test_a_seat_can_be_given_to_somebody(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL})
    path = f"/api/tables/{table['id']}"
    lab.post(f"{path}/play", {"move": "a2a3"})
    assert lab.post(f"{path}/leave", {"player": 1})["free"] == [1]
    _asked(lab, f"{path}/sit", {"player": 1}, OTHER)
    listed = httpx.get(lab.address + "api/tables", headers=OTHER).json()["tables"]
    assert table["id"] in [each["id"] for each in listed]
    # Who only has a seat leaves the table when he forgets it.
    assert httpx.delete(lab.address.rstrip("/") + path, headers=OTHER).status_code == 200
    assert lab.client.get(path).json()["free"] == [1]
    assert lab.client.delete(path).status_code == 200
    assert lab.client.get(path).status_code == 404


def test_a_seat_outlives_the_server(started: Callable[..., Served], tmp_path: Any) -> None:
    store = str(tmp_path / "kept.db")
    served = started(store=store)
    first = served.client.get("/api/games")
    mine = {"cookie": f"petteia_visitor={first.cookies['petteia_visitor']}"}
    table = _asked(served, "/api/tables", {"game": SMALL, "seat": 0}, mine)
    path = f"/api/tables/{table['id']}"
    _asked(served, f"{path}/sit", {"player": 1}, OTHER)
    served.stop(signal.SIGKILL)
    again = started(store=store)
    _asked(again, f"{path}/play", {"move": "a2a3"}, mine)
    _refused(again, f"{path}/play", {"move": "b4b3"}, mine)
    _asked(again, f"{path}/play", {"move": "b4b3"}, OTHER)


def test_only_a_persons_seat_can_be_taken(lab: Served) -> None:
    wish = {"game": SMALL, "players": ["person", "random"], "seat": 1}
    assert lab.client.post("/api/tables", json=wish).status_code == 400
    table = lab.post("/api/tables", {**wish, "seat": 0})
    answer = lab.client.post(f"/api/tables/{table['id']}/sit", json={"player": 1})
    assert answer.status_code == 400
    assert "agent" in answer.json()["detail"]


def test_two_agents_are_left_to_who_began_them(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL, "players": ["random", "random"]})
    path = f"/api/tables/{table['id']}"
    for deed, body in (("players", {"players": ["person", "random"]}), ("undo", {})):
        _refused(lab, f"{path}/{deed}", body, OTHER)
    assert lab.post(f"{path}/players", {"players": ["person", "random"]})["mine"] == [0]


def test_secret_choices_are_taken_back_together() -> None:
    table = Table(OddEven(), ("person", "person"), owner="a", seats=("a", "b"))
    table.play("1", "2")
    with pytest.raises(NotYours):
        seats.may_undo(table, "a")
    table.seats = ("a", "a")
    seats.may_undo(table, "a")


def test_who_has_both_seats_takes_back_anything() -> None:
    game = games.make(SMALL)
    table = Table(game, ("person", "person"), owner="a", seats=("a", "a"))
    table.play("a2a3")
    seats.may_undo(table, "a")
    table.undo()
    seats.may_redo(table, "a")
    table.seats = ("a", "b")
    with pytest.raises(NotYours, match="white"):
        seats.may_redo(table, "b")
