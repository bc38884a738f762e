"""The classes of errors and of luck, by the chance of winning that they changed."""

from __future__ import annotations

from dataclasses import dataclass

from petteia.core.game import Game

__all__ = ["Mark", "Marks", "marks_of"]


@dataclass(frozen=True)
class Mark:
    """A class of moves or throws."""

    name: str
    sign: str
    from_: float
    """The least change of the chance of winning that belongs to it."""


@dataclass(frozen=True)
class Marks:
    """The classes of a game, the gravest first."""

    errors: tuple[Mark, ...]
    lucky: tuple[Mark, ...]
    unlucky: tuple[Mark, ...]

    def of_loss(self, lost: float) -> str:
        """The sign of a move that lost so much of its player's chance; empty where it is good."""
        return _sign(self.errors, lost)

    def of_luck(self, luck: float) -> str:
        """The sign of a throw that changed its thrower's chance by so much."""
        return _sign(self.lucky, luck) or _sign(self.unlucky, -luck)

    def as_json(self) -> dict[str, object]:
        """For a page: the errors, and the least luck that is told."""
        listed = [{"name": e.name, "sign": e.sign, "from": e.from_} for e in self.errors]
        return {"errors": listed, "luck": self.lucky[-1].from_}


def _sign(marks: tuple[Mark, ...], size: float) -> str:
    return next((mark.sign for mark in marks if size >= mark.from_), "")


def _marks(inaccuracy: float, mistake: float, blunder: float) -> Marks:
    errors = (
        ("blunder", "??", blunder),
        ("mistake", "?", mistake),
        ("inaccuracy", "?!", inaccuracy),
    )
    lucky = (("very lucky", "!!", 0.07), ("lucky", "!", 0.04))
    unlucky = (("very unlucky", "~~", 0.07), ("unlucky", "~", 0.04))
    return Marks(*(tuple(Mark(*each) for each in some) for some in (errors, lucky, unlucky)))


# Where dice decide much, a move decides little: GNU Backgammon calls moves that lose 0.04, 0.08 and
# 0.16 points of a game doubtful, bad and very bad, of 2 points between a win and a loss. Without
# dice one move can lose the game, and the chances are rougher estimates.
_WITH_DICE = _marks(0.02, 0.04, 0.08)
_WITHOUT = _marks(0.05, 0.10, 0.20)


def marks_of(game: Game) -> Marks:
    """The classes by which moves and throws of a game are marked, wherever it is reviewed."""
    return _WITH_DICE if game.has_chance else _WITHOUT
