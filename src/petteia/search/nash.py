"""Equilibrium strategies where both choose at the same time, and strategies against an enemy who
errs: searches and agents."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from petteia.core.agent import ANY, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, Question, unvalued
from petteia.search.evaluations import EVEN
from petteia.search.joint_equilibrium import root_equilibrium
from petteia.search.joint_search import DEEPEST, JointAgent, JointSearch, possible_depth
from petteia.search.matrix import soft_answer
from petteia.search.stepper import first_choice

__all__ = ["NashAgent", "NashSearch", "QuantalAgent", "QuantalSearch"]

_ENOUGH = 5000
"""A search that looks as deep as is cheap goes no deeper after this many positions."""


_HOPEFUL = 1.5
"""A depth is begun if it should take no more than so many times what is left: one that is stopped
was for nothing."""


def _grown(before: float, took: float) -> float:
    """The seconds that the next depth should take, after those of the last two; 0 if nothing is
    known of the one before."""
    return took * took / before if before else 0.0


class NashSearch(JointSearch):
    """An equilibrium of the matrix game, by backward induction."""

    is_equilibrium = True

    def __init__(
        self, game: Game, evaluation: Evaluation, *, width: int = 0, **settings: Any
    ) -> None:
        """With a ``width`` each side has only this many moves at the root of a deeper search: those
        that are best one turn deep against the equilibrium. The cost of a root grows with the
        square of its moves."""
        super().__init__(game, evaluation, **settings)
        self.width = width

    def answer(self, question: Question) -> Answer:
        """The equilibrium of the depth, or of the deepest that it finished: the first always is."""
        started = clock.perf_counter()
        best = self.to_depth(replace(question, limits=Limits(depth=1)))
        before, took = 0.0, clock.perf_counter() - started
        for depth in self._depths(question.limits):
            left, nodes = question.limits.seconds, question.limits.nodes
            if left is not None:
                left -= clock.perf_counter() - started
            is_late = left is not None and (left <= 0 or _grown(before, took) > _HOPEFUL * left)
            if is_late or (nodes is not None and best.interior + best.leaves > nodes):
                break
            begun = clock.perf_counter()
            found = self.to_depth(replace(question, limits=Limits(depth=depth, seconds=left)))
            if self.ws["stop"]:
                break
            best = found
            before, took = took, clock.perf_counter() - begun
        return best

    def _depths(self, limits: Limits) -> Iterator[int]:
        """The depths after the first: all where it may be stopped between them, or the last."""
        deepest = limits.depth or 1
        is_step_by_step = limits.seconds is not None or limits.nodes is not None
        yield from range(2 if is_step_by_step else max(2, deepest), deepest + 1)

    def to_depth(self, question: Question) -> Answer:
        """The equilibrium of exactly this depth, or what is known of it when it is stopped."""
        return super().answer(question)

    def prepare(self, p: Words, limits: Limits | None = None) -> None:
        super().prepare(p, limits)
        p = first_choice(self.game, p)
        if self.width and not self.decides_alone(p):
            self._narrowed(Question(p, self.evaluation.array))

    def mixed(self, question: Question) -> Answer:
        """The matrix is filled only where the double oracle looks: at depth 1 a seventh of it."""
        p, player, limits = question.position, question.player, question.limits
        narrowed = None
        if self.width and (limits.depth or 1) > 1:
            begun = clock.perf_counter()
            narrowed = self._narrowed(question)
            if limits.seconds is not None:
                left = limits.seconds - (clock.perf_counter() - begun)
                question = replace(question, limits=replace(limits, seconds=left))
        depth = self._begin(question)
        own = self.moves(p, player)
        if narrowed is not None:
            self.ws["root_counts"] = [len(moves) for moves in narrowed]
            both = [*narrowed[0], *narrowed[1]]
            self.ws["root_moves"][: len(both)] = both
            own = narrowed[player]
        value = float(root_equilibrium(self.game, self.evaluation.tag, p, depth, 0, self.ws))
        strategy = np.array(self.ws["strategy"][depth][player][: len(own)])
        total = strategy.sum()
        strategy = strategy / total if total > 0 else np.full(len(own), 1 / len(own))
        moves = [unvalued(move) for move in own]
        return self._found(moves, depth, value if player == 0 else -value, strategy)

    def both(self, question: Question) -> tuple[float, tuple[np.ndarray, np.ndarray]]:
        """What a position is worth to player 0, and both players' strategies there."""
        value = self.value(question)
        depth, counts = question.limits.depth or 1, self.ws["counts"]
        strategies = [
            np.array(self.ws["strategy"][depth][player][: counts[depth][player]])
            for player in (0, 1)
        ]
        return value, (strategies[0], strategies[1])

    def _narrowed(self, question: Question) -> tuple[list[int], list[int]]:
        rows, columns, matrix = self.matrix(replace(question, limits=Limits(depth=1)))
        solved = self.solver.solve(matrix)
        # Plain sums: a library for matrices would take tens of megabytes for its threads.
        best = np.argsort(-(matrix * solved.column).sum(axis=1), kind="stable")[: self.width]
        worst = np.argsort((matrix.T * solved.row).sum(axis=1), kind="stable")[: self.width]
        return [rows[k] for k in best], [columns[k] for k in worst]


