"""The rules of a game in half a minute: its aim, its moves in small pictures, some exercises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petteia.core.errors import PetteiaError
from petteia.core.rules import DECISION, SIMULTANEOUS, TERMINAL
from petteia.core.view import Action, View
from petteia.core.words import Words

if TYPE_CHECKING:
    from petteia.core.game import Game

__all__ = [
    "Exercise", "Goal", "Lesson", "Played", "Rule", "keeps", "safe", "stands", "takes", "wins",
]  # fmt: skip


@dataclass(frozen=True)
class Played:
    """What a move of an exercise led to."""

    game: Game
    player: int
    action: Action
    before: View
    position: Words

    @property
    def after(self) -> View:
        """The picture after the move."""
        return self.game.view(self.position)


Goal = Callable[[Played], bool]
"""Whether a move did what an exercise asks for."""


@dataclass(frozen=True)
class Rule:
    """A rule, and a picture of it."""

    text: str
    position: str
    moves: tuple[str, ...] = ()
    """Moves of the position that the picture shows as arrows."""
    game: str = ""
    """The spec of the game in the picture, if it is another: a small board shows a rule best."""


@dataclass(frozen=True)
class Exercise:
    """A position in which one move does what the task says."""

    task: str
    position: str
    goal: Goal
    praise: str
    """What to say when it is done."""
    answer: str = ""
    """Where both choose: what the other player chooses meanwhile."""
    game: str = ""

    def player(self, game: Game) -> int:
        """Whose move it is; where both choose, the first player's."""
        p = game.parse(self.position)
        return int(game.mover(p)) if game.kind(p) == DECISION else 0

    def played(self, game: Game, text: str) -> Played:
        """What a move leads to; refused if it is not legal."""
        p, player = game.parse(self.position), self.player(game)
        both = game.kind(p) == SIMULTANEOUS
        move = game.parse_move(p, text, player if both else None)
        if both:
            after = game.play_both(p, move, game.parse_move(p, self.answer, 1))
        else:
            after = game.play(p, move)
        name, view = game.move_text(p, move), game.view(p)
        ways = (a for a in view.actions if a.move == name and a.player in (None, player))
        return Played(game, player, next(ways, Action(name)), view, after)

    def is_solved(self, game: Game, text: str) -> bool:
        """Whether a move does what is asked for."""
        return self.goal(self.played(game, text))


@dataclass(frozen=True)
class Lesson:
    """What a newcomer should know."""

    aim: str
    rules: tuple[Rule, ...]
    exercises: tuple[Exercise, ...]

    def exercise(self, number: int) -> Exercise:
        """One of the exercises, the first is 0."""
        if not 0 <= number < len(self.exercises):
            raise PetteiaError(f"there are exercises 0 to {len(self.exercises) - 1}, not {number}")
        return self.exercises[number]


# --- goals ---------------------------------------------------------------------------------------


def wins(played: Played) -> bool:
    """The move wins the game."""
    game, p = played.game, played.position
    if game.kind(p) != TERMINAL:
        return False
    points = float(game.result(p))
    return (points if played.player == 0 else -points) > 0


def _pieces(view: View, player: int) -> int:
    return sum(piece.count for piece in view.pieces if piece.owner == player)


def takes(count: int) -> Goal:
    """The move takes so many enemy pieces, or sends them back."""

    def goal(played: Played) -> bool:
        enemy = 1 - played.player
        lost = _pieces(played.before, enemy) - _pieces(played.after, enemy)
        return max(lost, len(played.action.captures)) >= count

    return goal


def keeps(played: Played) -> bool:
    """The player has as many pieces as before."""
    return _pieces(played.after, played.player) >= _pieces(played.before, played.player)


def safe(played: Played) -> bool:
    """No answer takes a piece."""
    return not any(action.captures for action in played.after.actions)


def stands(cell: str, count: int = 1, kind: str = "") -> Goal:
    """After the move the player has so many pieces, perhaps of a kind, on a cell; without a name
    anywhere."""

    def goal(played: Played) -> bool:
        own = [x for x in played.after.pieces if x.owner == played.player and cell in ("", x.cell)]
        return sum(x.count for x in own if kind in ("", x.kind)) >= count

    return goal
