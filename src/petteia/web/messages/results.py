"""What the page gets about measuring: jobs, series of the store, agents compared."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

__all__ = [
    "AgentCost", "Cost", "Elo", "Estimate", "Experiment", "Job", "JobFacts", "JobOptions",
    "JobSeen", "Jobs", "MatchFacts",
    "Meeting", "News", "Rating", "Sample", "Score", "Series", "SeriesGame", "SeriesGames",
    "SeriesList", "Standings", "StoredGame", "Studies", "Study", "StudyFacts", "Thing", "Things",
    "TournamentFacts", "TuneFacts",
]  # fmt: skip


class Elo(TypedDict):
    """An Elo difference with its interval; None is infinite."""

    elo: float | None
    low: float | None
    high: float | None


class Score(TypedDict):
    """What came out of games, from the first agent's side."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    points: float
    forfeits: int
    forfeits_by_agent: tuple[int, int]
    late: int
    late_by_agent: tuple[int, int]


class Cost(TypedDict):
    """What the moves of an agent took in all games together."""

    agent: str
    moves: int
    interior: int
    leaves: int
    seconds: float
    late: int


class MatchFacts(Score):
    """A match so far; the last seven are those of its sequential test."""

    game: str
    agents: tuple[str, str]
    pairs: int
    seed: int
    opening: str
    adjudication: str | None
    series: int | None
    pentanomial: list[int]
    elo: Elo
    normalised_elo: Elo
    los: float
    plies: float
    costs: list[Cost]
    problems: list[str]
    llr: NotRequired[float]
    bounds: NotRequired[tuple[float, float]]
    decision: NotRequired[str]
    hypotheses: NotRequired[tuple[float, float]]
    model: NotRequired[str]
    corrected: NotRequired[Elo | None]
    note: NotRequired[str | None]


class Rating(TypedDict):
    """An agent's rating with its standard error."""

    agent: str
    rating: float
    error: float
    league: str
    games: int
    points: NotRequired[float]


class Meeting(Score):
    """Two agents of a tournament."""

    agents: tuple[str, str]


class TournamentFacts(TypedDict):
    """A tournament so far."""

    game: str
    agents: list[str]
    pairs: int
    seed: int
    opening: str
    kind: str
    table: list[list[float | None]]
    ratings: list[Rating]
    meetings: list[Meeting]
    series: list[int | None]


class Experiment(MatchFacts):
    """An experiment of a study, and what was published."""

    key: str
    title: str
    claim: str
    claimed: Any
    by_seat: list[float]


@with_config({"extra": "allow"})
class StudyFacts(TypedDict):
    """A study so far; its report has findings of its own."""

    study: str
    experiments: list[Experiment]
    title: NotRequired[str]
    quick: NotRequired[bool]
    seed: NotRequired[int]
    findings: NotRequired[Any]


@with_config({"extra": "allow"})
class TuneFacts(TypedDict):
    """A tuning so far; its result has all that a session tells."""

    tuning: str
    marks: list[tuple[float, bool]]
    """The score of each candidate, and whether the search went on from it."""
    game: NotRequired[str]
    agent: NotRequired[str]
    start: NotRequired[dict[str, float]]
    weights: NotRequired[dict[str, float]]
    better: NotRequired[bool]
    confirmed_score: NotRequired[float]
    start_score: NotRequired[float]
    interval: NotRequired[tuple[float, float]]


JobFacts = MatchFacts | TournamentFacts | StudyFacts | TuneFacts


class Sample(TypedDict):
    """A game of a series."""

    game: str
    players: tuple[str, str]
    start: str
    moves: list[str]


class News(TypedDict, total=False):
    """How far a job is; ``left`` is in seconds."""

    done: int
    total: int
    left: float | None
    facts: JobFacts
    sample: Sample


class JobOptions(TypedDict):
    """What a job was asked for."""

    kind: Literal["match", "tournament", "study", "tune"]
    game: str | None
    agents: list[str] | None
    pairs: int | None
    name: str | None


class JobSeen(TypedDict):
    """A job as everybody sees it."""

    id: str
    state: Literal["waiting", "running", "stopped", "finished", "failed"]
    created: float
    options: JobOptions
    news: News
    result: JobFacts | None
    problem: str
    report: bool


class Job(JobSeen):
    """A job as one visitor sees it."""

    mine: bool


class Jobs(TypedDict):
    """A visitor's jobs."""

    jobs: list[Job]


class Study(TypedDict):
    """A study that can be run."""

    name: str
    title: str
    about: str


class Studies(TypedDict):
    """The studies that there are."""

    studies: list[Study]


class Series(Score):
    """A series of the store."""

    id: int
    created: str
    kind: str
    game: str
    agents: tuple[str, str]
    seed: str
    pairs: int
    state: str
    sprt: Any
    opening: str | None
    plies: float


class SeriesList(TypedDict):
    """What the store holds."""

    series: list[Series]


class SeriesGame(TypedDict):
    """A game of a series."""

    place: str
    players: tuple[str, str]
    result: float
    score: float
    plies: int
    forfeit: str | None


class SeriesGames(Series):
    """A series with its games; its course is the mean score after some of its pairs, with the
    interval that is told of the whole, if not too many games were played to list them."""

    list: list[SeriesGame]
    course: tuple[tuple[float, float, float], ...]


class StoredGame(TypedDict):
    """A stored game as a line."""

    game: str
    start: str
    players: tuple[str, str]
    moves: list[str]
    result: float | None


class Standings(TypedDict):
    """All agents that have met in a game."""

    agents: list[str]
    table: list[list[float | None]]
    games: list[list[int]]
    ratings: list[Rating]


class AgentCost(TypedDict):
    """How long an agent thinks about a move, in seconds."""

    agent: str
    seconds: float


class Estimate(TypedDict):
    """What a match or a tournament will cost."""

    games: int
    moves: float
    """Of a game."""
    seconds: float
    processors: int
    agents: list[AgentCost]


class Thing(TypedDict):
    """An agent or an evaluation of a visitor's file, and the spec of an opponent that plays so."""

    name: str
    kind: Literal["agent", "evaluation"]
    spec: str


class Things(TypedDict):
    """What a visitor's file defines."""

    things: list[Thing]
