"""Kernels on the table of all positions: one sweep of value iteration, and looking values up.

A sweep takes the states of a layer (a, b) with the same shared tiles and the same own mask
together: which moves there are does not depend on the opponent's private squares, and after a
change of turn the values for all of these lie side by side. So the inner loops run over at most 64
neighbours and the compiler makes vector instructions of them. The best so far moves from one row of
scratch to another: where a maximum is kept in its place the compiler writes under a mask, and some
processors are slow at that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, load, popcount, trailing_zeros
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words

__all__ = ["chance_after", "index_of", "move_values", "place_in_table", "sweep"]


def packed(game: Any, squares: np.uint64, slot: np.ndarray) -> int:
    """A mask of private squares of the path, packed to the low bits."""
    found = 0
    for n in range(1, game.squares + 1):
        if game.meets[n] == 0 and (squares >> U(n)) & U(1) != U(0):
            found |= 1 << slot[n]
    return found


@kernel
def sweep(
    game: Any,
    values: np.ndarray,
    a: int,
    b: int,
    order: np.ndarray,
    first: int,
    step: int,
    write: int,
    offset: np.ndarray,
    counts: np.ndarray,
    own: np.ndarray,
    other: np.ndarray,
    swapped: np.ndarray,
    weight: np.ndarray,
    slot: np.ndarray,
    fits: np.ndarray,
    mask_of: np.ndarray,
    bits_of: np.ndarray,
    rank_of: np.ndarray,
    chance: np.ndarray,
    room: np.ndarray,
) -> float:
    """Updates every ``step``-th of the shared tiles of a layer; returns the largest change.

    ``chance`` holds the probabilities of the rolls and then 1, in the precision of the values;
    ``room`` is four rows of scratch.
    """
    n = game.count
    one = chance[5]
    worst = one - one
    for at in range(first, len(order), step):
        c = order[at]
        left, right = n - a - counts[c, 0], n - b - counts[c, 1]
        if left < 0 or right < 0:
            continue
        height, width = fits[left], fits[right]
        wide = ((width + 7) >> 3) << 3  # what lies past the row is read, and never written
        base = np.int64(offset[a, b, c])
        over = np.int64(offset[b, a, swapped[c]])
        tiles = U(own[c])
        blocked = U(other[c]) & game.safe
        for rank in range(height - 1, -1, -1):
            mask = U(mask_of[rank])
            bits = bits_of[rank]
            pieces = tiles | mask
            walkers = pieces
            if left > popcount(mask):
                walkers |= U(1)
            for i in range(wide):
                room[0, i] = one - values[over + rank * width + i]
                room[1, i] = chance[0] * room[0, i]
            for roll in range(1, 5):
                weigh = chance[roll]
                targets = (walkers << U(roll)) & game.open_squares & ~(pieces | blocked)
                if targets == U(0):
                    for i in range(wide):
                        room[1, i] += weigh * room[0, i]
                    continue
                best, spare = 2, 3
                for i in range(wide):
                    room[best, i] = -one
                while targets != U(0):
                    target = trailing_zeros(targets)
                    targets &= targets - U(1)
                    source = target - roll
                    after, bits2 = c, bits
                    if source > 0:
                        after -= weight[source]
                        if game.meets[source] == 0:
                            bits2 ^= 1 << slot[source]
                    if target > game.squares:
                        if a + 1 == n:
                            for i in range(wide):
                                room[spare, i] = one
                        else:
                            rank2 = rank_of[bits2]
                            from_ = np.int64(offset[b, a + 1, swapped[after]]) + rank2 * width
                            for i in range(wide):
                                room[spare, i] = max(room[best, i], one - values[from_ + i])
                        best, spare = spare, best
                        continue
                    captures = (U(other[c]) >> U(target)) & U(1) != U(0)
                    if game.meets[target] == 0:
                        bits2 |= 1 << slot[target]
                    elif captures:
                        after -= weight[target]
                    else:
                        after += weight[target]
                    rank2 = rank_of[bits2]
                    again = (game.rosettes >> U(target)) & U(1) != U(0)
                    if again or (captures and game.capture_rolls):
                        stride = fits[n - a - counts[after, 0]]
                        from_ = np.int64(offset[a, b, after]) + rank2
                        for i in range(width):
                            room[spare, i] = max(room[best, i], values[from_ + i * stride])
                    else:
                        stride = fits[n - b - counts[after, 1]]
                        from_ = np.int64(offset[b, a, swapped[after]]) + rank2 * stride
                        for i in range(wide):
                            room[spare, i] = max(room[best, i], one - values[from_ + i])
                    best, spare = spare, best
                for i in range(wide):
                    room[1, i] += weigh * room[best, i]
            for i in range(width):
                place = base + i * height + rank
                worst = max(worst, abs(room[1, i] - values[place]))
                if write != 0:
                    values[place] = room[1, i]
    return np.float64(worst)


def place_in_table(
    game: Any,
    p: Words,
    index: Any,
) -> int:
    """The index of a position in which nobody has won, the dice left aside."""
    mover = game.mover(p)
    own, other = game.side(p, mover), game.side(p, 1 - mover)
    c = 0
    for square in range(1, game.squares + 1):
        if game.meets[square] > 0:
            if (own >> U(square)) & U(1) != U(0):
                c += index.weight[square]
            if (other >> U(square)) & U(1) != U(0):
                c += 2 * index.weight[game.meets[square]]
    a, b = game.home(p, mover), game.home(p, 1 - mover)
    stride = index.fits[game.count - a - index.counts[c, 0]]
    row = index.rank_of[packed(game, other, index.slot)]
    column = index.rank_of[packed(game, own, index.slot)]
    return np.int64(index.offset[a, b, c]) + row * stride + column


@kernel
def index_of(
    game: Any,
    p: Words,
    index: Any,
) -> int:
    """For Python: the index of a position."""
    return place_in_table(game, p, index)


def chance_after(
    game: Any,
    p: Words,
    mover: int,
    table: np.ndarray,
    index: Any,
) -> float:
    """The exact chance of ``mover`` at a position that its move has led to.

    ``table`` holds chances of the side to roll as whole numbers up to 65535.
    """
    if game.kind(p) == TERMINAL:
        return 1.0
    place = place_in_table(game, p, index)
    chance = np.float64(table[place]) / 65535.0
    return chance if game.mover(p) == mover else 1.0 - chance


@kernel
def move_values(
    game: Any,
    board: np.ndarray,
    table: np.ndarray,
    index: Any,
    moves: np.ndarray,
    chances: np.ndarray,
) -> int:
    """Writes the moves of the decision in ``board`` and the mover's chance after each."""
    p = load(board, 0, game.start())
    mover = game.mover(p)
    end = game.moves(p, moves, 0)
    for i in range(end):
        after = game.play(p, moves[i])
        chances[i] = chance_after(game, after, mover, table, index)
    return end
