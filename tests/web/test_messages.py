"""Messages are what their types say, on both sides."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from fastapi import Response

from petteia.web import messages
from petteia.web.app import ROUTERS
from petteia.web.messages import answers, requests


def test_an_answer_that_is_not_of_its_type_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"ok": True, "version": "1"}
    wrong = ({"ok": True}, {**good, "ok": 1}, {**good, "more": 1})
    for each in wrong:
        messages.check(answers.Health, json.dumps(each))  # nobody looks
    monkeypatch.setattr(messages, "_IS_CHECKING", True)
    messages.check(answers.Health, json.dumps(good))
    for each in wrong:
        with pytest.raises(ValueError, match="Health"):
            messages.check(answers.Health, json.dumps(each))


def test_every_route_says_what_it_answers() -> None:
    for router in ROUTERS:
        for route in router.routes:
            endpoint: Any = getattr(route, "endpoint", None)
            kind = inspect.signature(inspect.unwrap(endpoint), eval_str=True).return_annotation
            is_file = isinstance(kind, type) and issubclass(kind, Response)
            is_socket = kind is None
            assert is_file or is_socket or kind.__module__.startswith("petteia.web.messages")


def test_every_message_of_the_socket_is_known() -> None:
    kinds = [kind.model_fields["do"].default for kind in requests.Ongoing.__args__]
    assert tuple(kinds) == requests.DEEDS
