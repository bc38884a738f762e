"""How well somebody played, as one number: what a decision lost on average.

Losses are measured by the stake, so that errors at different cubes and scores can be added: in
backgammon the unit is a point of a game for money (EMG), and rates are in thousandths of it. As GNU
Backgammon counts, decisions that go without saying are left out of the mean, and Snowie's rate
divides by the turns of both players.
"""

from __future__ import annotations

from dataclasses import dataclass

from petteia.core.agent import Agent
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.review.game import Review, ReviewedMove

__all__ = ["Rates", "counted_loss", "rates_of"]


@dataclass(frozen=True)
class Rates:
    """Sums over games, of one player."""

    decisions: int = 0
    lost: float = 0.0
    """By all of them, in stakes."""
    turns: int = 0
    """Of both players."""
    throws: int = 0
    luck: float = 0.0
    """Of all of them, in stakes."""

    def __add__(self, other: Rates) -> Rates:
        return Rates(
            self.decisions + other.decisions, self.lost + other.lost, self.turns + other.turns,
            self.throws + other.throws, self.luck + other.luck,
        )  # fmt: skip

    @property
    def error_rate(self) -> float | None:
        """Lost by a decision, in thousandths."""
        return 1000 * self.lost / self.decisions if self.decisions else None

    @property
    def snowie_rate(self) -> float | None:
        """Lost by a turn of either player, in thousandths; None without dice."""
        return 1000 * self.lost / self.turns if self.turns else None

    @property
    def luck_rate(self) -> float | None:
        """Gained by a throw, in thousandths; None without dice."""
        return 1000 * self.luck / self.throws if self.throws else None


def rates_of(game: Game, judge: Agent, found: Review, player: int) -> Rates:
    """The rates of a player in one game."""
    moves, throws = found.of(player)
    lost = [loss for m in moves if (loss := counted_loss(game, judge, m)) is not None]
    luck = sum(_in_stakes(game, judge, t.luck, t.position) for t in throws)
    return Rates(len(lost), sum(lost), len(found.throws), len(throws), luck)


def counted_loss(game: Game, judge: Agent, move: ReviewedMove) -> float | None:
    """What a move lost, in stakes; None if it goes without saying, and does not count."""
    p, second = move.position, move.second_value
    margin = None if second is None else _in_stakes(game, judge, move.best_value - second, p)
    counts = game.is_decision(p, move.move, margin)
    return _in_stakes(game, judge, move.loss, p) if counts else None


def _in_stakes(game: Game, judge: Agent, points: float, p: Words) -> float:
    stake = game.stake(p) if judge.in_points else 1.0
    return points / stake if stake > 0 else 0.0
