"""Our engine: iterative deepening with aspiration windows around ``search.pvs``."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.pvs import (
    MAX_PAST,
    MAX_PLY,
    MAX_WEIGHTS,
    WORKSPACE,
    identity_key,
    root_search,
)
from petteia.search.stepper import stepper_of
from petteia.search.table import Table
from petteia.search.values import is_decided, plies_to_end

__all__ = ["Engine", "Limits", "Progress", "Ranked"]

Ranked: TypeAlias = tuple[int, float, tuple[int, ...]]
"""A move, its value for the mover, and its line."""

_INFINITY = 1e18
_FIRST_WINDOW = 0.02  # of the largest evaluation met; each failure opens it four times as wide


@dataclass(frozen=True)
class Limits:
    """When a search ends: whichever comes first."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    time: float | None = None
    """Seconds."""


@dataclass(frozen=True)
class Progress:
    """What is known after a depth, or at the end of a search."""

    move: int
    value: float
    """For the mover."""
    line: tuple[int, ...]
    depth: int
    nodes: int
    leaves: int
    seconds: float


class Engine:
    """A search of one game with one evaluation, and its memory."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation,
        *,
        table_bits: int = 20,
        reduce: bool = True,
        exact: bool = False,
    ) -> None:
        """``exact`` lets it look into the game's exact tables, as far as there are any."""
        if len(evaluation.weights) > MAX_WEIGHTS:
            raise PetteiaError(f"evaluation {evaluation.name} has more than {MAX_WEIGHTS} weights")
        self.game = game
        self.evaluation = evaluation
        self.table = Table(table_bits)
        self._memory = np.zeros(1, WORKSPACE).view(np.recarray)
        self.ws: Any = self._memory[0]
        self.ws["reduce"] = int(reduce)
        self._exact = game.exact_tables() if exact else None  # kept, so that its address stays
        if self._exact is not None:
            self.ws["exact"] = self._exact.__array_interface__["data"][0]
        self._is_ready = False
        self._keys: dict[Words, np.uint64] = {}

    def new_game(self) -> None:
        """Forgets everything."""
        self._keys.clear()
        self.table.new_generation()
        self.ws["killers"] = 0
        self.ws["history"] = 0

    def prepare(self, p: Words) -> None:
        """Compiles the search, without searching, so that clocks measure only the search."""
        if not self._is_ready:
            self.ws["stop"] = 1
            self._root_search(p, 1, -_INFINITY, _INFINITY, 0, 1)
            stepper_of(self.game).look(p)
            self._is_ready = True

    def stop(self) -> None:
        """Ends a running search soon. Any thread may call it."""
        self.ws["stop"] = 1

    def search(
        self,
        p: Words,
        limits: Limits,
        weights: np.ndarray,
        on_depth: Callable[[Progress], None] | None = None,
        earlier: Sequence[Words] = (),
    ) -> Progress:
        """The best move within the limits; the result of the last depth that said something.

        ``earlier`` are the positions before this one, for rules that look back.
        """
        with self._run(p, limits, weights, earlier) as started:
            count = int(self.ws["roots"])
            found: Progress | None = None
            value, width = 0.0, _INFINITY
            for depth in range(1, min(limits.depth or MAX_PLY, MAX_PLY - 20) + 1):
                value = self._aspire(p, depth, value, width, count)
                if self.ws["best"] >= 0:
                    found = self._progress(value, depth, started)
                    self._bring_forward(int(self.ws["best"]))
                    if on_depth and not self.ws["stop"]:
                        on_depth(found)
                if self.ws["stop"] or self._is_clear(value, depth):
                    break
                width = max(abs(value) * _FIRST_WINDOW, 1.0) if depth > 2 else _INFINITY
                if is_decided(value):
                    width = _INFINITY
            if found is None:  # stopped before the first move was searched
                move = int(self.ws["root_moves"][0])
                found = Progress(move, 0.0, (move,), 0, int(self.ws["nodes"]), 0, 0.0)
            return found

    def values(
        self,
        p: Words,
        limits: Limits,
        weights: np.ndarray,
        earlier: Sequence[Words] = (),
        on_depth: Callable[[list[Ranked], int], None] | None = None,
    ) -> list[Ranked]:
        """Every legal move with its value for the mover and its line, the best first."""
        known: dict[int, tuple[float, tuple[int, ...]]] = {}
        with self._run(p, limits, weights, earlier):
            count = int(self.ws["roots"])
            for depth in range(1, min(limits.depth or MAX_PLY, MAX_PLY - 20) + 1):
                for i in range(count):
                    value = self._root_search(p, depth, -_INFINITY, _INFINITY, i, i + 1)
                    # The first depth is always finished, so that every move has a value.
                    if self.ws["stop"] and depth > 1:
                        break
                    if self.ws["stop"]:
                        self.ws["stop"], self.ws["node_limit"] = 0, NEVER
                        self.ws["deadline"] = NEVER
                        value = self._root_search(p, 1, -_INFINITY, _INFINITY, i, i + 1)
                        limits = Limits(depth=1)
                    known[int(self.ws["root_moves"][i])] = (value, self._line())
                if on_depth is not None and not self.ws["stop"]:
                    on_depth(_ranked(known), depth)
                if self.ws["stop"] or depth == limits.depth:
                    break
                settled = all(is_decided(value) for value, _ in known.values())
                if settled and self.game.most_points <= 1.0:
                    break
        return _ranked(known)

    def _look_back(self, p: Words, earlier: Sequence[Words]) -> None:
        """Writes the keys of what was played, the root's last."""
        past = earlier[-MAX_PAST:]
        self.ws["past"] = len(past)
        for i, q in enumerate((*past, p)):
            if q not in self._keys:
                self._keys[q] = identity_key(self.game, q)
            self.ws["keys"][i] = self._keys[q]

    def _run(
        self, p: Words, limits: Limits, weights: np.ndarray, earlier: Sequence[Words]
    ) -> contextlib.AbstractContextManager[float]:
        self.prepare(p)
        moves = stepper_of(self.game).look(p).moves
        if not moves:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        ws = self.ws
        ws["nodes"], ws["leaves"], ws["stop"] = 1, 0, 0
        ws["node_limit"] = limits.nodes if limits.nodes is not None else NEVER
        ws["deadline"] = deadline_in(limits.time)
        searcher = int(self.game.mover(p))
        ws["searcher"] = searcher
        ws["table"], ws["mask"] = self.table.address, self.table.mask
        ws["generation"] = self.table.generation
        ws["weights"][: len(weights)] = weights
        # Values belong to one searcher and one set of weights: others must not meet them.
        ws["salt"] = np.uint64(derive(searcher, weights.tobytes().hex()))
        if self.game.repetitions:
            self._look_back(p, earlier)
        ws["roots"] = len(moves)
        ws["root_moves"][: len(moves)] = moves
        return clock(limits.time, self.stop)

    def _root_search(
        self, p: Words, depth: int, alpha: float, beta: float, first: int, last: int
    ) -> float:
        return root_search(
            self.game, self.evaluation.tag, p, depth, alpha, beta, first, last, self.ws
        )

    def _aspire(self, p: Words, depth: int, guess: float, width: float, count: int) -> float:
        """Searches a depth with a window around the last value, opened where that was wrong."""
        alpha, beta = guess - width, guess + width
        while True:
            value = self._root_search(p, depth, alpha, beta, 0, count)
            if self.ws["stop"]:
                if value <= alpha:  # no more than upper bounds: they name no best move
                    self.ws["best"] = -1
                return value
            if alpha < value < beta or width >= _INFINITY:
                return value
            width *= 4
            if is_decided(value):
                width = _INFINITY
                alpha, beta = -_INFINITY, _INFINITY
            elif value <= alpha:
                alpha = guess - width
            else:
                self._bring_forward(int(self.ws["best"]))
                beta = guess + width

    def _is_clear(self, value: float, depth: int) -> bool:
        plies = plies_to_end(value)
        # Where games bring several points, a longer line may win more.
        return plies is not None and plies <= depth and self.game.most_points <= 1.0

    def _bring_forward(self, place: int) -> None:
        moves = self.ws["root_moves"]
        best = moves[place]
        moves[1 : place + 1] = moves[:place].copy()
        moves[0] = best
        self.ws["best"] = 0

    def _line(self) -> tuple[int, ...]:
        row = self.ws["line"][0]
        return tuple(int(move) for move in row[: int(np.argmax(row < 0))])

    def _progress(self, value: float, depth: int, started: float) -> Progress:
        move = int(self.ws["root_moves"][self.ws["best"]])
        return Progress(
            move, value, self._line(), depth, int(self.ws["nodes"]), int(self.ws["leaves"]),
            time.perf_counter() - started,
        )  # fmt: skip


def _ranked(known: Mapping[int, tuple[float, tuple[int, ...]]]) -> list[Ranked]:
    best_first = sorted(known.items(), key=lambda item: -item[1][0])
    return [(move, value, line) for move, (value, line) in best_first]
