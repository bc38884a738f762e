"""``petteia flow``: what its commands do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from petteia.cli import output
from petteia.core.drawing import terminal
from petteia.core.errors import PetteiaError
from petteia.core.writing import write_whole
from petteia.puzzles.flow import animation, formats, picture
from petteia.puzzles.flow import generate as making
from petteia.puzzles.flow import hints as hinting
from petteia.puzzles.flow import solve as solving
from petteia.puzzles.flow.hints import path_of
from petteia.puzzles.flow.model import Puzzle, Rule, Solution, rule_named
from petteia.puzzles.flow.solve import Answer
from petteia.puzzles.flow.trace import trace
from petteia.puzzles.flow.verify import faults, paths_of_rows, require

__all__ = ["bench", "check", "count", "generate", "hint", "show", "solve"]

_UNKNOWN = 3
"""The exit code where a limit was reached before an answer."""


def _print_board(puzzle: Puzzle, paths: Iterable[tuple[int, tuple[int, ...]]] = ()) -> None:
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        print(picture.ansi(puzzle, paths))
    else:
        print(terminal.board(picture.view(puzzle, paths)))


def _paths(solution: Solution | None) -> list[tuple[int, tuple[int, ...]]]:
    return list(enumerate(solution.paths)) if solution else []


def solve(
    file: Path, engine: str, rule_name: str, partial: bool, seconds: float | None,
    svg: Path | None, steps: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Solves one puzzle: exit code 0 if that went well, 1 if it has no solution."""
    rule = rule_named(rule_name, coverage=not partial)
    puzzle = formats.load(file).puzzle
    answer = _ready(puzzle, engine, rule, seconds)
    if answer.solution is not None:
        require(puzzle, answer.solution, rule)
    if svg is not None:
        write_whole(svg, picture.svg(puzzle, _paths(answer.solution), status=_line(answer)))
    if steps is not None:
        animation.write(steps, puzzle, trace(puzzle, answer.engine, rule))
    if as_json:
        output.json_object(_facts(puzzle, answer))
    else:
        _print_board(puzzle, _paths(answer.solution))
        print(_line(answer))
        if answer.other is not None:
            _print_difference(puzzle, answer)
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
        "colours": puzzle.colours,
        "status": answer.status,
        "solution": answer.solution.rows(puzzle) if answer.solution else None,
        "unique": answer.unique,
        "other": answer.other.rows(puzzle) if answer.other else None,
        "milliseconds": answer.milliseconds,
        "engine": answer.engine,
        "proved_by": answer.proved_by,
        "counts": answer.counts,
    }


def count(file: Path, rule_name: str, partial: bool, seconds: float | None, as_json: bool) -> None:
    """Counts the solutions of one puzzle."""
    rule = rule_named(rule_name, coverage=not partial)
    puzzle = formats.load(file).puzzle
    number, engine = solving.count(puzzle, rule, seconds=seconds)
    if as_json:
        facts = {"rule": rule.name, "coverage": rule.coverage, "size": puzzle.size}
        output.json_object({**facts, "count": number, "engine": engine})
        return
    print(f"{number:,} solutions under the rule {rule.text} (engine {engine})")


def check(file: Path, solution: Path | None, rule_name: str, partial: bool, as_json: bool) -> None:
    """Checks a puzzle, or a solution of it: exit code 1 if the solution is wrong."""
    rule = rule_named(rule_name, coverage=not partial)
    text = formats.load(file)
    puzzle, found = text.puzzle, text.solution
    wrong: list[str] = []
    if solution is not None:
        try:
            filled = solution.read_text("utf-8-sig").strip()
        except UnicodeDecodeError:
            raise PetteiaError(f"{solution}: not a text file") from None
        if ";" in filled:
            found = formats.read(filled).solution
        else:
            found = None
            try:
                found = paths_of_rows(puzzle, filled.split())
            except PetteiaError as error:
                wrong = [str(error)]
    if found is not None:
        wrong = faults(puzzle, found, rule)
    checked = found is not None or bool(wrong)
    if as_json:
        output.json_object(
            {
                "size": puzzle.size, "colours": puzzle.colours, "format": text.format,
                "walls": len(puzzle.walls), "rule": rule.name, "coverage": rule.coverage,
                "solution": checked, "correct": not wrong if checked else None, "faults": wrong,
            }
        )  # fmt: skip
    else:
        print(f"a sound puzzle: {puzzle.size}, {puzzle.colours} colours, format {text.format}")
        if checked:
            print("the solution is right" if not wrong else "the solution is wrong:")
        for fault in wrong:
            print(f"  {fault}")
    if wrong:
        raise typer.Exit(1)


