"""Looking ahead with the networks: all throws, each answered by what looks best.

With n plies a position is worth the mean over the throws of what it is worth with one ply less,
after the play that the networks like best there. Only plays that are near the best are looked at
deeper, fewer at every ply. Where the bear-off tables are exact nobody looks further.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.core.words import Words
from petteia.games.backgammon.evaluations.cube import stake
from petteia.games.backgammon.rules.state import CUBE, OVER, PHASE, PLAY, ROLL, TAKE, field
from petteia.games.backgammon.solution.neural import is_exact
from petteia.search.policy import GreedyPolicy

__all__ = [
    "COUNT", "DEEPER", "MOST", "MOST_PLIES", "PLACES", "NetworkPolicy", "Tools", "ahead",
    "answered", "answers", "expected", "first_look", "is_open", "near_the_best", "reply", "settled",
    "sorted_again", "value_ahead",
]  # fmt: skip

MOST_PLIES = 3
MOST = 8
"""Plays that are looked at with one ply; half as many with two, and so on."""
_NEAR = (0.16, 0.06, 0.03)
"""Plays that look worse than the best by more, in cubes, are not looked at with one ply more."""
PLACES, COUNT, DEEPER = MOST, 2 * MOST, 2 * MOST + 1
"""The scratch memory begins with the values of the best plays, the best first; then come their
places in the list of moves, how many they are, and what the first of them are worth with one ply
more."""


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
        tools, player = Tools(w, memory), game.mover(p)
        out, scratch = memory.out, memory.scratch
        end = first_look(game, evaluation, p, tools)
        for plies in range(1, self.plies + 1):
            kept = near_the_best(game, p, plies, tools, end)
            if kept == 0:
                break
            for k in range(kept):
                q = game.play(p, out[int(scratch[PLACES + k])])
                scratch[DEEPER + k] = decided(game, evaluation, q, player, plies, tools, end)
            sorted_again(scratch, kept)
        return out[int(scratch[PLACES])]


def first_look(game: Any, evaluation: Any, p: Words, tools: Tools) -> int:
    """Kernel: values all moves at a glance, and notes the best few; where their list ends."""
    player, out, scratch = game.mover(p), tools.memory.out, tools.memory.scratch
    end = game.moves(p, out, 0)
    kept = 0
    for i in range(end):
        value = expected(game, evaluation, game.play(p, out[i]), player, tools.w)
        kept = _insert(scratch, kept, value, i)
    scratch[COUNT] = kept
    return end


def near_the_best(game: Any, p: Words, plies: int, tools: Tools, end: int) -> int:
    """Kernel: how many of the best moves are to be valued with so many plies; 0 where no more is
    to be found out."""
    scratch = tools.memory.scratch
    if end == 1 or is_exact(game, p, tools.w):
        return 0
    kept = int(scratch[COUNT])
    if field(p[4], PHASE, 7) != PLAY:
        return kept
    kept = min(kept, max(2, MOST >> (plies - 1)))
    least = scratch[0] - _NEAR[plies - 1] * stake(game, p)
    while kept > 1 and scratch[kept - 1] < least:
        kept -= 1
    return kept if kept > 1 else 0


def _insert(scratch: np.ndarray, kept: int, value: float, move: int) -> int:
    """Puts a move, by its place in the list, among the best; gives how many there are. Equals keep
    their order."""
    place = kept
    while place > 0 and scratch[place - 1] < value:
        place -= 1
    if place == MOST:
        return kept
    kept = min(kept + 1, MOST)
    for k in range(kept - 1, place, -1):
        scratch[k], scratch[PLACES + k] = scratch[k - 1], scratch[PLACES + k - 1]
    scratch[place], scratch[PLACES + place] = value, move
    return kept


def sorted_again(scratch: np.ndarray, kept: int) -> None:
    """Kernel: sorts the first moves by their new values. Those that were left out move with the
    best: how far they are behind is what fewer plies said."""
    before, highest = scratch[0], -1e18
    for k in range(kept):
        highest = max(highest, scratch[DEEPER + k])
    for k in range(kept, int(scratch[COUNT])):
        scratch[k] += highest - before
    sorted_so_far = 0
    for k in range(kept):
        place = int(scratch[PLACES + k])
        sorted_so_far = _insert(scratch, sorted_so_far, scratch[DEEPER + k], place)


def expected(game: Any, evaluation: Any, p: Words, player: int, w: np.ndarray) -> float:
    """Kernel: the points that a player can expect, without looking further."""
    if field(p[4], PHASE, 7) == OVER:
        points = game.result(p)
        return points if player == 0 else -points
    return evaluation.value(game, p, player, w)


def decided(
    game: Any, evaluation: Any, p: Words, player: int, plies: int, tools: Tools, begin: int
) -> float:
    """The value after a move: a double is answered by the better of all ways."""
    least = 1e18
    for option in range(answers(game, p)):
        q = answered(game, p, option)
        least = min(least, ahead(game, evaluation, q, player, plies, tools, begin))
    return least


def answers(game: Any, p: Words) -> int:
    """Kernel: in how many ways a double can be answered; 1 where none is offered."""
    if field(p[4], PHASE, 7) != TAKE:
        return 1
    return 3 if game.beaver else 2


def answered(game: Any, p: Words, option: int) -> Words:
    """Kernel: the position after one of these answers."""
    return game.play(p, option) if field(p[4], PHASE, 7) == TAKE else p


def ahead(
    game: Any, evaluation: Any, p: Words, player: int, plies: int, tools: Tools, begin: int
) -> float:
    """Kernel: the value for a player after so many plies. The lists of throws and plays begin at a
    place of the memory; whoever may double does what looks right at once."""
    p = settled(game, evaluation, p, tools.w)
    if plies == 0 or not is_open(game, p, tools.w):
        return expected(game, evaluation, p, player, tools.w)
    out, prob, is_own = tools.memory.out, tools.memory.prob, game.mover(p) == player
    total = 0.0
    throws = game.chances(p, out, prob, begin)
    for t in range(begin, throws):
        best, value = reply(game, evaluation, game.play(p, out[t]), tools, throws)
        if plies > 1:
            total += prob[t] * ahead(game, evaluation, best, player, plies - 1, tools, throws)
        else:
            total += prob[t] * (value if is_own else -value)
    return total


def settled(game: Any, evaluation: Any, p: Words, w: np.ndarray) -> Words:
    """Kernel: the position before the throw, whatever becomes of the cube."""
    return _turned(game, evaluation, p, w) if field(p[4], PHASE, 7) == CUBE else p


def is_open(game: Any, p: Words, w: np.ndarray) -> bool:
    """Kernel: whether throws follow that are worth looking at."""
    return field(p[4], PHASE, 7) == ROLL and not is_exact(game, p, w)


def reply(game: Any, evaluation: Any, p: Words, tools: Tools, begin: int) -> tuple[Words, float]:
    """Kernel: the position after the play that looks best, and its value for who makes it. The list
    of plays begins at a place of the memory."""
    mover, out = game.mover(p), tools.memory.out
    best, highest = game.start(), -1e18
    end = game.moves(p, out, begin)
    for i in range(begin, end):
        after = game.play(p, out[i])
        value = expected(game, evaluation, after, mover, tools.w)
        if value > highest:
            best, highest = after, value
    return best, highest


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
