"""Any engine on any puzzle, with one kind of answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice

from petteia.core.errors import PetteiaError, one_of
from petteia.puzzles.flow.report import REPORT_SOLVERS, ReportSolver
from petteia.puzzles.flow.rules import Puzzle, Rule, Solution, rule_named
from petteia.puzzles.flow.solution import counting, sweep
from petteia.puzzles.flow.solution.ladder import RUNGS, Climb, follow_colours
from petteia.puzzles.flow.solution.sat import SatEngine

__all__ = ["ENGINES", "Answer", "Tally", "best_engine", "count", "engines_for", "solve"]

ENGINES: dict[str, str] = {
    "sweep": "the diagonal sweep, compiled; best under strict, no-2x2 and shortest",
    "sweep-python": "the same code as plain Python",
    "sat": "satisfiability; best where paths may touch or cells stay empty",
    "dumb": "the report's: cells row by row, violation test",
    "smart": "the report's: MRV and forward checking",
    "smarter": "the report's: MRV, forward checking and arc consistency",
    "smart-literal": "the report's smart by its words: forward checking strikes no colours",
    **{name: f"ladder, {rung.model}: {rung.about}" for name, rung in RUNGS.items()},
}
STRICT = rule_named("strict")


@dataclass(frozen=True)
class Answer:
    """What an engine says about a puzzle."""

    rule: Rule
    """Everything said holds under this rule."""
    engine: str
    status: str
    """solved, unsolvable, or unknown where a limit was reached."""
    solution: Solution | None
    unique: bool | None
    """Whether the solution is the only one; None where that is not known."""
    milliseconds: float
    """Preparation and search of the engine."""
    proved_by: str = ""
    """The engine that settled whether the solution is the only one."""
    other: Solution | None = None
    """A second solution, where there is one."""
    counts: dict[str, int] = field(default_factory=dict)
    """What the search took."""


def best_engine(rule: Rule) -> str:
    """The engine for a rule where none is named."""
    return "sweep" if rule.coverage and rule.name != "touching" else "sat"


def engines_for(rule: Rule) -> list[str]:
    """The engines that know a rule."""
    if not rule.coverage:
        return ["sweep", "sweep-python", "sat"]
    if rule.is_strict:
        return list(ENGINES)
    shapes = [name for name, rung in RUNGS.items() if rung.model == "shapes"]
    return ["sweep", "sweep-python", "sat", *shapes]


def solve(
    puzzle: Puzzle,
    engine: str = "",
    rule: Rule = STRICT,
    *,
    seconds: float | None = None,
    prove: bool = True,
    seed: int = 0,
) -> Answer:
    """Solves a puzzle, and unless told otherwise settles whether the solution is the only one.

    The sweep and SAT prove it themselves. For the other engines, which are here to be compared,
    the best engine for the rule does.
    """
    engine = engine or best_engine(rule)
    if engine not in ENGINES:
        raise one_of(engine, ENGINES, what="engine")
    if engine not in engines_for(rule):
        known = ", ".join(engines_for(rule)[:6])
        raise PetteiaError(f"the engine {engine} does not know the rule {rule.text}; {known} do")
    started = time.perf_counter()
    most = 2 if prove else 1
    if engine in ("sweep", "sweep-python"):
        plain = engine == "sweep-python"
        found = sweep.run(puzzle, rule, most=most, seconds=seconds, plain=plain)
        return _answer(
            rule, engine, list(found.solutions), found.complete, started, {"nodes": found.nodes}
        )
    if engine == "sat":
        return _by_sat(puzzle, rule, most, seconds, started)
    if engine in REPORT_SOLVERS:
        reporter = ReportSolver(puzzle, engine)
        first = _first(_followed(puzzle, reporter.solutions(seconds=seconds)))
        answer = _answer(rule, engine, first[0], first[1], started, asdict(reporter.counts))
    else:
        climb = Climb(puzzle, rule, engine, seconds=seconds, seed=seed)
        first = _first(climb.solutions())
        answer = _answer(rule, engine, first[0], first[1], started, asdict(climb.solver.counts))
    if not prove or answer.solution is None:
        return answer
    if seconds is not None:
        seconds = max(0.0, seconds - (time.perf_counter() - started))
    judge = solve(puzzle, "", rule, seconds=seconds)
    facts = {**answer.__dict__, "unique": judge.unique, "proved_by": judge.engine}
    return Answer(**{**facts, "other": judge.other})


def _followed(puzzle: Puzzle, colourings: Iterator[list[int]]) -> Iterator[Solution]:
    """The report's test is local: a ring passes it, and is no solution."""
    for colouring in colourings:
        found = follow_colours(puzzle, colouring)
        if found is not None:
            yield found


def _first(solutions: Iterator[Solution]) -> tuple[list[Solution], bool]:
    """The first solution, and whether it is known that there is none."""
    try:
        found = list(islice(solutions, 1))
    except TimeoutError:
        return [], False
    return found, not found


def _by_sat(puzzle: Puzzle, rule: Rule, most: int, seconds: float | None, started: float) -> Answer:
    found: list[Solution] = []
    complete = False
    counts: dict[str, int] = {}
    try:
        with SatEngine(puzzle, rule, seconds=seconds) as engine:
            counts = {"variables": engine.variables, "clauses": engine.clauses}
            found.extend(engine.solutions(most))
            counts["rings"] = engine.rings
            complete = len(found) < most
    except TimeoutError:
        pass
    return _answer(rule, "sat", found, complete, started, counts)


def _answer(
    rule: Rule, engine: str, found: list[Solution], complete: bool, started: float,
    counts: dict[str, int],
) -> Answer:  # fmt: skip
    milliseconds = 1e3 * (time.perf_counter() - started)
    status = "solved" if found else "unsolvable" if complete else "unknown"
    unique = len(found) == 1 if complete else False if len(found) > 1 else None
    return Answer(
        rule, engine, status, found[0] if found else None, unique if found else None,
        milliseconds, engine if found and unique is not None else "",
        found[1] if len(found) > 1 else None, counts,
    )  # fmt: skip


@dataclass(frozen=True)
class Tally:
    """How many solutions a puzzle has."""

    number: int
    complete: bool
    """Whether that is all of them; else there are at least as many."""
    engine: str
    """The engine that counted them."""


def count(puzzle: Puzzle, rule: Rule, *, seconds: float | None = None) -> Tally:
    """How many solutions there are; at a limit, how many there are at least."""
    least = 0
    if rule.name == "touching":
        if seconds is None:
            return Tally(int(counting.count(puzzle, rule)), True, "frontier")
        # The frontier knows nothing before its end. What is left of the time finds some solutions
        # one by one, the strict ones first: there are few, and they are found soon.
        try:
            number = int(counting.count(puzzle, rule, seconds=0.7 * seconds))
            return Tally(number, True, "frontier")
        except (TimeoutError, counting.TooWide):
            seconds *= 0.15
            strict = Rule("strict", rule.coverage)
            least = len(sweep.run(puzzle, strict, most=None, seconds=seconds).solutions)
    found = sweep.run(puzzle, rule, most=None, seconds=seconds)
    return Tally(max(least, len(found.solutions)), found.complete, "sweep")
