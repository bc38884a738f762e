"""What the house asks of a puzzle.

A puzzle has one player and no opponent, so it is no ``Game``. Its room says who it is in a
``Profile``; commands of its own stand in ``commands.py``, pages and routes of the lab in ``lab``.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Profile"]


@dataclass(frozen=True)
class Profile:
    """Who a puzzle is: ``PROFILE`` in the ``profile`` of its room."""

    name: str
    """The name of its room and of its command."""
    title: str
    """What people call it."""
    in_short: str
    """What is to be done, in a sentence or two for those who are new to it."""
    study: str | None = None
    """What was published about it, run again: ``module:object``, a ``petteia.studies.frame.Study``;
    loaded when asked."""
