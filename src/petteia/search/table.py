"""A transposition table that threads may share without locks.

An entry is two words: the data, and the key combined with the data by exclusive or. A reader
that meets two halves of different writes gets a key that does not match and takes the entry as
absent (Hyatt and Mann's scheme). The data word holds

    bits 0-31   value in single precision
    bits 32-39  depth
    bits 40-41  bound: 1 exact, 2 at least, 3 at most
    bits 42-53  place of the best move in the list of moves, plus one; 0 for none
    bits 54-63  generation

Entries of another generation count as empty, so a new game needs no clearing and what was
searched before cannot change a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import fetch_ahead, float_bits, float_of_bits, mix, signed
from petteia.core.words import U, Words

__all__ = [
    "AT_LEAST", "AT_MOST", "EXACT", "Table", "bound_of", "depth_of", "key_of", "place_of",
    "prefetch", "probe", "remember", "value_of",
]  # fmt: skip

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
_GENERATIONS = 1024
_MOST_PLACE = 4095


class Table:
    """The memory of a table: 2**bits entries."""

    def __init__(self, bits: int = 20) -> None:
        self.words = np.zeros(2 << bits, np.uint64)
        self.mask = (1 << bits) - 1
        self.generation = 1

    @property
    def address(self) -> int:
        """Where the words lie; they stay there as long as the table lives."""
        return int(self.words.__array_interface__["data"][0])

    def new_generation(self) -> None:
        """Forgets all entries."""
        self.generation += 1
        if self.generation == _GENERATIONS:
            self.words[:] = 0
            self.generation = 1


def key_of(p: Words, salt: np.uint64) -> Any:
    """Kernel: a 64-bit hash of a position."""
    key = salt
    for i in range(len(p)):
        key = mix(key ^ p[i])
    return key


def value_of(data: np.uint64) -> float:
    """Kernel: the value of an entry."""
    return float_of_bits(data)


def depth_of(data: np.uint64) -> int:
    """Kernel: the depth of an entry."""
    return signed((data >> U(32)) & U(255))


def bound_of(data: np.uint64) -> int:
    """Kernel: what the value of an entry means."""
    return signed((data >> U(40)) & U(3))


def place_of(data: np.uint64) -> int:
    """Kernel: the place of the best move in the list of moves, or -1."""
    return signed((data >> U(42)) & U(4095)) - 1


def prefetch(table: np.ndarray, mask: int, key: np.uint64) -> None:
    """Kernel: the entry of the key will be wanted soon; memory is slower than making moves."""
    fetch_ahead(table, 2 * (signed(key >> U(1)) & mask))


def probe(table: np.ndarray, mask: int, key: np.uint64, generation: int) -> Any:
    """Kernel: the data word stored for the key, or 0."""
    at = 2 * (signed(key >> U(1)) & mask)
    data = table[at + 1]
    if table[at] ^ data == key and signed(data >> U(54)) == generation:
        return data
    return U(0)


def remember(
    table: np.ndarray,
    mask: int,
    key: np.uint64,
    generation: int,
    value: float,
    depth: int,
    bound: int,
    place: int,
) -> None:
    """Kernel: stores an entry unless a deeper one of another position stands there.

    A deeper entry gives way too once it loses one in eight of its challenges, by the key's bits,
    so that the table never fills up with what is no longer met.
    """
    at = 2 * (signed(key >> U(1)) & mask)
    old = table[at + 1]
    other = (table[at] ^ old) != key
    current = signed(old >> U(54)) == generation
    if other and current and depth_of(old) > depth + 2 and (key >> U(60)) & U(7) != U(0):
        return
    if depth < 0:
        depth = 0
    if place > _MOST_PLACE - 1:
        place = -1
    data = float_bits(value)
    data |= U(min(depth, 255)) << U(32)
    data |= U(bound) << U(40)
    data |= U(place + 1) << U(42)
    data |= U(generation) << U(54)
    table[at] = key ^ data
    table[at + 1] = data
