"""What an agent is: anything that can be asked for a move."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from petteia.core import spec as specs
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Kind
from petteia.core.history import Line
from petteia.core.policy import Playable
from petteia.core.words import Words

__all__ = [
    "ANY", "MOST_THREADS", "NOWHERE", "SEQUENTIAL", "Agent", "Decision", "EvaluatingAgent",
    "MoveValue", "Offer", "at_most",
]  # fmt: skip

SEQUENTIAL = frozenset({Kind.DECISION, Kind.CHANCE})
"""The kinds that agents handle which look at one player's moves at a time and know dice."""

_IN_WORDS = {
    Kind.DECISION: "moves of one player alone",
    Kind.CHANCE: "dice",
    Kind.SIMULTANEOUS: "simultaneous moves",
}

ANY = math.inf
"""In ``at_most``: an argument that does no harm whatever it is."""
MOST_THREADS = 256
"""An agent that searches with threads takes no more."""


def at_most(**arguments: float) -> Mapping[str, float]:
    """Arguments that a visitor may give, each with its largest value; for ``for_visitors``."""
    return MappingProxyType(arguments)


@dataclass(frozen=True)
class MoveValue:
    """A legal move and what it is worth for the player to move."""

    move: int
    value: float | None
    """None where the agent has no opinion."""
    line: tuple[int, ...] = ()
    """The best line after the move, the move included."""
    visits: int = 0
    """How many simulations went through it, where the agent counts such."""
    notes: Mapping[str, float] | None = None
    """What else the agent knows of it, by name."""


class Decision(NamedTuple):
    """An agent's choice with what it cost."""

    move: int
    value: float | None = None
    """The value for the player to move, in the units of the agent's evaluation."""
    line: tuple[int, ...] = ()
    """The best line, the move included."""
    depth: int = 0
    """The depth that was finished, in plies."""
    interior: int = 0
    """Nodes whose moves were generated, the root included."""
    leaves: int = 0
    """Nodes that were evaluated or at which the game was over."""
    seconds: float = 0.0
    notes: Mapping[str, object] | None = None
    """What else the agent has to say, by name, as JSON can write it."""
    is_late: bool = False
    """Whether it came after its time, inside the grace."""


