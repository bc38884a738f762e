"""Exponential, logarithm and hyperbolic tangent, the same to the last bit on every processor.

Libraries of different systems round the last bit differently, and some processors have none. These
are made of additions, multiplications and divisions alone, which IEEE 754 lets nobody round
otherwise. Kernels that call ``math.exp`` and the like are given them.

The first two look into tables (P. Tang 1989, 1990): exp(x) = 2**k * 2**(j/64) * exp(r), and
log(x) = k log(2) + log(c) + log(1 + r), with a small r; what the table knows stands there as two
numbers, the second with what does not fit into the first. The largest errors seen: 0.51 units in
the last place for exp, 0.73 for log, 2.4 for tanh.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from petteia.compiled.bits import signed
from petteia.compiled.memory import real_bits, real_of_bits

__all__ = ["exp", "log", "tanh"]

_STEPS, _PARTS = 64, 128
_MANTISSA = np.uint64(52)
_FRACTION = np.uint64(2**52 - 1)
_BIAS = np.uint64(1023)
_PART = np.uint64(52 - 7)  # 2**7 parts
_HUGE, _TINY = 709.782712893384, -745.1332191019412


def _in_two(value: Decimal, grid: int) -> tuple[float, float]:
    """A number as the sum of two, the first a multiple of 2**-grid: whole multiples of it, and sums
    with others of its kind, are exact as far as 53 bits reach."""
    high = Decimal(round(value * 2**grid)) / 2**grid
    return float(high), float(value - high)


with localcontext() as _context:
    _context.prec = 60
    _LN2 = Decimal(2).ln()
    _LN2_HIGH, _LN2_LOW = _in_two(_LN2, 42)
    _STEP_HIGH, _STEP_LOW = _in_two(_LN2 / _STEPS, 42)
    _PER_STEP = float(_STEPS / _LN2)
    _ROOTS = np.array([_in_two(Decimal(2) ** (Decimal(j) / _STEPS), 52) for j in range(_STEPS)])
    _MIDDLES = [1 + (j + 0.5) / _PARTS for j in range(_PARTS)]
    _IS_UPPER = [middle > 1.4142 for middle in _MIDDLES]  # seen as below 1, to keep logs small
    _CENTRES = np.array(
        [
            (middle, 1 / middle, *_in_two(Decimal(middle).ln() - (_LN2 if upper else 0), 42))
            for middle, upper in zip(_MIDDLES, _IS_UPPER, strict=True)
        ]
    )
    _FIRST_UPPER = _IS_UPPER.index(True)


def exp(x: float) -> float:
    """e to the power of x."""
    if x != x:
        return x
    if x > _HUGE:
        return np.inf
    if x < _TINY:
        return 0.0
    steps = np.floor(x * _PER_STEP + 0.5)
    r = (x - steps * _STEP_HIGH) - steps * _STEP_LOW
    number = int(steps)
    power, place = number >> 6, number & 63
    tail = r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720))))) + r
    value = _ROOTS[place, 0] + (_ROOTS[place, 1] + _ROOTS[place, 0] * tail)
    half = power >> 1  # in two steps: 2**power alone may be too large, or too small
    return float(value * _two_to(half) * _two_to(power - half))


def _two_to(power: int) -> float:
    return real_of_bits(np.uint64(power + 1023) << _MANTISSA)


def log(x: float) -> float:
    """The natural logarithm of x."""
    if x != x or x == np.inf:
        return x
    if x < 0.0:
        return np.nan
    if x == 0.0:
        return -np.inf
    f = x - 1.0
    if -0.0078125 < f < 0.0078125:
        tail = 1 / 5 - f * (1 / 6 - f * (1 / 7 - f * (1 / 8 - f * (1 / 9))))
        return f - f * f * (0.5 - f * (1 / 3 - f * (0.25 - f * tail)))
    power = 0
    if x < 2.2250738585072014e-308:
        x, power = x * 18014398509481984.0, -54
    bits = real_bits(x)
    power += signed(bits >> _MANTISSA) - 1023
    place = signed((bits & _FRACTION) >> _PART)
    m = real_of_bits((bits & _FRACTION) | (_BIAS << _MANTISSA))
    if place >= _FIRST_UPPER:
        power += 1
    r = (m - _CENTRES[place, 0]) * _CENTRES[place, 1]
    high = power * _LN2_HIGH + _CENTRES[place, 2]
    tail = r * r * (-0.5 + r * (1 / 3 + r * (-0.25 + r * (1 / 5 + r * (-1 / 6 + r * (1 / 7))))))
    return float(high + (r + (tail + (power * _LN2_LOW + _CENTRES[place, 3]))))


def tanh(x: float) -> float:
    """The hyperbolic tangent of x."""
    size = abs(x)
    if size < 0.5:
        t = x * x  # Lambert's continued fraction
        return x / (1.0 + t / (3.0 + t / (5.0 + t / (7.0 + t / (9.0 + t / (11.0 + t / 13.0))))))
    value = 1.0 - 2.0 / (exp(2.0 * size) + 1.0)
    return value if x > 0.0 else -value
