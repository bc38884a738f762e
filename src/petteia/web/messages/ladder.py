"""What the page gets about a ladder."""

from __future__ import annotations

from typing_extensions import TypedDict

__all__ = ["LadderRow", "LadderShown"]


class LadderRow(TypedDict):
    """Somebody on a ladder."""

    name: str
    page: str
    """The address of the page about it."""
    status: str
    """``ranked``, ``quarantined`` or ``baseline``."""
    message: str
    """Why it is in quarantine."""
    rank: int | None
    rating: float | None
    interval: list[float] | None
    """The 95 % interval of the rating."""
    points: float
    games: int
    forfeits: int
    late: int


class LadderShown(TypedDict):
    """The standings of a ladder, the highest rating first."""

    game: str
    pairs: int
    """Pairs of games that every two play."""
    missing: int
    """Pairs that are still to be played."""
    rows: list[LadderRow]
