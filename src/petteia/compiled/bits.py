"""Bit tricks, random numbers and the time for kernels.

Each is a plain Python function on ``np.uint64`` and, in compiled code, one or a few machine
instructions (``compiler.py`` supplies those).
"""

from __future__ import annotations

import time

import numpy as np

__all__ = [
    "bit_reverse",
    "byte_swap",
    "leading_zeros",
    "mix",
    "nanoseconds",
    "nth_bit",
    "popcount",
    "random_below",
    "random_next",
    "random_unit",
    "signed",
    "trailing_zeros",
    "unit_of",
    "whole_below",
]

_ALL = 2**64 - 1
_HALVES = (32, 16, 8, 4, 2, 1)


def popcount(word: np.uint64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def trailing_zeros(word: np.uint64) -> int:
    """The index of the lowest set bit; 64 for zero."""
    number = int(word)
    return (number & -number).bit_length() - 1 if number else 64


def leading_zeros(word: np.uint64) -> int:
    """How many bits above the highest set bit are clear; 64 for zero."""
    return 64 - int(word).bit_length()


def nth_bit(word: np.uint64, n: int) -> int:
    """The index of the n-th set bit, counted from 0; more than n must be set."""
    place = 0
    for width in _HALVES:
        low = popcount(word & np.uint64((1 << width) - 1))
        if n >= low:
            n -= low
            place += width
            word >>= np.uint64(width)
    return place


def signed(word: np.uint64) -> int:
    """A word below 2**63 as a plain number, for counting and indexing."""
    return int(word)


def byte_swap(word: np.uint64) -> np.uint64:
    """The eight bytes in the opposite order."""
    return np.uint64(int.from_bytes(int(word).to_bytes(8, "little"), "big"))


def bit_reverse(word: np.uint64) -> np.uint64:
    """The word with its bits in the opposite order: a board of 64 squares seen from behind."""
    return np.uint64(int(f"{int(word):064b}"[::-1], 2))


def mix(word: np.uint64) -> np.uint64:
    """A 64-bit finaliser: every input bit moves about half of the output bits.

    Stafford's variant 13 of the MurmurHash3 finaliser, as in splitmix64.
    """
    z = int(word)
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
    return np.uint64(z ^ (z >> 31))


def random_next(state: np.uint64) -> np.uint64:
    """Splitmix64: the state of the generator after one step, from which one random number is made.

    For loops: a state that is a number stays in a register, one in an array does not.
    """
    return np.uint64((int(state) + 0x9E3779B97F4A7C15) & _ALL)


def whole_below(state: np.uint64, count: int) -> int:
    """The random whole number in [0, count) of a state."""
    return ((int(mix(state)) >> 32) * count) >> 32


def unit_of(state: np.uint64) -> float:
    """The random number in [0, 1) of a state."""
    return float((int(mix(state)) >> 11) * 2.0**-53)


def random_below(state: np.ndarray, count: int) -> int:
    """A random whole number in [0, count); advances ``state``, an array of one word."""
    state[0] = random_next(state[0])
    return whole_below(state[0], count)


def random_unit(state: np.ndarray) -> float:
    """A random number in [0, 1); advances ``state``."""
    state[0] = random_next(state[0])
    return unit_of(state[0])


def nanoseconds() -> int:
    """The monotonic clock. Where the system has none for compiled code, it stands at 0 there."""
    if hasattr(time, "clock_gettime_ns"):
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    return time.monotonic_ns()
