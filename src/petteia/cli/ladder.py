"""``petteia ladder``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.agents import sandbox
from petteia.arena.executors import workers as workers_for
from petteia.arena.ladder import STATE, Conditions, Ladder, one_at_a_time, stamp
from petteia.arena.store import Store
from petteia.cli import output
from petteia.cli.options import Cluster, Json, Openings, Seed, WorkersName
from petteia.core.errors import PetteiaError
from petteia.studies.ladder import write_facts, write_site

__all__ = ["Options", "run"]

_BETWEEN_PAGES = 30.0
"""Seconds after which the site is written again while games are played."""
_BETWEEN_FACTS = 2.0
"""The same for the standings alone, which the laboratory shows."""


@dataclass(frozen=True)
class Options:
    """Who plays, under which conditions, and where the site goes."""

    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="the folder of submissions")]
    game: Annotated[str, typer.Option(help="a game, a variant, or a file")]
    pairs: Annotated[int, typer.Option(help="pairs of games that every two play", min=1)] = 2
    time: Annotated[float, typer.Option(help="seconds a move", min=0.001, max=86400)] = 1.0
    game_time: Annotated[
        float,
        typer.Option(help="seconds for all moves of a game; 0 for no limit", min=0, max=86400),
    ] = 0.0
    startup: Annotated[float, typer.Option(help="seconds to start", min=0.1, max=86400)] = 20.0
    memory: Annotated[int, typer.Option(help="MiB for each submission", min=128, max=1 << 20)] = (
        sandbox.DEFAULT_MEMORY
    )
    search: Annotated[str, typer.Option(help="the agent that plays with evaluations")] = ""
    baseline: Annotated[
        list[str] | None, typer.Option(help="an agent that plays along, or none; repeatable")
    ] = None
    seed: Seed = 0
    openings: Openings = "random"
    workers: WorkersName = ""
    cluster: Cluster = ""
    site: Annotated[Path | None, typer.Option(help="folder of the site; default FOLDER/_site")] = (
        None
    )
    blunders: Annotated[
        int, typer.Option(help="games of each in which blunders are looked for", min=0)
    ] = 2
    watch: Annotated[bool, typer.Option("--watch", help="go on for ever")] = False
    every: Annotated[float, typer.Option(help="seconds between looks, with --watch", min=0.1)] = 5.0
    as_json: Json = False


def _show(facts: dict[str, Any]) -> None:
    rows = []
    for row in facts["ranking"] + facts["baselines"]:
        is_rated = row["rating"] is not None
        low, high = row["interval"] or (0, 0)
        rows.append(
            (
                row["rank"] or "", output.line(row["name"]),
                f"{round(row['rating']):+d}" if is_rated else "",
                f"{round(low):+d} to {round(high):+d}" if is_rated else "",
                f"{row['points']:g}", row["games"], row["forfeits"], row["late"],
                row["status"],
            )
        )  # fmt: skip
    heads = ["", "submission", "rating", "95 % interval", "points", "games", "forfeits", "late", ""]
    print(f"{facts['game']}, {facts['pairs']} pairs a meeting, seed {facts['seed']}, ", end="")
    print(f"opening {facts['opening']}: {facts['played']} pairs played now\n")
    output.table("", heads, rows)
    for row in facts["ranking"]:
        if row["message"]:
            print(f"quarantined: {output.line(row['name'])}: {output.line(row['message'])}")
        for reason, times in row["reasons"].items():
            print(f"forfeit ({times}): {output.line(row['name'])}: {output.line(reason)}")
    print(f"site: {facts['site']}")


class _NowAndThen:
    """Does something again when some time has passed, at least twenty times as long as it takes."""

    def __init__(self, work: Callable[[], object], seconds: float) -> None:
        self.work, self.seconds = work, seconds
        self.due = time.monotonic() + seconds

    def __call__(self) -> None:
        began = time.monotonic()
        if began > self.due:
            self.work()
            ended = time.monotonic()
            self.due = ended + max(self.seconds, 20 * (ended - began))


def _steps(steps: Iterator[int], ladder: Ladder, site: Path) -> Iterator[None]:
    """A step for every pair; standings and site are written now and then."""
    standings = _NowAndThen(partial(write_facts, ladder, site), _BETWEEN_FACTS)
    pages = _NowAndThen(partial(write_site, ladder, site), _BETWEEN_PAGES)
    for added in steps:
        pages()
        standings()
        yield from [None] * added


def _round(
    ladder: Ladder, options: Options, site: Path, is_enough: Callable[[], bool]
) -> dict[str, Any]:
    ladder.read()
    steps = ladder.run(workers_for(options.workers, options.cluster), is_enough)
    total = ladder.missing
    for _ in output.tracked(_steps(steps, ladder, site), total, "pairs"):
        pass
    return write_site(ladder, site, judged=options.blunders)


_rest = time.sleep


def _is_changed(folder: Path, seen: list[tuple[str, int, int]]) -> bool:
    return stamp(folder) != seen


def _watch(ladder: Ladder, options: Options, site: Path) -> None:
    """Rounds without end: a change of the folder ends one, and nothing happens until the next."""
    while True:
        seen = stamp(options.folder)
        _show(_round(ladder, options, site, partial(_is_changed, options.folder, seen)))
        sys.stdout.flush()  # a file or a pipe would see it only at the end
        while not _is_changed(options.folder, seen):
            _rest(options.every)


def run(options: Options) -> None:
    """Plays a ladder; what was played before is not played again."""
    folder, site = options.folder, options.site or options.folder / "_site"
    if options.watch and options.as_json:
        raise PetteiaError("--watch has no end, so --json cannot say it; the site has ladder.json")
    if not folder.is_dir():
        raise PetteiaError(f"there is no folder {str(folder)!r}")
    conditions = Conditions(
        options.game, options.pairs, options.seed, options.openings, options.time, options.startup,
        options.memory, options.search,
        tuple(each for each in options.baseline or ["random"] if each != "none"),
        options.game_time,
    ).checked()  # fmt: skip
    output.note(str(sandbox.protection()))
    with one_at_a_time(folder), Store(folder / STATE / "games.db") as store:
        ladder = Ladder(folder, conditions, store)
        if options.watch:
            _watch(ladder, options, site)
        facts = _round(ladder, options, site, lambda: False)
    if not facts["ranking"]:
        raise PetteiaError(f"{folder} holds no submissions: no Python file and no folder")
    output.show(facts, options.as_json, lambda: _show(facts))