class NashAgent(JointAgent):
    """Plays an equilibrium of the matrix of what a search to a depth finds."""

    name = "nash"
    about = "an equilibrium of the matrix game, by backward induction; depth in turns"
    for_visitors = at_most(depth=6, time=10, guard=100, contempt=ANY, width=1000)
    offered = Offer(stand_in="nash(depth=6, time=0.5)", quick="nash", by_evaluation="nash(eval=?)")
    seeded = False

    def __init__(
        self,
        game: Game,
        *,  # as a spec names them
        depth: int | None = None,
        eval: Spec | None = None,
        time: float | None = None,
        bounds: bool = False,
        guard: int = 0,
        contempt: float = 0.0,
        width: int = 0,
        exact: bool | None = None,
    ) -> None:
        """Without a ``depth`` it looks one turn ahead; where there is no evaluation that would see
        nothing but the end, and it looks as deep as some thousand positions reach. ``bounds``
        narrows cells by serial searches first; a position that stood ``guard`` times counts as a
        draw (0: as the rules say), which is worth ``-contempt``. Out of ``time`` it plays the depth
        it finished. Beyond depth 1 each side has only ``width`` moves at the root (0: all), the
        best of depth 1. ``exact`` says whether it uses the tables that ``petteia solve`` made on
        this machine: if nothing is said, where it answers a person, and not in series."""
        super().__init__(game, eval, time)
        deepest = depth
        if deepest is None:
            deepest = DEEPEST if self.evaluation is EVEN else 1
        enough = _ENOUGH if depth is None and time is None else None
        self.limits = Limits(possible_depth(deepest), enough, time)
        self._possible(0, width=width)
        self.depth, self.bounds, self.guard = depth, bounds, guard
        self.contempt, self.width, self.exact = contempt, width, exact
        self.search = NashSearch(
            game, self.evaluation, width=width, win=self.win, bounded=bounds, guard=guard,
            contempt=contempt,
        )  # fmt: skip
        if exact:
            self.search.use_tables()


class QuantalSearch(JointSearch):
    """The best mixed strategy against an enemy who answers it well, but not always best."""

    def __init__(
        self, game: Game, evaluation: Evaluation, *, softness: float, **settings: Any
    ) -> None:
        """``softness`` 0 is an equilibrium, a large one the mean response."""
        super().__init__(game, evaluation, **settings)
        self.softness = softness

    def mixed(self, question: Question) -> Answer:
        rows, columns, matrix = self.matrix(question)
        own, mine = rows, matrix
        if question.player == 1:
            own, mine = columns, np.ascontiguousarray(-matrix.T)
        if self.softness == 0:
            x = self.solver.solve(mine).row
            value = float((x @ mine).min())
        else:
            x, value = soft_answer(mine, self.softness)
        moves = [unvalued(move) for move in own]
        return self._found(moves, question.limits.depth or 1, value, x)


class QuantalAgent(JointAgent):
    """Plays the best mixed strategy against an enemy who answers it well, but not always best."""

    name = "quantal"
    about = "the best strategy against an enemy who errs; softness in units of the evaluation"
    for_visitors = at_most(softness=ANY, depth=2, guard=100)
    seeded = False

    def __init__(
        self,
        game: Game,
        softness: float = 1.0,
        depth: int = 1,
        eval: Spec | None = None,
        guard: int = 0,
    ) -> None:
        """``softness`` 0 is an equilibrium, a large one the mean response."""
        super().__init__(game, eval)
        if not softness >= 0:
            raise PetteiaError(f"agent quantal: softness={softness} is not possible; 0 or more")
        self.limits = Limits(possible_depth(depth))
        self.softness, self.depth, self.guard = softness, depth, guard
        self.search = QuantalSearch(
            game, self.evaluation, softness=softness, win=self.win, guard=guard
        )
