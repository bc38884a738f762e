"""Our engine: asks the kernel of ``search.deepening`` and tells what it found."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from petteia.core.agent import MOST_THREADS, Decision, MoveValue, Offer, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Kind
from petteia.core.seeds import derive
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.claims import CLAIMS_BYTES, helped, made_claims
from petteia.search.clock import NEVER, clock, deadline_in
from petteia.search.contract import Answer, Limits, Question, Search, SearchAgent, ranked
from petteia.search.deepening import DEEPEST, deepen
from petteia.search.portable import Helping, Portable
from petteia.search.proof import ProofSearch
from petteia.search.pvs import MAX_PAST, MAX_ROOT_MOVES, identity_key, workspace_for
from petteia.search.stepper import stepper_of
from petteia.search.table import Table, bits_in
from petteia.search.values import is_decided

__all__ = ["Engine", "EngineAgent"]

_DEFAULT_SECONDS = 0.1
_MOVES_AHEAD = 20
"""A move may take this part of what the clock has left: most early, and never the last second."""
_INCREMENT_USED = 0.8
"""Of what is added for a move so much is spent on it, and the rest kept for slow machines."""
_ON_AND_ON = {"one_depth": 0, "depth_limit": DEEPEST}
"""How a helper searches: until it is stopped."""


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
        threads: int = 1,
    ) -> None:
        """``exact`` lets it look into the game's exact tables, as far as there are any. One thread
        gives the same answer every time; more search together in one table."""
        if game.max_moves > MAX_ROOT_MOVES:
            raise PetteiaError(
                f"the engine takes at most {MAX_ROOT_MOVES} moves at a position; "
                f"{game.spec.name} has max_moves={game.max_moves}"
            )
        self.game = game
        self.evaluation = evaluation
        self.table = Table(table_bits)
        self._reduce = reduce
        self._exact: np.ndarray | None = None  # kept, so that its address stays
        self._workspaces: list[Any] = []
        self.use_threads(threads)
        if exact:
            self.use_tables()
        self._is_ready = False
        self._keys: dict[Words, np.uint64] = {}
        self._salted: np.ndarray | None = None
        self._salts: dict[int, np.uint64] = {}

    @property
    def threads(self) -> int:
        """How many search."""
        return len(self._workspaces)

    def use_threads(self, count: int) -> None:
        if count == self.threads:
            return
        self._claims = made_claims() if count > 1 else None
        self._workspaces = [self._workspace(number) for number in range(count)]
        self.ws, *self._helpers = self._workspaces

    def use_tables(self) -> None:
        self._exact = self.game.exact_tables()
        for ws in self._workspaces:
            ws["exact"] = self._exact_address

    @property
    def _exact_address(self) -> int:
        return 0 if self._exact is None else int(self._exact.__array_interface__["data"][0])

    def _workspace(self, number: int) -> Any:
        ws: Any = np.zeros(1, workspace_for(self.evaluation.array)).view(np.recarray)[0]
        ws["reduce"], ws["helper"] = self._reduce, number
        ws["exact"] = self._exact_address
        if self._claims is not None:
            ws["claims"] = self._claims.__array_interface__["data"][0]
        return ws

    @property
    def uses_tables(self) -> bool:
        """Whether it looks into exact tables."""
        return self._exact is not None

    def new_game(self) -> None:
        self._keys.clear()
        self.table.new_generation()
        for ws in self._workspaces:
            ws["killers"] = 0
            ws["history"] = 0

    def prepare(self, p: Words) -> None:
        if not self._is_ready:
            self.ws["stop"] = 1
            self.ws["depth"] = self.ws["done"] = 0
            deepen(self.game, self.evaluation.tag, p, self.ws)
            stepper_of(self.game).look(p)
            self._is_ready = True

    def stop(self) -> None:
        self.ws["stop"] = 1

    def portable(self) -> Portable | None:
        """Nowhere else are there exact tables, or threads of ours."""
        if self.uses_tables or self.threads > 1:
            return None
        game, tag, ws = self.game, self.evaluation.tag, self.ws
        return Portable(
            deepen, lambda p: (game, tag, p, ws), ws, self.table.words, self.fill,
            pointer="table", kept=("killers", "history"),
            helping=Helping("claims", CLAIMS_BYTES, {"helper": 1, **_ON_AND_ON}),
        )  # fmt: skip

    def answer(self, question: Question) -> Answer:
        """The result of the last depth that said something; of every move, if that is asked, at
        least that of the first depth."""
        self._begin(question)
        hear = question.on_depth

        def search(ws: Any) -> None:
            deepen(self.game, self.evaluation.tag, question.position, ws)

        with clock(question.limits.seconds, self.stop), helped(search, self._helpers):
            while not self.ws["done"]:
                search(self.ws)
                if hear is not None and not self.ws["stop"]:
                    hear(self._found())
        return self._found()

    def _found(self) -> Answer:
        ws = self.ws
        nodes = int(ws["found_nodes"]) + sum(int(each["nodes"]) for each in self._helpers)
        leaves = int(ws["found_leaves"]) + sum(int(each["leaves"]) for each in self._helpers)
        moves = ranked(map(self._row, range(ws["found"])))
        value = moves[0].value if moves else None
        return Answer(moves, value, int(ws["found_depth"]), nodes - leaves, leaves)

    def _row(self, number: int) -> MoveValue:
        row = self.ws["lines"][number]
        line = tuple(row[: int(np.argmax(row < 0))].tolist())
        return MoveValue(line[0], float(self.ws["values"][number]), line)

    def _begin(self, question: Question) -> None:
        p, limits = question.position, question.limits
        self.prepare(p)
        moves = stepper_of(self.game).look(p).moves
        if not moves:
            raise PetteiaError(f"nobody is to move at {self.game.text(p)!r}")
        self.fill(question)
        if len(moves) == 1 and limits == Limits(seconds=limits.seconds) and not question.every:
            self.ws["depth_limit"] = 1  # who has no choice need not use the time

    def fill(self, question: Question) -> None:
        """Writes what kernels need to know; compiles nothing."""
        p, weights, limits = question.position, question.weights, question.limits
        searcher = int(self.game.mover(p))
        salt = self._salt(searcher, weights)
        deadline, depth = deadline_in(limits.seconds), min(limits.depth or DEEPEST, DEEPEST)
        nodes = NEVER if limits.nodes is None else max(1, limits.nodes // self.threads)
        for ws in self._workspaces:
            ws["stop"] = ws["depth"] = ws["done"] = 0
            ws["every"], ws["one_depth"] = question.every, question.on_depth is not None
            ws["depth_limit"], ws["node_limit"], ws["deadline"] = depth, nodes, deadline
            ws["searcher"], ws["salt"] = searcher, salt
            ws["weights"][: len(weights)] = weights
            self.table.lend(ws)
            if self.game.repetitions:
                self._look_back(ws, question.earlier)
        for ws in self._helpers:  # they go on until they are stopped
            for name, value in _ON_AND_ON.items():
                ws[name] = value

    def _salt(self, searcher: int, weights: np.ndarray) -> np.uint64:
        """Values belong to one searcher and one set of weights: others must not meet them."""
        if weights is not self._salted or weights.flags.writeable:
            self._salted, self._salts = weights, {}
        if searcher not in self._salts:
            self._salts[searcher] = np.uint64(derive(searcher, weights.tobytes().hex()))
        return self._salts[searcher]

    def _look_back(self, ws: Any, earlier: Sequence[Words]) -> None:
        """Writes the keys of what was played before the root."""
        past = earlier[-MAX_PAST:]
        ws["past"] = len(past)
        for i, q in enumerate(past):
            if q not in self._keys:
                self._keys[q] = identity_key(self.game, q)
            ws["keys"][i] = self._keys[q]


class EngineAgent(SearchAgent):
    """Iterative deepening principal variation search with all its helpers."""

    name = "engine"
    about = "our strongest search; limits: time in seconds, nodes, depth"
    for_visitors = at_most(
        time=10, game_time=200, increment=5, nodes=10**8, depth=100, table=64, threads=1
    )
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
        game_time: float | None = None,
        increment: float = 0.0,
        nodes: int | None = None,
        depth: int | None = None,
        eval: Spec | None = None,
        table: int = 16,
        exact: bool | None = None,
        proof: bool = False,
        threads: int | None = None,
    ) -> None:
        """Without any limit it thinks a tenth of a second. ``time`` is for a move, ``game_time``
        for all of a game, with ``increment`` more for each. ``table`` is in megabytes; ``exact``
        says whether it uses the tables that ``petteia solve`` made on this machine: if nothing is
        said, where it answers a person, and not in series; ``proof`` lets a second processor look
        for a forced win meanwhile; ``threads`` search together, and a limit of nodes counts those
        of all."""
        super().__init__(game, eval, default=game.strongest_evaluation)
        self._possible(above=0, time=time, game_time=game_time, nodes=nodes, depth=depth)
        self._possible(0, increment=increment)
        if increment and game_time is None:
            raise PetteiaError("agent engine: increment goes with game_time, such as game_time=60")
        self._possible(1, 4096, unit=" megabytes", table=table)
        self._possible(1, MOST_THREADS, threads=threads)
        self.time, self.nodes, self.depth, self.table = time, nodes, depth, table
        self.game_time, self.increment = game_time, increment
        self.exact, self.proof, self.threads = exact, proof, threads
        unlimited = time is None and game_time is None and nodes is None and depth is None
        self.limits = Limits(depth, nodes, _DEFAULT_SECONDS if unlimited else time)
        self._set_clock(game_time)
        self.search = Engine(
            game,
            self.evaluation,
            table_bits=bits_in(table),
            exact=bool(exact),
            threads=threads or 1,
        )
        self._prover = ProofSearch(game) if proof else None

    def portable(self) -> Portable | None:
        """Only its search can go elsewhere, not its prover nor its clock for a game. Who wants one
        thread gets no help there."""
        if self.proof or self.game_time is not None:
            return None
        found = super().portable()
        return replace(found, helping=None) if found and self.threads == 1 else found

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = perf_counter()
        found = self._chosen(p, seed, player)
        if self._left is not None:
            self._set_clock(max(0.0, self._left - (perf_counter() - started)) + self.increment)
        return found

    def new_game(self) -> None:
        super().new_game()
        self._set_clock(self.game_time)

    def _set_clock(self, left: float | None) -> None:
        """So many seconds are left for the game; the next move may take its part of them."""
        self._left = left
        if left is not None:
            share = left / _MOVES_AHEAD + _INCREMENT_USED * self.increment
            seconds = min(share, 0.5 * left, self.time or share)
            self.limits = replace(self.limits, seconds=max(seconds, 0.001))

    def _chosen(self, p: Words, seed: int, player: int | None) -> Decision:
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
