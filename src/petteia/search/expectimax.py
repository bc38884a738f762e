"""Expectiminimax: the tree search for games with dice.

The depth counts moves; throws of the dice are averaged over and do not count. Star1 and Star2
(Ballard 1983, Hauk, Buro and Schaeffer 2004) leave out what cannot matter: at a chance node the
values of the outcomes that are still unknown lie between the worst and the best end of the game,
which bounds the mean; Star2 first asks every outcome for one good move, which bounds it better.

Values speak for the searching player. They are rounded to single precision at every node, as the
table keeps them, so that a search gives the same value with any table. The form to read is
``search.reference.expectimax``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, words_at
from petteia.core.errors import PetteiaError, one_of
from petteia.core.evaluation import Evaluation
from petteia.core.game import CHANCE, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.pvs import pick
from petteia.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    Table,
    bound_of,
    depth_of,
    key_of,
    probe,
    remember,
    value_of,
)
from petteia.search.values import WIN

__all__ = ["DEEPEST", "PRUNINGS", "Expected", "Expectimax"]

PRUNINGS = ("none", "star1", "star2")
DEEPEST = 30
_MOVES = 1 << 16
_MOST_WEIGHTS = 1 << 10
_INFINITY = 1e18

_WORKSPACE = np.dtype(
    [
        ("stop", np.int64),  # set from outside
        ("interior", np.int64),
        ("leaves", np.int64),
        ("searcher", np.int64),
        ("only_first", np.int64),  # tells the next decision to look at one move alone
        ("star", np.int64),  # the place of the pruning in PRUNINGS
        ("table", np.int64),  # address, or 0 for none
        ("mask", np.int64),
        ("generation", np.int64),
        ("salt", np.uint64),
        ("point", np.float64),  # what a point at the end is worth, or 0: more than everything
        ("bound", np.float64),  # no value is further from 0
        ("limit", np.float64),  # the same, with room for rounding
        ("beyond", np.float64),  # a value that was met beyond it, or 0
        ("no_room", np.int64),  # whether so many throws followed one another that none was left
        ("depth", np.int64),  # of the root
        ("weights", np.float64, (_MOST_WEIGHTS,)),
        ("moves", np.int64, (_MOVES,)),
        ("order", np.int64, (_MOVES,)),
        ("chance", np.float64, (_MOVES,)),
        ("low", np.float64, (_MOVES,)),
        ("high", np.float64, (_MOVES,)),
        ("values", np.float64, (_MOVES,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class Expected:
    """What a search found and what it took."""

    moves: tuple[int, ...]
    """The root's moves, in the order of the rules; those that were searched to the end."""
    values: tuple[float, ...]
    """Their values for the searcher; where moves were compared, a poorer one has only a bound."""
    interior: int
    leaves: int
    seconds: float

    @property
    def best(self) -> int:
        """The place of the best move, the first of equals."""
        return max(range(len(self.values)), key=lambda place: self.values[place])


