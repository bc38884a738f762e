"""Makes the pictures of the laboratory anew: ``python docs/screenshots.py``.

Needs Chromium and playwright. The pictures go to ``docs/images``; ``lab.md`` shows them.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 800}
OPENING = "b2a3 g7h6 d2c3 e7d6 c3d4 f7e6 e2f3 b7c6"


def _table(page: Page, address: str, game: str, *, moves: str = "", people: bool = True) -> str:
    """The address of a new table, at which the page's visitor sits."""
    players = ["person", "greedy"] if people else ["random", "random"]
    wish = {"game": game, "players": players, "seed": 7, "moves": moves.split()}
    answer = page.request.post(f"{address}api/tables", data=wish)
    return f"{address}#/table/{answer.json()['id']}"


def home(page: Page, address: str) -> None:
    """The first page."""
    page.goto(address)
    page.locator(".card").first.wait_for()


def hint(page: Page, address: str) -> None:
    """A game with a hint."""
    page.goto(_table(page, address, "breakthrough", moves=OPENING))
    page.locator(".source").first.wait_for()
    page.keyboard.press("h")
    page.get_by_text("engine(").wait_for()


def review(page: Page, address: str) -> None:
    """A finished game, reviewed."""
    page.goto(_table(page, address, "breakthrough(columns=6, rows=6)", people=False))
    page.locator(".status.over").wait_for(timeout=180_000)
    page.get_by_role("button", name="Review").click()
    page.locator(".review table").first.wait_for()
    page.get_by_role("button", name="next key moment").click()
    page.locator(".hero .arrow").first.wait_for()


def opponents(page: Page, address: str) -> None:
    """The opponents of a game."""
    page.goto(f"{address}#/new?game=ur")
    page.locator(".level").first.wait_for()


def rules(page: Page, address: str) -> None:
    """The rules beside a board."""
    page.goto(_table(page, address, "checkers"))
    page.get_by_role("button", name="Rules").click()
    page.locator(".exercise .source").first.scroll_into_view_if_needed()


def analyse(page: Page, address: str) -> None:
    """The shares of an evaluation."""
    agent = quote("alphabeta(depth=4, eval=offensive2)")
    page.goto(f"{address}#/analyse?game=breakthrough&moves={quote(OPENING)}&agent={agent}")
    page.locator(".shares tr", has_text="my avg").hover()


def measure(page: Page, address: str) -> None:
    """A match."""
    page.goto(f"{address}#/measure")
    form = page.locator("form.card").first
    form.locator("select[name=game]").select_option("breakthrough")
    form.get_by_role("textbox", name="First agent").fill("alphabeta(depth=3)")
    form.get_by_role("textbox", name="Second agent").fill("greedy")
    form.get_by_label("stop once").check()
    page.get_by_role("button", name="Begin the match").click()
    page.locator(".status", has_text="Finished").wait_for(timeout=180_000)
    page.wait_for_timeout(4000)


def flow(page: Page, address: str) -> None:
    """A puzzle with a hint."""
    page.goto(f"{address}#/flow?pack=8-medium&n=1")
    page.locator(".dot-of").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint").wait_for()


def game_of(name: str) -> Callable[[Page, str], None]:
    """A table of a game after a few moves."""

    def shown(page: Page, address: str) -> None:
        page.goto(_table(page, address, name))
        page.locator(".source, .option").first.wait_for()
        for turn in range(60):
            if page.locator(".ply").count() > 12 or page.locator(".status.over").count():
                break
            page.wait_for_timeout(150)
            places = [".choice:not([hidden]) button", ".option", ".target", ".source"]
            for place in places:
                found = page.locator(place)
                if found.count():
                    found.nth((5 * turn) % found.count()).click()
                    break

    return shown


def pictures(names: list[str]) -> list[tuple[str, Any, Any, Any]]:
    """Every picture: its name, the window, light or dark, and how to get there."""
    found: list[tuple[str, Any, Any, Any]] = [
        ("lab-home", DESK, "light", home),
        ("lab-opponents", {"width": 1280, "height": 960}, "light", opponents),
        ("lab-rules", DESK, "light", rules),
        ("lab-play", DESK, "light", hint),
        ("lab-play-dark", DESK, "dark", hint),
        ("lab-play-phone", PHONE, "light", hint),
        ("lab-review", DESK, "light", review),
        ("lab-analyse", DESK, "dark", analyse),
        ("lab-measure", DESK, "light", measure),
    ]
    found += [(f"lab-{name}", DESK, "light", game_of(name)) for name in names]
    return [*found, ("lab-flow", DESK, "light", flow)]


def main() -> None:
    """Makes all pictures, or those whose names are given."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.exit("no Chromium here; on Debian: apt install chromium")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "petteia", "lab", "--port", "0", "--json"]
        store = ["--store", str(Path(folder) / "lab.db")]
        server = subprocess.Popen([*command, *store], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            known = httpx.get(f"{address}api/games", timeout=60).json()
            names = [game["name"] for game in known["games"] if game["name"] != "breakthrough"]
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            for name, size, scheme, script in pictures(names):
                if len(sys.argv) > 1 and name not in sys.argv[1:]:
                    continue
                page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
                page.set_default_timeout(90_000)
                script(page, address)
                page.wait_for_timeout(400)
                page.screenshot(path=IMAGES / f"{name}.png")
                page.close()
                print(name)
            browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)


if __name__ == "__main__":
    main()
