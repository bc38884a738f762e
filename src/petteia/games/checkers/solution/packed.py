"""Tables in a quarter to a third of their bytes, still read at any place by a kernel.

Neighbouring numbers are neighbouring placements: a value says much about the next one. So each is
written as its rank among the values that follow its predecessor, the most frequent first, and the
ranks by a Huffman code. Every 64 values begin anew, and an index says where: to read one value is
to decode half a block, with neither memory of its own nor a table that others would have to fill.

    words 0-4   how many values occur, the longest code in bits, where order, index and bits begin
    the code    for every beginning of so many bits: its length and, above 4 bits, the rank; 16 bits
    the order   for every value its followers by rank, one byte each; then the values themselves
    the index   for every four blocks one word: the first bit, and the lengths of the first three
    the bits    of all blocks, the lowest bit first

Values inside are counted from 0 in the order of their frequency; a block's first value follows 0.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from petteia.compiled import kernel, signed, words_at
from petteia.core.words import U

__all__ = ["NONE", "occurrences", "pack", "packed_value", "unpack"]

NONE = 254
"""Stands where there is no such placement. It takes no room: any value may be read there."""

BLOCK = 64
_GROUP = 4
_LENGTH_BITS = 10  # of a block: no more than 64 codes of 12 bits
_OFFSET_BITS = 64 - (_GROUP - 1) * _LENGTH_BITS
LONGEST_CODE = 12
_SHORT_CODE, _SHORT_TABLE = 9, 1 << 18  # a small table shall not be less than its code
_HEADER = 5
_MOST_WORDS = 1 << 40
_OFFSET = (1 << _OFFSET_BITS) - 1
_LENGTH = (1 << _LENGTH_BITS) - 1


def packed_value(address: int, at: int) -> int:
    """Kernel: the value at a place of the table that lies at an address."""
    words = words_at(address, _MOST_WORDS)
    many, longest = signed(words[0]), words[1]
    order, bits = signed(words[2]) << 3, signed(words[4]) << 6
    entry = words[signed(words[3]) + at // (BLOCK * _GROUP)]
    place = bits + signed(entry & U(_OFFSET))
    entry >>= U(_OFFSET_BITS)
    for _ in range(at // BLOCK % _GROUP):
        place += signed(entry & U(_LENGTH))
        entry >>= U(_LENGTH_BITS)
    mask = (U(1) << longest) - U(1)
    value = 0
    window, left = U(0), 0
    for _ in range(at % BLOCK + 1):
        if left < LONGEST_CODE:
            shift = U(place & 63)
            window = words[place >> 6] >> shift
            if shift != U(0):
                window |= words[(place >> 6) + 1] << (U(64) - shift)
            left = 64
        code = window & mask
        found = words[_HEADER + signed(code >> U(2))] >> ((code & U(3)) << U(4))
        length = found & U(15)
        window >>= length
        left -= signed(length)
        place += signed(length)
        value = byte_at(words, order + value * many + signed(found >> U(4) & U(255)))
    return byte_at(words, order + many * many + value)


def byte_at(words: np.ndarray, at: int) -> int:
    """Kernel: one byte of many."""
    return signed(words[at >> 3] >> U(8 * (at & 7)) & U(255))


@kernel
def unpack(address: int, out: np.ndarray) -> None:
    """All values of a table."""
    words = words_at(address, _MOST_WORDS)
    many, longest = signed(words[0]), words[1]
    order = signed(words[2]) << 3
    place = signed(words[4]) << 6
    mask = (U(1) << longest) - U(1)
    value = 0
    for at in range(len(out)):
        if at % BLOCK == 0:
            value = 0
        shift = U(place & 63)
        window = words[place >> 6] >> shift
        if shift != U(0):
            window |= words[(place >> 6) + 1] << (U(64) - shift)
        code = window & mask
        found = words[_HEADER + signed(code >> U(2))] >> ((code & U(3)) << U(4))
        place += signed(found & U(15))
        value = byte_at(words, order + value * many + signed(found >> U(4) & U(255)))
        out[at] = byte_at(words, order + many * many + value)


# --- packing ------------------------------------------------------------------------------------


def pack(values: np.ndarray) -> np.ndarray:
    """The words of a table with these values."""
    frequencies = occurrences(values)
    frequencies[NONE] = 0
    there = np.argsort(-frequencies, kind="stable")[: max(1, np.count_nonzero(frequencies))]
    many = len(there)
    places = np.zeros(256, np.int64)
    places[there] = np.arange(many)
    follows = np.zeros((many, many), np.int64)
    count_followers(values, places, follows)
    order = np.argsort(-follows, axis=1, kind="stable")
    ranks = np.argsort(order, axis=1)
    limit = _SHORT_CODE if len(values) < _SHORT_TABLE else LONGEST_CODE
    lengths = code_lengths(np.take_along_axis(follows, order, axis=1).sum(axis=0), limit)
    codes, decoding = _code(lengths)
    code = Code(places, ranks, order, codes, lengths)
    longest = int(lengths.max())

    blocks = -(-len(values) // BLOCK)
    at_order = _HEADER + -(-len(decoding) // 4)
    at_index = at_order + -(-(many * many + many) // 8)
    at_bits = at_index + -(-blocks // _GROUP)
    total = encode(values, code, np.zeros(0, np.uint64), 0, 0)
    words = np.zeros(at_bits + total // 64 + 2, np.uint64)
    words[:_HEADER] = (many, longest, at_order, at_index, at_bits)
    words[_HEADER:].view(np.uint16)[: len(decoding)] = decoding
    as_bytes = words[at_order:].view(np.uint8)
    as_bytes[: many * many] = order.reshape(-1)
    as_bytes[many * many : many * many + many] = there
    encode(values, code, words, at_index, at_bits)
    return words


def occurrences(values: np.ndarray) -> np.ndarray:
    """How often each of the 256 values occurs."""
    found = np.zeros(256, np.int64)
    count(values, found)
    return found


@kernel
def count(values: np.ndarray, into: np.ndarray) -> None:
    """Adds every value's occurrences."""
    for i in range(len(values)):
        into[values[i]] += 1


