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

from petteia.compiled import is_interpreted, kernel, mix, signed
from petteia.core.errors import PetteiaError
from petteia.core.words import U
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule

__all__ = ["Counted", "count", "count_plainly"]

_NONE = 0
_WAYS = 6

STEP = np.dtype(
    [
        ("dot", np.int64),  # the plug of the cell's colour, 0 if it has no dot
        ("arriving", np.int64),  # ways from decided cells
        ("leaving", np.int64),  # ways to others
        ("cover", np.int64),  # whether every cell must be covered
        ("places", np.int64),  # of the frontier
        ("bits", np.int64),  # of a plug
        ("words", np.int64),  # of a frontier
        ("limbs", np.int64),  # words of a number
        ("states", np.int64),  # frontiers before the step
        ("done", np.int64),  # how many of them have been followed
        ("kept", np.int64),  # frontiers after the step, so far
        ("mask", np.int64),  # of the slots
        ("carry", np.int64),  # whether a number was too large
    ]
)
"""What is known of one step."""


class Tables(NamedTuple):
    """Frontiers and their numbers, before a step and after it."""

    info: Any
    ways: np.ndarray
    """The places of the arriving ways, then those of the leaving ones."""
    staying: np.ndarray
    """The bits of a frontier that are not of arriving ways."""
    keys: np.ndarray
    counts: np.ndarray
    next_keys: np.ndarray
    totals: np.ndarray
    slots: np.ndarray
    """Where a frontier after the step stands, by its hash; 0 is nowhere."""


_ROOM = 4096
"""Frontiers that there is room for at first."""
_SLICE = 100_000
"""Frontiers that are followed between two looks at the clock."""


def _look_at_clock(end: float | None) -> None:
    if end is not None and time.perf_counter() > end:
        raise TimeoutError("the limit was reached")


class Counted(int):
    """A number of solutions, and what it took."""

    peak: int = 0
    """How many frontiers the widest place had."""
    bytes: int = 0
    """The size of the tables; 0 for the readable form."""


def count(
    puzzle: Puzzle, rule: Rule, *, most_states: int = 4_000_000, seconds: float | None = None
) -> Counted:
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
        found = _Counter(puzzle, rule, limbs, most_states, end).run()
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

    def __init__(
        self, puzzle: Puzzle, rule: Rule, limbs: int, most_states: int, end: float | None
    ) -> None:
        self.puzzle, self.rule, self.limbs, self.most = puzzle, rule, limbs, most_states
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
        self.ways = np.zeros(2 * _WAYS, np.int64)

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
            self.ways[_WAYS : _WAYS + len(each.leaving)] = each.leaving
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
            if room > 4 * self.most:
                raise PetteiaError(
                    f"more than {self.most:,} frontiers on a {self.puzzle.size} board; "
                    "it is too wide to be counted"
                )
            self.next_keys = np.zeros(room * self.words, np.uint64)
            self.next_counts = np.zeros(room * self.limbs, np.uint64)
            if len(self.index) < 4 * room:
                self.index = np.zeros(4 * room, np.int32)
        self.keys, self.next_keys = self.next_keys, self.keys
        self.counts, self.next_counts = self.next_counts, self.counts
        return int(states)


# --- kernels --------------------------------------------------------------------------------------


