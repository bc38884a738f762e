"""Python functions at native speed: the only room that knows Numba.

``kernel`` marks a function that Python calls and that runs compiled. What it calls - methods of
games and evaluations, plain functions, other kernels - is compiled with it. Machine code is kept
on disk under a hash of everything that went into it, so a later start neither compiles nor even
imports Numba, and code that was edited is never found under its old name.
"""

from petteia.compiled.batch import DEVICES, Batch
from petteia.compiled.bits import (
    bit_reverse,
    byte_swap,
    leading_zeros,
    mix,
    nanoseconds,
    nth_bit,
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
    BLOCK,
    LANES,
    add_lanes,
    clipped_squares,
    fetch_ahead,
    float_bits,
    float_of_bits,
    lane_at,
    lane_products,
    load,
    real_bits,
    real_of_bits,
    store,
    store_squares,
    take_lanes,
    with_word,
    words_at,
)

__all__ = [
    "BLOCK", "DEVICES", "LANES", "Batch", "Kernel", "add_lanes", "bit_reverse", "byte_swap",
    "clipped_squares", "fetch_ahead", "float_bits", "float_of_bits", "is_interpreted", "kernel",
    "lane_at", "lane_products", "leading_zeros", "load", "mix", "nanoseconds", "nth_bit",
    "popcount", "random_below", "random_next", "random_unit", "real_bits", "real_of_bits", "signed",
    "store", "store_squares", "take_lanes", "trailing_zeros", "unit_of", "whole_below", "with_word",
    "words_at",
]  # fmt: skip
