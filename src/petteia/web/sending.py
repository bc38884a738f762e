"""Answers as JSON."""

from __future__ import annotations

import json

from fastapi import Response

from petteia.web.messages.requests import Answer

__all__ = ["sent"]


def sent(facts: Answer) -> Response:
    """Facts as JSON at once: FastAPI looks at every value first and takes six times as long."""
    return Response(json.dumps(facts, allow_nan=False), media_type="application/json")
