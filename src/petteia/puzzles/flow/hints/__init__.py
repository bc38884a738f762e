"""Hints: the next sure link with its reason, or which of the drawn paths cannot be right."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.hints.logic import Logic
from petteia.puzzles.flow.hints.reasons import REASONS, Contradiction, Deduction
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle, Rule, Solution
from petteia.puzzles.flow.solution import sweep
from petteia.puzzles.flow.solution.sat import SatEngine
from petteia.puzzles.flow.solution.solve import STRICT, best_engine

__all__ = ["Hint", "hint", "path_of"]

Path = tuple[int, ...]


@dataclass(frozen=True)
class Hint:
    """Something true about a puzzle with what has been drawn on it."""

    kind: str
    """link: two cells must be joined; wrong: drawn paths cannot stay; done; unsolvable."""
    reason: str
    """A name from ``reasons.REASONS``, or search where no rule says why."""
    text: str
    """The hint in a sentence or two."""
    link: tuple[int, int] | None = None
    cells: tuple[int, ...] = ()
    """Cells that show why."""
    paths: tuple[Path, ...] = ()
    """For a wrong drawing, a smallest set of its paths that cannot all stay."""


def path_of(puzzle: Puzzle, text: str) -> Path:
    """A drawn path written as cells, such as ``r1c1 r1c2 r2c2``."""
    cells = [puzzle.cell(name) for name in text.replace(",", " ").split()]
    return checked(puzzle, puzzle.path_of(cells))


def checked(puzzle: Puzzle, path: Sequence[int]) -> Path:
    """The path, if it steps from neighbour to neighbour and meets no cell twice."""
    if len(path) < 2:
        raise PetteiaError("a drawn path has at least two cells, such as r1c1 r1c2")
    for a, b in itertools.pairwise(path):
        if b not in puzzle.neighbours[a]:
            raise PetteiaError(f"{puzzle.name(a)} and {puzzle.name(b)} are not neighbours")
    if len(set(path)) != len(path):
        raise PetteiaError("a drawn path meets a cell twice")
    for cell in path[1:-1]:
        if puzzle.cells[cell] not in (EMPTY, HOLE):
            raise PetteiaError(f"a drawn path runs over the dot at {puzzle.name(cell)}")
    return tuple(path)


def _links(paths: Iterable[Path]) -> list[tuple[int, int]]:
    return [(min(p), max(p)) for path in paths for p in itertools.pairwise(path)]


class _Judge:
    """Says whether drawn paths can be completed."""

    def __init__(self, puzzle: Puzzle, rule: Rule) -> None:
        self.puzzle, self.rule = puzzle, rule
        by_sweep = best_engine(rule) == "sweep"
        self.engine = None if by_sweep else SatEngine(puzzle, rule)

    def completed(self, paths: Iterable[Path]) -> Solution | None:
        links = sorted(set(_links(paths)))
        if self.engine is not None:
            return self.engine.solve(links)
        found = sweep.run(self.puzzle, self.rule, most=1, required=links)
        return found.solutions[0] if found.solutions else None


def hint(puzzle: Puzzle, paths: Iterable[Sequence[int]] = (), rule: Rule = STRICT) -> Hint:
    """A hint for a puzzle on which paths, or parts of paths, are drawn."""
    drawn = [checked(puzzle, path) for path in paths]
    judge = _Judge(puzzle, rule)
    solution = judge.completed(drawn)
    if solution is None:
        return _what_is_wrong(puzzle, drawn, rule, judge)
    links = set(_links(drawn))
    if links == solution.links():
        return Hint("done", "", "the puzzle is solved")
    return _next_link(puzzle, links, rule, solution)


def _what_is_wrong(puzzle: Puzzle, drawn: list[Path], rule: Rule, judge: _Judge) -> Hint:
    if not drawn or judge.completed([]) is None:
        return Hint("unsolvable", "", f"the puzzle has no solution under the rule {rule.text}")
    guilty = list(drawn)
    for path in drawn:  # what can be left out without healing it has no part in it
        rest = [each for each in guilty if each is not path]
        if judge.completed(rest) is None:
            guilty = rest
    names = ["-".join(puzzle.name(cell) for cell in (path[0], path[-1])) for path in guilty]
    if len(guilty) == 1:
        text = f"the path {names[0]} cannot be part of any solution"
    else:
        text = f"the paths {' and '.join(names)} cannot all be part of one solution"
    reason, cells = _why(puzzle, guilty, rule)
    if reason:
        text += f": {_sentence(puzzle, reason, cells)}"
    return Hint("wrong", reason or "search", text, None, cells, tuple(guilty))


def _why(puzzle: Puzzle, paths: list[Path], rule: Rule) -> tuple[str, tuple[int, ...]]:
    """The contradiction that the rules find first, if they find one."""
    logic = Logic(puzzle, rule)
    try:
        logic.draw(_links(paths))
        while logic.advance(3):
            pass
    except Contradiction as problem:
        return problem.reason, problem.cells
    return "", ()


_PROBLEMS = {
    "full": "{0} would have too many links",
    "dead end": "{0} would be a dead end",
    "colours": "two colours would meet at {0}",
    "ring": "a ring would close at {0}",
    "touch": "a path would run beside itself at {0}",
    "corner": "no bend is possible at {0}: inside a bend the same bend follows until a dot",
    "reach": "{0} could not be reached any more",
    "bottleneck": "two colours would need the cell {0}",
}


def _sentence(puzzle: Puzzle, reason: str, cells: Sequence[int]) -> str:
    return _PROBLEMS[reason].format(puzzle.name(cells[0]))


def _next_link(puzzle: Puzzle, links: set[tuple[int, int]], rule: Rule, solution: Solution) -> Hint:
    """The first link that the rules make; that follows from what they have closed before it."""
    logic = Logic(puzzle, rule)
    if not rule.coverage:
        return _shown(puzzle, links, solution)
    logic.draw(sorted(links))
    looked = len(logic.log)
    while True:
        for step in logic.log[looked:]:
            if step.made and step.link not in links:
                return _explained(puzzle, step, logic.log)
        looked = len(logic.log)
        if not logic.advance():
            return _shown(puzzle, links, solution)


def _shown(puzzle: Puzzle, links: set[tuple[int, int]], solution: Solution) -> Hint:
    """A link of the solution, beside what is drawn if possible, where no rule gives one."""
    known = {cell for link in links for cell in link} | {c for pair in puzzle.dots for c in pair}
    fresh = sorted(solution.links() - links)
    best = next((link for link in fresh if known & set(link)), fresh[0])
    a, b = (puzzle.name(cell) for cell in best)
    return Hint("link", "search", f"join {a} and {b}; only a search shows why", best, best)


def _explained(puzzle: Puzzle, step: Deduction, log: list[Deduction]) -> Hint:
    a, b = (puzzle.name(cell) for cell in step.link)
    reason, cells = step.reason, step.cells
    text = f"join {a} and {b}: {REASONS[reason][1]}"
    if reason == "touch":
        text = f"join {a} and {b}: they have one colour, and its path would run beside itself"
    if reason == "dead end":
        # Why no other ways are left: the hardest of the reasons that closed them.
        cell = cells[0]
        closed = [d for d in log if not d.made and cell in d.link and d.reason != "full"]
        if closed:
            hardest = max(closed, key=lambda d: d.level)
            if hardest.level > 1:
                reason = hardest.reason
            ways = "; ".join(
                f"not {puzzle.name(sum(d.link) - cell)}, {REASONS[d.reason][1]}" for d in closed
            )
            text = f"join {a} and {b}: {puzzle.name(cell)} has no other way left ({ways})"
        else:
            text = f"join {a} and {b}: {puzzle.name(cell)} would be a dead end otherwise"
    return Hint("link", reason, text, step.link, cells)
