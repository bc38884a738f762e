"""Python functions at native speed: the only room that knows Numba.

``kernel`` marks a function that Python calls and that runs compiled. What it calls - methods of
games and evaluations, plain functions, other kernels - is compiled with it. Machine code is kept
on disk under a hash of everything that went into it, so a later start neither compiles nor even
imports Numba, and code that was edited is never found under its old name.
"""

from petteia.compiled.batch import DEVICES, Batch
from petteia.compiled.bits import (
    byte_swap,
    leading_zeros,
    mix,
    nanoseconds,
    popcount,
    random_below,
    random_next,
    random_unit,
    signed,
    trailing_zeros,
    unit_of,
    whole_below,
)
from petteia.compiled.kernel import Kernel, is_interpreted, kernel
from petteia.compiled.memory import (
    fetch_ahead,
    float_bits,
    float_of_bits,
    load,
    real_bits,
    real_of_bits,
    store,
    with_word,
    words_at,
)

__all__ = [
    "DEVICES", "Batch", "Kernel", "byte_swap", "fetch_ahead", "float_bits", "float_of_bits",
    "is_interpreted", "kernel", "leading_zeros", "load", "mix", "nanoseconds", "popcount",
    "random_below", "random_next", "random_unit", "real_bits", "real_of_bits", "signed", "store",
    "trailing_zeros", "unit_of", "whole_below", "with_word", "words_at",
]  # fmt: skip
