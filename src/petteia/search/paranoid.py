"""Searches that decide for one move where both choose at the same time, and their agents: the
enemy is thought to see it first, to answer as one would wish, or to answer at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.agent import ANY, MoveValue, at_most
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, Question, ranked
from petteia.search.joint_search import JointAgent, JointSearch, possible_depth
from petteia.search.joint_serial import HOPEFUL, PARANOID, Way, rank_moves, value_of

__all__ = ["HopefulSearch", "MeanAgent", "OptimisticAgent", "ParanoidAgent", "ParanoidSearch"]


class ParanoidSearch(JointSearch):
    """The best move if the enemy sees every move before it answers."""

    way: Way = PARANOID

    def mixed(self, question: Question) -> Answer:
        """The best move, or all by their values; equals in an order that the seed decides."""
        depth, player = self._begin(question), question.player
        own = np.array(self.moves(question.position, player), np.int64)
        order = np.random.default_rng(derive(question.seed, "order")).permutation(own)
        ws = self.ws
        ws["root_counts"][player] = len(order)
        ws["root_moves"][: len(order)] = order
        ws["root_values"][: len(order)] = -np.inf
        rank_moves(self.way, self.game, self.evaluation.tag, question.position, depth, ws)
        values = ws["root_values"][: len(order)]
        known = np.flatnonzero(values > -np.inf) if question.every else [int(np.argmax(values))]
        moves = ranked(MoveValue(int(order[k]), float(values[k])) for k in known)
        return self._found(moves, depth)

    def value_after(self, p: Words, depth: int) -> float:
        return value_of(self.way, self.game, self.evaluation.tag, p, depth, self.ws)


class HopefulSearch(ParanoidSearch):
    """The best move if the enemy answers as one would wish, or at random."""

    way = HOPEFUL

    def __init__(
        self, game: Game, evaluation: Evaluation, *, takes_mean: bool, **settings: Any
    ) -> None:
        """``takes_mean``: the enemy answers at random, and a move is worth the mean."""
        super().__init__(game, evaluation, **settings)
        self.ws["takes_mean"] = int(takes_mean)


class ParanoidAgent(JointAgent):
    """Plays as if the enemy saw its move first: max over own moves of the worst answer."""

    name = "paranoid"
    about = "the best move if the enemy could see it first; alpha-beta; depth in turns"
    for_visitors = at_most(depth=4, time=10, guard=100, contempt=ANY)

    def __init__(
        self,
        game: Game,
        depth: int = 1,
        eval: Spec | None = None,
        time: float | None = None,
        ordered: bool = True,
        guard: int = 0,
        contempt: float = 0.0,
    ) -> None:
        """``ordered`` tries first the answer that refuted the last move."""
        super().__init__(game, eval, time)
        self.limits = Limits(possible_depth(depth), seconds=time)
        self.depth, self.ordered, self.guard, self.contempt = depth, ordered, guard, contempt
        self.search = ParanoidSearch(
            game, self.evaluation, win=self.win, ordered=ordered, guard=guard, contempt=contempt
        )


class _HopefulAgent(JointAgent):
    takes_mean = False

    def __init__(
        self, game: Game, depth: int = 1, eval: Spec | None = None, time: float | None = None
    ) -> None:
        super().__init__(game, eval, time)
        self.limits = Limits(possible_depth(depth), seconds=time)
        self.depth = depth
        self.search = HopefulSearch(game, self.evaluation, takes_mean=self.takes_mean, win=self.win)


class OptimisticAgent(_HopefulAgent):
    """Plays as if the enemy's answer were the best one for itself."""

    name = "optimistic"
    about = "the best move if the enemy's answer were the most favourable; depth in turns"
    for_visitors = at_most(depth=4, time=10)


class MeanAgent(_HopefulAgent):
    """Plays as if the enemy chose at random."""

    name = "mean"
    about = "the best move if the enemy chose at random; depth in turns"
    for_visitors = at_most(depth=4, time=10)
    takes_mean = True