def hint(
    file: Path, drawn: list[str], rule_name: str, partial: bool, svg: Path | None, as_json: bool
) -> None:
    """Gives a hint for a puzzle with what is drawn on it."""
    rule = rule_named(rule_name, coverage=not partial)
    puzzle = formats.load(file).puzzle
    paths = [path_of(puzzle, text) for text in drawn]
    found = hinting.hint(puzzle, paths, rule)
    if svg is not None:
        coloured = [(_colour_of(puzzle, path), path) for path in paths]
        marked = found.link or found.cells
        write_whole(svg, picture.svg(puzzle, coloured, status=found.text, marked=marked))
    if as_json:
        output.json_object(
            {
                "rule": rule.name, "coverage": rule.coverage, "kind": found.kind,
                "reason": found.reason, "text": found.text,
                "link": [puzzle.name(cell) for cell in found.link] if found.link else None,
                "cells": [puzzle.name(cell) for cell in found.cells],
                "paths": [[puzzle.name(cell) for cell in path] for path in found.paths],
            }
        )  # fmt: skip
        return
    print(found.text)


def _colour_of(puzzle: Puzzle, path: tuple[int, ...]) -> int:
    """The colour of the dot at an end of a drawn path; a path without one is drawn as the last."""
    known = [puzzle.cells[end] for end in (path[0], path[-1]) if puzzle.cells[end] >= 0]
    return known[0] if known else len(picture.PALETTE) - 1


def generate(
    width: int, height: int, colours: int | None, shortest: int, difficulty: str, rule_name: str,
    seed: int, form: str, svg: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Makes a puzzle."""
    rule = rule_named(rule_name)
    making.generate(5, 5)  # compiled before the clock starts
    started = time.perf_counter()
    made = making.generate(
        width, height, seed=seed, colours=colours, shortest=shortest, rule=rule,
        difficulty=difficulty or None,
    )  # fmt: skip
    milliseconds = 1e3 * (time.perf_counter() - started)
    puzzle, solution = made.puzzle, made.solution
    require(puzzle, solution, rule)
    text = formats.write(puzzle, form, solution)
    if svg is not None:
        write_whole(svg, picture.svg(puzzle))
    if as_json:
        output.json_object(
            {
                "rule": rule.name, "size": puzzle.size, "puzzle": puzzle.rows(),
                "colours": puzzle.colours, "unique": True, "seed": seed,
                "shortest": min(map(len, solution.paths)), "attempts": made.attempts,
                "difficulty": made.grade.difficulty if made.grade else None,
                "solution": solution.rows(puzzle), "text": text, "milliseconds": milliseconds,
            }
        )  # fmt: skip
        return
    print(text)


def show(file: Path, form: str, svg: Path | None, as_json: bool) -> None:
    """Shows a puzzle, or writes it in another format."""
    text = formats.load(file)
    puzzle, solution = text.puzzle, text.solution
    if form == "level" and solution is None:
        solution = solving.solve(puzzle, prove=False).solution
    written = formats.write(puzzle, form, solution) if form else ""
    if svg is not None:
        write_whole(svg, picture.svg(puzzle, _paths(text.solution)))
    if as_json:
        facts = {
            "size": puzzle.size, "colours": puzzle.colours, "format": text.format,
            "puzzle": puzzle.rows(), "letters": list(puzzle.letters), "text": written or None,
            "solution": text.solution.rows(puzzle) if text.solution else None,
            "view": picture.view(puzzle, _paths(text.solution)).as_json(),
        }  # fmt: skip
        output.json_object(facts)
    elif form:
        print(written)
    else:
        _print_board(puzzle, _paths(text.solution))


def bench(
    folder: Path, engine: str, rule_name: str, partial: bool, seconds: float | None, as_json: bool
) -> None:
    """Solves every puzzle of a folder; the best of three times, each with its proof."""
    rule = rule_named(rule_name, coverage=not partial)
    if not folder.is_dir():
        raise PetteiaError(f"{folder} is no folder; expected a folder of puzzles")
    files = sorted(file for file in folder.iterdir() if file.is_file())
    if not files:
        raise PetteiaError(f"{folder} holds no files; expected a puzzle in each")
    puzzles = [(file, formats.load(file).puzzle) for file in files]
    rows: list[dict[str, Any]] = []
    for file, puzzle in output.tracked(puzzles, len(puzzles), "puzzles"):
        answers = [_ready(puzzle, engine, rule, seconds)]
        if answers[0].milliseconds < 1000:
            answers += [solving.solve(puzzle, engine, rule, seconds=seconds) for _ in range(2)]
        best = min(answers, key=lambda answer: answer.milliseconds)
        if best.solution is not None:
            require(puzzle, best.solution, rule)
        rows.append(
            {
                "file": file.name, "size": puzzle.size, "status": best.status,
                "unique": best.unique, "milliseconds": best.milliseconds,
            }
        )  # fmt: skip
    total = sum(row["milliseconds"] for row in rows)
    used = engine or solving.best_engine(rule)
    if as_json:
        facts = {"rule": rule.name, "coverage": rule.coverage, "engine": used, "files": rows}
        output.json_object({**facts, "milliseconds": total})
        return
    output.table(
        f"{len(rows)} puzzles, rule {rule.text}, engine {used}",
        ["file", "size", "status", "unique", "ms"],
        [
            (row["file"], row["size"], row["status"], str(row["unique"]), row["milliseconds"])
            for row in rows
        ],
    )
    print(f"in all {total:,.3f} ms")
