"""Words in arrays: positions on a stack, tables that a record points to, floats as bits, and rows
of small numbers (lanes), four to a word, which a processor adds and multiplies at once."""

from __future__ import annotations

import ctypes
import struct

import numpy as np

from petteia.core.words import Words

__all__ = [
    "BLOCK", "LANES", "add_lanes", "clipped_squares", "fetch_ahead", "float_bits", "float_of_bits",
    "lane_at", "lane_products", "load", "real_bits", "real_of_bits", "store", "store_squares",
    "take_lanes", "with_word", "words_at",
]  # fmt: skip

LANES = 32
"""Lanes, whole numbers of 16 bits, that are worked on at once."""
BLOCK = LANES // 4
"""The words that they fill."""


def store(array: np.ndarray, row: int, p: Words) -> None:
    """Writes a position into a row of an array of words."""
    for i in range(len(p)):
        array[row, i] = p[i]


def load(array: np.ndarray, row: int, like: Words) -> Words:
    """The position in a row; ``like`` is any position of the game and gives the length."""
    return tuple(np.uint64(array[row, i]) for i in range(len(like)))


def with_word(p: Words, place: int, word: np.uint64) -> Words:
    """The position with another word at a place, which may be known only when it is played."""
    if not 0 <= place < len(p):
        raise IndexError(f"a position of {len(p)} words has no word {place}")
    return (*p[:place], np.uint64(word), *p[place + 1 :])


def words_at(address: int, count: int) -> np.ndarray:
    """An array of words that lies at an address and belongs to somebody else.

    A kernel that takes a table as an address passes one number where an array is seven.
    """
    return np.ctypeslib.as_array((ctypes.c_uint64 * count).from_address(int(address)))


def fetch_ahead(array: np.ndarray, at: int) -> None:
    """Tells the processor that ``array[at]`` will be read soon."""


def float_bits(value: float) -> np.uint64:
    """The bits of a value rounded to single precision."""
    return np.uint64(struct.unpack("<I", struct.pack("<f", value))[0])


def float_of_bits(bits: np.uint64) -> float:
    """The value with these bits in single precision."""
    return float(struct.unpack("<f", struct.pack("<I", int(bits) & 0xFFFFFFFF))[0])


def real_bits(value: float) -> np.uint64:
    """The bits of a number in double precision."""
    return np.uint64(struct.unpack("<Q", struct.pack("<d", value))[0])


def real_of_bits(bits: np.uint64) -> float:
    """The number with these bits in double precision."""
    return float(struct.unpack("<d", struct.pack("<Q", int(bits)))[0])


def add_lanes(words: np.ndarray, into: int, row: int) -> None:
    """Adds the block of lanes that begins at word ``row`` to the one that begins at ``into``."""
    lanes = words.view(np.int16)
    lanes[4 * into : 4 * into + LANES] += lanes[4 * row : 4 * row + LANES]


def take_lanes(words: np.ndarray, into: int, row: int) -> None:
    """The opposite: takes them away."""
    lanes = words.view(np.int16)
    lanes[4 * into : 4 * into + LANES] -= lanes[4 * row : 4 * row + LANES]


def clipped_squares(words: np.ndarray, sums: int, row: int, most: int) -> int:
    """The sum over a block of lanes of what stands from word ``sums`` on, clipped to 0 .. ``most``,
    squared, times what stands from ``row`` on. It must fit into 32 bits."""
    lanes = words.view(np.int16).astype(np.int64)
    clipped = np.clip(lanes[4 * sums : 4 * sums + LANES], 0, most)
    return int((clipped * clipped * lanes[4 * row : 4 * row + LANES]).sum())


def store_squares(words: np.ndarray, into: int, sums: int, most: int) -> None:
    """Writes a block of lanes from word ``into`` on: what stands from ``sums`` on, clipped to 0 ..
    ``most`` (255 at most), squared, divided by 256 and rounded."""
    lanes = words.view(np.int16)
    clipped = np.clip(lanes[4 * sums : 4 * sums + LANES].astype(np.int64), 0, most)
    lanes[4 * into : 4 * into + LANES] = (clipped * clipped + 128) >> 8


def lane_products(words: np.ndarray, a: int, b: int) -> int:
    """The sum over two blocks of lanes of one times the other. It must fit into 32 bits."""
    lanes = words.view(np.int16).astype(np.int64)
    return int((lanes[4 * a : 4 * a + LANES] * lanes[4 * b : 4 * b + LANES]).sum())


def lane_at(words: np.ndarray, place: int) -> int:
    """One lane; those of word ``n`` begin at place ``4 n``."""
    return int(words.view(np.int16)[place])
