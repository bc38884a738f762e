"""The WebSocket: tables that are watched, and searches that tell what they know as they go.

Every message is a JSON object. From the page, ``id`` is a number of its choice:

    {"id": 1, "do": "watch", "table": "..."}      tell me how this table stands, now and later
    {"id": 2, "do": "analyse", "game": ..., "start": ..., "moves": [...], "agent": ...}
    {"id": 3, "do": "review", "game": ..., "start": ..., "moves": [...]}
    {"id": 4, "do": "measure", "job": "..."}      tell me how this match or study goes
    {"id": 5, "do": "flow", "text": ..., "engine": ...}    show me this solver step by step
    {"id": 2, "do": "stop"}                       enough of that

To the page: ``{"id": 2, "part": {...}}`` as often as there is news, then ``{"id": 2, "done":
{...}}`` or ``{"id": 2, "error": "one line"}``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError

from petteia.core.errors import PetteiaError
from petteia.web import catalogue, flow, seats, trust
from petteia.web.messages.requests import LineRequest, SpecText
from petteia.web.room import packed

if TYPE_CHECKING:
    from petteia.web.app import Lab

__all__ = ["Channel"]

_MOST_AT_ONCE = 8
_MOST_UNSENT = 1000


class _Analysis(LineRequest):
    """A position to be analysed."""

    agent: SpecText | None = None
    seconds: Annotated[float, Field(gt=0, le=10)] = 3.0
    shares: bool = True


class Channel:
    """One open page."""

    deeds = ("watch", "analyse", "review", "measure", "flow")
    """What can be asked; each has a method of its name."""

    def __init__(self, websocket: WebSocket, lab: Lab, visitor: str) -> None:
        self.websocket = websocket
        self.lab = lab
        self.visitor = visitor
        self._out: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_MOST_UNSENT)
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
                message = await self._out.get()
                await self.websocket.send_text(json.dumps(message, allow_nan=False))

    def say(self, number: int, **news: Any) -> None:
        """Sends news; a page that does not listen misses some rather than fill the memory."""
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait({"id": number, **news})

    def _take(self, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            self.say(0, error="that is no JSON")
            return
        if not isinstance(message, dict):
            self.say(0, error="expected an object")
            return
        number, deed = message.pop("id", None), message.pop("do", None)
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) > 2**53:
            self.say(0, error="expected a number as id")
            return
        if deed == "stop":
            task = self._work.get(number)
            if task is not None:
                task.cancel()
            return
        if deed not in self.deeds:
            self.say(number, error=f"expected {', '.join(self.deeds)} or stop as do")
        elif number in self._work:
            self.say(number, error="this id is in use")
        elif len(self._work) >= _MOST_AT_ONCE:
            self.say(number, error="too much at once; stop something first")
        else:
            start = getattr(self, f"_{deed}")
            task = asyncio.create_task(self._guarded(number, start(number, message)))
            self._work[number] = task
            task.add_done_callback(lambda _: self._work.pop(number, None))

    async def _guarded(self, number: int, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(step) for step in first["loc"])
            self.say(number, error=f"{place}: {first['msg']}")
        except PetteiaError as error:
            self.say(number, error=trust.in_words(error))
        except asyncio.CancelledError:
            self.say(number, done={"stopped": True})
            raise

    # --- what can be asked ---------------------------------------------------------------------

    async def _watch(self, number: int, asked: dict[str, Any]) -> None:
        name = asked.get("table")
        try:
            live = await self.lab.room.find(name if isinstance(name, str) else "")
        except KeyError:
            raise PetteiaError("there is no such table") from None

        def tell(state: dict[str, Any]) -> None:
            self.say(number, part={**state, **seats.facts(live.table, self.visitor)})

        live.watchers.add(tell)
        try:
            tell(live.seen())
            self.lab.room.drive(live)
            await asyncio.Event().wait()
        finally:
            live.watchers.discard(tell)

    async def _measure(self, number: int, asked: dict[str, Any]) -> None:
        try:
            job = self.lab.measuring.find(str(asked.get("job")))
        except KeyError:
            raise PetteiaError("there is no such job") from None

        def tell(facts: dict[str, Any]) -> None:
            self.say(number, part={**facts, "mine": job.owner == self.visitor})

        job.watchers.add(tell)
        try:
            tell(job.facts())
            await asyncio.Event().wait()
        finally:
            job.watchers.discard(tell)

    async def _flow(self, number: int, asked: dict[str, Any]) -> None:
        answer = await self.lab.pool.run(
            flow.watch_request(asked),
            visitor=self.visitor,
            tell=lambda part: self.say(number, part=part),
        )
        self.say(number, done=answer)

    async def _analyse(self, number: int, asked: dict[str, Any]) -> None:
        options = _Analysis.model_validate(asked)
        game, positions, _ = await asyncio.to_thread(self.lab.line, options)
        agent = options.agent or catalogue.analyst(game, options.seconds)
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        request = {
            "do": "values", "game": str(game), "agent": agent, "positions": packed(positions),
            "shares": options.shares, "exact": options.agent is None, "table": "analysis",
        }  # fmt: skip
        answer = await self.lab.pool.run(
            request,
            visitor=self.visitor,
            tell=lambda part: self.say(number, part=part),
            seconds=options.seconds + 2,
        )
        self.say(number, done={**answer, "agent": answer.get("judge", agent)})

    async def _review(self, number: int, asked: dict[str, Any]) -> None:
        options = _Analysis.model_validate(asked)
        game, positions, table = await asyncio.to_thread(self.lab.line, options)
        # All within one search's time, however long the game.
        each = 0.8 * self.lab.settings.limits.seconds / max(1, len(positions))
        agent = options.agent or catalogue.analyst(game, max(0.02, min(0.1, round(each, 2))))
        agent = await asyncio.to_thread(self.lab.player, agent, game)
        played = [ply.texts for ply in table.plies]
        request = {
            "do": "review", "game": str(game), "agent": agent, "positions": packed(positions),
            "played": played, "exact": options.agent is None, "table": "review",
        }  # fmt: skip
        await self.lab.pool.run(
            request,
            visitor=self.visitor,
            tell=lambda part: self.say(number, part=part),
            seconds=self.lab.settings.limits.seconds,
        )
        self.say(number, done={"agent": agent})
