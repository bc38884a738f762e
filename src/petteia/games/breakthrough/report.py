"""The course report's search as it is printed, with each of its defects as a switch.

1. Its Min nodes never lower beta (the comparison is the wrong way round), so that Max nodes never
   cut. ``lowers_beta=true`` corrects it.
2. It looks for its depth limit only, never for the end of the game. ``sees_ends=true``.
3. Its root takes the last move whose value is at least the best so far; under pruning that value
   may be a mere bound. ``strict=true`` takes the first of the best.
4. It scans the board without any thought of order, from the top row to judge by its counts.
   ``order=captures`` takes captures and advances first; ``order=bottom`` scans the other way.

``prune=false`` is the report's minimax, which shares 2, 3 and 4. Past the end of a game its search
plays on with whoever can still move; who cannot is worth minus or plus infinity, as printed.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.agent import ANY, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluations import evaluation_for, weights_for_move
from petteia.core.game import TERMINAL, Game
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.values import terminal_value

__all__ = ["ORDERS", "AsPrinted"]

ORDERS = ("top", "bottom", "captures")
_INFINITY = 1e18
_DEEPEST = 12


class AsPrinted(EvaluatingAgent):
    """The report's alpha-beta, defects and all; each can be switched off."""

    name = "alphabeta_as_printed"
    about = "the report's alpha-beta with its four defects; each can be switched off"
    for_visitors = at_most(depth=10, order=ANY)

    def __init__(
        self,
        game: Game,
        depth: int = 5,
        eval: Spec | None = None,
        lowers_beta: bool = False,
        sees_ends: bool = False,
        strict: bool = False,
        order: str = "top",
        prune: bool = True,
    ) -> None:
        super().__init__(game)
        if not 1 <= depth <= _DEEPEST:
            raise PetteiaError(f"agent {self.name}: depth={depth} is not possible; 1 to {_DEEPEST}")
        if order not in ORDERS:
            raise PetteiaError(
                f"agent {self.name}: order={order} is not possible; {', '.join(ORDERS)}"
            )
        self.depth, self.eval, self.order = depth, eval, order
        self.lowers_beta, self.sees_ends, self.strict = lowers_beta, sees_ends, strict
        self.prune = prune
        self.evaluation = evaluation_for(game, eval, default="offensive2")
        self._switches = np.array(
            [lowers_beta, sees_ends, strict, ORDERS.index(order), prune], np.int64
        )
        self._counts = np.zeros(5, np.int64)  # interior, leaves, best move, stop, unused
        self._stack = np.empty((depth + 1, len(game.start())), np.uint64)
        self._out = np.empty((depth + 1) * game.max_moves, np.int64)
        self._frames = np.zeros((depth + 1, 3), np.int64)
        self._bounds = np.zeros((depth + 1, 3), np.float64)

    def _search(self, p: Words, depth: int, searcher: int, weights: np.ndarray) -> float:
        return search(
            self.game, self.evaluation.tag, p, depth, searcher, self._switches, weights,
            self._stack, self._out, self._frames, self._bounds, self._counts,
        )  # fmt: skip

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        self._counts[:4] = 0, 0, -1, 0
        value = self._search(
            p, self.depth, int(self.game.mover(p)), weights_for_move(self.evaluation, seed)
        )
        move = int(self._counts[2])
        return Decision(
            move, value, (move,), self.depth, int(self._counts[0]), int(self._counts[1]),
            time.perf_counter() - started,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        """Each move searched on its own, so that no value is a bound."""
        searcher, weights = int(self.game.mover(p)), weights_for_move(self.evaluation, seed)
        self._counts[:4] = 0, 0, -1, 0
        found = []
        for move in self.game.legal_moves(p):
            after = self.game.play(p, move)
            if self.depth == 1 or (self.sees_ends and self.game.kind(after) == TERMINAL):
                value = leaf(
                    self.game, self.evaluation.tag, after, searcher, self._switches, weights
                )
            else:
                value = self._search(after, self.depth - 1, searcher, weights)
            found.append(MoveValue(move, value, (move,)))
        return sorted(found, key=lambda item: -(item.value or 0.0))

    def prepare(self, p: Words) -> None:
        self._counts[3] = 1
        self._search(p, self.depth, int(self.game.mover(p)), self.evaluation.array)

    def stop(self) -> None:
        self._counts[3] = 1


def rank(game: Any, p: Words, move: int, order: int) -> int:
    """How late a move comes in an order."""
    source, target = move >> 6, move & 63
    if order == 2:
        return -game.priority(p, move)
    row, column = source // game.columns, source % game.columns
    if order == 0:
        row = game.rows - 1 - row
    return (row * game.columns + column) * 4 + target % game.columns - column + 1


def sort_moves(game: Any, p: Words, out: np.ndarray, at: int, end: int, order: int) -> None:
    """Brings a list of moves into an order; equals stay as they were."""
    for i in range(at, end):  # rank, place and move in one number
        out[i] |= (rank(game, p, out[i], order) + 4096) << 20 | (i - at) << 12
        moved, j = out[i], i
        while j > at and out[j - 1] > moved:
            out[j] = out[j - 1]
            j -= 1
        out[j] = moved
    for i in range(at, end):
        out[i] &= 4095


@kernel
def leaf(
    game: Any, evaluation: Any, p: Words, searcher: int, switches: np.ndarray, weights: np.ndarray
) -> float:
    """The value of a position that is not searched further."""
    if switches[1] != 0 and game.kind(p) == TERMINAL:
        return terminal_value(game, p, searcher, 0)
    return evaluation.value(game, p, searcher, weights)


@kernel
def search(
    game: Any,
    evaluation: Any,
    root: Words,
    depth: int,
    searcher: int,
    switches: np.ndarray,
    weights: np.ndarray,
    stack: np.ndarray,
    out: np.ndarray,
    frames: np.ndarray,
    bounds: np.ndarray,
    counts: np.ndarray,
) -> float:
    """The value of the root for the searcher, who is Max; the move stands in ``counts``.

    A frame holds the next move, the end of the moves and whether Max moves; bounds hold alpha, beta
    and the best value so far.
    """
    lowers_beta, sees_ends, strict = switches[0] != 0, switches[1] != 0, switches[2] != 0
    order, prune = switches[3], switches[4] != 0
    ply, interior, leaves = 0, 1, 0
    store(stack, 0, root)
    frames[0, 0], frames[0, 1] = 0, game.moves(root, out, 0)
    sort_moves(game, root, out, 0, frames[0, 1], order)
    frames[0, 2] = 1 if game.mover(root) == searcher else 0
    bounds[0, 0], bounds[0, 1] = -_INFINITY, _INFINITY
    bounds[0, 2] = -_INFINITY if frames[0, 2] == 1 else _INFINITY
    value = 0.0
    while counts[3] == 0:
        at, end = frames[ply, 0], frames[ply, 1]
        if at < end:
            frames[ply, 0] = at + 1
            child = game.play(load(stack, ply, root), out[at])
            if sees_ends and game.kind(child) == TERMINAL:
                leaves += 1
                value = terminal_value(game, child, searcher, ply + 1)
            elif ply + 1 == depth:
                leaves += 1
                value = evaluation.value(game, child, searcher, weights)
            else:
                interior += 1
                ply += 1
                store(stack, ply, child)
                frames[ply, 0], frames[ply, 1] = end, game.moves(child, out, end)
                sort_moves(game, child, out, end, frames[ply, 1], order)
                frames[ply, 2] = 1 if game.mover(child) == searcher else 0
                bounds[ply, 0], bounds[ply, 1] = bounds[ply - 1, 0], bounds[ply - 1, 1]
                bounds[ply, 2] = -_INFINITY if frames[ply, 2] == 1 else _INFINITY
                continue
        else:
            value = bounds[ply, 2]
            if ply == 0:
                break
            ply -= 1
        if frames[ply, 2] == 1:
            if value > bounds[ply, 2] or (not strict and value == bounds[ply, 2]):
                if ply == 0:
                    counts[2] = out[frames[0, 0] - 1]
                bounds[ply, 2] = value
            bounds[ply, 0] = max(bounds[ply, 0], value)
        else:
            bounds[ply, 2] = min(bounds[ply, 2], value)
            if lowers_beta:
                bounds[ply, 1] = min(bounds[ply, 1], value)
        if prune:
            # As printed: Max looks at beta, Min at alpha.
            best = bounds[ply, 2]
            done = best >= bounds[ply, 1] if frames[ply, 2] == 1 else best <= bounds[ply, 0]
            if done:
                frames[ply, 0] = frames[ply, 1]
    counts[0], counts[1] = interior, leaves
    if counts[2] < 0:
        counts[2] = out[0]
    return value if counts[3] == 0 else bounds[0, 2]
