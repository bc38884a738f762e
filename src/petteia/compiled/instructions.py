"""The functions of this room as machine instructions, for the compiler."""

# Numba is typed in parts only.
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload

from petteia.compiled import bits, memory

__all__ = ["REPLACEMENTS"]


def _word_instruction(emit: Callable[[Any, Any], Any], result: Any) -> Any:
    @intrinsic
    def instruction(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0])

        return result(types.uint64), codegen

    return instruction


_popcount = _word_instruction(lambda builder, word: builder.ctpop(word), types.int64)
_zeros = _word_instruction(
    lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)), types.int64
)
_leading = _word_instruction(
    lambda builder, word: builder.ctlz(word, ir.Constant(ir.IntType(1), 0)), types.int64
)
_swap = _word_instruction(lambda builder, word: builder.bswap(word), types.uint64)
_reverse = _word_instruction(lambda builder, word: builder.bitreverse(word), types.uint64)
_float_of_bits = _word_instruction(
    lambda builder, word: builder.bitcast(builder.trunc(word, ir.IntType(32)), ir.FloatType()),
    types.float32,
)


_real_of_bits = _word_instruction(
    lambda builder, word: builder.bitcast(word, ir.DoubleType()), types.float64
)


@intrinsic
def _bits_of_real(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.uint64(types.float64), codegen


@intrinsic
def _bits_of_float(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.zext(builder.bitcast(args[0], ir.IntType(32)), ir.IntType(64))

    return types.uint64(types.float32), codegen


@intrinsic
def _array_at(typingctx: Any, address: Any, count: Any) -> Any:
    array = types.Array(types.uint64, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, length = args
        view = context.make_array(array)(context, builder)
        size = context.get_constant(types.intp, 8)
        context.populate_array(
            view,
            data=builder.inttoptr(place, view.data.type),
            shape=cgutils.pack_array(builder, [length]),
            strides=cgutils.pack_array(builder, [size]),
            itemsize=size,
            meminfo=None,
        )
        return view._getvalue()

    return array(types.int64, types.int64), codegen


@intrinsic
def _fetch_ahead(typingctx: Any, array: Any, at: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.bitcast(builder.gep(view.data, [args[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        instruction = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        # For reading, to be kept in all caches, data.
        builder.call(instruction, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64), codegen


_LANES = ir.VectorType(ir.IntType(16), memory.LANES)
_WIDE = ir.VectorType(ir.IntType(32), memory.LANES)


def _lanes_at(context: Any, builder: Any, array: Any, value: Any, place: Any) -> Any:
    """Where a block of lanes stands in an array of words."""
    view = context.make_array(array)(context, builder, value)
    return builder.bitcast(builder.gep(view.data, [place]), _LANES.as_pointer())


def _lanes(builder: Any, place: Any) -> Any:
    return builder.load(place, align=8)


def _lane_instruction(emit: Callable[[Any, Any, Any], Any]) -> Any:
    @intrinsic
    def instruction(typingctx: Any, words: Any, into: Any, row: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = signature.args[0]
            to, by = (_lanes_at(context, builder, array, args[0], at) for at in args[1:])
            found = emit(builder, _lanes(builder, to), _lanes(builder, by))
            builder.store(found, to, align=8)
            return context.get_dummy_value()

        return types.none(words, types.int64, types.int64), codegen

    return instruction


_add_lanes = _lane_instruction(lambda builder, a, b: builder.add(a, b))
_take_lanes = _lane_instruction(lambda builder, a, b: builder.sub(a, b))


def _clipped(builder: Any, lanes: Any, most: Any) -> Any:
    """Lanes between 0 and a number."""
    none = ir.Constant(_LANES, [0] * memory.LANES)
    first = builder.insert_element(
        ir.Constant(_LANES, ir.Undefined), builder.trunc(most, ir.IntType(16)), ir.IntType(32)(0)
    )
    every = ir.Constant(ir.VectorType(ir.IntType(32), memory.LANES), [0] * memory.LANES)
    limit = builder.shuffle_vector(first, ir.Constant(_LANES, ir.Undefined), every)
    lanes = builder.select(builder.icmp_signed(">", lanes, none), lanes, none)
    return builder.select(builder.icmp_signed("<", lanes, limit), lanes, limit)


def _total(builder: Any, wide: Any) -> Any:
    """The sum of lanes of 32 bits."""
    shape = ir.FunctionType(ir.IntType(32), [_WIDE])
    name = f"llvm.vector.reduce.add.v{memory.LANES}i32"
    total = builder.call(cgutils.get_or_insert_function(builder.module, shape, name), [wide])
    return builder.sext(total, ir.IntType(64))


@intrinsic
def _clipped_squares(typingctx: Any, words: Any, sums: Any, row: Any, most: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = signature.args[0]
        seen, by = (
            _lanes(builder, _lanes_at(context, builder, array, args[0], at)) for at in args[1:3]
        )
        seen = builder.sext(_clipped(builder, seen, args[3]), _WIDE)
        by = builder.sext(by, _WIDE)
        return _total(builder, builder.mul(builder.mul(seen, seen), by))

    return types.int64(words, types.int64, types.int64, types.int64), codegen


@intrinsic
def _store_squares(typingctx: Any, words: Any, into: Any, sums: Any, most: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = signature.args[0]
        to, by = (_lanes_at(context, builder, array, args[0], at) for at in args[1:3])
        seen = _clipped(builder, _lanes(builder, by), args[3])
        half, eight = (ir.Constant(_LANES, [n] * memory.LANES) for n in (128, 8))
        found = builder.lshr(builder.add(builder.mul(seen, seen), half), eight)
        builder.store(found, to, align=8)
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64, types.int64), codegen


@intrinsic
def _lane_products(typingctx: Any, words: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = signature.args[0]
        one, other = (
            builder.sext(_lanes(builder, _lanes_at(context, builder, array, args[0], at)), _WIDE)
            for at in args[1:]
        )
        return _total(builder, builder.mul(one, other))

    return types.int64(words, types.int64, types.int64), codegen


@intrinsic
def _lane_at(typingctx: Any, words: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        lanes = builder.bitcast(view.data, ir.IntType(16).as_pointer())
        return builder.sext(builder.load(builder.gep(lanes, [args[1]])), ir.IntType(64))

    return types.int64(words, types.int64), codegen


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _11 = (np.uint64(n) for n in (30, 27, 31, 32, 11))


def _mix(word: Any) -> Any:
    z = np.uint64(word)
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


def _random_next(state: Any) -> Any:
    return np.uint64(state) + _GOLDEN


def _whole_below(state: Any, count: Any) -> Any:
    return np.int64(((_mix(state) >> _32) * np.uint64(count)) >> _32)


def _unit_of(state: Any) -> Any:
    return np.float64(_mix(state) >> _11) * 2.0**-53


def _store(array: Any, row: Any, p: Any) -> None:
    for i in range(len(p)):
        array[row, i] = p[i]


def _load(array: Any, row: Any, like: Any) -> Any:
    p = like
    for i in range(len(like)):
        p = tuple_setitem(p, i, array[row, i])
    return p


@intrinsic(prefer_literal=True)
def _repeated(typingctx: Any, words: Any, times: Any) -> Any:
    count = words.count * max(0, times.literal_value)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        items = cgutils.unpack_tuple(builder, args[0])
        return cgutils.pack_array(builder, items * max(0, times.literal_value))

    return types.UniTuple(words.dtype, count)(words, times), codegen


@overload(operator.mul, prefer_literal=True)
def _repeat(words: Any, times: Any) -> Any:
    """``(U(0),) * 40``, which Numba does not know; the number must stand there."""

    def repeat(words: Any, times: Any) -> Any:
        return _repeated(words, times)

    fits = isinstance(words, types.UniTuple) and isinstance(times, types.IntegerLiteral)
    return repeat if fits else None


@intrinsic
def _nanoseconds(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, number = ir.IntType(64), ir.IntType(32)
        if not hasattr(time, "clock_gettime_ns"):
            return word(0)
        place = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        shape = ir.FunctionType(number, [number, place.type])
        function = cgutils.get_or_insert_function(builder.module, shape, "clock_gettime")
        builder.call(function, [number(time.CLOCK_MONOTONIC), place])
        seconds, rest = (
            builder.load(cgutils.gep_inbounds(builder, place, 0, field)) for field in (0, 1)
        )
        return builder.add(builder.mul(seconds, word(1_000_000_000)), rest)

    return types.int64(), codegen


# What stands for each function of this room in compiled code.
REPLACEMENTS: dict[Any, Any] = {
    bits.popcount: lambda word: _popcount(np.uint64(word)),
    bits.trailing_zeros: lambda word: _zeros(np.uint64(word)),
    bits.leading_zeros: lambda word: _leading(np.uint64(word)),
    bits.signed: lambda word: np.int64(word),
    bits.byte_swap: lambda word: _swap(np.uint64(word)),
    bits.bit_reverse: lambda word: _reverse(np.uint64(word)),
    bits.mix: _mix,
    bits.nanoseconds: _nanoseconds,
    bits.random_next: _random_next,
    bits.whole_below: _whole_below,
    bits.unit_of: _unit_of,
    memory.store: _store,
    memory.load: _load,
    memory.with_word: lambda p, place, word: tuple_setitem(p, place, np.uint64(word)),
    memory.words_at: _array_at,
    memory.fetch_ahead: _fetch_ahead,
    memory.add_lanes: _add_lanes,
    memory.take_lanes: _take_lanes,
    memory.clipped_squares: _clipped_squares,
    memory.lane_at: _lane_at,
    memory.lane_products: _lane_products,
    memory.store_squares: _store_squares,
    memory.real_bits: lambda value: _bits_of_real(np.float64(value)),
    memory.real_of_bits: lambda bits: _real_of_bits(np.uint64(bits)),
    memory.float_bits: lambda value: _bits_of_float(np.float32(value)),
    memory.float_of_bits: lambda bits: np.float64(_float_of_bits(np.uint64(bits))),
}
