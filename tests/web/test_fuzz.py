"""Nonsense and malice: every answer is below 500, tells no path, and the server lives on."""

from __future__ import annotations

import json
import re
import string
from typing import Any

import pytest
import websockets.exceptions
import websockets.sync.client as ws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"
_QUIET = settings(
    max_examples=12, deadline=None, database=None, derandomize=True,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
_LEAKS = re.compile(r"Traceback|/site-packages|/src/petteia|\.db\b|File \"")


def _is_harmless(status: int, text: str) -> None:
    assert status < 500, text
    assert not _LEAKS.search(text), text


@pytest.mark.slow
def test_the_http_interface_by_its_own_description(lab: Served) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    schema = schemathesis.openapi.from_url(f"{lab.address}openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 25
    for operation in operations:

        @_QUIET
        @given(case=operation.as_strategy())
        def attack(case: Any) -> None:
            answer = case.call(base_url=lab.address.rstrip("/"))
            _is_harmless(answer.status_code, answer.text)

        attack()
    assert lab.client.get("/health").status_code == 200


_WORDS = st.one_of(
    st.sampled_from(
        [
            SMALL, "breakthrough", "random", "person", "engine(time=1e309)", "a" * 700, "", "\x00",
            "../../etc/passwd", "((((", 'x("', "breakthrough(columns=99999999999999999999)",
            "breakthrough(columns=-1)", "greedy(eval=os.py)", "\ud800", "\U0001d54f" * 50,
        ]
    ),
    st.text(string.printable, max_size=40),
)  # fmt: skip
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)
_MESSAGES = st.fixed_dictionaries(
    {"id": st.integers(-5, 5) | _ANYTHING, "do": st.sampled_from(
        ["watch", "analyse", "review", "measure", "flow", "stop", "dance"]) | _ANYTHING},
    optional={
        "game": _WORDS, "start": _WORDS, "moves": st.lists(_WORDS, max_size=3) | _ANYTHING,
        "agent": _WORDS, "table": _WORDS, "job": _WORDS, "seconds": st.floats() | _ANYTHING,
        "text": _WORDS, "engine": _WORDS, "rule": _WORDS,
    },
)  # fmt: skip


def _sent(lab: Served, frame: str | bytes) -> None:
    """Sends a frame and hears what comes of it; the server may close the connection."""
    with ws.connect(lab.socket, max_size=None) as socket:
        try:
            socket.send(frame)
            socket.send(json.dumps({"id": 99, "do": "nothing"}))
            while True:
                text = str(socket.recv(10))
                assert not _LEAKS.search(text), text
                if json.loads(text).get("id") == 99:
                    break
        except websockets.exceptions.ConnectionClosed:
            pass


def test_hostile_frames(lab: Served) -> None:
    frames: list[str | bytes] = [
        "", "null", "[]", "{}", '"x"', "{", "\x00", "[" * 5000, '{"id": 1}' * 3,
        '{"id": NaN, "do": "watch"}', '{"id": 1e400, "do": "watch"}', "9" * 5000,
        json.dumps({"id": 1, "do": "watch", "table": "x" * 60000}),
        json.dumps({"id": 1, "do": "x" * 100_000}),
        json.dumps({"id": 2**70, "do": "stop"}), json.dumps({"id": 1, "do": ["watch"]}),
        json.dumps({"id": 1, "do": "analyse", "game": SMALL, "moves": ["a2a3"] * 3000}),
        b"\xff\xfe\x00", b"{}",
    ]  # fmt: skip
    for frame in frames:
        _sent(lab, frame)
    assert lab.client.get("/health").status_code == 200


def test_random_messages(lab: Served) -> None:
    @settings(_QUIET, max_examples=60)
    @given(_MESSAGES)
    def attack(message: dict[str, Any]) -> None:
        _sent(lab, json.dumps(message))

    attack()
    assert lab.client.get("/health").status_code == 200


def test_one_page_cannot_ask_for_everything(lab: Served) -> None:
    with ws.connect(lab.socket) as socket:
        for number in range(30):
            wish = {"id": number, "do": "analyse", "game": SMALL, "agent": "engine(time=9.0)"}
            socket.send(json.dumps({**wish, "seconds": 9}))
        refused = 0
        while refused < 15:
            news = json.loads(socket.recv(60))
            refused += "error" in news
            if "error" in news:
                assert "too much" in news["error"] or "busy" in news["error"]
    table = lab.post("/api/tables", {"game": SMALL})
    assert lab.post(f"/api/tables/{table['id']}/play", {"move": "a2a3"})["plies"]
