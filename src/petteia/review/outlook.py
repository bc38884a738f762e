"""What an agent thinks of a position before the dice are thrown: every throw, every move."""

from __future__ import annotations

from dataclasses import dataclass

from petteia.core.agent import Agent, MoveValue
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL
from petteia.core.words import Words
from petteia.search.joint_search import JointAgent
from petteia.search.stepper import stepper_of
from petteia.search.values import WIN

__all__ = ["Outlook", "Throw", "outlook"]


@dataclass(frozen=True)
class Throw:
    """One outcome of the dice and what can be made of it."""

    outcome: int
    chance: float
    after: Words
    """The position after the throw."""
    mover: int | None
    """Who decides then; None where nobody does."""
    moves: tuple[MoveValue, ...]
    """With values for the mover, the best first."""
    value: float | None
    """For player 0; None where the agent has no opinion."""
    over: bool = False
    """Whether the game is over then."""
    then: Outlook | None = None
    """What more dice bring, where they are thrown next."""
    leads_back: bool = False
    """Whether it leads to a throw before it: it counts as if it had not happened."""


@dataclass(frozen=True)
class Outlook:
    """All outcomes of the dice."""

    throws: tuple[Throw, ...]

    @property
    def value(self) -> float | None:
        """The mean value for player 0, in the agent's own units."""
        total = 0.0
        for throw in self.counted:
            if throw.value is None:
                return None
            total += throw.chance * throw.value
        return total / sum(throw.chance for throw in self.counted)

    @property
    def counted(self) -> list[Throw]:
        """The throws that make up the mean."""
        return [throw for throw in self.throws if not throw.leads_back] or list(self.throws)

    @property
    def mover(self) -> int:
        """Whose dice these are: who decides after them."""
        return next((t.mover for t in self.throws if t.mover is not None), 0)

    def for_mover(self, value: float | None) -> float | None:
        """A value of player 0 as the mover sees it."""
        return value if value is None or self.mover == 0 else -value


def _point(agent: Agent) -> float:
    """What a point at the end of the game is worth in an agent's values."""
    if agent.in_points:
        return 1.0
    return agent.search.win if isinstance(agent, JointAgent) else WIN


def outlook(
    agent: Agent, p: Words, *, seed: int = 0, before: frozenset[Words] = frozenset()
) -> Outlook:
    """Asks an agent about every outcome of a throw; ``before`` are the throws that led here."""
    stepper = stepper_of(agent.game)
    seen = stepper.look(p)
    assert seen.kind == CHANCE
    throws, chain = [], before | {p}
    for outcome, chance in zip(seen.moves, seen.chances, strict=True):
        after = stepper.play(p, outcome)
        then = stepper.look(after)
        mover, moves, value = None, tuple[MoveValue, ...](), None
        more: Outlook | None = None
        if then.kind == DECISION:
            mover, moves = then.mover, tuple(agent.values(after, seed=seed))
            value = moves[0].value
            value = -value if value is not None and mover == 1 else value
        elif then.kind == SIMULTANEOUS:
            value = agent.choose(after, seed=seed, player=0).value
        elif then.kind == TERMINAL:
            value = then.result * _point(agent)
        elif then.kind == CHANCE:
            value = agent.worth(after)
            if value is None and after not in chain:
                more = outlook(agent, after, seed=seed, before=chain)
                value = more.value
        over, leads_back = then.kind == TERMINAL, then.kind == CHANCE and after in chain
        throws.append(Throw(outcome, chance, after, mover, moves, value, over, more, leads_back))
    return Outlook(tuple(throws))
