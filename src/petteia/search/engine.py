"""Our engine: iterative deepening with aspiration windows around ``search.pvs``."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from petteia.core.agent import Decision, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Kind
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.proof import ProofSearch
from petteia.search.pvs import (
    MAX_PAST,
    MAX_PLY,
    MAX_WEIGHTS,
    WORKSPACE,
    identity_key,
    root_search,
)
from petteia.search.stepper import stepper_of
from petteia.search.table import Table, bits_in
from petteia.search.tree import INFINITY
from petteia.search.values import is_decided, plies_to_end

__all__ = ["Engine", "EngineAgent"]

_DEEPEST = MAX_PLY - 20  # room for plies beyond the depth
_FIRST_WINDOW = 0.02  # of the last depth's value, which the next seldom leaves further
_OPENED = 4  # each failure opens the window so many times as wide
_ASPIRES_FROM = 4  # the values of shallower depths differ too much from one to the next
_DEFAULT_SECONDS = 0.1


class Engine(Search):
    """Principal variation search of one game with one evaluation, and its memory."""

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
        if len(evaluation.array) > MAX_WEIGHTS:
            raise PetteiaError(f"evaluation {evaluation.name} has more than {MAX_WEIGHTS} weights")
        self.game = game
        self.evaluation = evaluation
        self.table = Table(table_bits)
        self.ws: Any = np.zeros(1, WORKSPACE).view(np.recarray)[0]
        self.ws["reduce"] = int(reduce)
        self._exact = game.exact_tables() if exact else None  # kept, so that its address stays
        if self._exact is not None:
            self.ws["exact"] = self._exact.__array_interface__["data"][0]
        self._is_ready = False
        self._keys: dict[Words, np.uint64] = {}

    def new_game(self) -> None:
        self._keys.clear()
        self.table.new_generation()
        self.ws["killers"] = 0
        self.ws["history"] = 0

    def prepare(self, p: Words) -> None:
        if not self._is_ready:
            self.ws["stop"] = 1
            self._root_search(p, -INFINITY, INFINITY, 1, slice(0, 1))
            stepper_of(self.game).look(p)
            self._is_ready = True

    def stop(self) -> None:
        self.ws["stop"] = 1

    def answer(self, question: Question) -> Answer:
        """The result of the last depth that said something; of every move, if that is asked, at
        least that of the first depth."""
        count = self._begin(question)
        with clock(question.limits.seconds, self.stop):
            return self._every(question, count) if question.every else self._best(question, count)

    def _best(self, question: Question, count: int) -> Answer:
        p, hear = question.position, question.on_depth
        found = Answer((), interior=int(self.ws["nodes"]))
        value, width = 0.0, INFINITY
        for depth in range(1, min(question.limits.depth or _DEEPEST, _DEEPEST) + 1):
            value = self._aspire(p, depth, value, width, count)
            if self.ws["best"] >= 0:
                self._bring_forward(int(self.ws["best"]))
                move = int(self.ws["root_moves"][0])
                found = self._known((MoveValue(move, value, self._line()),), depth)
                if hear and not self.ws["stop"]:
                    hear(found)
            if self.ws["stop"] or self._is_clear(value, depth):
                break
            width = max(abs(value) * _FIRST_WINDOW, 1.0)
            if depth + 1 < _ASPIRES_FROM or is_decided(value):
                width = INFINITY
        return found

    def _every(self, question: Question, count: int) -> Answer:
        p, hear, last = question.position, question.on_depth, question.limits.depth
        known: dict[int, MoveValue] = {}
        found = Answer(())
        for depth in range(1, min(last or _DEEPEST, _DEEPEST) + 1):
            for i in range(count):
                value = self._root_search(p, -INFINITY, INFINITY, depth, slice(i, i + 1))
                # The first depth is always finished, so that every move has a value.
                if self.ws["stop"] and depth > 1:
                    break
                if self.ws["stop"]:
                    self.ws["stop"], self.ws["node_limit"], self.ws["deadline"] = 0, NEVER, NEVER
                    value = self._root_search(p, -INFINITY, INFINITY, depth, slice(i, i + 1))
                    last = depth
                move = int(self.ws["root_moves"][i])
                known[move] = MoveValue(move, value, self._line())
            found = self._known(ranked(known.values()), depth - int(self.ws["stop"]))
            if hear is not None and not self.ws["stop"]:
                hear(found)
            if self.ws["stop"] or depth == last:
                break
            settled = all(is_decided(each.value or 0.0) for each in known.values())
            if settled and self.game.most_points <= 1.0:
                break
        return found

    def _known(self, moves: tuple[MoveValue, ...], depth: int) -> Answer:
        leaves = int(self.ws["leaves"])
        return Answer(moves, moves[0].value, depth, int(self.ws["nodes"]) - leaves, leaves)

    def _begin(self, question: Question) -> int:
        """Writes what kernels need to know; gives the number of root moves."""
        p, weights, limits = question.position, question.weights, question.limits
        self.prepare(p)
        moves = stepper_of(self.game).look(p).moves
        if not moves:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        ws = self.ws
        ws["nodes"], ws["leaves"], ws["stop"] = 1, 0, 0
        ws["node_limit"] = limits.nodes if limits.nodes is not None else NEVER
        ws["deadline"] = deadline_in(limits.seconds)
        searcher = int(self.game.mover(p))
        ws["searcher"] = searcher
        self.table.lend(ws)
        ws["weights"][: len(weights)] = weights
        # Values belong to one searcher and one set of weights: others must not meet them.
        ws["salt"] = np.uint64(derive(searcher, weights.tobytes().hex()))
        if self.game.repetitions:
            self._look_back(p, question.earlier)
        ws["root_moves"][: len(moves)] = moves
        return len(moves)

    def _look_back(self, p: Words, earlier: Sequence[Words]) -> None:
        """Writes the keys of what was played, the root's last."""
        past = earlier[-MAX_PAST:]
        self.ws["past"] = len(past)
        for i, q in enumerate((*past, p)):
            if q not in self._keys:
                self._keys[q] = identity_key(self.game, q)
            self.ws["keys"][i] = self._keys[q]

    def _root_search(self, p: Words, alpha: float, beta: float, depth: int, moves: slice) -> float:
        self.ws["first"], self.ws["last"] = moves.start, moves.stop
        return root_search(self.game, self.evaluation.tag, p, alpha, beta, depth, self.ws)

    def _aspire(self, p: Words, depth: int, guess: float, width: float, count: int) -> float:
        """Searches a depth with a window around the last value, opened where that was wrong."""
        alpha, beta = guess - width, guess + width
        while True:
            value = self._root_search(p, alpha, beta, depth, slice(0, count))
            if self.ws["stop"]:
                if value <= alpha:  # no more than upper bounds: they name no best move
                    self.ws["best"] = -1
                return value
            if alpha < value < beta or width >= INFINITY:
                return value
            width *= _OPENED
            if is_decided(value):
                width = INFINITY
                alpha, beta = -INFINITY, INFINITY
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


