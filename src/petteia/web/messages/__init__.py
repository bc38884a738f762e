"""All messages of the laboratory: the one description of what page, server and processes exchange.

``requests`` is what the page sends; ``pictures``, ``choices``, ``tables``, ``searches`` and
``results`` are what it gets; ``socket`` is what goes over the WebSocket; ``workers`` is what the
server and its processes say to each other. Puzzles have messages of their own in their rooms.
``typescript`` writes the page's half for the scripts.

What comes in is always checked. What goes out is checked wherever the environment has
``PETTEIA_CHECK_ANSWERS``, as in all tests of the laboratory.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from pydantic import TypeAdapter

__all__ = ["written"]

_IS_CHECKING = bool(os.environ.get("PETTEIA_CHECK_ANSWERS"))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def written(kind: Any, facts: Any) -> str:
    """An answer of this kind as JSON."""
    text = json.dumps(facts, allow_nan=False)
    if _IS_CHECKING:
        adapter = _adapter(kind)
        known = json.loads(adapter.dump_json(adapter.validate_json(text, strict=True)))
        if known != json.loads(text):
            raise ValueError(f"not all of it is {kind}: {text[:500]}")
    return text
