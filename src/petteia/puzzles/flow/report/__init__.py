"""The three solvers of the course report, as it describes them.

Variables are the empty cells, values the colours on the board. All three are backtracking; they
differ in which cell comes next and in the tests that a new value must pass, in this order:

| solver  | next cell                | tests                                                   |
|---------|--------------------------|---------------------------------------------------------|
| dumb    | fixed order              | the normal violation test                               |
| smart   | fewest values left (MRV) | that, then forward checking                             |
| smarter | MRV                      | both, then arc consistency, kept up during the search   |

Forward checking strikes the colours that fail from the neighbours' domains. The report's own words
only say that a neighbour for which *all* colours fail is a failure; read so, no domain ever shrinks
and MRV has nothing to choose by. That is ``smart-literal``, and it tries exactly as many values as
the report prints for smart on 9x9 and "10x10 one".

What the report leaves open is chosen here: cells row by row (``dumb`` may shuffle them by a seed),
colours in the order of their first dots, the first cell among equals. A value that fails a test
counts as tried, not as assigned; what the report calls assignments is what we call tried.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError, one_of
from petteia.puzzles.flow.report import search as searching
from petteia.puzzles.flow.rules import EMPTY, HOLE, Puzzle
from petteia.puzzles.flow.rules.memory import compiled_memory, fill, plain_memory

__all__ = ["REPORT_SOLVERS", "Counts", "Event", "ReportSolver"]

REPORT_SOLVERS = ("dumb", "smart", "smarter", "smart-literal")
_SLICE = 5_000
"""Values tried between two looks at the clock."""


@dataclass(frozen=True)
class Counts:
    """What a search took."""

    tried: int
    """Values tried."""
    assignments: int
    """Values that passed every test."""
    backtracks: int
    """Cells that ran out of values."""
    checks: int
    """Violation tests of single cells."""
    prunings: int
    """Values struck from a domain."""
    revisions: int
    """Arcs that were looked at."""


class Event(NamedTuple):
    """Something that happened in the search."""

    kind: str
    """assign, reject, backtrack, solution or end."""
    cell: int = -1
    colour: int = -1
    why: str = ""
    """For a rejected value the test that failed: normal, forward or arcs."""


class ReportSolver:
    """One of the report's solvers on one puzzle."""

    def __init__(
        self, puzzle: Puzzle, kind: str, *, seed: int | None = None, plain: bool = False
    ) -> None:
        if kind not in REPORT_SOLVERS:
            raise one_of(kind, REPORT_SOLVERS, what="solver of the report")
        if puzzle.colours > searching.MOST_COLOURS:
            raise PetteiaError(
                f"the report's solvers take at most {searching.MOST_COLOURS} colours, not "
                f"{puzzle.colours}; the engine sweep takes any number"
            )
        self.puzzle, self.kind = puzzle, kind
        self._plain = plain or is_interpreted()
        cells = len(puzzle.cells)
        layout = searching.LAYOUT
        self._memory = plain_memory(layout, cells) if self._plain else compiled_memory(layout)
        order = [cell for cell, value in enumerate(puzzle.cells) if value == EMPTY]
        if seed is not None:
            random.Random(seed).shuffle(order)
        everything = (1 << puzzle.colours) - 1
        around = [0] * (searching.WAYS * cells)
        for cell, others in enumerate(puzzle.neighbours):
            first = searching.WAYS * cell
            around[first : first + len(others)] = others
        memory = self._memory
        fill(memory, "colour", puzzle.cells)
        fill(memory, "domain", [
            1 << value if value >= 0 else 0 if value == HOLE else everything
            for value in puzzle.cells
        ])  # fmt: skip
        fill(memory, "need", [1 if value >= 0 else 2 for value in puzzle.cells])
        fill(memory, "degree", [len(others) for others in puzzle.neighbours])
        fill(memory, "around", around)
        fill(memory, "order", order)
        memory.control[searching.KIND] = REPORT_SOLVERS.index(kind)
        memory.control[searching.EMPTIES] = len(order)
        memory.control[searching.QUEUED] = searching.WAYS * cells
        self._fresh = True

    @property
    def counts(self) -> Counts:
        """What the search has taken so far."""
        return Counts(*(int(count) for count in self._memory.counts))

    @property
    def colouring(self) -> list[int]:
        """The colour of each cell now, EMPTY where it has none."""
        return [int(value) for value in self._memory.colour[: len(self.puzzle.cells)]]

    @property
    def domains(self) -> list[int]:
        """The colours left for each cell, as bits."""
        return [int(value) for value in self._memory.domain[: len(self.puzzle.cells)]]

    def _begin(self) -> None:
        """The first cell; a board on which a dot has no way out fails before the search."""
        self._fresh = False
        for cell, value in enumerate(self.puzzle.cells):
            if value >= 0 and not searching.passes(self._memory, cell):
                return
        if self._memory.control[searching.EMPTIES]:
            searching.push(self._memory)

    def solutions(
        self, *, seconds: float | None = None, tried: int | None = None
    ) -> Iterator[list[int]]:
        """Colourings that pass the local test everywhere, until there are no more.

        Raises TimeoutError at a limit. A ring apart from any dot passes the local test too.
        """
        run: Callable[..., int] = searching.search.function if self._plain else searching.search
        started = time.perf_counter()
        if self._fresh:
            self._begin()
            if not self._memory.control[searching.EMPTIES]:
                yield from self._full_already()
                return
        while True:
            most = int(self._memory.counts[searching.TRIED]) + _SLICE
            event = run(self._memory, most if tried is None else min(most, tried))
            if event == searching.SOLUTION:
                yield self.colouring
            elif event == searching.END:
                return
            elif tried is not None and self._memory.counts[searching.TRIED] >= tried:
                raise TimeoutError(f"{tried} values tried")
            if seconds is not None and time.perf_counter() - started > seconds:
                raise TimeoutError(f"{seconds} seconds")

    def _full_already(self) -> Iterator[list[int]]:
        cells = [cell for cell, value in enumerate(self.puzzle.cells) if value >= 0]
        if all(searching.passes(self._memory, cell) for cell in cells):
            yield self.colouring

    def steps(self) -> Iterator[Event]:
        """The search event by event, in plain Python steps on the same memory."""
        names = ("assign", "reject", "backtrack", "solution", "end")
        whys = ("", "normal", "forward", "arcs")
        if self._fresh:
            self._begin()
        control = self._memory.control
        while True:
            event = searching.advance(self._memory)
            cell = int(control[searching.CELL])
            if event == searching.END:
                yield Event("end")
                return
            colour = -1 if event == searching.BACKTRACK else int(control[searching.COLOUR])
            why = whys[int(control[searching.WHY])] if event == searching.REJECT else ""
            yield Event(names[event], cell, colour, why)