class EngineAgent(SearchAgent):
    """Iterative deepening principal variation search with all its helpers."""

    name = "engine"
    about = "our strongest search; limits: time in seconds, nodes, depth"
    for_visitors = at_most(time=10, nodes=10**8, depth=100, table=64)
    offered = Offer(
        levels={
            "engine(time=0.1)": "our engine, a tenth of a second a move",
            "engine(time=1.0)": "our engine, one second a move",
        },
        analyst="engine(time=0.5)",
        stand_in="engine(time=0.5)",
    )
    handles = frozenset({Kind.DECISION})

    def __init__(
        self,
        game: Game,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        eval: Spec | None = None,
        table: int = 16,
        exact: bool = False,
        proof: bool = False,
    ) -> None:
        """Without any limit it thinks a tenth of a second. ``table`` is in megabytes; ``exact``
        uses the tables that ``petteia solve`` made on this machine; ``proof`` lets a second
        processor look for a forced win meanwhile."""
        super().__init__(game, eval)
        self._possible(above=0, time=time, nodes=nodes, depth=depth)
        self._possible(1, 4096, unit=" megabytes", table=table)
        self.time, self.nodes, self.depth, self.table = time, nodes, depth, table
        self.exact, self.proof = exact, proof
        unlimited = time is None and nodes is None and depth is None
        self.limits = Limits(depth, nodes, _DEFAULT_SECONDS if unlimited else time)
        self.search = Engine(game, self.evaluation, table_bits=bits_in(table), exact=exact)
        self._prover = ProofSearch(game) if proof else None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        if self._prover is None:
            return super().choose(p, seed=seed, player=player)
        with self._proving(p, self._prover) as proven:
            found = super().choose(p, seed=seed, player=player)
        if not proven or (found.value is not None and is_decided(found.value) and found.value > 0):
            return found
        return found._replace(move=proven[0], line=(proven[0],), notes={"proven": "win"})

    @contextlib.contextmanager
    def _proving(self, p: Words, prover: ProofSearch) -> Iterator[list[int]]:
        """Looks for a forced win beside the search; the list gets its first move."""
        proven: list[int] = []
        prover.prepare(p)

        def work() -> None:
            proof = prover.run(p)
            if proof.wins:
                proven.append(proof.move)
                self.search.stop()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield proven
        finally:
            while thread.is_alive():  # it may not have begun, and forget an early stop
                prover.stop()
                thread.join(0.001)
