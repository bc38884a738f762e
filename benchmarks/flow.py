"""Flow beside its peers, in one run on one core: python-sat alone, OR-tools CP-SAT, clingo.

Everybody gets the same boards and must find a solution and prove that there is no other; every
answer goes through the verifier. Peers that are not installed leave their column empty.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from peers.flow import by_clingo, by_cp_sat, by_python_sat

from petteia.core.writing import write_whole
from petteia.puzzles.flow import Puzzle, Rule, Solution, course, rule_named
from petteia.puzzles.flow.generator import KINDS, generate
from petteia.puzzles.flow.reference import require
from petteia.puzzles.flow.solution import counting, sweep
from petteia.puzzles.flow.solution.ladder import Climb
from petteia.puzzles.flow.solution.sat import SatEngine
from petteia.puzzles.flow.solution.solve import solve

STRICT, TOUCHING = rule_named("strict"), rule_named("touching")
Solver = Callable[[Puzzle], "Solution | None"]


# --- ours -----------------------------------------------------------------------------------------


def by_sweep(puzzle: Puzzle) -> Solution | None:
    found = sweep.run(puzzle, STRICT)
    assert found.complete
    return found.solutions[0]


def by_plain_sweep(puzzle: Puzzle) -> Solution | None:
    return sweep.run(puzzle, STRICT, plain=True).solutions[0]


def by_our_sat(puzzle: Puzzle) -> Solution | None:
    with SatEngine(puzzle, STRICT) as engine:
        found = list(engine.solutions(2))
    assert len(found) == 1
    return found[0]


def by_shapes(puzzle: Puzzle) -> Solution | None:
    return next(Climb(puzzle, STRICT, "shapes-mac").solutions())


SOLVERS: dict[str, tuple[Solver, str]] = {
    "sweep": (by_sweep, ""),
    "sweep, plain Python": (by_plain_sweep, ""),
    "our SAT": (by_our_sat, "pysat"),
    "shapes (no proof)": (by_shapes, ""),
    "python-sat alone": (by_python_sat, "pysat"),
    "CP-SAT": (by_cp_sat, "ortools"),
    "clingo": (by_clingo, "clingo"),
}


def available() -> Iterator[tuple[str, Solver]]:
    for name, (solver, needs) in SOLVERS.items():
        try:
            if needs:
                __import__(needs)
        except ImportError:
            continue
        yield name, solver


def race(puzzles: dict[str, Puzzle], repeats: int) -> dict[str, dict[str, float]]:
    """Median milliseconds; all take turns on each board, so that a busy machine disturbs all."""
    times: dict[str, dict[str, list[float]]] = {name: {} for name, _ in available()}
    for _, solver in available():  # what is imported or compiled is so before the clock starts
        solver(course.board("5x5").puzzle)
    for board, puzzle in puzzles.items():
        for _ in range(repeats):
            for name, solver in available():
                started = time.process_time()
                solution = solver(puzzle)
                taken = 1e3 * (time.process_time() - started)
                assert solution is not None, (name, board)
                require(puzzle, solution, STRICT)
                times[name].setdefault(board, []).append(taken)
    return {
        name: {board: statistics.median(each) for board, each in boards.items()}
        for name, boards in times.items()
    }


def fine_sweep(puzzles: dict[str, Puzzle], plain: bool) -> dict[str, float]:
    """The sweep's time, median of 21."""
    found = {}
    for board, puzzle in puzzles.items():
        samples = []
        for _ in range(21):
            started = time.process_time()
            sweep.run(puzzle, STRICT, plain=plain)
            samples.append(1e3 * (time.process_time() - started))
        found[board] = statistics.median(samples)
    return found


def counts(puzzles: dict[str, Puzzle]) -> dict[str, float]:
    found = {}
    for board, puzzle in puzzles.items():
        started = time.process_time()
        assert counting.count(puzzle, TOUCHING) == course.board(board).touching
        found[board] = 1e3 * (time.process_time() - started)
    return found