@dataclass(frozen=True)
class Offer:
    """Where an agent is offered although nobody named it; every field is a spec, or specs with what
    they mean to people."""

    beginners: Mapping[str, str] = field(default_factory=dict[str, str])
    """Opponents of every game that they, or agents of its own by the same name, can play."""
    levels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Opponents of a game that names none of its own, the weakest first."""
    analyst: str = ""
    """Analyses a game whose usual agent cannot."""
    judge: str = ""
    """Judges moves where the usual agent would have no evaluation to judge by."""
    stand_in: str = ""
    """Plays a game whose usual agent cannot."""
    quick: str = ""
    """The same where an agent is wanted that takes little time; without one ``stand_in``."""
    by_evaluation: str = ""
    """Plays by an evaluation, whose name stands in place of the question mark."""
    only_with: Kind | None = None
    """A kind of position without which other agents are the better offer, except as judges."""


NOWHERE = Offer()


class Agent(ABC):
    """Anything that can be asked for a move.

    ``__init__`` takes the game first and then the agent's own parameters, each with a type, and
    keeps each under its own name.
    """

    name: ClassVar[str] = ""
    """The name in specs."""
    about: ClassVar[str] = ""
    """One line for people."""
    starts_programs: ClassVar[bool] = False
    """Whether it runs a program other than Petteia. Strangers can never name such an agent."""
    for_visitors: ClassVar[Mapping[str, float] | None] = None
    """The arguments that a stranger, such as a visitor of a laboratory, may give, numbers with
    their largest value. What is not named here (a file, a command, an unbounded cost) may not be
    given; truth values, and specs, which are checked themselves, always may. None: strangers cannot
    name this agent at all. A subclass does not inherit it: every agent must say it for itself."""
    given: specs.Spec | None = None
    """The spec that it was made from, as the user wrote it."""
    on_depth: Callable[[Sequence[MoveValue], int], None] | None = None
    """Called by ``values`` after every depth, with the moves so far and the depth."""
    in_points: bool = False
    """Whether its values are the points that the player to move can expect."""
    handles: ClassVar[frozenset[Kind]] = frozenset(Kind)
    """The kinds of positions that it can play and look through; it refuses a game with others."""
    is_for: ClassVar[Kind | None] = None
    """A kind of position without which a game is not for it."""
    offered: ClassVar[Offer] = NOWHERE
    """Where it is offered by itself. A subclass does not inherit it."""

    def __init__(self, game: Game) -> None:
        why = self.unable(game)
        if why:
            raise PetteiaError(why)
        self.game = game

    @property
    def sees_only_ends(self) -> bool:
        """Whether it searches without an evaluation, so that its values tell ends of the game from
        one another and nothing else."""
        return False

    @classmethod
    def unable(cls, game: Game) -> str:
        """Why it cannot play a game, as one line; empty where it can."""
        strange = [text for kind, text in _IN_WORDS.items() if kind in game.kinds() - cls.handles]
        if strange:
            has = " and ".join(strange)
            return f"agent {cls.name} cannot play {game.spec.name}, which has {has}"
        if cls.is_for is not None and cls.is_for not in game.kinds():
            wanted = _IN_WORDS[cls.is_for]
            return f"agent {cls.name} is for games with {wanted}; {game.spec.name} has none"
        return ""

    @classmethod
    def offer(cls, game: Game) -> Offer:
        """What it is offered for in a game."""
        own: Offer = vars(cls).get("offered", NOWHERE)
        if own is NOWHERE or cls.unable(game):
            return NOWHERE
        suits = own.only_with is None or own.only_with in game.kinds()
        return own if suits else Offer(judge=own.judge)

    @abstractmethod
    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        """The move at a position. ``seed`` decides all chance; ``player`` is needed where both
        choose at the same time."""

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        """Every legal move with its value, the best first."""
        return [MoveValue(move, None) for move in self.game.legal_moves(p)]

    def remarks(self, p: Words) -> Mapping[str, object]:
        """What else the agent has to say of a position, by name, as JSON can write it."""
        return {}

    def knows(self, p: Words) -> bool:
        """Whether its values at a position are exact: looked up in a solved table."""
        return False

    def within(self, p: Words) -> float:
        """By how much a value that it knows may be off, in the agent's units."""
        return 0.0

    def worth(self, p: Words) -> float | None:
        """What a position before a throw is worth to player 0, in the agent's units, if it knows
        that without looking at every throw."""
        return None

    def at_throws(self) -> Agent:
        """Who values the throws of a game where this one judges its moves: there are many, and one
        that is quicker sees their luck well enough."""
        return self

    def follow(self, line: Line) -> None:
        """Called before ``choose`` where the rules look back: what was played so far."""

    def prepare(self, p: Words) -> None:
        """Compiles what a first ``choose`` would compile, so that clocks measure the play."""

    def playable(self) -> Playable | None:
        """The same choices as a kernel, for agents that always play what a policy says."""
        return None

    def use_threads(self, count: int) -> None:
        """Search with so many threads, if it can, and if its spec does not say how many. Where a
        search always gives the same answer, as under a limit of depth or nodes, it stays so."""

    def use_tables(self) -> None:
        """Look into the exact tables of this machine, if it can, and if its spec does not say
        whether. For those who answer a person: the games of a series must not depend on what lies
        on somebody's disk. An error if a table is damaged."""

    def new_game(self) -> None:
        """Forget what was learned in the last game."""

    def close(self) -> None:
        """End what it has started outside this process; it starts again when it is asked again."""

    def stop(self) -> None:
        """End a running ``choose`` soon, with the best move so far. Any thread may call it."""

    def _possible(
        self,
        least: float = -math.inf,
        most: float = math.inf,
        *,
        above: float = -math.inf,
        unit: str = "",
        **given: float | None,
    ) -> None:
        """Refuses arguments that lie outside; None is always possible."""
        for key, value in given.items():
            if value is None or (least <= value <= most and value > above):
                continue
            if most < math.inf:
                right = f"{least} to {most}{unit}"
            else:
                right = f"{least} or more{unit}" if above == -math.inf else f"above {above}{unit}"
            raise PetteiaError(f"agent {self.name}: {key}={value} is not possible; {right}")

    @property
    def spec(self) -> specs.Spec:
        """The spec that makes this agent again."""
        if self.given is not None:
            return self.given
        kept = tuple((key, value) for key, value in specs.arguments(self) if key != "game")
        return specs.Spec(self.name, kept)

    def __str__(self) -> str:
        return str(self.spec)

    def __repr__(self) -> str:
        return f"<agent {self}>"


class EvaluatingAgent(Agent):
    """An agent whose values come from an evaluation."""

    evaluation: Evaluation

    @property
    def sees_only_ends(self) -> bool:
        return self.evaluation.says_nothing
