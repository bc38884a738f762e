"""A game looked at again: what every move lost, and what the dice gave.

For a throw, luck is the value of the best move with it less the value before it; for a move, skill
is its value less that of the best one. Taken for one player, and with exact values, all luck and
all skill add up to the result less the value at the start.

Values are points where the judge's are, and else the result that its chance of winning means,
from -1 to 1: an evaluation's own units cannot be added to a win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from petteia.core import record
from petteia.core.agent import Agent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.record import Record
from petteia.core.words import Words
from petteia.review.chances import chance_of, throw_chances
from petteia.review.outlook import outlook
from petteia.search.values import is_decided

__all__ = ["Review", "ReviewedMove", "ReviewedThrow", "agreement", "review"]

_SAME = 1e-4
"""Losses below this are ties that rounding has parted."""


@dataclass(frozen=True)
class ReviewedMove:
    """A decision of the game."""

    ply: int
    player: int
    position: Words
    move: int
    best: int
    value: float
    """Of the move played, for its player."""
    best_value: float
    chance: float
    """To win, after the move played."""
    best_chance: float
    choices: int
    is_judged: bool
    """Whether the judge could tell the moves apart."""

    @property
    def loss(self) -> float:
        """What the move gave up."""
        lost = self.best_value - self.value
        return lost if lost > _SAME else 0.0

    @property
    def lost_chance(self) -> float:
        """What the move gave up of the chance to win."""
        return max(0.0, self.best_chance - self.chance) if self.loss else 0.0


@dataclass(frozen=True)
class ReviewedThrow:
    """A throw of the dice."""

    ply: int
    player: int
    position: Words
    outcome: int
    chance: float
    """How probable the outcome was."""
    before: float
    """The value before the throw, for the player who threw."""
    after: float
    """With the best move after it."""
    gained_chance: float
    """What the throw changed in the chance to win of the player who threw."""

    @property
    def luck(self) -> float:
        """What the throw gave."""
        return self.after - self.before


@dataclass(frozen=True)
class Review:
    """A whole game."""

    moves: tuple[ReviewedMove, ...]
    throws: tuple[ReviewedThrow, ...]
    course: tuple[float, ...]
    """The value for player 0 at every position, the last included."""
    chances: tuple[float, ...]
    """The chance of player 0 to win there."""

    def of(self, player: int) -> tuple[list[ReviewedMove], list[ReviewedThrow]]:
        """The moves with a choice that could be judged, and the throws of a player."""
        moves = [m for m in self.moves if m.player == player and m.choices > 1 and m.is_judged]
        return moves, [t for t in self.throws if t.player == player]

    def luck(self, player: int) -> float:
        """All luck, for a player: the own less the opponent's."""
        return sum(t.luck if t.player == player else -t.luck for t in self.throws)

    def skill(self, player: int) -> float:
        """All skill, for a player: the own less the opponent's."""
        return sum((m.value - m.best_value) * (1 if m.player == player else -1) for m in self.moves)


class _Reviewer:
    """Looks at one ply after the other."""

    def __init__(self, game: Game, judge: Agent) -> None:
        self.game, self.judge = game, judge
        self.moves: list[ReviewedMove] = []
        self.throws: list[ReviewedThrow] = []
        self.course: list[float] = []
        self.chances: list[float] = []

    def throw(self, ply: int, p: Words, q: Words) -> None:
        """A throw at p that led to q."""
        seen = outlook(self.judge, p)
        known = throw_chances(self.judge, seen)
        number, throw = next((i, t) for i, t in enumerate(seen.throws) if t.after == q)
        if known is None:
            raise self._no_values()
        chances, mean = known
        values = (seen.value, throw.value) if self.judge.in_points else (None, None)
        before, after = (
            2 * chance - 1 if value is None else value
            for value, chance in zip(values, (mean, chances[number]), strict=True)
        )
        sign = 1 if seen.mover == 0 else -1
        self.throws.append(
            ReviewedThrow(
                ply, seen.mover, p, throw.outcome, throw.chance, sign * before, sign * after,
                sign * (chances[number] - mean),
            )
        )  # fmt: skip
        self._at(before, mean)

    def move(self, ply: int, p: Words, q: Words) -> None:
        """A move at p that led to q."""
        known = self.judge.values(p)
        best = known[0]
        played = next(each for each in known if self.game.play(p, each.move) == q)
        player = int(self.game.mover(p))
        if played.value is None:
            played = replace(played, value=self._value_after(q, player))
        worth = [self._worth(p, each) for each in (played, best)]
        (value, chance), (best_value, best_chance) = worth
        self.moves.append(
            ReviewedMove(
                ply, player, p, played.move, best.move, value, best_value, chance, best_chance,
                len(known), not self._is_blind_at(known),
            )
        )  # fmt: skip
        if player == 0:
            self._at(best_value, best_chance)
        else:
            self._at(-best_value, 1 - best_chance)

    def _worth(self, p: Words, each: MoveValue) -> tuple[float, float]:
        if each.value is None:
            raise self._no_values()
        chance = chance_of(self.judge, p, each.value)
        return each.value if self.judge.in_points else 2 * chance - 1, chance

    def _value_after(self, q: Words, player: int) -> float | None:
        """What the judge says after a move that it left out, having seen a win before."""
        if self.game.kind(q) != DECISION:
            return None
        value = self.judge.values(q)[0].value
        return -value if value is not None and int(self.game.mover(q)) != player else value

    def _is_blind_at(self, known: Sequence[MoveValue]) -> bool:
        """Whether a judge without an evaluation saw no end from here: then all moves are alike."""
        return self.judge.sees_only_ends and not any(
            each.value is not None and is_decided(each.value) for each in known
        )

    def _at(self, value: float, chance: float) -> None:
        self.course.append(value)
        self.chances.append(chance)

    def _no_values(self) -> PetteiaError:
        return PetteiaError(f"agent {self.judge} gives no values, so it cannot review a game")


def review(game: Game, played: Record, judge: Agent) -> Review:
    """Looks at every ply with the values of the judge."""
    if game.has_simultaneous:
        raise PetteiaError(f"{game.spec.name} has simultaneous moves, which cannot be reviewed yet")
    reviewer = _Reviewer(game, judge)
    for ply, (p, q) in enumerate(pairwise(record.replay(played, game))):
        if game.kind(p) == CHANCE:
            reviewer.throw(ply, p, q)
        elif game.kind(p) == DECISION:
            reviewer.move(ply, p, q)
    if played.result is not None:
        won = 0.5 if played.result == 0 else float(played.result > 0)
        reviewer.course.append(played.result)
        reviewer.chances.append(won)
    found = Review(
        tuple(reviewer.moves), tuple(reviewer.throws), tuple(reviewer.course),
        tuple(reviewer.chances),
    )  # fmt: skip
    choices = [move for move in found.moves if move.choices > 1]
    if choices and not any(move.is_judged for move in choices):
        raise PetteiaError(
            f"agent {judge} has no evaluation and saw no end of the game, so it can tell no move "
            f"from another; name an evaluation (eval=...) or a judge that needs none, such as mcts"
        )
    return found


def agreement(
    found: Review, others: Sequence[Agent]
) -> Iterator[tuple[Agent, tuple[float, float]]]:
    """How often each agent would have played what each player did, where there was a choice."""
    for agent in others:
        shares = []
        for player in (0, 1):
            moves = [m for m in found.moves if m.player == player and m.choices > 1]
            same = sum(agent.choose(m.position, seed=m.ply).move == m.move for m in moves)
            shares.append(same / max(1, len(moves)))
        yield agent, (shares[0], shares[1])
