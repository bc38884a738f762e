"""Engine 1: the diagonal sweep. It finds, lists, and proves by exhausting the tree.

A hard board may be easy from another corner: eleven boards of 50x50 took 878,000 choices from the
first corner and 115,000 from the best, and no short probe told which that is. So where the first
does not finish soon, all four take turns, each going on from where it stopped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError
from petteia.puzzles.flow.rules import RULES, Puzzle, Rule, Solution
from petteia.puzzles.flow.rules.grids import GRIDS
from petteia.puzzles.flow.rules.memory import (
    CELLS,
    compiled_memory,
    fields_of,
    fill,
    plain_memory,
    read,
)
from petteia.puzzles.flow.solution import sweep_board as board
from petteia.puzzles.flow.solution import sweep_search as searching

__all__ = ["Found", "Link", "Sweep", "run"]

Link = tuple[int, int]
"""Two neighbouring cells."""

_FIRST = 250
"""Choices before the searches from other corners get their turn."""
_PART = 50_000
"""The most choices between two looks at the clock: a tenth of a second."""
_CORNERS = 4
_NOTHING = [0] * CELLS


@dataclass(frozen=True)
class Found:
    """What a run of the engine has to say."""

    solutions: tuple[Solution, ...]
    complete: bool
    """Whether there are no other solutions."""
    nodes: int
    """Choices tried, from all corners."""


class Sweep:
    """One search in one orientation; it can be stopped anywhere and goes on from there."""

    def __init__(
        self,
        puzzle: Puzzle,
        rule: Rule,
        *,
        turn: int = 0,
        required: Iterable[Link] = (),
        plain: bool = False,
    ) -> None:
        self.puzzle = puzzle
        self._plain = plain or is_interpreted()
        self._memory, self._run = _taken(puzzle, self._plain)
        memory = self._memory
        count = len(puzzle.cells)
        fill(memory, "board", puzzle.cells)
        fill(memory, "first", [pair[0] for pair in puzzle.dots])
        for name in ("closed", "required", "strand"):
            getattr(memory, name)[:count] = _NOTHING[:count] if self._plain else 0
        for a, b in puzzle.walls:
            for one, other in ((a, b), (b, a)):
                memory.closed[one] |= 1 << (puzzle.plane.way(one, other) or 0)
        for a, b in required:
            for one, other in ((a, b), (b, a)):
                way = next((way for way, near in puzzle.ways[one].items() if near == other), None)
                if way is None:
                    raise PetteiaError(f"{puzzle.name(a)} and {puzzle.name(b)} are not neighbours")
                memory.required[one] |= 1 << way
        for cell, second in puzzle.strands.items():
            memory.strand[cell] = second
        kind = list(RULES).index(rule.name)
        memory.control[:15] = [
            puzzle.width, puzzle.height, turn, kind, int(rule.coverage), GRIDS.index(puzzle.grid),
            puzzle.colours, 0, 0, 0, 0, 0, 0, 0, 0,
        ]  # fmt: skip

    def go_on(self, most: int) -> int:
        """Searches until a solution, the end, or until this many choices were tried in all."""
        self._memory.control[board.MOST] = most
        return self._run()

    @property
    def nodes(self) -> int:
        """Choices tried so far; the conclusions before the first count as one."""
        return int(self._memory.control[board.NODES])

    @property
    def solution(self) -> Solution:
        """The solution at which the search stands."""
        stops = read(self._memory, "stop", self.puzzle.colours)
        cells = read(self._memory, "path", stops[-1])
        return Solution(tuple(tuple(cells[a:b]) for a, b in zip([0, *stops], stops, strict=False)))

    @property
    def links(self) -> list[Link]:
        """The links made so far in their order, for looking at a search that is under way."""
        memory, found = self._memory, []
        for at in range(int(memory.control[board.TRAIL])):
            if int(memory.trail[3 * at + 1]) >= 0:
                edge = int(memory.trail[3 * at])
                ends = (
                    int(memory.back[edge // board.WAYS]),
                    int(memory.back[int(memory.near[edge])]),
                )
                found.append((min(ends), max(ends)))
        return found

    def close(self) -> None:
        """Gives the memory back for the next search of this thread."""
        if not self._plain:
            _kept.__dict__.setdefault("free", []).append((self._memory, self._run))


_kept = threading.local()


def _taken(puzzle: Puzzle, plain: bool) -> tuple[Any, Callable[[], int]]:
    """A memory, and the search bound to it."""
    if plain:
        memory = plain_memory(searching.LAYOUT, len(puzzle.cells))
        return memory, lambda: searching.sweep.function(memory)
    free = _kept.__dict__.setdefault("free", [])
    if free:
        return free.pop()
    memory = compiled_memory(searching.LAYOUT)
    return fields_of(memory), searching.sweep.bind(memory)


def run(
    puzzle: Puzzle,
    rule: Rule,
    *,
    most: int | None = 2,
    required: Iterable[Link] = (),
    nodes: int | None = None,
    seconds: float | None = None,
    plain: bool = False,
) -> Found:
    """Solutions, up to ``most`` of them, with every required link.

    Two are enough to prove that a puzzle is not unique. ``nodes`` and ``seconds`` limit the search;
    at a limit what was found is told, and that it is not complete.
    """
    started = time.perf_counter()
    required = tuple(required)
    searches: list[tuple[Sweep, list[Solution]]] = []
    spent, part, corners = 0, _FIRST, 1
    try:
        while True:
            for corner in range(corners):
                if corner == len(searches):
                    sweep = Sweep(puzzle, rule, turn=corner, required=required, plain=plain)
                    searches.append((sweep, []))
                sweep, found = searches[corner]
                before, status = sweep.nodes, searching.SOLUTION
                target = before + part
                if nodes is not None:
                    target = min(target, before + nodes - spent)
                while status == searching.SOLUTION and len(found) != most:
                    status = sweep.go_on(target)
                    if status == searching.SOLUTION:
                        found.append(sweep.solution)
                    if seconds is not None and time.perf_counter() - started > seconds:
                        break
                spent += sweep.nodes - before
                if status == searching.END or len(found) == most:
                    return Found(tuple(found), status == searching.END, spent)
                late = seconds is not None and time.perf_counter() - started > seconds
                if late or (nodes is not None and spent >= nodes):
                    best = max((found for _, found in searches), key=len)
                    return Found(tuple(best), False, spent)
            corners, part = _CORNERS, _FIRST if plain else min(2 * part, _PART)
    finally:
        for sweep, _ in searches:
            sweep.close()
