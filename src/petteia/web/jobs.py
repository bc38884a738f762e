"""A process that measures: a match, tournament, study or tuning, told in lines of JSON.

The request stands on the first line of standard input. News go to standard output: ``{"begun":
true}`` when an interrupt will be understood, ``{"news": {...}}`` a few times a second, at the end
``{"done": {...}}`` or ``{"error": "one line"}``. An interrupt ends it soon; what was played is in
the store.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from petteia.arena.contest import Contest
from petteia.arena.executors import Workers, kept_open
from petteia.arena.executors import workers as workers_for
from petteia.arena.kept import KeptSeries
from petteia.arena.match import MatchResult
from petteia.arena.statistics import Sprt
from petteia.arena.store import Store
from petteia.arena.tournament import Tournament
from petteia.core import record
from petteia.core.errors import PetteiaError
from petteia.web.process import Output
from petteia.web.trust import in_words

if TYPE_CHECKING:
    from petteia.tune.session import Session

__all__ = ["main"]

Send = Callable[[dict[str, Any]], None]

_OFTEN = 0.4
"""Seconds between two news."""
_MOST_MARKS = 400
"""Points of a search that a page draws."""


class _Progress:
    """Reports progress, but not too often."""

    def __init__(self, send: Send, total: int) -> None:
        self.send = send
        self.total = total
        self.done = 0
        self.started = self.said = time.monotonic()
        self.first: int | None = None
        """What was there before: it says nothing about the pace."""
        send({"news": {"done": 0, "total": total}})

    def step(self, facts: Callable[[], dict[str, Any]], done: int, result: MatchResult) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = done
        if now - self.said < _OFTEN and done < self.total:
            return
        self.said = now
        fresh = done - self.first
        pace = (now - self.started) / fresh if fresh else None
        last = result.pairs[-1].games[0].record
        sample = {
            "game": last.game, "players": last.players, "start": last.start,
            "moves": [record.ply_text(ply) for ply in last.plies],
        }  # fmt: skip
        news = {
            "done": done, "total": self.total, "left": pace and pace * (self.total - done),
            "facts": facts(), "sample": sample,
        }  # fmt: skip
        self.send({"news": news})


@contextlib.contextmanager
def _store(where: str | None) -> Iterator[Store]:
    with contextlib.ExitStack() as stack:
        if where is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            where = str(Path(folder) / "series.db")
        yield stack.enter_context(Store(where))


def _series(kept: KeptSeries, workers: Workers, send: Send) -> dict[str, Any]:
    progress = _Progress(send, kept.pairs)
    result = MatchResult()
    for result in kept.play(workers):
        progress.step(partial(kept.facts, result), len(result.pairs), result)
    return kept.facts(result)


def _match(options: dict[str, Any], store: Store, workers: Workers, send: Send) -> dict[str, Any]:
    if options.get("series"):
        return _series(KeptSeries.resumed(store, options["series"]), workers, send)
    first, second = options["agents"]
    contest = Contest(options["game"], first, second, options["seed"], options["opening"]).checked()
    sprt = Sprt(*options["sprt"]) if options.get("sprt") else None
    return _series(KeptSeries(contest, options["pairs"], sprt, store), workers, send)


def _tournament(
    options: dict[str, Any], store: Store, workers: Workers, send: Send
) -> dict[str, Any]:
    agents = tuple(options["agents"])
    entered = Tournament(
        options["game"], agents, options["pairs"], options["seed"], options["opening"],
        options["gauntlet"],
    )  # fmt: skip
    contests = [contest.checked() for contest in entered.contests().values()]
    entered.game, entered.opening = contests[0].game, contests[0].opening
    numbers = list[int | None]()

    def series(contest: Contest) -> Iterator[MatchResult]:
        # The same tournament again goes on where it was stopped.
        known = _known(store, contest.checked(), entered.pairs)
        fresh = KeptSeries(contest.checked(), entered.pairs, store=store, kind="tournament")
        kept = fresh if known is None else KeptSeries.resumed(store, known)
        yield from kept.play(workers)
        numbers.append(kept.id)

    progress = _Progress(send, len(contests) * entered.pairs)
    for done, _ in enumerate(entered.play(workers, series), 1):
        last = next(reversed(entered.results.values()))
        progress.step(lambda: entered.facts(numbers), done, last)
    return entered.facts(numbers)


def _known(store: Store, contest: Contest, pairs: int) -> int | None:
    """The series of a tournament that is in the store already."""
    wanted = ("tournament", (contest.first, contest.second), contest.seed, pairs)
    for row in store.series(game=contest.game, agent=contest.first, limit=500):
        if (row.kind, tuple(row.agents), row.seed, row.pairs) == wanted:
            return row.id
    return None


def _study(options: dict[str, Any], store: Store, workers: Workers, send: Send) -> dict[str, Any]:
    from petteia.studies import frame

    running = frame.Running(frame.find(options["name"]), store, options["quick"], options["seed"])
    total, said = running.pairs + len(running.study.measurements), 0.0

    def tell(done: int, left: float, title: str) -> None:
        outcomes = [outcome.facts() for outcome in running.outcomes.values()]
        told = {"study": options["name"], "title": title, "experiments": outcomes}
        send({"news": {"done": done, "total": total, "left": max(0.0, left), "facts": told}})

    for _ in running.first_pairs(workers):
        pass
    left = running.expected(workers)
    for done, step in enumerate(running.rest(workers), 1):
        left -= step.seconds / workers.count
        if time.monotonic() - said >= _OFTEN:
            said = time.monotonic()
            tell(done, left, step.title)
    # Beside the store, so that the same study goes on where it was stopped.
    kept = store.path.with_name(f"{options['name']}.measured.json")
    for done, title in enumerate(running.measure(kept), running.pairs + 1):
        tell(done, 0.0, title)
    report, facts = running.report()
    return {**facts, "html": report.html()}


def _tune(options: dict[str, Any], store: Store, workers: Workers, send: Send) -> dict[str, Any]:
    from petteia.studies.tuned import page
    from petteia.tune.session import Session, setting_of
    from petteia.tune.tuner import Plan

    setting = setting_of(
        options["game"], *options["agents"], only=(), series=options["series_games"],
        seed=options["seed"], opening=options["opening"], aim="wins",
    )  # fmt: skip
    # Beside the store: the log there is the checkpoint from which the same options go on.
    folder = store.path.with_name("tuning")
    plan = Plan(None, None, options["budget"])
    method, confirm = options["method"], options["confirm"]
    session = Session(setting, method, plan, confirm, Sprt(0, 20), folder, False)
    done, said, started = 0.0, 0.0, time.monotonic()
    for step in session.steps(workers):
        done += step.games
        now = time.monotonic()
        if now - said >= _OFTEN:
            said = now
            left = (now - started) / done * (session.games - done) if done else 0.0
            told = {"tuning": step.text, "marks": _marks(session)}
            news = {"done": round(done), "total": session.games, "left": max(0.0, left)}
            send({"news": {**news, "facts": told}})
    facts = session.facts()
    report = page(facts, session.tuner.marks, session.tuner.bench.names)
    return {**facts, "tuning": "done", "marks": _marks(session), "html": report.html()}


def _marks(session: Session) -> list[list[Any]]:
    return [[mark.score, mark.is_kept] for mark in session.tuner.marks[-_MOST_MARKS:]]


_KINDS = {"match": _match, "tournament": _tournament, "study": _study, "tune": _tune}


def main() -> None:
    """Does what the first line of standard input asks."""
    with contextlib.suppress(OSError):
        os.nice(10)
    output = Output()
    options = json.loads(sys.stdin.readline())
    # The laboratory stops it so, and may itself have been started with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        output.send({"begun": True})
        where = workers_for(options["workers"])
        with _store(options["store"]) as store, kept_open(where) as workers:
            done = _KINDS[options["kind"]](options, store, workers, output.send)
            output.send({"done": done})
    except PetteiaError as error:
        output.send({"error": in_words(error)})
    except KeyboardInterrupt:
        output.send({"stopped": True})
    except Exception as error:  # noqa: BLE001  (told in one line; the rest is on record)
        traceback.print_exc()
        output.send({"error": f"the measuring failed: {type(error).__name__}"})


if __name__ == "__main__":
    main()
