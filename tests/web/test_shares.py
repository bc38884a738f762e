"""Jobs have owners, every visitor a share of the queue, and visitors take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from petteia import games
from petteia.arena.store import Store
from petteia.core.errors import PetteiaError
from petteia.web.measuring import Job, Measuring
from petteia.web.messages import workers as m
from petteia.web.messages.searches import Chosen
from petteia.web.pool import Busy, Pool
from petteia.web.room import packed
from petteia.web.seats import NotYours
from petteia.web.settings import Limits, Settings
from tests.web.conftest import Served, run_aside

SMALL = "breakthrough(columns=4, rows=5)"
LONG: dict[str, Any] = {"game": SMALL, "agents": ["random", "random"], "pairs": 100_000}
OTHER = {"cookie": "petteia_visitor=somebody_else_1234"}
STUDY = m.StudyJob(name="x")


def test_a_job_is_stopped_by_who_began_it(lab: Served) -> None:
    job = lab.post("/api/matches", LONG)
    path = lab.address + f"api/jobs/{job['id']}"
    assert job["mine"] is True
    seen = httpx.get(path, headers=OTHER).json()
    assert (seen["id"], seen["mine"]) == (job["id"], False)
    assert httpx.get(lab.address + "api/jobs", headers=OTHER).json() == {"jobs": []}
    for deed in ("stop", "resume"):
        refused = httpx.post(f"{path}/{deed}", headers=OTHER)
        assert refused.status_code == 403
        assert "\n" not in refused.json()["detail"]
    listed = lab.client.get("/api/jobs").json()["jobs"]
    assert (listed[0]["id"], listed[0]["mine"]) == (job["id"], True)
    assert lab.post(f"/api/jobs/{job['id']}/stop", {})["state"] == "stopped"
    assert httpx.post(f"{path}/resume", headers=OTHER).status_code == 403


def test_one_visitor_cannot_fill_the_queue(lab: Served) -> None:
    jobs = [lab.post("/api/matches", LONG) for _ in range(Limits().measuring_each)]
    refused = lab.client.post("/api/matches", json=LONG)
    assert refused.status_code == 429
    assert "of your series" in refused.json()["detail"]
    theirs = httpx.post(lab.address + "api/matches", json=LONG, headers=OTHER)
    assert theirs.status_code == 200
    for job in jobs:
        lab.post(f"/api/jobs/{job['id']}/stop", {})
    stopped = httpx.post(lab.address + f"api/jobs/{theirs.json()['id']}/stop", headers=OTHER)
    assert stopped.json()["state"] == "stopped"


class _Played(Measuring):
    """Notes whose turn it is, and plays nothing until it is told."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.order: list[str] = []
        self.go = asyncio.Event()

    async def _played(self, job: Job) -> None:
        self.order.append(job.owner)
        await self.go.wait()
        job.result = cast("Any", {})


async def _until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(50):
        while not done():
            await asyncio.sleep(0.01)


def test_visitors_take_turns() -> None:
    async def work() -> None:
        measuring = _Played(Settings())
        owners = ["a", "a", "a", "b", "b", "c"]
        jobs = [measuring.begin(STUDY, owner) for owner in owners]
        await _until(lambda: bool(measuring.order))
        measuring.go.set()
        await _until(lambda: all(job.state == "finished" for job in jobs))
        assert measuring.order == ["a", "b", "c", "a", "b", "a"]

    run_aside(work)


def test_those_who_come_new_do_not_overtake_for_ever() -> None:
    async def work() -> None:
        measuring = _Played(Settings())
        jobs = [measuring.begin(STUDY, owner) for owner in ("a", "b", "x1", "x2", "b", "x3")]
        await _until(lambda: bool(measuring.order))
        measuring.go.set()
        await _until(lambda: all(job.state == "finished" for job in jobs))
        assert measuring.order == ["a", "b", "x1", "x2", "x3", "b"]

    run_aside(work)


def test_an_address_leaves_places_for_others() -> None:
    async def work() -> None:
        limits = Limits()
        measuring = _Played(Settings(limits=limits))
        begun = 0
        with pytest.raises(Busy):  # noqa: PT012  (which of them is refused is counted)
            for number in range(100):
                measuring.begin(STUDY, f"v{number}", "1.2.3.4")
                begun += 1
        assert begun == limits.measuring_queue - limits.measuring_each
        for _ in range(limits.measuring_each):
            measuring.begin(STUDY, "w", "5.6.7.8")
        with pytest.raises(Busy):
            measuring.begin(STUDY, "u", "9.9.9.9")
        await measuring.close()

    run_aside(work)


