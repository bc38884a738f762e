"""The networks as an agent, which looks ahead with one thread or several and judges the cube."""

from __future__ import annotations

import time
from functools import cached_property

import numpy as np

from petteia.core.agent import ANY, MOST_THREADS, Decision, MoveValue, at_most
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.words import U, Words
from petteia.games.backgammon.evaluations.cube import (
    Chances,
    Ways,
    cash_value,
    efficiency,
    facts,
    modelled_ways,
    named,
)
from petteia.games.backgammon.evaluations.network import GIVEN_EFFICIENCY, SIZE
from petteia.games.backgammon.rules.state import (
    CUBE,
    MOVER,
    OPENING,
    OVER,
    PHASE,
    PLAY,
    TAKE,
    field,
)
from petteia.games.backgammon.solution.lookahead import (
    COUNT,
    MOST_PLIES,
    PLACES,
    NetworkPolicy,
    value_ahead,
)
from petteia.games.backgammon.solution.lookup import exact_ways
from petteia.games.backgammon.solution.neural import (
    NETWORK,
    chances,
    is_exact,
    loaded,
    with_scratch,
)
from petteia.games.backgammon.solution.sharing import Team
from petteia.search.contract import ranked
from petteia.search.lines import PolicyAgent

__all__ = ["NetworkAgent"]


class NetworkAgent(PolicyAgent):
    """The play that the networks like best after looking so many plies ahead."""

    name = "network"
    about = "the play that the trained networks like best; plies=1, 2 or 3 look at all throws"
    for_visitors = at_most(plies=2, efficiency=ANY, threads=1)
    in_points = True

    def __init__(
        self, game: Game, plies: int = 0, file: str = "", efficiency: float = 0.0,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        """``efficiency`` of the cube: from 0.01 (dead) to 1 (live), or 0 for the usual ones. The
        ``threads`` share two plies and more; what is found does not depend on them."""
        self._possible(1, MOST_THREADS, threads=threads)
        if not 0 <= plies <= MOST_PLIES:
            raise PetteiaError(f"agent network: plies={plies} is not possible; 0 to {MOST_PLIES}")
        if not 0.0 <= efficiency <= 1.0:
            raise PetteiaError(
                f"agent network: efficiency={efficiency} is not possible; "
                "0.01 (a dead cube) to 1 (a live one), or 0 for the usual ones"
            )
        self.plies = plies
        self.file = file
        self.efficiency = efficiency
        self.threads = threads
        self.policy = _POLICIES[plies]
        super().__init__(game, NETWORK)
        if file:
            self.weights = with_scratch(loaded(file))
        self.weights[GIVEN_EFFICIENCY] = efficiency
        self._team: Team | None = None
        self._share_among(threads or 1)

    def _share_among(self, count: int) -> None:
        if self.plies < 2 or count == 1:  # one ply is over before a second thread has begun
            self._team = None
        elif count != self.threads_used:
            record = self._memory[0]
            self._team = Team(self.game, self.evaluation.tag, self.weights, record, count)

    @property
    def threads_used(self) -> int:
        """How many share a look ahead."""
        return self._team.threads if self._team else 1

    def use_threads(self, count: int) -> None:
        if self.threads is None:
            self._share_among(count)

    def choose(self, p: Words, *, seed: int = 0, player: int | None = None) -> Decision:
        if self._team is None:
            return super().choose(p, seed=seed, player=player)
        started = time.perf_counter()
        move = self._team.choose(p, self.plies)
        return Decision(move, seconds=time.perf_counter() - started)

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        """All moves; those that are not looked at deeper are as far behind as they look."""
        found = super().values(p, seed=seed)
        if self.plies == 0 or len(found) == 1:
            return found
        shift = -(found[0].value or 0.0)
        self.choose(p, seed=seed)
        record = self._memory[0]
        scratch, count = record["scratch"], int(record["scratch"][COUNT])
        moves = record["out"][scratch[PLACES : PLACES + count].astype(np.int64)]
        deeper = dict(zip(moves.tolist(), scratch[:count].tolist(), strict=True))
        shift += float(scratch[0])
        return list(
            ranked(
                MoveValue(
                    each.move, deeper.get(each.move, (each.value or 0.0) + shift), (each.move,)
                )
                for each in found
            )
        )

    def at_throws(self) -> NetworkAgent:
        return self._at_throws if self.plies else self

    @cached_property
    def _at_throws(self) -> NetworkAgent:
        return NetworkAgent(self.game, 0, self.file, self.efficiency)

    def knows(self, p: Words) -> bool:
        phase = field(p[4], PHASE, 7)
        return phase not in (OPENING, OVER) and bool(is_exact(self.game, p, self.weights))

    def remarks(self, p: Words) -> dict[str, object]:
        phase = int(field(p[4], PHASE, 7))
        if phase in (OPENING, OVER):
            return {}
        mover = int(field(p[4], MOVER, 1))
        roller = 1 - mover if phase == TAKE else mover
        found = chances(self.game, p, roller, self.weights)
        said: dict[str, object] = {"chances": named(found)}
        if self.knows(p):
            said["exact"] = True
        if phase != PLAY:
            said |= facts(self.game, p, roller, self._ways(p, roller, found), found)
        return said

    def _ways(self, p: Words, roller: int, found: Chances) -> Ways:
        """What the cube is worth, with the same plies as plays."""
        if self.knows(p):
            return exact_ways(p, roller, self.weights, SIZE)
        if self.plies == 0:
            x = self.efficiency or efficiency(p, roller)
            return modelled_ways(self.game, p, roller, x, found)
        phases = U(7 << PHASE | 1 << MOVER)
        state = p[4] & ~phases | U(CUBE << PHASE | roller << MOVER)
        before = (*p[:4], state)
        doubled = self.game.play(before, 1)
        takes = [0, 2] if self.game.beaver else [0]  # type: ignore[attr-defined]
        return Ways(
            self.value_at(self.game.play(before, 0), roller),
            min(self.value_at(self.game.play(doubled, way), roller) for way in takes),
            float(cash_value(self.game, p, roller)),
        )

    def value_at(self, p: Words, player: int) -> float:
        """What a position is worth to a player, with the agent's plies."""
        if self._team is not None:
            return self._team.value(p, player, self.plies)
        record = self._memory[0]
        return float(
            value_ahead(self.game, self.evaluation.tag, p, player, self.plies, self.weights, record)
        )


_POLICIES = {plies: NetworkPolicy(plies) for plies in range(MOST_PLIES + 1)}
