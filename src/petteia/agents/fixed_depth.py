"""The textbook agents: greedy, minimax and alpha-beta to a fixed depth."""

from __future__ import annotations

import time

from petteia.core.agent import SEQUENTIAL, Decision, EvaluatingAgent, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.evaluations import evaluation_for, weights_for_move
from petteia.core.game import Game, Kind
from petteia.core.policy import Playable
from petteia.core.spec import Spec
from petteia.core.words import Words
from petteia.search.alphabeta import FixedDepthSearch
from petteia.search.policy import GREEDY
from petteia.search.stepper import first_choice, stepper_of

__all__ = ["AlphaBeta", "Greedy", "Minimax"]

_DEEPEST = 60


class _FixedDepth(EvaluatingAgent):
    """A search to a fixed depth; the first of equal moves is played."""

    handles = frozenset({Kind.DECISION})
    prune = True

    def __init__(self, game: Game, depth: int, eval: Spec | None) -> None:
        super().__init__(game)
        if not 1 <= depth <= _DEEPEST:
            raise PetteiaError(f"agent {self.name}: depth={depth} is not possible; 1 to {_DEEPEST}")
        self.depth = depth
        self.eval = eval
        self.evaluation = evaluation_for(game, eval)
        self._search = FixedDepthSearch(game, self.evaluation, prune=self.prune)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = time.perf_counter()
        self._search.counts[4] = 0
        mover = stepper_of(self.game).look(p).mover
        weights = weights_for_move(self.evaluation, seed)
        found = self._search.run(p, self.depth, mover, weights)
        return Decision(
            found.move, found.value, found.line, self.depth, found.interior, found.leaves,
            time.perf_counter() - started,
        )  # fmt: skip

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        self._search.counts[4] = 0
        seen = stepper_of(self.game).look(p)
        weights = weights_for_move(self.evaluation, seed)
        found = []
        for move in seen.moves:
            after = stepper_of(self.game).play(p, move)
            below = self._search.run(after, self.depth - 1, seen.mover, weights, ply=1)
            found.append(MoveValue(move, below.value, (move, *below.line)))
        return sorted(found, key=lambda item: -(item.value or 0.0))

    def prepare(self, p: Words) -> None:
        self._search.prepare(first_choice(self.game, p))

    def stop(self) -> None:
        self._search.counts[4] = 1


class Greedy(_FixedDepth):
    """Plays the move after which the evaluation is highest."""

    name = "greedy"
    about = "the move after which the evaluation is highest"
    for_visitors = at_most()
    handles = SEQUENTIAL  # it evaluates before a throw, and never looks beyond

    def __init__(self, game: Game, eval: Spec | None = None) -> None:
        super().__init__(game, 1, eval)

    def playable(self) -> Playable | None:
        if self.evaluation.is_seeded:
            return None  # noise of its own for every move
        return Playable(GREEDY, self.evaluation.tag, self.evaluation.array)


class Minimax(_FixedDepth):
    """Minimax, every line to the full depth."""

    name = "minimax"
    about = "every line to a fixed depth"
    for_visitors = at_most(depth=10)
    prune = False

    def __init__(self, game: Game, depth: int = 3, eval: Spec | None = None) -> None:
        super().__init__(game, depth, eval)


class AlphaBeta(_FixedDepth):
    """Plain alpha-beta: minimax's value with fewer nodes."""

    name = "alphabeta"
    about = "minimax's value with fewer nodes"
    for_visitors = at_most(depth=20)

    def __init__(self, game: Game, depth: int = 5, eval: Spec | None = None) -> None:
        super().__init__(game, depth, eval)
