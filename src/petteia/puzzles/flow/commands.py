"""``petteia flow``: Flow: solve, count, check, explain, make and show puzzles."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from petteia.cli import output
from petteia.cli.options import Json, Seed, as_function
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError
from petteia.core.reading import read_text
from petteia.core.writing import write_whole
from petteia.puzzles.flow import course, formats
from petteia.puzzles.flow import generator as making
from petteia.puzzles.flow import hints as hinting
from petteia.puzzles.flow.face import animation, picture
from petteia.puzzles.flow.formats.folder import puzzles_in
from petteia.puzzles.flow.hints import path_of
from petteia.puzzles.flow.reference import faults, require
from petteia.puzzles.flow.rules import Puzzle, Rule, Solution, rule_named
from petteia.puzzles.flow.solution import solve as solving
from petteia.puzzles.flow.solution.solve import Answer
from petteia.puzzles.flow.solution.trace import trace

__all__ = ["commands"]

commands = typer.Typer(
    help=(__doc__ or "").partition(": ")[2],
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="a puzzle in any of the formats, or a board of the course such as 7x7"
    ),
]
Engine = Annotated[str, typer.Option(help="sweep, sat, dumb, smart, smarter, ...")]
RuleName = Annotated[str, typer.Option("--rule", help="strict, no-2x2, touching or shortest")]
Partial = Annotated[bool, typer.Option("--partial", help="cells may stay empty")]
Seconds = Annotated[float | None, typer.Option(help="give up after this time", min=0.0)]
Svg = Annotated[Path | None, typer.Option(help="write the picture as SVG here")]

_UNKNOWN = 3
"""The exit code where a limit was reached before an answer."""


def _load(file: Path) -> formats.Text:
    """The puzzle of a file; a board of the course where there is no file of its name."""
    if str(file) in course.boards() and not file.exists():
        found = course.board(str(file))
        return formats.Text(found.puzzle, "course")
    return formats.load(file)


def _print_board(puzzle: Puzzle, paths: Iterable[tuple[int, tuple[int, ...]]] = ()) -> None:
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        print(picture.ansi(puzzle, paths))
    else:
        print(terminal.board(picture.view(puzzle, paths)))


def _paths(solution: Solution | None) -> list[tuple[int, tuple[int, ...]]]:
    return list(enumerate(solution.paths)) if solution else []


@dataclass(frozen=True)
class SolveOptions:
    """Which puzzle is solved, how, and what is written."""

    file: File
    engine: Engine = ""
    rule: RuleName = "strict"
    partial: Partial = False
    seconds: Seconds = None
    svg: Svg = None
    steps: Annotated[
        Path | None, typer.Option(help="write the search as a moving picture: .svg or .gif")
    ] = None
    as_json: Json = False


@commands.command()
@as_function
def solve(options: SolveOptions) -> None:
    """Solve a puzzle and say whether the solution is the only one."""
    rule = rule_named(options.rule, coverage=not options.partial)
    puzzle = _load(options.file).puzzle
    answer = _ready(puzzle, options.engine, rule, options.seconds)
    if answer.solution is not None:
        require(puzzle, answer.solution, rule)
    if options.svg is not None:
        drawn = picture.svg(puzzle, _paths(answer.solution), status=_line(answer))
        write_whole(options.svg, drawn)
    if options.steps is not None:
        left = options.seconds and max(0.0, options.seconds - answer.milliseconds / 1e3)
        animation.write(options.steps, puzzle, trace(puzzle, answer.engine, rule), left)

    def text() -> None:
        _print_board(puzzle, _paths(answer.solution))
        print(_line(answer))
        if answer.other is not None:
            _print_difference(puzzle, answer)

    output.show(_facts(puzzle, answer), options.as_json, text)
    if answer.solution is None:
        raise typer.Exit(1 if answer.status == "unsolvable" else _UNKNOWN)


def _ready(puzzle: Puzzle, engine: str, rule: Rule, seconds: float | None) -> Answer:
    """Solves; what compiles or is read for the first time does so before the clock starts."""
    engine = engine or solving.best_engine(rule)
    if engine in solving.engines_for(rule):
        solving.solve(Puzzle.of_rows(["A_A"]), engine, rule)
    return solving.solve(puzzle, engine, rule, seconds=seconds)


def _line(answer: Answer) -> str:
    took = f"{answer.milliseconds:,.3f} ms, engine {answer.engine}"
    if answer.status == "unknown":
        return f"not solved in {took}"
    if answer.solution is None:
        return f"no solution under the rule {answer.rule.text} ({took})"
    if answer.unique is None:
        alone = "a solution, perhaps not the only one,"
    else:
        alone = "the only solution" if answer.unique else "one of several solutions"
    return f"{alone} under the rule {answer.rule.text} ({took})"


def _print_difference(puzzle: Puzzle, answer: Answer) -> None:
    assert answer.solution is not None
    assert answer.other is not None
    one, two = answer.solution.colouring(puzzle), answer.other.colouring(puzzle)
    cells = [puzzle.name(cell) for cell in range(len(one)) if one[cell] != two[cell]]
    where = ", ".join(cells[:12]) + (" ..." if len(cells) > 12 else "")
    if cells:
        print(f"another solution differs at {len(cells)} cells: {where}")
    else:
        print("another solution has the same colours and other paths")


def _facts(puzzle: Puzzle, answer: Answer) -> dict[str, Any]:
    return {
        "rule": answer.rule.name,
        "coverage": answer.rule.coverage,
        "size": puzzle.size,
        "kind": puzzle.kind,
        "colours": puzzle.colours,
        "status": answer.status,
        "solution": answer.solution.rows(puzzle) if answer.solution else None,
        "paths": [
            [puzzle.name(cell) for cell in path]
            for path in (answer.solution.paths if answer.solution else ())
        ],
        "unique": answer.unique,
        "other": answer.other.rows(puzzle) if answer.other else None,
        "milliseconds": answer.milliseconds,
        "engine": answer.engine,
        "proved_by": answer.proved_by,
        "counts": answer.counts,
    }


@commands.command()
def count(
    file: File,
    rule: RuleName = "touching",
    partial: Partial = False,
    seconds: Seconds = None,
    as_json: Json = False,
) -> None:
    """Count the solutions of a puzzle."""
    named = rule_named(rule, coverage=not partial)
    puzzle = _load(file).puzzle
    solving.count(Puzzle.of_rows(["A_A"]), named)  # compiled before the clock starts
    tally = solving.count(puzzle, named, seconds=seconds)
    facts = {
        "rule": named.name, "coverage": named.coverage, "size": puzzle.size,
        "count" if tally.complete else "at_least": tally.number, "engine": tally.engine,
    }  # fmt: skip
    number = f"{'' if tally.complete else 'at least '}{tally.number:,}"
    text = f"{number} solutions under the rule {named.text} (engine {tally.engine})"
    output.show(facts, as_json, lambda: print(text))
    if not tally.complete:
        raise typer.Exit(_UNKNOWN)


@commands.command()
def check(
    file: File,
    solution: Annotated[
        Path | None,
        typer.Argument(
            metavar="SOLUTION", help="a filled board, a level line, or what solve --json prints"
        ),
    ] = None,
    rule: RuleName = "strict",
    partial: Partial = False,
    as_json: Json = False,
) -> None:
    """Check a puzzle, or a solution of it."""
    named = rule_named(rule, coverage=not partial)
    read = _load(file)
    puzzle, found = read.puzzle, read.solution
    wrong: list[str] = []
    if solution is not None:
        found, told = None, read_text(solution)
        try:
            found = formats.read_solution(puzzle, told)
        except PetteiaError as error:
            wrong = [str(error)]
    if found is not None:
        wrong = faults(puzzle, found, named)
    checked = found is not None or bool(wrong)
    facts = {
        "size": puzzle.size, "colours": puzzle.colours, "format": read.format,
        "walls": len(puzzle.walls), "rule": named.name, "coverage": named.coverage,
        "solution": checked, "correct": not wrong if checked else None, "faults": wrong,
    }  # fmt: skip

    def text() -> None:
        print(f"a sound puzzle: {puzzle.size}, {puzzle.colours} colours, format {read.format}")
        if checked:
            print("the solution is right" if not wrong else "the solution is wrong:")
        for fault in wrong:
            print(f"  {fault}")

    output.show(facts, as_json, text)
    if wrong:
        raise typer.Exit(1)


@commands.command()
def hint(
    file: File,
    path: Annotated[
        list[str] | None, typer.Option(help="a drawn path, as cells: 'r1c1 r1c2 r2c2'; repeatable")
    ] = None,
    rule: RuleName = "strict",
    partial: Partial = False,
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Give the next certain link and why, or say which drawn path cannot be right."""
    named = rule_named(rule, coverage=not partial)
    puzzle = _load(file).puzzle
    paths = [path_of(puzzle, text) for text in path or []]
    found = hinting.hint(puzzle, paths, named)
    if svg is not None:
        coloured = [(_colour_of(puzzle, each), each) for each in paths]
        marked = found.link or found.cells
        write_whole(svg, picture.svg(puzzle, coloured, status=found.text, marked=marked))
    facts = {
        "rule": named.name, "coverage": named.coverage, "kind": found.kind,
        "reason": found.reason, "text": found.text,
        "link": [puzzle.name(cell) for cell in found.link] if found.link else None,
        "cells": [puzzle.name(cell) for cell in found.cells],
        "paths": [[puzzle.name(cell) for cell in each] for each in found.paths],
    }  # fmt: skip
    output.show(facts, as_json, lambda: print(found.text))


