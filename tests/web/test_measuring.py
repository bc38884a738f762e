"""Matches, tournaments and studies from the page, and the store that keeps them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws

from petteia.arena.executors import kept_open, workers
from petteia.arena.store import Store
from petteia.studies import frame
from petteia.studies.frame import Measurement, Study
from petteia.web import jobs
from petteia.web.messages import workers as m
from tests.started import running
from tests.web.conftest import Served

SMALL = "breakthrough(columns=4, rows=5)"


def _ended(lab: Served, job: dict[str, Any], seconds: float = 120) -> dict[str, Any]:
    """Watches a job to its end over the WebSocket."""
    deadline = time.monotonic() + seconds
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "measure", "job": job["id"]}))
        while time.monotonic() < deadline:
            part = json.loads(socket.recv(seconds))["part"]
            if part["state"] not in ("waiting", "running"):
                found: dict[str, Any] = part
                return found
    raise AssertionError("the job did not end")


def test_a_match_is_played_and_kept(lab: Served) -> None:
    wish = {"game": SMALL, "agents": ["greedy", "random"], "pairs": 4, "seed": 3}
    job = _ended(lab, lab.post("/api/matches", wish))
    assert job["state"] == "finished", job
    result = job["result"]
    assert result["games"] == 8
    assert result["wins"] + result["draws"] + result["losses"] == 8
    listed = lab.client.get("/api/series", params={"agent": "greedy"}).json()["series"]
    assert listed[0]["id"] == result["series"]
    assert listed[0]["score"] == result["score"]
    series = lab.client.get(f"/api/series/{result['series']}").json()
    assert len(series["list"]) == 8
    # The chart ends where the table stands.
    assert len(series["course"]) == 4
    assert series["course"][-1] == pytest.approx([result["score"], *result["interval"]])
    place = series["list"][0]["place"].split("/")
    game = lab.client.get(f"/api/series/{place[0]}/games/{place[1]}/{place[2]}").json()
    line = lab.post("/api/line", {"game": game["game"], "moves": game["moves"]})
    assert line["over"] is True


def test_a_stopped_match_goes_on(lab: Served) -> None:
    wish = {"game": SMALL, "agents": ["greedy", "random"], "pairs": 4000, "seed": 4}
    job = lab.post("/api/matches", wish)
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "measure", "job": job["id"]}))
        while "facts" not in (part := json.loads(socket.recv(60))["part"])["news"]:
            assert part["state"] in ("waiting", "running"), part
    number = part["news"]["facts"]["series"]
    assert lab.post(f"/api/jobs/{job['id']}/stop", {})["state"] == "stopped"
    deadline = time.monotonic() + 30
    while lab.client.get(f"/api/series/{number}").json()["state"] != "stopped":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    played = lab.client.get(f"/api/series/{number}").json()["games"]
    assert 0 < played < 8000
    while 2 * (stood := lab.client.get(f"/api/jobs/{job['id']}").json()["news"])["done"] != played:
        assert time.monotonic() < deadline, stood
    again = lab.post(f"/api/jobs/{job['id']}/resume", {})
    assert again["id"] == job["id"]
    before = part["news"]["done"]
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "measure", "job": again["id"]}))
        while (part := json.loads(socket.recv(60))["part"])["news"]["done"] <= before:
            assert part["state"] in ("waiting", "running"), part
    lab.post(f"/api/jobs/{again['id']}/stop", {})
    assert part["news"]["facts"]["series"] == number


def test_a_restart_loses_no_job(started: Callable[..., Served], tmp_path: Path) -> None:
    store = str(tmp_path / "kept.db")
    served = started(store=store)
    wish = {"game": SMALL, "agents": ["greedy", "random"], "seed": 4}
    done = _ended(served, served.post("/api/matches", {**wish, "pairs": 2}))
    running = served.post("/api/matches", {**wish, "pairs": 4000})
    waiting = served.post("/api/matches", {**wish, "pairs": 3})
    cookies = {"petteia_visitor": served.visitor}
    while not (news := _first_news(served, running)).get("facts"):
        pass
    served.stop(signal.SIGKILL)
    again = started(store=store)
    again.client.cookies.update(cookies)
    listed = again.client.get("/api/jobs").json()["jobs"]
    assert [job["id"] for job in listed] == [waiting["id"], running["id"], done["id"]]
    assert [job["state"] for job in listed] == ["stopped", "stopped", "finished"]
    assert listed[2]["result"] == done["result"]
    assert listed[1]["news"]["facts"]["series"] == news["facts"]["series"]
    assert listed[1]["news"]["done"] >= news["done"] > 0  # what was seen is not taken back
    assert again.post(f"/api/jobs/{waiting['id']}/resume", {})["id"] == waiting["id"]
    assert _ended(again, waiting)["result"]["games"] == 6


def test_a_job_stops_although_the_signal_was_ignored_by_whoever_started_us() -> None:
    match = m.MatchJob(game=SMALL, agents=["random", "random"], pairs=10**6, seed=1)
    wish = m.Work(job=match, store=None, workers="serial")
    ignoring = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from petteia.web.jobs import main; main()"
    )
    pipe = subprocess.PIPE
    with running([sys.executable, "-c", ignoring], stdin=pipe, stdout=pipe, text=True) as job:
        assert job.stdin is not None
        assert job.stdout is not None
        job.stdin.write(wish.model_dump_json() + "\n")
        job.stdin.flush()
        while "progress" not in job.stdout.readline():
            assert job.poll() is None
        job.send_signal(signal.SIGINT)
        assert json.loads(job.communicate(timeout=60)[0].splitlines()[-1]) == {"kind": "stopped"}
        assert job.returncode == 0


@pytest.mark.parametrize("kind", ["tournament", "tune"])
def test_a_stopped_job_goes_on(lab: Served, kind: str) -> None:
    agent = "greedy(eval=offensive2)"
    wish: dict[str, Any] = {"game": SMALL, "agents": ["greedy", "random"], "pairs": 3000, "seed": 8}
    path = "/api/tournaments"
    if kind == "tune":
        path = "/api/tunings"
        wish = {"game": SMALL, "agent": agent, "against": agent, "budget": 100_000, "series": 10}
    job = lab.post(path, wish)
    done = _first_news(lab, job)["done"]
    assert lab.client.post(f"/api/jobs/{job['id']}/resume", json={}).status_code == 400
    lab.post(f"/api/jobs/{job['id']}/stop", {})
    again = lab.post(f"/api/jobs/{job['id']}/resume", {})
    news = _first_news(lab, again)
    lab.post(f"/api/jobs/{again['id']}/stop", {})
    assert news["done"] > 0
    if kind == "tournament":  # it begins with what was done before
        assert news["done"] >= done


def _first_news(lab: Served, job: dict[str, Any]) -> dict[str, Any]:
    with ws.connect(lab.socket) as socket:
        socket.send(json.dumps({"id": 1, "do": "measure", "job": job["id"]}))
        while not (part := json.loads(socket.recv(120))["part"])["news"].get("done"):
            assert part["state"] in ("waiting", "running"), part
    news: dict[str, Any] = part["news"]
    return news


def test_a_tournament_has_a_table_and_ratings(lab: Served) -> None:
    wish = {"game": SMALL, "agents": ["random", "greedy", "alphabeta(depth=2)"], "pairs": 2}
    result = _ended(lab, lab.post("/api/tournaments", wish))["result"]
    assert len(result["ratings"]) == 3
    assert result["table"][0][0] is None
    assert result["table"][0][1] == pytest.approx(1 - result["table"][1][0])


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/api/matches", {"game": SMALL, "agents": ["random", "nobody"]}, "unknown agent"),
        (
            "/api/matches",
            {"game": SMALL, "agents": ["random", "random"], "opening": "x"},
            "opening",
        ),
        ("/api/tournaments", {"game": SMALL, "agents": ["random", "random"]}, "differ"),
        ("/api/studies", {"name": "nothing"}, "unknown study"),
        ("/api/series/999999/resume", {}, "no series"),
    ],
)
def test_wrong_wishes_are_told(lab: Served, path: str, body: Any, words: str) -> None:
    answer = lab.client.post(path, json=body)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert "store.db" not in answer.text


def test_a_study_begins_and_stops(lab: Served) -> None:
    names = [each["name"] for each in lab.client.get("/api/studies").json()["studies"]]
    assert names
    job = lab.post("/api/studies", {"name": names[0], "quick": True})
    # Only that it begins and can be stopped: a whole study takes a minute.
    state = lab.post(f"/api/jobs/{job['id']}/stop", {})["state"]
    assert state == "stopped"
    assert lab.client.get(f"/api/jobs/{job['id']}/report").status_code == 404


def test_a_study_of_the_page_takes_its_measurements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = Measurement("count", "counting", lambda quick, seed: [quick, seed])
    study = Study("tiny", "Tiny", "One thing.", (), (lambda _, told: dict(told),), (part,))
    monkeypatch.setattr(frame, "find", lambda name: study)
    job = m.StudyJob(name="tiny", seed=3)
    said: list[Any] = []
    with Store(tmp_path / "lab.db") as store, kept_open(workers("serial")) as serial:
        facts = jobs._study(job, store, serial, said.append)
    assert facts["findings"] == {"count": [True, 3]}
    told = said[-1]
    assert (told["done"], told["total"], told["facts"]["title"]) == (1, 1, "counting")


def test_weights_are_tuned_and_confirmed(lab: Served) -> None:
    agent = "greedy(eval=offensive2)"
    wish = {"game": SMALL, "agent": agent, "against": agent, "series": 10}
    job = lab.post("/api/tunings", {**wish, "budget": 40, "confirm": 4})
    ended = _ended(lab, job)
    assert ended["state"] == "finished", ended
    assert set(ended["result"]["weights"]) >= {"my", "opp"}
    assert ended["report"] is True
    report = lab.client.get(f"/api/jobs/{job['id']}/report")
    assert "sandbox" in report.headers["content-security-policy"]
    wrong = lab.client.post("/api/tunings", json={**wish, "method": "guessing"})
    assert wrong.status_code == 400
