"""The strong agents: our engine, and Monte Carlo tree search."""

from __future__ import annotations

import contextlib
import threading
import time as clock
from collections.abc import Iterator, Sequence

from petteia.core.agent import ANY, SEQUENTIAL, Agent, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluations import evaluation_for, weights_for_move
from petteia.core.game import Game, Kind
from petteia.core.history import Line
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.engine import Engine, Limits, Ranked
from petteia.search.mcts import MonteCarlo, Outlook
from petteia.search.proof import ProofSearch
from petteia.search.stepper import first_choice
from petteia.search.values import is_decided

__all__ = ["EngineAgent", "MctsAgent"]

_DEFAULT_SECONDS = 0.1
_DEFAULT_SIMULATIONS = 1000


def _positive(agent: str, **limits: float | None) -> None:
    for key, value in limits.items():
        if value is not None and not value > 0:
            raise PetteiaError(f"agent {agent}: {key}={value} is not possible; it must be above 0")


class EngineAgent(EvaluatingAgent):
    """Iterative deepening principal variation search with all its helpers."""

    name = "engine"
    about = "our strongest search; limits: time in seconds, nodes, depth"
    for_visitors = at_most(time=10, nodes=10**8, depth=100, table=64)
    handles = frozenset({Kind.DECISION})

    def __init__(
        self,
        game: Game,
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
        super().__init__(game)
        _positive(self.name, time=time, nodes=nodes, depth=depth)
        if not 1 <= table <= 4096:
            raise PetteiaError(f"agent engine: table={table} is not possible; 1 to 4096 megabytes")
        self.time, self.nodes, self.depth, self.eval, self.table = time, nodes, depth, eval, table
        self.exact = exact
        unlimited = time is None and nodes is None and depth is None
        self.limits = Limits(depth, nodes, _DEFAULT_SECONDS if unlimited else time)
        self.evaluation = evaluation_for(game, eval)
        bits = (table * 2**20 // 16).bit_length() - 1
        self._engine = Engine(game, self.evaluation, table_bits=bits, exact=exact)
        self._line: Line | None = None
        self.proof = proof
        self._prover = ProofSearch(game) if proof else None

    def follow(self, line: Line) -> None:
        self._line = line

    def _earlier(self, p: Words) -> Sequence[Words]:
        known = self._line is not None and self._line.positions[-1:] == [p]
        return self._line.earlier if self._line is not None and known else ()

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = clock.perf_counter()
        weights = weights_for_move(self.evaluation, seed)
        with self._proving(p) as proven:
            found = self._engine.search(p, self.limits, weights, earlier=self._earlier(p))
        move, line = found.move, found.line
        notes: dict[str, object] | None = None
        if proven and not (is_decided(found.value) and found.value > 0):
            move, line = proven[0], (proven[0],)
            notes = {"proven": "win"}
        return Decision(
            move, found.value, line, found.depth, found.nodes - found.leaves,
            found.leaves, clock.perf_counter() - started, notes,
        )  # fmt: skip

    @contextlib.contextmanager
    def _proving(self, p: Words) -> Iterator[list[int]]:
        """Looks for a forced win beside the search; the list gets its first move."""
        proven: list[int] = []
        prover = self._prover
        if prover is None:
            yield proven
            return
        prover.prepare(p)

        def work() -> None:
            proof = prover.run(p)
            if proof.wins:
                proven.append(proof.move)
                self._engine.stop()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield proven
        finally:
            while thread.is_alive():  # it may not have begun, and forget an early stop
                prover.stop()
                thread.join(0.001)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        weights = weights_for_move(self.evaluation, seed)
        hear = self.on_depth

        def told(ranked: list[Ranked], depth: int) -> None:
            if hear is not None:
                hear([MoveValue(*each) for each in ranked], depth)

        found = self._engine.values(p, self.limits, weights, self._earlier(p), told)
        return [MoveValue(*each) for each in found]

    def prepare(self, p: Words) -> None:
        self._engine.prepare(p)

    def new_game(self) -> None:
        self._line = None
        self._engine.new_game()

    def stop(self) -> None:
        self._engine.stop()


class MctsAgent(Agent):
    """Upper confidence trees with random playouts: needs no evaluation."""

    name = "mcts"
    about = "Monte Carlo tree search with random playouts; limits: simulations, time"
    for_visitors = at_most(simulations=2_000_000, time=10, exploration=ANY)
    in_points = True
    handles = SEQUENTIAL

    def __init__(
        self,
        game: Game,
        simulations: int | None = None,
        time: float | None = None,
        exploration: float = 1.0,
    ) -> None:
        """Without any limit it makes 1000 simulations."""
        super().__init__(game)
        _positive(self.name, simulations=simulations, time=time, exploration=exploration)
        self.simulations, self.time, self.exploration = simulations, time, exploration
        self._tree = MonteCarlo(game, exploration=exploration)

    def _run(self, p: Words, seed: int, *, lines: bool = False) -> Outlook:
        unlimited = self.simulations is None and self.time is None
        simulations = _DEFAULT_SIMULATIONS if unlimited else self.simulations
        return self._tree.run(p, simulations, self.time, seed, lines=lines)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        found = self._run(p, seed)
        return Decision(
            found.move, found.value, found.line, len(found.line), found.nodes, found.simulations,
            found.seconds,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        return list(self._run(p, seed, lines=True).moves)

    def prepare(self, p: Words) -> None:
        self._tree.run(first_choice(self.game, p), simulations=1)

    def stop(self) -> None:
        self._tree.stop()
