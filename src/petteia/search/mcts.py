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
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, nanoseconds, random_below, random_unit
from petteia.core.agent import ANY, MOST_THREADS, SEQUENTIAL, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, DECISION, TERMINAL, Game, Kind
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.contract import Answer, Limits, PlainSearchAgent, Question, Search
from petteia.search.playout import drawn_outcome, playout

__all__ = ["NODE", "MctsAgent", "MonteCarlo", "simulate"]

NODE = np.dtype(
    [
        ("total", np.float64),  # points of player 0, summed over the visits; if proven, the value
        ("move", np.int64),  # that leads here, or the outcome of the dice
        ("first", np.int32),  # child; the others follow it
        ("count", np.int32),  # of children; 0 before they are made
        ("visits", np.int32),
        ("proven", np.int32),
    ],
    align=True,
)
_FIRST_CAPACITY = 1 << 14  # half a megabyte, doubled where a search needs more
_MOST_VISITS = 2**31 - 2
_DEFAULT_SIMULATIONS = 1000


def _memory_layout(game: Game) -> np.dtype[Any]:
    return np.dtype(
        [
            ("stop", np.int64),  # set from outside, or when the time is up
            ("used", np.int64),  # nodes of the tree
            ("done", np.int64),  # simulations
            ("simulations", np.int64),  # that are wanted
            ("may_grow", np.int64),  # whether a larger tree can be had
            ("deadline", np.int64),  # on the kernels' clock
            ("beyond", np.int64),  # whether a game ended with more than ``most``
            ("exploration", np.float64),  # the weight of the confidence bound
            ("stake", np.float64),  # by which rewards are measured
            ("most", np.float64),  # no game brings more points
            ("state", np.uint64, (1,)),  # of the random numbers
            ("nodes", np.int64, (game.max_plies + 1,)),  # of a simulation, from the root on
            ("movers", np.int64, (game.max_plies + 1,)),  # there; -1 where the dice decide
            ("out", np.int64, (2 * game.max_moves,)),
            ("prob", np.float64, (2 * game.max_moves,)),
        ],
        align=True,
    )


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
    ) -> None:
        """``exploration`` weighs the confidence bound against a mean in [0, 1]; ``points`` is the
        most that a game can bring, else the game says it; at ``max_nodes``, 32 bytes each, a tree
        stops growing. Each of the ``threads`` has a tree of its own; what they say of the root's
        moves is added up."""
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
        self._layout = _memory_layout(game)
        self._trees: list[_Tree] = []
        self.use_threads(threads)

    @property
    def threads(self) -> int:
        """How many search."""
        return len(self._trees)

    def use_threads(self, count: int) -> None:
        if count == self.threads:
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

    def answer(self, question: Question) -> Answer:
        """What simulations say until their number or the seconds are used up, or all is proven.

        At least one simulation is made. The same seed, number and threads give the same result.
        Every move has its visits and mean points for the mover; a line for each, not only for the
        best, takes milliseconds.
        """
        p, simulations = question.position, question.limits.nodes
        seconds = question.limits.seconds
        if simulations is None and seconds is None:
            raise PetteiaError("a Monte Carlo search needs a limit: simulations, time or both")
        if simulations is not None and simulations < 1:
            raise PetteiaError(f"simulations={simulations} is not possible; at least 1")
        if self.game.kind(p) != DECISION:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        wanted = min(simulations or _MOST_VISITS, _MOST_VISITS)
        trees = self._trees[:wanted]
        deadline = deadline_in(seconds)
        # Of a game that may be worth much and seldom is, what is at stake is the better measure.
        stake = self.points if self.points is not None else float(self.game.stake(p))
        for number, tree in enumerate(trees):
            # A flag of its own for every run: the clock of an earlier one cannot stop this one.
            memory = tree.memory = self._memory()
            memory["used"], memory["deadline"], memory["stake"] = 1, deadline, stake
            memory["simulations"] = (wanted + number) // len(trees)
            memory["exploration"], memory["most"] = self.exploration, self.most_points
            path = ("mcts", number) if number else ("mcts",)
            memory["state"][0] = derive(question.seed, *path)
            tree.nodes[0] = np.zeros((), NODE)
            tree.nodes[0].visits = 1  # a node with a visit gets its children
        memories = [tree.memory for tree in trees]

        def ring() -> None:
            for memory in memories:
                memory["stop"] = 1

        with clock(seconds, ring):
            self._simulate(p, trees)
        if any(memory["beyond"] for memory in memories):
            raise PetteiaError(
                f"{self.game.spec.name}: a game ends with more points than {self.most_points:g}; "
                "see most_points"
            )
        for tree in trees[1:]:
            _add_root(self.tree, tree.nodes)
        return self._found(p, trees, lines=question.every)

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
            if memory["done"] >= memory["simulations"] or memory["stop"]:
                return
            if tree.nodes[0].proven:
                if memory["deadline"] < NEVER:  # else all finish, and the result can be repeated
                    self.stop()
                return
            old = tree.nodes
            tree.nodes = _made_nodes(min(2 * len(old), self.max_nodes))
            tree.nodes[: len(old)] = old

    def _found(self, p: Words, trees: list[_Tree], *, lines: bool) -> Answer:
        moves = tuple(
            MoveValue(move, value, self._line(p, child) if lines or rank == 0 else (move,), visits)
            for rank, (child, move, visits, value) in enumerate(self._ranked(p, 0))
        )
        return Answer(
            moves,
            moves[0].value or 0.0,
            depth=len(moves[0].line),
            interior=sum(int(tree.memory["used"]) for tree in trees),
            leaves=sum(int(tree.memory["done"]) for tree in trees),
            is_certain=bool(self.tree[0].proven),
        )

    def _ranked(self, p: Words, node: int) -> list[tuple[int, int, int, float | None]]:
        """The children of a decision, each with its move, visits and value for the mover, None
        where nothing is known. Certainty makes a child the better choice, then visits, then
        value."""
        first, count = int(self.tree[node].first), int(self.tree[node].count)
        block = self.tree.view(np.ndarray)[first : first + count]
        visits, proven = block["visits"], block["proven"] != 0
        value = np.where(proven, block["total"], block["total"] / np.maximum(visits, 1))
        if self.game.mover(p) != 0:
            value = -value
        if self.tree[node].proven:
            certain = np.where(proven, value, -math.inf)
        else:
            certain = np.where(proven & (value <= -self.most_points), -1.0, 0.0)
        order = np.lexsort((-value, -visits, -certain))
        known = proven | (visits > 0)
        return [
            (
                first + i,
                int(block["move"][i]),
                int(visits[i]),
                float(value[i]) if known[i] else None,
            )
            for i in order.tolist()
        ]

    def _line(self, p: Words, node: int) -> tuple[int, ...]:
        """The best line that begins with a node's move; it ends where dice are thrown."""
        line = [int(self.tree[node].move)]
        p = self.game.play(p, line[0])
        while self.tree[node].count and self.game.kind(p) == DECISION:
            node, move, _, value = self._ranked(p, node)[0]
            if value is None:
                break
            line.append(move)
            p = self.game.play(p, move)
        return tuple(line)


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