class Expectimax:
    """A search of one game with one evaluation, and its memory."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        prune: str = "star2",
        table_bits: int | None = 18,
    ) -> None:
        if prune not in PRUNINGS:
            raise one_of(prune, PRUNINGS, what="pruning")
        if len(evaluation.weights) > _MOST_WEIGHTS:
            raise PetteiaError(
                f"evaluation {evaluation.name} has more than {_MOST_WEIGHTS} weights"
            )
        self.game = game
        self.evaluation = evaluation
        self.table = None if table_bits is None else Table(table_bits)
        self._memory = np.zeros(1, _WORKSPACE).view(np.recarray)
        self.ws: Any = self._memory[0]
        self.ws["star"] = PRUNINGS.index(prune)
        point = evaluation.point or 0.0
        self.ws["point"] = point
        self.ws["bound"] = game.most_points * (point or WIN)
        # A millionth for the rounding of evaluations that add probabilities up.
        self.ws["limit"] = self.ws["bound"] * (1 + 1e-6)

    @property
    def nodes(self) -> int:
        """All nodes of the last search."""
        return int(self.ws["interior"] + self.ws["leaves"])

    def new_game(self) -> None:
        """Forgets everything."""
        if self.table is not None:
            self.table.new_generation()

    def stop(self) -> None:
        """Ends a running search soon. Any thread may call it."""
        self.ws["stop"] = 1

    def _begin(self, depth: int, searcher: int, weights: np.ndarray) -> None:
        if (2 * depth + 2) * self.game.max_moves > _MOVES:
            most = _MOVES // (2 * self.game.max_moves) - 1
            raise PetteiaError(f"depth={depth} is too deep for {self.game}; at most {most}")
        ws = self.ws
        ws["stop"], ws["interior"], ws["leaves"] = 0, 0, 0
        ws["beyond"], ws["no_room"] = 0.0, 0
        ws["searcher"], ws["depth"] = searcher, depth
        ws["weights"][: len(weights)] = weights
        if self.table is not None:
            ws["table"], ws["mask"] = self.table.address, self.table.mask
            ws["generation"] = self.table.generation
            # Values belong to one searcher, root depth and set of weights.
            ws["salt"] = np.uint64(derive(searcher, depth, weights.tobytes().hex()))

    def search(
        self, p: Words, depth: int, searcher: int, weights: np.ndarray, *, every: bool = False
    ) -> Expected:
        """The moves of a decision with their values; ``every`` asks for each its exact value."""
        self._begin(depth, searcher, weights)
        started = time.perf_counter()
        count = root_moves(self.game, self.evaluation.tag, p, depth, int(every), self.ws)
        self._refuse_nonsense()
        moves = tuple(int(move) for move in self.ws["moves"][:count])
        values = tuple(float(value) for value in self.ws["values"][:count])
        return Expected(
            moves, values, int(self.ws["interior"]), int(self.ws["leaves"]),
            time.perf_counter() - started,
        )  # fmt: skip

    def value(self, p: Words, depth: int, searcher: int, weights: np.ndarray) -> float:
        """The value of any position, for instance before the dice are thrown."""
        self._begin(depth, searcher, weights)
        value = root_value(self.game, self.evaluation.tag, p, depth, self.ws)
        self._refuse_nonsense()
        return value

    def _refuse_nonsense(self) -> None:
        """A search that met what cannot be says so, instead of giving a value."""
        game, point = self.game.spec.name, self.evaluation.point or WIN
        if self.ws["no_room"]:
            raise PetteiaError(f"{game}: throws of the dice follow one another without an end")
        if self.ws["beyond"] and self.ws["star"]:
            raise PetteiaError(
                f"{game}: a value of {float(self.ws['beyond']) / point:g} points was met, but "
                f"most_points is {self.game.most_points:g} (evaluation {self.evaluation.name})"
            )


def single(value: float) -> float:
    """Kernel: a value rounded to single precision."""
    return np.float64(np.float32(value))


def end_value(game: Any, p: Words, depth: int, ws: Any) -> float:
    """Kernel: the value of a finished game; without a scale a quicker win is worth more."""
    points = game.result(p)
    value = points * ws.point
    if ws.point == 0.0:
        value = points * (WIN - np.float64(ws.depth - depth))
    return value if ws.searcher == 0 else -value


def expect(
    game: Any,
    evaluation: Any,
    p: Words,
    depth: int,
    alpha: float,
    beta: float,
    at: int,
    ws: Any,
) -> float:
    """Kernel: the value of a position for the searcher, if it lies between alpha and beta.

    Otherwise a bound on the same side.
    """
    only_first = ws.only_first
    ws.only_first = 0
    kind = game.kind(p)
    if kind == TERMINAL or depth == 0:
        ws.leaves += 1
        if kind == TERMINAL:
            value = end_value(game, p, depth, ws)
        else:
            value = evaluation.value(game, p, np.int64(ws.searcher), ws.weights)
        if abs(value) > ws.limit:
            ws.beyond = value
        return single(value)
    if ws.stop != 0:
        return 0.0
    ws.interior += 1

    if kind != CHANCE:
        end = game.moves(p, ws.moves, at)
        ordered = ws.star != 0 and depth > 1
        if ordered:
            for i in range(at, end):
                ws.order[i] = (game.priority(p, ws.moves[i]) << 16) | (65535 - (i - at))
        maximise = game.mover(p) == ws.searcher
        best = -_INFINITY if maximise else _INFINITY
        for k in range(at, end):
            place = k
            if ordered:
                pick(ws, k, end)
                place = at + 65535 - (ws.order[k] & 65535)
            after = game.play(p, ws.moves[place])
            value = expect(game, evaluation, after, depth - 1, alpha, beta, end, ws)
            if maximise:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if ws.star != 0 and alpha >= beta:
                break
            if only_first != 0:
                break
        return best

    key = np.uint64(0)
    if ws.table != 0:
        key = key_of(p, ws.salt)
        entry = probe(words_at(ws.table, 2 * (ws.mask + 1)), ws.mask, key, ws.generation)
        if entry != np.uint64(0) and depth_of(entry) == depth:
            value, bound = value_of(entry), bound_of(entry)
            if (
                bound == EXACT
                or (bound == AT_LEAST and value >= beta)
                or (bound == AT_MOST and value <= alpha)
            ):
                return value

    if at + game.max_moves > _MOVES:
        ws.no_room = ws.stop = 1
        return 0.0
    end = game.chances(p, ws.moves, ws.chance, at)
    low, high = -ws.bound, ws.bound  # of the mean, as far as it is known
    for i in range(at, end):
        ws.low[i], ws.high[i] = -ws.bound, ws.bound
    value, bound = 0.0, EXACT

    if ws.star == 2 and depth > 1:
        for i in range(at, end):
            child = game.play(p, ws.moves[i])
            chance = ws.chance[i]
            if game.kind(child) == TERMINAL or game.kind(child) == CHANCE:
                continue
            ws.only_first = 1
            if game.mover(child) == ws.searcher:
                most = (beta - (low - chance * ws.low[i])) / chance
                found = expect(game, evaluation, child, depth, -_INFINITY, most, end, ws)
                low += chance * (found - ws.low[i])
                ws.low[i] = found
            else:
                least = (alpha - (high - chance * ws.high[i])) / chance
                found = expect(game, evaluation, child, depth, least, _INFINITY, end, ws)
                high += chance * (found - ws.high[i])
                ws.high[i] = found
            if low >= beta:
                value, bound = low, AT_LEAST
                break
            if high <= alpha:
                value, bound = high, AT_MOST
                break

    if bound == EXACT:
        for i in range(at, end):
            chance = ws.chance[i]
            least, most = -_INFINITY, _INFINITY
            if ws.star != 0:
                least = (alpha - (high - chance * ws.high[i])) / chance
                most = (beta - (low - chance * ws.low[i])) / chance
            child = game.play(p, ws.moves[i])
            found = expect(game, evaluation, child, depth, least, most, end, ws)
            low += chance * (found - ws.low[i])
            high += chance * (found - ws.high[i])
            if found >= most:
                value, bound = low, AT_LEAST
                break
            if found <= least:
                value, bound = high, AT_MOST
                break
            value += chance * found
    value = single(value)
    if ws.table != 0 and ws.stop == 0:
        table = words_at(ws.table, 2 * (ws.mask + 1))
        remember(table, ws.mask, key, ws.generation, value, depth, bound, -1)
    return value


@kernel
def root_value(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The exact value of a position for the searcher."""
    return expect(game, evaluation, p, depth, -_INFINITY, _INFINITY, 0, ws)


@kernel
def root_moves(game: Any, evaluation: Any, p: Words, depth: int, every: int, ws: Any) -> int:
    """Writes the root's moves and their values; returns how many were searched to the end."""
    end = game.moves(p, ws.moves, 0)
    ws.interior += 1
    best = -_INFINITY
    for i in range(end):
        after = game.play(p, ws.moves[i])
        alpha = best if every == 0 and ws.star != 0 else -_INFINITY
        value = expect(game, evaluation, after, depth - 1, alpha, _INFINITY, end, ws)
        if ws.stop != 0 and i > 0:
            return i
        ws.values[i] = value
        best = max(best, value)
    return end
