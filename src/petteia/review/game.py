"""A game looked at again: what every move lost, and what the dice gave.

For a throw, luck is the value of the best move with it less the value before it; a move loses the
difference between the best one's value and its own. With exact values a player's luck less what he
lost, less the same of the other, is the result less the value at the start.

Values are points where the judge's are, and else the result that its chance of winning means,
from -1 to 1: an evaluation's own units cannot be added to a win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from petteia import agents
from petteia.core.agent import Agent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, Game
from petteia.core.record import Record
from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.review.chances import chance_of, throw_chances
from petteia.review.outlook import outlook
from petteia.search.equilibrium import equilibrium_of
from petteia.search.values import is_decided

__all__ = [
    "Review",
    "ReviewedMove",
    "ReviewedThrow",
    "Reviewer",
    "agreement",
    "review",
    "usual_judge",
]

_Standing: TypeAlias = "tuple[float, float]"

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
    second_value: float | None
    """Of the second best move; None if it has none, or is the only one."""
    chance: float
    """To win, after the move played."""
    best_chance: float
    choices: int
    is_judged: bool
    """Whether the judge could tell the moves apart."""
    exact: bool
    """Whether the values are exact."""
    line: tuple[int, ...] = ()
    """How the best move goes on, as far as the judge says."""

    @property
    def loss(self) -> float:
        """What the move gave up."""
        lost = self.best_value - self.value
        return lost if lost > _SAME else 0.0

    @property
    def lost_chance(self) -> float:
        """What the move gave up of the chance to win."""
        return max(0.0, self.best_chance - self.chance) if self.loss else 0.0

    @property
    def standing(self) -> _Standing:
        """The value and the chance of player 0 before the move."""
        if self.player == 0:
            return self.best_value, self.best_chance
        return -self.best_value, 1 - self.best_chance


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
    first_chance: float
    """The chance of player 0 to win, before the throw."""

    @property
    def luck(self) -> float:
        """What the throw gave."""
        return self.after - self.before

    @property
    def standing(self) -> _Standing:
        """The value and the chance of player 0 before the throw."""
        return (self.before if self.player == 0 else -self.before), self.first_chance


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
        """What the dice gave a player in all throws of his own."""
        return sum(t.luck for t in self.throws if t.player == player)

    def lost(self, player: int) -> float:
        """What a player gave up in all moves of his own."""
        return sum(m.best_value - m.value for m in self.moves if m.player == player)


class Reviewer:
    """Looks at one ply after the other; ``judge_at`` names who judges at a position."""

    def __init__(self, game: Game, judge_at: Callable[[Words], Agent]) -> None:
        self.game, self.judge_at = game, judge_at
        self._known: dict[Words, tuple[MoveValue, ...]] = {}
        """The moves after the throws that were looked at last."""

    def throw(self, ply: int, p: Words, q: Words) -> ReviewedThrow:
        """A throw at p that led to q."""
        named = self.judge_at(q)
        judge = named.at_throws()
        seen = outlook(judge, p)
        moves = {throw.after: throw.moves for throw in seen.throws if throw.moves}
        self._known = moves if judge is named else {}
        known = throw_chances(judge, seen)
        number, throw = next((i, t) for i, t in enumerate(seen.throws) if t.after == q)
        if known is None:
            raise _no_values(judge)
        chances, mean = known
        values = (seen.value, throw.value) if judge.in_points else (None, None)
        before, after = (
            2 * chance - 1 if value is None else value
            for value, chance in zip(values, (mean, chances[number]), strict=True)
        )
        sign = 1 if seen.mover == 0 else -1
        return ReviewedThrow(
            ply, seen.mover, p, throw.outcome, throw.chance, sign * before, sign * after,
            sign * (chances[number] - mean), mean,
        )  # fmt: skip

    def move(self, ply: int, p: Words, q: Words) -> ReviewedMove:
        """A move at p that led to q."""
        judge = self.judge_at(p)
        known = self._known.get(p) or judge.values(p)
        best = known[0]
        played = next(each for each in known if self.game.play(p, each.move) == q)
        player = int(self.game.mover(p))
        if played.value is None:
            played = replace(played, value=self._value_after(judge, q, player))
        (value, chance), (best_value, best_chance) = (
            _worth(judge, p, each.value) for each in (played, best)
        )
        second = known[1].value if len(known) > 1 else None
        second_value = None if second is None else _worth(judge, p, second)[0]
        return ReviewedMove(
            ply, player, p, played.move, best.move, value, best_value, second_value, chance,
            best_chance, len(known), not _is_blind_at(judge, known), judge.knows(p),
            best.line or (best.move,),
        )  # fmt: skip

    def both(self, ply: int, p: Words, texts: Sequence[str]) -> list[ReviewedMove]:
        """The moves of both, each against the other's best strategy."""
        judge = self.judge_at(p)
        found = equilibrium_of(judge.choose(p))
        if found is None:
            raise _no_values(judge)
        reviewed = []
        for side, text in enumerate(texts):
            names = found.names[side]
            best = names[int(np.argmax(found.shares[side]))]
            worth = (float(found.against[side][names.index(text)]), found.value * (1, -1)[side])
            (value, chance), (best_value, best_chance) = (_worth(judge, p, each) for each in worth)
            moves = [self.game.parse_move(p, each, side) for each in (text, best)]
            reviewed.append(
                ReviewedMove(
                    ply, side, p, moves[0], moves[1], value, best_value, None, chance, best_chance,
                    len(names), not judge.sees_only_ends or judge.in_points, exact=False,
                )
            )  # fmt: skip
        return reviewed

    def _value_after(self, judge: Agent, q: Words, player: int) -> float | None:
        """What the judge says after a move that it left out, having seen a win before."""
        if self.game.kind(q) != DECISION:
            return None
        value = judge.values(q)[0].value
        return -value if value is not None and int(self.game.mover(q)) != player else value


