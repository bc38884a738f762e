"""Processes of this machine as an executor that survives the death of any of them.

Every process has a thread and a pipe of its own, so a process that is killed holds no lock that
another needs: its thread sees the end of the pipe, starts a fresh process and gives it the same
work. ``ProcessPoolExecutor`` shares queues among its workers; killed at a bad moment, one of them
leaves the others waiting for ever.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.process
import os
import pickle
import queue
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple, ParamSpec, TypeVar

__all__ = ["ProcessExecutor"]

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 3
"""Work whose process dies this often is what kills it."""


class _Task(NamedTuple):
    future: Future[Any]
    call: bytes
    """The function and its arguments, pickled."""


class ProcessExecutor(Executor):
    """``count`` processes, each started when there is work for it."""

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._workers = [_Worker(self._tasks) for _ in range(count)]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        task = _Task(Future(), pickle.dumps((fn, args, kwargs)))
        with self._lock:
            if self._is_closed:
                raise RuntimeError("no new work after shutdown")
            self._tasks.put(task)
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes when the work is done; with ``cancel_futures`` at once."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                if cancel_futures:
                    with contextlib.suppress(queue.Empty):
                        while task := self._tasks.get_nowait():
                            if task.future.cancel():
                                task.future.set_running_or_notify_cancel()
                for _ in self._workers:
                    self._tasks.put(None)
        for worker in self._workers:
            if cancel_futures:
                worker.end()
            if wait:
                worker.thread.join()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        # Whoever leaves by an exception, Ctrl-C for instance, waits for no result.
        self.shutdown(cancel_futures=kind is not None)
        return None


class _Worker:
    """One process after the other, and the thread that looks after them."""

    def __init__(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        self.tasks = tasks
        self.process: multiprocessing.process.BaseProcess | None = None
        self.is_ended = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Ends the process, whatever it does. Any thread may call it."""
        self.is_ended = True
        process = self.process
        if process is not None and process.is_alive():
            process.kill()

    def _run(self) -> None:
        pipe: Connection | None = None
        while (task := self.tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            answer: tuple[Any, BaseException | None] | None = None
            for _ in range(_TRIES):
                if pipe is None:
                    pipe = self._start()
                answer = self._ask(pipe, task.call)
                if answer is not None:
                    break
                pipe.close()
                pipe = None
                if self.is_ended:
                    break
            if answer is None:
                task.future.set_exception(BrokenExecutor("a worker process died"))
            elif isinstance(answer[1], BaseException):
                task.future.set_exception(answer[1])
            else:
                task.future.set_result(answer[0])
        if pipe is not None:
            pipe.close()  # the process reads the end and leaves
        if self.process is not None:
            self.process.join()

    def _start(self) -> Connection:
        if self.process is not None:
            self.process.join()
        # A forked child would inherit the locks of our threads; a fresh one takes half a second.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        self.process = process
        theirs.close()  # so that the pipe ends when the process does
        if self.is_ended:
            process.kill()
        return ours

    def _ask(self, pipe: Connection, call: bytes) -> tuple[Any, BaseException | None] | None:
        """What the process answers, or None if it died."""
        try:
            pipe.send_bytes(call)
            answer: tuple[Any, BaseException | None] = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return None
        return answer


def _serve(pipe: Connection) -> None:
    """The process: takes a call, answers, until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _end_with_parent() -> None:
    """A parent that was killed closes no pipe that a game in progress would look at."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(call: bytes) -> bytes:
    try:
        fn, args, kwargs = pickle.loads(call)
        return pickle.dumps((fn(*args, **kwargs), None))
    except Exception as error:  # noqa: BLE001  (raised again where the result is asked for)
        error.add_note("in a worker process:\n" + traceback.format_exc())
        try:
            return pickle.dumps((None, error))
        except Exception:  # noqa: BLE001  (what cannot travel is told in words)
            return pickle.dumps((None, RuntimeError("".join(traceback.format_exception(error)))))
