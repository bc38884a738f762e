"""UCT with a solver to read: nodes are objects, and a simulation is one recursion.

It draws its random numbers in the same order as ``search.mcts`` and so builds the same tree.
The formulas and their sources stand there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from petteia.compiled import random_below, random_unit
from petteia.core.game import CHANCE, TERMINAL, Game
from petteia.core.rules import drawn_outcome
from petteia.core.words import Words
from petteia.search.playout import random_line

__all__ = ["Node", "Search", "uct"]


@dataclass
class Node:
    """A position in the tree and what was learned there."""

    p: Words
    move: int = -1
    """The move, or the outcome of the dice, that leads here."""
    visits: int = 0
    total: float = 0.0
    """Points of player 0, summed over the visits."""
    exact: float | None = None
    """The proven points of player 0."""
    children: list[Node] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """What the node is worth to player 0 as far as is known."""
        return self.exact if self.exact is not None else self.total / self.visits


def uct(
    game: Game,
    p: Words,
    simulations: int,
    state: np.ndarray,
    exploration: float = 1.0,
    points: float = 1.0,
) -> Node:
    """The tree after some simulations from a decision; ``state`` is one word of randomness."""
    search = Search(game, state, exploration, points)
    root = Node(p, visits=1)
    for _ in range(simulations):
        search.simulate(root)
        if root.exact is not None:
            break
    return root


@dataclass
class Search:
    """A tree that grows."""

    game: Game
    state: np.ndarray
    exploration: float
    points: float

    def simulate(self, node: Node, depth: int = 0) -> float:
        """Descends to a leaf, plays out, and learns on the way back; the points of player 0."""
        if node.exact is None and not node.children and node.visits > 0:
            self.expand(node)
        if node.exact is not None:
            value = node.exact
        elif depth == self.game.max_plies:
            value = 0.0
        elif not node.children:
            value = self.playout(node.p)
        else:
            value = self.simulate(self.chosen(node), depth + 1)
            node.exact = self.proof(node)
            value = value if node.exact is None else node.exact
        node.visits += 1
        node.total += value
        return value

    def expand(self, node: Node) -> None:
        """Makes the children: moves in random order, outcomes of dice in the game's."""
        if self.game.kind(node.p) == CHANCE:
            moves = [outcome for outcome, _ in self.game.outcomes(node.p)]
        else:
            moves = self.game.legal_moves(node.p)
            for i in reversed(range(1, len(moves))):
                j = random_below(self.state, i + 1)
                moves[i], moves[j] = moves[j], moves[i]
        node.children = [Node(self.game.play(node.p, move), move) for move in moves]
        for child in node.children:
            if self.game.kind(child.p) == TERMINAL:
                child.exact = float(self.game.result(child.p))
        node.exact = self.proof(node)

    def chosen(self, node: Node) -> Node:
        """Where to go on: by the dice, to a child not visited yet, or by the confidence bounds."""
        if self.game.kind(node.p) == CHANCE:
            chances = np.array([chance for _, chance in self.game.outcomes(node.p)])
            return node.children[drawn_outcome(chances, len(chances), random_unit(self.state))]
        sign = self.sign(node)
        open_children = [
            child
            for child in node.children
            if child.exact is None or sign * child.exact > -self.points
        ]
        for child in open_children:
            if child.visits == 0:
                return child
        return max(open_children, key=lambda child: self.bound(node, child))

    def bound(self, node: Node, child: Node) -> float:
        """The upper confidence bound of the mean reward in [0, 1]."""
        reward = 0.5 + 0.5 * self.sign(node) * child.mean / self.points
        return reward + self.exploration * math.sqrt(math.log(node.visits) / child.visits)

    def proof(self, node: Node) -> float | None:
        """The value of a decision with a proven win, or whose moves are all proven."""
        if self.game.kind(node.p) == CHANCE:
            return None
        sign = self.sign(node)
        values = [sign * child.exact for child in node.children if child.exact is not None]
        if len(values) == len(node.children) or max(values, default=-math.inf) >= self.points:
            return sign * max(values)
        return None

    def playout(self, p: Words) -> float:
        """The points of player 0 after random play."""
        out = np.empty(2 * self.game.max_moves, np.int64)
        prob = np.empty(2 * self.game.max_moves, np.float64)
        return random_line(self.game, p, self.state, out, prob)[0]

    def sign(self, node: Node) -> float:
        """Player 0 wants many points, player 1 few."""
        return 1.0 if self.game.mover(node.p) == 0 else -1.0
