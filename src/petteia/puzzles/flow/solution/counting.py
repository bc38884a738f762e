"""Engine 3: exact numbers of solutions where paths may touch themselves.

The board is swept cell by cell, row by row. What the decided part means for the rest is the
*frontier*: one plug under each column, and one to the right of the last cell. A plug is nothing,
the end of a piece whose other end is on the frontier too, or the end of one that comes from a dot.
Pieces never cross, so the two ends of a piece are written as brackets, ``(`` and ``)``, and need no
labels. Boards with the same frontier have the same future: only their number is kept.

Numbers have as many words of 64 bits as they need: a carry out of the last word is seen, and then
everything is counted again with four times as many.
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import is_interpreted, kernel, mix, signed
from petteia.core.errors import PetteiaError
from petteia.core.words import U
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule

__all__ = ["Counted", "count", "count_plainly"]

_NONE, _LEFT, _RIGHT, _COLOUR = 0, 1, 2, 3  # codes of plugs; colour c is 3 + c

STEP = np.dtype(
    [
        ("column", np.int64),
        ("kind", np.int64),  # of the cell: a colour's dot, a hole or free
        ("east", np.int64),  # whether a path may go on there
        ("south", np.int64),
        ("cover", np.int64),  # whether every cell must be covered
        ("last", np.int64),  # whether it is the last of its row
        ("width", np.int64),
        ("bits", np.int64),  # of a plug
        ("words", np.int64),  # of a frontier
        ("limbs", np.int64),  # words of a number
        ("states", np.int64),  # frontiers before the step
        ("done", np.int64),  # how many of them have been followed
        ("kept", np.int64),  # and after it, so far
        ("mask", np.int64),  # of the slots
        ("carry", np.int64),  # whether a number was too large
    ]
)
"""What is known of one step."""


class Tables(NamedTuple):
    """Frontiers and their numbers, before a step and after it."""

    info: Any
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
    """A number of solutions, and how many frontiers the widest place had."""

    peak: int = 0


def count(
    puzzle: Puzzle, rule: Rule, *, most_states: int = 4_000_000, seconds: float | None = None
) -> Counted:
    """How many solutions a puzzle has where paths may touch themselves.

    Raises TimeoutError when ``seconds`` have passed.
    """
    if rule.name != "touching":
        raise PetteiaError(
            f"the frontier counts solutions under the rule touching, not {rule.name}; "
            "those of strict and no-2x2 are counted by the engine sweep"
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


class _Counter:
    """The tables of one count."""

    def __init__(
        self, puzzle: Puzzle, rule: Rule, limbs: int, most_states: int, end: float | None
    ) -> None:
        self.puzzle, self.rule, self.limbs, self.most = puzzle, rule, limbs, most_states
        self.end = end
        self.bits = (puzzle.colours + _COLOUR - 1).bit_length()
        self.words = -(-(puzzle.width + 1) // (64 // self.bits))
        self.keys, self.next_keys = (np.zeros(_ROOM * self.words, np.uint64) for _ in range(2))
        self.counts, self.next_counts = (np.zeros(_ROOM * limbs, np.uint64) for _ in range(2))
        self.counts[0] = 1
        self.index = np.zeros(4 * _ROOM, np.int32)

    def run(self) -> Counted | None:
        """The number; None if it needs more words."""
        puzzle, states, peak = self.puzzle, 1, 1
        info = np.zeros(1, STEP)[0]
        info["width"], info["bits"], info["words"] = puzzle.width, self.bits, self.words
        info["limbs"], info["cover"] = self.limbs, self.rule.coverage
        for cell, value in enumerate(puzzle.cells):
            column, near = cell % puzzle.width, puzzle.neighbours[cell]
            last = column == puzzle.width - 1
            info["column"], info["kind"], info["last"] = column, value, last
            info["east"], info["south"] = not last and cell + 1 in near, cell + puzzle.width in near
            info["states"] = states
            states = self._step(info)
            if info["carry"]:
                return None
            peak = max(peak, states)
            if not states:
                break
        total = sum(int(limb) << 64 * i for i, limb in enumerate(self.counts[: self.limbs]))
        found = Counted(total if states else 0)
        found.peak = peak
        return found

    def _step(self, info: Any) -> int:
        """One cell; a step whose tables were too small is done again with larger ones."""
        info["done"] = 0
        while True:
            tables = Tables(
                info, self.keys, self.counts, self.next_keys, self.next_counts, self.index
            )
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


def plug(info: Any, keys: np.ndarray, base: int, place: int) -> int:
    """The plug at a place of the frontier that begins at ``base``."""
    bits = info.bits
    each = 64 // bits
    word = keys[base + place // each]
    return signed(U((word >> U(place % each * bits)) & U((1 << bits) - 1)))


def put(info: Any, keys: np.ndarray, base: int, place: int, code: int) -> None:
    """Sets the plug at a place."""
    bits = info.bits
    each = 64 // bits
    at, shift = base + place // each, U(place % each * bits)
    keys[at] = (keys[at] & ~(U((1 << bits) - 1) << shift)) | (U(code) << shift)


def partner(info: Any, keys: np.ndarray, base: int, place: int) -> int:
    """Where the other bracket of a pair is."""
    way = 1 if plug(info, keys, base, place) == _LEFT else -1
    open_ones = 0
    while True:
        code = plug(info, keys, base, place)
        if code == _LEFT:
            open_ones += 1
        elif code == _RIGHT:
            open_ones -= 1
        if open_ones == 0:
            return place
        place += way


def copy(t: Tables, source: int) -> int:
    """Copies a frontier behind the last of the next ones; gives where it begins."""
    words = t.info.words
    base = t.info.kept * words
    for i in range(words):
        t.next_keys[base + i] = t.keys[source * words + i]
    return base


def keep(t: Tables, source: int, base: int, one: int, two: int) -> None:
    """Gives the copy that begins at ``base`` its plugs below and beside the cell, and adds the
    source's number to that of its frontier. Beyond the last column it moves on by one place."""
    info, keys = t.info, t.next_keys
    put(info, keys, base, info.column, one)
    put(info, keys, base, info.column + 1, two)
    if info.last != 0:
        for place in range(info.width, 0, -1):
            put(info, keys, base, place, plug(info, keys, base, place - 1))
        put(info, keys, base, 0, _NONE)
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