def _colour_of(puzzle: Puzzle, path: tuple[int, ...]) -> int:
    """The colour of the dot at an end of a drawn path; a path without one is drawn as the last."""
    known = [puzzle.cells[end] for end in (path[0], path[-1]) if puzzle.cells[end] >= 0]
    return known[0] if known else len(picture.PALETTE) - 1


@dataclass(frozen=True)
class GenerateOptions:
    """What the puzzle is to be like, and how it is written."""

    width: Annotated[int, typer.Option(help="columns")] = 10
    height: Annotated[int, typer.Option(help="rows")] = 10
    colours: Annotated[int | None, typer.Option(help="default: about sqrt(width*height)")] = None
    shortest: Annotated[int, typer.Option(help="cells of the shortest path")] = 3
    difficulty: Annotated[str, typer.Option(help="easy, medium, hard or expert")] = ""
    kind: Annotated[str, typer.Option(help="square, hex, bridges, warps or holes")] = "square"
    rule: RuleName = "strict"
    seed: Seed = 0
    seconds: Seconds = None
    form: Annotated[str, typer.Option("--format", help="the format to print")] = ""
    svg: Svg = None
    as_json: Json = False


@commands.command()
@as_function
def generate(options: GenerateOptions) -> None:
    """Make a puzzle that has exactly one solution."""
    rule = rule_named(options.rule)
    if options.kind in making.KINDS:
        making.generate(5, 5, kind=options.kind)  # compiled before the clock starts
    started = time.perf_counter()
    with output.progress("a new puzzle") as tell:
        made = making.generate(
            options.width, options.height, seed=options.seed, colours=options.colours,
            shortest=options.shortest, rule=rule, difficulty=options.difficulty or None,
            kind=options.kind, seconds=options.seconds, tell=tell,
        )  # fmt: skip
    milliseconds = 1e3 * (time.perf_counter() - started)
    puzzle, solution = made.puzzle, made.solution
    require(puzzle, solution, rule)
    form = options.form or ("course" if puzzle.grid == "square" else "level")
    text = formats.write(puzzle, form, solution)
    if options.svg is not None:
        write_whole(options.svg, picture.svg(puzzle))
    facts = {
        "rule": rule.name, "size": puzzle.size, "kind": options.kind, "puzzle": puzzle.rows(),
        "colours": puzzle.colours, "unique": True, "seed": options.seed,
        "shortest": min(map(len, solution.paths)), "attempts": made.attempts,
        "difficulty": made.grade.difficulty if made.grade else None,
        "solution": solution.rows(puzzle), "text": text, "milliseconds": milliseconds,
    }  # fmt: skip
    output.show(facts, options.as_json, lambda: print(text))


