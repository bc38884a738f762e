"""``petteia solve``."""

from __future__ import annotations

import threading
import time

from petteia import games
from petteia.cli import output
from petteia.core.errors import PetteiaError
from petteia.core.spec import Spec, parse
from petteia.solve.control import Control, Stopped
from petteia.solve.solver import Solver, processors

__all__ = ["run"]


def _in_background(
    solver: Solver, control: Control, workers: int, again: bool
) -> dict[str, object]:
    """Solves in a thread of its own, since a kernel would hold the main thread against Ctrl-C."""
    facts: list[dict[str, object]] = []
    problems: list[BaseException] = []

    done = threading.Event()

    def work() -> None:
        try:
            facts.append(solver.solve(control, workers=workers, again=again))
        except BaseException as error:  # noqa: BLE001  (raised again below)
            problems.append(error)
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    interrupted = False
    # Not by joining: an interrupted join can take a thread that still runs for finished.
    while not done.is_set():
        try:
            done.wait(0.1)
        except KeyboardInterrupt:
            interrupted = True
            control.stop()
    if interrupted and problems and isinstance(problems[0], Stopped):
        output.note(str(problems[0]))
        raise KeyboardInterrupt
    if problems:
        raise problems[0]
    return facts[0]


def run(spec_text: str, pieces: int | None, workers: int, again: bool, as_json: bool) -> None:
    """Solves a game exactly."""
    spec = parse(spec_text)
    if pieces is not None:
        if "pieces" in dict(spec.arguments):
            raise PetteiaError("the number of pieces is given twice, in the spec and by --pieces")
        spec = Spec(spec.name, (*spec.arguments, ("pieces", pieces)))
    solver = games.solver(spec)
    started = time.perf_counter()
    with output.progress(str(spec)) as show:
        facts = _in_background(solver, Control(show), workers or processors(), again)
    seconds = time.perf_counter() - started
    facts = {"game": str(solver), **facts}
    facts.setdefault("seconds", seconds)
    if as_json:
        output.json_object(facts)
        return
    for key, value in facts.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            columns = list(value[0])
            rows = [tuple(output.plain(row.get(c)) for c in columns) for row in value]
            output.table(key, columns, rows)
        else:
            print(f"{key.replace('_', ' ')}: {output.plain(value)}")
