"""Our own exp, log and tanh beside sixty digits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest

from petteia.compiled import kernel, mathematics


def _tanh(x: Decimal) -> Decimal:
    return ((2 * x).exp() - 1) / ((2 * x).exp() + 1)


def _some(seed: int, *spans: Callable[[random.Random], float]) -> list[float]:
    rng = random.Random(seed)
    return [span(rng) for span in spans for _ in range(400)]


CASES = [
    pytest.param(
        mathematics.exp, Decimal.exp, 0.51, id="exp",
    ),
    pytest.param(mathematics.log, Decimal.ln, 0.75, id="log"),
    pytest.param(mathematics.tanh, _tanh, 2.5, id="tanh"),
]  # fmt: skip
NUMBERS = {
    "exp": _some(1, lambda r: r.uniform(-20, 20), lambda r: r.uniform(-700, 700)),
    "log": _some(
        2, lambda r: r.uniform(0, 2), lambda r: 10 ** r.uniform(-300, 300),
        lambda r: 1 + r.gauss(0, 0.01),
    ),
    "tanh": _some(3, lambda r: r.uniform(-3, 3), lambda r: r.gauss(0, 0.1)),
}  # fmt: skip


@pytest.mark.parametrize(("function", "exact", "most"), CASES)
def test_errors_stay_below_what_is_said(
    function: Callable[[float], float], exact: Callable[[Decimal], Decimal], most: float
) -> None:
    with localcontext() as context:
        context.prec = 60
        for x in NUMBERS[function.__name__]:
            right = exact(Decimal(x))
            error = abs(Decimal(float(function(x))) - right) / Decimal(math.ulp(float(right)))
            assert error < most, x


@kernel
def _all_three(numbers: np.ndarray, found: np.ndarray) -> None:
    for i in range(len(numbers)):
        found[i, 0] = math.exp(numbers[i])
        found[i, 1] = math.log(numbers[i])
        found[i, 2] = math.tanh(numbers[i])


def test_kernels_are_given_them_to_the_last_bit() -> None:
    numbers = np.array([*NUMBERS["log"][:800], *NUMBERS["exp"][:400], 0.0, -1.0, np.inf, np.nan])
    found = np.zeros((len(numbers), 3))
    _all_three(numbers, found)
    functions = mathematics.exp, mathematics.log, mathematics.tanh
    with np.errstate(over="ignore"):
        ours = [[float(function(x)) for function in functions] for x in numbers.tolist()]
    assert np.array_equal(found, np.array(ours), equal_nan=True)


def test_the_ends_of_the_numbers() -> None:
    assert mathematics.exp(-np.inf) == 0.0
    assert mathematics.exp(710.0) == np.inf
    assert mathematics.log(0.0) == -np.inf
    assert math.isnan(mathematics.log(-1.0))
    assert mathematics.log(5e-324) == pytest.approx(math.log(5e-324), rel=1e-15)
    assert mathematics.tanh(1000.0) == 1.0
    assert mathematics.tanh(-1000.0) == -1.0
