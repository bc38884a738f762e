"""UCT whose random games come in batches: from many leaves at once, several from each, on all
processors or a GPU.

A pass collects leaves one after another. On the way to each, every choice counts as lost until the
leaf's games are known (a *virtual loss*), so that the next way is another. While the games of one
pass are played, the leaves of the next are collected. Which games are played depends on the seed
and on nothing else: a GPU grows the same tree as a processor.

    G. Chaslot, M. Winands and J. van den Herik, Parallel Monte-Carlo Tree Search, CG 2008

The form to read and to compare with is ``search.reference_leaves``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import DEVICES, Batch, kernel, load, nanoseconds, random_unit, signed, store
from petteia.core import spec as specs
from petteia.core.errors import PetteiaError, one_of
from petteia.core.game import CHANCE, DECISION, Game
from petteia.core.gpu import cupy_for
from petteia.core.rules import drawn_outcome
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.chance import nth_word
from petteia.search.mcts_tree import chosen, expand, plant, prove
from petteia.search.playout import playout_memory, random_line

__all__ = ["DEEPEST", "LeafGames", "LeafPlan", "Leaves", "absorb", "collect", "planned"]

_MOST = 1 << 16
DEEPEST = 255
"""A way through the tree ends here at the latest, and random games begin."""


class LeafPlan(NamedTuple):
    """How random games are played in batches."""

    device: str
    leaves: int
    """So many ways through the tree a pass."""
    games: int
    """So many random games from each."""


def planned(playouts: Spec) -> LeafPlan:
    """The plan that a spec names: ``gpu(leaves=512, games=32)``, or the same of ``cpu``."""
    if playouts.name not in DEVICES:
        raise one_of(playouts.name, DEVICES, what="place for playouts")

    def plan(leaves: int = 512, games: int = 32) -> LeafPlan:
        if not (1 <= leaves <= _MOST and 1 <= games <= _MOST):
            raise PetteiaError(
                f"playouts: leaves={leaves}, games={games} is not possible; 1 to {_MOST} of each"
            )
        return LeafPlan(playouts.name, leaves, games)

    found: LeafPlan = specs.build(plan, playouts, what="playouts")
    return found


class Leaves(NamedTuple):
    """The leaves of a pass, as kernels see them."""

    positions: np.ndarray
    """(leaves, words)"""
    depth: np.ndarray
    nodes: np.ndarray
    """(leaves, depth + 1): the way to each, from the root on."""
    movers: np.ndarray
    """Who chose there; -1 for the dice."""
    points: np.ndarray
    """(leaves, games), of player 0."""


class LeafGames:
    """Plays the random games of leaves; the same ones everywhere."""

    def __init__(self, game: Game, plan: LeafPlan) -> None:
        self.game, self.plan = game, plan
        self.threads = 1
        self.batch = Batch(game_of_leaf, playout_memory(game))
        self.library: Any = np
        if plan.device == "gpu":
            self.library = cupy_for("mcts", "playouts=cpu plays them here")
        self._launch: Any = None
        made = self.library
        self._positions = made.zeros((plan.leaves, len(game.start())), np.uint64)
        self._points = made.zeros((plan.leaves, plan.games), np.float64)
        self._whence = made.zeros(2, np.uint64)

    def new_leaves(self) -> Leaves:
        count, games = self.plan.leaves, self.plan.games
        return Leaves(
            np.zeros((count, len(self.game.start())), np.uint64),
            np.zeros(count, np.int64),
            np.zeros((count, DEEPEST + 1), np.int64),
            np.zeros((count, DEEPEST + 1), np.int64),
            np.zeros((count, games)),
        )

    def begin(self, leaves: Leaves, count: int, seed: int, before: int) -> Callable[[], None]:
        """Begins the games of the first ``count`` leaves, after so many ``before`` them; what it
        returns waits until they are known."""
        pieces, whence = count * self.plan.games, np.array([seed, before], np.uint64)
        if self.library is np:
            args = self.game, leaves.positions, whence, leaves.points
            self.batch(pieces, *args, threads=self.threads)
            return lambda: None
        self._positions.set(leaves.positions)
        self._whence.set(whence)
        if self._launch is None:
            from petteia.compiled.cuda import Launch

            args = self.game, self._positions, self._whence, self._points
            self._launch = Launch(self.batch, args)
        self._launch(pieces)

        def wait() -> None:
            self._launch.finish()
            self._points.get(out=leaves.points)

        return wait


def game_of_leaf(
    i: int, memory: Any, game: Any, positions: np.ndarray, whence: np.ndarray, points: np.ndarray
) -> None:
    """Piece ``i``: a random game from leaf ``i // games``."""
    games = points.shape[1]
    leaf = i // games
    memory.state[0] = nth_word(whence[0], signed(whence[1]) + i)
    p = load(positions, leaf, game.start())
    points[leaf, i - leaf * games] = random_line(game, p, memory.state, memory.out, memory.prob)[0]


