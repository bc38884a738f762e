"""Slows down the guessing of tokens: every wrong guess makes the next wait longer."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

__all__ = ["Tries", "place_of"]

_FREE = 5
"""Wrong tokens of an address before it has to wait."""
_LONGEST = 30.0
"""Seconds: who knows the token is never kept out for longer after the last wrong one."""
_FORGOTTEN = 600.0
_MOST = 10_000


def place_of(client: tuple[str, int] | None) -> str:
    """The address that wrong tokens are counted for; for IPv6 its network."""
    if client is None:
        return ""
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class Tries:
    """The wrong tokens of each address, and the visitors who are known to have the right one."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many there were and when the last was, the latest at the end."""
        self._known: OrderedDict[str, None] = OrderedDict()

    def wait(self, place: str, visitor: str) -> float:
        """Seconds until a token from there is checked again; 0 means now.

        Guessing does not lock out visitors who were let in before.
        """
        if place not in self._wrong or visitor in self._known:
            return 0.0
        count, last = self._wrong[place]
        pause = min(_LONGEST, 2.0 ** min(count - _FREE, 20)) if count > _FREE else 0.0
        return max(0.0, last + pause - self._now())

    def wrong(self, place: str, visitor: str, count: int) -> None:
        """Notes this many wrong tokens."""
        now = self._now()
        before, last = self._wrong.pop(place, (0, now))
        self._wrong[place] = (before * (now - last < _FORGOTTEN) + count, now)
        self._known.pop(visitor, None)
        _shorten(self._wrong)

    def right(self, visitor: str) -> None:
        """Notes who has the token."""
        self._known[visitor] = None
        self._known.move_to_end(visitor)
        _shorten(self._known)


def _shorten(known: OrderedDict[str, Any]) -> None:
    while len(known) > _MOST:
        known.popitem(last=False)
