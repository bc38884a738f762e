"""How many processors this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path

__all__ = ["processors", "quota"]

_CGROUPS = Path("/sys/fs/cgroup")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, math.ceil(min(count, quota())))


def quota(cgroups: Path = _CGROUPS, own: Path = Path("/proc/self/cgroup")) -> float:
    """How many processors' time a container or a service may use; infinite without a limit."""
    try:
        lines = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return math.inf
    least = math.inf
    for _, controllers, path in lines:
        # Version 2 has one tree and no names; in version 1 the tree of the processors has its own.
        if controllers and "cpu" not in controllers.split(","):
            continue
        place = cgroups / (controllers and "cpu") / path.lstrip("/")
        while place.is_relative_to(cgroups):
            least = min(least, _quota_at(place))
            place = place.parent
    return least


def _quota_at(place: Path) -> float:
    """The limit of one group, without those above it."""
    try:
        if (place / "cpu.max").exists():
            most, period = (place / "cpu.max").read_text().split()
        else:
            most = (place / "cpu.cfs_quota_us").read_text()
            period = (place / "cpu.cfs_period_us").read_text()
        return float(most) / float(period) if most != "max" and float(most) > 0 else math.inf
    except (OSError, ValueError):
        return math.inf
