"""Python of a visitor's own: tried when it is brought, and used in its newest version."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"
_FIRST = "def first(position, legal_moves, seed):\n    return sorted(legal_moves)[0]\n"


def _brought(served: Served, text: str, name: str = "mine.py") -> list[dict[str, Any]]:
    things: list[dict[str, Any]] = served.post(
        "/api/code", {"game": SMALL, "name": name, "text": text}
    )["things"]
    return things


def _answer(served: Served, agent: str) -> str:
    """What an agent answers to the first move of a person."""
    table = served.post("/api/tables", {"game": SMALL, "players": ["person", agent]})
    path = f"/api/tables/{table['id']}"
    served.post(f"{path}/play", {"move": "a2a3"})
    deadline = time.monotonic() + 60
    while len((state := served.client.get(path).json())["plies"]) < 2:
        assert time.monotonic() < deadline, state["problem"]
        time.sleep(0.05)
    text: str = state["plies"][1]["texts"][0]
    return text


def test_code_is_refused_unless_it_is_allowed(lab: Served) -> None:
    answer = lab.client.post("/api/code", json={"game": SMALL, "text": "def f(): pass"})
    assert answer.status_code == 403


@pytest.fixture(scope="module")
def open_lab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A laboratory that allows code."""
    from tests.web.conftest import start

    served = start(tmp_path_factory.mktemp("code"), "--allow-code")
    yield served
    served.stop()


def test_evaluations_and_agents_are_told_apart(open_lab: Served) -> None:
    text = (
        "from petteia.core.agent import Agent\n"
        "def my_eval(game, p, player):\n    return _help()\n"
        "def _help():\n    return 1.0\n" + _FIRST
    )
    things = _brought(open_lab, text, "../mine.py")
    assert [(each["name"], each["kind"]) for each in things] == [
        ("my_eval", "evaluation"), ("first", "agent"),
    ]  # fmt: skip
    assert things[0]["spec"].startswith("alphabeta(depth=4, eval=")
    assert all(".." not in each["spec"] for each in things)
    assert _answer(open_lab, things[1]["spec"])


def test_a_new_version_is_used_at_once(open_lab: Served) -> None:
    before = _answer(open_lab, _brought(open_lab, _FIRST)[0]["spec"])
    last = _FIRST.replace("[0]", "[-1]")
    assert _answer(open_lab, _brought(open_lab, last)[0]["spec"]) != before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:", "line 1"),
        ("x = 1", "neither an evaluation"),
        ("def my_eval(game, p, player):\n    return nothing_like_it\n", "line 2: in my_eval"),
        ("def f(position, legal_moves, seed):\n    return 7\n", "expected the text of a move"),
    ],
)
def test_a_fault_is_told_when_the_code_is_brought(open_lab: Served, text: str, words: str) -> None:
    answer = open_lab.client.post("/api/code", json={"game": SMALL, "text": text})
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["detail"]
    assert "store.db" not in answer.text
