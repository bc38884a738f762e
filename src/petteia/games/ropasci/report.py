"""Agents of RoPaSci 360's own: the report's player, and a greedy one to try it against."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import Agent, Decision, EvaluatingAgent, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.games.ropasci.evaluations import EVALUATIONS, REPORT_WEIGHTS
from petteia.search.contract import Limits, Question, SearchAgent
from petteia.search.evaluations import evaluation_for
from petteia.search.joint_search import DEEPEST, WIN, possible_depth
from petteia.search.paranoid import ParanoidSearch
from petteia.search.stepper import stepper_of

__all__ = ["AGENTS", "GreedyAgent", "ReportAgent"]

_PASS = -1


@kernel
def alone(
    game: Any, evaluation: Any, p: Words, player: int, moves: np.ndarray, values: np.ndarray,
    w: np.ndarray,
) -> None:  # fmt: skip
    """The evaluation after each move if the enemy did nothing."""
    for i in range(len(moves)):
        if player == 0:
            after = game.play_both(p, moves[i], _PASS)
        else:
            after = game.play_both(p, _PASS, moves[i])
        if game.kind(after) == TERMINAL:
            values[i] = game.result(after) * (WIN if player == 0 else -WIN)
        else:
            values[i] = evaluation.value(game, after, player, w)


class GreedyAgent(EvaluatingAgent):
    """Takes the move after which the evaluation would be highest if the enemy did nothing."""

    name = "greedy"
    about = "the move after which the evaluation is highest if the enemy does nothing"
    for_visitors = at_most()

    def __init__(self, game: Game, eval: Spec | None = None) -> None:
        super().__init__(game)
        self.eval = eval
        self.evaluation = evaluation_for(game, eval, default="report")

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = clock.perf_counter()
        seen = stepper_of(self.game).look(p)
        moves = np.array(seen.others if player else seen.moves, np.int64)
        values = np.zeros(len(moves))
        weights = self.evaluation.array.copy()
        alone(self.game, self.evaluation.tag, p, player or 0, moves, values, weights)
        best = np.flatnonzero(values == values.max())
        place = int(best[derive(seed, "tie") % len(best)])
        return Decision(
            int(moves[place]), float(values[place]), (), 1, 1, len(moves),
            clock.perf_counter() - started,
        )  # fmt: skip

    def prepare(self, p: Words) -> None:
        self.choose(p, player=0)


class ReportAgent(SearchAgent):
    """The report's player: the enemy is thought to see the move first, but is weakened."""

    name = "report"
    about = "the report's player: paranoid alpha-beta with its features, strategies and weakening"
    for_visitors = at_most(weaken=1, depth=4, nodes=10**8)

    def __init__(
        self,
        game: Game,
        *,  # as a spec names them; each is a choice of the report's authors
        weaken: float = 0.9,  # what the enemy's utility counts; 1 is plain minimax
        depth: int = 1,
        deepening: bool = False,  # the largest depth with (own x enemy moves)^depth within nodes
        nodes: int = 1_000_000,
        strategy1: bool = True,  # a strategy each, so that the study can measure its worth
        strategy2: bool = True,
        strategy3: bool = True,
        strategy4: bool = True,
        strategy5: bool = True,
        strategy6: bool = True,
        by_rules: bool = False,
        fixed: bool = False,  # the first of equal moves in the order of the rules, not a random one
        eval: Spec | None = None,
    ) -> None:
        """``eval`` sets the report evaluation's weights, or names another one, to which ``weaken``
        and the strategies do not apply."""
        super().__init__(game, eval)
        if not 0 <= weaken <= 1:
            raise PetteiaError(f"agent report: weaken={weaken} is not possible; 0 to 1")
        if nodes < 1:
            raise PetteiaError(f"agent report: nodes={nodes} is not possible; at least 1")
        self.weaken, self.depth, self.deepening, self.nodes = weaken, depth, deepening, nodes
        self.strategy1, self.strategy2, self.strategy3 = strategy1, strategy2, strategy3
        self.strategy4, self.strategy5, self.strategy6 = strategy4, strategy5, strategy6
        self.by_rules, self.fixed = by_rules, fixed
        self.evaluation = evaluation_for(game, eval, default="report")
        if self.evaluation.tag is EVALUATIONS["report"].tag:
            self.evaluation = self.evaluation.with_weights(self._weights(self.evaluation.weights))
        self.limits = Limits(possible_depth(depth))
        self.search = ParanoidSearch(game, self.evaluation)

    def _weights(self, given: dict[str, float]) -> dict[str, float]:
        """The weights with the strategies that are switched off taken out."""
        w = {**REPORT_WEIGHTS, **given, "weaken": self.weaken}
        w["by_rules"] = float(self.by_rules)
        if not self.strategy1:
            w["ratio"] = 0.0
        if not self.strategy2:
            w["heavy"] = 0.0
        if not self.strategy3:
            w["attack"] = 0.0
        if not self.strategy5:
            w["danger"] = w["attack"]
        w["group"], w["harmonic"] = float(self.strategy4), float(self.strategy6)
        return w

    def depth_at(self, first: int, second: int) -> int:
        """How deep to search with this many moves a side."""
        depth = self.depth
        if self.deepening:
            while depth < DEEPEST and (first * second) ** (depth + 1) <= self.nodes:
                depth += 1
        return depth

    def question(self, p: Words, seed: int, player: int | None = None) -> Question:
        asked = super().question(p, 0 if self.fixed else seed, player)
        seen = stepper_of(self.game).look(p)
        return replace(asked, limits=Limits(self.depth_at(len(seen.moves), len(seen.others))))


AGENTS: dict[str, type[Agent]] = {kind.name: kind for kind in (GreedyAgent, ReportAgent)}
