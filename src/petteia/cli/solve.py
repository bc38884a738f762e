"""``petteia solve``."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from petteia import games
from petteia.cli import output
from petteia.cli.interrupt import interruptible
from petteia.cli.options import Json
from petteia.core.errors import PetteiaError
from petteia.core.processors import processors
from petteia.core.spec import Spec, parse
from petteia.solve.control import Control
from petteia.solve.general import GeneralSolver

__all__ = ["run"]


def run(
    game: Annotated[str, typer.Argument(metavar="SPEC", help="what to solve, as a game's spec")],
    pieces: Annotated[int | None, typer.Option(help="the same as pieces=N in the spec")] = None,
    workers: Annotated[int, typer.Option(help="processors to use; 0 for all", min=0)] = 0,
    positions: Annotated[
        int | None,
        typer.Option(help="in a game of your own, give up beyond so many positions", min=1),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="discard earlier results")] = False,
    as_json: Json = False,
) -> None:
    """Solves a game exactly."""
    spec = parse(game)
    if pieces is not None:
        if "pieces" in dict(spec.arguments):
            raise PetteiaError("the number of pieces is given twice, in the spec and by --pieces")
        spec = Spec(spec.name, (*spec.arguments, ("pieces", pieces)))
    solver = games.solver(spec)
    if positions is not None:
        if not isinstance(solver, GeneralSolver):
            raise PetteiaError(f"{spec.name} has a solver of its own, which takes no --positions")
        solver.most = positions
    started = time.perf_counter()
    with output.progress(str(spec)) as tell:
        control, count = Control(tell), workers or processors()
        try:
            facts = interruptible(
                control, lambda: solver.solve(control, workers=count, again=again)
            )
        except KeyboardInterrupt:
            output.note("what was finished is kept; the same command continues from it")
            raise
    seconds = time.perf_counter() - started
    facts = {"game": str(solver), **facts}
    facts.setdefault("seconds", seconds)
    output.show(facts, as_json, lambda: _show(facts))


def _show(facts: dict[str, Any]) -> None:
    for key, value in facts.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            columns = list(value[0])
            rows = [tuple(output.plain(row.get(c)) for c in columns) for row in value]
            output.table(key, columns, rows)
        else:
            print(f"{key.replace('_', ' ')}: {output.plain(value)}")
