"""The frontier's kernels: one step from the frontiers before a cell to those after it.

A frontier is a row of plugs, packed into words. The code of a plug is 0 for nothing, 1 + the place
of the piece's other end, or behind all places the colour of a dot that the piece comes from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, mix, signed
from petteia.core.words import U

__all__ = ["STEP", "WAYS", "Tables", "step"]

NONE = 0
WAYS = 6
SLICE = 100_000
"""Frontiers that are followed between two looks at the clock."""

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
        place = t.ways[WAYS + k]
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
            one, two = t.ways[WAYS + i], t.ways[WAYS + k]
            renew(t, source)
            put(t, one, two + 1)
            put(t, two, one + 1)
            keep(t, source)


def follow(t: Tables, source: int) -> None:
    """All ways in which one frontier goes on."""
    info = t.info
    one = two = NONE
    ends = ring = 0
    for k in range(info.arriving):
        end = plug(t, source, t.ways[k])
        if end != NONE:
            ends += 1
            one, two = end, one
            if two == t.ways[k] + 1:  # the other end of the piece that arrived before
                ring = 1
    if info.dot != NONE:  # an end of its colour
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
    last = min(info.states, info.done + SLICE)
    for source in range(info.done, last):
        if info.kept >= room:
            return -1
        follow(t, source)
    info.done = last
    return info.kept
