"""The WebSocket: tables that are watched, and searches that tell what they know as they go.

Every message is a JSON object, see ``messages.socket``.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from petteia.core.errors import PetteiaError
from petteia.web import catalogue, puzzles, seats, trust
from petteia.web.messages import results, searches, tables, written
from petteia.web.messages import workers as m
from petteia.web.messages.socket import (
    ONGOING,
    Analyse,
    Measure,
    Ongoing,
    Review,
    Shown,
    SocketMessage,
    Stop,
    Watch,
)
from petteia.web.room import Page, packed

if TYPE_CHECKING:
    from petteia.web.lab import Lab

__all__ = ["Channel"]

T = TypeVar("T")
_MOST_AT_ONCE = 8
_MOST_UNSENT = 1000
_reviews = itertools.count()


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

    def _say(self, number: int, word: str, text: str) -> None:
        """Sends news; a page that does not listen misses some rather than fill the memory."""
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait(f'{{"id": {number}, "{word}": {text}}}')

    def _refuse(self, number: int, why: str) -> None:
        self._say(number, "error", json.dumps(why))

    def _part(self, asked: Ongoing, part: Any) -> None:
        self._say(asked.id, "part", written(asked.PART, part))

    def _done(self, asked: Ongoing, done: Any) -> None:
        self._say(asked.id, "done", written(asked.DONE, done))

    def _take(self, text: str) -> None:
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError):
            return self._refuse(0, "that is not JSON")
        if not isinstance(raw, dict):
            return self._refuse(0, "expected an object")
        number = raw.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 2**53:
            return self._refuse(0, "expected a number as id")
        known, do = _kinds(), raw.get("do")
        if not isinstance(do, str) or do not in known:
            return self._refuse(number, f"expected one of {', '.join(known)} as do")
        try:
            message = known[do].model_validate(raw)
        except ValidationError as error:
            return self._refuse(number, _wrong(error))
        task = self._work.get(number)
        if isinstance(message, Stop):
            if task is not None:
                task.cancel()
        elif task is not None:
            self._refuse(number, "this id is in use")
        elif len(self._work) >= _MOST_AT_ONCE:
            self._refuse(number, "too much at once; stop something first")
        elif isinstance(message, Ongoing):
            self._work[number] = task = asyncio.create_task(self._guarded(message))
            task.add_done_callback(lambda _: self._work.pop(number, None))

    async def _guarded(self, message: Ongoing) -> None:
        try:
            await self._do(message)
        except PetteiaError as error:
            self._refuse(message.id, trust.in_words(error))
        except asyncio.CancelledError:
            self._say(message.id, "done", written(searches.Stopped, {"stopped": True}))
            raise

    async def _do(self, message: Ongoing) -> None:
        match message:
            case Watch():
                await self._watch(message)
            case Measure():
                await self._measure(message)
            case Analyse():
                await self._analyse(message)
            case Review():
                await self._review(message)
            case Shown():
                self._done(message, await self._searched(message, message.task(), dict[str, Any]))

    # --- what can be asked ---------------------------------------------------------------------

    async def _watch(self, asked: Watch) -> None:
        try:
            live = await self.lab.room.find(asked.table)
        except KeyError:
            raise PetteiaError("there is no such table") from None

        def tell(seen: tables.TableSeen) -> None:
            self._part(asked, {**seen, **seats.facts(live.table, self.visitor)})

        live.pages[tell] = Page(self.visitor, asked.searches)
        live.leave(None)  # who was expected has come
        tell(live.seen())
        self.lab.room.drive(live)
        try:
            await _told(live.watchers, tell)
        finally:
            live.leave(tell)

    async def _measure(self, asked: Measure) -> None:
        try:
            job = self.lab.measuring.find(asked.job)
        except KeyError:
            raise PetteiaError("there is no such job") from None

        def tell(seen: results.JobSeen) -> None:
            self._part(asked, {**seen, "mine": job.owner == self.visitor})

        tell(job.facts())
        await _told(job.watchers, tell)

    async def _analyse(self, asked: Analyse) -> None:
        game, positions, _ = await asyncio.to_thread(self.lab.line, asked)
        agent = asked.agent or catalogue.analyst(game, asked.seconds)
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        task = m.Values(
            game=str(game), agent=agent, positions=packed(positions), shares=asked.shares,
            exact=asked.agent is None, table="analysis",
        )  # fmt: skip
        limit = min(asked.seconds + 2, self.lab.settings.limits.seconds)
        found = await self._searched(asked, task, searches.Analysis, limit)
        found["agent"] = found.get("judge", agent)
        self._done(asked, found)

    async def _review(self, asked: Review) -> None:
        game, positions, table = await asyncio.to_thread(self.lab.line, asked)
        agent = asked.agent or catalogue.reviewer(game, len(positions))
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        task = m.Review(
            game=str(game), agent=agent, positions=packed(positions),
            played=[ply.texts for ply in table.plies], exact=asked.agent is None,
            table=f"review {next(_reviews)}",  # nothing is remembered from another one
        )  # fmt: skip
        limits = self.lab.settings.limits
        limit = limits.review if asked.agent is None else limits.seconds
        found: searches.ReviewShown = {"judged": [], "thrown": [], "exact": True, "by": agent}

        def tell(part: Any) -> None:
            _add(found, part)
            self._part(asked, part)

        await self.lab.pool.run(
            task, searches.Ended, visitor=self.visitor, seconds=limit, tell=tell
        )
        if asked.table and len(found["judged"]) + len(found["thrown"]) == len(table.plies):
            await self._keep_review(asked, found)
        self._done(asked, {"agent": agent})

    async def _keep_review(self, asked: Review, found: searches.ReviewShown) -> None:
        """Keeps a review with the game, if the line is all of it."""
        with contextlib.suppress(KeyError):
            played = (await self.lab.room.find(asked.table)).table
            words = [ply["word"] for ply in played.listed()]
            if (str(played.game), played.start, words) == (asked.game, asked.start, asked.moves):
                await asyncio.to_thread(self.lab.kept.put_review, played.id, words, found)

    async def _searched(
        self, asked: Ongoing, task: m.Task, kind: type[T], seconds: float | None = None
    ) -> T:
        """What a search finds; its parts are told as they come."""
        return await self.lab.pool.run(
            task, kind, visitor=self.visitor, seconds=seconds,
            tell=lambda part: self._part(asked, part),
        )  # fmt: skip


def _add(found: searches.ReviewShown, part: searches.Reviewed) -> None:
    """Adds what was found at a ply to a review."""
    if "throw" in part:
        found["thrown"].append((part["at"], part["throw"]))
    else:
        found["judged"].append((part["at"], part.get("judged", [])))
        found["exact"] = found["exact"] and part.get("exact", False)


async def _told(watchers: set[Callable[[T], None]], tell: Callable[[T], None]) -> None:
    """Tells all news until the listener has gone."""
    watchers.add(tell)
    try:
        await asyncio.Event().wait()
    finally:
        watchers.discard(tell)


@cache
def _kinds() -> dict[str, type[SocketMessage]]:
    """The messages that a page may send, by their ``do``."""
    own = [kind for name in puzzles.names() for kind in puzzles.shown(name)]
    kinds: list[type[SocketMessage]] = [*ONGOING, *own, Stop]
    return {kind.name(): kind for kind in kinds}


def _wrong(error: ValidationError) -> str:
    """What is wrong with a message, in one line."""
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"])
    return f"{place}: {first['msg']}"
