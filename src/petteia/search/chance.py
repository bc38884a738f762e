"""The arena's seeds and dice in kernels, to the last bit."""

from __future__ import annotations

import numpy as np

from petteia.compiled import mix
from petteia.core.words import U

__all__ = ["dice_unit", "nth_word"]

_LOW = U(0xFFFFFFFF)
_HALF = U(32)
_GOLDEN_LOW, _GOLDEN_HIGH = U(0x7F4A7C15), U(0x9E3779B9)


def _wrapped_sum(a: np.uint64, b: np.uint64) -> np.uint64:
    """a + b modulo 2**64, without an overflow that the interpreter would warn of."""
    low = (a & _LOW) + (b & _LOW)
    high = ((a >> _HALF) + (b >> _HALF) + (low >> _HALF)) & _LOW
    return (high << _HALF) | (low & _LOW)


def nth_word(seed: np.uint64, n: int) -> np.uint64:
    """``core.seeds.nth`` in kernels."""
    count = U(n + 1)
    low = count * _GOLDEN_LOW
    high = (count * _GOLDEN_HIGH + (low >> _HALF)) & _LOW
    step = (high << _HALF) | (low & _LOW)
    return mix(_wrapped_sum(seed, step)) >> U(1)


def dice_unit(seed: np.uint64, ply: int) -> float:
    """The number in [0, 1) that decides the dice of a ply."""
    return np.float64(nth_word(seed, ply)) / 2.0**63
