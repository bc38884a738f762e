"""What the study of Flow measures: every solver and every engine on the course's boards."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from petteia.puzzles.flow import course, rule_named
from petteia.puzzles.flow.generator import generate
from petteia.puzzles.flow.reference import require
from petteia.puzzles.flow.report import REPORT_SOLVERS
from petteia.puzzles.flow.solution import counting, sweep
from petteia.puzzles.flow.solution.ladder import RUNGS
from petteia.puzzles.flow.solution.sat import SatEngine
from petteia.puzzles.flow.solution.solve import Answer, solve
from petteia.studies.frame import Measurement

__all__ = ["Row", "measurements", "solver"]

STRICT, TOUCHING = rule_named("strict"), rule_named("touching")
SIZES = ((7, 7), (10, 10), (14, 14), (20, 20), (40, 20))
"""Of the new boards."""

Row = dict[str, Any]


def _timed(work: Callable[[], Any], repeats: int) -> float:
    """The median time in milliseconds; what takes a second is not done again."""
    times: list[float] = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - started))
        if times[-1] > 1000:
            break
    return statistics.median(times)


def solver(engine: str, quick_limit: float, full_limit: float) -> Callable[[bool, int], Any]:
    """Measures a solver on every board: what it took to the first solution."""

    def take(quick: bool, seed: int) -> dict[str, Row]:
        limit = quick_limit if quick else full_limit
        solve(course.board("5x5").puzzle, engine, prove=False)  # compiled before the clock starts
        found = {}
        for name, board in course.boards().items():
            answers: list[Answer] = []
            while len(answers) < 3 and sum(a.milliseconds for a in answers) < 1000:
                fresh = solve(board.puzzle, engine, seconds=limit, prove=False, seed=seed)
                answers.append(fresh)
            best = answers[0]
            if best.solution is not None:
                require(board.puzzle, best.solution, STRICT)
                assert best.solution == board.solution
            milliseconds = statistics.median(a.milliseconds for a in answers)
            found[name] = {
                "solved": best.solution is not None, "milliseconds": milliseconds,
                "limit": limit, **best.counts,
            }  # fmt: skip
        return found

    return take


def _sweeps(plain: bool) -> Callable[[bool, int], Any]:
    def take(quick: bool, seed: int) -> dict[str, Row]:
        found = {}
        for name, board in course.boards().items():
            result = sweep.run(board.puzzle, STRICT, plain=plain)
            assert result.solutions == (board.solution,)
            assert result.complete

            def work(puzzle: Any = board.puzzle) -> None:
                sweep.run(puzzle, STRICT, plain=plain)

            found[name] = {"nodes": result.nodes, "milliseconds": _timed(work, 9)}
        return found

    return take


def _sat(rule_name: str) -> Callable[[bool, int], Any]:
    rule = rule_named(rule_name)

    def take(quick: bool, seed: int) -> dict[str, Row]:
        found = {}
        for name, board in course.boards().items():

            def work(puzzle: Any = board.puzzle) -> None:
                with SatEngine(puzzle, rule) as engine:
                    solution = engine.solve()
                    assert solution is not None
                    require(puzzle, solution, rule)

            work()
            with SatEngine(board.puzzle, rule) as engine:
                sizes = {"variables": engine.variables, "clauses": engine.clauses}
            found[name] = {**sizes, "milliseconds": _timed(work, 5)}
        return found

    return take


def _counts(quick: bool, seed: int) -> dict[str, Row]:
    found = {}
    for name, board in course.boards().items():
        counted = counting.count(board.puzzle, TOUCHING)
        assert counted == board.touching

        def work(puzzle: Any = board.puzzle) -> None:
            counting.count(puzzle, TOUCHING)

        found[name] = {
            "count": int(counted), "frontiers": counted.peak, "milliseconds": _timed(work, 3),
        }  # fmt: skip
    return found


def _generated(quick: bool, seed: int) -> dict[str, Row]:
    """Boards made and solved: how long each takes, and how many in a second."""
    found = {}
    generate(5, 5)
    for width, height in SIZES:
        times, made = [], []
        for number in range((20 if quick else 200) if width < 20 else 3):
            started = time.perf_counter()
            made.append(generate(width, height, seed=seed + number))
            times.append(1e3 * (time.perf_counter() - started))

        def work(boards: Any = tuple(made)) -> None:
            for each in boards:
                assert sweep.run(each.puzzle, STRICT).complete

        solving = _timed(work, 3) / len(made)
        found[f"{width}x{height}"] = {
            "boards": len(made), "milliseconds": statistics.median(times), "slowest": max(times),
            "colours": made[0].puzzle.colours, "solved_per_second": 1e3 / solving,
        }  # fmt: skip
    return found


def measurements() -> tuple[Measurement, ...]:
    """All of them, in the order in which they are taken."""
    parts = [
        Measurement(kind, f"the report's {kind}", solver(kind, 2.0, 120.0))
        for kind in REPORT_SOLVERS
    ]
    parts += [
        Measurement(name, f"ladder: {rung.model}, {rung.about}", solver(name, 0.5, 30.0))
        for name, rung in RUNGS.items()
    ]
    parts += [
        Measurement("sweep", "the sweep, compiled", _sweeps(False)),
        Measurement("sweep-python", "the sweep in plain Python", _sweeps(True)),
        Measurement("sat", "SAT, strict", _sat("strict")),
        Measurement("sat-touching", "SAT, touching", _sat("touching")),
        Measurement("frontier", "exact counts, touching", _counts),
        Measurement("generator", "new boards", _generated),
    ]
    return tuple(parts)
