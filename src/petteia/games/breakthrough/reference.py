"""Breakthrough as its rules are printed: slow, short, and nothing to do with bitboards.

The rules in ``rules.py`` are compared with these. A position is a dictionary from the names of
squares to ``w`` (player 0, at the bottom, moving up) or ``b``; a move is a text such as ``a2a3``,
or ``a2xb3`` where it captures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["ReferencePosition", "ReferenceRules"]

_COLUMNS = "abcdefghijklmnopqrstuvw"  # 21 columns at most, so no column is called x


@dataclass(frozen=True)
class ReferencePosition:
    """Who stands where, and who is to move."""

    pieces: Mapping[str, str]
    """The occupied squares with ``w`` or ``b``."""
    mover: str
    """``w`` or ``b``."""
    enemy: str = field(init=False)
    """The other one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "enemy", "b" if self.mover == "w" else "w")


@dataclass(frozen=True)
class ReferenceRules:
    """The parameters of a game, and its rules."""

    columns: int = 8
    rows: int = 8
    filled: int = 2
    """Home rows that each player fills."""
    workers: int = 1
    """Workers that must arrive."""
    first: int = 0
    """The player who starts."""

    def square(self, column: int, row: int) -> str | None:
        """The name of a square, column and row counted from 1; None outside the board."""
        if 1 <= column <= self.columns and 1 <= row <= self.rows:
            return f"{_COLUMNS[column - 1]}{row}"
        return None

    def start(self) -> ReferencePosition:
        """Each player fills its home rows completely."""
        pieces = {}
        for column in range(1, self.columns + 1):
            for row in range(1, self.rows + 1):
                name = self.square(column, row)
                assert name is not None
                if row <= self.filled:
                    pieces[name] = "w"
                if row > self.rows - self.filled:
                    pieces[name] = "b"
        return ReferencePosition(pieces, "wb"[self.first])

    def steps(self, position: ReferencePosition) -> Iterator[str]:
        """What the mover's workers can do, whether or not the game is over.

        One square straight ahead if it is empty; one diagonally ahead if it is empty or holds an
        enemy, who is captured.
        """
        forward = 1 if position.mover == "w" else -1
        for source, owner in position.pieces.items():
            if owner != position.mover:
                continue
            column, row = _COLUMNS.index(source[0]) + 1, int(source[1:])
            for aside in (-1, 0, 1):
                target = self.square(column + aside, row + forward)
                if target is None:
                    continue
                if target not in position.pieces:
                    yield f"{source}{target}"
                elif position.pieces[target] == position.enemy and aside != 0:
                    yield f"{source}x{target}"

    def arrived(self, position: ReferencePosition, player: str) -> int:
        """How many workers of a player stand on the enemy's home row."""
        goal = str(self.rows) if player == "w" else "1"
        return sum(
            owner == player and square[1:] == goal for square, owner in position.pieces.items()
        )

    def left(self, position: ReferencePosition, player: str) -> int:
        """How many workers a player has left."""
        return sum(owner == player for owner in position.pieces.values())

    def winner(self, position: ReferencePosition) -> str | None:
        """``w`` or ``b`` when the game is over.

        A player wins with enough workers on the enemy's home row, or when the enemy has too few
        workers left to bring there. Who is to move and cannot loses.
        """
        for player, other in ("wb", "bw"):
            if self.arrived(position, player) >= self.workers:
                return player
            if self.left(position, other) < self.workers:
                return player
        if next(self.steps(position), None) is None:
            return position.enemy
        return None

    def legal_moves(self, position: ReferencePosition) -> list[str]:
        """The moves of the player to move; none when the game is over."""
        return [] if self.winner(position) else list(self.steps(position))

    def play(self, position: ReferencePosition, move: str) -> ReferencePosition:
        """The position after a legal move."""
        if move not in self.legal_moves(position):
            raise ValueError(f"{move} is not legal here")
        source, target = re.findall(r"[a-z]\d+", move.replace("x", " "))
        pieces = dict(position.pieces)
        pieces[target] = pieces.pop(source)
        return ReferencePosition(pieces, position.enemy)
