"""One question, one answer: what every search is asked, and what it says.

A search is a class with ``answer``; the agent that plays by it is a ``SearchAgent`` in the same
file, which says its name, whom it may serve, and how a spec becomes limits.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from petteia.core.agent import Agent, Decision, EvaluatingAgent, MoveValue
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import SIMULTANEOUS, Game
from petteia.core.history import Line
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.evaluations import EVEN, evaluation_for, weights_for_move
from petteia.search.portable import Portable
from petteia.search.stepper import first_choice, stepper_of

__all__ = [
    "NOTHING_FOUND", "Answer", "Limits", "PlainSearchAgent", "Question", "Search", "SearchAgent",
    "ranked", "unvalued",
]  # fmt: skip


NOTHING_FOUND = "nothing_found"
"""A note of answers whose move is just any legal one."""


@dataclass(frozen=True)
class Limits:
    """When a search ends: whichever comes first."""

    depth: int | None = None
    """Choices of the players, one after another; where both choose at the same time, turns."""
    nodes: int | None = None
    """Positions, or simulations where a search is made of these."""
    seconds: float | None = None


@dataclass(slots=True)
class Question:
    """What is asked of a search. (Not frozen: the arena asks thousands of times a second.)"""

    position: Words
    weights: np.ndarray = field(default_factory=lambda: EVEN.array)
    """Of the evaluation; empty without one."""
    limits: Limits = Limits()
    player: int = 0
    """Who asks: values speak for this player. The mover, where one decides alone."""
    seed: int = 0
    """Decides all chance."""
    earlier: Sequence[Words] = ()
    """The positions before this one, for rules that look back."""
    every: bool = False
    """Whether every move is to have its own value and line, not only the best."""
    on_depth: Callable[[Answer], None] | None = None
    """Who wants to hear what is known after every depth."""


@dataclass(slots=True)
class Answer:
    """What a search found, and what it took."""

    moves: tuple[MoveValue, ...]
    """The moves that it has something to say of, the best first, or if the question was of every
    move, all; where strategies are mixed, all of the player's, in the order of the rules."""
    value: float | None = None
    """Of the position, for the player who asked."""
    depth: int = 0
    """The depth that was finished."""
    interior: int = 0
    """Nodes whose moves were generated, the root included; of a tree that is kept, all nodes."""
    leaves: int = 0
    """Nodes that were evaluated or at which the game was over; simulations, where it makes such."""
    strategy: tuple[float, ...] | None = None
    """The probability of each move, where the answer is mixed."""
    is_certain: bool = False
    """Whether the value is proven."""
    notes: dict[str, Any] = field(default_factory=dict)
    """What else it has to say, by name, as JSON can write it."""
    seconds: float = field(default=0.0, compare=False)

    @property
    def nodes(self) -> int:
        """All nodes that were met."""
        return self.interior + self.leaves

    @property
    def best(self) -> MoveValue:
        """The move that comes first."""
        return self.moves[0]

    def drawn(self, seed: int) -> MoveValue:
        """The move to be played; where the answer is mixed, the one that the seed chooses."""
        if self.strategy is None:
            return self.moves[0]
        point = derive(seed, "mixed") / 2**63
        for move, chance in zip(self.moves, self.strategy, strict=True):
            point -= chance
            if point < 0:
                return move
        return self.moves[self.strategy.index(max(self.strategy))]

    def chances(self) -> dict[int, float]:
        """With which probability each move is played."""
        if self.strategy is None:
            return {self.moves[0].move: 1.0}
        return {each.move: p for each, p in zip(self.moves, self.strategy, strict=True)}

    def decision(self, seed: int) -> Decision:
        """The choice that follows from it."""
        chosen = self.drawn(seed)
        return Decision(
            chosen.move, self.value, chosen.line, self.depth, self.interior, self.leaves,
            self.seconds, self.notes or None,
        )  # fmt: skip


@lru_cache(maxsize=1 << 14)
def unvalued(move: int) -> MoveValue:
    """A move of which nothing is known but itself. Agents of mixed strategies name all their moves
    every time: to make each anew would take longer than to solve a small game."""
    return MoveValue(move, None)


