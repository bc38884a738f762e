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

from collections import defaultdict

import numpy as np

from petteia.compiled import is_interpreted, kernel, mix, signed
from petteia.core.errors import PetteiaError
from petteia.core.words import U
from petteia.puzzles.flow.rules import HOLE, Puzzle, Rule

__all__ = ["Counted", "count", "count_plainly"]

_NONE, _LEFT, _RIGHT, _COLOUR = 0, 1, 2, 3  # codes of plugs; colour c is 3 + c
# Places in the step's information.
AT, KIND, EAST, SOUTH, COVER, LAST, WIDTH, BITS, WORDS, LIMBS, STATES, CARRY = range(12)


_ROOM = 4096
"""Frontiers that there is room for at first."""


class Counted(int):
    """A number of solutions, and how many frontiers the widest place had."""

    peak: int = 0


def count(puzzle: Puzzle, rule: Rule, *, most_states: int = 4_000_000) -> Counted:
    """How many solutions a puzzle has where paths may touch themselves."""
    if rule.name != "touching":
        raise PetteiaError(
            f"the frontier counts solutions under the rule touching, not {rule.name}; "
            "those of strict and no-2x2 are counted by the engine sweep"
        )
    if is_interpreted():
        return count_plainly(puzzle, rule)
    limbs = 1
    while True:
        found = _Counter(puzzle, rule, limbs, most_states).run()
        if found is not None:
            return found
        limbs *= 4


