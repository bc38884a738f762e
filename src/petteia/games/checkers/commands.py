"""``petteia checkers-solve``: Solve a checkers puzzle, in either of the course's command lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petteia.cli import output
from petteia.cli.options import Json, ProofSeconds
from petteia.games.checkers import course

__all__ = ["run"]


def run(
    source: Annotated[Path | None, typer.Argument(metavar="IN", help="a puzzle")] = None,
    target: Annotated[Path | None, typer.Argument(metavar="OUT", help="its solution")] = None,
    inputfile: Annotated[Path | None, typer.Option(help="a puzzle")] = None,
    outputfile: Annotated[Path | None, typer.Option(help="its solution, the whole game")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="with IN OUT, write the whole game too")
    ] = False,
    seconds: ProofSeconds = 60.0,
    as_json: Json = False,
) -> None:
    """Solves a puzzle and writes one board, or the whole game."""
    files = (source, target) if inputfile is None and outputfile is None else None
    if files is None and source is None:
        files = (inputfile, outputfile)
        whole = True
    if files is None or files[0] is None or files[1] is None:
        raise typer.BadParameter("expected IN OUT, or --inputfile IN --outputfile OUT")
    found = course.answer(files[0], files[1], whole=whole, seconds=seconds)
    if found.proved.result != "win":
        output.note(found.said)
    if as_json:
        output.json_object({"input": str(files[0]), "output": str(files[1]), **found.facts()})
