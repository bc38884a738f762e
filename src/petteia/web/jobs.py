"""A process that measures: a match, tournament, study or tuning, see ``messages.workers``.

The first line of standard input says what to do. It tells its progress a few times a second. An
interrupt ends it soon; what was played is in the store.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers, kept_open
from petteia.arena.executors import workers as workers_for
from petteia.arena.kept import KeptSeries
from petteia.arena.match import MatchResult
from petteia.arena.statistics import Sprt
from petteia.arena.store import Store
from petteia.arena.tournament import Tournament
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.web.messages import workers as m
from petteia.web.messages.results import (
    Experiment,
    JobFacts,
    News,
    Sample,
    StudyFacts,
    TuneFacts,
)
from petteia.web.process import Output
from petteia.web.trust import in_words

if TYPE_CHECKING:
    from petteia.tune.session import Session

__all__ = ["main"]

Facts = dict[str, Any]
Send = Callable[[News], None]

_OFTEN = 0.4
"""Seconds between two news."""
_MOST_MARKS = 400
"""Points of a search that a page draws."""


class _Progress:
    """Reports progress, but not too often."""

    def __init__(self, send: Send, total: int) -> None:
        self.send = send
        self.total = total
        self.done = 0
        self.started = self.said = time.monotonic()
        self.first: int | None = None
        """What was there before: it says nothing about the pace."""
        send({"done": 0, "total": total})

    def step(self, facts: Callable[[], Facts], done: int, result: MatchResult) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = done
        if now - self.said >= _OFTEN or done >= self.total:
            self.said = now
            self.tell(facts, done, result)

    def tell(self, facts: Callable[[], Facts], done: int, result: MatchResult) -> None:
        """Reports it at once."""
        fresh = done - self.first if self.first is not None else 0
        pace = (time.monotonic() - self.started) / fresh if fresh else None
        last = result.pairs[-1].games[0].record
        sample: Sample = {
            "game": last.game, "players": last.players, "start": last.start,
            "moves": [record.ply_text(ply) for ply in last.plies],
        }  # fmt: skip
        self.send(
            {
                "done": done, "total": self.total, "left": pace and pace * (self.total - done),
                "facts": cast("JobFacts", facts()), "sample": sample,
            }
        )  # fmt: skip


@contextlib.contextmanager
def _store(where: str | None) -> Iterator[Store]:
    with contextlib.ExitStack() as stack:
        if where is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            where = str(Path(folder) / "series.db")
        yield stack.enter_context(Store(where))


def _series(kept: KeptSeries, workers: Workers, send: Send) -> Facts:
    progress = _Progress(send, kept.pairs)
    result = MatchResult()
    try:
        for result in kept.play(workers):
            progress.step(partial(kept.facts, result), len(result.pairs), result)
    except KeyboardInterrupt:
        if result.pairs:  # the last news may be some pairs old
            progress.tell(partial(kept.facts, result), len(result.pairs), result)
        raise
    return kept.facts(result)


def _match(job: m.MatchJob, store: Store, workers: Workers, send: Send) -> Facts:
    if job.series:
        return _series(KeptSeries.resumed(store, job.series), workers, send)
    first, second = job.agents
    contest = Contest(job.game, first, second, job.seed, job.opening).checked()
    sprt = Sprt(*job.sprt) if job.sprt else None
    return _series(KeptSeries(contest, job.pairs, sprt, store), workers, send)


def _tournament(job: m.TournamentJob, store: Store, workers: Workers, send: Send) -> Facts:
    agents = tuple(job.agents)
    entered = Tournament(job.game, agents, job.pairs, job.seed, job.opening, job.gauntlet)
    contests = [contest.checked() for contest in entered.contests().values()]
    entered.game, entered.opening = contests[0].game, contests[0].opening
    numbers = list[int | None]()

    def series(contest: Contest) -> Iterator[MatchResult]:
        # The same tournament again goes on where it was stopped.
        known = _known(store, contest.checked(), entered.pairs)
        fresh = KeptSeries(contest.checked(), entered.pairs, store=store, kind="tournament")
        kept = fresh if known is None else KeptSeries.resumed(store, known)
        yield from kept.play(workers)
        numbers.append(kept.id)

    progress = _Progress(send, len(contests) * entered.pairs)
    for done, _ in enumerate(entered.play(workers, series), 1):
        last = next(reversed(entered.results.values()))
        progress.step(lambda: entered.facts(numbers), done, last)
    return entered.facts(numbers)


def _known(store: Store, contest: Contest, pairs: int) -> int | None:
    """The series of a tournament that is in the store already."""
    wanted = ("tournament", (contest.first, contest.second), contest.seed, pairs)
    for row in store.series(game=contest.game, agent=contest.first, limit=500):
        if (row.kind, tuple(row.agents), row.seed, row.pairs) == wanted:
            return row.id
    return None


def _study(job: m.StudyJob, store: Store, workers: Workers, send: Send) -> Facts:
    from petteia.studies import frame

    running = frame.Running(frame.find(job.name), store, job.quick, job.seed)
    total, said = running.pairs + len(running.study.measurements), 0.0

    def tell(done: int, left: float, title: str) -> None:
        outcomes = [outcome.facts() for outcome in running.outcomes.values()]
        told: StudyFacts = {
            "study": job.name, "title": title, "experiments": cast("list[Experiment]", outcomes),
        }  # fmt: skip
        send({"done": done, "total": total, "left": max(0.0, left), "facts": told})

    for _ in running.first_pairs(workers):
        pass
    left = running.expected(workers)
    for done, step in enumerate(running.rest(workers), 1):
        left -= step.seconds / workers.count
        if time.monotonic() - said >= _OFTEN:
            said = time.monotonic()
            tell(done, left, step.title)
    # Beside the store, so that the same study goes on where it was stopped.
    kept = store.path.with_name(f"{job.name}.measured.json")
    for done, title in enumerate(running.measure(kept), running.pairs + 1):
        tell(done, 0.0, title)
    report, facts = running.report()
    return {**facts, "html": report.html()}


def _tune(job: m.TuneJob, store: Store, workers: Workers, send: Send) -> Facts:
    from petteia.studies.tuned import page
    from petteia.tune.session import Session, setting_of
    from petteia.tune.tuner import Plan

    setting = setting_of(
        job.game, *job.agents, only=(), series=job.series_games, seed=job.seed,
        opening=job.opening, aim="wins",
    )  # fmt: skip
    # Beside the store: the log there is the checkpoint from which the same options go on.
    folder = store.path.with_name("tuning")
    plan = Plan(None, None, job.budget)
    session = Session(setting, job.method, plan, job.confirm, Sprt(0, 20), folder, False)
    done, said, started = 0.0, 0.0, time.monotonic()
    for step in session.steps(workers):
        done += step.games
        now = time.monotonic()
        if now - said >= _OFTEN:
            said = now
            left = (now - started) / done * (session.games - done) if done else 0.0
            told: TuneFacts = {"tuning": step.text, "marks": _marks(session)}
            total = session.games
            send({"done": round(done), "total": total, "left": max(0.0, left), "facts": told})
    facts = session.facts()
    report = page(facts, session.tuner.marks, session.tuner.bench.names)
    return {**facts, "tuning": "done", "marks": _marks(session), "html": report.html()}


def _marks(session: Session) -> list[tuple[float, bool]]:
    return [(mark.score, mark.is_kept) for mark in session.tuner.marks[-_MOST_MARKS:]]


def _done(job: m.Job, store: Store, workers: Workers, send: Send) -> Facts:
    match job:
        case m.MatchJob():
            return _match(job, store, workers, send)
        case m.TournamentJob():
            return _tournament(job, store, workers, send)
        case m.StudyJob():
            return _study(job, store, workers, send)
        case m.TuneJob():
            return _tune(job, store, workers, send)


def main() -> None:
    """Does what the first line of standard input asks."""
    with contextlib.suppress(OSError):
        os.nice(10)
    output = Output()
    work = m.Work.model_validate_json(sys.stdin.readline())
    # The laboratory stops it so, and may itself have been started with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def send(news: News) -> None:
        output.send(m.Progress(news=dict(news)))

    try:
        output.send(m.Begun())
        where = workers_for(work.workers)
        with _store(work.store) as store, kept_open(where) as workers:
            found = _done(work.job, store, workers, send)
            html = found.pop("html", "")
            output.send(m.Result(result=found, html=html))
    except PetteiaError as error:
        output.send(m.Undone(error=in_words(error)))
    except KeyboardInterrupt:
        output.send(m.Stopped())
    except Exception as error:  # noqa: BLE001  (told in one line; the rest is on record)
        traceback.print_exc()
        output.send(m.Undone(error=f"the measuring failed: {type(error).__name__}"))


if __name__ == "__main__":
    main()
