"""What the server and its processes say to each other, one message a line of JSON.

A searching process serves one ``Task`` after the other; a measuring process does one ``Job``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from petteia.web.messages.base import Message

__all__ = [
    "JOB_NEWS", "NEWS", "ORDERS", "Begun", "Choose", "Compiling", "Done", "Facts", "Failed", "Job",
    "JobNews", "MatchJob", "News", "Order", "Part", "Progress", "PuzzleTask", "Ready", "Result",
    "Review", "SearchTask", "Stop", "Stopped", "StudyJob", "Task", "Tell", "TournamentJob",
    "TuneJob", "Undone", "Values", "Work",
]  # fmt: skip

Facts = Mapping[str, Any]
Tell = Callable[[Facts], None]

# --- to a searching process ----------------------------------------------------------------------


class Task(Message):
    """Something to be searched; its news carry the same ``n``."""

    n: int = 0

    @property
    def serves(self) -> str:
        """What a process must have ready for it."""
        return ""


class _Search(Task):
    """A position with the way to it, and the agent that is asked."""

    game: str
    agent: str
    positions: list[list[str]]
    """Every position from the start on, its words as hexadecimal numbers."""
    plies: list[str] | None = None
    """The plies between them, where they are known."""
    table: str = ""
    """Whose game it is: an agent forgets its last game where another one goes on."""
    seed: int = 0
    exact: bool = False
    """Whether a solved table may answer in the agent's place."""
    threads: int = 1
    """How many may search, where the agent's spec does not say."""

    @property
    def serves(self) -> str:
        return f"{self.game} {self.agent}"


class Choose(_Search):
    """A move of this player."""

    do: Literal["choose"] = "choose"
    player: int | None = None


class Values(_Search):
    """The value of every move."""

    do: Literal["values"] = "values"
    shares: bool = False
    """Whether to tell what each feature of the evaluation adds."""


class Review(_Search):
    """The values at every ply of a game."""

    do: Literal["review"] = "review"
    played: list[tuple[str, ...]]


class PuzzleTask(Task):
    """Something that a puzzle does in a searching process; its room says what and how."""

    def answer(self, is_stopped: Callable[[], bool], part: Tell) -> Facts:
        """What the task finds; ``part`` gets what is known before, ``is_stopped`` ends it early."""
        raise NotImplementedError


class Stop(Message):
    """End this task soon, with what is known."""

    do: Literal["stop"] = "stop"
    n: int


SearchTask = Choose | Values | Review
Order = SearchTask | PuzzleTask | Stop
ORDERS: tuple[type[Order], ...] = (Choose, Values, Review, Stop)
"""What every searching process understands; puzzles add tasks of their own."""

# --- from a searching process --------------------------------------------------------------------


class _News(Message):
    n: int


class Ready(_News):
    """Prepared; from now on the clock of the task runs."""

    kind: Literal["ready"] = "ready"


class Compiling(_News):
    """Something begins to be compiled, or has been: the clock stands meanwhile."""

    kind: Literal["compiling"] = "compiling"
    begins: bool


class Part(_News):
    """What is known so far."""

    kind: Literal["part"] = "part"
    part: Facts


class Done(_News):
    """The answer."""

    kind: Literal["done"] = "done"
    done: Facts


class Failed(_News):
    """One line for a visitor."""

    kind: Literal["failed"] = "failed"
    error: str


News = Ready | Compiling | Part | Done | Failed
NEWS: TypeAdapter[News] = TypeAdapter(Annotated[News, Field(discriminator="kind")])

# --- to a measuring process ----------------------------------------------------------------------


class _Games(Message):
    game: str
    agents: list[str]
    pairs: int
    seed: int = 0
    opening: str = "random"


class MatchJob(_Games):
    """A match; with ``series`` that of the store goes on."""

    kind: Literal["match"] = "match"
    sprt: tuple[float, float] | None = None
    series: int | None = None


class TournamentJob(_Games):
    """A tournament."""

    kind: Literal["tournament"] = "tournament"
    gauntlet: bool = False


class TuneJob(_Games):
    """A tuning: the agent, and the one that it plays against."""

    kind: Literal["tune"] = "tune"
    method: str
    series_games: int
    """Games that judge a candidate."""
    budget: int
    confirm: int


class StudyJob(Message):
    """A study."""

    kind: Literal["study"] = "study"
    name: str
    quick: bool = True
    seed: int = 0


Job = MatchJob | TournamentJob | TuneJob | StudyJob


class Work(Message):
    """A job, the store that keeps it (none: it is forgotten), and the processes that play it."""

    job: Annotated[Job, Field(discriminator="kind")]
    store: str | None
    workers: str


# --- from a measuring process --------------------------------------------------------------------


class Begun(Message):
    """From now on an interrupt is understood."""

    kind: Literal["begun"] = "begun"


class Progress(Message):
    """How far it is."""

    kind: Literal["progress"] = "progress"
    news: Facts


class Result(Message):
    """What came out; ``html`` is the report of a study or a tuning."""

    kind: Literal["result"] = "result"
    result: Facts
    html: str = ""


class Stopped(Message):
    """It was interrupted; what was played is in the store."""

    kind: Literal["stopped"] = "stopped"


class Undone(Message):
    """It failed: one line for a visitor."""

    kind: Literal["undone"] = "undone"
    error: str


JobNews = Begun | Progress | Result | Stopped | Undone
JOB_NEWS: TypeAdapter[JobNews] = TypeAdapter(Annotated[JobNews, Field(discriminator="kind")])
