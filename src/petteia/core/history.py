"""Rules that look back: the line of a game so far.

A position never carries its history. Whoever plays keeps a ``Line``: the arena, the terminal, the
browser and the reader of records. A game whose rules look back names in ``repetitions`` how often
a position may stand before the game is a draw, and in ``identity`` what makes two positions the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from petteia.core.words import Words

if TYPE_CHECKING:
    from petteia.core.game import Game
    from petteia.core.record import Ply

__all__ = ["Line", "is_repeated", "repetition_text"]

_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def is_repeated(game: Game, earlier: Sequence[Words], p: Words) -> bool:
    """Whether a position, after those before it, is a draw by repetition."""
    if not game.repetitions:
        return False
    same = game.identity(p)
    times = 1
    for q in earlier:
        times += game.identity(q) == same
    return times >= game.repetitions


def repetition_text(game: Game) -> str:
    """Why the game is a draw, for people."""
    times = game.repetitions
    return f"draw: the position stands for the {_ORDINALS.get(times, f'{times}th')} time"


class Line:
    """What was played so far: plies always, positions where the rules look back."""

    def __init__(self, game: Game, start: str = "start", p: Words | None = None) -> None:
        self.game = game
        self.start = start
        """``start``, or the text of the position from which it was played."""
        self.plies: list[Ply] = []
        self.positions: list[Words] = []
        """All positions, the one on the board included; empty where the rules never look back."""
        self._times: Counter[Words] = Counter()
        self._is_drawn = False
        self.stand(game.start() if p is None else p)

    def stand(self, p: Words) -> None:
        """The position on the board is ``p``."""
        if self.game.repetitions:
            self.positions.append(p)
            same = self.game.identity(p)
            self._times[same] += 1
            self._is_drawn = self._times[same] >= self.game.repetitions

    def add(self, ply: Ply, p: Words) -> None:
        """A ply was played and led to ``p``."""
        self.plies.append(ply)
        self.stand(p)

    def extend(self, plies: Iterable[Ply], positions: Iterable[Words]) -> None:
        """Several plies with the position after each."""
        for ply, p in zip(plies, positions, strict=True):
            self.add(ply, p)

    @property
    def earlier(self) -> Sequence[Words]:
        """The positions before the one on the board."""
        return self.positions[:-1]

    @property
    def is_drawn(self) -> bool:
        """Whether the position on the board is a draw by repetition."""
        return self._is_drawn
