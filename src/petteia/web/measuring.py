"""Measuring from the page: series that run in processes of their own, one after the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.web.pool import Busy
from petteia.web.settings import Settings

__all__ = ["Job", "Measuring"]

_LONGEST_LINE = 32 * 2**20
_MOST_KNOWN = 50
_GRACE = 15.0


class Job:
    """Something that is measured, was, or waits."""

    def __init__(self, wish: dict[str, Any], owner: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.wish = wish
        self.owner = owner
        self.created = time.time()
        self.state = "waiting"
        """waiting, running, stopped, finished or failed."""
        self.news: dict[str, Any] = {}
        self.result: dict[str, Any] | None = None
        self.problem = ""
        self.html = ""
        """The report of a study."""
        self.process: asyncio.subprocess.Process | None = None
        self.has_begun = False
        """Whether its process understands an interrupt; before, nothing can be lost."""
        self.watchers: set[Callable[[dict[str, Any]], None]] = set()

    def facts(self) -> dict[str, Any]:
        """How it stands."""
        shown = {key: self.wish.get(key) for key in ("kind", "game", "agents", "pairs", "name")}
        return {
            "id": self.id, "state": self.state, "created": self.created, "wish": shown,
            "news": self.news, "result": self.result, "problem": self.problem,
            "report": bool(self.html),
        }  # fmt: skip

    def interrupt(self) -> None:
        """Asks its process to end."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGINT if self.has_begun else signal.SIGKILL)

    def tell(self) -> None:
        """Tells all watchers."""
        facts = self.facts()
        for watcher in list(self.watchers):
            watcher(facts)


class Measuring:
    """All jobs of a laboratory, the newest last."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.jobs: dict[str, Job] = {}
        self._places = asyncio.Semaphore(settings.limits.measuring)
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, wish: dict[str, Any], owner: str) -> Job:
        """Puts a job into the queue."""
        waiting = sum(1 for job in self.jobs.values() if job.state in ("waiting", "running"))
        if waiting >= self.settings.limits.measuring_queue:
            raise Busy("too many series wait already; stop one, or try again later")
        series = wish.get("series")
        if series and any(
            job.wish.get("series") == series and job.state in ("waiting", "running")
            for job in self.jobs.values()
        ):
            raise PetteiaError(f"series {series} is being played")
        for old in list(self.jobs.values()):
            if len(self.jobs) < _MOST_KNOWN:
                break
            if old.state not in ("waiting", "running"):
                del self.jobs[old.id]
        job = Job(wish, owner)
        self.jobs[job.id] = job
        task = asyncio.create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def find(self, number: str) -> Job:
        """The job of this name; KeyError if there is none."""
        return self.jobs[number]

    def stop(self, job: Job) -> None:
        """Ends a job soon; what was played is kept."""
        if job.state == "waiting":
            job.state = "stopped"
            job.tell()
        elif job.process is not None and job.state == "running":
            job.state = "stopped"
            job.interrupt()
            task = asyncio.create_task(_end(job.process))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            job.tell()

    async def close(self) -> None:
        """Ends everything."""
        running = [job.process for job in self.jobs.values() if job.process is not None]
        for task in list(self._tasks):
            task.cancel()
        for job in self.jobs.values():
            job.interrupt()
        await asyncio.gather(*(_end(process, 2.0) for process in running))

    async def _run(self, job: Job) -> None:
        async with self._places:
            if job.state != "waiting":
                return
            job.state = "running"
            job.tell()
            try:
                await self._played(job)
            except (OSError, ValueError) as error:
                job.problem = f"the measuring could not run: {type(error).__name__}"
            finally:
                if job.state == "running":
                    job.state = "failed" if job.problem or job.result is None else "finished"
                job.tell()

    async def _played(self, job: Job) -> None:
        settings = self.settings
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "petteia.web.jobs",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LONGEST_LINE,
            env={**os.environ}, start_new_session=True,
        )  # fmt: skip
        job.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        # One processor stays for those who play meanwhile.
        count = settings.processes - 1
        wish = {
            **job.wish,
            "store": str(settings.store) if settings.store else None,
            "workers": str(count) if count > 1 else "serial",
        }
        process.stdin.write(json.dumps(wish).encode() + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            self._hear(job, json.loads(line))
        await process.wait()

    def _hear(self, job: Job, message: dict[str, Any]) -> None:
        if "begun" in message:
            job.has_begun = True
        elif "news" in message:
            job.news = message["news"]
            job.tell()
        elif "done" in message:
            found: dict[str, Any] = message["done"]
            job.html = found.pop("html", "")
            job.result = found
            if job.wish["kind"] == "match":  # the last news may be some pairs old
                job.news = {**job.news, "done": found["games"] // 2}
        elif "error" in message:
            job.problem = message["error"]


async def _end(process: asyncio.subprocess.Process, grace: float = _GRACE) -> None:
    try:
        await asyncio.wait_for(process.wait(), grace)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
