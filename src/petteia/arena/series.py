"""A series: the pairs of a contest, played anywhere, counted in order.

The seeds of a pair come from its number, and results are taken in the order of the numbers, so
the answer is the same on one worker or a hundred, whole or resumed, and also when a worker dies
and its job runs again. (Agents limited by time think as far as the machine lets them.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Protocol

from petteia.arena.contest import Contest, Job, match_of, run_job
from petteia.arena.executors import Workers
from petteia.arena.match import MatchResult, Pair
from petteia.core.errors import PetteiaError

__all__ = ["Sink", "play_pairs", "run_series"]

_SECONDS_A_JOB = 1.0
_LONGEST_JOB = 200
_AHEAD = 6
"""Jobs under way for each worker: results are taken in order, and while a slow one is waited for
the others must not run out of work."""
_MOST_BREAKS = 2


class Sink(Protocol):
    """What keeps pairs as they are finished."""

    def __call__(self, pairs: list[Pair]) -> None: ...


class _Batches:
    """Cuts the open pairs into jobs of about a second."""

    def __init__(self, contest: Contest, pairs: list[int], count: int) -> None:
        self.contest = contest
        self.open = list(pairs)
        self.count = count
        self.pace = 0.0  # seconds a pair, as measured; 0 before the first

    def next(self) -> Job | None:
        if not self.open:
            return None
        size = 1 if self.pace == 0 else int(_SECONDS_A_JOB / self.pace)
        fair = -(-len(self.open) // (2 * self.count))
        size = max(1, min(size, fair, _LONGEST_JOB))
        taken, self.open = self.open[:size], self.open[size:]
        return Job(self.contest, tuple(taken))

    def done(self, job: Job, seconds: float) -> None:
        self.pace = max(seconds / len(job.pairs), 1e-6)


def _timed(job: Job) -> tuple[list[Pair], float]:
    started = time.perf_counter()
    return run_job(job), time.perf_counter() - started


def play_pairs(contest: Contest, pairs: list[int], workers: Workers) -> Iterator[list[Pair]]:
    """Plays the pairs of these numbers; gives them in this order, some at a time.

    When the executor breaks, because a worker was killed, it is made again and what was under
    way is played again.
    """
    if workers.count > 1:
        # Here first, so that specs are checked and kernels compiled once for all workers.
        match_of(contest)
    try:
        yield from _play_on(contest, pairs, workers)
    finally:
        match_of(contest).close()


def _play_on(contest: Contest, pairs: list[int], workers: Workers) -> Iterator[list[Pair]]:
    batches = _Batches(contest, pairs, workers.count)
    again: list[Job] = []
    for attempt in range(_MOST_BREAKS + 1):
        with workers.make() as executor:
            waiting: list[tuple[Job, Future[tuple[list[Pair], float]]]] = []
            try:
                yield from _play(executor, batches, again, waiting, _AHEAD * workers.count)
                return
            except BrokenExecutor:
                again = [job for job, _ in waiting]
                if attempt == _MOST_BREAKS:
                    raise PetteiaError(
                        "workers died again and again; perhaps memory is short: "
                        "try fewer workers or smaller tables"
                    ) from None
            finally:
                for _, future in waiting:
                    future.cancel()


def _play(
    executor: Executor,
    batches: _Batches,
    again: list[Job],
    waiting: list[tuple[Job, Future[tuple[list[Pair], float]]]],
    ahead: int,
) -> Iterator[list[Pair]]:
    todo = list(again)
    while True:
        while len(waiting) < ahead:
            job = todo.pop(0) if todo else batches.next()
            if job is None:
                break
            waiting.append((job, executor.submit(_timed, job)))
        if not waiting:
            return
        job, future = waiting[0]
        played, seconds = future.result()
        waiting.pop(0)
        batches.done(job, seconds)
        yield played


def run_series(
    contest: Contest,
    pairs: int,
    workers: Workers,
    *,
    known: list[Pair] | None = None,
    keep: Sink | None = None,
    stop: Callable[[MatchResult], bool] | None = None,
) -> Iterator[MatchResult]:
    """Plays a series; gives the result so far after every pair, in the order of the pairs.

    ``known`` are pairs played before. ``stop`` looks at every prefix of the series, whatever was
    played already, so that a resumed series ends where an uninterrupted one would; what was
    played beyond is not counted.
    """
    done = {pair.index: pair for pair in known or ()}
    missing = [index for index in range(pairs) if index not in done]
    fresh = play_pairs(contest, missing, workers) if missing else iter(())
    result = MatchResult()
    for index in range(pairs):
        while index not in done:
            played = next(fresh)
            if keep is not None:
                keep(played)
            done.update((pair.index, pair) for pair in played)
        result.pairs.append(done[index])
        yield result
        if stop is not None and stop(result):
            return
