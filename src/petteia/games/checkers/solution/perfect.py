"""The player that knows: endgame tables where they reach, the engine before."""

from __future__ import annotations

import time as clock

from petteia.core.agent import Decision, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import DRAWN, TERMINAL, Game
from petteia.core.words import Words
from petteia.search.contract import Limits, SearchAgent, ranked
from petteia.search.engine import Engine
from petteia.search.stepper import stepper_of
from petteia.search.values import WIN

__all__ = ["PerfectAgent"]


class PerfectAgent(SearchAgent):
    """Plays by the endgame tables of this machine."""

    name = "perfect"
    about = "the quickest win and the longest defence by the endgame tables; the engine before them"
    for_visitors = at_most(time=10)

    def __init__(self, game: Game, time: float = 0.1) -> None:
        """``time`` is the engine's, in seconds, where the tables do not reach."""
        super().__init__(game, None)
        self._possible(above=0, time=time)
        tables = game.exact_tables()
        if tables is None:
            raise PetteiaError(
                'agent perfect needs endgame tables; petteia solve "checkers(pieces=4)" builds them'
            )
        self.time = time
        self._tables = tables
        self._address = int(tables.__array_interface__["data"][0])
        self.limits = Limits(seconds=time)
        self.search = Engine(game, self.evaluation, table_bits=18, exact=True)

    def _known(self, p: Words) -> tuple[MoveValue, ...] | None:
        """Every move with its exact value, the best first; None where a table is missing."""
        stepper = stepper_of(self.game)
        found = []
        for move in stepper.look(p).moves:
            after = stepper.play(p, move)
            look = stepper.look(after)
            if look.kind == TERMINAL:
                found.append(MoveValue(move, 0.0 if look.result == 0 else WIN - 1, (move,)))
                continue
            known = int(self.game.known(after, self._address))
            if known == 0:
                return None
            found.append(MoveValue(move, _value_before(known), (move,)))
        return ranked(found)

    def knows(self, p: Words) -> bool:
        return self._known(p) is not None

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        started = clock.perf_counter()
        known = self._known(p)
        if known is None:
            return super().choose(p, seed=seed, player=player)
        best, spent = known[0], clock.perf_counter() - started
        return Decision(best.move, best.value, best.line, 1, 1, len(known), spent)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        known = self._known(p)
        return super().values(p, seed=seed) if known is None else list(known)


def _value_before(known: int) -> float:
    """The value for the player whose move led to what the tables know of the other."""
    if known == DRAWN:
        return 0.0
    return -(WIN - known - 1) if known > 0 else WIN + known - 1
