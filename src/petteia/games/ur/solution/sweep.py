"""Kernels on the table of all positions: one sweep of value iteration, and looking values up.

A sweep takes the states of a layer (a, b) with the same shared tiles and the same own mask
together: which moves there are does not depend on the opponent's private squares, and after a
change of turn the values for all of these lie side by side. So the inner loops run over at most 64
neighbours and the compiler makes vector instructions of them. The best so far moves from one row of
scratch to another: where a maximum is kept in its place the compiler writes under a mask, and some
processors are slow at that.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load, popcount, trailing_zeros
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words
from petteia.games.ur.solution.layout import Layout

__all__ = [
    "Exact", "Layer", "chance_after", "fill_steps", "guess", "guess_tiles", "index_of", "layer_of",
    "move_values", "place_in_table", "successors", "sweep", "who_and_where",
]  # fmt: skip


def packed(game: Any, squares: np.uint64, slot: np.ndarray) -> int:
    """A mask of private squares of the path, packed to the low bits."""
    found = 0
    for n in range(1, game.squares + 1):
        if game.meets[n] == 0 and (squares >> U(n)) & U(1) != U(0):
            found |= 1 << slot[n]
    return found


class Layer(NamedTuple):
    """A layer (a, b) and what a sweep over it needs."""

    a: int
    b: int
    layout: Layout
    here: np.ndarray
    """[c]: where the states of this layer begin that have these contents of the shared tiles."""
    turned: np.ndarray
    """[c]: where they begin after a change of turn."""
    beyond: np.ndarray
    """[c]: where they begin after a piece was borne off."""
    heights: np.ndarray
    """[c]: how many masks of private squares the mover has."""
    widths: np.ndarray
    """[c]: how many the opponent has."""
    order: np.ndarray
    """The contents of the shared tiles that occur in the layer."""
    changes: np.ndarray
    """[c]: the largest change of a value in the last sweep over these contents."""
    values: np.ndarray
    """Of all layers."""
    chance: np.ndarray
    """The probabilities of the rolls and then 1, in the precision of the values."""
    room: np.ndarray
    """Four rows of scratch: after a pass, expected, and two for the best so far."""


def layer_of(a: int, b: int, layout: Layout, values: np.ndarray, chance: np.ndarray) -> Layer:
    """A layer with scratch of its own."""
    t = layout
    last = a + 1 == t.pieces  # then bearing off wins, and there is nothing beyond
    own, other = (
        t.fits[np.maximum(t.pieces - home - t.counts[:, side], 0)]
        for side, home in enumerate((a, b))
    )
    fits = (t.counts[:, 0] <= t.pieces - a) & (t.counts[:, 1] <= t.pieces - b)
    return Layer(
        a, b, layout,
        here=t.offset[a, b].copy(),
        turned=t.offset[b, a][t.swapped],
        beyond=np.zeros_like(t.swapped, t.offset.dtype) if last else t.offset[b, a + 1][t.swapped],
        heights=own, widths=other,
        order=t.order[fits[t.order]], changes=np.zeros(len(t.swapped), values.dtype),
        values=values, chance=chance, room=np.zeros((4, len(t.mask_of)), values.dtype),
    )  # fmt: skip


_PASSED, _EXPECTED, _BEST, _SPARE = range(4)
_LEAD, _TURN = 0.22, 3.0
"""What a step ahead and the turn are worth in a first guess; fitted to the table of four pieces."""


class Tiles(NamedTuple):
    """One setting of the shared tiles in a layer."""

    c: int
    own: np.uint64
    other: np.uint64
    left: int
    """The mover's pieces that are neither home nor on shared tiles."""
    width: Any
    """How many masks of private squares the opponent has: states that lie side by side."""
    over: np.int64
    """Where the opponent's values begin after a pass."""


class Successors(NamedTuple):
    """Where the values lie after a move from states side by side."""

    first: Any
    stride: Any
    keeps_turn: bool


