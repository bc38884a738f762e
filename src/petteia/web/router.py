"""Routes that answer with the types of ``messages``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response

from petteia.web.messages import written

__all__ = ["Router"]

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "One line says what was wrong."},
    403: {"description": "Only another visitor may do this."},
    404: {"description": "There is no such thing."},
    429: {"description": "Busy: try again in a moment."},
}


class Router(APIRouter):
    """A set of routes; ``Lab`` and visitor come as parameters, so it can be added from anywhere.

    A route's return type describes its answer. The answer is written as JSON at once: FastAPI
    looks at every value first and takes six times as long.
    """

    def __init__(self) -> None:
        super().__init__(responses=_ERRORS)

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Adds a route; one that is not ``async`` runs in a thread."""
        kind = inspect.signature(endpoint, eval_str=True).return_annotation
        if not (isinstance(kind, type) and issubclass(kind, Response)):
            endpoint = _writing(endpoint, kind)
        super().add_api_route(path, endpoint, **options)


def _writing(route: Callable[..., Any], kind: Any) -> Callable[..., Any]:
    """The same route, with its answer written and checked."""

    def answer(facts: Any) -> Response:
        return Response(written(kind, facts), media_type="application/json")

    @functools.wraps(route)
    async def waiting(*given: Any, **named: Any) -> Response:
        return answer(await route(*given, **named))

    @functools.wraps(route)
    def direct(*given: Any, **named: Any) -> Response:
        return answer(route(*given, **named))

    return waiting if inspect.iscoroutinefunction(route) else direct
