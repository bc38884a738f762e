"""A perfect index: every position before the dice has one place in a table, and no place is empty.

Positions are seen by the side to roll, the mover. A state is (a, b, c, own, other): pieces home of
the mover and of the opponent, the shared tiles as a number in base 3 (0 empty, 1 mover, 2
opponent; tile i of the mover's path has the weight 3**i), and the masks of the private squares.
What is nowhere else is in hand. Masks are ranked by how many bits they have, so that those with at
most k bits are the ranks below ``fits[k]``, for every k, and

    index = offset[a, b, c] + rank(other) * fits[N - a - x] + rank(own)

where x pieces of the mover stand on shared tiles. The start is index 0.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from petteia.games.ur.rules import UrRules

__all__ = ["Layout", "layout_of"]

_SQUARES_IN_A_MASK = 20


class Layout(NamedTuple):
    """The arrays behind the index, for one number of pieces on one path."""

    pieces: int
    states: int
    """How many positions there are in which nobody has won."""
    private: np.ndarray
    """The squares that only one side ever comes to."""
    shared: np.ndarray
    """The other squares, by the mover's numbers."""
    fits: np.ndarray
    """How many masks have at most so many bits."""
    mask_of: np.ndarray
    """The masks in the order of their ranks, each as squares of the path."""
    bits_of: np.ndarray
    """The same masks packed to the low bits."""
    rank_of: np.ndarray
    """The rank of a mask of private squares, packed to the low bits."""
    offset: np.ndarray
    """[a, b, c]: where the states with these numbers begin."""
    own: np.ndarray
    """[c]: the mover's squares on shared tiles, as a mask of the path."""
    other: np.ndarray
    """[c]: the opponent's pieces there, as a mask by the mover's numbers."""
    counts: np.ndarray
    """[c]: how many pieces the mover and the opponent have on shared tiles."""
    swapped: np.ndarray
    """[c]: the same tiles as the opponent sees them."""
    weight: np.ndarray
    """What a piece of the mover on a square of the path adds to c; 0 for private squares."""
    slot: np.ndarray
    """The bit of a private square in a packed mask."""
    order: np.ndarray
    """All c, those furthest ahead first: a sweep in this order learns quickest."""

    @property
    def bounds(self) -> np.ndarray:
        """[a, b]: where the layer with these numbers of pieces home begins."""
        return self.offset[:, :, 0]

    def layer(self, a: int, b: int) -> slice:
        """The places of a layer."""
        flat = [*self.bounds.reshape(-1).tolist(), self.states]
        place = a * self.pieces + b
        return slice(flat[place], flat[place + 1])


@lru_cache(maxsize=4)
def _tables(path: tuple[int, ...], pieces: int) -> Layout:
    """``path`` is the table of which square meets which."""
    squares = range(1, len(path))
    private = [n for n in squares if path[n] == 0]
    shared = [n for n in squares if path[n] > 0]
    masks = sorted(range(2 ** len(private)), key=lambda mask: (mask.bit_count(), mask))
    rank_of = np.zeros(len(masks), np.int64)
    rank_of[masks] = range(len(masks))
    spread = [sum(1 << private[i] for i in range(len(private)) if m >> i & 1) for m in masks]
    fits = [sum(m.bit_count() <= k for m in masks) for k in range(pieces + 1)]

    numbers = np.arange(3 ** len(shared))
    trits = np.stack([numbers // 3**i % 3 for i in range(len(shared))])
    weight, slot = np.zeros(len(path), np.int64), np.zeros(len(path), np.int64)
    for i, square in enumerate(shared):
        weight[square] = 3**i
    for i, square in enumerate(private):
        slot[square] = i
    own, other = np.zeros(len(numbers), np.int64), np.zeros(len(numbers), np.int64)
    swapped, ahead = np.zeros(len(numbers), np.int64), np.zeros(len(numbers), np.int64)
    for i, square in enumerate(shared):
        mine, theirs = trits[i] == 1, trits[i] == 2
        own |= mine.astype(np.int64) << square
        other |= theirs.astype(np.int64) << square
        swapped += weight[path[square]] * (2 * mine + theirs)
        ahead += square * mine + path[square] * theirs
    counts = np.stack([(trits == 1).sum(0), (trits == 2).sum(0)], 1).astype(np.int64)

    padded = np.array([*fits, 0], np.int64)  # the last place stands for a negative number
    offset = np.zeros((pieces, pieces, len(numbers)), np.int64)
    total = 0
    for a, b in product(range(pieces), repeat=2):
        left, right = pieces - a - counts[:, 0], pieces - b - counts[:, 1]
        sizes = padded[np.where(left < 0, -1, left)] * padded[np.where(right < 0, -1, right)]
        ends = np.cumsum(sizes)
        offset[a, b] = total + ends - sizes
        total += int(ends[-1])
    assert total < 2**32
    return Layout(
        pieces=pieces,
        states=total,
        private=np.array(private, np.int64),
        shared=np.array(shared, np.int64),
        fits=np.array(fits, np.int64),
        mask_of=np.array(spread, np.int64),
        bits_of=np.array(masks, np.int64),
        rank_of=rank_of,
        offset=offset.astype(np.uint32),
        own=own,
        other=other,
        counts=counts,
        swapped=swapped,
        weight=weight,
        slot=slot,
        order=np.argsort(-ahead, kind="stable"),
    )


def layout_of(game: UrRules) -> Layout:
    """The layout of a game's positions."""
    assert game.squares < _SQUARES_IN_A_MASK
    return _tables(tuple(game.meets), game.count)
