"""A clock for two people: time for the whole game, and some more with every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from petteia.web.messages.tables import ClockSeen

__all__ = ["Clock"]


@dataclass
class Clock:
    """What is left to each, and whose time runs. The caller tells the time, in seconds."""

    left: list[float]
    """Seconds of either player."""
    increment: float = 0.0
    """Seconds that a move adds."""
    running: tuple[int, ...] = ()
    since: float = field(default=0.0, repr=False)

    def settle(self, now: float) -> None:
        """Takes what has passed from those whose time runs."""
        for side in self.running:
            self.left[side] = max(0.0, self.left[side] - (now - self.since))
        self.since = now

    def turn(self, waiting: Sequence[int], now: float) -> None:
        """The time of these players runs from now on; whose time ran and does no more has moved."""
        self.settle(now)
        for side in self.running:
            if side not in waiting:
                self.left[side] += self.increment
        self.running = tuple(waiting)

    def stand(self, now: float) -> None:
        """Nobody's time runs, and nobody has moved."""
        self.settle(now)
        self.running = ()

    @property
    def next_end(self) -> tuple[float, int] | None:
        """After how many seconds somebody's time will be over, and whose."""
        return min(((self.left[side], side) for side in self.running), default=None)

    def seen(self, now: float) -> ClockSeen:
        """What the page shows."""
        self.settle(now)
        return {"left": list(self.left), "running": list(self.running)}