@commands.command()
def show(
    file: File,
    form: Annotated[str, typer.Option("--format", help="write it in another format")] = "",
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Show a puzzle, or write it in another format."""
    read = _load(file)
    puzzle, solution = read.puzzle, read.solution
    if form == "level" and solution is None:
        solution = solving.solve(puzzle, prove=False).solution
    written = formats.write(puzzle, form, solution) if form else ""
    drawn = _paths(read.solution)
    if svg is not None:
        write_whole(svg, picture.svg(puzzle, drawn))
    facts = {
        "size": puzzle.size, "kind": puzzle.kind, "colours": puzzle.colours, "format": read.format,
        "puzzle": puzzle.rows(), "letters": list(puzzle.letters), "text": written or None,
        "solution": read.solution.rows(puzzle) if read.solution else None,
        "view": picture.view(puzzle, drawn).as_json(),
    }  # fmt: skip
    output.show(facts, as_json, lambda: print(written) if form else _print_board(puzzle, drawn))


@commands.command()
def bench(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="a folder of puzzles")],
    engine: Engine = "",
    rule: RuleName = "strict",
    partial: Partial = False,
    seconds: Annotated[float | None, typer.Option(help="give up on a puzzle", min=0.0)] = None,
    as_json: Json = False,
) -> None:
    """Solve every puzzle in a folder and measure the time."""
    named = rule_named(rule, coverage=not partial)
    if not folder.is_dir():
        raise PetteiaError(f"{folder} is no folder; expected a folder of puzzles")
    found = list(puzzles_in(folder))
    if not found:
        raise PetteiaError(f"{folder} holds no files; expected a puzzle in each")
    puzzles = [(name, each) for name, each in found if isinstance(each, Puzzle)]
    unreadable = [
        {"file": name, "error": str(each)} for name, each in found if not isinstance(each, Puzzle)
    ]
    if not puzzles:
        raise PetteiaError(f"{folder} holds no puzzle; the first error: {unreadable[0]['error']}")
    rows: list[dict[str, Any]] = []
    for name, puzzle in output.tracked(puzzles, len(puzzles), "puzzles"):
        best = _best_of_three(puzzle, engine, named, seconds)
        rows.append(
            {
                "file": name, "size": puzzle.size, "status": best.status,
                "unique": best.unique, "milliseconds": best.milliseconds,
            }
        )  # fmt: skip
    total = sum(row["milliseconds"] for row in rows)
    used = engine or solving.best_engine(named)
    facts = {
        "rule": named.name, "coverage": named.coverage, "engine": used, "files": rows,
        "milliseconds": total, "unreadable": unreadable,
    }  # fmt: skip

    def text() -> None:
        output.table(
            f"{len(rows)} puzzles, rule {named.text}, engine {used}",
            ["file", "size", "status", "unique", "ms"],
            [
                (row["file"], row["size"], row["status"], str(row["unique"]), row["milliseconds"])
                for row in rows
            ],
        )
        print(f"{total:,.3f} ms in all")
        for each in unreadable:
            print(f"not read: {each['error']}")

    output.show(facts, as_json, text)


def _best_of_three(puzzle: Puzzle, engine: str, rule: Rule, seconds: float | None) -> Answer:
    """The fastest answer, with its proof; slow puzzles are solved once."""
    answers = [_ready(puzzle, engine, rule, seconds)]
    if answers[0].milliseconds < 1000:
        answers += [solving.solve(puzzle, engine, rule, seconds=seconds) for _ in range(2)]
    best = min(answers, key=lambda answer: answer.milliseconds)
    if best.solution is not None:
        require(puzzle, best.solution, rule)
    return best