def join(t: Tables, base: int, one: int, two: int) -> bool:
    """Joins the plugs below and beside the cell, whose codes are given; False for a ring or for
    two colours. Their places are cleared by the caller, afterwards."""
    info, keys, at = t.info, t.next_keys, t.info.column
    if one >= _COLOUR and two >= _COLOUR:
        return one == two
    if one >= _COLOUR:
        put(info, keys, base, partner(info, keys, base, at + 1), one)
    elif two >= _COLOUR:
        put(info, keys, base, partner(info, keys, base, at), two)
    elif one == _LEFT and two == _RIGHT:
        return False
    elif one == two:
        # The nearer of the two other ends is now the other one's partner.
        if one == _LEFT:
            put(info, keys, base, partner(info, keys, base, at + 1), _LEFT)
        else:
            put(info, keys, base, partner(info, keys, base, at), _RIGHT)
    return True


def finish(t: Tables, source: int, end: int, place: int) -> None:
    """The end of a piece reaches a dot."""
    kind = t.info.kind
    if end >= _COLOUR and end != _COLOUR + kind:
        return
    base = copy(t, source)
    if end < _COLOUR:
        other = partner(t.info, t.next_keys, base, place)
        put(t.info, t.next_keys, base, other, _COLOUR + kind)
    keep(t, source, base, _NONE, _NONE)


