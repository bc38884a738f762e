"""The WebSocket: tables that are watched, and searches that tell what they know as they go.

Every message is a JSON object, see ``messages.requests``. To the page: ``{"id": 2, "part": {...}}``
as often as there is news, then ``{"id": 2, "done": {...}}`` or ``{"id": 2, "error": "one line"}``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from petteia.core.errors import PetteiaError
from petteia.web import catalogue, seats, trust
from petteia.web.messages import answers, check, flow, requests, results
from petteia.web.messages import workers as m
from petteia.web.room import packed

if TYPE_CHECKING:
    from petteia.web.lab import Lab

__all__ = ["Channel"]

T = TypeVar("T")
_MOST_AT_ONCE = 8
_MOST_UNSENT = 1000


class Channel:
    """One open page."""

    def __init__(self, websocket: WebSocket, lab: Lab, visitor: str) -> None:
        self.websocket = websocket
        self.lab = lab
        self.visitor = visitor
        self._out: asyncio.Queue[str] = asyncio.Queue(_MOST_UNSENT)
        self._work: dict[int, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Listens until the page is closed."""
        await self.websocket.accept()
        sender = asyncio.create_task(self._send())
        try:
            while True:
                text = await self.websocket.receive_text()
                self._take(text)
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # the page is gone, or sent bytes where text was agreed
        finally:
            sender.cancel()
            work = list(self._work.values())
            for task in work:
                task.cancel()
            await asyncio.gather(sender, *work, return_exceptions=True)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.websocket.close()

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self.websocket.send_text(await self._out.get())

    def _say(self, number: int, word: str, news: Any, kind: Any = str) -> None:
        """Sends news; a page that does not listen misses some rather than fill the memory."""
        text = json.dumps(news, allow_nan=False)
        check(kind, text)
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait(f'{{"id": {number}, "{word}": {text}}}')

    def _parts(self, number: int, kind: type[T]) -> Callable[[T], None]:
        """Tells parts of this kind."""
        return lambda part: self._say(number, "part", part, kind)

    def _take(self, text: str) -> None:
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError):
            return self._say(0, "error", "that is no JSON")
        if not isinstance(raw, dict):
            return self._say(0, "error", "expected an object")
        number = raw.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 2**53:
            return self._say(0, "error", "expected a number as id")
        try:
            message = requests.SOCKET.validate_python(raw)
        except ValidationError as error:
            return self._say(number, "error", _wrong(error))
        task = self._work.get(number)
        if isinstance(message, requests.Stop):
            if task is not None:
                task.cancel()
        elif task is not None:
            self._say(number, "error", "this id is in use")
        elif len(self._work) >= _MOST_AT_ONCE:
            self._say(number, "error", "too much at once; stop something first")
        else:
            self._work[number] = task = asyncio.create_task(self._guarded(message))
            task.add_done_callback(lambda _: self._work.pop(number, None))

    async def _guarded(self, message: requests.Ongoing) -> None:
        try:
            await self._do(message)
        except PetteiaError as error:
            self._say(message.id, "error", trust.in_words(error))
        except asyncio.CancelledError:
            self._say(message.id, "done", {"stopped": True}, answers.Arrived)
            raise

    async def _do(self, message: requests.Ongoing) -> None:
        match message:
            case requests.Watch():
                await self._watch(message)
            case requests.Measure():
                await self._measure(message)
            case requests.Analyse():
                await self._analyse(message)
            case requests.Review():
                await self._review(message)
            case requests.WatchSolver():
                await self._watch_solver(message)

    # --- what can be asked ---------------------------------------------------------------------

    async def _watch(self, asked: requests.Watch) -> None:
        try:
            live = await self.lab.room.find(asked.table)
        except KeyError:
            raise PetteiaError("there is no such table") from None
        say = self._parts(asked.id, answers.Table)

        def tell(seen: answers.TableSeen) -> None:
            say({**seen, **seats.facts(live.table, self.visitor)})

        tell(live.seen())
        self.lab.room.drive(live)
        await _told(live.watchers, tell)

    async def _measure(self, asked: requests.Measure) -> None:
        try:
            job = self.lab.measuring.find(asked.job)
        except KeyError:
            raise PetteiaError("there is no such job") from None
        say = self._parts(asked.id, results.Job)

        def tell(seen: results.JobSeen) -> None:
            say({**seen, "mine": job.owner == self.visitor})

        tell(job.facts())
        await _told(job.watchers, tell)

    async def _watch_solver(self, asked: requests.WatchSolver) -> None:
        task = m.FlowWatch(**asked.model_dump(exclude={"id", "do"}))
        say = self._parts(asked.id, flow.FlowEvents)
        ended = await self.lab.pool.run(task, flow.FlowEnded, visitor=self.visitor, tell=say)
        self._say(asked.id, "done", ended, flow.FlowEnded)

    async def _analyse(self, asked: requests.Analyse) -> None:
        game, positions, _ = await asyncio.to_thread(self.lab.line, asked)
        agent = asked.agent or catalogue.analyst(game, asked.seconds)
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        task = m.Values(
            game=str(game), agent=agent, positions=packed(positions), shares=asked.shares,
            exact=asked.agent is None, table="analysis",
        )  # fmt: skip
        found = await self.lab.pool.run(
            task,
            answers.Analysis,
            visitor=self.visitor,
            tell=self._parts(asked.id, answers.Analysis),
            seconds=asked.seconds + 2,
        )
        found["agent"] = found.get("judge", agent)
        self._say(asked.id, "done", found, answers.Analysis)

    async def _review(self, asked: requests.Review) -> None:
        game, positions, table = await asyncio.to_thread(self.lab.line, asked)
        # All within one search's time, however long the game.
        seconds = self.lab.settings.limits.seconds
        each = 0.8 * seconds / max(1, len(positions))
        agent = asked.agent or catalogue.analyst(game, max(0.02, min(0.1, round(each, 2))))
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        task = m.Review(
            game=str(game), agent=agent, positions=packed(positions),
            played=[ply.texts for ply in table.plies], exact=asked.agent is None, table="review",
        )  # fmt: skip
        await self.lab.pool.run(
            task,
            answers.Arrived,
            visitor=self.visitor,
            tell=self._parts(asked.id, answers.Reviewed),
            seconds=seconds,
        )
        self._say(asked.id, "done", {"agent": agent}, answers.Arrived)


async def _told(watchers: set[Callable[[T], None]], tell: Callable[[T], None]) -> None:
    """Tells all news until whoever listens has gone."""
    watchers.add(tell)
    try:
        await asyncio.Event().wait()
    finally:
        watchers.discard(tell)


def _wrong(error: ValidationError) -> str:
    """What is wrong with a message, in one line."""
    first = error.errors()[0]
    if first["type"].startswith("union_tag"):
        return f"expected {', '.join(requests.DEEDS)} or stop as do"
    place = ".".join(str(step) for step in first["loc"][1:])
    return f"{place}: {first['msg']}"
