"""Checkers as its rules are printed: slow, short, and nothing to do with bitboards.

The rules in ``rules.py`` are compared with these. A position is a dictionary from (row, column),
counted from 0 at the top left, to ``b`` or ``w``, a capital for a king; Black stands at the top
and moves down. A move is the list of cells that a piece touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Cell", "ReferencePosition", "legal_moves", "play", "start", "taken_by"]

Cell = tuple[int, int]
Path = tuple[Cell, ...]

_FORWARD = {"b": 1, "w": -1}
_LAST_ROW = {"b": 7, "w": 0}


@dataclass(frozen=True)
class ReferencePosition:
    """Who stands where, and who is to move."""

    pieces: Mapping[Cell, str]
    mover: str
    """``b`` or ``w``."""

    @property
    def enemy(self) -> str:
        return "w" if self.mover == "b" else "b"


def start() -> ReferencePosition:
    """Twelve men a side on the dark squares of three rows; Black begins."""
    dark = [(r, c) for r in range(8) for c in range(8) if (r + c) % 2 == 1]
    pieces = {cell: "b" if cell[0] < 3 else "w" for cell in dark if cell[0] not in (3, 4)}
    return ReferencePosition(pieces, "b")


def _directions(piece: str) -> list[tuple[int, int]]:
    """Where a piece may go: men forward, kings every way; up left, up right, down left, right."""
    every = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    return [way for way in every if piece.isupper() or way[0] == _FORWARD[piece]]


def _is_free(position: ReferencePosition, cell: Cell) -> bool:
    return all(0 <= x < 8 for x in cell) and cell not in position.pieces


def _steps(position: ReferencePosition, cell: Cell) -> Iterator[Path]:
    for down, right in _directions(position.pieces[cell]):
        target = (cell[0] + down, cell[1] + right)
        if _is_free(position, target):
            yield (cell, target)


def _jumps(position: ReferencePosition, cell: Cell) -> Iterator[Path]:
    """Chains of jumps to their ends. A piece that is jumped leaves at once, and so cannot be
    jumped again; the piece itself moves on, so that the square it came from is free."""
    piece = position.pieces[cell]
    for down, right in _directions(piece):
        over = (cell[0] + down, cell[1] + right)
        target = (cell[0] + 2 * down, cell[1] + 2 * right)
        if position.pieces.get(over, "").lower() != position.enemy:
            continue
        if not _is_free(position, target):
            continue
        if piece.islower() and target[0] == _LAST_ROW[piece]:
            yield (cell, target)  # crowned: the move is over
            continue
        after = {at: who for at, who in position.pieces.items() if at not in (cell, over)}
        after[target] = piece
        on = list(_jumps(ReferencePosition(after, position.mover), target))
        for rest in on or [(target,)]:
            yield (cell, *rest)


def legal_moves(position: ReferencePosition) -> list[Path]:
    """All jumps, or all steps where nobody can jump. A circuit counts once for each direction."""
    own = sorted(at for at, who in position.pieces.items() if who.lower() == position.mover)
    jumps = [path for cell in own for path in _jumps(position, cell)]
    return jumps or [path for cell in own for path in _steps(position, cell)]


def taken_by(path: Path) -> list[Cell]:
    """The cells that a path jumps over."""
    return [((a + c) // 2, (b + d) // 2) for (a, b), (c, d) in pairwise(path) if abs(a - c) == 2]


def play(position: ReferencePosition, path: Path) -> ReferencePosition:
    """The position after a move; a man on the last row is a king."""
    gone = {path[0], *taken_by(path)}
    after = {cell: who for cell, who in position.pieces.items() if cell not in gone}
    piece = position.pieces[path[0]]
    after[path[-1]] = piece.upper() if path[-1][0] == _LAST_ROW[piece.lower()] else piece
    return ReferencePosition(after, position.enemy)
