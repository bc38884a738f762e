"""Kernels at their border: what goes in and what comes out is what Python would see."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from petteia.compiled import is_interpreted, kernel
from petteia.compiled.native import sort_of
from petteia.core.errors import PetteiaError
from petteia.core.words import Words, words

compiled_only = pytest.mark.skipif(is_interpreted(), reason="nothing is compiled")


@kernel
def narrow(x: int) -> int:
    return np.int32(x)  # type: ignore[return-value]


@kernel
def tiny(x: int) -> int:
    return np.int8(x)  # type: ignore[return-value]


@kernel
def positive(x: int) -> bool:
    return x > 0


@kernel
def weighed(x: int, y: int = 2, z: int = 3) -> int:
    return x + 10 * y + 100 * z


@kernel
def exchanged(p: Words) -> Words:
    return (p[1], p[0])


@kernel
def half(x: float) -> float:
    return x / 2


@kernel
def complement(x: np.uint64) -> np.uint64:
    return ~x


@kernel
def wrong(x: int) -> float:
    return _sunk(x) * 1.0


def _sunk(n: int) -> int:
    if n > 0:
        return _sunk(n - 1) + 0.5  # type: ignore[return-value]
    return 1


@kernel
def of_text(x: int) -> int:
    return len({"a": x})


@pytest.mark.parametrize("number", [0, 1, -1, -128, 127])
def test_narrow_numbers_keep_their_sign(number: int) -> None:
    assert narrow(number) == tiny(number) == number
    assert positive(number) is (number > 0)


def test_arguments_by_name_and_by_default() -> None:
    assert weighed(1) == 321
    assert weighed(1, 5) == 351
    assert weighed(1, z=7) == 721
    assert weighed(z=7, x=1, y=0) == 701
    with pytest.raises(TypeError):
        weighed(1, 2, 3, 4)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        weighed(q=1)  # type: ignore[call-arg]


def test_words_come_back_as_words() -> None:
    top = 2**64 - 1
    assert exchanged(words(top, 0)) == words(0, top)
    assert all(type(word) is np.uint64 for word in exchanged(words(top, 0)))
    assert complement(np.uint64(0)) == np.uint64(top)


def test_reals_come_back_exactly() -> None:
    assert [half(x) for x in (0.1, -1e308, 5e-324, float("inf"))] == [0.05, -5e307, 0, float("inf")]


@compiled_only
@pytest.mark.parametrize("bad", [(1, 2), (np.uint64(1), 2), (np.int64(1),)])
def test_a_plain_number_among_words_is_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"tuple of np\.uint64"):
        exchanged(bad)


@compiled_only
@pytest.mark.parametrize("bad", ["text", None, {}, [1], np.arange(8)[::2]])
def test_what_no_kernel_takes_is_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match="kernels take"):
        half(bad)


@compiled_only
@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**70])
def test_a_number_of_more_than_64_bits_is_refused(number: int) -> None:
    with pytest.raises(OverflowError, match="more than 64 bits"):
        narrow(number)


@compiled_only
def test_a_recursive_function_must_return_what_it_says() -> None:
    with pytest.raises(PetteiaError, match="_sunk says that it returns int") as caught:
        wrong(3)
    assert "\n" not in str(caught.value)


@compiled_only
def test_what_cannot_be_compiled_is_one_line() -> None:
    with pytest.raises(PetteiaError, match=r"\.py:\d+: in of_text: a dict is made") as caught:
        of_text(3)
    assert "\n" not in str(caught.value)


def test_records_of_one_size_are_told_apart_by_their_fields() -> None:
    first = np.zeros(1, [("a", "i8"), ("b", "f8")])
    second = np.zeros(1, [("b", "i8"), ("a", "f8")])
    assert sort_of(first) != sort_of(second)
    assert sort_of(first[0]) != sort_of(second[0])


class Shelf(NamedTuple):
    rows: np.ndarray
    height: int
    total: Any


@kernel
def stacked(shelf: Shelf, factor: int) -> int:
    made = 0
    for i in range(len(shelf.rows)):
        made += factor * shelf.height * shelf.rows[i]
    shelf.total.made += made
    return made


def test_a_named_tuple_gives_a_kernel_its_memory_by_name() -> None:
    total = np.zeros(1, [("made", "i8")]).view(np.recarray)
    assert stacked(Shelf(np.array([1, 2]), 10, total[0]), 2) == 60
    assert stacked(Shelf(np.array([1, 2, 3]), 1, total[0]), 1) == 6
    assert total["made"][0] == 66


def _doubled(x: int) -> int:
    return 2 * x


@kernel
def larger_doubled(a: int, b: int) -> int:
    return _doubled(a if a > b else b)


def test_an_argument_may_be_a_choice() -> None:
    assert larger_doubled(3, 4) == larger_doubled(4, 3) == 8
