"""What page and server say over the WebSocket.

A message of the page has an ``id`` of its choice, and ``do`` says what it asks for. To the page:
``{"id": 2, "part": {...}}`` as often as there is news, then ``{"id": 2, "done": {...}}`` or
``{"id": 2, "error": "one line"}``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from petteia.web.messages.answers import Analysis, Ended, Reviewed, Table
from petteia.web.messages.base import Message
from petteia.web.messages.flow import FlowEnded, FlowEvents, SolvedBy
from petteia.web.messages.requests import LineRequest, SpecText
from petteia.web.messages.results import Job

__all__ = [
    "NEWS", "SOCKET", "Analyse", "Measure", "Ongoing", "Review", "SocketMessage", "Stop", "Watch",
    "WatchSolver",
]  # fmt: skip


class SocketMessage(Message):
    """Something that goes on, or its end."""

    id: Annotated[int, Field(ge=-(2**53), le=2**53)]


class Watch(SocketMessage):
    """Tell me how this table stands, now and later."""

    do: Literal["watch"] = "watch"
    table: Annotated[str, StringConstraints(max_length=40)]
    searches: bool = False
    """Whether the page can search for agents itself."""


class Analyse(SocketMessage, LineRequest):
    """Analyse the position at the end of a line."""

    do: Literal["analyse"] = "analyse"
    agent: SpecText | None = None
    seconds: Annotated[float, Field(gt=0, le=10)] = 3.0
    shares: bool = True
    """Whether to tell what each feature of the evaluation adds."""


class Review(SocketMessage, LineRequest):
    """Review every move of a line."""

    do: Literal["review"] = "review"
    agent: SpecText | None = None


class Measure(SocketMessage):
    """Tell me how this match, tournament, tuning or study goes."""

    do: Literal["measure"] = "measure"
    job: Annotated[str, StringConstraints(max_length=40)]


class WatchSolver(SocketMessage, SolvedBy):
    """Show me this solver step by step."""

    do: Literal["flow"] = "flow"


class Stop(SocketMessage):
    """Enough of what has this ``id``."""

    do: Literal["stop"] = "stop"


Ongoing = Watch | Analyse | Review | Measure | WatchSolver
SOCKET: TypeAdapter[Ongoing | Stop] = TypeAdapter(
    Annotated[Ongoing | Stop, Field(discriminator="do")]
)
NEWS: dict[type[SocketMessage], tuple[Any, Any]] = {
    Watch: (Table, Ended),
    Analyse: (Analysis, Analysis),
    Review: (Reviewed, Ended),
    Measure: (Job, Ended),
    WatchSolver: (FlowEvents, FlowEnded),
}
"""The parts of each, and its end."""
