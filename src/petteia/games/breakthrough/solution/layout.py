"""Where a position of a small board stands in its table of exact values.

A table holds one bit a position: whether the player to move wins. Three savings make it small.

*Haugland's reduction*: a worker on its last row but one decides the game within two plies, so
that positions with one are worked out on the spot. Each side then stands on ``rows - 2`` rows: two
*home* rows where only it can be, and the ``rows - 4`` rows in the middle that both share.

*Colours*: a side is written as its owner sees it, own home row first. With black to move the
players change places, and white to move is the only case.

*Mirror*: of two positions that are each other's picture in a mirror only one is kept.

The squares in the middle have three states, the home squares two. A *block* is one setting of the
middle: ``2**(4 * columns)`` bits, by the mover's home and then the enemy's. Blocks in which a
side has more workers than it began with are left out.
"""

from __future__ import annotations

import os
from math import comb
from typing import NamedTuple

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.games.breakthrough.rules import BreakthroughRules

__all__ = ["Layout", "bytes_needed", "layout_of"]

MOST_MIDDLE, MOST_COLUMNS = 16, 8
"""Squares in the middle, and columns; the blocks of more would not fit into any memory."""


class Layout(NamedTuple):
    """The numbers and tables by which positions of one board are found."""

    columns: int
    rows: int
    cap: int
    """Workers a side has at most."""
    ternary: np.ndarray
    """By the set of squares in the middle: the block's number as far as the mover makes it."""
    ternary_enemy: np.ndarray
    """The same for the enemy's squares, which are written from its own side."""
    slots: np.ndarray
    """By the number of a block: twice its place in the table, plus 1 if its mirror picture is
    what stands there; -1 where a side has too many workers."""
    own: np.ndarray
    """By place: the mover's squares in the middle."""
    enemy: np.ndarray
    homes: np.ndarray
    """All settings of the home rows, by rows still to go and then by workers."""
    first_home: np.ndarray
    """By rows to go: where its settings begin in ``homes``."""
    mirrored: np.ndarray
    """By setting of the home rows: its mirror picture."""
    counts: np.ndarray
    """By setting of the home rows: the workers on them."""
    to_go: np.ndarray
    """By setting of the home rows: the rows that its workers have to go."""

    @property
    def block_bits(self) -> int:
        """Positions in a block."""
        return 1 << (4 * self.columns)

    @property
    def words(self) -> int:
        """Words of 64 bits in the table."""
        return len(self.own) * self.block_bits // 64

    @property
    def last_level(self) -> int:
        """The rows that both sides together have to go at most: those of the first position."""
        filled = self.cap // self.columns
        return 2 * self.columns * sum(self.rows - 2 - row for row in range(filled))

    @property
    def positions(self) -> int:
        """How many positions the table stands for, either player to move."""
        homes = np.bincount(self.counts, minlength=self.cap + 1).cumsum()
        ways = 1
        for side in (self.own, self.enemy):
            ways = ways * homes[self.cap - np.bitwise_count(side).astype(np.int64)]
        # A block that is not its own picture stands for two.
        pictures = np.bincount(self.slots[self.slots >= 0] >> 1)
        return 2 * int((ways * pictures).sum())


def bytes_needed(game: BreakthroughRules) -> int:
    """The size of a game's table in memory and on disk."""
    middle, cap = (game.rows - 4) * game.columns, game.columns * game.filled
    blocks = sum(
        comb(middle, own) * comb(middle - own, enemy)
        for own in range(min(middle, cap) + 1)
        for enemy in range(min(middle - own, cap) + 1)
    )
    pairs = (blocks + 1) // 2  # a little more where blocks are their own mirror pictures
    return pairs * 2 ** (4 * game.columns) // 8 + 4 * 3**middle


def memory() -> int:
    """The bytes of this machine's memory; what cannot be known counts as plenty."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 1 << 62


def layout_of(game: BreakthroughRules) -> Layout:
    """The layout for a game; raises where it has none."""
    columns, rows = game.columns, game.rows
    middle = (rows - 4) * columns
    if game.workers > 1 or rows < 4:
        raise PetteiaError(f"{game}: only boards of at least 4 rows, one worker to win, are solved")
    needed, there = bytes_needed(game), memory()
    if middle > MOST_MIDDLE or columns > MOST_COLUMNS or needed > there:
        raise PetteiaError(
            f"{game} is too large to be solved here: its table takes {needed / 1e9:,.1f} GB, "
            f"and there are {there / 1e9:,.1f}"
        )
    cap = columns * game.filled
    size = 1 << middle
    ternary = np.zeros(size, np.int64)
    for square in range(middle):
        ternary[1 << square : 2 << square] = ternary[: 1 << square] + 3**square
    turned = np.array([_turn(side, columns, rows - 4) for side in range(size)], np.int64)
    slots, own, enemy = _blocks(columns, rows, cap, ternary, turned)
    homes = _homes(columns, rows)
    return Layout(
        columns, rows, cap, ternary, 2 * ternary[turned], slots, own, enemy, *homes,
    )  # fmt: skip


def _blocks(
    columns: int, rows: int, cap: int, ternary: np.ndarray, turned: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The places of the blocks, and the squares of both sides by place."""
    size = len(ternary)
    sides = np.arange(size, dtype=np.int64)
    fits = np.bitwise_count(sides) <= cap
    mirror = np.array([_mirror(side, columns, rows - 4) for side in range(size)], np.int64)
    slots = np.full(3 ** (size.bit_length() - 1), -1, np.int32)
    owns, enemies, at = [], [], 0
    for own in sides[fits]:
        there = sides[fits & ((turned & own) == 0)]  # the enemy's squares as it sees them
        numbers = ternary[own] + 2 * ternary[turned[there]]
        pictures = ternary[mirror[own]] + 2 * ternary[turned[mirror[there]]]
        kept = numbers <= pictures
        count = int(kept.sum())
        places = np.arange(at, at + count, dtype=np.int64)
        slots[pictures[kept]] = 2 * places + 1
        slots[numbers[kept]] = 2 * places  # its own picture stands as it is
        owns.append(np.full(count, own, np.int32))
        enemies.append(there[kept].astype(np.int32))
        at += count
    return slots, np.concatenate(owns), np.concatenate(enemies)


def _homes(columns: int, rows: int) -> tuple[np.ndarray, ...]:
    """The settings of the home rows in their order, and the last five tables of a layout."""
    settings = np.arange(1 << (2 * columns), dtype=np.int64)
    front = np.bitwise_count(settings >> columns).astype(np.int64)
    counts = np.bitwise_count(settings).astype(np.int64)
    to_go = (counts - front) * (rows - 2) + front * (rows - 3)
    homes = np.lexsort((counts, to_go)).astype(np.int64)
    first = np.searchsorted(to_go[homes], np.arange(int(to_go.max()) + 2)).astype(np.int64)
    mirrored = np.array([_mirror(int(each), columns, 2) for each in settings], np.int64)
    return homes, first, mirrored, counts, to_go


def _mirror(side: int, columns: int, rows: int) -> int:
    """Squares seen in a mirror: every row from right to left."""
    found = 0
    for row in range(rows):
        for column in range(columns):
            if side >> (row * columns + column) & 1:
                found |= 1 << (row * columns + columns - 1 - column)
    return found


def _turn(side: int, columns: int, rows: int) -> int:
    """Squares seen from the other end of the board."""
    row = (1 << columns) - 1
    return sum(
        ((side >> (r * columns)) & row) << ((rows - 1 - r) * columns) for r in range(max(0, rows))
    )
