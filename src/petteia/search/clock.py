"""A clock that ends a search."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator

__all__ = ["clock"]


@contextlib.contextmanager
def clock(seconds: float | None, ring: Callable[[], None]) -> Iterator[float]:
    """Calls ``ring`` when the seconds have passed, unless the work is done before.

    Kernels run without the interpreter's lock, so another thread can set the flag that stops
    them. Gives the time at which the work began.
    """
    timer = None
    if seconds is not None and math.isfinite(seconds):
        timer = threading.Timer(max(seconds, 0.0), ring)
        timer.daemon = True
        timer.start()
    try:
        yield time.perf_counter()
    finally:
        if timer is not None:
            timer.cancel()
