"""``petteia solve``."""

from __future__ import annotations

import time

from petteia import games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.core.errors import PetteiaError
from petteia.core.processors import processors
from petteia.core.spec import Spec, parse
from petteia.solve.control import Control

__all__ = ["run"]


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
        control, count = Control(show), workers or processors()
        try:
            facts = interruptible(
                control, lambda: solver.solve(control, workers=count, again=again)
            )
        except KeyboardInterrupt:
            output.note("what was finished is kept, and the same command goes on from it")
            raise
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
