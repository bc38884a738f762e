"""A running program that receives and sends lines, with a clock."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.util import Finalize
from typing import IO, Any

from petteia.core.errors import PetteiaError, one_line
from petteia.core.supervised import Supervised

__all__ = ["Program", "ProgramFailed", "lines_of"]

_LONGEST_LINE = 2**20
_UNREAD_LINES = 1000
_KEPT_LINES = 60
_TIME_TO_QUIT = 0.5


class ProgramFailed(PetteiaError):
    """A program broke the protocol, the rules or its clock, or ended: one line that says how.

    What it wrote last to standard error stands in the notes, and so in the traceback.
    """

    def __init__(self, title: str, why: str, *, is_told: bool = False) -> None:
        super().__init__(one_line(f"{title}: {why}"))
        self.why = one_line(why)
        self.is_told = is_told
        """Whether the words are the program's own."""


def lines_of(descriptor: int) -> Iterator[str]:
    """The lines that come through a pipe; one without an end is cut into pieces."""
    rest = b""
    while chunk := os.read(descriptor, 2**16):
        *whole, rest = (rest + chunk).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            whole, rest = [*whole, rest], b""
        for line in whole:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


class Program:
    """A program in a process of its own. Nothing here waits longer than it is told to.

    The process ends with this object, at the latest with the interpreter, and with it all that it
    has started.
    """

    def __init__(
        self, command: Sequence[str], title: str, *,
        limits: Mapping[str, int] | None = None, environment: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """``limits`` are those of ``core/supervisor.py``; ``environment`` replaces ours."""
        self.title = title
        try:
            self._running = Supervised(
                command, limits=limits, env=environment, bufsize=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
        except OSError as error:
            raise ProgramFailed(title, f"cannot be started: {error.strerror or error}") from None
        process = self._running.process
        pipes = (process.stdin, process.stdout, process.stderr)
        self._sent: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._heard: queue.Queue[str | None] = queue.Queue(_UNREAD_LINES)
        self._noted: deque[str] = deque(maxlen=_KEPT_LINES)
        self._is_over = threading.Event()
        # The threads hold pipes and queues, never this object, so that it can be collected.
        _thread(_write, pipes[0], self._sent)
        _thread(_read, pipes[1], self._heard, self._is_over)
        self._noting = _thread(_note, pipes[2], self._noted)
        # Unlike atexit this also works in the workers of a pool, and never in a forked copy.
        self._finish = Finalize(
            self, _end, (self._running, self._sent, self._is_over), exitpriority=10
        )

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._running.process.poll() is None

    def send(self, line: str) -> None:
        """Sends a line, without waiting for the program to read it."""
        self._sent.put(line)

    def receive(self, deadline: float) -> str:
        """The next line that is not empty. The deadline is a time of ``time.monotonic``."""
        while True:
            left = deadline - time.monotonic()
            try:
                if left <= 0:
                    raise TimeoutError
                line = self._heard.get(timeout=left)
            except (queue.Empty, TimeoutError):
                raise TimeoutError(f"{self.title} is too late") from None
            if line is None:
                raise ProgramFailed(self.title, self._how_it_ended())
            if line.strip():
                return line

    def unread(self) -> list[str]:
        """The lines that have come and that nobody has asked for."""
        found = []
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._heard.get_nowait())
        if None in found:
            self._heard.put(None)
        return [line for line in found if line and line.strip()]

    def stop(self) -> float:
        """Stops it and all that it has started, so that it uses no processor; gives the seconds of
        processor time that it has used since the last stop."""
        used = self._running.stop()
        if used is None:
            raise ProgramFailed(self.title, self._how_it_ended())
        return used

    def go_on(self) -> None:
        """Lets it go on after a stop."""
        self._running.go_on()

    def close(self) -> None:
        """Asks the program to quit, and ends it if it does not."""
        self._finish()

    def kill(self) -> str:
        """Ends the program at once; gives the last lines of its standard error."""
        self._sent.put(None)
        self._running.end()
        self._finish()
        self._noting.join(_TIME_TO_QUIT)
        return "\n".join(self._noted)

    def _how_it_ended(self) -> str:
        try:
            code = self._running.wait(_TIME_TO_QUIT)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        if reason := self._running.reason():
            return reason
        self._noting.join(_TIME_TO_QUIT)
        last = next((line.strip() for line in reversed(self._noted) if line.strip()), "")
        words = f" ({last})" if last else ""
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}{words}"
        return f"exited with code {code}{words}"


def _thread(work: Any, *given: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=given, daemon=True)
    thread.start()
    return thread


def _write(pipe: IO[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Sends lines in a thread: a program that does not read would block the writer."""
    with contextlib.suppress(OSError), pipe:
        while (line := lines.get()) is not None:
            left = memoryview(f"{line}\n".encode(errors="replace"))
            while left:
                left = left[os.write(pipe.fileno(), left) :]


def _read(pipe: IO[bytes], lines: queue.Queue[str | None], is_over: threading.Event) -> None:
    def put(line: str | None) -> None:
        while not is_over.is_set():
            with contextlib.suppress(queue.Full):
                lines.put(line, timeout=0.2)
                return

    with pipe:
        with contextlib.suppress(OSError):
            for line in lines_of(pipe.fileno()):
                put(line)
                if is_over.is_set():
                    return
        put(None)


def _note(pipe: IO[bytes], lines: deque[str]) -> None:
    with contextlib.suppress(OSError), pipe:
        for line in lines_of(pipe.fileno()):
            lines.append(line.rstrip()[:1000])


def _end(
    running: Supervised, sent: queue.SimpleQueue[str | None], is_over: threading.Event
) -> None:
    sent.put("quit")
    sent.put(None)
    running.end(_TIME_TO_QUIT)
    is_over.set()
