"""Messages are what their types say, on both sides."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from fastapi import Response

from petteia.web import messages, puzzles
from petteia.web.app import ROUTERS
from petteia.web.messages import choices, typescript


def test_an_answer_that_is_not_of_its_type_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"ok": True, "version": "1"}
    wrong = ({"ok": True}, {**good, "ok": 1}, {**good, "more": 1})
    for each in wrong:
        messages.written(choices.Health, each)  # nobody looks
    monkeypatch.setattr(messages, "_IS_CHECKING", True)
    assert json.loads(messages.written(choices.Health, good)) == good
    for each in wrong:
        with pytest.raises(ValueError, match="Health"):
            messages.written(choices.Health, each)


def test_every_route_says_what_it_answers() -> None:
    for router in (*ROUTERS, *map(puzzles.router, puzzles.names())):
        for route in router.routes:
            endpoint: Any = getattr(route, "endpoint", None)
            kind = inspect.signature(inspect.unwrap(endpoint), eval_str=True).return_annotation
            is_file = isinstance(kind, type) and issubclass(kind, Response)
            is_socket = kind is None
            assert is_file or is_socket or "messages" in kind.__module__.split(".")


def test_the_scripts_have_the_types_of_the_server() -> None:
    for file, text in typescript.files().items():
        assert file.read_text() == text, (
            "python -m petteia.web.messages.typescript writes them anew"
        )
