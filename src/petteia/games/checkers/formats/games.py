"""What a PDN file holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from petteia.core.words import Words
from petteia.games.checkers.face import CheckersFace

__all__ = ["ENGLISH", "RESULTS", "PdnGame", "PdnMove"]

ENGLISH = "21"
"""The number of English checkers in the tag ``GameType``."""
RESULTS = {
    "1-0": -1.0, "0-1": 1.0, "1/2-1/2": 0.0, "1/2": 0.0, "½-½": 0.0, "0.5-0.5": 0.0,
    "2-0": -1.0, "0-2": 1.0, "1-1": 0.0, "0-0": None, "*": None,
}  # fmt: skip
"""The points of player 0, Black, when the first figure is White's, as the tag is defined; 0-0 is
a game that both lost, and is kept as one without a result."""


@dataclass
class PdnMove:
    """A move with what was said about it."""

    move: int
    text: str
    """As the rules write it."""
    comment: str = ""
    variations: list[list[PdnMove]] = field(default_factory=list)
    """Lines that could have been played instead of this move."""
    mark: str = ""
    """Signs after the move: ``!``, ``?!``, ``*`` for a forced one, numbered signs as ``$4``."""


@dataclass
class PdnGame:
    """A game with its tags."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[PdnMove] = field(default_factory=list)
    comment: str = ""
    """What stands before the first move."""
    result: float | None = None
    """The points of player 0 (Black), None while it is not known."""
    warnings: list[str] = field(default_factory=list)
    """Where the text contradicts itself."""
    contradiction: str = ""
    """How the final position contradicts the result."""
    line: int = 1
    """Where it begins in the text."""

    def start(self, game: CheckersFace) -> Words:
        """Where the game began."""
        return game.parse(self.tags["FEN"]) if "FEN" in self.tags else game.start()

    def positions(self, game: CheckersFace) -> list[Words]:
        """The positions from the start to the end of the main line."""
        line = [self.start(game)]
        for each in self.moves:
            line.append(game.play(line[-1], each.move))
        return line
