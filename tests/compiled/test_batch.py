"""Batches: the same results one after another, on threads, by the interpreter and on a GPU."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from petteia.compiled import Batch, random_below
from petteia.core.errors import PetteiaError
from petteia.core.gpu import cupy_for

LAYOUT = [("state", np.uint64, (1,)), ("seen", np.int64, (10,))]


def throws(i: int, memory: Any, faces: int, often: np.ndarray, real: np.ndarray) -> None:
    """Piece ``i``: counts what a die shows in a hundred throws."""
    memory.state[0] = np.uint64(i)
    for face in range(faces):
        memory.seen[face] = 0
    for _ in range(100):
        memory.seen[random_below(memory.state, faces)] += 1
    for face in range(faces):
        often[i, face] = memory.seen[face]
    real[i] = math.exp(0.1 * memory.seen[0]) + math.log(1.0 + i) + math.tanh(0.01 * i)


THROWS = Batch(throws, LAYOUT)


def _results(count: int = 500, **how: Any) -> tuple[np.ndarray, np.ndarray]:
    often, real = np.full((count, 6), -1), np.zeros(count)
    THROWS(count, 6, often, real, **how)
    return often, real


def _same(first: tuple[np.ndarray, ...], second: tuple[np.ndarray, ...]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_every_piece_is_done_once() -> None:
    often, _ = _results(threads=1)
    assert (often.sum(axis=1) == 100).all()
    assert len({tuple(row) for row in often.tolist()}) > 400


@pytest.mark.parametrize("threads", [2, 3, 7, None])
def test_threads_give_the_same_bits(threads: int | None) -> None:
    assert _same(_results(threads=threads), _results(threads=1))


def test_a_part_is_the_part_of_the_whole() -> None:
    often, real = np.zeros((500, 6), np.int64), np.zeros(500)
    THROWS(100, 6, often, real, first=50)
    whole, _ = _results(threads=1)
    assert np.array_equal(often[50:150], whole[50:150])
    assert not often[:50].any()
    assert not often[150:].any()


def test_the_interpreter_gives_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    often, real = _results(20)
    monkeypatch.setenv("PETTEIA_INTERPRET", "1")
    slow_often, slow_real = _results(20)
    assert np.array_equal(often, slow_often)
    assert slow_real == pytest.approx(real, rel=1e-15)  # there the library's exp, log and tanh


def test_a_gpu_gives_the_same_bits() -> None:
    try:
        cupy_for("this test", "")
    except PetteiaError as error:
        pytest.skip(str(error))
    assert _same(_results(device="gpu"), _results())


def test_nonsense_is_refused() -> None:
    with pytest.raises(PetteiaError, match="unknown device 'abacus'; there is: cpu, gpu"):
        _results(device="abacus")
    with pytest.raises(PetteiaError, match="0 threads are not possible"):
        _results(threads=0)
