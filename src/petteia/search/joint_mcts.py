"""Monte Carlo tree search where both players choose at the same time: the search and its agent.

How it selects moves, and what it grows: ``search.joint_tree``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.agent import ANY, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError, one_of
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Kind
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.search.clock import deadline_in
from petteia.search.contract import Answer, Limits, Question, ranked, unvalued
from petteia.search.evaluations import EVEN
from petteia.search.joint_search import JointAgent, JointSearch
from petteia.search.joint_tree import (
    IN_POINTS,
    MOVE,
    NODE,
    PLAYED_OUT,
    SELECTIONS,
    SLOT,
    SQUASHED,
    simulate,
    tree_memory,
)

__all__ = ["JointMctsAgent", "JointMctsSearch"]

_SIMULATIONS = 5000
_UNLIMITED = 2**40
_LEAST = 0.1
"""A move with a smaller part of the best one's share is left out of the strategy: what was tried
only to explore is not played."""


class JointMctsSearch(JointSearch):
    """A tree of one game with one evaluation, and its memory."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        selection: str = "duct",
        exploration: float = 0.5,
        scale: float = 10.0,
        megabytes: int = 32,
        playouts: bool = False,
        **settings: Any,
    ) -> None:
        """What each is for, and why it is as it is:

        - ``selection``: how each player's moves are selected, one of ``SELECTIONS``
        - ``exploration``: the weight of the confidence bound (duct), or the share of random moves,
          without which regrets of moves that are never drawn would never be learned
        - ``scale``: an evaluation of so much counts half a win, unless it is one in points; about a
          piece, so that rewards differ most where games are decided
        - ``megabytes``: of memory at most; when it is full, the tree grows no more
        - ``playouts``: random games instead of the evaluation
        """
        if selection not in SELECTIONS:
            raise one_of(selection, SELECTIONS, what="selection")
        if not scale > 0:
            raise PetteiaError(f"scale={scale} is not possible; above 0")
        if not 0 <= exploration <= 10 or (selection != "duct" and not 0 < exploration < 1):
            raise PetteiaError(
                f"exploration={exploration} is not possible; 0 to 10 for duct, else within (0, 1)"
            )
        super().__init__(game, evaluation, **settings)
        self.is_duct = selection == "duct"
        self.exploration, self.scale = float(exploration), float(scale)
        self.leaves = PLAYED_OUT if playouts else IN_POINTS if evaluation.point else SQUASHED
        point = 1.0 if playouts else evaluation.point or 1.0
        self.best = game.most_points * point
        """The most that a game can bring, in the units of the evaluation where it is in points."""
        entries = max(megabytes * 2**20 // 40, 8 * game.max_moves)
        nodes = max(entries // 40, 64)
        self._moves = np.zeros(entries, MOVE).view(np.recarray)
        self._nodes = np.zeros(nodes, NODE).view(np.recarray)
        slots = 1 << (2 * nodes).bit_length()
        self._slots = np.zeros(slots, SLOT).view(np.recarray)
        layout = tree_memory(game.max_moves, evaluation.array)
        self.memory: Any = np.zeros(1, layout).view(np.recarray)[0]
        self.memory["selection"] = SELECTIONS[selection]
        self.memory["exploration"], self.memory["scale"] = self.exploration, self.scale
        self.memory["leaves"], self.memory["best"] = self.leaves, self.best
        self.memory["most_points"] = game.most_points

    def stop(self) -> None:
        super().stop()
        self.memory["stop"] = 1

    def answer(self, question: Question) -> Answer:
        """The strategy after this many simulations or seconds; at least one simulation is made."""
        p, player = question.position, question.player
        self.moves(p, player)  # refuses a player who does not choose
        self._simulate(question)
        root = self._nodes[0]
        rows, columns, first = int(root.rows), int(root.columns), int(root.first)
        begin, count = (first, rows) if player == 0 else (first + rows, columns)
        block = self._moves.view(np.ndarray)[begin : begin + count]
        moves = tuple(unvalued(move) for move in block["move"].tolist())
        values = np.where(block["visits"] > 0, block["total"] / np.maximum(block["visits"], 1), -1)
        if self.decides_alone(p):
            # Where a share of the moves is random, every move has visits enough to be compared.
            merit = block["visits"] if self.is_duct else values
            chosen = int(np.argmax(merit))
            best = moves[chosen].move
            moves = ranked(
                MoveValue(each.move, self._worth(2 * value - 1), (each.move,))
                for each, value in zip(moves, values, strict=True)
            )
            strategy = np.array([float(each.move == best) for each in moves])
            value = self._worth(2 * float(values[chosen]) - 1)
        else:
            shares = block["visits"] if self.is_duct else _unmixed(block, self.exploration)
            shares = np.where(shares >= _LEAST * shares.max(), shares, 0.0)
            strategy = shares / shares.sum() if shares.sum() > 0 else np.full(count, 1 / count)
            mean = 2 * float(root.total) / max(int(root.visits), 1) - 1
            mean = mean if player == 0 else -mean
            value = self._worth(2 * float(values @ strategy) - 1 if self.is_duct else mean)
        nodes, done = int(self.memory["nodes"]), int(self.memory["done"])
        return Answer(moves, value, 0, nodes, done, tuple(strategy.tolist()))

    mixed = answer

    def _simulate(self, question: Question) -> None:
        """Grows a new tree from the position."""
        limits, memory, weights = question.limits, self.memory, question.weights
        if limits.nodes is None and limits.seconds is None:
            raise PetteiaError("a Monte Carlo search needs a limit: simulations, time or both")
        memory["stop"] = memory["done"] = memory["nodes"] = memory["used"] = 0
        keys = self.drawn_keys(question)
        memory["seen"] = len(keys)
        memory["keys"][: len(keys)] = keys
        memory["weights"][: len(weights)] = weights
        memory["simulations"] = limits.nodes or _UNLIMITED
        memory["deadline"] = deadline_in(limits.seconds)
        memory["searcher"] = question.player
        memory["state"][0] = derive(question.seed, "joint")
        self._slots["key"] = 0
        simulate(
            self.game, self.evaluation.tag, question.position, self._nodes, self._moves,
            self._slots, memory,
        )  # fmt: skip

    def _worth(self, reward: float) -> float:
        """What a mean reward in (-1, 1) stands for, in points or in units of the evaluation."""
        if self.leaves != SQUASHED:
            return float(self.best * reward)
        reward = float(min(max(reward, -0.999), 0.999))
        return self.scale * reward / (1 - abs(reward))


def _unmixed(block: np.ndarray, exploration: float) -> np.ndarray:
    """The mean strategy without the share of random moves."""
    mean = block["mean"] / max(block["mean"].sum(), 1e-300)
    return np.asarray(np.maximum(mean - exploration / len(block), 0.0))


class JointMctsAgent(JointAgent):
    """Monte Carlo tree search with evaluated leaves."""

    name = "smmcts"
    about = "Monte Carlo tree search where both choose; selection=duct, rm or exp3"
    for_visitors = at_most(
        simulations=2_000_000, time=10, selection=ANY, exploration=ANY, scale=ANY, guard=100
    )
    offered = Offer(
        levels={
            "smmcts(simulations=200)": "plays some games in its head",
            "smmcts(simulations=5000)": "plays thousands of games in its head",
        }
    )

    def __init__(
        self,
        game: Game,
        *,  # as a spec names them
        simulations: int | None = None,
        time: float | None = None,
        selection: str | None = None,
        exploration: float | None = None,
        scale: float = 10.0,
        eval: Spec | None = None,
        guard: int = 0,
    ) -> None:
        """Without any limit it makes 5000 simulations; an evaluation of ``scale`` counts half a
        win; ``exploration`` is 0.3 for duct and 0.1 for the others. The selection is duct where
        both choose in every turn, else exp3, which comes nearer to the exact values."""
        super().__init__(game, eval, time)
        if simulations is not None and simulations < 1:
            raise PetteiaError(f"agent smmcts: simulations={simulations} is not possible; above 0")
        self.simulations, self.selection, self.scale = simulations, selection, scale
        self.exploration, self.guard = exploration, guard
        nodes = _SIMULATIONS if simulations is None and time is None else simulations
        self.limits = Limits(nodes=nodes, seconds=time)
        always = game.kinds() == {Kind.SIMULTANEOUS}
        selection = selection or ("duct" if always else "exp3")
        share = exploration if exploration is not None else 0.3 if selection == "duct" else 0.1
        self.search = JointMctsSearch(
            game, self.evaluation, selection=selection, exploration=share, scale=scale,
            playouts=self.evaluation is EVEN, win=self.win, guard=guard,
        )  # fmt: skip
