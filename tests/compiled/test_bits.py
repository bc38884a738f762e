"""Bit tricks, random numbers and words in memory: compiled code agrees with Python."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from petteia.compiled import (
    byte_swap,
    float_bits,
    float_of_bits,
    kernel,
    leading_zeros,
    load,
    mix,
    nanoseconds,
    nth_bit,
    popcount,
    random_below,
    random_unit,
    store,
    trailing_zeros,
    words_at,
)
from petteia.core.words import U, Words

ALL = 2**64 - 1

anything = st.integers(0, ALL) | st.builds(lambda shift: 1 << shift, st.integers(0, 63))


@kernel
def count(word: np.uint64) -> int:
    return popcount(word)


@kernel
def trailing(word: np.uint64) -> int:
    return trailing_zeros(word)


@kernel
def nth(word: np.uint64, n: int) -> int:
    return nth_bit(word, n)


@kernel
def leading(word: np.uint64) -> int:
    return leading_zeros(word)


@kernel
def swapped(word: np.uint64) -> np.uint64:
    return byte_swap(word)


@kernel
def mixed(word: np.uint64) -> np.uint64:
    return mix(word)


@kernel
def below(state: np.ndarray, limit: int) -> int:
    return random_below(state, limit)


@kernel
def unit(state: np.ndarray) -> float:
    return random_unit(state)


@kernel
def single_bits(value: float) -> np.uint64:
    return float_bits(value)


@kernel
def single_value(bits: np.uint64) -> float:
    return float_of_bits(bits)


@kernel
def put(array: np.ndarray, row: int, p: Words) -> None:
    store(array, row, p)


@kernel
def get(array: np.ndarray, row: int, like: Words) -> Words:
    return load(array, row, like)


@kernel
def add_to(address: int, length: int, word: np.uint64) -> np.uint64:
    table = words_at(address, length)
    total = U(0)
    for i in range(length):
        total += table[i]
        table[i] = table[i] + word
    return total


@given(anything)
@example(0)
@example(1)
@example(2**63)
@example(ALL)
def test_counts_of_bits(number: int) -> None:
    word = U(number)
    digits = f"{number:064b}"
    assert count(word) == popcount(word) == digits.count("1")
    assert trailing(word) == trailing_zeros(word) == 64 - len(digits.rstrip("0"))
    assert leading(word) == leading_zeros(word) == 64 - len(digits.lstrip("0"))


@given(anything)
@example(1)
@example(2**63)
@example(ALL)
def test_the_nth_bit_is_that_of_the_digits(number: int) -> None:
    places = [place for place in range(64) if number >> place & 1]
    assert [nth(U(number), n) for n in range(len(places))] == places
    assert [nth_bit(U(number), n) for n in range(len(places))] == places


@pytest.mark.parametrize(
    ("number", "ones", "low", "high"), [(0, 0, 64, 64), (ALL, 64, 0, 0), (1, 1, 0, 63)]
)
def test_counts_of_bits_at_the_ends(number: int, ones: int, low: int, high: int) -> None:
    assert (count(U(number)), trailing(U(number)), leading(U(number))) == (ones, low, high)


@given(anything)
@example(0)
@example(ALL)
def test_byte_swap_reverses_the_bytes(number: int) -> None:
    word = swapped(U(number))
    assert word == byte_swap(U(number)) == struct.unpack(">Q", struct.pack("<Q", number))[0]
    assert swapped(word) == number
    assert type(word) is type(byte_swap(U(number))) is np.uint64


def test_byte_swap_by_example() -> None:
    assert swapped(U(0x0102030405060708)) == 0x0807060504030201


@given(anything)
@example(0)
@example(ALL)
def test_mix_is_the_same_compiled(number: int) -> None:
    assert mixed(U(number)) == mix(U(number))
    assert type(mixed(U(number))) is type(mix(U(number))) is np.uint64


@given(anything, st.integers(0, 63))
def test_mix_tells_words_apart(number: int, bit: int) -> None:
    assert mixed(U(number)) != mixed(U(number ^ (1 << bit)))


def test_the_generator_is_splitmix64() -> None:
    """The first outputs for seed 1234567, as other implementations publish them."""
    wanted = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    state = np.array([1234567], np.uint64)
    steps = [int(state[0]) + (i + 1) * 0x9E3779B97F4A7C15 & ALL for i in range(5)]
    assert [int(mixed(U(step))) for step in steps] == wanted
    assert [unit(state) for _ in range(5)] == [(word >> 11) * 2.0**-53 for word in wanted]


@given(st.integers(0, ALL), st.integers(1, 2**32))
@example(ALL, 1)
@example(0, 2**32)
def test_random_below_is_the_same_compiled_and_in_range(seed: int, limit: int) -> None:
    fast, slow = np.array([seed], np.uint64), np.array([seed], np.uint64)
    for _ in range(5):
        found = below(fast, limit)
        assert found == random_below(slow, limit)
        assert 0 <= found < limit
        assert fast[0] == slow[0]


def test_random_below_reaches_every_number_about_equally() -> None:
    state = np.array([5], np.uint64)
    found = np.bincount([below(state, 7) for _ in range(7000)], minlength=7)
    assert len(found) == 7
    assert found.min() > 850
    assert found.max() < 1150


@given(st.integers(0, ALL))
@example(0)
@example(ALL)
def test_random_unit_is_the_same_compiled_and_below_one(seed: int) -> None:
    fast, slow = np.array([seed], np.uint64), np.array([seed], np.uint64)
    for _ in range(5):
        found = unit(fast)
        assert found == random_unit(slow)
        assert 0 <= found < 1


@given(st.floats(width=32, allow_nan=False))
@example(0.0)
@example(-0.0)
@example(math.inf)
def test_single_precision_survives_the_way_through_bits(value: float) -> None:
    bits = single_bits(value)
    assert bits == float_bits(value)
    assert single_value(bits) == float_of_bits(bits) == value
    assert math.copysign(1, single_value(bits)) == math.copysign(1, value)


@given(st.floats(-1e30, 1e30))
def test_double_precision_is_rounded_alike(value: float) -> None:
    assert single_bits(value) == float_bits(value)
    assert abs(single_value(single_bits(value)) - value) <= abs(value) * 2**-23 + 1e-45


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_only_the_low_bits_make_a_float(low: int, high: int) -> None:
    values = [single_value(U(low)), single_value(U(low | high << 32)), float_of_bits(U(low))]
    assert len({struct.pack("<d", value) for value in values if value == value}) <= 1


@given(st.lists(anything, min_size=1, max_size=4), st.integers(0, 2))
def test_positions_go_into_arrays_and_come_back(numbers: list[int], row: int) -> None:
    p = tuple(U(number) for number in numbers)
    like = tuple(U(0) for _ in numbers)
    fast, slow = (np.full((3, 5), 7, np.uint64) for _ in range(2))
    put(fast, row, p)
    store(slow, row, p)
    assert fast.tolist() == slow.tolist()
    assert fast[row, : len(p)].tolist() == numbers
    assert (fast[:, len(p) :] == 7).all()
    assert get(fast, row, like) == load(slow, row, like) == p
    assert all(type(word) is np.uint64 for word in (*get(fast, row, like), *load(slow, row, like)))


@given(st.lists(anything, max_size=6), anything)
def test_words_at_an_address_are_the_array_itself(numbers: list[int], word: int) -> None:
    array = np.array([*numbers, 99], np.uint64)
    address = int(array.__array_interface__["data"][0])
    with np.errstate(over="ignore"):
        total = add_to(address, len(numbers), U(word))
    assert total == sum(numbers) & ALL
    assert array.tolist() == [*[number + word & ALL for number in numbers], 99]


def test_words_at_an_address_in_python() -> None:
    array = np.array([3, ALL], np.uint64)
    view = words_at(int(array.__array_interface__["data"][0]), 2)
    view[0] = U(5)
    assert array.tolist() == view.tolist() == [5, ALL]
    assert view.dtype == np.uint64


@kernel
def compiled_time(previous: int) -> int:
    return nanoseconds() - previous


def test_kernels_read_the_same_clock_as_python() -> None:
    before = nanoseconds()
    between = compiled_time(before)
    assert 0 <= between <= nanoseconds() - before