def follow(t: Tables, source: int) -> None:
    """All ways in which one frontier goes on."""
    info = t.info
    start, at = source * info.words, info.column
    one, two = plug(info, t.keys, start, at), plug(info, t.keys, start, at + 1)
    if info.kind == HOLE:
        if one == two == _NONE:
            keep(t, source, copy(t, source), _NONE, _NONE)
        return
    if one != _NONE and two != _NONE:
        if info.kind < 0:
            base = copy(t, source)
            if join(t, base, one, two):
                keep(t, source, base, _NONE, _NONE)
        return
    end = one + two  # one of them is nothing
    if info.kind >= 0:
        if end != _NONE:
            finish(t, source, end, at if one != _NONE else at + 1)
            return
        end = _COLOUR + info.kind
    elif end == _NONE:
        if info.cover == 0:
            keep(t, source, copy(t, source), _NONE, _NONE)
        if info.east != 0 and info.south != 0:
            keep(t, source, copy(t, source), _LEFT, _RIGHT)
        return
    if info.south != 0:
        keep(t, source, copy(t, source), end, _NONE)
    if info.east != 0:
        keep(t, source, copy(t, source), _NONE, end)


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
    room = min(len(t.next_keys) // info.words - 4, 3 * (info.mask + 1) // 4)
    last = min(info.states, info.done + _SLICE)
    for source in range(info.done, last):
        if info.kept >= room:
            return -1
        follow(t, source)
    info.done = last
    return info.kept


# --- the readable form ----------------------------------------------------------------------------


def count_plainly(puzzle: Puzzle, rule: Rule, end: float | None = None) -> Counted:
    """The same in a few lines, with labels instead of brackets; slow, and easy to believe.

    A frontier is a tuple of plugs: 0 for nothing, a positive number shared by the two ends of a
    piece, -1 - c for an end that comes from a dot of colour c.
    """
    width, now, peak = puzzle.width, {(0,) * (puzzle.width + 1): 1}, 1
    for cell, value in enumerate(puzzle.cells):
        _look_at_clock(end)
        column = cell % width
        south = cell + width in puzzle.neighbours[cell]
        east = column < width - 1 and cell + 1 in puzzle.neighbours[cell]
        after: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for plugs, number in now.items():
            for new in _next(plugs, column, value, east, south, rule.coverage):
                moved = (0, *new[:-1]) if column == width - 1 else new
                after[_renumbered(moved)] += number
        now, peak = dict(after), max(peak, len(after))
    found = Counted(now.get((0,) * (width + 1), 0))
    found.peak = peak
    return found


def _next(
    plugs: tuple[int, ...], at: int, value: int, east: bool, south: bool, cover: bool
) -> list[tuple[int, ...]]:
    one, two = plugs[at], plugs[at + 1]

    def put_both(first: int, second: int, renamed: int = 0, name: int = 0) -> tuple[int, ...]:
        new = [name if renamed and plug == renamed else plug for plug in plugs]
        new[at], new[at + 1] = first, second
        return tuple(new)

    if value == HOLE:
        return [put_both(0, 0)] if not (one or two) else []
    ends = [end for end in (one, two) if end]
    if value >= 0:  # a dot is an end of its colour that waits for one link
        own = -1 - value
        if not ends:
            return [put_both(own, 0)] * south + [put_both(0, own)] * east
        ends.append(own)
    if len(ends) > 2:
        return []
    if len(ends) == 2:
        a, b = ends
        if a == b:  # a ring, unless it is a colour that is now complete
            return [put_both(0, 0)] if a < 0 else []
        if a < 0 and b < 0:
            return []
        return [put_both(0, 0, max(a, b), min(a, b))]
    if len(ends) == 1:
        return [put_both(ends[0], 0)] * south + [put_both(0, ends[0])] * east
    fresh = max(plugs) + 1
    return [put_both(fresh, fresh)] * (south and east) + [put_both(0, 0)] * (not cover)


def _renumbered(plugs: tuple[int, ...]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(p if p <= 0 else names.setdefault(p, len(names) + 1) for p in plugs)