class _Counter:
    """The tables of one count."""

    def __init__(self, puzzle: Puzzle, rule: Rule, limbs: int, most_states: int) -> None:
        self.puzzle, self.rule, self.limbs, self.most = puzzle, rule, limbs, most_states
        self.bits = (puzzle.colours + _COLOUR - 1).bit_length()
        self.words = -(-(puzzle.width + 1) // (64 // self.bits))
        self.keys, self.next_keys = (np.zeros(_ROOM * self.words, np.uint64) for _ in range(2))
        self.counts, self.next_counts = (np.zeros(_ROOM * limbs, np.uint64) for _ in range(2))
        self.counts[0] = 1
        self.index = np.zeros(4 * _ROOM, np.int32)

    def run(self) -> Counted | None:
        """The number; None if it needs more words."""
        puzzle, states, peak = self.puzzle, 1, 1
        info = np.zeros(12, np.int64)
        info[WIDTH], info[BITS], info[WORDS] = puzzle.width, self.bits, self.words
        info[LIMBS], info[COVER] = self.limbs, self.rule.coverage
        for cell, value in enumerate(puzzle.cells):
            info[AT], info[KIND] = cell % puzzle.width, value
            info[EAST] = cell + 1 in puzzle.neighbours[cell] and info[AT] < puzzle.width - 1
            info[SOUTH] = cell + puzzle.width in puzzle.neighbours[cell]
            info[LAST], info[STATES] = info[AT] == puzzle.width - 1, states
            states = self._step(info)
            if info[CARRY]:
                return None
            peak = max(peak, states)
            if not states:
                break
        total = sum(int(limb) << 64 * i for i, limb in enumerate(self.counts[: self.limbs]))
        found = Counted(total if states else 0)
        found.peak = peak
        return found

    def _step(self, info: np.ndarray) -> int:
        """One cell; a step whose tables were too small is done again with larger ones."""
        while True:
            states = step(
                info, self.keys, self.counts, self.next_keys, self.next_counts, self.index
            )
            if states >= 0:
                break
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


def plug(info: np.ndarray, keys: np.ndarray, base: int, place: int) -> int:
    """The plug at a place of the frontier that begins at ``base``."""
    bits = info[BITS]
    each = 64 // bits
    word = keys[base + place // each]
    return signed(U((word >> U(place % each * bits)) & U((1 << bits) - 1)))


def put(info: np.ndarray, keys: np.ndarray, base: int, place: int, code: int) -> None:
    """Sets the plug at a place."""
    bits = info[BITS]
    each = 64 // bits
    at, shift = base + place // each, U(place % each * bits)
    keys[at] = (keys[at] & ~(U((1 << bits) - 1) << shift)) | (U(code) << shift)


def partner(info: np.ndarray, keys: np.ndarray, base: int, place: int) -> int:
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


def keep(
    info: np.ndarray,
    counts: np.ndarray,
    source: int,
    keys: np.ndarray,
    totals: np.ndarray,
    index: np.ndarray,
    mask: int,
    states: int,
) -> int:
    """Adds a number to that of the frontier written behind the last one.

    Gives the new number of frontiers. Beyond the last column the frontier moves on by one place.
    """
    words, limbs = info[WORDS], info[LIMBS]
    base = states * words
    if info[LAST] != 0:
        for place in range(info[WIDTH], 0, -1):
            put(info, keys, base, place, plug(info, keys, base, place - 1))
        put(info, keys, base, 0, _NONE)
    digest = U(0)
    for i in range(words):
        digest = mix(U(digest ^ keys[base + i]))
    slot = np.int64(digest & U(mask))
    while True:
        known = np.int64(index[slot])
        if known == 0:
            index[slot] = states + 1
            for i in range(limbs):
                totals[states * limbs + i] = counts[source * limbs + i]
            return states + 1
        same = True
        for i in range(words):
            if keys[(known - 1) * words + i] != keys[base + i]:
                same = False
        if same:
            carry = U(0)
            for i in range(limbs):
                at = (known - 1) * limbs + i
                before = totals[at]
                added = before + counts[source * limbs + i]
                after = added + carry
                carry = U(1) if added < before or after < added else U(0)
                totals[at] = after
            if carry != U(0):
                info[CARRY] = 1
            return states
        slot = (slot + 1) & mask


def copy(info: np.ndarray, keys: np.ndarray, source: int, out: np.ndarray, states: int) -> int:
    """Copies a frontier behind the last of the next ones; gives where it begins."""
    words = info[WORDS]
    for i in range(words):
        out[states * words + i] = keys[source * words + i]
    return states * words


def join(info: np.ndarray, keys: np.ndarray, base: int, one: int, two: int) -> bool:
    """Joins the plugs at place ``at`` and beside it, whose codes are given; False for a ring or
    for two colours. Their places are cleared by the caller, afterwards."""
    at = info[AT]
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


@kernel
def step(
    info: np.ndarray,
    keys: np.ndarray,
    counts: np.ndarray,
    out: np.ndarray,
    totals: np.ndarray,
    index: np.ndarray,
) -> int:
    """All frontiers after one more cell; their number, or -1 if there was no room for them."""
    at, kind, states = info[AT], info[KIND], 0
    east, south = info[EAST] != 0, info[SOUTH] != 0
    size = 64
    while size < 8 * info[STATES] and size < len(index):
        size *= 2
    mask = size - 1
    for i in range(size):
        index[i] = 0
    room = min(len(out) // info[WORDS] - 4, 3 * size // 4)
    for source in range(info[STATES]):
        if states >= room:
            return -1
        start = source * info[WORDS]
        one, two = plug(info, keys, start, at), plug(info, keys, start, at + 1)
        if kind == HOLE or (info[COVER] == 0 and kind < 0 and one == two == _NONE):
            if one == two == _NONE:
                copy(info, keys, source, out, states)
                states = keep(info, counts, source, out, totals, index, mask, states)
            if kind == HOLE:
                continue
        if one != _NONE and two != _NONE:
            if kind >= 0:
                continue
            base = copy(info, keys, source, out, states)
            if not join(info, out, base, one, two):
                continue
            put(info, out, base, at, _NONE)
            put(info, out, base, at + 1, _NONE)
            states = keep(info, counts, source, out, totals, index, mask, states)
            continue
        end = one + two  # one of them is nothing
        if kind >= 0 and end != _NONE:
            if end >= _COLOUR and end != _COLOUR + kind:
                continue
            base = copy(info, keys, source, out, states)
            if end < _COLOUR:
                place = at if one != _NONE else at + 1
                put(info, out, base, partner(info, out, base, place), _COLOUR + kind)
            put(info, out, base, at, _NONE)
            put(info, out, base, at + 1, _NONE)
            states = keep(info, counts, source, out, totals, index, mask, states)
            continue
        if kind < 0 and end == _NONE:
            if east and south:
                base = copy(info, keys, source, out, states)
                put(info, out, base, at, _LEFT)
                put(info, out, base, at + 1, _RIGHT)
                states = keep(info, counts, source, out, totals, index, mask, states)
            continue
        if kind >= 0:
            end = _COLOUR + kind
        if south:
            base = copy(info, keys, source, out, states)
            put(info, out, base, at, end)
            put(info, out, base, at + 1, _NONE)
            states = keep(info, counts, source, out, totals, index, mask, states)
        if east:
            base = copy(info, keys, source, out, states)
            put(info, out, base, at, _NONE)
            put(info, out, base, at + 1, end)
            states = keep(info, counts, source, out, totals, index, mask, states)
    return states


# --- the readable form ----------------------------------------------------------------------------


def count_plainly(puzzle: Puzzle, rule: Rule) -> Counted:
    """The same in a few lines, with labels instead of brackets; slow, and easy to believe.

    A frontier is a tuple of plugs: 0 for nothing, a positive number shared by the two ends of a
    piece, -1 - c for an end that comes from a dot of colour c.
    """
    width, now, peak = puzzle.width, {(0,) * (puzzle.width + 1): 1}, 1
    for cell, value in enumerate(puzzle.cells):
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
