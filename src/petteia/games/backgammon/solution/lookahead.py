"""The networks as an agent that looks ahead: all throws, each answered by what looks best.

With n plies a position is worth the mean over the throws of what it is worth with one ply less,
after the play that the networks like best there. Only plays that are near the best are looked at
deeper, fewer at every ply. Where the bear-off tables are exact nobody looks further.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.core.agent import ANY, MoveValue, at_most
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
    stake,
)
from petteia.games.backgammon.evaluations.network import GIVEN_EFFICIENCY, SIZE
from petteia.games.backgammon.rules.state import (
    CUBE,
    MOVER,
    OPENING,
    OVER,
    PHASE,
    PLAY,
    ROLL,
    TAKE,
    field,
)
from petteia.games.backgammon.solution.lookup import exact_ways
from petteia.games.backgammon.solution.neural import (
    NETWORK,
    chances,
    is_exact,
    loaded,
    with_scratch,
)
from petteia.search.contract import ranked
from petteia.search.lines import PolicyAgent
from petteia.search.policy import GreedyPolicy

__all__ = ["NetworkAgent", "NetworkPolicy"]

_MOST_PLIES = 3
_MOST = 8
"""Plays that are looked at with one ply; half as many with two, and so on."""
_NEAR = (0.16, 0.06, 0.03)
"""Plays that look worse than the best by more, in cubes, are not looked at with one ply more."""
# In the scratch memory: the values of the best plays, their places in the list, and how many.
_PLACES, _COUNT = _MOST, 2 * _MOST


class Tools(NamedTuple):
    """What a look ahead needs besides the position."""

    w: np.ndarray
    """The networks, and the tables that they look into."""
    memory: Any
    """Lists of throws and plays, and scratch memory."""


class NetworkPolicy(GreedyPolicy):
    """The play, or the turn of the cube, with the highest value after so many plies.

    The best few stand in the scratch memory afterwards, the best first.
    """

    def __init__(self, plies: int) -> None:
        self.plies = plies

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        player = game.mover(p)
        out, scratch = memory.out, memory.scratch
        end = game.moves(p, out, 0)
        kept = 0
        for i in range(end):
            value = expected(game, evaluation, game.play(p, out[i]), player, w)
            kept = _insert(scratch, kept, value, i)
        scratch[_COUNT] = kept
        if end == 1 or is_exact(game, p, w):
            return out[int(scratch[_PLACES])]
        size = stake(game, p)
        for plies in range(1, self.plies + 1):
            if field(p[4], PHASE, 7) == PLAY:
                kept = min(kept, max(2, _MOST >> (plies - 1)))
                while kept > 1 and scratch[kept - 1] < scratch[0] - _NEAR[plies - 1] * size:
                    kept -= 1
                if kept == 1:
                    break
            _look_deeper(game, evaluation, p, plies, kept, Tools(w, memory), end)
        return out[int(scratch[_PLACES])]


def _insert(scratch: np.ndarray, kept: int, value: float, move: int) -> int:
    """Puts a move, by its place in the list, among the best; gives how many there are. Equals keep
    their order."""
    place = kept
    while place > 0 and scratch[place - 1] < value:
        place -= 1
    if place == _MOST:
        return kept
    kept = min(kept + 1, _MOST)
    for k in range(kept - 1, place, -1):
        scratch[k], scratch[_PLACES + k] = scratch[k - 1], scratch[_PLACES + k - 1]
    scratch[place], scratch[_PLACES + place] = value, move
    return kept


def _look_deeper(
    game: Any, evaluation: Any, p: Words, plies: int, kept: int, tools: Tools, begin: int
) -> None:
    """Values the first moves with more plies and sorts them again. Those that are left out move
    with the best: how far they are behind is what fewer plies said. Lists begin where that of the
    moves ends."""
    memory, player = tools.memory, game.mover(p)
    scratch = memory.scratch
    count, before, highest = int(scratch[_COUNT]), scratch[0], -1e18
    for k in range(kept):
        q = game.play(p, memory.out[int(scratch[_PLACES + k])])
        scratch[k] = decided(game, evaluation, q, player, plies, tools, begin)
        highest = max(highest, scratch[k])
    for k in range(kept, count):
        scratch[k] += highest - before
    sorted_so_far = 0
    for k in range(kept):
        sorted_so_far = _insert(scratch, sorted_so_far, scratch[k], int(scratch[_PLACES + k]))


def expected(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    """The points that a player can expect, without looking further."""
    if field(p[4], PHASE, 7) == OVER:
        points = game.result(p)
        return points if player == 0 else -points
    return evaluation.value(game, p, player, w)


def decided(
    game: Any, evaluation: Any, p: Words, player: int, plies: int, tools: Tools, begin: int
) -> float:
    """The value after a move: a double is answered by the better of all ways."""
    if field(p[4], PHASE, 7) != TAKE:
        return ahead(game, evaluation, p, player, plies, tools, begin)
    least = 1e18
    for option in range(3 if game.beaver else 2):
        q = game.play(p, option)
        least = min(least, ahead(game, evaluation, q, player, plies, tools, begin))
    return least


def ahead(
    game: Any, evaluation: Any, p: Words, player: int, plies: int, tools: Tools, begin: int
) -> float:
    """The value for a player after so many plies. The lists of throws and plays begin at a place of
    the memory; whoever may double does what looks right at once."""
    if field(p[4], PHASE, 7) == CUBE:
        p = _turned(game, evaluation, p, tools.w)
    if plies == 0 or field(p[4], PHASE, 7) != ROLL or is_exact(game, p, tools.w):
        return expected(game, evaluation, p, player, tools.w)
    out, prob, mover = tools.memory.out, tools.memory.prob, game.mover(p)
    total = 0.0
    throws = game.chances(p, out, prob, begin)
    for t in range(begin, throws):
        q = game.play(p, out[t])
        best, highest = game.start(), -1e18
        end = game.moves(q, out, throws)
        for i in range(throws, end):
            after = game.play(q, out[i])
            value = expected(game, evaluation, after, mover, tools.w)
            if value > highest:
                best, highest = after, value
        if plies > 1:
            total += prob[t] * ahead(game, evaluation, best, player, plies - 1, tools, throws)
        else:
            total += prob[t] * (highest if mover == player else -highest)
    return total


def _turned(game: Any, evaluation: Any, p: Words, w: np.ndarray) -> Words:
    """The position after the cube: as it was, doubled and taken, or dropped."""
    roller = game.mover(p)
    waits, doubled = game.play(p, 0), game.play(p, 1)
    if expected(game, evaluation, doubled, roller, w) <= expected(
        game, evaluation, waits, roller, w
    ):
        return waits
    taken, dropped = game.play(doubled, 0), game.play(doubled, 1)
    if expected(game, evaluation, taken, roller, w) <= expected(
        game, evaluation, dropped, roller, w
    ):
        return taken
    return dropped


@kernel
def value_ahead(
    game: Any, evaluation: Any, p: Words, player: int, plies: int, w: np.ndarray, memory: Any
) -> float:
    """The same for one who asks from Python."""
    return ahead(game, evaluation, p, player, plies, Tools(w, memory), 0)


class NetworkAgent(PolicyAgent):
    """The play that the networks like best after looking so many plies ahead."""

    name = "network"
    about = "the play that the trained networks like best; plies=1, 2 or 3 look at all throws"
    for_visitors = at_most(plies=2, efficiency=ANY)
    in_points = True

    def __init__(self, game: Game, plies: int = 0, file: str = "", efficiency: float = 0.0) -> None:
        """``efficiency`` of the cube: from 0.01 (dead) to 1 (live), or 0 for the usual ones."""
        if not 0 <= plies <= _MOST_PLIES:
            raise PetteiaError(f"agent network: plies={plies} is not possible; 0 to {_MOST_PLIES}")
        if not 0.0 <= efficiency <= 1.0:
            raise PetteiaError(
                f"agent network: efficiency={efficiency} is not possible; "
                "0.01 (a dead cube) to 1 (a live one), or 0 for the usual ones"
            )
        self.plies = plies
        self.file = file
        self.efficiency = efficiency
        self.policy = _POLICIES[plies]
        super().__init__(game, NETWORK)
        if file:
            self.weights = with_scratch(loaded(file))
        self.weights[GIVEN_EFFICIENCY] = efficiency

    def values(self, p: Words, *, seed: int = 0) -> list[MoveValue]:
        """All moves; those that are not looked at deeper are as far behind as they look."""
        found = super().values(p, seed=seed)
        if self.plies == 0 or len(found) == 1:
            return found
        shift = -(found[0].value or 0.0)
        self.choose(p, seed=seed)
        record = self._memory[0]
        scratch, count = record["scratch"], int(record["scratch"][_COUNT])
        moves = record["out"][scratch[_PLACES : _PLACES + count].astype(np.int64)]
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
        record = self._memory[0]
        return float(
            value_ahead(self.game, self.evaluation.tag, p, player, self.plies, self.weights, record)
        )


_POLICIES = {plies: NetworkPolicy(plies) for plies in range(_MOST_PLIES + 1)}