def plug(t: Tables, source: int, place: int) -> int:
    """The plug at a place of a frontier before the step."""
    bits = t.info.bits
    each = 64 // bits
    word = t.keys[source * t.info.words + place // each]
    return signed(U((word >> U(place % each * bits)) & U((1 << bits) - 1)))


def put(t: Tables, place: int, code: int) -> None:
    """Sets a plug of the frontier that is being made, behind the last of the next ones."""
    bits = t.info.bits
    each = 64 // bits
    at, shift = t.info.kept * t.info.words + place // each, U(place % each * bits)
    keys = t.next_keys
    keys[at] = (keys[at] & ~(U((1 << bits) - 1) << shift)) | (U(code) << shift)


def renew(t: Tables, source: int) -> None:
    """Begins with a copy of the frontier before, without the plugs of the arriving ways."""
    words = t.info.words
    for i in range(words):
        t.next_keys[t.info.kept * words + i] = t.keys[source * words + i] & t.staying[i]


def keep(t: Tables, source: int) -> None:
    """Adds the source's number to that of the frontier which was made."""
    info, keys = t.info, t.next_keys
    base = info.kept * info.words
    digest = U(0)
    for i in range(info.words):
        digest = mix(U(digest ^ keys[base + i]))
    slot = np.int64(digest & U(info.mask))
    while True:
        known = int(t.slots[slot])
        if known == 0:
            t.slots[slot] = info.kept + 1
            for i in range(info.limbs):
                t.totals[info.kept * info.limbs + i] = t.counts[source * info.limbs + i]
            info.kept += 1
            return
        same = True
        for i in range(info.words):
            if keys[(known - 1) * info.words + i] != keys[base + i]:
                same = False
        if same:
            add(t, known - 1, source)
            return
        slot = (slot + 1) & info.mask


def add(t: Tables, into: int, source: int) -> None:
    """Adds the source's number to one after the step."""
    limbs, carry = t.info.limbs, U(0)
    for i in range(limbs):
        before = t.totals[into * limbs + i]
        added = before + t.counts[source * limbs + i]
        after = added + carry
        carry = U(1) if added < before or after < added else U(0)
        t.totals[into * limbs + i] = after
    if carry != U(0):
        t.info.carry = 1


def join(t: Tables, source: int, one: int, two: int) -> None:
    """Joins two ends that arrive, or one with a dot; a ring or two colours are no way on."""
    places = t.info.places
    if one > places and two > places:
        if one == two:
            renew(t, source)
            keep(t, source)
        return
    renew(t, source)
    if one <= places:
        put(t, one - 1, two)
    if two <= places:
        put(t, two - 1, one)
    keep(t, source)


def lead_on(t: Tables, source: int, end: int) -> None:
    """An end goes on in each of the ways."""
    for k in range(t.info.leaving):
        place = t.ways[_WAYS + k]
        renew(t, source)
        put(t, place, end)
        if end <= t.info.places:
            put(t, end - 1, place + 1)
        keep(t, source)


def open_pairs(t: Tables, source: int) -> None:
    """A cell that no end reaches begins a piece in two of the ways, or stays empty."""
    info = t.info
    if info.cover == 0:
        renew(t, source)
        keep(t, source)
    for i in range(info.leaving):
        for k in range(i):
            one, two = t.ways[_WAYS + i], t.ways[_WAYS + k]
            renew(t, source)
            put(t, one, two + 1)
            put(t, two, one + 1)
            keep(t, source)


def follow(t: Tables, source: int) -> None:
    """All ways in which one frontier goes on."""
    info = t.info
    one = two = _NONE
    ends = ring = 0
    for k in range(info.arriving):
        end = plug(t, source, t.ways[k])
        if end != _NONE:
            ends += 1
            one, two = end, one
            if two == t.ways[k] + 1:  # the other end of the piece that arrived before
                ring = 1
    if info.dot != _NONE:  # an end of its colour
        ends += 1
        one, two = info.dot, one
    if ends > 2 or ring != 0:
        return
    if ends == 2:
        join(t, source, one, two)
    elif ends == 1:
        lead_on(t, source, one)
    else:
        open_pairs(t, source)


@kernel
def step(t: Tables) -> int:
    """The frontiers after one more cell; how many there are so far, or -1 if there was no room.

    It stops after a slice of the frontiers before, and is called until all are followed.
    """
    info = t.info
    if info.done == 0:
        size = 64
        while size < 8 * info.states and size < len(t.slots):
            size *= 2
        for i in range(size):
            t.slots[i] = 0
        info.mask, info.kept = size - 1, 0
    room = min(len(t.next_keys) // info.words - 16, 3 * (info.mask + 1) // 4)
    last = min(info.states, info.done + _SLICE)
    for source in range(info.done, last):
        if info.kept >= room:
            return -1
        follow(t, source)
    info.done = last
    return info.kept


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
