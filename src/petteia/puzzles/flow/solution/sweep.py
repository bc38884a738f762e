"""Engine 1: the diagonal sweep. It finds, lists, and proves by exhausting the tree.

A hard board may be easy when it is turned: where the first orientation does not finish soon, all
eight take turns, each going on from where it stopped.
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
from petteia.puzzles.flow.rules.memory import (
    CELLS,
    compiled_memory,
    fields_of,
    fill,
    plain_memory,
    read,
)
from petteia.puzzles.flow.solution import sweep_search as searching

__all__ = ["Found", "Link", "Sweep", "run"]

Link = tuple[int, int]
"""Two neighbouring cells."""

_FIRST = 20_000
"""Visits before other orientations get their turn."""
_TURNS = 8
_NOTHING = [0] * CELLS


@dataclass(frozen=True)
class Found:
    """What a run of the engine has to say."""

    solutions: tuple[Solution, ...]
    complete: bool
    """Whether there are no other solutions."""
    nodes: int
    """Cells visited, in all orientations."""


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
        if not rule.coverage:
            raise PetteiaError("the engine sweep covers every cell; the engine sat need not")
        self.puzzle = puzzle
        self._plain = plain or is_interpreted()
        self._memory, self._run = _taken(puzzle, self._plain)
        memory = self._memory
        count = len(puzzle.cells)
        fill(memory, "board", puzzle.cells)
        fill(memory, "first", [pair[0] for pair in puzzle.dots])
        for name, links in (("walls", puzzle.walls), ("required", required)):
            bits = getattr(memory, name)
            bits[:count] = _NOTHING[:count] if self._plain else 0
            for a, b in links:
                down = abs(a - b) == puzzle.width
                bits[min(a, b)] |= searching.SOUTH if down else searching.EAST
        kind = list(RULES).index(rule.name)
        memory.control[:10] = [
            puzzle.width, puzzle.height, turn, kind, 0, 0, 0, 0, puzzle.colours, 0,
        ]  # fmt: skip

    def go_on(self, most: int) -> int:
        """Searches until a solution, the end, or until this many cells were visited in all."""
        self._memory.control[searching.MOST] = most
        return self._run()

    @property
    def nodes(self) -> int:
        """Cells visited so far."""
        return int(self._memory.control[searching.NODES])

    @property
    def solution(self) -> Solution:
        """The solution at which the search stands."""
        stops = read(self._memory, "stop", self.puzzle.colours)
        cells = read(self._memory, "path", stops[-1])
        return Solution(tuple(tuple(cells[a:b]) for a, b in zip([0, *stops], stops, strict=False)))

    @property
    def links(self) -> list[Link]:
        """The links made so far, for looking at a search that is under way."""
        memory, found = self._memory, []
        stride = int(memory.control[searching.STRIDE])
        for at in range(int(memory.control[searching.VISITS])):
            place = int(memory.order[at])
            for bit, step in ((searching.E, 1), (searching.S, stride)):
                if int(memory.links[place]) & bit:
                    a, b = int(memory.back[place]), int(memory.back[place + step])
                    found.append((min(a, b), max(a, b)))
        return found

    @property
    def here(self) -> int:
        """The cell that is visited next, or -1 where all were."""
        at = int(self._memory.control[searching.AT])
        if at >= int(self._memory.control[searching.VISITS]):
            return -1
        return int(self._memory.back[int(self._memory.order[at])])

    def close(self) -> None:
        """Gives the memory back for the next search of this thread."""
        if not self._plain:
            _kept.__dict__.setdefault("free", []).append((self._memory, self._run))


_kept = threading.local()


def _taken(puzzle: Puzzle, plain: bool) -> tuple[Any, Callable[[], int]]:
    """A memory, and the search bound to it."""
    if plain:
        cells = (puzzle.width + 2) * (puzzle.height + 2)
        memory = plain_memory(searching.LAYOUT, cells)
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
    spent, part = 0, _FIRST
    try:
        while True:
            count = 1 if part == _FIRST else _TURNS
            for turn in range(count):
                if turn == len(searches):
                    sweep = Sweep(puzzle, rule, turn=turn, required=required, plain=plain)
                    searches.append((sweep, []))
                sweep, found = searches[turn]
                before, status = sweep.nodes, searching.SOLUTION
                target = before + part
                if nodes is not None:
                    target = min(target, before + nodes - spent)
                while status == searching.SOLUTION:
                    status = sweep.go_on(target)
                    if status == searching.SOLUTION:
                        found.append(sweep.solution)
                        if len(found) == most:
                            break
                spent += sweep.nodes - before
                if status == searching.END or len(found) == most:
                    return Found(tuple(found), status == searching.END, spent)
                late = seconds is not None and time.perf_counter() - started > seconds
                if late or (nodes is not None and spent >= nodes):
                    best = max((found for _, found in searches), key=len)
                    return Found(tuple(best), False, spent)
            part = min(2 * part, 2_000_000)
    finally:
        for sweep, _ in searches:
            sweep.close()
