"""Engine 3: exact numbers of solutions where paths may touch themselves.

Cells are decided one after the other, row by row. What the decided part means for the rest is the
*frontier*: one plug for each way from a decided cell to one that is not. A plug is nothing, the end
of a piece whose other end is on the frontier too (its code says where), or the end of one that
comes from a dot. Boards with the same frontier have the same future: only how many there are is
kept.

Ways take places on the frontier while they cross it, so that it is as wide as it must be on any
graph of cells. Numbers of solutions have as many words of 64 bits as they need: a carry out of the
last word is seen, and then everything is counted again with four times as many.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import is_interpreted
from petteia.core.errors import PetteiaError
from petteia.core.words import U
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule
from petteia.puzzles.flow.solution.frontier import STEP, WAYS, Tables, step

__all__ = ["Counted", "TooWide", "count", "count_plainly"]


class TooWide(PetteiaError):
    """The board has more frontiers than can be kept."""


_ROOM = 4096
"""Frontiers that there is room for at first."""
_MOST = 4_000_000
"""Frontiers that are kept at most."""


def _look_at_clock(end: float | None) -> None:
    if end is not None and time.perf_counter() > end:
        raise TimeoutError("the limit was reached")


class Counted(int):
    """A number of solutions, and what it took."""

    peak: int = 0
    """How many frontiers the widest place had."""
    bytes: int = 0
    """The size of the tables; 0 for the readable form."""


def count(puzzle: Puzzle, rule: Rule, *, seconds: float | None = None) -> Counted:
    """How many solutions a puzzle has where paths may touch themselves.

    Raises TimeoutError when ``seconds`` have passed.
    """
    if rule.name != "touching":
        raise PetteiaError(
            f"the frontier counts solutions under the rule touching, not {rule.name}; "
            "those of other rules are counted by the engine sweep"
        )
    end = None if seconds is None else time.perf_counter() + seconds
    if is_interpreted():
        return count_plainly(puzzle, rule, end)
    limbs = 1
    while True:
        found = _Counter(puzzle, rule, limbs, end).run()
        if found is not None:
            return found
        limbs *= 4


class _Step(NamedTuple):
    """A cell that is decided, and the places of its ways on the frontier."""

    value: int
    arriving: list[int]
    leaving: list[int]


def _order(puzzle: Puzzle) -> list[int]:
    """The cells in the order in which they are decided; a bridge's strands together."""
    found = []
    for cell in range(puzzle.area):
        if puzzle.cells[cell] != HOLE:
            found.append(cell)
            if cell in puzzle.bridges:
                found.append(puzzle.strands[cell])
    return found


def _steps(puzzle: Puzzle) -> Iterator[_Step]:
    """All steps; a way that comes takes the first place that is free."""
    place: dict[tuple[int, int], int] = {}
    free: list[int] = []
    done: set[int] = set()
    for cell in _order(puzzle):
        arriving = [place.pop((other, cell)) for other in puzzle.neighbours[cell] if other in done]
        free = sorted(free + arriving)
        leaving = []
        for other in puzzle.neighbours[cell]:
            if other not in done:
                if not free:
                    free.append(len(place))
                place[cell, other] = free.pop(0)
                leaving.append(place[cell, other])
        done.add(cell)
        yield _Step(puzzle.cells[cell], arriving, leaving)


