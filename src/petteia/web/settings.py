"""How a laboratory was started, and what one visitor may ask of it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from petteia.core.errors import PetteiaError
from petteia.core.processors import processors

__all__ = ["Limits", "Settings", "is_loopback"]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Limits:
    """What one visitor, and all together, may ask for."""

    body: int = 256 * 1024
    """Bytes of a request."""
    frame: int = 64 * 1024
    """Bytes of a WebSocket message."""
    seconds: float = 10.0
    """The longest search."""
    review: float = 30.0
    """The longest review. It counts nodes, and is only so slow on a busy machine."""
    running: int = 2
    """Searches of one visitor at a time."""
    waiting: int = 6
    """Searches of one visitor that wait for their turn."""
    queue: int = 200
    """Searches of all visitors that wait."""
    sockets: int = 12
    """Open WebSockets of one visitor."""
    all_sockets: int = 800
    tables: int = 5000
    """Games that are kept; the oldest untouched ones go first."""
    tables_each: int = 300
    """Games of one visitor that are kept."""
    plies: int = 2000
    """The longest game."""
    measuring: int = 1
    """Series that are played at a time; others wait."""
    measuring_queue: int = 20
    """Series of all visitors that are played or wait."""
    measuring_each: int = 4
    """Series of one visitor that are played or wait. So many places are always left for those
    who come from another address."""
    turn: float = 300.0
    """Seconds after which a series makes way for another visitor's that waits."""


@dataclass(frozen=True)
class Settings:
    """How the laboratory was started."""

    host: str = "127.0.0.1"
    port: int = 8080
    token: str = ""
    """The secret that visitors must bring; needed where other machines can reach the server."""
    allow_code: bool = False
    """Whether a visitor may bring Python of his own, which runs with the rights of the server."""
    workers: int = 0
    """Searches at a time; 0 means one for every processor."""
    store: Path | None = None
    """The arena's store; the games of the page are kept beside it. None keeps nothing."""
    limits: Limits = Limits()
    games: tuple[str, ...] = ()
    """Games in files that are offered beside those of the house."""
    addresses: tuple[str, ...] = ()
    """Where people at other machines find it; known once it listens."""
    ladder: Path | None = None
    """The folder of the site of a ladder that visitors can look at."""

    def checked(self) -> Settings:
        """The same settings; raises where they would be unsafe."""
        if not is_loopback(self.host):
            if not self.token:
                raise PetteiaError(
                    f"--host {self.host} lets other machines in, which needs a secret: "
                    "give --token SECRET too"
                )
            if self.allow_code:
                raise PetteiaError(
                    f"--allow-code runs visitors' Python, so it cannot go with --host {self.host}; "
                    "leave out --host"
                )
        if self.token and len(self.token) < 8:
            raise PetteiaError("--token is too short to be a secret; at least 8 characters")
        return self

    @property
    def processes(self) -> int:
        """How many searches run at a time."""
        return self.workers or processors()
