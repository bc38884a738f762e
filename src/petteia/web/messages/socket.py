"""What page and server say over the WebSocket.

A message of the page has an ``id`` of its choice, and ``do`` says what it asks for. To the page:
``{"id": 2, "part": {...}}`` as often as there is news, then ``{"id": 2, "done": {...}}`` or
``{"id": 2, "error": "one line"}``.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints

from petteia.web.messages.base import Message
from petteia.web.messages.requests import LineRequest, SpecText
from petteia.web.messages.results import Job
from petteia.web.messages.searches import Analysis, Ended, Reviewed
from petteia.web.messages.tables import Table
from petteia.web.messages.workers import PuzzleTask

__all__ = [
    "ONGOING", "Analyse", "Measure", "Ongoing", "Review", "Shown", "SocketMessage", "Stop", "Watch",
]  # fmt: skip


class SocketMessage(Message):
    """Something that goes on, or its end; ``do`` of its class names it."""

    id: Annotated[int, Field(ge=-(2**53), le=2**53)]

    @classmethod
    def name(cls) -> str:
        """What a message of this kind has as ``do``."""
        return str(cls.model_fields["do"].default)


class Ongoing(SocketMessage):
    """Something that goes on."""

    PART: ClassVar[Any]
    """The type of its news."""
    DONE: ClassVar[Any]
    """The type of its end."""


class Watch(Ongoing):
    """Tell me how this table stands, now and later."""

    do: Literal["watch"] = "watch"
    table: Annotated[str, StringConstraints(max_length=40)]
    searches: bool = False
    """Whether the page can search for agents itself."""
    PART, DONE = Table, Ended


class Analyse(Ongoing, LineRequest):
    """Analyse the position at the end of a line."""

    do: Literal["analyse"] = "analyse"
    agent: SpecText | None = None
    seconds: Annotated[float, Field(gt=0, le=10)] = 3.0
    shares: bool = True
    """Whether to tell what each feature of the evaluation adds."""
    PART, DONE = Analysis, Analysis


class Review(Ongoing, LineRequest):
    """Review every move of a line."""

    do: Literal["review"] = "review"
    agent: SpecText | None = None
    table: Annotated[str, StringConstraints(max_length=40)] = ""
    """The game with which the review is kept, if the line is all of it."""
    PART, DONE = Reviewed, Ended


class Measure(Ongoing):
    """Tell me how this match, tournament, tuning or study goes."""

    do: Literal["measure"] = "measure"
    job: Annotated[str, StringConstraints(max_length=40)]
    PART, DONE = Job, Ended


class Shown(Ongoing):
    """Something that a puzzle shows step by step; its room says what."""

    def task(self) -> PuzzleTask:
        """What a searching process has to do for it."""
        raise NotImplementedError


class Stop(SocketMessage):
    """Enough of what has this ``id``."""

    do: Literal["stop"] = "stop"


ONGOING: tuple[type[Ongoing], ...] = (Watch, Analyse, Review, Measure)
"""What can be asked of the laboratory itself; puzzles add their own."""
