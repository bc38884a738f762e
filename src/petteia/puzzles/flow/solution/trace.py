"""Any search step by step, as plain data: for moving pictures, for the laboratory, for teaching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.report import REPORT_SOLVERS, ReportSolver
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle, Rule
from petteia.puzzles.flow.solution import sweep_search
from petteia.puzzles.flow.solution.ladder import RUNGS, Climb, follow_colours
from petteia.puzzles.flow.solution.solve import ENGINES, STRICT, engines_for
from petteia.puzzles.flow.solution.sweep import Sweep

__all__ = ["TRACED", "trace"]

TRACED = tuple(name for name in ENGINES if name != "sat")
"""The engines that can be watched."""

_WAYS = {4: ("N", "E", "S", "W"), 6: ("NE", "E", "SE", "SW", "W", "NW")}
Facts = dict[str, Any]


def trace(
    puzzle: Puzzle, engine: str = "smarter", rule: Rule = STRICT, *, seed: int = 0
) -> Iterator[Facts]:
    """The events of a search, until it has found a solution or knows that there is none.

    Every event is JSON-ready and has ``step`` (its number), ``event``, ``cell``, ``value``,
    ``why``, ``depth``, ``counts``; what has changed since the event before is in ``colours`` (by
    cell, a letter, or None for no colour any more), ``links`` (all of them where the engine thinks
    in links, else None) and ``domains`` (by cell, the values left, where the engine has domains).

    Events: ``assign`` and ``reject`` of a value, ``backtrack`` from a cell, ``visit`` of a cell
    that the sweep links, ``restart``, ``solution``, and ``end`` where there is no (other) solution.
    """
    if engine not in TRACED or engine not in engines_for(rule):
        known = ", ".join(name for name in engines_for(rule) if name in TRACED)
        raise PetteiaError(f"the engine {engine!r} cannot be watched under this rule; {known} can")
    if engine in REPORT_SOLVERS:
        events = _of_report(puzzle, engine)
    elif engine in RUNGS:
        events = _of_ladder(puzzle, engine, rule, seed)
    else:
        events = _of_sweep(puzzle, rule)
    for number, event in enumerate(events):
        yield {"step": number, **event}
        if event["event"] in ("solution", "end"):
            return


def _event(
    kind: str, cell: str | None = None, value: str | None = None, why: str = "", depth: int = 0
) -> Facts:
    return {"event": kind, "cell": cell, "value": value, "why": why, "depth": depth}


class _Changes:
    """Tells only what is new since the last time."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def of(self, now: dict[str, Any]) -> dict[str, Any]:
        fresh = {key: value for key, value in now.items() if self._known.get(key) != value}
        self._known.update(fresh)
        return fresh


def _of_report(puzzle: Puzzle, kind: str) -> Iterator[Facts]:
    solver = ReportSolver(puzzle, kind, plain=True)
    colours, domains = _Changes(), _Changes()
    letters = puzzle.letters
    depth = 0
    for event in solver.steps():
        depth += {"assign": 1, "solution": 1, "backtrack": -1}.get(event.kind, 0)
        kind, why = event.kind, event.why
        if kind == "solution" and follow_colours(puzzle, solver.colouring) is None:
            kind, why = "reject", "ring"  # passes the report's test, which is local
        yield {
            **_event(
                kind,
                puzzle.name(event.cell) if event.cell >= 0 else None,
                letters[event.colour] if event.colour >= 0 else None,
                why,
                depth,
            ),
            "colours": colours.of(_coloured(puzzle, solver.colouring)),
            "links": None,
            "domains": domains.of(
                {
                    puzzle.name(cell): [letters[c] for c in range(puzzle.colours) if mask >> c & 1]
                    for cell, mask in enumerate(solver.domains)
                    if puzzle.cells[cell] == EMPTY
                }
            ),
            "counts": asdict(solver.counts),
        }


def _coloured(puzzle: Puzzle, colouring: list[int]) -> dict[str, Any]:
    return {
        puzzle.name(cell): puzzle.letters[colour] if colour >= 0 else None
        for cell, colour in enumerate(colouring[: puzzle.area])
        if puzzle.cells[cell] == EMPTY
    }


