"""Monte Carlo tree search with upper confidence bounds (UCT), compiled, for any game of moves.

It needs no evaluation: a position is worth what random games from it bring. Dice are nodes whose
outcomes are drawn by their probabilities. Finished games are exact, and so is every decision that
they settle: such nodes are *proven* and are not simulated again.

    L. Kocsis and C. Szepesvari, Bandit Based Monte-Carlo Planning, ECML 2006
    M. Winands, Y. Bjornsson and J.-T. Saito, Monte-Carlo Tree Search Solver, CG 2008

The recursive form to read and to compare with is ``search.reference_mcts``.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.core.agent import ANY, MOST_THREADS, SEQUENTIAL, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import DECISION, Game, Kind
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.contract import Answer, Limits, PlainSearchAgent, Question, Search
from petteia.search.mcts_leaves import LeafGames, LeafPlan, absorb, collect, planned
from petteia.search.mcts_tree import NODE, look, memory_layout, simulate, tell
from petteia.search.portable import Portable

__all__ = ["MctsAgent", "MonteCarlo"]

_FIRST_CAPACITY = 1 << 14  # half a megabyte, doubled where a search needs more
_MOST_VISITS = 2**31 - 2
_DEFAULT_SIMULATIONS = 1000
_ELSEWHERE = 1 << 21
"""Nodes of a tree that another processor keeps: 64 megabytes."""


class MonteCarlo(Search):
    """A search of one game, and its memory."""

    def __init__(
        self,
        game: Game,
        *,
        exploration: float = 1.0,
        points: float | None = None,
        max_nodes: int = 1 << 23,
        threads: int = 1,
        plan: LeafPlan | None = None,
    ) -> None:
        """``exploration`` weighs the confidence bound against a mean in [0, 1]; ``points`` is the
        most that a game can bring, else the game says it; at ``max_nodes``, 32 bytes each, a tree
        stops growing. Each of the ``threads`` has a tree of its own; what they say of the root's
        moves is added up. With a ``plan`` there is one tree, and random games are played in
        batches."""
        if game.has_simultaneous:
            raise PetteiaError(
                f"tree search by UCT cannot play {game.spec.name}, which has simultaneous moves"
            )
        if not exploration >= 0:
            raise PetteiaError(f"exploration={exploration} is not possible; 0 or more")
        if points is not None and not points > 0:
            raise PetteiaError(f"points={points} is not possible; more than 0")
        self.game = game
        self.exploration = float(exploration)
        self.points = None if points is None else float(points)
        self.most_points = float(game.most_points if points is None else points)
        self.max_nodes = max(max_nodes, game.max_moves + 1)
        self._layout = memory_layout(game)
        self._trees: list[_Tree] = []
        self.leaf_games = LeafGames(game, plan) if plan else None
        self._passes = [self.leaf_games.new_leaves() for _ in range(2)] if self.leaf_games else []
        self.use_threads(threads)

    @property
    def threads(self) -> int:
        """How many search."""
        return self.leaf_games.threads if self.leaf_games else len(self._trees)

    def use_threads(self, count: int) -> None:
        if self.leaf_games:
            self.leaf_games.threads, count = count, 1
        if count == len(self._trees):
            return
        capacity = min(max(_FIRST_CAPACITY, 4 * self.game.max_moves), self.max_nodes)
        self._trees = [_Tree(_made_nodes(capacity), self._memory()) for _ in range(count)]

    @property
    def tree(self) -> Any:
        """The nodes of the first thread's tree, to whose root the others' are added."""
        return self._trees[0].nodes

    def _memory(self) -> Any:
        return np.zeros(1, self._layout).view(np.recarray)[0]

    def stop(self) -> None:
        for tree in self._trees:
            tree.memory["stop"] = 1

    def portable(self) -> Portable | None:
        """One thread's; its tree grows no further than there is memory from the beginning."""
        if self.threads > 1 or self.leaf_games:
            return None
        game, memory = self.game, self._trees[0].memory
        nodes = _made_nodes(min(_ELSEWHERE, self.max_nodes))

        def fill(question: Question) -> None:
            self._fill(question, 0, memory)

        return Portable(look, lambda p: (game, p, nodes, memory), memory, nodes, fill)

    def answer(self, question: Question) -> Answer:
        """What simulations say until their number or the seconds are used up, or all is proven.

        At least one simulation is made. The same seed, number and threads give the same result.
        Every move has its visits and mean points for the mover; a line for each, not only for the
        best, takes milliseconds.
        """
        p = question.position
        wanted = self._wanted(question)
        trees = self._trees[:wanted]
        for number, tree in enumerate(trees):
            # A flag of its own for every run: the clock of an earlier one cannot stop this one.
            tree.memory = self._memory()
            self._fill(question, number, tree.memory, len(trees))
        memories = [tree.memory for tree in trees]

        def ring() -> None:
            for memory in memories:
                memory["stop"] = 1

        with clock(question.limits.seconds, ring):
            if self.leaf_games:
                self._grow_by_leaves(p, trees[0], derive(question.seed, "mcts", "playouts"))
            else:
                self._simulate(p, trees)
        if any(memory["beyond"] for memory in memories):
            raise PetteiaError(
                f"{self.game.spec.name}: a game ends with more points than {self.most_points:g}; "
                "see most_points"
            )
        for tree in trees[1:]:
            _add_root(self.tree, tree.nodes)
        tell(self.game, p, self.tree, trees[0].memory)
        return self._found(trees)

    def _wanted(self, question: Question) -> int:
        """How many simulations there shall be at most."""
        simulations, p = question.limits.nodes, question.position
        if simulations is None and question.limits.seconds is None:
            raise PetteiaError("a Monte Carlo search needs a limit: simulations, time or both")
        if simulations is not None and simulations < 1:
            raise PetteiaError(f"simulations={simulations} is not possible; at least 1")
        if self.game.kind(p) != DECISION:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        return min(simulations or _MOST_VISITS, _MOST_VISITS)

    def _fill(self, question: Question, number: int, memory: Any, share: int = 1) -> None:
        """Writes what the kernels of one of the trees need to know."""
        game, p = self.game, question.position
        memory["deadline"] = deadline_in(question.limits.seconds)
        memory["simulations"] = (self._wanted(question) + number) // share
        memory["exploration"], memory["most"] = self.exploration, self.most_points
        # Of a game that may be worth much and seldom is, what is at stake is the better measure.
        memory["stake"] = self.points if self.points is not None else float(game.stake(p))
        path = ("mcts", number) if number else ("mcts",)
        memory["state"][0] = derive(question.seed, *path)
        memory["every"] = question.every

    def _simulate(self, p: Words, trees: list[_Tree]) -> None:
        others = [
            threading.Thread(target=self._grow, args=(p, tree), daemon=True) for tree in trees[1:]
        ]
        for thread in others:
            thread.start()
        self._grow(p, trees[0])
        for thread in others:
            thread.join()

    def _grow(self, p: Words, tree: _Tree) -> None:
        """Simulates in one tree until it is done; the tree gets more memory when it needs it."""
        memory = tree.memory
        while True:
            memory["may_grow"] = len(tree.nodes) < self.max_nodes
            simulate(self.game, p, tree.nodes, memory)
            if memory["made"] >= memory["simulations"] or memory["stop"]:
                return
            if tree.nodes[0].proven:
                if memory["deadline"] < NEVER:  # else all finish, and the result can be repeated
                    self.stop()
                return
            self._give_room(tree)

    def _give_room(self, tree: _Tree) -> None:
        old = tree.nodes
        tree.nodes = _made_nodes(min(2 * len(old), self.max_nodes))
        tree.nodes[: len(old)] = old

    def _grow_by_leaves(self, p: Words, tree: _Tree, seed: int) -> None:
        """Collects leaves while the games of the last ones are played, until it is done."""
        player, memory, game = self.leaf_games, tree.memory, self.game
        assert player is not None
        games = player.plan.games
        memory["simulations"] = min(int(memory["simulations"]), _MOST_VISITS - games)
        played, awaited = 0, 0  # leaves
        wait: Callable[[], None] | None = None
        now, last = self._passes
        while True:
            while len(tree.nodes) < memory["used"] + game.max_moves <= self.max_nodes:
                self._give_room(tree)
            memory["may_grow"] = len(tree.nodes) < self.max_nodes
            count = collect(game, p, tree.nodes, memory, now)
            if wait:
                wait()
            begun = player.begin(now, count, seed, played * games) if count else None
            if wait:
                absorb(tree.nodes, memory, last, awaited)
            is_done = memory["made"] >= memory["simulations"] or memory["stop"]
            if not begun and (is_done or tree.nodes[0].proven):
                return
            played, awaited, wait = played + count, count, begun
            now, last = last, now

    def _found(self, trees: list[_Tree]) -> Answer:
        memory = trees[0].memory
        moves = tuple(_row(memory, number) for number in range(memory["found"]))
        return Answer(
            moves,
            moves[0].value or 0.0,
            depth=int(memory["found_depth"]),
            interior=sum(int(tree.memory["used"]) for tree in trees),
            leaves=sum(int(tree.memory["made"]) for tree in trees),
            is_certain=bool(self.tree[0].proven),
        )


