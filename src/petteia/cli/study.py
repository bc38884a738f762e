"""``petteia study``."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from petteia.arena.executors import Workers, kept_open
from petteia.arena.executors import workers as workers_for
from petteia.arena.store import Store
from petteia.cli import output
from petteia.cli.match import store_at
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.studies import frame
from petteia.studies.frame import Running

__all__ = ["run"]


def run(
    name: str,
    quick: bool,
    out: Path,
    workers: str,
    cluster: str,
    store: str,
    seed: int,
    as_json: bool,
) -> None:
    """Runs a study and writes its report; without a name, lists the studies."""
    if not name:
        _list(as_json)
        return
    study = frame.find(name)
    started = time.perf_counter()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PetteiaError(f"cannot make the folder {str(out)!r}: {error.strerror}") from error
    with _some_store(store) as kept, kept_open(workers_for(workers, cluster)) as where:
        running = Running(study, kept, quick, seed)
        if study.experiments:
            _play(running, where)
        if study.measurements:
            _measure(running, out / f"{name}.measured.json")
        report, facts = running.report()
    facts["seconds"] = time.perf_counter() - started
    files = {kind: out / f"{name}.{kind}" for kind in ("md", "html", "json")}
    facts["files"] = [str(file) for file in files.values()]
    write_whole(files["md"], report.markdown())
    write_whole(files["html"], report.html())
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1)
    write_whole(files["json"], text + "\n")
    if as_json:
        output.json_object(facts)
        return
    _show(running)
    print(f"\nThe report ({facts['seconds']:.0f} s in all):")
    for file in files.values():
        print(f"  {file}")


@contextlib.contextmanager
def _some_store(wish: str) -> Iterator[Store]:
    """The store that was asked for; without one, a store that goes away with the run."""
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(store_at(wish))
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
    if as_json:
        facts = [
            {"name": study.name, "title": study.title, "about": study.about} for study in studies
        ]
        output.json_object({"studies": facts})
        return
    output.table("", ["study", "about"], [(study.name, study.about) for study in studies])


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
