"""Fifty visitors at once: each plays Breakthrough against ``engine(time=0.1)`` in the laboratory.

    python benchmarks/lab.py --visitors 50 --seconds 30
    python benchmarks/lab.py --visitors 500 --pause 20 --browser

With ``--browser`` the agents' moves come from the visitors' pages: random ones, told after the
time of a search, so that the server's work is the same and the browsers' is left out.

Meanwhile other requests are timed. Before, where Chromium is installed, the first page is opened a
few times by browsers that have never seen it: how long until its games can be clicked. The
laboratory is started for the measurement and ends with it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import websockets.asyncio.client as ws

from petteia import games

_GAME = "breakthrough"
_RULES = games.make(_GAME)


class Counts:
    """What happened."""

    def __init__(self) -> None:
        self.moves = 0
        self.games = 0
        self.errors: list[str] = []
        self.answers: list[float] = []
        """Seconds from a person's move to the agent's."""
        self.others: list[float] = []
        """Seconds that other requests took."""


@dataclass(frozen=True)
class Crowd:
    """Those who play."""

    visitors: int
    agent: str
    seconds: float
    pause: float
    """Seconds that each thinks about a move, on average."""
    browser: bool
    """Whether their pages find the agents' moves."""


async def visitor(address: str, number: int, crowd: Crowd, until: float, counts: Counts) -> None:
    """Plays random moves, game after game, and hears of the answers over the WebSocket."""
    chance = random.Random(number)
    async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client:
        while time.monotonic() < until:
            wish = {"game": _GAME, "players": ["person", crowd.agent], "seed": number}
            await asyncio.sleep(chance.uniform(0, 2 * crowd.pause))
            first = await client.post("/api/tables", json=wish)
            table = first.json()["id"]
            cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
            path = address.replace("http", "ws", 1) + "ws"
            async with ws.connect(path, additional_headers={"Cookie": cookies}) as socket:
                watch = {"id": 1, "do": "watch", "table": table, "searches": crowd.browser}
                await socket.send(json.dumps(watch))
                state = await _heard(socket)
                while not state["over"] and time.monotonic() < until:
                    await asyncio.sleep(chance.uniform(0, 2 * crowd.pause))
                    move = chance.choice(state["view"]["actions"])["move"]
                    started, plies = time.monotonic(), len(state["plies"])
                    answer = await client.post(f"/api/tables/{table}/play", json={"move": move})
                    if answer.status_code != 200:
                        counts.errors.append(answer.text)
                        return
                    while not state["over"] and len(state["plies"]) < plies + 2:
                        state = await _heard(socket)
                        if state["problem"] and "busy" not in state["problem"]:
                            counts.errors.append(state["problem"])
                            return
                        if state["asked"]:
                            await _answer(client, table, state, chance)
                    counts.moves += 1
                    counts.answers.append(time.monotonic() - started)
            counts.games += state["over"]


async def _answer(
    client: httpx.AsyncClient, table: str, state: dict[str, Any], chance: random.Random
) -> None:
    """What a page does that finds the agent's move itself."""
    task = (await client.get(f"/api/tables/{table}/task")).json()["task"]
    if task is None:
        return
    await asyncio.sleep(task["seconds"])
    move = chance.choice(_RULES.legal_moves(_RULES.parse(state["view"]["text"])))
    told = {"serial": state["serial"], "move": str(move)}
    await client.post(f"/api/tables/{table}/answer", json=told)


async def _heard(socket: ws.ClientConnection) -> dict[str, Any]:
    news: dict[str, Any] = json.loads(await socket.recv())
    state: dict[str, Any] = news["part"]
    return state


async def others(address: str, until: float, counts: Counts) -> None:
    """Somebody else who only looks around."""
    paths = ["/health", "/api/tables", "/", "/static/board.js", f"/api/game?spec={_GAME}"]
    async with httpx.AsyncClient(base_url=address, timeout=60, verify=False) as client:
        number = 0
        while time.monotonic() < until:
            started = time.monotonic()
            answer = await client.get(paths[number % len(paths)])
            counts.others.append(time.monotonic() - started)
            if answer.status_code != 200:
                counts.errors.append(answer.text)
            number += 1
            await asyncio.sleep(0.05)


async def measured(address: str, crowd: Crowd) -> Counts:
    """The whole crowd, as long as it stays."""
    counts = Counts()
    until = time.monotonic() + crowd.seconds
    all_of_them = [
        visitor(address, number, crowd, until, counts) for number in range(crowd.visitors)
    ]
    await asyncio.gather(others(address, until, counts), *all_of_them)
    return counts


_CLICKABLE = """
const seen = () => {
    if (window.clickable || !document.querySelector(".card button.primary")) return;
    requestAnimationFrame(() => setTimeout(() => { window.clickable ??= performance.now() }));
};
new MutationObserver(seen).observe(document, {childList: true, subtree: true});
"""
"""Notes when the first game stands on the page, is painted, and the page is idle again."""
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]


def first_page(address: str, visits: int = 9) -> list[float]:
    """Milliseconds from the address to a page whose games can be clicked, with an empty cache."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        return []
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        for _ in range(visits):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            page.add_init_script(_CLICKABLE)
            page.goto(address)
            page.locator(".card button.primary").first.wait_for()
            while (noted := page.evaluate("window.clickable ?? null")) is None:
                page.wait_for_timeout(10)
            found.append(float(noted))
            context.close()
        browser.close()
    return found


def _percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    """Prints one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--agent", default="engine(time=0.1)")
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--browser", action="store_true")
    wish = Crowd(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "petteia", "lab", "--port", "0", "--json"]
        store = ["--store", str(Path(folder) / "lab.db")]
        server = subprocess.Popen([*command, *store], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            opened = first_page(address)
            first = replace(wish, visitors=2, seconds=10, pause=0)
            asyncio.run(measured(address, first))  # compiles, and starts processes
            counts = asyncio.run(measured(address, wish))
        finally:
            server.send_signal(signal.SIGTERM)
            status = server.wait(30)
    facts: dict[str, Any] = {
        "first_page_median_ms": statistics.median(opened) if opened else None,
        "first_page_worst_ms": max(opened, default=None),
        **asdict(wish),
        "moves": counts.moves,
        "games": counts.games,
        "errors": len(counts.errors),
        "first_error": counts.errors[0] if counts.errors else None,
        "answer_median_s": statistics.median(counts.answers),
        "answer_p95_s": _percentile(counts.answers, 0.95),
        "other_requests": len(counts.others),
        "other_median_ms": 1000 * statistics.median(counts.others),
        "other_p95_ms": 1000 * _percentile(counts.others, 0.95),
        "other_worst_ms": 1000 * max(counts.others),
        "status": status,
    }
    print(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