def _row(memory: Any, number: int) -> MoveValue:
    """What was found of a move."""
    row, value = memory["lines"][number], float(memory["values"][number])
    line = tuple(row[: int(np.argmax(row < 0))].tolist())
    known = None if math.isnan(value) else value
    return MoveValue(line[0], known, line, int(memory["visits"][number]))


@dataclass
class _Tree:
    """One thread's."""

    nodes: Any
    memory: Any


def _made_nodes(capacity: int) -> Any:
    return np.empty(capacity, NODE).view(np.recarray)


def _add_root(nodes: Any, others: Any) -> None:
    """Adds what another tree knows of the root and of its moves."""
    if others[0].proven and not nodes[0].proven:
        nodes[0].proven, nodes[0].total = 1, others[0].total
    mine, theirs = (
        tree.view(np.ndarray)[int(tree[0].first) : int(tree[0].first) + int(tree[0].count)]
        for tree in (nodes, others)
    )
    for i, j in zip(np.argsort(mine["move"]), np.argsort(theirs["move"]), strict=True):
        child, same = mine[i], theirs[j]
        child["visits"] += same["visits"]
        if same["proven"]:
            child["proven"], child["total"] = 1, same["total"]
        elif not child["proven"]:
            child["total"] += same["total"]


class MctsAgent(PlainSearchAgent):
    """Upper confidence trees with random playouts: needs no evaluation."""

    name = "mcts"
    about = "Monte Carlo tree search with random playouts; limits: simulations, time"
    for_visitors = at_most(simulations=2_000_000, time=10, exploration=ANY, threads=1)
    offered = Offer(
        levels={
            "mcts(time=0.3)": "plays games in its head for 0.3 s a move",
            "mcts(time=1.0)": "plays games in its head for a second a move",
        },
        analyst="mcts(time=0.5)",
        judge="mcts(simulations=5000)",
        stand_in="mcts(time=0.5)",
        only_with=Kind.CHANCE,
    )
    in_points = True
    handles = SEQUENTIAL

    def __init__(
        self,
        game: Game,
        *,
        simulations: int | None = None,
        time: float | None = None,
        exploration: float = 1.0,
        threads: int | None = None,
        playouts: Spec | None = None,
    ) -> None:
        """Without any limit it makes 1000 simulations. ``exploration`` weighs the confidence bound
        against a mean reward between 0 and 1. Each of the ``threads`` has a tree of its own; they
        share the simulations. ``playouts=gpu`` plays the random games on a GPU in batches, from 512
        leaves at once and 32 from each, every one a simulation; ``gpu(leaves=64, games=8)`` are
        other numbers. ``playouts=cpu`` plays the same games on the ``threads``."""
        super().__init__(game)
        self._possible(above=0, simulations=simulations, time=time, exploration=exploration)
        self._possible(1, MOST_THREADS, threads=threads)
        self.simulations, self.time, self.exploration = simulations, time, exploration
        self.threads = threads
        unlimited = simulations is None and time is None
        nodes = _DEFAULT_SIMULATIONS if unlimited else simulations
        self.limits = Limits(nodes=nodes, seconds=time)
        self.playouts = playouts
        plan = None if playouts is None else planned(playouts)
        self.search = MonteCarlo(game, exploration=exploration, threads=threads or 1, plan=plan)