def _worth(judge: Agent, p: Words, value: float | None) -> tuple[float, float]:
    """A judge's value as points or a result, and the chance of winning that it means."""
    if value is None:
        raise _no_values(judge)
    chance = chance_of(judge, p, value)
    return value if judge.in_points else 2 * chance - 1, chance


def _is_blind_at(judge: Agent, known: Sequence[MoveValue]) -> bool:
    """Whether a judge without an evaluation saw no end from here: then all moves are alike."""
    return judge.sees_only_ends and not any(
        each.value is not None and is_decided(each.value) for each in known
    )


def _no_values(judge: Agent) -> PetteiaError:
    return PetteiaError(f"agent {judge} gives no values, so it cannot review a game")


def review(game: Game, played: Record, judge: Agent) -> Review:
    """Looks at every ply with the values of the judge."""
    reviewer = Reviewer(game, lambda _: judge)
    moves, throws, course = list[ReviewedMove](), list[ReviewedThrow](), list[_Standing]()
    line = replay(played, game)
    for ply, (p, q) in enumerate(pairwise(line)):
        kind = game.kind(p)
        if kind == CHANCE:
            throws.append(reviewer.throw(ply, p, q))
            course.append(throws[-1].standing)
            continue
        both = kind == SIMULTANEOUS
        seen = (
            reviewer.both(ply, p, played.plies[ply].texts) if both else [reviewer.move(ply, p, q)]
        )
        moves += seen
        course.append(seen[0].standing)
    if played.result is not None:
        won = 0.5 if played.result == 0 else float(played.result > 0)
        course.append((played.result, won))
    choices = [move for move in moves if move.choices > 1]
    if choices and not any(move.is_judged for move in choices):
        raise PetteiaError(
            f"agent {judge} has no evaluation and saw no end of the game, so it can tell no move "
            f"from another; name an evaluation (eval=...) or a judge that needs none, such as mcts"
        )
    return Review(
        tuple(moves), tuple(throws), tuple(value for value, _ in course),
        tuple(chance for _, chance in course),
    )  # fmt: skip


def usual_judge(game: Game) -> str:
    """Who judges where nobody is named: whom the game names, its usual agent, or where that one
    would have no evaluation to judge by, one that needs none."""
    if game.default_judge:
        return game.default_judge
    usual = agents.usual(game)
    if not agents.make(usual, game).sees_only_ends:
        return usual
    return next((offer.judge for offer in agents.offers(game) if offer.judge), usual)


def agreement(
    found: Review, others: Sequence[Agent]
) -> Iterator[tuple[Agent, tuple[float, float]]]:
    """How often each agent would have played what each player did, where there was a choice."""
    for agent in others:
        shares = []
        for player in (0, 1):
            moves = [m for m in found.moves if m.player == player and m.choices > 1]
            same = sum(
                agent.choose(m.position, seed=m.ply, player=player).move == m.move for m in moves
            )
            shares.append(same / max(1, len(moves)))
        yield agent, (shares[0], shares[1])
