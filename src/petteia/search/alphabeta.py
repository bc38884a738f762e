"""Minimax and alpha-beta to a fixed depth, exactly as textbooks have them.

No table, no ordering beyond the game's own, no extensions: the baselines that course reports
describe, at native speed. The searching player is Max; leaves are evaluated for that player.
A stack of plies takes the place of recursion, which the compiler likes better; the recursive
form to read and to compare with is ``search.reference``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.evaluation import Evaluation
from petteia.core.game import TERMINAL, Game
from petteia.core.words import Words
from petteia.search.values import settled_value, terminal_value

__all__ = ["FixedDepthSearch", "Found"]

_INFINITY = 1e18


@dataclass(frozen=True)
class Found:
    """What a search found and what it took."""

    move: int
    """The best move; the first of equals. -1 where there was nothing to choose, or a search was
    stopped before it had finished a move."""
    value: float
    """For the searching player."""
    line: tuple[int, ...]
    interior: int
    """Nodes whose moves were generated, the root included."""
    leaves: int
    """Nodes evaluated at the depth limit, and finished games met before it."""
    finished: int
    """Those leaves at which the game was over."""


class FixedDepthSearch:
    """Minimax, or alpha-beta if ``prune``, of one game with one evaluation."""

    def __init__(self, game: Game, evaluation: Evaluation, *, prune: bool) -> None:
        self.game = game
        self.evaluation = evaluation
        self.prune = prune
        self.counts = np.zeros(5, np.int64)  # interior, leaves, finished, best move, stop
        self._memory: dict[int, tuple[np.ndarray, ...]] = {}  # by depth

    def prepare(self, p: Words) -> None:
        """Compiles the search, without searching."""
        self.run(p, 1, 0, self.evaluation.array)

    def run(self, p: Words, depth: int, searcher: int, weights: np.ndarray, ply: int = 0) -> Found:
        """Searches ``depth`` plies; ``ply`` is how far the position already is from the root."""
        self.counts[:4] = 0, 0, 0, -1
        if depth <= 0 or self.game.kind(p) == TERMINAL:
            value = leaf(self.game, self.evaluation.tag, p, searcher, ply, weights)
            over = int(self.game.kind(p) == TERMINAL)
            return Found(-1, value, (), 0, 1, over)
        if depth not in self._memory:
            self._memory[depth] = (
                np.empty((depth, len(p)), np.uint64),
                np.empty(depth * self.game.max_moves, np.int64),
                np.zeros((depth, 4), np.int64),
                np.zeros((depth, 3), np.float64),
                np.full((depth + 1, depth + 1), -1, np.int64),
            )
        stack, out, frames, bounds, line = self._memory[depth]
        value = search(
            self.game, self.evaluation.tag, p, depth, searcher, ply, int(self.prune), weights,
            stack, out, frames, bounds, line, self.counts,
        )  # fmt: skip
        interior, leaves, finished, move, _ = (int(count) for count in self.counts)
        steps = takewhile(lambda step: step >= 0, line[0].tolist())
        return Found(move, value, tuple(steps), interior, leaves, finished)


@kernel
def leaf(
    game: Any, evaluation: Any, p: Words, searcher: int, ply: int, weights: np.ndarray
) -> float:
    """The value of a position that is not searched further."""
    if game.kind(p) == TERMINAL:
        return terminal_value(game, p, searcher, ply)
    return settled_value(game, evaluation, p, searcher, ply, weights)


@kernel
def search(
    game: Any,
    evaluation: Any,
    root: Words,
    depth: int,
    searcher: int,
    root_ply: int,
    prune: int,
    weights: np.ndarray,
    stack: np.ndarray,
    out: np.ndarray,
    frames: np.ndarray,
    bounds: np.ndarray,
    line: np.ndarray,
    counts: np.ndarray,
) -> float:
    """The value of the root.

    A frame holds the next move, the end of the moves, whether Max moves, and the move being
    searched; bounds hold alpha, beta and the best value so far; ``line`` is a triangle of best
    lines.
    """
    interior, leaves, finished = 1, 0, 0
    ply = 0
    store(stack, 0, root)
    frames[0, 0], frames[0, 1] = 0, game.moves(root, out, 0)
    frames[0, 2] = 1 if game.mover(root) == searcher else 0
    bounds[0, 0], bounds[0, 1] = -_INFINITY, _INFINITY
    bounds[0, 2] = -_INFINITY if frames[0, 2] == 1 else _INFINITY
    line[0, 0] = -1
    value = 0.0
    while True:
        if counts[4] != 0:  # what is not finished says nothing
            value = bounds[0, 2]
            break
        at, end = frames[ply, 0], frames[ply, 1]
        if at < end:
            move = out[at]
            frames[ply, 0] = at + 1
            frames[ply, 3] = move
            child = game.play(load(stack, ply, root), move)
            line[ply + 1, 0] = -1
            if game.kind(child) == TERMINAL:
                finished += 1
                leaves += 1
                value = terminal_value(game, child, searcher, root_ply + ply + 1)
            elif ply + 1 == depth:
                leaves += 1
                value = settled_value(
                    game, evaluation, child, searcher, root_ply + ply + 1, weights
                )
            else:
                interior += 1
                ply += 1
                store(stack, ply, child)
                frames[ply, 0], frames[ply, 1] = end, game.moves(child, out, end)
                frames[ply, 2] = 1 if game.mover(child) == searcher else 0
                bounds[ply, 0], bounds[ply, 1] = bounds[ply - 1, 0], bounds[ply - 1, 1]
                bounds[ply, 2] = -_INFINITY if frames[ply, 2] == 1 else _INFINITY
                continue
        else:
            value = bounds[ply, 2]
            if ply == 0:
                break
            ply -= 1
        better = False
        if frames[ply, 2] == 1:
            if value > bounds[ply, 2]:
                better = True
                bounds[ply, 2] = value
                bounds[ply, 0] = max(bounds[ply, 0], value)
        elif value < bounds[ply, 2]:
            better = True
            bounds[ply, 2] = value
            bounds[ply, 1] = min(bounds[ply, 1], value)
        if better:
            line[ply, 0] = frames[ply, 3]
            i = 0
            while line[ply + 1, i] >= 0:
                line[ply, i + 1] = line[ply + 1, i]
                i += 1
            line[ply, i + 1] = -1
            if prune != 0 and bounds[ply, 0] >= bounds[ply, 1]:
                frames[ply, 0] = frames[ply, 1]
    counts[0], counts[1], counts[2], counts[3] = interior, leaves, finished, line[0, 0]
    return value
