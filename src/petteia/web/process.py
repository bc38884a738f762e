"""The laboratory's own processes, which exchange messages with it as lines of JSON.

The server has a ``Process``; in the process itself an ``Output`` keeps standard output for the
messages alone. Both read and write the types of ``messages.workers``.

The arena's processes (``arena.processes``) are something else: they take calls that are pickled,
and are looked after by threads, so that work goes on when one of them is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
from typing import Generic, Self, TextIO, TypeVar

from pydantic import TypeAdapter

from petteia.web.messages.base import Message

__all__ = ["Output", "Process"]

N = TypeVar("N")


class Process(Generic[N]):
    """A running module of ours, in a session of its own; its messages are of the type ``N``."""

    def __init__(self, process: asyncio.subprocess.Process, news: TypeAdapter[N]) -> None:
        self._process = process
        self._news = news

    @classmethod
    async def start(cls, module: str, news: TypeAdapter[N], *, longest_line: int) -> Self:
        """Runs a module; ``longest_line`` is the most bytes that a message of it may have."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=longest_line, start_new_session=True,
        )  # fmt: skip
        return cls(process, news)

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    def send(self, message: Message) -> None:
        """Sends a message; if the process has ended, nothing happens."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(json.dumps(message.model_dump()).encode() + b"\n")

    async def receive(self) -> N | None:
        """Its next message; None when it has ended. ValueError if a line is not a message."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        return self._news.validate_json(line) if line else None

    def signal(self, number: int) -> None:
        """Sends it a signal, if it runs."""
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def end(self, grace: float = 0.0) -> None:
        """Waits so many seconds for it to end, then kills it."""
        if grace:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), grace)
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()


class Output:
    """Standard output, kept for messages alone: whatever else prints goes to standard error."""

    def __init__(self) -> None:
        self._out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        """Sends a message to the server. Any thread may call it."""
        line = json.dumps(message.model_dump(), allow_nan=False, default=str)
        with self._lock:
            self._out.write(line + "\n")
            self._out.flush()
