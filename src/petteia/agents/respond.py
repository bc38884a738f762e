"""The best answer to another agent, where both choose at the same time."""

from __future__ import annotations

import numpy as np

from petteia.core.agent import Agent, MoveValue, at_most
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.history import Line
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.contract import Answer, Limits, Question, unvalued
from petteia.search.joint_search import JointAgent, JointSearch

__all__ = ["Responder", "expected"]

_SAMPLES = 6
"""Seeds for which an agent is asked what it would do: each costs a whole search of its own."""
_EQUAL = 1e-12
"""Answers within this are equally good."""


class ResponseSearch(JointSearch):
    """The best answer, one turn deep, to the strategy of an agent."""

    def __init__(
        self, game: Game, evaluation: Evaluation, other: Agent, *, win: float | None
    ) -> None:
        super().__init__(game, evaluation, win=win)
        self.other = other

    def mixed(self, question: Question) -> Answer:
        p, player, seed = question.position, question.player, question.seed
        rows, columns, matrix = self.matrix(question)
        own, enemy = (rows, columns) if player == 0 else (columns, rows)
        mine = matrix if player == 0 else -matrix.T
        foreseen = expected(self.other, p, 1 - player, seed).chances()
        values = mine @ np.array([foreseen.get(move, 0.0) for move in enemy])
        best = np.flatnonzero(values >= values.max() - _EQUAL)
        x = np.zeros(len(own))
        x[best[derive(seed, "answer") % len(best)]] = 1.0
        moves = [MoveValue(*each) for each in zip(own, values.tolist(), strict=True)]
        return self._found(moves, 1, float(values.max()), x)


class Responder(JointAgent):
    """Knows another agent's strategy, though not its dice, and plays the best answer to it.

    What it wins shows how far that agent can be exploited.
    """

    name = "respond"
    about = "the best answer, one turn deep, to the strategy of the agent that 'to' names"
    for_visitors = at_most()

    def __init__(self, game: Game, to: Spec, eval: Spec | None = None) -> None:
        super().__init__(game, eval)
        from petteia import agents

        self.to = to
        self.other = agents.make(to, game)
        self.limits = Limits(depth=1)
        self.search = ResponseSearch(game, self.evaluation, self.other, win=self.win)

    def follow(self, line: Line) -> None:
        super().follow(line)
        self.other.follow(line)

    def new_game(self) -> None:
        super().new_game()
        self.other.new_game()


def expected(agent: Agent, p: Words, player: int, seed: int, samples: int = _SAMPLES) -> Answer:
    """What somebody who knows an agent, though not its seeds, must expect of it: its mixed
    strategy, or the mean of what it does for some seeds where they decide."""
    if isinstance(agent, JointAgent) and not agent.seeded:
        samples = 1
    total: dict[int, float] = {}
    for number in range(samples):
        guess = derive(seed, "guess", number)
        if isinstance(agent, JointAgent):
            chosen = agent.strategy(p, player, guess).chances()
        else:
            chosen = {agent.choose(p, seed=guess, player=player).move: 1.0}
        for move, chance in chosen.items():
            total[move] = total.get(move, 0.0) + chance / samples
    return Answer(tuple(map(unvalued, total)), strategy=tuple(total.values()))
