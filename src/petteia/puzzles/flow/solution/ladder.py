"""The ladder: Flow as a constraint problem, with colours or with pipe shapes as values.

With *colours* a variable is an empty cell and a constraint counts: a cell has exactly two
neighbours of its own colour, a dot one. With *shapes* a variable is a cell and its value the set of
its links; neighbours must agree on the link between them, which is a binary constraint, and so is
the corner rule between cells that meet at a corner. Both run on the general solver of ``csp``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Any

from petteia.core.errors import PetteiaError, one_of
from petteia.csp import Constraint, Limits, Problem, Solver, Watcher
from petteia.puzzles.flow.reference import faults
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle, Rule, Solution

__all__ = ["RUNGS", "Climb", "Rung", "colour_problem", "shape_problem"]

N, E, S, W = 1, 2, 4, 8  # the first four ways as bits


@dataclass(frozen=True)
class Rung:
    """A way to search: which variables, and how."""

    model: str
    """colours or shapes."""
    about: str
    options: dict[str, Any]


RUNGS: dict[str, Rung] = {
    "colours-random": Rung("colours", "random cell, random colour",
                           {"order": "random", "values": "random", "inference": "none"}),
    "colours-first": Rung("colours", "cells row by row", {"order": "static", "inference": "none"}),
    "colours-forward": Rung("colours", "MRV, forward checking", {"inference": "forward"}),
    "colours-degree": Rung("colours", "MRV + degree, forward checking", {"order": "mrv+degree"}),
    "colours-lcv": Rung("colours", "MRV, LCV, forward checking", {"values": "lcv"}),
    "colours-cbj": Rung("colours", "MRV, forward checking, backjumping", {"backjump": True}),
    "colours-ac3": Rung("colours", "AC-3 before the search, MRV, forward checking",
                        {"prepare": True}),
    "colours-mac": Rung("colours", "MRV, arc consistency that counts", {"inference": "mac"}),
    "colours-wdeg": Rung("colours", "dom/wdeg, the same, restarts",
                         {"order": "dom/wdeg", "inference": "mac", "restart": 50}),
    "shapes-first": Rung("shapes", "cells row by row", {"order": "static", "inference": "none"}),
    "shapes-forward": Rung("shapes", "MRV, forward checking", {"inference": "forward"}),
    "shapes-ac3": Rung("shapes", "AC-3 before the search, MRV, forward checking",
                       {"prepare": True}),
    "shapes-mac": Rung("shapes", "MRV, arc consistency in bits", {"inference": "mac"}),
    "shapes-mac-ac3": Rung("shapes", "MRV, AC-3", {"inference": "mac-ac3"}),
    "shapes-mac-2001": Rung("shapes", "MRV, AC-2001", {"inference": "mac-2001"}),
    "shapes-wdeg": Rung("shapes", "dom/wdeg, arc consistency in bits, restarts",
                        {"order": "dom/wdeg", "inference": "mac", "restart": 50}),
}  # fmt: skip


class Climb:
    """One rung on one puzzle."""

    def __init__(
        self, puzzle: Puzzle, rule: Rule, name: str, *, seconds: float | None = None,
        tried: int | None = None, seed: int = 0,
    ) -> None:  # fmt: skip
        if name not in RUNGS:
            raise one_of(name, RUNGS, what="rung")
        rung = RUNGS[name]
        if not rule.coverage:
            raise PetteiaError("the ladder covers every cell; the engine sat need not")
        if rung.model == "colours" and not rule.is_strict:
            raise PetteiaError(f"colours as variables know the rule strict, not {rule.name}")
        self.puzzle, self.rule, self.rung = puzzle, rule, rung
        self.problem = colour_problem(puzzle) if rung.model == "colours" else shape_problem(
            puzzle, corners=rule.name != "touching"
        )  # fmt: skip
        self.solver = Solver(self.problem, limits=Limits(seconds, tried), seed=seed, **rung.options)
        self.false = 0
        """Answers that passed every constraint and broke a rule: rings, or paths that touch."""

    def solutions(self) -> Iterator[Solution]:
        """Solutions until there are no more; raises TimeoutError at a limit."""
        for step in self.solver.steps():
            if step.kind == "solution":
                found = self.solution()
                if found is None:
                    self.false += 1
                else:
                    yield found
            elif step.kind == "limit":
                raise TimeoutError("the limit was reached")

    def solution(self) -> Solution | None:
        """The paths of a full assignment, unless it breaks a rule."""
        values = dict(zip(self.problem.names, self.solver.state.values, strict=True))
        if self.rung.model == "colours":
            found = follow_colours(
                self.puzzle,
                [int(values.get(cell, value)) for cell, value in enumerate(self.puzzle.cells)],
            )
        else:
            found = _follow_shapes(self.puzzle, values)
        if found is None or faults(self.puzzle, found, self.rule):
            return None
        return found


# --- colours --------------------------------------------------------------------------------------


class _Count(Constraint):
    """A cell has as many neighbours of its colour as it needs: 1 for a dot, 2 for others."""

    def __init__(self, puzzle: Puzzle, cell: int, variables: dict[int, int]) -> None:
        around = puzzle.neighbours[cell]
        super().__init__([variables[c] for c in (cell, *around) if c in variables])
        own = puzzle.cells[cell]
        self.own = own
        """The colour of a dot, or EMPTY."""
        self.need = 1 if own >= 0 else 2
        self.dots = [puzzle.cells[c] for c in around if puzzle.cells[c] >= 0]
        """The colours of neighbours that are dots."""

    def may_hold(self, values: Sequence[Any]) -> bool:
        if self.own >= 0:
            own, others = self.own, values
        else:
            own, others = values[0], values[1:]
            if own is None:
                return True
        same = self.dots.count(own)
        unknown = 0
        for value in others:
            if value is None:
                unknown += 1
            elif value == own:
                same += 1
        return same <= self.need <= same + unknown

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]]:
        if self.own >= 0:
            left, others = 1 << self.own, self.scope
        else:
            left, others = domains[self.scope[0]], self.scope[1:]
        masks = [domains[v] for v in others]
        fixed = [1 << colour for colour in self.dots]
        # Bit by bit over all colours: in how many neighbours a colour is possible, or certain.
        some = two = sure = sure_two = sure_three = 0
        for mask in (*masks, *fixed):
            two |= some & mask
            some |= mask
            if mask & (mask - 1) == 0:
                sure_three |= sure_two & mask
                sure_two |= sure & mask
                sure |= mask
        enough, too_many = (some, sure_two) if self.need == 1 else (two, sure_three)
        wrong = left & ~(enough & ~too_many)
        if self.own < 0:
            if wrong:
                yield self.scope[0], wrong
        elif wrong:
            yield from ((v, domains[v]) for v in self.scope[:1])
            return
        left &= ~wrong
        if left and left & (left - 1) == 0:
            yield from self._when_known(left, others, masks, fixed)

    def _when_known(
        self, own: int, others: Sequence[int], masks: Sequence[int], fixed: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """With the cell's colour known: strikes it beside a full cell, asks for it beside one
        that needs all it can get."""
        sure = sum(1 for mask in (*masks, *fixed) if mask == own)
        possible = sum(1 for mask in (*masks, *fixed) if mask & own)
        for variable, mask in zip(others, masks, strict=True):
            if mask & own and mask != own:
                if sure == self.need:
                    yield variable, own
                elif possible == self.need:
                    yield variable, mask & ~own


def colour_problem(puzzle: Puzzle) -> Problem:
    """A variable for each empty cell; its values are the colours."""
    problem = Problem()
    numbers = {
        cell: problem.variable(cell, range(puzzle.colours))
        for cell, value in enumerate(puzzle.cells)
        if value == EMPTY
    }
    for cell, value in enumerate(puzzle.cells):
        if value != HOLE:
            problem.constrain(_Count(puzzle, cell, numbers))
    return problem


def follow_colours(puzzle: Puzzle, colouring: Sequence[int]) -> Solution | None:
    """The paths of a filled board; None where it has a ring or a path that is no path."""
    paths, covered = [], 0
    for first, last in puzzle.dots:
        path, before, here = [first], -1, first
        while here != last:
            onward = [
                cell
                for cell in puzzle.neighbours[here]
                if cell != before and colouring[cell] == colouring[first]
            ]
            if len(onward) != 1 or len(path) > len(puzzle.cells):
                return None
            before, here = here, onward[0]
            path.append(here)
        covered += len(path)
        paths.append(tuple(path))
    whole = covered == sum(1 for value in puzzle.cells if value != HOLE)
    return Solution(tuple(paths)) if whole else None


# --- shapes ---------------------------------------------------------------------------------------


@cache
def _agree(one: int, two: int) -> Callable[[int, int], bool]:
    """Whether two neighbours agree on the link between them, a bit of each."""
    return lambda here, there: bool(here & one) == bool(there & two)


@cache
def _single(one: int, two: int, other: int) -> Callable[[int, int], bool]:
    """Whether of the three links around a point at most one is made.

    Two of its cells have shapes: the first has the links ``one`` to the second cell and ``two`` to
    the third; ``other`` is the link of the second cell to the third.
    """
    return lambda here, there: bool(here & one) + bool(here & two) + bool(there & other) < 2


def _corner_falling(one: int, other: int) -> bool:
    """Top left and bottom right of a block: inside a bend there is no link towards its arms."""
    if one & (E | S) == E | S and other & (N | W):
        return False
    return not (other & (N | W) == N | W and one & (E | S))


def _corner_rising(one: int, other: int) -> bool:
    """Top right and bottom left of a block."""
    if one & (S | W) == S | W and other & (N | E):
        return False
    return not (other & (N | E) == N | E and one & (S | W))


class _Mates(Watcher):
    """Keeps the two ends of every piece of path: no rings, no two colours in one piece."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.mate = list(range(len(puzzle.cells)))
        self.decided = [False] * len(puzzle.cells)
        self.cells = [cell for cell, value in enumerate(puzzle.cells) if value != HOLE]
        self.made: list[list[tuple[int, int, int, int]]] = []

    def assign(self, variable: int, value: Any) -> bool:
        cell, mate, inks = self.cells[variable], self.mate, self.puzzle.cells
        links: list[tuple[int, int, int, int]] = []
        for way, other in self.puzzle.ways[cell].items():
            if not value >> way & 1 or self.decided[other]:
                continue  # no link, or one that the other cell has made
            a, b = mate[cell], mate[other]
            if a == other or (inks[a] >= 0 and inks[b] >= 0 and inks[a] != inks[b]):
                self._unlink(links)
                return False
            mate[a], mate[b] = b, a
            links.append((cell, other, a, b))
        self.decided[cell] = True
        self.made.append(links)
        return True

    def _unlink(self, links: list[tuple[int, int, int, int]]) -> None:
        for cell, other, a, b in reversed(links):
            self.mate[a], self.mate[b] = cell, other

    def undo(self, variable: int) -> None:
        self._unlink(self.made.pop())
        self.decided[self.cells[variable]] = False