def _of_ladder(puzzle: Puzzle, name: str, rule: Rule, seed: int) -> Iterator[Facts]:
    climb = Climb(puzzle, rule, name, seed=seed)
    state, problem = climb.solver.state, climb.problem
    domains, colours = _Changes(), _Changes()
    by_colour = climb.rung.model == "colours"

    def text(value: Any) -> str:
        if by_colour:
            return puzzle.letters[value]
        names = _WAYS[puzzle.plane.ways]
        return "".join(name for way, name in enumerate(names) if value >> way & 1)

    for step in climb.solver.steps():
        if step.kind == "start":
            continue
        kind = step.kind
        if kind == "solution" and climb.solution() is None:
            kind = "reject"  # a ring, or a path beside itself
        known = zip(problem.names, state.values, strict=True)
        values: dict[int, Any] = {int(str(cell)): value for cell, value in known}
        if by_colour:
            colouring = [
                value if value != EMPTY or values.get(cell) is None else values[cell]
                for cell, value in enumerate(puzzle.cells)
            ]
            links = None
        else:
            pairs = _shape_links(puzzle, values)
            colouring = _spread(puzzle, pairs)
            links = [[puzzle.name(a), puzzle.name(b)] for a, b in pairs]
        yield {
            **_event(
                kind,
                puzzle.name(int(str(problem.names[step.variable]))) if step.variable >= 0 else None,
                text(step.value) if step.value is not None else None,
                depth=step.depth,
            ),
            "colours": colours.of(_coloured(puzzle, colouring)),
            "links": links,
            "domains": domains.of(
                {
                    puzzle.name(int(str(cell))): [
                        text(value) for i, value in enumerate(all_values) if mask >> i & 1
                    ]
                    for cell, all_values, mask in zip(
                        problem.names, problem.domains, state.domains, strict=True
                    )
                }
            ),
            "counts": asdict(climb.solver.counts),
        }


def _shape_links(puzzle: Puzzle, values: dict[int, Any]) -> list[tuple[int, int]]:
    found = set()
    for cell, value in values.items():
        for way, other in puzzle.ways[cell].items():
            if value is not None and value >> way & 1:
                found.add((min(cell, other), max(cell, other)))
    return sorted(found)


def _spread(puzzle: Puzzle, links: list[tuple[int, int]]) -> list[int]:
    """The colours that come from the dots along the links."""
    beside: dict[int, list[int]] = {}
    for a, b in links:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    colours = list(puzzle.cells)
    todo = [cell for cell, value in enumerate(colours) if value >= 0]
    while todo:
        cell = todo.pop()
        for other in beside.get(cell, ()):
            if colours[other] in (EMPTY, HOLE):
                colours[other] = colours[cell]
                todo.append(other)
    return colours


def _of_sweep(puzzle: Puzzle, rule: Rule) -> Iterator[Facts]:
    """Every link that the sweep makes, by choice or because it follows; and where it goes back."""
    search = Sweep(puzzle, rule, plain=True)
    colours = _Changes()
    known: list[tuple[int, int]] = []

    def seen(kind: str, cell: int, pairs: list[tuple[int, int]]) -> Facts:
        return {
            **_event(kind, puzzle.name(cell) if cell >= 0 else None, depth=len(pairs)),
            "colours": colours.of(_coloured(puzzle, _spread(puzzle, pairs))),
            "links": [[puzzle.name(a), puzzle.name(b)] for a, b in pairs],
            "domains": {},
            "counts": {"nodes": search.nodes},
        }

    while True:
        status = search.go_on(search.nodes + 1)
        pairs = search.links
        same = 0
        while same < min(len(known), len(pairs)) and known[same] == pairs[same]:
            same += 1
        if same < len(known):
            yield seen("backtrack", known[same][0], pairs[:same])
        for count in range(same, len(pairs)):
            yield seen("visit", pairs[count][0], pairs[: count + 1])
        known = pairs
        if status != sweep_search.LIMIT:
            yield seen("solution" if status == sweep_search.SOLUTION else "end", -1, pairs)
            return
