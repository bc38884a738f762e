"""The squares that a move passes: moves know their ends and captures, people want the way."""

from __future__ import annotations

from collections.abc import Iterator

from petteia.core.words import Words
from petteia.games.checkers.rules import CheckersRules
from petteia.games.checkers.rules.board import LAND, OVER, number_of

__all__ = ["Way", "captures_of", "ends_of", "way_of", "ways_of"]

Way = tuple[int, ...]
"""The numbers of the squares that a piece touches, from the first to the last."""

_TAKEN = (1 << 36) - 1


def ends_of(move: int) -> tuple[int, int]:
    """The squares on which a move starts and ends."""
    return number_of(move & 63), number_of(move >> 6 & 63)


def captures_of(move: int) -> list[int]:
    """The squares whose pieces a move takes."""
    taken = move >> 12 & _TAKEN
    return [number_of(bit) for bit in range(35) if taken >> bit & 1]


def ways_of(game: CheckersRules, p: Words, move: int) -> list[Way]:
    """Every way to make the same captures between the same squares, in the rules' order."""
    start, end = ends_of(move)
    taken = move >> 12 & _TAKEN
    if not taken:
        return [(start, end)]
    first = move & 63
    is_king = bool(int(p[2]) >> first & 1)
    ways = (0, 1, 2, 3) if is_king else (2, 3) if game.mover(p) == 0 else (0, 1)
    empty = ~(int(p[0]) | int(p[1])) | 1 << first

    def jumps(bit: int, left: int) -> Iterator[Way]:
        if not left:
            if bit == move >> 6 & 63:
                yield (number_of(bit),)
            return
        for way in ways:
            over, land = int(OVER[bit, way]), int(LAND[bit, way])
            if over & left and land & empty:
                for rest in jumps(land.bit_length() - 1, left ^ over):
                    yield (number_of(bit), *rest)

    return list(jumps(first, taken))


def way_of(game: CheckersRules, p: Words, move: int) -> Way:
    """The squares that this move passes; the first way where several count as one move."""
    return ways_of(game, p, move)[move >> 48]
