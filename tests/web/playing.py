"""A game in the browser, for tests of pages."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Served

__all__ = ["SMALL", "Visit", "begin", "is_over", "play_on", "walk_the_review"]

SMALL = "breakthrough(columns=4, rows=5)"

Visit = Callable[..., Any]


def begin(lab: Served, page: Any, game: str = SMALL, **wish: Any) -> str:
    """Begins a game and opens its table; gives the table's name."""
    table = lab.post("/api/tables", {"game": game, "seed": 5, **wish})
    # The board of the game before stays in view until the new one is there.
    page.evaluate(
        "for (const each of document.querySelectorAll('.bench')) each.dataset.before = ''"
    )
    page.goto(f"{lab.address}#/table/{table['id']}")
    page.locator(".bench:not([data-before]) .cell").first.wait_for()
    return str(table["id"])


def is_over(page: Any) -> bool:
    """Whether the page says that the game has ended."""
    return bool(page.locator(".status.over").count())


_WAYS = (".option", ".choice button", ".target", ".source")
"""What can be clicked in the middle of a move, what ends it first."""


def play_on(page: Any, clicks: int = 3000, *, touch: bool = False) -> None:
    """Clicks or taps whatever can be clicked until the game is over.

    The page says whose turn it is: ``mine`` as long as a click is wanted, ``sent`` from the click
    that makes a move to the server's answer.
    """
    from playwright.sync_api import TimeoutError as Gone  # where there is a page, there is this

    turn = page.locator('[data-turn="mine"], [data-turn="over"]')
    for click in range(clicks):
        turn.wait_for()
        if is_over(page):
            return
        for way in _WAYS:
            found = page.locator(way).locator("visible=true")
            count = found.count()
            if count:
                chosen = found.nth((7 * click) % count)
                with contextlib.suppress(Gone):  # news came first
                    (chosen.tap if touch else chosen.click)(timeout=3000)
                break
    raise AssertionError("the game did not end")


def walk_the_review(page: Any) -> None:
    """Asks for the review of a game that is over, and walks to its last key moment."""
    page.get_by_role("button", name="Review").click()
    page.locator(".review table").first.wait_for()
    page.locator(".graph svg").wait_for()
    further = page.locator('[aria-label="next key moment"]:enabled')
    while further.count():
        further.click()
