"""A transposition table that threads may share without locks.

A slot is two words: the data, and the key combined with the data by exclusive or. A reader
that meets two halves of different writes gets a key that does not match and takes the slot as
empty (Hyatt and Mann's scheme). An ``Entry`` is what searches by depth keep in the data word:

    bits 0-31   value in single precision
    bits 32-39  depth
    bits 40-41  bound: 1 exact, 2 at least, 3 at most
    bits 42-53  place of the best move in the list of moves, plus one; 0 for none
    bits 54-63  generation

Entries of another generation count as absent, so a new game needs no clearing and what was
searched before cannot change a result.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import fetch_ahead, float_bits, float_of_bits, mix, signed, words_at
from petteia.core.words import U, Words

__all__ = [
    "ABSENT", "AT_LEAST", "AT_MOST", "EXACT", "TABLE_FIELDS", "Entry", "Table", "bits_in",
    "bound_of_value", "decides", "key_of", "prefetch", "probe", "read", "remember", "write",
]  # fmt: skip

ABSENT, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3
_KEY, _DATA = 0, 1  # the words of a slot
_BYTES = 16
_GENERATIONS = 1024
_MOST_PLACE = 4095

TABLE_FIELDS = [
    ("table", np.int64),  # address, or 0 for none
    ("mask", np.int64),  # the slots' number less one
    ("generation", np.int64),
    ("salt", np.uint64),  # keeps apart what must not meet in one table
]
"""What a search's memory must have so that kernels find the table."""


class Entry(NamedTuple):
    """What is known of a position."""

    value: float
    depth: int
    bound: int
    """What the value means: ``EXACT``, ``AT_LEAST``, ``AT_MOST``; ``ABSENT``: nothing is known."""
    place: int
    """Of the best move in the list of moves, or -1."""


class Table:
    """The memory of a table: 2**bits slots."""

    def __init__(self, bits: int = 20) -> None:
        self.words = np.zeros(2 << bits, np.uint64)
        self.mask = (1 << bits) - 1
        self.generation = 1

    def lend(self, memory: Any) -> None:
        """Tells a search's memory where the table lies; it stays there as long as it lives."""
        memory["table"] = self.words.__array_interface__["data"][0]
        memory["mask"], memory["generation"] = self.mask, self.generation

    def new_generation(self) -> None:
        """Forgets all entries."""
        self.generation += 1
        if self.generation == _GENERATIONS:
            self.words[:] = 0
            self.generation = 1


def bits_in(megabytes: int) -> int:
    """The bits of the largest table that fits into so much memory."""
    return (megabytes * 2**20 // _BYTES).bit_length() - 1


def key_of(p: Words, salt: np.uint64) -> Any:
    """Kernel: a 64-bit hash of a position."""
    key = salt
    for i in range(len(p)):
        key = mix(key ^ p[i])
    return key


def slot_of(ws: Any, key: np.uint64) -> int:
    """Kernel: the address of the key's slot."""
    return ws.table + _BYTES * (signed(key >> U(1)) & ws.mask)


def prefetch(ws: Any, key: np.uint64) -> None:
    """Kernel: the slot of the key will be wanted soon; memory is slower than making moves."""
    fetch_ahead(words_at(slot_of(ws, key), 2), 0)


def read(ws: Any, key: np.uint64) -> Any:
    """Kernel: the data word stored for the key, or 0."""
    slot = words_at(slot_of(ws, key), 2)
    data = slot[_DATA]
    return data if slot[_KEY] ^ data == key else U(0)


def write(ws: Any, key: np.uint64, data: np.uint64) -> None:
    """Kernel: stores a data word over whatever stood in its slot."""
    slot = words_at(slot_of(ws, key), 2)
    slot[_KEY] = key ^ data
    slot[_DATA] = data


def unpacked(data: np.uint64) -> Entry:
    """Kernel: the entry in a data word."""
    return Entry(
        float_of_bits(data),
        signed((data >> U(32)) & U(255)),
        signed((data >> U(40)) & U(3)),
        signed((data >> U(42)) & U(4095)) - 1,
    )


def packed(entry: Entry, generation: int) -> Any:
    """Kernel: the data word of an entry; what does not fit is cut, or left out."""
    place = entry.place if entry.place < _MOST_PLACE else -1
    data = float_bits(entry.value)
    data |= U(min(max(entry.depth, 0), 255)) << U(32)
    data |= U(entry.bound) << U(40)
    data |= U(place + 1) << U(42)
    data |= U(generation) << U(54)
    return data


def generation_of(data: np.uint64) -> int:
    """Kernel: the generation of the entry in a data word."""
    return signed(data >> U(54))


def probe(ws: Any, key: np.uint64) -> Entry:
    """Kernel: what is known of the key's position."""
    data = read(ws, key)
    if generation_of(data) != ws.generation:
        data = U(0)
    return unpacked(data)


def remember(ws: Any, key: np.uint64, entry: Entry) -> None:
    """Kernel: stores an entry unless a deeper one of another position stands there.

    A deeper entry gives way too once it loses one in eight of its challenges, by the key's bits,
    so that the table never fills up with what is no longer met.
    """
    slot = words_at(slot_of(ws, key), 2)
    old = slot[_DATA]
    other = slot[_KEY] ^ old != key
    current = generation_of(old) == ws.generation
    deeper = unpacked(old).depth > entry.depth + 2
    if other and current and deeper and (key >> U(60)) & U(7) != U(0):
        return
    write(ws, key, packed(entry, ws.generation))


def decides(entry: Entry, value: float, alpha: float, beta: float) -> bool:
    """Kernel: whether a bound that an entry has for a value says all that a window asks."""
    return (entry.bound == AT_LEAST and value >= beta) or (
        entry.bound == AT_MOST and value <= alpha
    )


def bound_of_value(value: float, alpha: float, beta: float) -> int:
    """Kernel: what a value means that was found with a window."""
    return AT_MOST if value <= alpha else AT_LEAST if value >= beta else EXACT
