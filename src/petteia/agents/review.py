"""A game looked at again: what every move lost, and what the dice gave.

For a throw, luck is the value of the best move with it less the value before it; for a move, skill
is its value less that of the best one. Taken for one player, and with exact values, all luck and
all skill add up to the result less the value at the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from petteia.agents.outlook import outlook
from petteia.core import record
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.record import Record
from petteia.core.words import Words

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
    choices: int

    @property
    def loss(self) -> float:
        """What the move gave up."""
        lost = self.best_value - self.value
        return lost if lost > _SAME else 0.0


@dataclass(frozen=True)
class ReviewedThrow:
    """A throw of the dice."""

    ply: int
    player: int
    position: Words
    outcome: int
    chance: float
    before: float
    """The value before the throw, for the player who threw."""
    after: float
    """With the best move after it."""

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

    def of(self, player: int) -> tuple[list[ReviewedMove], list[ReviewedThrow]]:
        """The moves with a choice and the throws of a player."""
        moves = [m for m in self.moves if m.player == player and m.choices > 1]
        return moves, [t for t in self.throws if t.player == player]

    def luck(self, player: int) -> float:
        """All luck, for a player: the own less the opponent's."""
        return sum(t.luck if t.player == player else -t.luck for t in self.throws)

    def skill(self, player: int) -> float:
        """All skill, for a player: the own less the opponent's."""
        return sum((m.value - m.best_value) * (1 if m.player == player else -1) for m in self.moves)


def review(game: Game, played: Record, judge: Agent) -> Review:
    """Looks at every ply with the values of the judge."""
    if game.has_simultaneous:
        raise PetteiaError(f"{game.spec.name} has simultaneous moves, which cannot be reviewed yet")
    moves, throws, course = [], [], list[float]()
    line = record.replay(played, game)
    for ply, (p, q) in enumerate(pairwise(line)):
        if game.kind(p) == CHANCE:
            seen = outlook(judge, p)
            (throw,) = [t for t in seen.throws if t.after == q]
            before, after = seen.for_mover(seen.value), seen.for_mover(throw.value)
            if before is None or after is None:
                raise PetteiaError(f"agent {judge} gives no values, so it cannot review a game")
            throws.append(
                ReviewedThrow(ply, seen.mover, p, throw.outcome, throw.chance, before, after)
            )
            course.append(before if seen.mover == 0 else -before)
        elif game.kind(p) == DECISION:
            done = _judged(game, judge, p, q, ply)
            moves.append(done)
            course.append(done.best_value if done.player == 0 else -done.best_value)
    if played.result is not None:
        course.append(played.result)
    return Review(tuple(moves), tuple(throws), tuple(course))


def _judged(game: Game, judge: Agent, p: Words, q: Words, ply: int) -> ReviewedMove:
    values = {each.move: each.value for each in judge.values(p)}
    played = next(move for move in values if game.play(p, move) == q)
    value, best = values[played], next(iter(values))
    best_value = values[best]
    if value is None or best_value is None:
        raise PetteiaError(f"agent {judge} gives no values, so it cannot review a game")
    return ReviewedMove(ply, int(game.mover(p)), p, played, best, value, best_value, len(values))


def agreement(
    found: Review, others: Sequence[Agent]
) -> Iterator[tuple[Agent, tuple[float, float]]]:
    """How often each agent would have played what each player did, where there was a choice."""
    for agent in others:
        shares = []
        for player in (0, 1):
            moves, _ = found.of(player)
            same = sum(agent.choose(m.position, seed=m.ply).move == m.move for m in moves)
            shares.append(same / max(1, len(moves)))
        yield agent, (shares[0], shares[1])