@kernel
def sweep(game: Any, layer: Layer, first: int, step: int, write: int) -> float:
    """Updates every ``step``-th setting of a layer's shared tiles; returns the largest change."""
    t, values, expected = layer.layout, layer.values, layer.room[_EXPECTED]
    n = game.count
    worst = layer.chance[5] - layer.chance[5]
    for at in range(first, len(layer.order), step):
        c = layer.order[at]
        left, width = n - layer.a - t.counts[c, 0], layer.widths[c]
        over = np.int64(layer.turned[c])
        tiles = Tiles(c, U(t.own[c]), U(t.other[c]), left, width, over)
        base, height = np.int64(layer.here[c]), layer.heights[c]
        most = layer.chance[5] - layer.chance[5]
        for rank in range(height - 1, -1, -1):
            expect(game, layer, tiles, rank)
            for i in range(width):
                place = base + i * height + rank
                most = max(most, abs(expected[i] - values[place]))
                if write != 0:
                    values[place] = expected[i]
        layer.changes[c] = most
        worst = max(worst, most)
    return np.float64(worst)


def fill_steps(game: Any, layer: Layer, steps: np.ndarray) -> None:
    """By the rank of a mask of private squares: the steps that its pieces have gone."""
    for rank in range(len(layer.layout.mask_of)):
        steps[rank] = 0
        for square in range(1, game.squares + 1):
            if (U(layer.layout.mask_of[rank]) >> U(square)) & U(1) != U(0):
                steps[rank] += square


def guess_tiles(game: Any, layer: Layer, c: int, steps: np.ndarray) -> None:
    """First values of the states with one content of the shared tiles: the lead in the race, by
    what is left of it. They save one sweep in ten."""
    t, values, home = layer.layout, layer.values, game.squares + 1
    mine, theirs = home * layer.a, home * layer.b
    for square in range(1, home):
        if (U(t.own[c]) >> U(square)) & U(1) != U(0):
            mine += square
        if (U(t.other[c]) >> U(square)) & U(1) != U(0):
            theirs += game.meets[square]
    base, height = np.int64(layer.here[c]), layer.heights[c]
    for i in range(layer.widths[c]):
        for rank in range(height):
            own, other = mine + steps[rank], theirs + steps[i]
            left = 2 * home * game.count - own - other
            lead = _LEAD * (own - other + _TURN) / math.sqrt(left)
            values[base + i * height + rank] = 0.5 + 0.5 * lead / (1.0 + abs(lead))


@kernel
def guess(game: Any, layer: Layer) -> None:
    """First values of a layer."""
    steps = layer.room[_SPARE]
    fill_steps(game, layer, steps)
    for at in range(len(layer.order)):
        guess_tiles(game, layer, layer.order[at], steps)


def in_vectors(width: int) -> int:
    """A row's width in whole vectors: what lies past the row is read, and never written."""
    return ((width + 7) >> 3) << 3


def who_and_where(game: Any, tiles: Tiles, mask: Any) -> tuple[Any, Any]:
    """The mover's squares from which a piece may go, with one own mask, and those where one may
    land."""
    pieces = tiles.own | mask
    walkers = pieces
    if tiles.left > popcount(mask):
        walkers |= U(1)  # the hand
    return walkers, game.open_squares & ~(pieces | (tiles.other & game.safe))


def expect(game: Any, layer: Layer, tiles: Tiles, rank: int) -> None:
    """The mover's chances before the dice with one own mask, for all masks of the opponent."""
    values, room, one = layer.values, layer.room, layer.chance[5]
    wide = in_vectors(tiles.width)
    walkers, free = who_and_where(game, tiles, U(layer.layout.mask_of[rank]))
    over, weigh = tiles.over + rank * tiles.width, layer.chance[0]
    for i in range(wide):
        room[_PASSED, i] = one - values[over + i]
        room[_EXPECTED, i] = weigh * room[_PASSED, i]
    for roll in range(1, 5):
        targets = (walkers << U(roll)) & free
        best = _PASSED
        if targets != U(0):
            best = best_move(game, layer, tiles, rank, roll, targets)
        weigh = layer.chance[roll]
        for i in range(wide):
            room[_EXPECTED, i] += weigh * room[best, i]


