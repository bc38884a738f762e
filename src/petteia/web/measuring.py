"""Measuring from the page: series that run in separate processes, one after the other."""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, cast

from pydantic import Field, TypeAdapter

from petteia.core.errors import PetteiaError
from petteia.web.kept_jobs import KeptJob, KeptJobs
from petteia.web.messages import results
from petteia.web.messages import workers as m
from petteia.web.pool import Busy
from petteia.web.process import Process
from petteia.web.seats import NotYours
from petteia.web.settings import Settings

__all__ = ["Job", "Measuring"]

_LONGEST_LINE = 32 * 2**20
_MOST_KNOWN = 50
_GRACE = 15.0
_OPTIONS: TypeAdapter[m.Job] = TypeAdapter(Annotated[m.Job, Field(discriminator="kind")])


class Job:
    """A measurement: running, finished, or waiting."""

    def __init__(self, options: m.Job, owner: str, address: str = "") -> None:
        self.id = secrets.token_urlsafe(9)
        self.options = options
        self.owner = owner
        """The visitor who started it; only that visitor can stop it."""
        self.address = address
        """The address that the visitor came from."""
        self.created = time.time()
        self.state: Literal["waiting", "running", "stopped", "finished", "failed"] = "waiting"
        self.news: results.News = {}
        self.result: results.JobFacts | None = None
        self.problem = ""
        self.html = ""
        """The report of a study."""
        self.process: Process[m.JobNews] | None = None
        self.has_begun = False
        """Whether its process understands an interrupt; before, nothing can be lost."""
        self.is_due = False
        """Whether its turn is over: it makes way as soon as something more is in the store."""
        self.makes_way = False
        """Whether it was interrupted for another visitor's and waits to go on."""
        self.is_playing = False
        """Whether its process still has a place, even if it was told to stop."""
        self.watchers: set[Callable[[results.JobSeen], None]] = set()

    @classmethod
    def kept(cls, row: KeptJob) -> Job:
        """A job from before."""
        job = cls(_OPTIONS.validate_json(row.options), row.owner)
        job.id, job.created, job.html = row.id, row.created, row.html
        job.state = cast("Any", row.state)
        job.news, job.result = row.facts["news"], row.facts["result"]
        job.problem = row.facts["problem"]
        return job

    def as_kept(self) -> KeptJob:
        """The job as it is written down."""
        facts = {"news": self.news, "result": self.result, "problem": self.problem}
        options = self.options.model_dump_json()
        return KeptJob(self.id, self.created, self.owner, self.state, options, facts, self.html)

    @property
    def is_active(self) -> bool:
        """Whether it is played or waits."""
        return self.state in ("waiting", "running")

    @property
    def series(self) -> int | None:
        """The series of the store that a match plays, as far as it is known."""
        if not isinstance(self.options, m.MatchJob):
            return None
        facts = cast("results.MatchFacts | dict[str, None]", self.news.get("facts", {}))
        return self.options.series or facts.get("series")

    def going_on(self) -> m.Job:
        """The options that continue where this job ended."""
        return self.options.model_copy(update={"series": self.series} if self.series else {})

    def facts(self) -> results.JobSeen:
        """How it stands."""
        options = self.options.model_dump()
        return {
            "id": self.id, "state": self.state, "created": self.created,
            "options": {
                "kind": self.options.kind, "game": options.get("game"),
                "agents": options.get("agents"), "pairs": options.get("pairs"),
                "name": options.get("name"),
            },
            "news": self.news, "result": self.result, "problem": self.problem,
            "report": bool(self.html),
        }  # fmt: skip

    def seen_by(self, visitor: str) -> results.Job:
        """The same for a visitor, and whether it is that visitor's own job."""
        return {**self.facts(), "mine": self.owner == visitor}

    def begins_anew(self) -> None:
        """Forgets how its last turn went."""
        self.process, self.is_due, self.makes_way, self.has_begun = None, False, False, False
        self.result, self.problem, self.html = None, "", ""

    def interrupt(self) -> None:
        """Asks its process to end."""
        if self.process is not None:
            self.process.signal(signal.SIGINT if self.has_begun else signal.SIGKILL)

    def tell(self) -> None:
        """Tells all watchers."""
        facts = self.facts()
        for watcher in list(self.watchers):
            watcher(facts)


