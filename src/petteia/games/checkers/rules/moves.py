"""How moves are found and packed: kernels on the words of a position.

A move is a whole turn, all jumps of a chain included:

    bits 0-5    the bit of the square it starts from
    bits 6-11   the bit of the square it ends on
    bits 12-47  the squares whose pieces it takes
    bits 48-    a number that tells apart chains with the same ends and the same captures
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import popcount, signed, trailing_zeros
from petteia.core.words import U

__all__ = ["CAPTURES", "CHAIN", "Jumper", "jumpers", "steppers", "write_chains", "write_steps"]

CAPTURES = 12
"""The first bit of a move's captured squares."""
CHAIN = 48
"""The first bit of the number that tells equal chains apart."""
_SAME = (1 << CHAIN) - 1
_SHORTEST_CIRCUIT = 4  # captures: no shorter chain can be run in two ways


def steppers(up: np.uint64, down: np.uint64, empty: np.uint64) -> np.uint64:
    """Kernel: the pieces that have a free square to go to."""
    return (up & (empty << U(4) | empty << U(5))) | (down & (empty >> U(4) | empty >> U(5)))


def jumpers(up: np.uint64, down: np.uint64, enemy: np.uint64, empty: np.uint64) -> np.uint64:
    """Kernel: the pieces that have a capture."""
    return up & ((enemy << U(4) & empty << U(8)) | (enemy << U(5) & empty << U(10))) | down & (
        (enemy >> U(4) & empty >> U(8)) | (enemy >> U(5) & empty >> U(10))
    )


def write_steps(up: np.uint64, down: np.uint64, empty: np.uint64, out: np.ndarray, at: int) -> int:
    """Kernel: writes all moves that take nothing."""
    from_squares = steppers(up, down, empty)
    while from_squares != U(0):
        start = from_squares & (~from_squares + U(1))
        from_squares ^= start
        square = trailing_zeros(start)
        if up & start != U(0):
            if (empty << U(5)) & start != U(0):
                out[at] = square | (square - 5) << 6
                at += 1
            if (empty << U(4)) & start != U(0):
                out[at] = square | (square - 4) << 6
                at += 1
        if down & start != U(0):
            if (empty >> U(4)) & start != U(0):
                out[at] = square | (square + 4) << 6
                at += 1
            if (empty >> U(5)) & start != U(0):
                out[at] = square | (square + 5) << 6
                at += 1
    return at


class Jumper(NamedTuple):
    """A piece that has a capture, before its first jump."""

    start: int
    ways: int
    """The directions that it may take."""
    empty: np.uint64
    """Its own square counts: a circuit may end on it."""
    crown: np.uint64
    """Where a man is crowned; nowhere for a king."""
    first: int
    """Where the list of moves begins."""


def write_chains(
    game: Any,
    jumper: Jumper,
    square: int,
    enemy: np.uint64,
    taken: np.uint64,
    out: np.ndarray,
    at: int,
) -> int:
    """Kernel: writes every way to jump on from ``square`` to the end; ``enemy`` is what is left to
    jump over."""
    ended = True
    for way in range(4):
        if jumper.ways >> way & 1 == 0:
            continue
        over, land = game.over[square, way], game.land[square, way]
        if enemy & over == U(0) or jumper.empty & land == U(0):
            continue
        ended = False
        target = trailing_zeros(land)
        if land & jumper.crown != U(0):  # a man that is crowned stops
            out[at] = jumper.start | target << 6 | signed(taken | over) << CAPTURES
            at += 1
        else:
            at = write_chains(game, jumper, target, enemy ^ over, taken | over, out, at)
    if ended:
        move = jumper.start | square << 6 | signed(taken) << CAPTURES
        at = write_chain(game, move, taken, out, jumper.first, at)
    return at


def write_chain(
    game: Any, move: int, taken: np.uint64, out: np.ndarray, first: int, at: int
) -> int:
    """Kernel: writes a finished chain, unless it is there already and counts once."""
    if popcount(taken) >= _SHORTEST_CIRCUIT:
        same = 0
        for i in range(first, at):
            if out[i] & _SAME == move:
                same += 1
        if same > 0:
            if not game.both_ways:
                return at
            move |= same << CHAIN
    out[at] = move
    return at + 1