def ranked(moves: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Moves by their values, the best first, equal ones in their order, those without one last."""
    return tuple(
        sorted(moves, key=lambda each: -np.inf if each.value is None else each.value, reverse=True)
    )


class Search(ABC):
    """A way of looking ahead in one game, and its memory."""

    game: Game
    evaluation: Evaluation = EVEN
    """What it judges positions by. A search that plays games out needs none."""

    def ask(self, question: Question) -> Answer:
        """The answer to a question, timed; it always names a legal move."""
        started = time.perf_counter()
        found = self.answer(question)
        if not found.moves:
            found.moves = (self._any_move(question),)
            found.notes = {**found.notes, NOTHING_FOUND: True}
        found.seconds = time.perf_counter() - started
        return found

    @abstractmethod
    def answer(self, question: Question) -> Answer:
        """What it finds; no moves where it was stopped before it knew of any."""

    def prepare(self, p: Words) -> None:
        """Compiles what a first answer would compile."""
        limits = Limits(depth=1, nodes=1)
        self.answer(Question(first_choice(self.game, p), self.evaluation.array, limits))

    def new_game(self) -> None:
        """Forgets what it learned in the last game."""

    def use_threads(self, count: int) -> None:
        """Searches with so many threads from now on, if it can."""

    def use_tables(self) -> None:
        """Looks into the game's exact tables from now on, as far as there are any."""

    def portable(self) -> Portable | None:
        """Its kernel and memory, for a processor that knows no Python, if it can go there."""
        return None

    @abstractmethod
    def stop(self) -> None:
        """Ends a running search soon. Any thread may call it."""

    def _any_move(self, question: Question) -> MoveValue:
        seen = stepper_of(self.game).look(question.position)
        moves = seen.others if seen.others and question.player == 1 else seen.moves
        if not moves:
            raise PetteiaError(f"nobody is to move at {self.game.text(question.position)!r}")
        return MoveValue(moves[0], None, (moves[0],))


class PlainSearchAgent(Agent):
    """An agent that is a search and limits, and needs no evaluation.

    A subclass makes its search in ``__init__``; everything else follows.
    """

    search: Search
    limits: Limits
    threads: int | None = None
    """How many its spec asks for, where it can have several."""
    exact: bool | None = None
    """Whether its spec asks for exact tables, where it can use them; None if it does not say."""
    _line: Line | None = None

    def question(self, p: Words, seed: int, player: int | None = None) -> Question:
        """What it asks its search at a position."""
        mover = stepper_of(self.game).look(p).mover if player is None else player
        weights = weights_for_move(self.search.evaluation, seed)
        return Question(p, weights, self.limits, mover, seed, self.earlier(p))

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        return self.search.ask(self.question(p, seed, player)).decision(seed)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        if stepper_of(self.game).look(p).kind == SIMULTANEOUS:
            return super().values(p, seed=seed)  # a move is worth nothing without the other's
        question, hear = self.question(p, seed), self.on_depth
        question.every = True
        if hear is not None:
            question.on_depth = lambda so_far: hear(so_far.moves, so_far.depth)
        return list(self.search.ask(question).moves)

    def portable(self) -> Portable | None:
        """Its search for a processor that knows no Python, if it can go there."""
        return self.search.portable()

    def follow(self, line: Line) -> None:
        self._line = line

    def earlier(self, p: Words) -> Sequence[Words]:
        """The positions before this one, as far as anybody told."""
        line = self._line
        return line.earlier if line is not None and line.positions[-1:] == [p] else ()

    def prepare(self, p: Words) -> None:
        self.search.prepare(p)

    def use_threads(self, count: int) -> None:
        if self.threads is None and self.limits.depth is None and self.limits.nodes is None:
            self.search.use_threads(count)

    def use_tables(self) -> None:
        if self.exact is None:
            self.search.use_tables()

    def new_game(self) -> None:
        self._line = None
        self.search.new_game()

    def stop(self) -> None:
        self.search.stop()


class SearchAgent(PlainSearchAgent, EvaluatingAgent):
    """An agent that is a search, an evaluation and limits."""

    def __init__(self, game: Game, eval: Spec | None, *, default: str | None = None) -> None:
        super().__init__(game)
        self.eval = eval
        self.evaluation = evaluation_for(game, eval, default=default)