def code_lengths(counts: np.ndarray, limit: int = LONGEST_CODE) -> np.ndarray:
    """The lengths of a Huffman code for ranks that occur so often, none above the limit; every
    rank has one."""
    counts = np.maximum(counts, 1)
    while True:
        lengths = np.ones(len(counts), np.int64) if len(counts) == 1 else _huffman(counts)
        if lengths.max() <= limit:
            return lengths
        counts = (counts + 1) // 2  # flatter, and so shorter at its longest


def _huffman(counts: np.ndarray) -> np.ndarray:
    lengths = np.zeros(len(counts), np.int64)
    heap = [(int(count), rank, [rank]) for rank, count in enumerate(counts)]
    heapq.heapify(heap)
    while len(heap) > 1:
        (a, rank, some), (b, _, others) = heapq.heappop(heap), heapq.heappop(heap)
        lengths[some + others] += 1
        heapq.heappush(heap, (a + b, rank, some + others))
    return lengths


def _code(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The code of every rank, its first bit lowest, and what every beginning of bits means."""
    longest = int(lengths.max())
    codes = np.zeros(len(lengths), np.uint64)
    decoding = np.zeros(1 << longest, np.uint16)
    code = 0
    for length in range(1, longest + 1):
        for rank in np.flatnonzero(lengths == length):
            first = int(f"{code:0{length}b}"[::-1], 2)
            codes[rank] = first
            decoding[first :: 1 << length] = int(rank) << 4 | length
            code += 1
        code <<= 1
    return codes, decoding


@kernel
def count_followers(values: np.ndarray, places: np.ndarray, follows: np.ndarray) -> None:
    """How often each value comes after each."""
    before = 0
    for at in range(len(values)):
        if at % BLOCK == 0:
            before = 0
        if values[at] != NONE:
            value = places[values[at]]
            follows[before, value] += 1
            before = value


class Code(NamedTuple):
    """How values are written."""

    places: np.ndarray
    """By value: its place in the order of frequency."""
    ranks: np.ndarray
    """By place and the next one: the rank of that among the followers."""
    order: np.ndarray
    """By place: its followers by rank."""
    codes: np.ndarray
    lengths: np.ndarray
    """By rank: its code, and how many bits it has."""


@kernel
def encode(values: np.ndarray, code: Code, words: np.ndarray, at_index: int, at_bits: int) -> int:
    """Writes index and bits, or only counts the bits where there are no words yet."""
    place, started, before = 0, 0, 0
    for at in range(len(values)):
        if at % BLOCK == 0:
            before = 0
            if len(words) > 0:
                entry, inside = at_index + at // (BLOCK * _GROUP), at // BLOCK % _GROUP
                if inside == 0:
                    words[entry] = U(place)
                else:
                    shift = U(_OFFSET_BITS + (inside - 1) * _LENGTH_BITS)
                    words[entry] |= U(place - started) << shift
            started = place
        rank = 0
        if values[at] != NONE:
            rank = code.ranks[before, code.places[values[at]]]
        before = code.order[before, rank]
        if len(words) > 0:
            word, shift = at_bits + (place >> 6), U(place & 63)
            words[word] |= code.codes[rank] << shift
            if shift != U(0):
                words[word + 1] |= code.codes[rank] >> (U(64) - shift)
        place += code.lengths[rank]
    return place
