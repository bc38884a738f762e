"""``petteia lab``: the server from its first line to its last."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace

import uvicorn

from petteia.core.errors import PetteiaError
from petteia.web.app import application
from petteia.web.settings import Settings

__all__ = ["run"]

_BACKLOG = 512


class _Server(uvicorn.Server):
    """Uvicorn that prints its address, and ends with status 0 when it is asked to."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self.line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self.line, flush=True)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                loop.add_signal_handler(number, self.handle_exit, number, None)
            except NotImplementedError:  # Windows
                signal.signal(number, self.handle_exit)
        yield


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    name = host.strip("[]")
    # Named as TCP, or asyncio leaves Nagle's algorithm on: 40 ms for every answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((name, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise PetteiaError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    return listener


def _own_addresses(host: str) -> list[str]:
    """The hosts under which a browser finds a server that listens on this one."""
    name = host.strip("[]")
    if name not in ("0.0.0.0", "::", ""):
        shown = f"[{name}]" if ":" in name else name
        return ["localhost" if name in ("127.0.0.1", "::1", "localhost") else shown]
    found = ["localhost"]
    # The address that this machine would write on a packet to another; none is sent.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    return found


def run(settings: Settings, *, as_json: bool = False, open_page: bool = False) -> None:
    """Serves until it is interrupted or terminated."""
    settings = settings.checked()
    listener = _listening(settings.host, settings.port)
    port = listener.getsockname()[1]
    addresses = [f"http://{each}:{port}/" for each in _own_addresses(settings.host)]
    address = addresses[0]
    found = [each for each in addresses if not each.startswith("http://localhost:")]
    settings = replace(settings, addresses=tuple(found))
    if as_json:
        facts = {"address": address, "addresses": addresses, "code": settings.allow_code}
        line = json.dumps(facts)
    else:
        line = f"Petteia's laboratory is at {' and '.join(addresses)} (Ctrl-C ends it)"
    config = uvicorn.Config(
        application(settings), log_level="error", access_log=False, server_header=False,
        ws_max_size=settings.limits.frame, ws_max_queue=16, timeout_graceful_shutdown=2,
        timeout_keep_alive=30, ws="websockets-sansio", limit_concurrency=2000,
        # Any client could write any address into those headers.
        proxy_headers=False,
    )  # fmt: skip
    server = _Server(config, line)
    if open_page:
        import threading
        import webbrowser

        threading.Timer(0.7, webbrowser.open, (address,)).start()
    asyncio.run(server.serve(sockets=[listener]))
    if not server.started:
        print("petteia: the laboratory could not start", file=sys.stderr)
        sys.exit(1)