@kernel
def collect(game: Any, root: Words, tree: Any, memory: Any, leaves: Leaves) -> int:
    """Collects leaves until there are enough, or simulations or time are used up, or the tree has
    no room though it may grow; returns how many."""
    if memory.used == 0:
        plant(tree, memory)
    games, count, ways = leaves.points.shape[1], 0, 0
    while count < len(leaves.positions):
        if memory.made >= memory.simulations or memory.stop != 0 or tree[0].proven != 0:
            break
        room = memory.used + game.max_moves <= len(tree)
        if not room and memory.may_grow != 0:
            break
        p = descend(game, root, tree, memory, leaves, count, room)
        node = leaves.nodes[count, leaves.depth[count]]
        memory.made += games
        if tree[node].proven != 0:
            give_back(tree, leaves, count, tree[node].total, memory)
        else:
            store(leaves.positions, count, p)
            count += 1
        ways += 1
        if ways & 15 == 0 and nanoseconds() > memory.deadline:
            memory.stop = 1
    return count


def descend(
    game: Any, root: Words, tree: Any, memory: Any, leaves: Leaves, row: int, room: bool
) -> Words:
    """Goes to a leaf, or to a node that is proven; every choice on the way is lost for now."""
    games, depth, node, p = leaves.points.shape[1], 0, 0, root
    while True:
        kind = game.kind(p)
        mover = game.mover(p) if kind == DECISION else -1
        leaves.nodes[row, depth], leaves.movers[row, depth] = node, mover
        if tree[node].count == 0 and tree[node].proven == 0 and room and tree[node].visits > 0:
            expand(game, p, node, tree, memory)
        tree[node].visits += games
        if tree[node].proven != 0 or tree[node].count == 0 or depth == DEEPEST:
            leaves.depth[row] = depth
            return p
        if kind == CHANCE:
            end = game.chances(p, memory.out, memory.prob, 0)
            unit = random_unit(memory.state)
            node = tree[node].first + drawn_outcome(memory.prob, end, unit)
        else:
            node = chosen(tree, node, mover, memory)
            if tree[node].proven == 0:
                tree[node].total -= loss(mover, games, memory)
        p = game.play(p, tree[node].move)
        depth += 1


def loss(mover: int, games: int, memory: Any) -> float:
    """What a player's choice costs until its games are known, in points of player 0."""
    if mover < 0:
        return 0.0
    return games * memory.stake if mover == 0 else -games * memory.stake


def give_back(tree: Any, leaves: Leaves, row: int, value: float, memory: Any) -> None:
    """Adds the mean points of a leaf's games on the way to it, the last first, takes the losses
    away, and proves what it settles."""
    games, depth = leaves.points.shape[1], leaves.depth[row]
    for d in range(depth, -1, -1):
        node, mover = leaves.nodes[row, d], leaves.movers[row, d]
        below = tree[leaves.nodes[row, min(d + 1, depth)]]
        if tree[node].proven == 0 and d < depth and mover >= 0 and below.proven != 0:
            prove(tree, node, mover, memory.most)
        if tree[node].proven != 0:
            value = tree[node].total
        else:
            tree[node].total += games * value
            if d > 0:
                tree[node].total += loss(leaves.movers[row, d - 1], games, memory)


@kernel
def absorb(tree: Any, memory: Any, leaves: Leaves, count: int) -> None:
    """Learns from the games of leaves."""
    for row in range(count):
        total = 0.0
        for i in range(leaves.points.shape[1]):
            total += leaves.points[row, i]
        give_back(tree, leaves, row, total / leaves.points.shape[1], memory)
