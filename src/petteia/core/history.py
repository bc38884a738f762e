"""Rules that look back: the line of a game so far.

A position never carries its history. The code that plays keeps a ``Line``: the arena, the
terminal, the browser and the reader of records. A game whose rules look back names in
``repetitions`` how often a position may stand before the game is a draw, and in ``identity`` what
makes two positions the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from petteia.core.errors import PetteiaError
from petteia.core.face import Face
from petteia.core.record import Ply
from petteia.core.rules import Rules
from petteia.core.words import Words

__all__ = ["Line", "is_repeated", "repetition_text", "start_text"]

_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def is_repeated(game: Rules, earlier: Sequence[Words], p: Words) -> bool:
    """Whether a position, after those before it, is a draw by repetition."""
    if not game.repetitions:
        return False
    same = game.identity(p)
    times = 1
    for q in earlier:
        times += game.identity(q) == same
    return times >= game.repetitions


def repetition_text(game: Rules) -> str:
    """Why the game is a draw, for people."""
    times = game.repetitions
    return f"draw: the position stands for the {_ORDINALS.get(times, f'{times}th')} time"


def start_text(game: Face, p: Words) -> str:
    """A position from which a game begins, as lines and records write it."""
    return "start" if p == game.start() else game.text(p)


class Line:
    """What was played so far: plies, and the positions that they led to."""

    def __init__(self, game: Face, start: str = "start", p: Words | None = None) -> None:
        """``p`` is the position that ``start`` writes, where it is known already."""
        self.game = game
        self.start = start
        """``start``, or the text of the position from which it was played."""
        self.plies: list[Ply] = []
        self.positions: list[Words] = []
        """All positions, the one on the board included."""
        self._times: Counter[Words] = Counter()
        self.is_drawn = False
        """Whether the position on the board is a draw by repetition."""
        self.stand(_parsed(game, start) if p is None else p)

    def stand(self, p: Words) -> None:
        """The position on the board is ``p``; how it came there need not be known."""
        self.positions.append(p)
        if self.game.repetitions:
            same = self.game.identity(p)
            self._times[same] += 1
            self.is_drawn = self._times[same] >= self.game.repetitions

    def add(self, ply: Ply, p: Words) -> None:
        """A ply was played and led to ``p``."""
        self.plies.append(ply)
        self.stand(p)

    def back_to(self, number: int) -> list[Ply]:
        """Takes plies back until so many are left; gives those that were taken back."""
        if self.game.repetitions:
            self._times.subtract(self.game.identity(p) for p in self.positions[number + 1 :])
            same = self.game.identity(self.positions[number])
            self.is_drawn = self._times[same] >= self.game.repetitions
        taken = self.plies[number:]
        del self.plies[number:], self.positions[number + 1 :]
        return taken

    @property
    def p(self) -> Words:
        """The position on the board."""
        return self.positions[-1]

    @property
    def earlier(self) -> Sequence[Words]:
        """The positions before the one on the board; none where the rules never look back."""
        return self.positions[:-1] if self.game.repetitions else ()

    @property
    def is_told(self) -> bool:
        """Whether every position but the first has its ply."""
        return len(self.positions) == len(self.plies) + 1


def _parsed(game: Face, start: str) -> Words:
    try:
        return game.start() if start == "start" else game.parse(start)
    except PetteiaError as error:
        raise PetteiaError(f"start of the game: {error}") from None
