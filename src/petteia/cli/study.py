"""``petteia study``."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from petteia.arena.executors import Workers, kept_open
from petteia.arena.executors import workers as workers_for
from petteia.arena.store import Store
from petteia.cli import output
from petteia.cli.match import store_at
from petteia.cli.options import Cluster, Folder, Json, Seed, StoreName, WorkersName
from petteia.core.writing import make_folder, write_whole
from petteia.studies import frame
from petteia.studies.frame import Running

__all__ = ["Options", "run"]


@dataclass(frozen=True)
class Options:
    """Which study, and how its games are played and kept."""

    name: Annotated[
        str, typer.Argument(metavar="NAME", help="a study, or a file; without it, list them")
    ] = ""
    quick: Annotated[bool, typer.Option("--quick", help="few games, about a minute")] = False
    out: Folder = Path("petteia-study")
    workers: WorkersName = ""
    cluster: Cluster = ""
    store: StoreName = ""
    seed: Seed = 0
    as_json: Json = False


def run(options: Options) -> None:
    """Runs a study and writes its report; without a name, lists the studies."""
    name = options.name
    if not name:
        _list(options.as_json)
        return
    study = frame.find(name)
    started = time.perf_counter()
    out = options.out
    make_folder(out)
    workers = workers_for(options.workers, options.cluster)
    with _some_store(options.store) as kept, kept_open(workers) as where:
        running = Running(study, kept, options.quick, options.seed)
        if study.experiments:
            _play(running, where)
        if study.measurements:
            _measure(running, out / f"{study.stem}.measured.json")
        report, facts = running.report()
    facts["seconds"] = time.perf_counter() - started
    files = {kind: out / f"{study.stem}.{kind}" for kind in ("md", "html", "json")}
    facts["files"] = [str(file) for file in files.values()]
    write_whole(files["md"], report.markdown())
    write_whole(files["html"], report.html())
    written = json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1)
    write_whole(files["json"], written + "\n")

    def text() -> None:
        _show(running)
        print(f"\nThe report ({facts['seconds']:.0f} s in all):")
        for file in files.values():
            print(f"  {file}")

    output.show(facts, options.as_json, text)


@contextlib.contextmanager
def _some_store(name: str) -> Iterator[Store]:
    """The named store, or a temporary one if there is to be none."""
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(store_at(name))
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            store = stack.enter_context(Store(Path(folder) / "study.db"))
        yield store


def _play(running: Running, workers: Workers) -> None:
    missing, known = running.missing, running.pairs - running.missing
    found = f", {known} of them in the store already" if known else ""
    _say(f"{running.study.title}: {running.pairs} pairs of games{found}")
    if missing:
        for _ in output.tracked(running.first_pairs(workers), running.tried, "first pairs"):
            pass
    expected = running.expected(workers)
    if running.missing:
        on = f"{workers.count} worker{'s' if workers.count > 1 else ''}"
        _say(f"{running.missing} pairs to go, about {_duration(expected)} on {on}")
    steps = ((step.seconds, step.title) for step in running.rest(workers))
    output.weighted(steps, expected * workers.count)


def _measure(running: Running, kept: Path) -> None:
    count = len(running.study.measurements)
    _say(f"{running.study.title}: {count} measurements; what is measured is kept in {kept}")
    for _ in output.tracked(running.measure(kept), count, "measurements"):
        pass


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _list(as_json: bool) -> None:
    studies = [frame.find(name) for name in frame.names()]
    facts = [{"name": study.name, "title": study.title, "about": study.about} for study in studies]
    rows = [(study.name, study.about) for study in studies]
    text = partial(output.table, "", ["study", "about"], rows)
    output.show({"studies": facts}, as_json, text)


def _show(running: Running) -> None:
    if not running.outcomes:
        return
    rows = []
    for outcome in running.outcomes.values():
        low, high = outcome.result.interval
        rows.append(
            (
                outcome.experiment.title,
                outcome.experiment.claim,
                len(outcome.result.scores),
                f"{100 * outcome.result.score:.0f} %",
                f"{100 * low:.0f} to {100 * high:.0f} %",
            )
        )
    output.table("", ["experiment", "published", "games", "score", "95 % interval"], rows)
