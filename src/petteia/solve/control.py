"""How a long computation tells how far it is, and hears that it should stop."""

from __future__ import annotations

from collections.abc import Callable

from petteia.core.errors import PetteiaError

__all__ = ["Control", "Stopped"]


class Stopped(PetteiaError):
    """The computation was asked to stop, and did; what was finished is kept."""


class Control:
    """The link between a solver and its caller. Any thread may call ``stop``."""

    def __init__(self, show: Callable[[float, str], None] | None = None) -> None:
        self._show = show
        self._is_stopped = False

    def stop(self) -> None:
        """Ask the computation to end at its next report."""
        self._is_stopped = True

    def report(self, share: float, what: str = "") -> None:
        """So much of the work is done, from 0 to 1. Raises ``Stopped`` if nobody waits any more."""
        if self._is_stopped:
            raise Stopped(
                "stopped; what was finished is kept, and the same command goes on from it"
            )
        if self._show is not None:
            self._show(share, what)
