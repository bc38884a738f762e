"""The transposition table: what is stored is found, and torn entries are not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petteia.compiled import Kernel, float_bits, kernel, mix, random_below
from petteia.core.seeds import derive
from petteia.core.words import U, words
from petteia.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    Table,
    bound_of,
    depth_of,
    key_of,
    place_of,
    probe,
    remember,
    value_of,
)

KEYS = st.integers(0, 2**64 - 1).map(np.uint64)
VALUES = st.floats(width=32, allow_nan=False, allow_infinity=False)
BOUNDS = st.sampled_from([EXACT, AT_LEAST, AT_MOST])


@kernel
def stored(
    table: np.ndarray, mask: int, key: np.uint64, generation: int, value: float, depth: int,
    bound: int, place: int,
) -> None:  # fmt: skip
    remember(table, mask, key, generation, value, depth, bound, place)


@kernel
def probed(table: np.ndarray, mask: int, key: np.uint64, generation: int) -> Any:
    return probe(table, mask, key, generation)


def fields(data: np.uint64) -> tuple[float, int, int, int]:
    return value_of(data), depth_of(data), bound_of(data), place_of(data)


@settings(max_examples=150, deadline=None)
@given(
    key=KEYS, value=VALUES, depth=st.integers(0, 255), bound=BOUNDS, place=st.integers(-1, 4094),
    generation=st.integers(1, 1023), bits=st.integers(0, 8),
)  # fmt: skip
def test_an_entry_comes_back_as_it_was_stored(
    key: np.uint64, value: float, depth: int, bound: int, place: int, generation: int, bits: int
) -> None:
    compiled, plain = Table(bits), Table(bits)
    entry = (key, generation, value, depth, bound, place)
    stored(compiled.words, compiled.mask, *entry)
    remember(plain.words, plain.mask, *entry)
    assert (compiled.words == plain.words).all()
    data = probed(compiled.words, compiled.mask, key, generation)
    assert data == probe(plain.words, plain.mask, key, generation)
    assert fields(data) == (value, depth, bound, place)


@given(key=KEYS, depth=st.integers(256, 10_000), place=st.integers(4095, 100_000))
def test_what_does_not_fit_is_cut_or_left_out(key: np.uint64, depth: int, place: int) -> None:
    table = Table(2)
    remember(table.words, table.mask, key, 1, 0.5, depth, EXACT, place)
    assert fields(probe(table.words, table.mask, key, 1)) == (0.5, 255, EXACT, -1)
    remember(table.words, table.mask, key, 1, 0.5, -3, EXACT, 0)
    assert fields(probe(table.words, table.mask, key, 1)) == (0.5, 0, EXACT, 0)


@given(key=KEYS, value=VALUES, generation=st.integers(1, 1023), other=st.integers(1, 1023))
def test_entries_of_another_generation_are_absent(
    key: np.uint64, value: float, generation: int, other: int
) -> None:
    table = Table(3)
    remember(table.words, table.mask, key, generation, value, 3, EXACT, 1)
    assert (probe(table.words, table.mask, key, other) != 0) == (other == generation)


def test_an_empty_table_holds_nothing_in_any_generation() -> None:
    table = Table(4)
    rng = np.random.default_rng(1)
    keys = [U(0), U(2**64 - 1), *rng.integers(0, 2**64, 100, np.uint64)]
    for _ in range(1030):  # past the turn of the generations
        assert all(probe(table.words, table.mask, key, table.generation) == 0 for key in keys[:4])
        remember(table.words, table.mask, keys[0], table.generation, 1.0, 5, EXACT, 0)
        table.new_generation()
    assert all(probe(table.words, table.mask, key, table.generation) == 0 for key in keys)


@given(first=KEYS, second=KEYS, depth=st.integers(0, 100), other_depth=st.integers(0, 100))
def test_only_a_much_deeper_entry_of_another_position_stays(
    first: np.uint64, second: np.uint64, depth: int, other_depth: int
) -> None:
    table = Table(0)
    remember(table.words, table.mask, first, 1, 1.0, depth, EXACT, 0)
    remember(table.words, table.mask, second, 1, 2.0, other_depth, EXACT, 0)
    found = probe(table.words, table.mask, second, 1)
    gives_way = first == second or depth <= other_depth + 2 or int(second) >> 60 & 7 == 0
    assert (found != 0 and value_of(found) == 2.0) == gives_way


def test_keys_depend_on_every_word_and_on_the_salt() -> None:
    positions = [words(a, b) for a in range(40) for b in range(40)]
    salts = [U(derive(0, "a")), U(derive(0, "b"))]
    keys = {int(key_of(p, salt)) for p in positions for salt in salts}
    assert len(keys) == 2 * len(positions)


@given(one=KEYS, other=KEYS, values=st.tuples(VALUES, VALUES), depth=st.integers(0, 9))
def test_halves_of_different_writes_are_rejected(
    one: np.uint64, other: np.uint64, values: tuple[float, float], depth: int
) -> None:
    tables = [Table(0), Table(0)]
    for table, key, value in zip(tables, (one, other), values, strict=True):
        remember(table.words, table.mask, key, 1, value, depth, EXACT, 0)
    torn = np.array([tables[0].words[0], tables[1].words[1]])
    differ = tables[0].words[1] != tables[1].words[1]
    if one != other and differ:
        assert probe(torn, 0, one, 1) == probed(torn, 0, one, 1) == 0
        assert probe(torn, 0, other, 1) == probed(torn, 0, other, 1) == 0


def value_for(key: np.uint64) -> float:
    """A value that belongs to the key and fits into single precision."""
    return float(np.int64(key >> U(42)))


@kernel
def hammer(table: np.ndarray, mask: int, rounds: int, state: np.ndarray) -> int:
    """Stores and probes a few keys; counts the entries found whose value belongs to another key."""
    wrong = 0
    for _ in range(rounds):
        key = mix(U(random_below(state, 64)))
        data = probe(table, mask, key, 1)
        if data != U(0) and value_of(data) != value_for(key):
            wrong += 1
        key = mix(U(random_below(state, 64)))
        remember(table, mask, key, 1, value_for(key), 3, EXACT, random_below(state, 99))
    return wrong


@kernel
def hammer_carelessly(table: np.ndarray, mask: int, rounds: int, state: np.ndarray) -> int:
    """The same with the bare key in the first word: what the exclusive or is there to prevent."""
    wrong = 0
    for _ in range(rounds):
        key = mix(U(random_below(state, 64)))
        at = 2 * (np.int64(key >> U(1)) & mask)
        if table[at] == key and value_of(table[at + 1]) != value_for(key):
            wrong += 1
        key = mix(U(random_below(state, 64)))
        at = 2 * (np.int64(key >> U(1)) & mask)
        table[at] = key
        table[at + 1] = float_bits(value_for(key))
    return wrong


def hammered(blow: Kernel[..., int], threads: int, rounds: int) -> int:
    """How many wrong entries some threads met in one table of two entries."""
    table = Table(1)
    states = [np.array([seed], np.uint64) for seed in range(threads)]
    blow(table.words, table.mask, 0, states[0])  # compiled before the threads race
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda state: blow(table.words, table.mask, rounds, state), states))


def test_threads_never_meet_a_torn_entry() -> None:
    assert hammered(hammer, threads=4, rounds=2_000_000) == 0


def test_without_the_check_threads_would_meet_torn_entries() -> None:
    """Shows that the test above is able to fail, where the processor tears entries at all."""
    if not any(hammered(hammer_carelessly, threads=4, rounds=2_000_000) for _ in range(10)):
        pytest.skip("this machine writes both words at once, or runs one thread at a time")


def test_one_thread_alone_meets_none_in_either_way() -> None:
    assert hammered(hammer, threads=1, rounds=100_000) == 0
    assert hammered(hammer_carelessly, threads=1, rounds=100_000) == 0
