"""The games of a match as files hold them."""

from __future__ import annotations

from dataclasses import dataclass, field

from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.rules.state import OPENING, TAKE, parts_of

__all__ = [
    "PlayedGame",
    "PlayedMatch",
    "Score",
    "Turn",
    "has_ended",
    "points_won",
    "score_after",
]

Score = tuple[int, int]


@dataclass(frozen=True)
class Turn:
    """What a player did."""

    player: int
    text: str
    """``31: 8/5 6/5``, ``Doubles => 2``, ``Takes``, ``Drops``, ``Beavers => 4``; a throw that is
    not played yet is ``31``."""


@dataclass
class PlayedGame:
    """One game of a match, or of a session for money."""

    line: int = 1
    """Where it begins in the file."""
    score: Score | None = None
    """Before the game; None if the file does not tell."""
    turns: list[Turn] = field(default_factory=list)
    points: int | None = None
    """What White won, less than 0 what Black won; None if it is unfinished, or not told."""
    is_crawford: bool | None = None
    """Whether it is the Crawford game; None if the file does not tell."""
    resigned: bool = False
    why: str = ""
    """Why it cannot be read."""


@dataclass
class PlayedMatch:
    """What a file holds: the games of two players."""

    names: tuple[str, str] = ("?", "?")
    length: int = 0
    """Points of the match, 0 for money."""
    games: list[PlayedGame] = field(default_factory=list)
    jacoby: bool | None = None
    """None if the file does not tell."""
    crawford: bool | None = None


def score_after(score: Score, points: int) -> Score:
    """The score after a game that brought White so many points."""
    return score[0] + max(points, 0), score[1] + max(-points, 0)


def has_ended(game: BackgammonFace, p: Words) -> bool:
    """Whether the move that led here ended a game; a match goes on with its next one."""
    return int(game.kind(p)) == TERMINAL or parts_of(p[4])["phase"] == OPENING


def points_won(game: BackgammonFace, p: Words, move: int) -> int:
    """What the move that ends a game brings White; the match may need less."""
    parts = parts_of(p[4])
    winner, worth = parts["mover"], 1
    if parts["phase"] == TAKE:
        winner = 1 - winner
    elif not game.jacoby or parts["level"]:
        worth = int(game.worth(game.moved(p, move), 1 - winner))
    points = worth << parts["level"]
    return points if winner == 0 else -points
