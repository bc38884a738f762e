"""Other people's solvers on Flow's boards: python-sat alone, OR-tools CP-SAT, clingo.

Each finds a solution and proves that there is no other.
What it needs is imported when it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from petteia.puzzles.flow import Puzzle, Solution
from petteia.puzzles.flow.solution.ladder import follow_colours

__all__ = ["by_clingo", "by_cp_sat", "by_python_sat"]


def by_python_sat(puzzle: Puzzle) -> Solution | None:
    """The plain encoding of colours and counts with python-sat's own cardinality tools; rings are
    forbidden one by one as they turn up."""
    from pysat.card import CardEnc, EncType
    from pysat.formula import IDPool
    from pysat.solvers import Solver as PySat

    pool = IDPool()
    colours = range(puzzle.colours)
    clauses: list[list[int]] = []
    for cell, value in enumerate(puzzle.cells):
        own = [pool.id((cell, c)) for c in colours]
        if value >= 0:
            clauses += [[v] if c == value else [-v] for c, v in enumerate(own)]
        else:
            clauses += CardEnc.equals(own, 1, vpool=pool, encoding=EncType.pairwise).clauses
    for cell, value in enumerate(puzzle.cells):
        for c in colours:
            here = pool.id((cell, c))
            around = [pool.id((other, c)) for other in puzzle.neighbours[cell]]
            need = 1 if value >= 0 else 2
            card = CardEnc.equals(around, need, vpool=pool, encoding=EncType.seqcounter)
            clauses += [[-here, *clause] for clause in card.clauses]
    answer: Solution | None = None
    with PySat(name="cadical195", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = {v for v in solver.get_model() if v > 0}
            colouring = [
                next(c for c in colours if pool.id((cell, c)) in true)
                for cell in range(len(puzzle.cells))
            ]
            found = follow_colours(puzzle, colouring)
            assert answer is None or found is None  # else there are two
            answer = answer or found
            parts = [range(len(puzzle.cells))] if found else list(rings(puzzle, colouring))
            for part in parts:
                solver.add_clause([-pool.id((cell, colouring[cell])) for cell in part])
    return answer


def rings(puzzle: Puzzle, colouring: list[int]) -> Iterator[list[int]]:
    """Connected cells of one colour without its dots."""
    seen = {dot for pair in puzzle.dots for dot in pair}
    stack = list(seen)
    while stack:  # what hangs on a dot is a path
        here = stack.pop()
        for other in puzzle.neighbours[here]:
            if other not in seen and colouring[other] == colouring[here]:
                seen.add(other)
                stack.append(other)
    for cell in range(len(puzzle.cells)):
        if cell not in seen:
            ring, seen = [cell], seen | {cell}
            for here in ring:
                for other in puzzle.neighbours[here]:
                    if other not in seen and colouring[other] == colouring[here]:
                        seen.add(other)
                        ring.append(other)
            yield ring


def by_cp_sat(puzzle: Puzzle) -> Solution | None:
    """One circuit over the whole board: each path, and from its last dot on to the next colour."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    arcs: list[tuple[int, int, Any]] = []
    literal: dict[tuple[int, int], Any] = {}
    starts = {pair[0] for pair in puzzle.dots}
    ends = {pair[1] for pair in puzzle.dots}
    for a, others in enumerate(puzzle.neighbours):
        for b in others:
            if a not in ends and b not in starts:
                literal[a, b] = model.new_bool_var(f"{a}-{b}")
                arcs.append((a, b, literal[a, b]))
    dots = puzzle.dots
    arcs += [(pair[1], dots[(colour + 1) % len(dots)][0], True) for colour, pair in enumerate(dots)]
    model.add_circuit(arcs)
    colour_of = {
        (cell, c): model.new_bool_var(f"{cell}:{c}")
        for cell in range(len(puzzle.cells))
        for c in range(puzzle.colours)
    }
    for cell, value in enumerate(puzzle.cells):
        own = [colour_of[cell, c] for c in range(puzzle.colours)]
        model.add_exactly_one(own)
        if value >= 0:
            model.add(own[value] == 1)
    for a, b in puzzle.edges:
        made = [literal[pair] for pair in ((a, b), (b, a)) if pair in literal]
        for c in range(puzzle.colours):
            one, other = colour_of[a, c], colour_of[b, c]
            for arc in made:
                model.add_bool_or([arc.negated(), one.negated(), other])
                model.add_bool_or([arc.negated(), one, other.negated()])
            model.add_bool_or([one.negated(), other.negated(), *made])

    def run() -> tuple[Any, set[tuple[int, int]]]:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.cp_model_presolve = False
        status = solver.solve(model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return status, set()
        return status, {pair for pair, arc in literal.items() if solver.value(arc)}

    _, made_links = run()
    if not made_links:
        return None
    onward = dict(made_links)
    paths = []
    for first, last in dots:
        path = [first]
        while path[-1] != last:
            path.append(onward[path[-1]])
        paths.append(tuple(path))
    model.add_bool_or([literal[pair].negated() for pair in made_links])
    status, _ = run()
    assert status == cp_model.INFEASIBLE
    return Solution(tuple(paths))


CLINGO = """
1 { colour(X, C) : c(C) } 1 :- cell(X).
:- dot(X, C), not colour(X, C).
same(X, Y) :- next(X, Y), colour(X, C), colour(Y, C).
:- dot(X, _), not 1 { same(X, Y) } 1.
:- cell(X), not dot(X, _), not 2 { same(X, Y) } 2.
reached(X) :- dot(X, _).
reached(Y) :- reached(X), same(X, Y).
:- cell(X), not reached(X).
#show colour/2.
"""


def by_clingo(puzzle: Puzzle) -> Solution | None:
    """About ten lines of logic: degrees, colours, and that every cell is reached from a dot."""
    import clingo

    facts = [f"c(0..{puzzle.colours - 1})."]
    for cell, value in enumerate(puzzle.cells):
        facts.append(f"cell({cell}).")
        facts += [f"next({cell},{other})." for other in puzzle.neighbours[cell]]
        if value >= 0:
            facts.append(f"dot({cell},{value}).")
    control = clingo.Control(["--models=2", "--warn=none"])
    control.add("base", [], CLINGO + "\n".join(facts))
    control.ground([("base", [])])
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            colouring = [0] * len(puzzle.cells)
            for symbol in model.symbols(shown=True):
                colouring[symbol.arguments[0].number] = symbol.arguments[1].number
            found.append(colouring)
    assert len(found) == 1
    return follow_colours(puzzle, found[0])
