"""The processes that search: few at a time, each request with a clock, everything stoppable.

As many searches run as there are processors; an analysis that begins when nobody else searches or
waits uses them all. A search that takes long gives its place to the next one and goes on beside it,
as far as there may be more processes: so nobody waits long behind a slow one. Whoever asks too much
is told that the laboratory is busy.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from petteia.core.errors import PetteiaError
from petteia.web.messages import workers as m
from petteia.web.process import Process
from petteia.web.settings import Limits

__all__ = ["Busy", "Pool"]

_LONG = 1.5
"""Seconds after which a search no longer keeps others from starting."""
_COMPILING = 180.0
_GRACE = 3.0
"""Seconds that a stopped search has to answer before its process is ended."""
_LONGEST_LINE = 4 * 2**20

A = TypeVar("A")
Tell = Callable[[Any], None]


class Busy(PetteiaError):
    """Too many searches wait."""


class _Worker(Process[m.News]):
    """A searching process."""

    serves = ""
    """What its last task needed, such as a game and an agent: it is ready there."""

    async def receive(self) -> m.News | None:
        """Its next message; None if there is none to be understood."""
        try:
            return await super().receive()
        except (ValueError, ConnectionError):
            return None


class Pool:
    """Searching processes, started when they are needed."""

    def __init__(self, count: int, limits: Limits) -> None:
        self.limits = limits
        self.count = count
        self.most = 2 * count + 2
        self._slots = asyncio.Semaphore(count)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._room = asyncio.Condition()
        self._running: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._turn: dict[str, asyncio.Condition] = {}
        self._numbers = itertools.count(1)
        self._jobs: set[asyncio.Task[None]] = set()
        self._closed = False

    async def close(self) -> None:
        """Ends every process."""
        self._closed = True
        for job in list(self._jobs):
            job.cancel()
        await asyncio.gather(*(worker.end() for worker in list(self._all)))

    async def run(
        self,
        task: m.Task,
        kind: type[A],
        *,
        visitor: str,
        tell: Tell | None = None,
        seconds: float | None = None,
    ) -> A:
        """The answer to a task, of this kind; ``tell`` is called with intermediate results.

        If the caller is cancelled, the search is stopped.
        """
        limits = self.limits
        if self._waiting[visitor] >= limits.waiting or self._waiting.total() >= limits.queue:
            raise Busy("the laboratory is busy; try again in a moment")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        stop = asyncio.Event()
        limit = seconds or limits.seconds
        job = asyncio.create_task(self._job(task, visitor, tell, limit, answer, stop))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            found: A = await asyncio.shield(answer)
            return found
        except asyncio.CancelledError:
            stop.set()
            answer.cancel()
            raise

    async def _job(
        self,
        task: m.Task,
        visitor: str,
        tell: Tell | None,
        limit: float,
        answer: asyncio.Future[Any],
        stop: asyncio.Event,
    ) -> None:
        slot = _Slot(self._slots)
        try:
            await self._admitted(visitor, slot, stop)
            if stop.is_set():
                return
            try:
                await self._served(task, tell, limit, answer, stop, slot)
            finally:
                self._left(visitor)
        except PetteiaError as error:
            if not answer.done():
                answer.set_exception(error)
        finally:
            slot.release()
            if not answer.done():
                answer.cancel()

    async def _admitted(self, visitor: str, slot: _Slot, stop: asyncio.Event) -> None:
        """Waits for the visitor's own turn, then for a place."""
        self._waiting[visitor] += 1
        try:
            turn = self._turn.setdefault(visitor, asyncio.Condition())
            async with turn:
                await turn.wait_for(lambda: self._running[visitor] < self.limits.running)
                self._running[visitor] += 1
            try:
                await slot.acquire()
            except BaseException:
                self._left(visitor)
                raise
        finally:
            self._waiting[visitor] -= 1
            if not self._waiting[visitor]:
                del self._waiting[visitor]
        if stop.is_set():
            self._left(visitor)

    def _left(self, visitor: str) -> None:
        self._running[visitor] -= 1
        turn = self._turn.get(visitor)
        if turn is not None:
            task = asyncio.ensure_future(_wake(turn))
            self._jobs.add(task)
            task.add_done_callback(self._jobs.discard)
        if not self._running[visitor]:
            del self._running[visitor]
            if visitor not in self._waiting:
                self._turn.pop(visitor, None)

    async def _served(
        self,
        task: m.Task,
        tell: Tell | None,
        limit: float,
        answer: asyncio.Future[Any],
        stop: asyncio.Event,
        slot: _Slot,
    ) -> None:
        worker = await self._worker(task.serves)
        number = next(self._numbers)
        healthy = False
        slow = asyncio.get_running_loop().call_later(_LONG, slot.release)
        try:
            worker.serves = task.serves
            sent = task.model_copy(update={"n": number})
            if isinstance(sent, m.Values) and self._running.total() + self._waiting.total() == 1:
                sent.threads = self.count
            worker.send(sent)
            found = await self._conversation(worker, number, tell, limit, stop)
            healthy = worker.is_alive and found is not None
            if answer.done():
                return
            if found is None:
                answer.set_exception(PetteiaError("the search ended without an answer; try again"))
            elif isinstance(found, m.Failed):
                answer.set_exception(PetteiaError(found.error))
            else:
                answer.set_result(found.done)
        finally:
            slow.cancel()
            await self._back(worker, healthy)

    async def _conversation(
        self, worker: _Worker, number: int, tell: Tell | None, limit: float, stop: asyncio.Event
    ) -> m.Done | m.Failed | None:
        """The last message of a request; None if the process had to be ended."""
        loop = asyncio.get_running_loop()
        deadline, stopped = loop.time() + _COMPILING, False
        is_ready = is_compiling = False
        stopping = asyncio.ensure_future(stop.wait())
        reading: asyncio.Future[m.News | None] | None = None
        try:
            while True:
                reading = reading or asyncio.ensure_future(worker.receive())
                wanted: set[asyncio.Future[Any]] = {reading} if stopped else {reading, stopping}
                done, _ = await asyncio.wait(
                    wanted, timeout=deadline - loop.time(), return_when=asyncio.FIRST_COMPLETED
                )
                if reading in done:
                    message, reading = reading.result(), None
                    if message is None:
                        return None
                    if message.n != number:
                        continue
                    if isinstance(message, m.Done | m.Failed):
                        return message
                    if isinstance(message, m.Part):
                        if tell is not None and not stop.is_set():
                            tell(message.part)
                        continue
                    # The clock stands while something is compiled: who compiles to the end need
                    # not do it again.
                    is_ready |= isinstance(message, m.Ready)
                    is_compiling = isinstance(message, m.Compiling) and message.begins
                    allowed = _GRACE if stopped else limit
                    is_free = is_ready and not is_compiling
                    deadline = loop.time() + (allowed if is_free else _COMPILING)
                elif not stopped:
                    # Stopped by the visitor, or out of time: it may still say what it knows.
                    stopped = True
                    worker.send(m.Stop(n=number))
                    if not is_compiling:
                        deadline = loop.time() + _GRACE
                else:
                    return None
        finally:
            stopping.cancel()
            if reading is not None:
                reading.cancel()

    async def _worker(self, serves: str) -> _Worker:
        """An idle process, preferably one that has this game and agent ready, or a new one."""
        async with self._room:
            await self._room.wait_for(lambda: self._idle or len(self._all) < self.most)
            if self._closed:
                raise PetteiaError("the laboratory is closing")
            for worker in self._idle:
                if worker.serves == serves:
                    self._idle.remove(worker)
                    return worker
            if self._idle:
                return self._idle.pop(0)
            worker = await _Worker.start("petteia.web.worker", m.NEWS, longest_line=_LONGEST_LINE)
            self._all.add(worker)
            return worker

    async def _back(self, worker: _Worker, healthy: bool) -> None:
        if not healthy:
            self._all.discard(worker)
            await worker.end()
        async with self._room:
            if healthy:
                self._idle.append(worker)
            self._room.notify()


class _Slot:
    """A place among the running searches, given back once."""

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._slots = slots
        self._held = False

    async def acquire(self) -> None:
        await self._slots.acquire()
        self._held = True

    def release(self) -> None:
        if self._held:
            self._held = False
            self._slots.release()


async def _wake(turn: asyncio.Condition) -> None:
    async with turn:
        turn.notify()
