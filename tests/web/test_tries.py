"""Who guesses the token waits longer and longer; who has it does not."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
import websockets.sync.client as ws

from petteia.web import tries
from petteia.web.tries import Tries, place_of
from tests.web.conftest import Served


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_wait_grows_and_ends() -> None:
    clock = _Clock()
    found = Tries(clock)
    waits = []
    for _ in range(14):
        found.wrong("there", "", 1)
        waits.append(found.wait("there", ""))
    assert waits == [0, 0, 0, 0, 0, 2, 4, 8, 16, 30, 30, 30, 30, 30]
    assert found.wait("elsewhere", "") == 0
    clock.now = 29.0
    assert found.wait("there", "") == 1
    clock.now = 30.0
    assert found.wait("there", "") == 0
    found.wrong("there", "", 1)
    assert found.wait("there", "") == 30
    clock.now += 600.0
    found.wrong("there", "", 1)
    assert found.wait("there", "") == 0


def test_who_came_in_before_is_not_kept_out() -> None:
    found = Tries(_Clock())
    found.right("known")
    found.wrong("there", "", 20)
    assert found.wait("there", "known") == 0
    assert found.wait("there", "stranger") == 30
    found.wrong("there", "known", 1)
    assert found.wait("there", "known") == 30


def test_little_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tries, "_MOST", 3)
    found = Tries(_Clock())
    for number in range(9):
        found.wrong(f"place {number}", "", 9)
        found.right(f"visitor {number}")
    assert [found.wait(f"place {number}", "") > 0 for number in range(9)] == [False] * 6 + [
        True
    ] * 3
    assert len(found._known) == 3


def test_addresses_that_one_guest_has_count_together() -> None:
    assert (
        place_of(("10.0.0.1", 5)) == place_of(("10.0.0.1", 6)) == place_of(("::ffff:10.0.0.1", 5))
    )
    assert place_of(("10.0.0.1", 5)) != place_of(("10.0.0.2", 5))
    assert place_of(("2001:db8::1", 5)) == place_of(("2001:db8::ffff:2", 5))
    assert place_of(("2001:db8::1", 5)) != place_of(("2001:db8:0:1::1", 5))
    assert place_of(("fe80::1%eth0", 5)) == place_of(("fe80::2", 5))
    assert place_of(None) == ""


def _guessed(served: Served, way: str, number: int) -> httpx.Response:
    wrong = f"guess{number}"
    if way == "query":
        return httpx.get(served.address, params={"token": wrong})
    headers = {"authorization": f"Bearer {wrong}"}
    if way == "cookie":
        headers = {"cookie": f"petteia_token={wrong}"}
    return httpx.get(served.address + "api/games", headers=headers)


def _kept_waiting(served: Served, way: str) -> httpx.Response:
    """Guesses until guesses are not looked at; how soon depends on the machine."""
    while (last := _guessed(served, way, 99)).status_code == 401:
        pass
    assert last.status_code == 429
    return last


@pytest.mark.parametrize("way", ["query", "bearer", "cookie"])
def test_guessing_is_slowed_down(started: Callable[..., Served], way: str) -> None:
    served = started("--token", "open sesame")
    right = {"authorization": "Bearer open sesame"}
    # Somebody who came in before.
    assert served.client.get("/api/games", headers=right).status_code == 200
    assert served.client.get("/api/games", headers=right).status_code == 200
    statuses = [_guessed(served, way, number).status_code for number in range(6)]
    assert statuses == [401] * 6
    last = _kept_waiting(served, way)
    assert 0 < int(last.headers["retry-after"]) <= 30
    assert "try again" in last.json()["detail"]
    # From there even the right one is not looked at, or guessing would go on ...
    fresh = httpx.get(served.address + "api/games", headers=right)
    assert fresh.status_code == 429
    _kept_waiting(served, way)
    with pytest.raises(Exception, match="403"):
        ws.connect(served.socket, additional_headers={"Authorization": "Bearer open sesame"})
    _kept_waiting(served, way)
    # ... and an address that somebody claims to have does not help,
    claimed = httpx.get(
        served.address + "api/games", headers={**right, "x-forwarded-for": "9.9.9.9"}
    )
    assert claimed.status_code == 429
    # but who came in before stays in, and who shows nothing is only asked.
    assert served.client.get("/api/games", headers=right).status_code == 200
    assert httpx.get(served.address).status_code == 401
    assert httpx.get(served.address + "health").status_code == 200


def test_guesses_over_the_socket_count(started: Callable[..., Served]) -> None:
    served = started("--token", "open sesame")
    for number in range(6):
        with pytest.raises(Exception, match="403"):
            ws.connect(served.socket, additional_headers={"Authorization": f"Bearer {number}"})
    assert _guessed(served, "bearer", 1).status_code == 429


def test_a_wrong_cookie_is_taken_away(started: Callable[..., Served]) -> None:
    served = started("--token", "open sesame")
    page = httpx.get(served.address, headers={"cookie": "petteia_token=old", "accept": "text/html"})
    assert page.status_code == 401
    assert "<form" in page.text
    assert "petteia_token=;" in page.headers["set-cookie"]
    assert "Max-Age=0" in page.headers["set-cookie"]