@kernel
def simulate(game: Any, root: Words, tree: Any, memory: Any) -> None:
    """Simulates until the number is reached, the flag is set, the root is proven, or, if it may
    grow, the tree is too small for one more node's children.

    Positions are not stored but played again from the root: measured as fast on Breakthrough, in
    half the memory.
    """
    out, prob, state = memory.out, memory.prob, memory.state
    while True:
        room = memory.used + game.max_moves <= len(tree)
        if not room and memory.may_grow != 0:
            return
        depth, node, p = 0, 0, root
        while True:
            kind = game.kind(p)
            mover = game.mover(p) if kind == DECISION else -1
            memory.nodes[depth], memory.movers[depth] = node, mover
            # A node gets its children at its second visit: most are never visited again.
            fresh = tree[node].count == 0 and tree[node].proven == 0
            if fresh and room and tree[node].visits > 0:
                expand(game, p, node, tree, memory)
            if tree[node].proven != 0:
                value = tree[node].total
                break
            if depth == game.max_plies:
                value = 0.0
                break
            if tree[node].count == 0:
                value = playout(game, p, state, out, prob)
                break
            if kind == CHANCE:
                end = game.chances(p, out, prob, 0)
                node = tree[node].first + drawn_outcome(prob, end, random_unit(state))
            else:
                node = chosen(tree, node, mover, memory)
            p = game.play(p, tree[node].move)
            depth += 1
        back_up(tree, depth, value, memory)
        memory.done += 1
        if memory.done & 15 == 0 and nanoseconds() > memory.deadline:
            memory.stop = 1
        if memory.done >= memory.simulations or memory.stop != 0 or tree[0].proven != 0:
            return