def throughput(boards: int) -> dict[str, Any]:
    """Solve-and-prove a second of one core on generated boards of 10x10 to 15x15."""
    puzzles = [generate(10 + i % 6, 10 + i // 6 % 6, seed=i).puzzle for i in range(boards)]
    rates = []
    for _ in range(5):
        started = time.process_time()
        for puzzle in puzzles:
            assert sweep.run(puzzle, STRICT).complete
        rates.append(len(puzzles) / (time.process_time() - started))
    return {"boards": boards, "per_second": statistics.median(rates)}


def making() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side in (10, 14):
        samples, usual = [], 0
        for seed in range(100):
            started = time.process_time()
            made = generate(side, side, seed=seed)
            samples.append(1e3 * (time.process_time() - started))
            usual += abs(made.puzzle.colours - side) <= 1
        found[f"{side}x{side}"] = {
            "median": statistics.median(samples), "slowest": max(samples), "usual_colours": usual,
        }  # fmt: skip
    return found


SETS = (
    *((side, side, 20) for side in range(5, 16)), (8, 11, 20), (12, 15, 20), (15, 18, 20),
    (40, 20, 20), (50, 50, 11), (80, 30, 5),
)  # fmt: skip
"""Width, height and number of generated boards: the sizes of official packs, and larger ones."""


def sets() -> dict[str, dict[str, float]]:
    """Solve-and-prove on generated boards of every size, and of every kind."""
    wanted = [(f"{w}x{h}", w, h, count, "square") for w, h, count in SETS]
    kinds = [kind for kind in KINDS if kind != "square"]
    wanted += [
        (f"{kind} {side}x{side}", side, side, 20, kind) for kind in kinds for side in (8, 12)
    ]
    found = {}
    for name, width, height, count, kind in wanted:
        samples, choices = [], 0
        for seed in range(count):
            made = generate(width, height, seed=seed, kind=kind)
            started = time.process_time()
            answer = sweep.run(made.puzzle, STRICT)
            samples.append(1e3 * (time.process_time() - started))
            assert answer.complete
            assert answer.solutions == (made.solution,)
            require(made.puzzle, made.solution, STRICT)
            choices += answer.nodes
        found[name] = {
            "boards": count, "sum": sum(samples), "median": statistics.median(samples),
            "slowest": max(samples), "choices": choices,
        }  # fmt: skip
    return found


BESIDE = ("sweep", "our SAT", "python-sat alone", "CP-SAT", "clingo")
_BOARDS, _PATIENCE = 3, 60


def _timed(solver: Solver, puzzle: Puzzle, answer: Any) -> None:
    """Tells the seconds of the processor; the system ends it when it has used up its patience."""
    resource.setrlimit(resource.RLIMIT_CPU, (_PATIENCE, _PATIENCE))
    started = time.process_time()
    solution = solver(puzzle)
    taken = 1e3 * (time.process_time() - started)
    assert solution is not None
    require(puzzle, solution, STRICT)
    answer.send(taken)


def _apart(solver: Solver, puzzle: Puzzle) -> float | None:
    """Milliseconds of a solver in a process of its own; None where it was not ready in time."""
    context = multiprocessing.get_context("fork")  # what is imported and compiled is so already
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_timed, args=(solver, puzzle, there))
    process.start()
    there.close()
    try:
        taken: float = here.recv()
    except EOFError:
        return None
    finally:
        process.join()
    return taken


def beside() -> dict[str, dict[str, list[float | None]]]:
    """The first boards of every size; a solver that was not ready in time with one of them is
    spared what follows."""
    solvers = {name: solver for name, solver in available() if name in BESIDE}
    for solver in solvers.values():
        solver(course.board("5x5").puzzle)
    found: dict[str, dict[str, list[float | None]]] = {}
    given_up: set[str] = set()
    for width, height, _ in sorted(SETS, key=lambda each: each[0] * each[1]):
        row = found.setdefault(f"{width}x{height}", {})
        for seed in range(_BOARDS):
            puzzle = generate(width, height, seed=seed).puzzle
            for name in solvers.keys() - given_up:
                row.setdefault(name, []).append(_apart(solvers[name], puzzle))
            given_up |= {name for name, times in row.items() if None in times}
    return found


def show_beside(found: dict[str, dict[str, list[float | None]]]) -> None:
    """The sum over the boards of a size, or how many were ready before one was not."""
    print(f"\nFound and proved, milliseconds for the first {_BOARDS} boards together:\n")
    print("| boards | " + " | ".join(BESIDE) + " |\n|---" + "|---" * len(BESIDE) + "|")
    for size, row in found.items():
        cells = []
        for name in BESIDE:
            times = row.get(name, [])
            done = [each for each in times if each is not None]
            late = f"{len(done)} in time" if done else "none in time"
            cells.append("" if not times else late if None in times else f"{sum(done):,.1f}")
        print(f"| {size} | " + " | ".join(cells) + " |")


def corner_to_corner(side: int) -> Puzzle:
    """An open board with one colour in opposite corners."""
    middle = ["_" * side] * (side - 2)
    return Puzzle.of_rows(["A" + "_" * (side - 1), *middle, "_" * (side - 1) + "A"])


def large_counts() -> dict[str, dict[str, Any]]:
    """Exact numbers of solutions under all rules, and of walks whose numbers are published."""
    loose = rule_named("touching", coverage=False)
    boards = {
        "12x14": course.board("12x14").puzzle, "14x14": course.board("14x14").puzzle,
        **{f"{n}x{n}, generated": generate(n, n, seed=1).puzzle for n in (14, 15, 16)},
    }  # fmt: skip
    found: dict[str, dict[str, Any]] = {}
    for name, puzzle in boards.items():
        row: dict[str, Any] = {}
        for rule in (STRICT, rule_named("no-2x2")):
            answer = sweep.run(puzzle, rule, most=None)
            assert answer.complete
            row[rule.name] = len(answer.solutions)
        found[name] = row | _counted(puzzle, TOUCHING)
    found["11x11, one path through all cells"] = _counted(corner_to_corner(11), TOUCHING)
    found["13x13, one path through all cells"] = _counted(corner_to_corner(13), TOUCHING)
    for side, published in WALKS.items():
        row = _counted(corner_to_corner(side), loose)
        assert row["touching"] == published
        found[f"{side}x{side}, one path through some cells"] = row
    return found


WALKS = {
    12: 182413291514248049241470885236,
    13: 64528039343270018963357185158482118,
    14: 69450664761521361664274701548907358996488,
}
"""Self-avoiding walks between opposite corners: OEIS A007764."""


def _counted(puzzle: Puzzle, rule: Rule) -> dict[str, Any]:
    started = time.process_time()
    number = counting.count(puzzle, rule)
    return {
        "touching": int(number), "seconds": time.process_time() - started,
        "frontiers": number.peak, "megabytes": number.bytes / 2**20,
    }  # fmt: skip


def report_solvers() -> dict[str, float]:
    found = {}
    for engine in ("smarter", "shapes-mac"):
        puzzle = course.board("14x14").puzzle
        solve(course.board("5x5").puzzle, engine, prove=False)
        samples = []
        for _ in range(5):
            started = time.process_time()
            solve(puzzle, engine, prove=False)
            samples.append(1e3 * (time.process_time() - started))
        found[engine] = statistics.median(samples)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--boards", type=int, default=360, help="generated boards to solve")
    parser.add_argument("--beside", action="store_true", help="only: all solvers on every size")
    parser.add_argument("--counts", action="store_true", help="count large boards too: minutes")
    parser.add_argument("--json", type=Path)
    wishes = parser.parse_args()
    if wishes.beside:
        show_beside(beside())
        return
    puzzles = {name: board.puzzle for name, board in course.boards().items()}
    times = race(puzzles, wishes.repeats)
    times["sweep"] = fine_sweep(puzzles, plain=False)
    times["sweep, plain Python"] = fine_sweep(puzzles, plain=True)
    times["exact count, touching"] = counts(puzzles)
    print("Milliseconds to find and prove; strict rule, preparation included.\n")
    print("| | " + " | ".join(puzzles) + " | sum |")
    print("|---" * (len(puzzles) + 2) + "|")
    for name, row in times.items():
        shown = [f"{row[board]:.3f}" if row[board] < 10 else f"{row[board]:.0f}" for board in row]
        print(f"| {name} | {' | '.join(shown)} | {sum(row.values()):,.1f} |")
    facts = {
        "milliseconds": times,
        "throughput": throughput(wishes.boards),
        "generator": making(),
        "sets": sets(),
        "14x14": report_solvers(),
    }
    rate = facts["throughput"]["per_second"]
    print(f"\nSolved and proved on generated 10x10 to 15x15 boards: {rate:,.0f} a second and core")
    for size, row in facts["generator"].items():
        print(
            f"Generator {size}: median {row['median']:.2f} ms, slowest {row['slowest']:.1f} ms, "
            f"{row['usual_colours']} of 100 with the usual number of colours"
        )
    for engine, milliseconds in facts["14x14"].items():
        print(f"{engine} on 14x14: {milliseconds:,.0f} ms")
    print("\nFound and proved on generated boards, milliseconds:\n")
    print("| boards | number | sum | median | slowest | choices |\n|---|---|---|---|---|---|")
    for name, row in facts["sets"].items():
        times_shown = " | ".join(f"{row[key]:,.2f}" for key in ("sum", "median", "slowest"))
        print(f"| {name} | {row['boards']} | {times_shown} | {row['choices']:,} |")
    if wishes.counts:
        facts["counts"] = large_counts()
        print("\n| board | strict | no-2x2 | touching | seconds | frontiers | MB |")
        print("|---|---|---|---|---|---|---|")
        for name, row in facts["counts"].items():
            print(
                f"| {name} | {row.get('strict', '')} | {row.get('no-2x2', '')} | "
                f"{row['touching']:,} | {row['seconds']:.1f} | {row['frontiers']:,} | "
                f"{row['megabytes']:.0f} |"
            )
    if wishes.json:
        write_whole(wishes.json, json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
