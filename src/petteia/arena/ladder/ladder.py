"""The ladder itself: who takes part, what was played, what comes next, who stands where."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from petteia import agents, games
from petteia.agents import sandbox
from petteia.arena.contest import Contest, Job
from petteia.arena.executors import Workers
from petteia.arena.kept import KeptSeries, contest_of
from petteia.arena.ladder.meeting import Meeting, Tally, whole_pairs
from petteia.arena.ladder.play import play_meeting, try_out
from petteia.arena.ladder.schedule import Plan
from petteia.arena.ladder.submissions import Submission, identity, read_folder, shortened
from petteia.arena.match import Opening, Pair
from petteia.arena.statistics import Z95
from petteia.arena.store import Store
from petteia.arena.store.rows import pair_rows
from petteia.arena.tournament import CrossTable
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["Conditions", "Entry", "Ladder"]

_PAIRS_A_JOB = 2
"""What a kill loses at most, for each worker."""
_DIED = "the process that played it died"


@dataclass(frozen=True)
class Conditions:
    """How the games are played: the same for all."""

    game: str
    pairs: int = 2
    """Pairs of games that every two play."""
    seed: int = 0
    opening: str = "random"
    time: float = 1.0
    """Seconds a move."""
    startup: float = 20.0
    """Seconds to start."""
    memory: int = sandbox.DEFAULT_MEMORY
    """MiB."""
    search: str = ""
    """The agent that plays with evaluations."""
    baselines: tuple[str, ...] = ()
    """Agents that play along, to compare with."""
    game_time: float = 0.0
    """Seconds for all moves of a game; 0 for no limit."""

    def checked(self) -> Conditions:
        """The same in full; raises where something is not possible."""
        game = games.make(self.game)
        search = self.search or agents.usual(game, "alphabeta(depth=2)")
        for spec in (search, *self.baselines):
            agents.make(spec, game).close()
        if len(set(self.baselines)) < len(self.baselines):
            raise PetteiaError("a baseline is named twice")
        return Conditions(
            str(game), self.pairs, self.seed, str(Opening.parse(game, self.opening)), self.time,
            self.startup, self.memory, search,
            tuple(agents.written_out(spec, game) for spec in self.baselines), self.game_time,
        )  # fmt: skip

    def spec(self, submission: Submission) -> str:
        """The agent that a submission is, with its limits."""
        assert submission.home is not None
        clock: tuple[tuple[str, specs.Value], ...] = (
            ("time", self.time), ("startup", self.startup), ("memory", self.memory),
            *([("game_time", self.game_time)] if self.game_time else []),
        )  # fmt: skip
        if submission.command:
            given: tuple[tuple[str, specs.Value], ...] = (
                ("command", submission.command), ("folder", str(submission.home)),
            )  # fmt: skip
            return str(specs.Spec("external", (*given, *clock)))
        search = ("search", specs.parse(self.search))
        return str(specs.Spec(str(submission.home / submission.agent), (search, *clock)))


@dataclass
class Entry:
    """Somebody on the ladder."""

    name: str
    spec: str
    """The agent; empty if there is none."""
    status: str = "ranked"
    """``ranked``, ``quarantined`` or ``baseline``."""
    message: str = ""
    """Why it is in quarantine."""
    version: str = ""
    versions: int = 0
    """How many versions of it there have been."""


class _Known(NamedTuple):
    """What tells a contest from others, wherever the folder lies."""

    first: str
    second: str
    seed: int
    opening: str

    @classmethod
    def of(cls, contest: Contest) -> _Known:
        agents = (identity(contest.first), identity(contest.second))
        return cls(*agents, contest.seed, contest.opening)


class Ladder:
    """The submissions of a folder under some conditions; every game is kept in the store."""

    def __init__(self, folder: Path, conditions: Conditions, store: Store) -> None:
        self.folder = folder
        self.conditions = conditions
        self.store = store
        self.entries: list[Entry] = []
        self.meetings: dict[tuple[int, int], Meeting] = {}
        self.played = 0
        """Pairs that were played by this object."""
        self.tried: dict[str, str] = {}
        """What came of trying an agent: nothing, if it plays."""

    # --- who takes part ------------------------------------------------------------------------

    def read(self) -> None:
        """Looks at the folder, and for what was played before by those who are in it now."""
        kept = self._kept()
        self.tried |= {agent: "" for known in kept for agent in (known.first, known.second)}
        self.entries = [self._entry(each) for each in read_folder(self.folder)]
        self.entries += [Entry(spec, spec, "baseline") for spec in self.conditions.baselines]
        self.meetings = {}
        for first, second in itertools.combinations(range(len(self.entries)), 2):
            contest = self._contest(first, second)
            if contest is not None:
                series = kept.get(_Known.of(contest))
                games = () if series is None else whole_pairs(self.store.games(series=series))
                self.meetings[first, second] = Meeting(first, second, contest, series, games)

    def _entry(self, submission: Submission) -> Entry:
        name, version = submission.name, submission.version
        if submission.home is None:
            return Entry(name, "", "quarantined", submission.problem)
        known = sum(1 for each in submission.home.parent.iterdir() if each.name[0] != ".")
        return Entry(name, self.conditions.spec(submission), version=version, versions=known)

    def _contest(self, first: int, second: int) -> Contest | None:
        one, other = self.entries[first], self.entries[second]
        if "quarantined" in (one.status, other.status) or one.status == other.status == "baseline":
            return None
        conditions = self.conditions
        return Contest(conditions.game, one.spec, other.spec, conditions.seed, conditions.opening)

    def _kept(self) -> dict[_Known, int]:
        """The numbers of the stored series."""
        rows = self.store.series(game=self.conditions.game)
        return {_Known.of(contest_of(row)): row.id for row in rows if row.kind == "tournament"}

    # --- playing -------------------------------------------------------------------------------

    def run(self, workers: Workers, is_enough: Callable[[], bool] = lambda: False) -> Iterator[int]:
        """Tries whoever is new, then plays what is missing, the most informative first.

        Gives the number of pairs that were added, after the trials and after every job. Whatever
        was played is in the store by then.
        """
        ahead = 1 if workers.count == 1 else 2 * workers.count
        game = games.make(self.conditions.game)
        stepper_of(game).look(first_choice(game, game.start()))  # compiled once for all workers
        with workers.make() as executor:
            self._try(executor)
            yield 0
            yield from self._play(executor, ahead, is_enough)

    def _try(self, executor: Executor) -> None:
        new = [each for each in self.entries if each.status == "ranked"]
        agents = {identity(each.spec): each.spec for each in new}
        trials = {
            known: executor.submit(try_out, self.conditions.game, spec)
            for known, spec in agents.items() if known not in self.tried
        }  # fmt: skip
        for known, trial in trials.items():
            try:
                self.tried[known] = trial.result()
            except BrokenExecutor:
                self.tried[known] = _DIED
        for each in new:
            if problem := self.tried[identity(each.spec)]:
                each.status, each.message = "quarantined", self.shortened(problem)
        self.meetings = {m: self.meetings[m] for m in self.meetings if self._contest(*m)}

    def _play(self, executor: Executor, ahead: int, is_enough: Callable[[], bool]) -> Iterator[int]:
        under_way: dict[Future[list[Pair]], tuple[Meeting, Job]] = {}
        plan = Plan(len(self.entries))
        for meeting in self.meetings.values():
            plan.add(meeting.first, meeting.second, meeting.pair_scores)
            if meeting.missing(self.conditions.pairs):
                plan.open(meeting.first, meeting.second)
        while True:
            while len(under_way) < ahead and plan.is_open and not is_enough():
                meeting = self.meetings[plan.next()]
                job = self._job(meeting)
                if not meeting.missing(self.conditions.pairs):
                    plan.close(meeting.first, meeting.second)
                under_way[executor.submit(play_meeting, job)] = (meeting, job)
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                meeting, job = under_way.pop(future)
                plan.is_back(meeting.first, meeting.second)
                try:
                    played = future.result()
                except BrokenExecutor:
                    continue  # its pairs stay asked for: this run does not try them again
                self._keep(meeting, played)
                meeting.asked.difference_update(job.pairs)
                plan.add(meeting.first, meeting.second, [sum(pair.scores) / 2 for pair in played])
                yield len(played)

    def _job(self, meeting: Meeting) -> Job:
        pairs = meeting.missing(self.conditions.pairs)[:_PAIRS_A_JOB]
        meeting.asked.update(pairs)
        return Job(meeting.contest, tuple(pairs))

    def _keep(self, meeting: Meeting, played: list[Pair]) -> None:
        store, pairs = self.store, self.conditions.pairs
        series = KeptSeries(
            meeting.contest, pairs, store=store, id=meeting.series, kind="tournament"
        )
        meeting.series = series.number(store)
        store.want(meeting.series, pairs)
        store.add_pairs(meeting.series, played)
        meeting.add([row for pair in played for row in pair_rows(meeting.series, pair)])
        is_whole = len(meeting.games) >= 2 * pairs
        store.finish(meeting.series, "finished" if is_whole else "stopped")
        self.played += len(played)

    # --- what came out -------------------------------------------------------------------------

    def shortened(self, text: str) -> str:
        """A message without the places of the ladder's own files."""
        return shortened(text, self.folder)

    @property
    def missing(self) -> int:
        """Pairs that are still to be played."""
        return sum(len(each.missing(self.conditions.pairs)) for each in self.meetings.values())

    @property
    def rated(self) -> list[int]:
        """The places of those who play: ratings are about them alone."""
        return [n for n, entry in enumerate(self.entries) if entry.status != "quarantined"]

    def table(self) -> CrossTable:
        """Who scored what against whom, among those who are rated."""
        table = CrossTable([str(place) for place in self.rated])
        places = {entry: place for place, entry in enumerate(self.rated)}
        for (first, second), meeting in self.meetings.items():
            if meeting.score is not None:
                means = meeting.pair_scores
                table.add(places[first], places[second], meeting.score, 2 * len(means), means)
        return table

    def standings(self) -> list[dict[str, Any]]:
        """Everybody, the highest rating first, those in quarantine last."""
        rows = {int(row["agent"]): row for row in self.table().ratings()} if self.rated else {}
        tallies = [Tally() for _ in self.entries]
        for meeting in self.meetings.values():
            for place, tally in zip((meeting.first, meeting.second), meeting.tallies, strict=True):
                tallies[place].add(tally)
        found = [self._standing(n, rows.get(n), tally) for n, tally in enumerate(tallies)]
        return sorted(found, key=lambda row: (row["rating"] is None, -(row["rating"] or 0.0)))

    def facts(self) -> dict[str, Any]:
        """The conditions and the standings, as JSON-ready data."""
        rows = self.standings()
        ranks = itertools.count(1)
        for row in rows:
            counts = row["status"] == "ranked" and row["rating"] is not None
            row["rank"] = next(ranks) if counts else None
        names = [entry.name for entry in self.entries]
        conditions = self.conditions
        return {
            "game": conditions.game,
            "pairs": conditions.pairs,
            "seed": conditions.seed,
            "opening": conditions.opening,
            "time": conditions.time,
            "game_time": conditions.game_time,
            "memory": conditions.memory,
            "search": conditions.search,
            "ranking": [row for row in rows if row["status"] != "baseline"],
            "baselines": [row for row in rows if row["status"] == "baseline"],
            "meetings": [
                {
                    "names": [names[meeting.first], names[meeting.second]],
                    "games": len(meeting.games),
                    "score": meeting.score,
                }
                for meeting in self.meetings.values()
            ],
            "played": self.played,
            "missing": self.missing,
        }

    def _standing(self, place: int, row: dict[str, Any] | None, tally: Tally) -> dict[str, Any]:
        entry = self.entries[place]
        reasons: Counter[str] = Counter()
        for reason, times in tally.forfeits.items():
            reasons[self.shortened(reason)] += times
        rating = row["rating"] if row and row["games"] else None
        wide = Z95 * row["error"] if row else 0.0
        count = tally.scores.total()
        return {
            "number": place,
            "name": entry.name,
            "status": entry.status,
            "rating": rating,
            "interval": None if rating is None else [rating - wide, rating + wide],
            "league": row["league"] if row and rating is not None else None,
            "games": count,
            "points": sum(score * times for score, times in tally.scores.items()),
            "wins": tally.scores[1.0],
            "draws": tally.scores[0.5],
            "losses": tally.scores[0.0],
            "forfeits": reasons.total(),
            "reasons": dict(reasons),
            "late": tally.seat.late,
            "seconds_a_move": tally.seat.seconds / max(1, tally.seat.moves),
            "version": entry.version,
            "versions": entry.versions,
            "message": entry.message,
        }
