"""Search as if one player moved first where both choose at the same time: kernels.

- ``serial``: player ``ws.first`` moves first and the other sees it; alpha-beta. With the searching
  player first this is the *paranoid* search of course reports, and a lower bound for that player;
  with the other first an upper bound
- ``hopeful``: the searching player takes the best or the mean over all answers; dice are dice

A ``Way`` is one of these, and what it thinks of a single move at the root.
"""

from __future__ import annotations

from typing import Any

from petteia.compiled import kernel
from petteia.core.compile_time import CompileTime
from petteia.core.game import CHANCE, DECISION
from petteia.core.words import Words
from petteia.search.joint_node import (
    INFINITY,
    after_pair,
    look_at_clock,
    settled,
    sign_of,
    throw,
)
from petteia.search.pvs import turned

__all__ = ["HOPEFUL", "PARANOID", "Way", "rank_moves", "serial", "value_of"]


def serial(
    game: Any, evaluation: Any, p: Words, depth: int, alpha: float, beta: float, ws: Any
) -> float:
    """The value if in every turn player ``ws.first`` moves first and the other sees it.

    Alpha-beta with both bounds passed down; fails soft. A bound on a mean says nothing of its
    parts, so that below a throw all windows are open.
    """
    value, known = settled(game, evaluation, p, depth, ws)
    if known:
        return value
    look_at_clock(ws)
    ws.ply += 1
    moves, first = ws.moves[depth], ws.first
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        value = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            value += chance * serial(game, evaluation, after, depth, -INFINITY, INFINITY, ws)
        ws.thrown = begin
    elif game.has_decisions and game.kind(p) == DECISION:
        sign, best = sign_of(game.mover(p)), -INFINITY
        low, high = turned(alpha, beta, sign)
        for k in range(game.moves(p, moves, 0)):
            after = game.play(p, moves[k])
            a, b = turned(low, high, sign)
            best = max(best, sign * serial(game, evaluation, after, depth - 1, a, b, ws))
            low = max(low, best)
            if low >= high:
                break
        value = sign * best
    else:
        middle = game.moves_of(p, first, moves, 0)
        end = game.moves_of(p, 1 - first, moves, middle)
        sign, best = sign_of(first), -INFINITY
        low, high = turned(alpha, beta, sign)
        for i in range(middle):
            worst = INFINITY
            likely = middle + ws.killer[depth] if middle + ws.killer[depth] < end else middle
            for k in range(middle, end):
                j = likely if k == middle else middle if k == likely else k
                after = after_pair(game, p, first, moves[i], moves[j])
                a, b = turned(low, min(high, worst), sign)
                worst = min(worst, sign * serial(game, evaluation, after, depth - 1, a, b, ws))
                if worst <= low:
                    refuted(depth, j - middle, ws)
                    break
            best = max(best, worst)
            low = max(low, best)
            if best >= high:
                break
        value = sign * best
    ws.ply -= 1
    return value


def refuted(depth: int, place: int, ws: Any) -> None:
    """The answer that refuted a move comes first against the next one."""
    if ws.ordered != 0:
        ws.killer[depth] = place


def hopeful(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The value if the searching player moves best and the enemy best for it, or at random."""
    value, known = settled(game, evaluation, p, depth, ws)
    if known:
        return value
    look_at_clock(ws)
    ws.ply += 1
    moves, searcher = ws.moves[depth], ws.searcher
    sign = sign_of(searcher)
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        value = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            value += chance * hopeful(game, evaluation, after, depth, ws)
        ws.thrown = begin
    elif game.has_decisions and game.kind(p) == DECISION:
        end = game.moves(p, moves, 0)
        total, highest = 0.0, -INFINITY
        for k in range(end):
            after = game.play(p, moves[k])
            worth = sign * hopeful(game, evaluation, after, depth - 1, ws)
            total += worth
            highest = max(highest, worth)
        is_mean = ws.takes_mean != 0 and game.mover(p) != searcher
        value = sign * (total / end if is_mean else highest)
    else:
        middle = game.moves_of(p, searcher, moves, 0)
        end = game.moves_of(p, 1 - searcher, moves, middle)
        best = -INFINITY
        for i in range(middle):
            total, highest = 0.0, -INFINITY
            for j in range(middle, end):
                after = after_pair(game, p, searcher, moves[i], moves[j])
                worth = sign * hopeful(game, evaluation, after, depth - 1, ws)
                total += worth
                highest = max(highest, worth)
            best = max(best, total / (end - middle) if ws.takes_mean != 0 else highest)
        value = sign * best
    ws.ply -= 1
    return value


class Way(CompileTime):
    """How the enemy is thought to answer. Its functions are kernels."""

    def value(self, game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
        """What a position is worth to player 0."""
        raise NotImplementedError

    def answered(
        self, game: Any, evaluation: Any, p: Words, depth: int, move: int, least: float, ws: Any
    ) -> float:
        """What a move is worth to the searching player, or any value that is not above ``least``
        if that is all there is to know. The enemy's moves stand in ``ws.moves[depth]``, and
        ``ws.counts[depth]`` says how many there are."""
        raise NotImplementedError


class Paranoid(Way):
    """The enemy sees the move first."""

    def value(self, game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
        return serial(game, evaluation, p, depth, -INFINITY, INFINITY, ws)

    def answered(
        self, game: Any, evaluation: Any, p: Words, depth: int, move: int, least: float, ws: Any
    ) -> float:
        sign, likely, worst = sign_of(ws.searcher), ws.killer[depth], INFINITY
        for k in range(ws.counts[depth, 1 - ws.searcher]):
            j = likely if k == 0 else 0 if k == likely else k
            after = after_pair(game, p, ws.searcher, move, ws.moves[depth, j])
            a, b = turned(least, worst, sign)
            worst = min(worst, sign * serial(game, evaluation, after, depth - 1, a, b, ws))
            if worst <= least:
                refuted(depth, j, ws)
                break
        return worst


class Hopeful(Way):
    """The enemy answers as one would wish, or at random."""

    def value(self, game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
        return hopeful(game, evaluation, p, depth, ws)

    def answered(
        self, game: Any, evaluation: Any, p: Words, depth: int, move: int, least: float, ws: Any
    ) -> float:
        sign, count = sign_of(ws.searcher), ws.counts[depth, 1 - ws.searcher]
        total, highest = 0.0, -INFINITY
        for j in range(count):
            after = after_pair(game, p, ws.searcher, move, ws.moves[depth, j])
            worth = sign * hopeful(game, evaluation, after, depth - 1, ws)
            total += worth
            highest = max(highest, worth)
        return total / count if ws.takes_mean != 0 else highest


PARANOID, HOPEFUL = Paranoid(), Hopeful()


@kernel
def value_of(way: Any, game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The value of a position after the first move."""
    ws.ply = 1
    return way.value(game, evaluation, p, depth, ws)


@kernel
def rank_moves(way: Any, game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The value of each of the searching player's moves, which stand in ``ws.root_moves``; or a
    bound that is not above the best before it. Returns the best."""
    ws.interior += 1
    ws.ply = 1
    enemy = 1 - ws.searcher
    ws.counts[depth, enemy] = game.moves_of(p, enemy, ws.moves[depth], 0)
    best = -INFINITY
    for i in range(ws.root_counts[ws.searcher]):
        value = way.answered(game, evaluation, p, depth, ws.root_moves[i], best, ws)
        if ws.stop != 0 and i > 0:
            break
        ws.root_values[i] = value
        best = max(best, value)
    return best
