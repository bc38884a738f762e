"""Drives a tuner: hands its questions to workers and its answers to the log."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Protocol

import numpy as np

from petteia.arena.executors import Workers
from petteia.arena.points import is_compiled, points_together
from petteia.core.errors import PetteiaError
from petteia.tune.log import Log
from petteia.tune.question import Question
from petteia.tune.setting import Setting, bench_of

__all__ = ["Asker", "drive"]

_AHEAD = 3
"""Pieces of work under way for each worker."""
_MOST_BREAKS = 5


class Asker(Protocol):
    """What asks questions and is told the answers: a tuner, or a confirmation."""

    def ask(self) -> list[Question]: ...

    def tell(self, answers: Sequence[np.ndarray]) -> None: ...


def _timed(question: Question, setting: Setting) -> tuple[np.ndarray, float]:
    started = time.perf_counter()
    answer = question.answer(setting)
    return answer, time.perf_counter() - started


def drive(
    asker: Asker, setting: Setting, workers: Workers, log: Log, device: str = "cpu"
) -> Iterator[int]:
    """Answers all questions; gives the number of games after every piece of work. A GPU plays what
    is asked at the same time at once, as far as whole games can run in one kernel.

    The answers do not depend on the workers, nor on which of them are in the log already.
    """
    bench_of(setting)  # checked here once, before any worker meets it
    while questions := asker.ask():
        split = [question.parts() for question in questions]
        parts = [part for pieces in split for part in pieces]
        missing = [part for part in parts if log.find(part) is None]
        yield sum(part.games for part in parts) - sum(part.games for part in missing)
        if device != "cpu":
            played = _played_together(missing, setting, log, device)
            missing = [part for part in missing if part not in played]
            yield sum(part.games for part in played)
        for part in _worked(missing, setting, workers, log):
            yield part.games
        answers = []
        for pieces in split:
            found = [log.find(piece) for piece in pieces]
            answers.append(np.concatenate([each for each in found if each is not None]))
        asker.tell(answers)


def _played_together(
    questions: list[Question], setting: Setting, log: Log, device: str
) -> list[Question]:
    """Answers those questions that are compiled contests, and notes the answers."""
    contests = [(each, each.contest(setting)) for each in questions]
    fast = [
        (each, asked) for each, asked in contests if asked and is_compiled(asked[0], together=True)
    ]
    started = time.perf_counter()
    answers = points_together([asked for _, asked in fast], device)
    seconds = (time.perf_counter() - started) / max(len(fast), 1)
    for (question, _), answer in zip(fast, answers, strict=True):
        log.keep(question, answer, seconds)
    return [question for question, _ in fast]


def _worked(
    questions: list[Question], setting: Setting, workers: Workers, log: Log
) -> Iterator[Question]:
    """Answers questions anywhere and notes the answers in their order.

    When the executor breaks, because a worker was killed, it is made again.
    """
    todo = list(questions)
    for _ in range(_MOST_BREAKS + 1):
        if not todo:
            return
        with workers.make() as executor:
            try:
                for question in _in_order(executor, todo, setting, workers, log):
                    todo = todo[1:]
                    yield question
            except BrokenExecutor:
                continue
    if todo:
        raise PetteiaError(
            f"workers died {_MOST_BREAKS + 1} times; perhaps memory is short: try fewer workers"
        )


def _in_order(
    executor: Executor, todo: list[Question], setting: Setting, workers: Workers, log: Log
) -> Iterator[Question]:
    # The serial executor works at once, so more than one ahead would only be noted later.
    ahead = 1 if workers.count == 1 else _AHEAD * workers.count
    waiting: list[tuple[Question, Future[tuple[np.ndarray, float]]]] = []
    at = 0
    try:
        while at < len(todo) or waiting:
            while at < len(todo) and len(waiting) < ahead:
                waiting.append((todo[at], executor.submit(_timed, todo[at], setting)))
                at += 1
            question, future = waiting[0]
            answer, seconds = future.result()
            waiting.pop(0)
            log.keep(question, answer, seconds)
            yield question
    finally:
        for _, future in waiting:
            future.cancel()
