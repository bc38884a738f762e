"""Processes that die, fail, and are not waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, wait
from pathlib import Path

import pytest

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers, workers
from petteia.arena.processes import ProcessExecutor
from petteia.arena.series import run_series

SMALL = "breakthrough(columns=4, rows=5)"
CONTEST = Contest(SMALL, "engine(nodes=200)", "random", seed=3)


def _die_once(marker: str) -> int:
    path = Path(marker)
    if not path.exists():
        path.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail(text: str) -> None:
    raise LookupError(text)


class _Stubborn(Exception):
    def __reduce__(self) -> str:
        raise TypeError("this does not travel")


def _fail_badly() -> None:
    raise _Stubborn("lost on the way")


def test_work_is_done_in_other_processes_and_comes_back_in_order() -> None:
    with ProcessExecutor(2) as pool:
        assert list(pool.map(pow, [2] * 20, range(20))) == [2**n for n in range(20)]
        pids = {pool.submit(os.getpid).result() for _ in range(8)}
    assert os.getpid() not in pids


def test_a_killed_process_is_replaced_and_its_work_done_again(tmp_path: Path) -> None:
    with ProcessExecutor(2) as pool:
        found = [pool.submit(_die_once, str(tmp_path / str(n))) for n in range(3)]
        assert all(future.result(timeout=60) for future in found)


def test_work_that_always_kills_its_process_is_given_back() -> None:
    with ProcessExecutor(1) as pool:
        with pytest.raises(BrokenExecutor):
            pool.submit(_die).result(timeout=60)
        assert pool.submit(abs, -3).result(timeout=60) == 3  # the next process is a good one


def test_mistakes_come_back_with_their_place() -> None:
    with ProcessExecutor(1) as pool:
        with pytest.raises(LookupError, match="no such thing") as error:
            pool.submit(_fail, "no such thing").result()
        assert "in _fail" in error.value.__notes__[0]
        with pytest.raises(RuntimeError, match="lost on the way"):
            pool.submit(_fail_badly).result()


def test_who_leaves_by_an_exception_does_not_wait() -> None:
    futures = []
    with pytest.raises(ZeroDivisionError), ProcessExecutor(2) as pool:  # noqa: PT012
        pool.submit(abs, 1).result()
        futures = [pool.submit(time.sleep, 86400) for _ in range(6)]
        raise ZeroDivisionError
    assert wait(futures, timeout=60).not_done == set()
    assert all(future.cancelled() or future.exception() for future in futures)
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.submit(abs, 1)


def _children() -> set[int]:
    """The worker processes of this one."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except (OSError, ValueError, IndexError):
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_killing_workers_at_any_moment_changes_nothing() -> None:
    *_, plain = run_series(CONTEST, 60, workers("serial"))
    done = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        before = _children()
        while not done.wait(0.4 + 0.05 * (len(killed) % 5)):
            for pid in sorted(_children() - before)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            if len(killed) == 4:
                return

    where = Workers(2, lambda: ProcessExecutor(2))
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        *_, found = run_series(CONTEST, 60, where)
        while not killed:  # the series was over before the first blow
            *_, found = run_series(CONTEST, 60, where)
    finally:
        done.set()
        killer.join()
    assert killed
    assert [g.record for p in found.pairs for g in p.games] == [
        g.record for p in plain.pairs for g in p.games
    ]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_workers_end_with_a_parent_that_is_killed() -> None:
    host = (
        "import os, time\n"
        "from petteia.arena.processes import ProcessExecutor\n"
        "pool = ProcessExecutor(1)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "pool.submit(time.sleep, 86400)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", host], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        worker = Path("/proc", process.stdout.readline().strip())
        assert worker.exists()
        process.kill()
    deadline = time.monotonic() + 30
    while worker.exists():
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.01)
