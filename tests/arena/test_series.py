"""A series is the same wherever and however it is played."""

from __future__ import annotations

import os
import signal
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

from petteia.arena.contest import Contest
from petteia.arena.executors import SerialExecutor, Workers, workers
from petteia.arena.match import Adjudication, MatchResult, Pair
from petteia.arena.series import run_series
from petteia.core.errors import PetteiaError

SMALL = "breakthrough(columns=4, rows=5)"
CONTEST = Contest(SMALL, "engine(nodes=200)", "mcts(simulations=20)", seed=3)


def _games(contest: Contest, pairs: int, where: Workers, **options: Any) -> list[Any]:
    *_, result = run_series(contest, pairs, where, **options)
    return [game.record for pair in result.pairs for game in pair.games]


@pytest.fixture(scope="module")
def expected() -> list[Any]:
    return _games(CONTEST, 8, workers("serial"))


def test_two_processes_give_what_one_gives(expected: list[Any]) -> None:
    assert _games(CONTEST, 8, workers("2")) == expected


@pytest.mark.slow
def test_a_dask_cluster_of_three_processes_gives_the_same(expected: list[Any]) -> None:
    assert _games(CONTEST, 8, workers(cluster="local:3")) == expected


@pytest.mark.slow
def test_a_dask_worker_that_is_killed_changes_nothing(expected: list[Any]) -> None:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())
        where = Workers(2, lambda: nullcontext(client.get_executor(pure=False, retries=3)))
        found: list[Any] = []
        for step, result in enumerate(run_series(CONTEST, 8, where)):
            if step == 0:
                os.kill(pids[0], signal.SIGKILL)
            found = [game.record for pair in result.pairs for game in pair.games]
    assert found == expected


class Dying(SerialExecutor):
    """Breaks at its third job, like a pool whose worker was killed."""

    def __init__(self) -> None:
        self.jobs = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.jobs += 1
        if self.jobs == 3:
            future: Future[Any] = Future()
            future.set_exception(BrokenExecutor("a worker died"))
            return future
        return super().submit(fn, *args, **kwargs)


def test_work_of_a_worker_that_died_is_done_again(expected: list[Any]) -> None:
    made: list[Executor] = []

    def make() -> AbstractContextManager[Executor]:
        made.append(Dying() if len(made) < 2 else SerialExecutor())
        return nullcontext(made[-1])

    assert _games(CONTEST, 8, Workers(2, make)) == expected
    assert len(made) == 3


def test_workers_that_always_die_end_the_series_with_a_word() -> None:
    def make() -> AbstractContextManager[Executor]:
        dying = Dying()
        dying.jobs = 2
        return nullcontext(dying)

    with pytest.raises(PetteiaError, match="fewer workers"):
        _games(CONTEST, 8, Workers(2, make))


def test_known_pairs_are_not_played_again(expected: list[Any]) -> None:
    *_, whole = run_series(CONTEST, 8, workers("serial"))
    known = [pair for pair in whole.pairs if pair.index in (0, 2, 3, 6)]
    kept: list[int] = []

    def keep(pairs: list[Pair]) -> None:
        kept.extend(pair.index for pair in pairs)

    *_, result = run_series(CONTEST, 8, workers("serial"), known=known, keep=keep)
    assert sorted(kept) == [1, 4, 5, 7]
    assert [g.record for pair in result.pairs for g in pair.games] == expected


def test_a_stop_rule_sees_every_prefix_in_order() -> None:
    seen: list[int] = []

    def stop(result: MatchResult) -> bool:
        seen.append(len(result.pairs))
        return len(result.pairs) == 3

    *_, result = run_series(CONTEST, 8, workers("serial"), stop=stop)
    assert seen == [1, 2, 3]
    assert len(result.pairs) == 3


def test_adjudication_ends_games_early_and_says_so() -> None:
    plain = Contest(SMALL, "engine(nodes=300)", "engine(nodes=100)", seed=1)
    judged = Contest(
        SMALL, "engine(nodes=300)", "engine(nodes=100)", seed=1,
        adjudication=Adjudication(900_000, 2),
    )  # fmt: skip
    long, short = (_games(contest, 5, workers("serial")) for contest in (plain, judged))
    assert sum(len(r.plies) for r in short) < sum(len(r.plies) for r in long)
    assert [r.result for r in short] == [r.result for r in long]
    assert any(key == "Adjudicated" for r in short for key, _ in r.headers)


@pytest.mark.parametrize(
    ("wish", "cluster", "what"),
    [
        ("many", "", "serial, or a number"),
        ("0", "", "serial, or a number"),
        ("2", "local:2", "not both"),
        ("", "local:x", "for instance local:3"),
        ("", "somewhere", "is not an address"),
    ],
)
def test_wrong_wishes_are_explained(wish: str, cluster: str, what: str) -> None:
    with pytest.raises(PetteiaError, match=what):
        workers(wish, cluster)


@pytest.mark.parametrize("opening", ["randm", "random(plys=3)", "random(plies=-1)", "none(x=1)"])
def test_wrong_openings_are_explained(opening: str) -> None:
    with pytest.raises(PetteiaError):
        Contest(SMALL, "random", "random", opening=opening).checked()


def test_openings_are_named_in_full() -> None:
    assert Contest(SMALL, "random", "random").checked().opening == "random(plies=4)"
    assert Contest(SMALL, "random", "random", opening="none").checked().opening == "none"
