"""Regions of a game's positions, for tables of patterns.

The bits at one place of all words of a view are a *cell*: on boards of bits a square, with what can
stand there. A region is a few cells. A game names its regions (``Game.regions``), or they are found
from random games: cells that often change in the same move lie together, so around each cell there
is a region of it and of those that changed most often with the region so far. (Measures that make
rounder regions, or more or larger ones, were tried on one game and were no better.)

The number of a region's pattern is a sum over its bits, as the rows of a network are (``codes``):
bits that are never set together share numbers, so that a square that is empty, own or the enemy's
needs three and not four.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.compiled import LANES
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.learn.network import shape_of
from petteia.learn.samples import Views, bits, views

__all__ = ["Regions", "regions"]

_MOST = 256
"""Patterns of a region that is found."""
_MOST_NAMED = 2**14
"""Of a region that a game names: more would not fit into a lane."""


class Regions(NamedTuple):
    """Where the patterns of all regions stand in their tables."""

    rows: np.ndarray
    """(sides x words x 64, regions): by how much a bit raises the place in the table."""
    bias: np.ndarray
    """(sides, regions): where a player's part of the table begins."""
    size: int
    """Of each table."""


def regions(game: Game, befores: Sequence[Words], afters: Sequence[Words]) -> Regions:
    """The regions of a game, from positions and those that followed them."""
    words, sides = shape_of(game)
    seen, then = views(game, befores), views(game, afters)
    code, counts = codes(bits(seen.own).reshape(-1, words, 64))
    named = game.regions or _found(_links(seen, then), counts)
    lanes = -(-len(named) // LANES) * LANES
    rows = np.zeros((words, 64, lanes), np.int64)
    for number, cells in enumerate(named):
        step = 1
        for cell in cells:
            rows[:, cell, number] = step * code[:, cell]
            step *= counts[cell]
    highest = int(rows.sum(axis=(0, 1)).max()) + 1
    if sides * highest > _MOST_NAMED:
        largest = named[int(rows.sum(axis=(0, 1)).argmax())]
        raise ValueError(f"the region {largest} has {highest} patterns; {_MOST_NAMED // sides} fit")
    bias = np.arange(sides)[:, None] * np.full(lanes, highest)
    flat = rows.reshape(words * 64, lanes).astype(np.int16)
    return Regions(np.tile(flat, (sides, 1)), bias.astype(np.int16), sides * highest)


def codes(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(words, 64): a number for each bit, 0 where it is never set, so that the sums of all ways in
    which the bits of a cell were ``seen`` (n, words, 64) set differ; and how many numbers each cell
    needs, the highest sum and one."""
    code = np.zeros(seen.shape[1:], np.int64)
    counts = np.ones(seen.shape[2], np.int64)
    for cell in range(seen.shape[2]):
        ways = np.unique(seen[:, :, cell], axis=0).astype(np.int64)
        for bit in np.flatnonzero(ways.any(axis=0)):
            first = np.unique(ways[:, : bit + 1], axis=0)
            code[bit, cell] = 1
            while len(np.unique(first @ code[: bit + 1, cell])) < len(first):
                code[bit, cell] += 1
        counts[cell] = (ways @ code[:, cell]).max(initial=0) + 1
    return code, counts


def _links(seen: Views, then: Views) -> np.ndarray:
    """(64, 64): how often two cells changed in the same move, as one player sees it."""
    is_same = (seen.mover == then.mover)[:, None]
    changed = np.bitwise_or.reduce(seen.own ^ np.where(is_same, then.own, then.other), axis=1)
    cells = bits(changed[:, None]).astype(np.int64)
    return cells.T @ cells


def _found(links: np.ndarray, counts: np.ndarray) -> list[tuple[int, ...]]:
    """A region around each cell that changes at all; of equal ones, one."""
    found = dict[tuple[int, ...], None]()
    for cell in np.flatnonzero(counts > 1):
        region, size = [int(cell)], int(counts[cell])
        near = links[cell].copy()
        while True:
            near[region] = 0
            near[(counts < 2) | (size * counts > _MOST)] = 0
            if not near.any():
                break
            region.append(int(near.argmax()))
            size *= int(counts[region[-1]])
            near = near + links[region[-1]]
        found[tuple(sorted(region))] = None
    return list(found)