def shape_problem(puzzle: Puzzle, *, corners: bool) -> Problem:
    """A variable for each cell; its values are sets of links, two of them or for a dot one."""
    problem = Problem()
    shapes: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
    for cell, value in enumerate(puzzle.cells):
        if value == HOLE:
            continue
        exits = tuple(1 << way for way in puzzle.ways[cell])
        key = (exits, 1 if value >= 0 else 2)
        if key not in shapes:
            shapes[key] = tuple(sum(some) for some in combinations(*key))
        problem.variable(cell, shapes[key])
    for a, ways in enumerate(puzzle.ways):
        for way, b in ways.items():
            if a < b:
                problem.relate(a, b, _agree(1 << way, 1 << puzzle.plane.opposite(way)))
    if corners:
        for block in puzzle.blocks:
            _relate_block(problem, puzzle, block)
    problem.watchers.append(_Mates(puzzle))
    return problem


def _relate_block(problem: Problem, puzzle: Puzzle, block: tuple[int, ...]) -> None:
    """The corner rule for the cells around a point, unless a wall parts two of them."""
    if any(b not in puzzle.neighbours[a] for a, b in pairwise((*block, block[0]))):
        return
    if len(block) == 4:
        a, b, d, c = block
        problem.relate(a, d, _corner_falling)
        problem.relate(b, c, _corner_rising)
        return
    for k in range(3):
        a, b, c = block[k], block[(k + 1) % 3], block[(k + 2) % 3]
        links = (puzzle.plane.way(*pair) or 0 for pair in ((a, b), (a, c), (b, c)))
        problem.relate(a, b, _single(*(1 << way for way in links)))


def _follow_shapes(puzzle: Puzzle, values: dict[Any, Any]) -> Solution | None:
    paths = []
    for first, last in puzzle.dots:
        path, here, came = [first], first, 0
        while True:
            onward = values[here] & ~came
            if not onward:
                break
            way = onward.bit_length() - 1
            here, came = puzzle.ways[here][way], 1 << puzzle.plane.opposite(way)
            path.append(here)
        if here != last:
            return None
        paths.append(tuple(path))
    return Solution(tuple(paths))
