"""The engine in a browser beside the same engine in this process, in one run.

    python benchmarks/browser.py

For each game both search the same positions with the same limit of nodes, in turn, in headless
Chromium and natively, with one thread each; they find the same. Then a table is opened by browsers
that have never seen it, and a hint is asked for at once: how long until its first moves are shown.
The laboratory is started for the measurement and ends with it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import sync_playwright

from petteia import games
from petteia.core.record import parse_ply
from petteia.core.replay import positions as positions_of
from petteia.search.engine import EngineAgent
from petteia.web import engine_tasks

_LINES = {
    "breakthrough": ["", "a2a3 h7h6 b2b3 g7g6 d2d3 c7c6"],
    "checkers": ["", "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x11 7x16 20x11"],
}
_SEARCH = """(task) => new Promise((done, failed) => {
    const worker = new Worker("/static/engine.js", { type: "module" });
    worker.onmessage = ({ data }) => {
        if (data.error) failed(new Error(data.error));
        if (data.done) { worker.terminate(); done(data); }
    };
    worker.postMessage({ task, of: "benchmark" });
})"""
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]


def compared(page: Any, name: str, nodes: int, rounds: int) -> dict[str, Any]:
    """Nodes a second of both, and the median of their ratios, round by round."""
    game = games.make(name)
    native: list[float] = []
    browser: list[float] = []
    EngineAgent(game).prepare(game.start())
    for _ in range(rounds):
        for words in _LINES[name]:
            line = positions_of(game, "start", [parse_ply(word) for word in words.split()])
            agent = EngineAgent(game, nodes=nodes)
            told = page.evaluate(_SEARCH, engine_tasks.task(agent, line, most=600))
            browser.append(told["nodes"] / told["seconds"])
            question = agent.question(line[-1], 0)
            question.earlier = line[:-1] if game.repetitions else ()
            found = agent.search.ask(question)
            native.append(found.nodes / found.seconds)
            assert told["nodes"] == found.nodes
            assert told["found"][0]["value"] == found.best.value
    return {
        "native_nodes_per_second": round(statistics.median(native)),
        "browser_nodes_per_second": round(statistics.median(browser)),
        "ratio": statistics.median(b / n for b, n in zip(browser, native, strict=True)),
    }


def first_hint(browser: Any, address: str) -> float:
    """Seconds from the address of a table, with nothing in the cache, to the moves of a hint."""
    with httpx.Client(base_url=address) as client:
        wish = {"game": "breakthrough", "players": ["person", "engine(time=0.1)"]}
        table = client.post("/api/tables", json=wish).json()["id"]
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    began = time.perf_counter()
    page.goto(f"{address}#/table/{table}")
    page.get_by_role("button", name="Hint").click()
    page.locator(".ranked").first.wait_for()
    spent = time.perf_counter() - began
    context.close()
    return spent


def main() -> None:
    """Prints one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--nodes", type=int, default=3_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    wish = parser.parse_args()
    facts: dict[str, Any] = {"nodes": wish.nodes, "rounds": wish.rounds}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "petteia", "lab", "--port", "0", "--json"]
        store = ["--store", str(Path(folder) / "lab.db")]
        server = subprocess.Popen([*command, *store], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            program = shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
            page = browser.new_page()
            page.goto(address)
            for name in _LINES:
                # The server gives out the weights of those searches alone that a page asked for.
                asked = {"game": name, "start": "start", "moves": [], "agent": "engine(nodes=1000)"}
                httpx.post(f"{address}api/search", json=asked, timeout=60).raise_for_status()
                facts[name] = compared(page, name, wish.nodes, wish.rounds)
            hints = [first_hint(browser, address) for _ in range(wish.rounds)]
            facts["first_hint_seconds"] = {"median": statistics.median(hints), "worst": max(hints)}
            browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    print(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
