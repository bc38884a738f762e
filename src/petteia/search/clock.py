"""The clock that ends a search.

Kernels look at the clock themselves: a timer in another thread would have to wait for a processor
when all are busy searching, and a move of ten milliseconds would take twelve. Only where compiled
code has no clock does a timer set the flag that stops the search.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator

from petteia.compiled import nanoseconds

__all__ = ["NEVER", "clock", "deadline_in"]

NEVER = 2**62
_KERNELS_HAVE_A_CLOCK = hasattr(time, "clock_gettime_ns")


def deadline_in(seconds: float | None) -> int:
    """The time on the kernels' clock at which this many seconds will have passed."""
    if seconds is None or not math.isfinite(seconds):
        return NEVER
    return min(nanoseconds() + round(max(seconds, 0.0) * 1e9), NEVER)


@contextlib.contextmanager
def clock(seconds: float | None, ring: Callable[[], None]) -> Iterator[float]:
    """Calls ``ring`` when the seconds have passed, where kernels cannot see for themselves.

    Gives the time at which the work began.
    """
    timer = None
    if seconds is not None and math.isfinite(seconds) and not _KERNELS_HAVE_A_CLOCK:
        timer = threading.Timer(max(seconds, 0.0), ring)
        timer.daemon = True
        timer.start()
    try:
        yield time.perf_counter()
    finally:
        if timer is not None:
            timer.cancel()