def best_move(
    game: Any, layer: Layer, tiles: Tiles, rank: int, roll: int, targets: np.uint64
) -> int:
    """The row of scratch that holds the mover's chances after the best move to a target."""
    values, room, one = layer.values, layer.room, layer.chance[5]
    wide = in_vectors(tiles.width)
    best, spare = _BEST, _SPARE
    for i in range(wide):
        room[best, i] = -one
    while targets != U(0):
        target = trailing_zeros(targets)
        targets &= targets - U(1)
        if target > game.squares and layer.a + 1 == game.count:
            for i in range(wide):
                room[spare, i] = one
        else:
            after = successors(game, layer, tiles, rank, target - roll, target)
            if after.keeps_turn:
                for i in range(tiles.width):
                    value = values[after.first + i * after.stride]
                    room[spare, i] = max(room[best, i], value)
            else:
                for i in range(wide):
                    room[spare, i] = max(room[best, i], one - values[after.first + i])
        best, spare = spare, best
    return best


def successors(
    game: Any, layer: Layer, tiles: Tiles, rank: int, source: int, target: int
) -> Successors:
    """Where the values lie after a move from one square to another, or off the board."""
    t = layer.layout
    bits, after = t.bits_of[rank], tiles.c
    if source > 0:
        after -= t.weight[source]
        if game.meets[source] == 0:
            bits ^= 1 << t.slot[source]
    if target > game.squares:
        first = np.int64(layer.beyond[after]) + t.rank_of[bits] * tiles.width
        return Successors(first, tiles.width, False)
    captures = (tiles.other >> U(target)) & U(1) != U(0)
    if game.meets[target] == 0:
        bits |= 1 << t.slot[target]
    elif captures:
        after -= t.weight[target]
    else:
        after += t.weight[target]
    again = (game.rosettes >> U(target)) & U(1) != U(0)
    if again or (captures and game.capture_rolls):
        stride = layer.heights[after]
        return Successors(np.int64(layer.here[after]) + t.rank_of[bits], stride, True)
    stride = layer.widths[after]
    first = np.int64(layer.turned[after]) + t.rank_of[bits] * stride
    return Successors(first, stride, False)


class Exact(NamedTuple):
    """A table of exact values, and where each position stands in it."""

    chances: np.ndarray
    """Of the side to roll, as whole numbers up to 65535."""
    layout: Layout


def place_in_table(game: Any, p: Words, layout: Layout) -> int:
    """The index of a position in which nobody has won, the dice left aside."""
    mover = game.mover(p)
    own, other = game.side(p, mover), game.side(p, 1 - mover)
    c = 0
    for square in range(1, game.squares + 1):
        if game.meets[square] > 0:
            if (own >> U(square)) & U(1) != U(0):
                c += layout.weight[square]
            if (other >> U(square)) & U(1) != U(0):
                c += 2 * layout.weight[game.meets[square]]
    a, b = game.home(p, mover), game.home(p, 1 - mover)
    stride = layout.fits[game.count - a - layout.counts[c, 0]]
    row = layout.rank_of[packed(game, other, layout.slot)]
    column = layout.rank_of[packed(game, own, layout.slot)]
    return np.int64(layout.offset[a, b, c]) + row * stride + column


@kernel
def index_of(game: Any, p: Words, layout: Layout) -> int:
    """For Python: the index of a position."""
    return place_in_table(game, p, layout)


def chance_after(game: Any, p: Words, mover: int, exact: Exact) -> float:
    """The exact chance of ``mover`` at a position that its move has led to."""
    if game.kind(p) == TERMINAL:
        return 1.0
    place = place_in_table(game, p, exact.layout)
    chance = np.float64(exact.chances[place]) / 65535.0
    return chance if game.mover(p) == mover else 1.0 - chance


@kernel
def move_values(
    game: Any, board: np.ndarray, exact: Exact, moves: np.ndarray, chances: np.ndarray
) -> int:
    """Writes the moves of the decision in ``board`` and the mover's chance after each."""
    p = load(board, 0, game.start())
    mover = game.mover(p)
    end = game.moves(p, moves, 0)
    for i in range(end):
        chances[i] = chance_after(game, game.play(p, moves[i]), mover, exact)
    return end