def test_old_jobs_of_the_busiest_are_forgotten_first() -> None:
    async def work() -> None:
        measuring = _Played(Settings())
        measuring.go.set()
        quiet = measuring.begin(STUDY, "quiet")
        for _ in range(120):
            job = measuring.begin(STUDY, "busy")
            measuring.stop(job)
        await _until(lambda: quiet.state == "finished")
        assert measuring.of("quiet") == [quiet]
        assert len(measuring.jobs) <= 50
        await measuring.close()

    run_aside(work)


def test_a_series_is_gone_on_with_by_who_began_it() -> None:
    async def work() -> None:
        measuring = _Played(Settings())
        wish = m.MatchJob(game=SMALL, agents=["random", "random"], pairs=1, series=7)
        job = measuring.begin(wish, "a")
        with pytest.raises(Exception, match="is being played"):
            measuring.begin(wish, "b")
        measuring.stop(job)
        with pytest.raises(NotYours):
            measuring.begin(wish, "b")
        measuring.begin(wish, "a")
        await measuring.close()

    run_aside(work)


@pytest.mark.slow
def test_a_long_series_makes_way_and_goes_on(tmp_path: Path) -> None:
    async def work() -> None:
        hasty = Settings(store=tmp_path / "s.db", workers=1, limits=Limits(turn=0.2))
        measuring = Measuring(hasty)
        match = m.MatchJob(**LONG, seed=1, opening="random(plies=2)")
        long = measuring.begin(match, "a")
        await _until(lambda: long.series is not None and long.is_due)
        short = measuring.begin(match.model_copy(update={"pairs": 1}), "b")
        measuring.settings = replace(hasty, limits=Limits())
        await _until(lambda: short.state == "finished")
        played, number = long.news.get("done", 0), long.series
        await _until(lambda: long.state == "running" and long.news.get("done", 0) > played)
        assert long.series == number
        measuring.stop(long)
        await _until(lambda: not long.is_playing)
        with Store(tmp_path / "s.db") as store:
            assert len(store.series()) == 2
        await measuring.close()

    run_aside(work)


def test_a_search_without_an_end_is_ended() -> None:
    game = games.make("breakthrough")

    async def work() -> None:
        pool = Pool(1, Limits(seconds=0.2))
        endless = m.Choose(
            game=str(game), agent="minimax(depth=60)", positions=packed([game.start()]), player=0
        )
        try:
            with pytest.raises(PetteiaError, match="found no move in the time"):
                await pool.run(endless, Chosen, visitor="a")
            # The process was not lost over it.
            quick = endless.model_copy(update={"agent": "random"})
            answer = await pool.run(quick, Chosen, visitor="a")
        finally:
            await pool.close()
        moves = [game.move_text(game.start(), move) for move in game.legal_moves(game.start())]
        assert answer["move"] in moves

    run_aside(work)


def test_what_waits_is_not_begun_while_the_server_ends() -> None:
    async def work() -> None:
        measuring = _Played(Settings())
        for owner in ("a", "b", "c"):
            measuring.begin(STUDY, owner)
        await _until(lambda: bool(measuring.order))
        await measuring.close()
        await asyncio.sleep(0)
        await _until(lambda: not measuring._tasks)
        assert measuring.order == ["a"]

    run_aside(work)


def test_an_analysis_uses_all_processors_only_while_nobody_else_searches() -> None:
    sent: list[m.Values] = []

    async def work() -> None:
        go_on = asyncio.Event()

        class Slow:
            is_alive, serves = True, ""

            def send(self, task: m.Values) -> None:
                self.n = task.n
                sent.append(task)

            async def receive(self) -> m.News:
                await go_on.wait()
                return m.Done(n=self.n, done={})

        class Staffed(Pool):
            async def _worker(self, serves: str) -> Any:
                return Slow()

        pool = Staffed(2, Limits())
        task = m.Values(game="breakthrough", agent="engine", positions=[])
        asked = []
        for visitor in ("a", "b"):
            asked.append(asyncio.ensure_future(pool.run(task, dict, visitor=visitor)))
            await _until(lambda: len(sent) == len(asked))
        go_on.set()
        await asyncio.gather(*asked)

    run_aside(work)
    assert [task.threads for task in sent] == [2, 1]