class Measuring:
    """All jobs of a laboratory, the newest last; visitors take turns."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.kept = KeptJobs(
            settings.store and settings.store.with_name(settings.store.name + ".jobs")
        )
        self.jobs: dict[str, Job] = {}
        """Those in memory; all are on disk."""
        self._turns: dict[str, float] = {}
        """The number of each visitor's last turn."""
        self._last = 0
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    # --- what visitors do ------------------------------------------------------------------------

    def begin(self, options: m.Job, owner: str, address: str = "") -> Job:
        """Puts a job into the queue."""
        job = Job(options, owner, address)
        self._refuse(job)
        self._forget_some()
        self.kept.sweep()
        self._wait(job)
        return job

    def go_on(self, job: Job, address: str = "") -> None:
        """Continues a job that was stopped or has failed, from what is in the store."""
        if job.state not in ("stopped", "failed"):
            raise PetteiaError(f"this job is {job.state}; only a stopped job can be continued")
        self._refuse(job)
        job.options, job.address = job.going_on(), address
        self._wait(job)
        job.tell()

    def _wait(self, job: Job) -> None:
        """Puts a job into the queue; it is written down before it begins."""
        job.state = "waiting"
        self.jobs[job.id] = job
        self._write(job)
        # A new visitor comes before the one who had the last turn, but after all who waited longer.
        self._turns.setdefault(job.owner, self._last - 0.5)
        self._fill()

    def _write(self, job: Job) -> None:
        self.kept.put(job.as_kept())

    def find(self, number: str) -> Job:
        """The job of this name; KeyError if there is none."""
        if number not in self.jobs:
            self.jobs[number] = Job.kept(self.kept.get(number))
            self._forget_some()
        return self.jobs[number]

    def of(self, visitor: str) -> list[Job]:
        """The visitor's own jobs, the newest first."""
        return [self.jobs.get(row.id) or Job.kept(row) for row in self.kept.of(visitor)]

    def own(self, number: str, visitor: str) -> Job:
        """The visitor's own job of this name."""
        job = self.find(number)
        if job.owner != visitor:
            raise NotYours("only the visitor who started this job can stop or continue it")
        return job

    def stop(self, job: Job) -> None:
        """Ends a job soon; what was played is kept."""
        if job.is_active:
            was_running, job.state = job.state == "running", "stopped"
            if was_running:
                self._interrupt(job)
            self._write(job)
            job.tell()

    async def close(self) -> None:
        """Ends everything."""
        self._is_closed = True  # or the next would take the place of what is ended
        running = [job.process for job in self.jobs.values() if job.process is not None]
        for task in list(self._tasks):
            task.cancel()
        for job in self.jobs.values():
            job.interrupt()
        await asyncio.gather(*(process.end(2.0) for process in running))
        self.kept.close()

    # --- shares ----------------------------------------------------------------------------------

    def _refuse(self, job: Job) -> None:
        limits = self.settings.limits
        others = [each for each in self.jobs.values() if each is not job]
        active = [each for each in others if each.is_active]
        if sum(1 for each in active if each.owner == job.owner) >= limits.measuring_each:
            raise Busy(
                f"{limits.measuring_each} of your series are playing or waiting; stop one, or try "
                "again later"
            )
        near = sum(1 for each in active if each.address == job.address)
        if (
            len(active) >= limits.measuring_queue
            or near >= limits.measuring_queue - limits.measuring_each
        ):
            raise Busy("too many series are waiting already; try again later")
        for each in others:
            if job.series and each.series == job.series:
                if each.is_active:
                    raise PetteiaError(f"series {job.series} is being played")
                if each.owner != job.owner:
                    raise NotYours("only the visitor who started this series can continue it")

    def _forget_some(self) -> None:
        """Takes old finished jobs out of the memory, of the visitor who has the most."""
        while len(self.jobs) >= _MOST_KNOWN:
            ended = [job for job in self.jobs.values() if not (job.is_active or job.watchers)]
            counts = Counter(job.owner for job in ended)
            if not counts:
                return
            most = max(counts.values())
            del self.jobs[next(job.id for job in ended if counts[job.owner] == most)]
        known = {job.owner for job in self.jobs.values()}
        self._turns = {who: turn for who, turn in self._turns.items() if who in known}

    def _waiting(self) -> list[Job]:
        """The jobs that wait: by how long ago the visitor had a turn, then the oldest first."""
        waiting = [
            # One whose process still ends waits for that too.
            job
            for job in self.jobs.values()
            if job.state == "waiting" and not job.is_playing
        ]
        return sorted(waiting, key=lambda job: self._turns.get(job.owner, 0))

    def _fill(self) -> None:
        """Starts whatever may be played now."""
        if self._is_closed:
            return
        running = sum(1 for job in self.jobs.values() if job.is_playing)
        for job in self._waiting()[: max(0, self.settings.limits.measuring - running)]:
            self._last += 1
            self._turns[job.owner] = self._last
            job.state, job.is_playing = "running", True
            self._start(self._run(job))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _interrupt(self, job: Job) -> None:
        job.interrupt()
        if job.process is not None:
            self._start(job.process.end(_GRACE))

    # --- a job's turn ----------------------------------------------------------------------------

    async def _run(self, job: Job) -> None:
        job.begins_anew()
        job.tell()
        clock = asyncio.create_task(self._clock(job))
        try:
            await self._played(job)
        except (OSError, ValueError) as error:
            job.problem = f"the measuring could not run: {type(error).__name__}"
        finally:
            clock.cancel()
            job.is_playing = False
            if job.state == "running":
                if job.makes_way and job.result is None and not job.problem:
                    job.options, job.state = job.going_on(), "waiting"
                else:
                    job.state = "failed" if job.problem or job.result is None else "finished"
            if not self._is_closed:
                self._write(job)
            job.tell()
            self._fill()

    async def _clock(self, job: Job) -> None:
        """Ends the turn of a job while others wait: at its next news, or a whole turn later."""
        while self.settings.store is not None:  # without one it could not go on
            await asyncio.sleep(self.settings.limits.turn)
            if job.is_due:
                self._make_way(job)
            job.is_due = True

    def _make_way(self, job: Job) -> None:
        others = any(each.owner != job.owner for each in self._waiting())
        if others and job.state == "running" and not job.makes_way:
            job.makes_way = True
            self._interrupt(job)

    async def _played(self, job: Job) -> None:
        settings = self.settings
        job.process = process = await Process.start(
            "petteia.web.jobs", m.JOB_NEWS, longest_line=_LONGEST_LINE
        )
        if job.state != "running":  # stopped meanwhile
            job.interrupt()
        # One processor stays for those who play meanwhile.
        count = settings.processes - 1
        store = str(settings.store) if settings.store else None
        workers = str(count) if count > 1 else "serial"
        process.send(m.Work(job=job.options, store=store, workers=workers))
        while (message := await process.receive()) is not None:
            self._hear(job, message)
        await process.end(_GRACE)

    def _hear(self, job: Job, message: m.JobNews) -> None:
        match message:
            case m.Begun():
                job.has_begun = True
            case m.Progress():
                job.news = cast("results.News", message.news)
                self._write(job)  # what a page has shown is not taken back after a crash
                job.tell()
                if job.is_due:
                    self._make_way(job)
            case m.Result():
                job.html = message.html
                job.result = cast("results.JobFacts", message.result)
                if isinstance(job.options, m.MatchJob):  # the last news may be some pairs old
                    job.news = {**job.news, "done": message.result["games"] // 2}
            case m.Undone():
                job.problem = message.error
            case m.Stopped():
                pass
