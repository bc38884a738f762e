"""Engine 2: satisfiability, for every rule, with walls, holes and cells that may stay empty.

One variable for each pair of neighbours (linked or not) and one for each empty cell and colour.
Degrees and colours are clauses from the beginning. Rings apart from any dot are rare: they are
looked for in the answer and forbidden one by one, and the solver goes on with what it has learnt.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from petteia.puzzles.flow.reference import shortcut
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule, Solution

__all__ = ["SOLVERS", "SatEngine"]

SOLVERS = ("glucose4", "cadical195", "minisat22")
"""Solvers of python-sat that are known to work here."""

Link = tuple[int, int]
Clause = list[int]


class SatEngine:
    """A puzzle as clauses, and a solver that has read them.

    ``seconds`` is a limit for everything that the engine does, its preparation included; at the
    limit it raises TimeoutError.
    """

    def __init__(
        self, puzzle: Puzzle, rule: Rule, *, solver: str = "", seconds: float | None = None
    ) -> None:
        from pysat.solvers import Solver  # late: only this engine needs it

        if not solver:
            # Measured on the nine boards: Glucose is quicker where clauses say much, CaDiCaL finds
            # its way where they say little, but does not listen to a clock.
            by_clock = seconds is not None
            solver = "glucose4" if rule.is_strict or by_clock else "cadical195"

        self.puzzle, self.rule = puzzle, rule
        self._end = None if seconds is None else time.perf_counter() + seconds
        self.rings = 0
        """Rings that were found and forbidden."""
        self.edge = {link: number for number, link in enumerate(puzzle.edges, 1)}
        self._at: list[list[int]] = [[] for _ in puzzle.cells]
        for (a, b), number in self.edge.items():
            self._at[a].append(number)
            self._at[b].append(number)
        clauses: list[Clause] = []
        for clause in self._clauses():
            clauses.append(clause)
            if len(clauses) % 65_536 == 0:
                self._time_left()
        self.clauses = len(clauses)
        self.variables = len(self.edge) + len(puzzle.cells) * puzzle.colours
        self._solver: Any = Solver(name=solver)
        self._solver.append_formula(clauses, no_return=True)

    def __enter__(self) -> SatEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    # --- the clauses ----------------------------------------------------------------------------

    def _colour(self, cell: int) -> list[int]:
        """The variables of a cell's colours."""
        first = 1 + len(self.edge) + cell * self.puzzle.colours
        return list(range(first, first + self.puzzle.colours))

    def _clauses(self) -> Iterator[Clause]:
        for cell, value in enumerate(self.puzzle.cells):
            if value != HOLE:
                yield from self._degree(self._at[cell], value)
                yield from self._one_colour(cell, value)
        strict = self.rule.is_strict
        for (a, b), edge in self.edge.items():
            for one, other in zip(self._colour(a), self._colour(b), strict=True):
                yield [-edge, -one, other]
                yield [-edge, one, -other]
                if strict:
                    yield [edge, -one, -other]
        if self.rule.name == "no-2x2":
            yield from self._no_blocks()
        elif strict:
            yield from self._corners()

    def _degree(self, edges: Sequence[int], value: int) -> Iterator[Clause]:
        """A dot has one link, another cell two, or none where it may stay empty."""
        if value >= 0:
            yield list(edges)
            for pair in combinations(edges, 2):
                yield [-edge for edge in pair]
            return
        for three in combinations(edges, 3):
            yield [-edge for edge in three]
        if self.rule.coverage:
            # All but one of the edges hold a link, whichever is left out.
            for some in combinations(edges, max(0, len(edges) - 1)):
                yield list(some)
        else:
            for edge in edges:
                yield [-edge, *(other for other in edges if other != edge)]

    def _one_colour(self, cell: int, value: int) -> Iterator[Clause]:
        colours = self._colour(cell)
        if value >= 0:
            for colour, variable in enumerate(colours):
                yield [variable if colour == value else -variable]
            return
        for one, other in combinations(colours, 2):
            yield [-one, -other]
        if self.rule.coverage:
            yield colours
            return
        for edge in self._at[cell]:
            yield [-edge, *colours]
        for variable in colours:
            yield [-variable, *self._at[cell]]

    def _no_blocks(self) -> Iterator[Clause]:
        for block in self.puzzle.blocks:
            for same in zip(*map(self._colour, block), strict=True):
                yield [-variable for variable in same]

    def _corners(self) -> Iterator[Clause]:
        """Follows from the rest, and spares the solver to find it out: around a point where k cells
        meet without walls at most k - 2 links are made, for another makes a ring, or a path beside
        itself."""
        for block in self.puzzle.blocks:
            pairs = zip(block, (*block[1:], block[0]), strict=True)
            edges = [self.edge.get((min(pair), max(pair)), 0) for pair in pairs]
            if all(edges):
                for some in combinations(edges, len(edges) - 1):
                    yield [-edge for edge in some]

    # --- solving --------------------------------------------------------------------------------

    def solve(self, required: Iterable[Link] = ()) -> Solution | None:
        """A solution with these links, or None if there is none."""
        assumed = [self.edge[min(link), max(link)] for link in required]
        while self._ask(assumed):
            model = self._solver.get_model()
            links = [link for link, number in self.edge.items() if model[number - 1] > 0]
            paths, rings = self._walk(links)
            for ring in rings:
                self.rings += 1
                self._solver.add_clause([-self.edge[link] for link in ring])
            if not rings and not self._forbid_detours(Solution(paths)):
                return Solution(paths)
        return None

    def _forbid_detours(self, solution: Solution) -> bool:
        """Forbids paths that could be shorter where that is the rule; True if there were any.

        Such a path is wrong wherever no other colour is on its shortcut.
        """
        found = False
        for colour, path in enumerate(solution.paths) if self.rule.name == "shortest" else ():
            shorter = shortcut(self.puzzle, solution, colour)
            if shorter is not None:
                found = True
                links = [self.edge[min(link), max(link)] for link in pairwise(path)]
                others = [
                    variable
                    for cell in shorter
                    for other, variable in enumerate(self._colour(cell))
                    if other != colour
                ]
                self._solver.add_clause([-link for link in links] + others)
        return found

    def _time_left(self) -> float | None:
        """Seconds until the limit; raises where it is reached."""
        if self._end is None:
            return None
        left = self._end - time.perf_counter()
        if left <= 0:
            raise TimeoutError("the limit was reached")
        return left

    def _ask(self, assumed: list[int]) -> bool:
        seconds = self._time_left()
        if seconds is None:
            return bool(self._solver.solve(assumptions=assumed))
        alarm = threading.Timer(seconds, self._solver.interrupt)
        alarm.start()
        try:
            answer = self._solver.solve_limited(assumptions=assumed, expect_interrupt=True)
        finally:
            alarm.cancel()
            self._solver.clear_interrupt()
        if answer is None:
            raise TimeoutError("the limit was reached")
        return bool(answer)

    def _walk(self, links: Iterable[Link]) -> tuple[tuple[tuple[int, ...], ...], list[list[Link]]]:
        """The paths from the dots, and the rings that are left over."""
        beside: dict[int, list[int]] = {}
        for a, b in links:
            beside.setdefault(a, []).append(b)
            beside.setdefault(b, []).append(a)
        seen: set[int] = set()

        def follow(cell: int) -> list[int]:
            path = [cell]
            seen.add(cell)
            while True:
                onward = [other for other in beside.get(path[-1], ()) if other not in seen]
                if not onward:
                    return path
                path.append(onward[0])
                seen.add(onward[0])

        paths = tuple(tuple(follow(first)) for first, _ in self.puzzle.dots)
        rings = []
        for cell in sorted(beside):
            if cell not in seen:
                ring = follow(cell)
                pairs = zip(ring, ring[1:] + ring[:1], strict=True)
                rings.append([(min(pair), max(pair)) for pair in pairs])
        return paths, rings

    def solutions(self, most: int | None = None) -> Iterator[Solution]:
        """Solutions, each forbidden once it is told; the engine cannot be asked again after it."""
        found = 0
        while found != most:
            solution = self.solve()
            if solution is None:
                return
            yield solution
            found += 1
            self._solver.add_clause([-self.edge[link] for link in solution.links()])

    def conflict(self, required: Iterable[Link]) -> list[Link]:
        """Required links that cannot all be true together, after ``solve`` has said None."""
        numbers = {self.edge[min(link), max(link)]: link for link in required}
        core = self._solver.get_core() or []
        return [numbers[number] for number in core if number in numbers]
