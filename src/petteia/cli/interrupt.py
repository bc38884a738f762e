"""Ctrl-C during a long search: the search ends, the program answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

__all__ = ["interruptible"]

T = TypeVar("T")


class Stoppable(Protocol):
    """An agent, or anything else that may take long."""

    def stop(self) -> None:
        """End soon. Any thread may call it."""


def interruptible(worker: Stoppable, work: Callable[[], T]) -> T:
    """Runs the work in a thread of its own; Ctrl-C stops the worker and then the program.

    A kernel holds the main thread until it returns, and Python answers a signal only there.
    """
    found: list[T] = []
    problem: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # noqa: BLE001  (raised again below)
            problem.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    # Not by joining: an interrupted join can take a thread that still runs for finished.
    try:
        while not done.wait(0.1):
            pass
    except KeyboardInterrupt:
        worker.stop()
        # A search that was still being compiled would forget a stop that came before it.
        while not done.wait(0.1):
            worker.stop()
        raise
    if problem:
        raise problem[0]
    return found[0]
