"""A laboratory in a process of its own, and a browser to look at it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from petteia import games
from petteia.solve import Control
from tests.started import usual_signals

Made = TypeVar("Made")

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def run_aside(work: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
    """Runs a coroutine in a thread of its own: a browser keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(lambda: asyncio.run(work())).result(60)


@dataclass
class Served:
    """A running laboratory."""

    process: subprocess.Popen[str]
    address: str
    log: Path
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.address, timeout=60)

    @property
    def visitor(self) -> str:
        """Who the laboratory takes this client for."""
        if "petteia_visitor" not in self.client.cookies:
            self.client.get("/health")
        return str(self.client.cookies["petteia_visitor"])

    @property
    def socket(self) -> str:
        """The address of its WebSocket."""
        return self.address.replace("http", "ws", 1) + "ws"

    def post(self, path: str, body: Any) -> dict[str, Any]:
        """What the laboratory answers to a request that it takes."""
        answer = self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Ends it and gives its status."""
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()


def start(folder: Path, *options: str, store: str = "") -> Served:
    """Starts a laboratory on any free port."""
    log = folder / "server.log"
    where = store or str(folder / "store.db")
    with log.open("a") as errors:
        process = subprocess.Popen(
            usual_signals([sys.executable, "-m", "petteia", "lab", "--port", "0", "--json",
                           "--store", where, *options]),
            stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "PETTEIA_CHECK_ANSWERS": "1"},
        )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        process.kill()
    assert line, log.read_text()
    return Served(process, json.loads(line)["address"], log)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A laboratory for all tests of a process; it must end well and without a traceback. It has
    the exact values of Ur with one piece and of checkers with two."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PETTEIA_TABLES", str(folder / "tables"))
        for spec in ("ur(pieces=1)", "checkers(pieces=2)"):
            games.solver(spec).solve(Control(), workers=1)
        served = start(folder)
    yield served
    assert served.stop() == 0
    assert "Traceback" not in served.log.read_text()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts laboratories that end with the test."""
    running: list[Served] = []

    def begin(*options: str, store: str = "") -> Served:
        running.append(start(tmp_path, *options, store=store))
        return running[-1]

    yield begin
    for served in running:
        served.stop(signal.SIGKILL)


def browser_program() -> str | None:
    """A Chromium of the system."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; without it the tests of pages are skipped."""
    program = browser_program()
    if program is None:
        pytest.skip("no Chromium here; on Debian: apt install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any, lab: Served) -> Iterator[Callable[..., Any]]:
    """Opens pages of the laboratory; none may leave an error in the console. They are the same
    visitor's as ``lab.client``'s, unless a stranger is asked for."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def heard(said: Any) -> None:
        # The browser itself notes a request that was refused; the page tells it in words.
        if said.type == "error" and "status of 400" not in said.text:
            complaints.append(said.text)

    def opened(
        path: str = "", *, width: int = 1280, height: int = 800, stranger: bool = False, **more: Any
    ) -> Any:
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, reduced_motion="reduce", **more)
        context.set_default_timeout(180_000)
        contexts.append(context)
        if not stranger:
            mine = {"name": "petteia_visitor", "value": lab.visitor, "url": lab.address}
            context.add_cookies([mine])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", heard)
        page.goto(lab.address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
