"""UCT with random games in batches, to read: nodes are objects.

It draws its random numbers in the same order as ``search.mcts_leaves`` and so builds the same tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petteia.compiled import random_unit
from petteia.core.game import CHANCE, Game
from petteia.core.rules import drawn_outcome
from petteia.core.words import Words
from petteia.search.chance import nth_word
from petteia.search.playout import random_line
from petteia.search.reference_mcts import Node, Search

__all__ = ["uct_by_leaves"]


def uct_by_leaves(
    game: Game, p: Words, simulations: int, state: np.ndarray, seed: int, *, leaves: int, games: int
) -> Node:
    """The tree after some simulations; ``state`` is the tree's randomness, ``seed`` that of the
    random games."""
    search = _Batches(game, state, 1.0, float(game.most_points), leaves=leaves, games=games)
    root = Node(p, visits=1)
    last: list[list[Node]] = []
    while True:
        now = search.collect(root, simulations)
        for path in last:
            search.give_back(path, search.brought(path, seed))
        if not now and (search.made >= simulations or root.exact is not None):
            return root
        last = now


@dataclass
class _Batches(Search):
    leaves: int
    games: int
    made: int = 0
    played: int = 0

    def collect(self, root: Node, simulations: int) -> list[list[Node]]:
        """The ways to the leaves of a pass."""
        paths: list[list[Node]] = []
        while len(paths) < self.leaves and self.made < simulations and root.exact is None:
            path = self.descend(root)
            self.made += self.games
            if path[-1].exact is None:
                paths.append(path)
            else:
                self.give_back(path, path[-1].exact)
        return paths

    def descend(self, node: Node) -> list[Node]:
        """The nodes to a leaf; every choice on the way is lost for now."""
        path = [node]
        while True:
            if node.exact is None and not node.children and node.visits > 0:
                self.expand(node)
            node.visits += self.games
            if node.exact is not None or not node.children:
                return path
            if self.game.kind(node.p) == CHANCE:
                chances = np.array([chance for _, chance in self.game.outcomes(node.p)])
                fell = drawn_outcome(chances, len(chances), random_unit(self.state))
                node = node.children[fell]
            else:
                loss = self.games * self.points * self.sign(node)
                node = self.chosen(node)
                if node.exact is None:
                    node.total -= loss
            path.append(node)

    def brought(self, path: list[Node], seed: int) -> float:
        """The mean of a leaf's games."""
        size = 2 * self.game.max_moves
        out, prob, total = np.empty(size, np.int64), np.empty(size, np.float64), 0.0
        for _ in range(self.games):
            state = np.array([nth_word(np.uint64(seed), self.played)], np.uint64)
            total += random_line(self.game, path[-1].p, state, out, prob)[0]
            self.played += 1
        return total / self.games

    def give_back(self, path: list[Node], value: float) -> None:
        """Adds what a way brought, and takes its losses away."""
        for d in reversed(range(len(path))):
            node = path[d]
            if node.exact is None and d < len(path) - 1 and path[d + 1].exact is not None:
                node.exact = self.proof(node)
            if node.exact is not None:
                value = node.exact
                continue
            node.total += self.games * value
            if d > 0 and self.game.kind(path[d - 1].p) != CHANCE:
                node.total += self.games * self.points * self.sign(path[d - 1])