class _Counter:
    """The tables of one count."""

    def __init__(self, puzzle: Puzzle, rule: Rule, limbs: int, end: float | None) -> None:
        self.puzzle, self.rule, self.limbs = puzzle, rule, limbs
        self.end = end
        self.steps = list(_steps(puzzle))
        self.places = 1 + max((max(step.leaving, default=0) for step in self.steps), default=0)
        self.bits = (self.places + puzzle.colours).bit_length()
        self.words = -(-self.places // (64 // self.bits))
        self.keys, self.next_keys = (np.zeros(_ROOM * self.words, np.uint64) for _ in range(2))
        self.counts, self.next_counts = (np.zeros(_ROOM * limbs, np.uint64) for _ in range(2))
        self.counts[0] = 1
        self.index = np.zeros(4 * _ROOM, np.int32)
        self.staying = np.zeros(self.words, np.uint64)
        self.ways = np.zeros(2 * WAYS, np.int64)

    def run(self) -> Counted | None:
        """The number; None if it needs more words."""
        states, peak = 1, 1
        info = np.zeros(1, STEP)[0]
        info["places"], info["bits"], info["words"] = self.places, self.bits, self.words
        info["limbs"], info["cover"] = self.limbs, self.rule.coverage
        for each in self.steps:
            info["dot"] = self.places + 1 + each.value if each.value >= 0 else 0
            info["arriving"], info["leaving"] = len(each.arriving), len(each.leaving)
            self.ways[: len(each.arriving)] = each.arriving
            self.ways[WAYS : WAYS + len(each.leaving)] = each.leaving
            self.staying[:] = ~U(0)
            for place in each.arriving:
                word, at = divmod(place, 64 // self.bits)
                self.staying[word] &= ~(U((1 << self.bits) - 1) << U(at * self.bits))
            info["states"] = states
            states = self._step(info)
            if info["carry"]:
                return None
            peak = max(peak, states)
            if not states:
                break
        total = sum(int(limb) << 64 * i for i, limb in enumerate(self.counts[: self.limbs]))
        found = Counted(total if states else 0)
        tables = (self.keys, self.next_keys, self.counts, self.next_counts, self.index)
        found.peak, found.bytes = peak, sum(table.nbytes for table in tables)
        return found

    def _step(self, info: Any) -> int:
        """One cell; a step whose tables were too small is done again with larger ones."""
        info["done"] = 0
        while True:
            tables = Tables(
                info, self.ways, self.staying, self.keys, self.counts, self.next_keys,
                self.next_counts, self.index,
            )  # fmt: skip
            states = step(tables)
            _look_at_clock(self.end)
            if info["done"] == info["states"]:
                break
            if states >= 0:
                continue  # it only stopped to let us look at the clock
            info["done"] = 0
            room = 4 * len(self.next_keys) // self.words
            if room > 4 * _MOST:
                raise TooWide(
                    f"more than {_MOST:,} frontiers on a {self.puzzle.size} board; "
                    "it is too wide to be counted"
                )
            self.next_keys = np.zeros(room * self.words, np.uint64)
            self.next_counts = np.zeros(room * self.limbs, np.uint64)
            if len(self.index) < 4 * room:
                self.index = np.zeros(4 * room, np.int32)
        self.keys, self.next_keys = self.next_keys, self.keys
        self.counts, self.next_counts = self.next_counts, self.counts
        return int(states)


# --- the readable form ----------------------------------------------------------------------------


def count_plainly(puzzle: Puzzle, rule: Rule, end: float | None = None) -> Counted:
    """The same in a few lines; slow, and easy to believe.

    A frontier is a tuple of plugs: 0 for nothing, a positive number shared by the two ends of a
    piece, -1 - c for an end that comes from a dot of colour c.
    """
    frontier: list[tuple[int, int]] = []  # the ways that cross it
    now: dict[tuple[int, ...], int] = {(): 1}
    peak, done = 1, set()
    for cell in _order(puzzle):
        _look_at_clock(end)
        near = puzzle.neighbours[cell]
        arriving = [at for at, way in enumerate(frontier) if way[1] == cell]
        staying = [at for at, way in enumerate(frontier) if way[1] != cell]
        leaving = [(cell, other) for other in near if other not in done]
        after: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for plugs, number in now.items():
            ends = [plugs[at] for at in arriving if plugs[at]]
            if puzzle.cells[cell] >= 0:
                ends.append(-1 - puzzle.cells[cell])
            rest = tuple(plugs[at] for at in staying)
            for new in _next(rest, ends, len(leaving), rule.coverage):
                after[_renumbered(new)] += number
        frontier = [frontier[at] for at in staying] + leaving
        done.add(cell)
        now, peak = dict(after), max(peak, len(after))
    found = Counted(now.get((), 0))
    found.peak = peak
    return found


def _next(
    rest: tuple[int, ...], ends: list[int], leaving: int, cover: bool
) -> Iterator[tuple[int, ...]]:
    """The plugs after a cell where these ends meet; ``leaving`` ways lead on from it."""
    none = (0,) * leaving
    if len(ends) == 2:
        a, b = ends
        if a == b < 0:  # a colour that is now complete
            yield rest + none
        elif a != b and max(a, b) > 0:
            yield tuple(min(a, b) if plug == max(a, b) else plug for plug in rest) + none
    elif len(ends) == 1:
        for k in range(leaving):
            yield (*rest, *none[:k], ends[0], *none[k + 1 :])
    elif not ends:
        if not cover:
            yield rest + none
        fresh = max((*rest, 0)) + 1
        for one, two in combinations(range(leaving), 2):
            yield rest + tuple(fresh if k in (one, two) else 0 for k in range(leaving))


def _renumbered(plugs: tuple[int, ...]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(p if p <= 0 else names.setdefault(p, len(names) + 1) for p in plugs)