def expand(game: Any, p: Words, node: int, tree: Any, memory: Any) -> None:
    """Makes the children of a node: moves in random order, outcomes of dice in the game's."""
    out, most = memory.out, memory.most
    if game.kind(p) == CHANCE:
        end = game.chances(p, out, memory.prob, 0)
    else:
        end = game.moves(p, out, 0)
        for i in range(end - 1, 0, -1):
            j = random_below(memory.state, i + 1)
            out[i], out[j] = out[j], out[i]
    first = memory.used
    for i in range(end):
        after = game.play(p, out[i])
        is_over = game.kind(after) == TERMINAL
        child = tree[first + i]
        child.total = game.result(after) if is_over else 0.0
        child.move = out[i]
        child.first = 0
        child.count = 0
        child.visits = 0
        child.proven = 1 if is_over else 0
        if abs(child.total) > most:
            memory.beyond = 1
    tree[node].first = first
    tree[node].count = end
    memory.used = first + end
    if game.kind(p) == DECISION:
        prove(tree, node, game.mover(p), most)


def chosen(tree: Any, node: int, mover: int, memory: Any) -> int:
    """The child with the highest upper confidence bound for the mover; one not visited yet first.

    UCB1 as in UCT (Kocsis and Szepesvari 2006, section 2.2): the mean reward in [0, 1] plus
    exploration x sqrt(ln visits of the node / visits of the child). Children that are proven
    losses are left out (Winands et al. 2008, section 3.2); not all are, or the node were proven.
    """
    exploration, stake, most = memory.exploration, memory.stake, memory.most
    sign = 1.0 if mover == 0 else -1.0
    log_visits = math.log(tree[node].visits)
    best, best_bound = -1, -math.inf
    first = tree[node].first
    for i in range(first, first + tree[node].count):
        child = tree[i]
        if child.proven != 0 and sign * child.total <= -most:
            continue
        if child.visits == 0:
            return i
        mean = child.total if child.proven != 0 else child.total / child.visits
        reward = 0.5 + 0.5 * sign * mean / stake
        bound = reward + exploration * math.sqrt(log_visits / child.visits)
        if bound > best_bound:
            best, best_bound = i, bound
    return best


def prove(tree: Any, node: int, mover: int, most: float) -> None:
    """Proves a decision if a move is a proven win, or if all its moves are proven.

    The backup of proven values of Winands et al. 2008, section 3.1, for points as well: the value
    is then that of the best move.
    """
    sign = 1.0 if mover == 0 else -1.0
    best, is_open = -math.inf, False
    first = tree[node].first
    for i in range(first, first + tree[node].count):
        if tree[i].proven == 0:
            is_open = True
        else:
            best = max(best, sign * tree[i].total)
    if best >= most or not is_open:
        tree[node].proven = 1
        tree[node].total = sign * best


def back_up(tree: Any, depth: int, value: float, memory: Any) -> None:
    """Adds the value to every node of the path, the last first, and proves what it settles."""
    for d in range(depth, -1, -1):
        node, mover = memory.nodes[d], memory.movers[d]
        tree[node].visits += 1
        below = tree[memory.nodes[min(d + 1, depth)]]
        if tree[node].proven == 0 and d < depth and mover >= 0 and below.proven != 0:
            prove(tree, node, mover, memory.most)
        if tree[node].proven != 0:
            value = tree[node].total
        else:
            tree[node].total += value


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
    ) -> None:
        """Without any limit it makes 1000 simulations. ``exploration`` weighs the confidence bound
        against a mean reward between 0 and 1. Each of the ``threads`` has a tree of its own; they
        share the simulations."""
        super().__init__(game)
        self._possible(above=0, simulations=simulations, time=time, exploration=exploration)
        self._possible(1, MOST_THREADS, threads=threads)
        self.simulations, self.time, self.exploration = simulations, time, exploration
        self.threads = threads
        unlimited = simulations is None and time is None
        nodes = _DEFAULT_SIMULATIONS if unlimited else simulations
        self.limits = Limits(nodes=nodes, seconds=time)
        self.search = MonteCarlo(game, exploration=exploration, threads=threads or 1)
