"""The commands of ``petteia flow`` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["flow"]

flow = typer.Typer(
    help="Flow: solve, count, check, explain, make and show puzzles.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="a puzzle in any of the formats")]
RuleName = Annotated[str, typer.Option("--rule", help="strict, no-2x2 or touching")]
Partial = Annotated[bool, typer.Option("--partial", help="cells may stay empty")]
Seconds = Annotated[float | None, typer.Option(help="give up after this time", min=0.0)]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Svg = Annotated[Path | None, typer.Option(help="write the picture as SVG here")]


@flow.command()
def solve(
    file: File,
    engine: Annotated[str, typer.Option(help="sweep, sat, dumb, smart, smarter, ...")] = "",
    rule: RuleName = "strict",
    partial: Partial = False,
    seconds: Seconds = None,
    svg: Svg = None,
    steps: Annotated[
        Path | None, typer.Option(help="write the search as a moving picture: .svg or .gif")
    ] = None,
    json: Json = False,
) -> None:
    """Solve a puzzle and say whether the solution is the only one."""
    from petteia.cli import flow

    flow.solve(file, engine, rule, partial, seconds, svg, steps, json)


@flow.command()
def count(
    file: File,
    rule: RuleName = "touching",
    partial: Partial = False,
    seconds: Seconds = None,
    json: Json = False,
) -> None:
    """Count the solutions of a puzzle."""
    from petteia.cli import flow

    flow.count(file, rule, partial, seconds, json)


@flow.command()
def check(
    file: File,
    solution: Annotated[
        Path | None, typer.Argument(metavar="SOLUTION", help="a filled board, or a level line")
    ] = None,
    rule: RuleName = "strict",
    partial: Partial = False,
    json: Json = False,
) -> None:
    """Check a puzzle, or a solution of it."""
    from petteia.cli import flow

    flow.check(file, solution, rule, partial, json)


@flow.command()
def hint(
    file: File,
    path: Annotated[
        list[str] | None, typer.Option(help="a drawn path, as cells: 'r1c1 r1c2 r2c2'; repeatable")
    ] = None,
    rule: RuleName = "strict",
    partial: Partial = False,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Say the next sure link and why, or which drawn path cannot be right."""
    from petteia.cli import flow

    flow.hint(file, path or [], rule, partial, svg, json)


@flow.command()
def generate(
    width: Annotated[int, typer.Option(help="columns")] = 10,
    height: Annotated[int, typer.Option(help="rows")] = 10,
    colours: Annotated[int | None, typer.Option(help="about sqrt(width*height) otherwise")] = None,
    shortest: Annotated[int, typer.Option(help="cells of the shortest path")] = 3,
    difficulty: Annotated[str, typer.Option(help="easy, medium, hard or expert")] = "",
    rule: RuleName = "strict",
    seed: Annotated[int, typer.Option(help="decides all chance", min=0)] = 0,
    form: Annotated[str, typer.Option("--format", help="the format to print")] = "course",
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Make a puzzle that has exactly one solution."""
    from petteia.cli import flow

    flow.generate(width, height, colours, shortest, difficulty, rule, seed, form, svg, json)


@flow.command()
def show(
    file: File,
    form: Annotated[str, typer.Option("--format", help="write it in another format")] = "",
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Show a puzzle, or write it in another format."""
    from petteia.cli import flow

    flow.show(file, form, svg, json)


@flow.command()
def bench(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="a folder of puzzles")],
    engine: Annotated[str, typer.Option(help="sweep, sat, dumb, smart, smarter, ...")] = "",
    rule: RuleName = "strict",
    partial: Partial = False,
    seconds: Annotated[float | None, typer.Option(help="give up on a puzzle", min=0.0)] = None,
    json: Json = False,
) -> None:
    """Solve every puzzle of a folder and measure the time."""
    from petteia.cli import flow

    flow.bench(folder, engine, rule, partial, seconds, json)
