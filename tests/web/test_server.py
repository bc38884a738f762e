"""The server answers, refuses and ends as it should."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

import httpx
import pytest
import websockets.sync.client as ws

from petteia import games
from petteia.web.guard import Guard
from petteia.web.messages import workers as m
from petteia.web.pool import Pool
from petteia.web.settings import Limits, Settings
from tests.web.conftest import Served, run_aside

SMALL = "breakthrough(columns=4, rows=5)"


def _until(done: Callable[[], Any], seconds: float = 60) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = done()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come in time")


def test_health_and_description(lab: Served) -> None:
    assert lab.client.get("/health").json()["ok"] is True
    paths = lab.client.get("/openapi.json").json()["paths"]
    assert "/api/tables/{number}/play" in paths


def test_the_page_loads_nothing_from_elsewhere(lab: Served) -> None:
    page = lab.client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text
    assert "https://" not in page.text
    for script in ("app.js", "board.js", "style.css"):
        assert lab.client.get(f"/static/{script}").status_code == 200


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"]
)
def test_files_outside_the_page_are_not_served(lab: Served, path: str) -> None:
    assert lab.client.get(path).status_code in (400, 404)


def test_strangers_are_refused(lab: Served) -> None:
    get = lab.client.get
    assert get("/health", headers={"host": "example.org"}).status_code == 421
    assert get("/health", headers={"origin": "http://example.org"}).status_code == 403
    assert get("/health", headers={"origin": "null"}).status_code == 403
    own = lab.address.rstrip("/")
    assert get("/health", headers={"origin": own}).status_code == 200
    with pytest.raises(Exception, match="403"):
        ws.connect(lab.socket, additional_headers={"Origin": "http://example.org"})


def test_too_large_requests_are_refused(lab: Served) -> None:
    body = json.dumps({"game": SMALL, "start": "x" * 400_000})
    answer = lab.client.post("/api/tables", content=body)
    assert answer.status_code == 413
    answer = lab.client.post("/api/tables", content=iter([body[:200_000].encode()] * 3))
    assert answer.status_code >= 400


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"game": SMALL, "players": ["person", "deep_blue"]}, "unknown agent"),
        ({"game": SMALL, "start": "nonsense"}, "bad position"),
        ({"game": SMALL, "moves": ["a1a5"]}, "not a legal move"),
        ({"game": "x.py"}, "runs no code"),
    ],
)
def test_mistakes_are_one_line(lab: Served, body: Any, words: str) -> None:
    answer = lab.client.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]


def test_an_agent_answers_a_persons_move(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL, "players": ["person", "greedy"], "seed": 1})
    path = f"/api/tables/{table['id']}"
    after = lab.post(f"{path}/play", {"move": "a2a3", "serial": 0})
    assert after["plies"][0]["texts"] == ["a2a3"]
    state = _until(lambda: len((now := lab.client.get(path).json())["plies"]) == 2 and now)
    assert state["plies"][1]["player"] == 1
    assert state["problem"] == ""
    back = lab.post(f"{path}/undo", {})
    assert back["plies"] == []
    assert lab.post(f"{path}/redo", {})["plies"] == state["plies"]
    stale = lab.client.post(f"{path}/play", json={"move": "b2b3", "serial": 0})
    assert stale.status_code == 400
    text = lab.client.get(f"{path}/record").text
    assert '[First "person"]' in text
    read = lab.post("/api/read", {"game": SMALL, "text": text})
    assert read["moves"] == [ply["word"] for ply in state["plies"]]


def test_a_table_that_is_not_there(lab: Served) -> None:
    assert lab.client.get("/api/tables/nobody").status_code == 404
    assert lab.client.delete("/api/tables/nobody").status_code == 404


def test_positions_are_read_edited_and_drawn(lab: Served) -> None:
    line = lab.post("/api/line", {"game": SMALL, "moves": ["a2a3", "b4b3"]})
    text = line["view"]["text"]
    assert lab.post("/api/read", {"game": SMALL, "text": text})["start"] == text
    assert lab.post("/api/read", {"game": SMALL, "text": "a2a3 b4b3"})["moves"] == ["a2a3", "b4b3"]
    edited = lab.post("/api/edit", {"game": SMALL, "position": text, "cells": {"a3": ""}})
    assert all(piece["cell"] != "a3" for piece in edited["pieces"])
    drawn = lab.client.post("/api/picture", json={"game": SMALL, "moves": ["a2a3"]})
    assert drawn.headers["content-type"].startswith("image/svg")
    assert drawn.text.startswith("<svg")


def test_analysis_streams_and_can_be_stopped(lab: Served) -> None:
    with ws.connect(lab.socket) as socket:
        wish = {"id": 1, "do": "analyse", "game": SMALL, "seconds": 10}
        socket.send(json.dumps({**wish, "agent": "engine(time=10.0)"}))
        first = json.loads(socket.recv(120))
        assert first["part"]["depth"] >= 1
        assert first["part"]["moves"][0]["line"]
        socket.send(json.dumps({"id": 1, "do": "stop"}))
        while "done" not in (news := json.loads(socket.recv(20))):
            pass
        assert news == {"id": 1, "done": {"stopped": True}}
        # The process is free again at once: another search is answered.
        socket.send(json.dumps({"id": 2, "do": "analyse", "game": SMALL, "agent": "greedy"}))
        while "done" not in (news := json.loads(socket.recv(60))):
            pass
        assert len(news["done"]["moves"]) == 10
        usual = games.make(SMALL).default_evaluation
        assert news["done"]["evaluation"]["name"] == usual


def test_a_review_says_the_same_again(lab: Served) -> None:
    """It counts nodes, begins with an empty memory, and does not look at the clock."""
    moves = ["a2a3", "a4b3", "d2d3", "b3a2", "c2c3", "a2b1"]
    with ws.connect(lab.socket) as socket:

        def reviewed(number: int) -> list[Any]:
            socket.send(json.dumps({"id": number, "do": "review", "game": SMALL, "moves": moves}))
            news: list[Any] = []
            while not news or "done" not in news[-1]:
                news.append(json.loads(socket.recv(120)))
            return [{**each, "id": 0} for each in news]

        first = reviewed(1)
        assert len(first) == len(moves) + 1
        assert first[-1]["done"]["agent"] == "engine(nodes=400000)"
        assert reviewed(2) == first


def test_watchers_see_every_change(lab: Served) -> None:
    table = lab.post("/api/tables", {"game": SMALL})
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 7, "do": "watch", "table": table["id"]}))
        assert json.loads(socket.recv(20))["part"]["plies"] == []
        lab.post(f"/api/tables/{table['id']}/play", {"move": "a2a3"})
        assert json.loads(socket.recv(20))["part"]["plies"][0]["texts"] == ["a2a3"]


def test_two_agents_play_while_somebody_looks(lab: Served) -> None:
    wish = {"game": SMALL, "players": ["random", "random"], "seed": 2}
    unseen, seen = lab.post("/api/tables", wish), lab.post("/api/tables", wish)
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "watch", "table": seen["id"]}))
        while len(json.loads(socket.recv(60))["part"]["plies"]) < 2:
            pass
    assert lab.client.get(f"/api/tables/{unseen['id']}").json()["plies"] == []


def test_a_killed_server_loses_no_game(started: Callable[..., Served], tmp_path: Any) -> None:
    store = str(tmp_path / "kept.db")
    served = started(store=store)
    running = served.post("/api/tables", {"game": SMALL})
    served.post(f"/api/tables/{running['id']}/play", {"move": "a2a3"})
    over = served.post("/api/tables", {"game": SMALL})
    served.post(f"/api/tables/{over['id']}/resign", {})
    served.stop(signal.SIGKILL)
    again = started(store=store)
    found = again.client.get(f"/api/tables/{running['id']}").json()
    assert [ply["texts"] for ply in found["plies"]] == [["a2a3"]]
    assert again.client.get(f"/api/tables/{over['id']}").json()["result"] == -1.0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly(started: Callable[..., Served], how: int) -> None:
    served = started("--workers", "1")
    with ws.connect(served.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "analyse", "game": SMALL, "seconds": 9}))
        assert served.stop(how) == 0
    assert "Traceback" not in served.log.read_text()


def test_a_request_that_outlasts_the_server_is_told_so() -> None:
    """Its task is cancelled when the server ends; that is an answer, not a fault with a trace."""
    sent: list[Any] = []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(60)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    async def ends() -> None:
        scope = {
            "type": "http", "path": "/", "query_string": b"", "client": ("127.0.0.1", 1),
            "headers": [(b"host", b"localhost")],
        }  # fmt: skip
        request = asyncio.create_task(Guard(slow, Settings())(scope, receive, send))
        await asyncio.sleep(0)
        request.cancel()
        await request

    run_aside(ends)
    assert sent[0]["status"] == 503
    assert b"ending" in sent[1]["body"]


def test_the_token_opens_the_door(started: Callable[..., Served]) -> None:
    served = started("--host", "127.0.0.1", "--token", "open sesame")
    assert served.client.get("/health").status_code == 200
    assert served.client.get("/api/games").status_code == 401
    page = served.client.get("/", headers={"accept": "text/html"})
    assert page.status_code == 401
    assert "<form" in page.text
    bearer = {"authorization": "Bearer open sesame"}
    assert served.client.get("/api/games", headers=bearer).status_code == 200
    with pytest.raises(Exception, match="403"):
        ws.connect(served.socket)
    with httpx.Client(base_url=served.address, follow_redirects=True) as client:
        entered = client.get("/", params={"token": "open sesame"})
        assert entered.status_code == 200
        assert "token" not in str(entered.url)
        assert client.get("/api/games").status_code == 200


def test_the_token_page_says_what_was_wrong_and_where_one_was_going(
    browser: Any, started: Callable[..., Served]
) -> None:
    """A server for all machines prints addresses that a browser can open."""
    served = started("--host", "0.0.0.0", "--token", "open sesame")
    assert "0.0.0.0" not in served.address
    page = browser.new_page()
    page.goto(served.address + "?from=mail#/flow?puzzle=A_A")
    page.get_by_text("asks for its token").wait_for()
    page.get_by_label("Its token").fill("guess")
    page.keyboard.press("Enter")
    page.get_by_text("That is not the token").wait_for()
    page.get_by_label("Its token").fill("open sesame")
    page.keyboard.press("Enter")
    page.locator(".dot-of").first.wait_for()
    assert page.url.split("#")[0] == served.address + "?from=mail"
    page.close()


def test_other_hosts_need_a_token() -> None:
    command = [sys.executable, "-m", "petteia", "lab", "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--token" in done.stderr


def test_a_port_in_use_is_one_line(lab: Served) -> None:
    port = lab.address.rstrip("/").rsplit(":", 1)[1]
    command = [sys.executable, "-m", "petteia", "lab", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot listen" in done.stderr


def test_the_clock_of_a_search_stands_while_something_is_compiled() -> None:
    said: list[m.News] = [m.Ready(n=1), m.Compiling(n=1, begins=True)]
    later: list[m.News] = [m.Compiling(n=1, begins=False), m.Done(n=1, done={})]
    heard: list[Any] = []

    class Compiling:
        """Compiles for longer than a search may take."""

        send = heard.append

        async def receive(self) -> m.News:
            if not said:
                await asyncio.sleep(2.5)
                said.extend(later)
            return said.pop(0)

    async def asked() -> Any:
        stop = asyncio.Event()
        pool = Pool(1, Limits())
        return await pool._conversation(cast("Any", Compiling()), 1, None, 2.0, stop)

    answer = run_aside(asked)
    assert answer == m.Done(n=1, done={})
    assert heard == [], "it was not stopped"
