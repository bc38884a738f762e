"""The engine's tree search: principal variation search for any game of decisions.

Transposition table, killers, history, late-move reductions, quiescence and forced ends, the last
two as far as the game supplies them. Values speak for the mover (negamax); a player who moves
twice keeps the sign. Leaves are rounded to single precision, as in the table, so a search gives
the same value with any table.

The functions here are kernels; ``search.engine`` drives them. All their memory is one record,
which travels as a single pointer: a recursion that carries arrays is two to three times slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, nanoseconds, words_at
from petteia.core.game import DRAWN, TERMINAL
from petteia.core.words import U, Words
from petteia.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    bound_of,
    depth_of,
    key_of,
    place_of,
    prefetch,
    probe,
    remember,
    value_of,
)
from petteia.search.values import WIN, terminal_value

__all__ = ["MAX_PAST", "MAX_PLY", "MAX_WEIGHTS", "WORKSPACE", "identity_key", "root_search"]

MAX_PLY = 120
MAX_PAST = 1024
"""So many earlier positions of the game are looked at for repetition."""
MAX_WEIGHTS = 256
_MOVES = 1 << 15
_HISTORY = 4096
_INFINITY = 1e18
_TACTICAL = 100  # priorities from here on are captures and the like: never reduced
_DECIDED = 900_000.0

WORKSPACE = np.dtype(
    [
        ("stop", np.int64),  # set from outside, or when the nodes are used up
        ("nodes", np.int64),
        ("leaves", np.int64),
        ("node_limit", np.int64),
        ("deadline", np.int64),  # on the kernels' clock
        ("searcher", np.int64),  # for whom the evaluation speaks
        ("reduce", np.int64),  # whether late moves are reduced
        ("table", np.int64),  # address
        ("mask", np.int64),
        ("generation", np.int64),
        ("salt", np.uint64),
        ("best", np.int64),  # place of the best root move
        ("roots", np.int64),  # how many root moves
        ("exact", np.int64),  # address of the game's exact tables, or 0
        ("past", np.int64),  # how many keys of earlier positions stand before the root's
        ("weights", np.float64, (MAX_WEIGHTS,)),
        ("killers", np.int64, (MAX_PLY + 2, 2)),
        ("history", np.int64, (2, _HISTORY)),
        ("moves", np.int64, (_MOVES,)),
        ("order", np.int64, (_MOVES,)),
        ("line", np.int64, (MAX_PLY + 2, MAX_PLY + 2)),
        ("root_moves", np.int64, (4096,)),
        ("root_values", np.float64, (4096,)),
        ("keys", np.uint64, (MAX_PAST + MAX_PLY + 2,)),  # what was played, then the path
    ],
    align=True,
)


def static_value(game: Any, evaluation: Any, p: Words, ws: Any) -> float:
    """The evaluation for the mover, in single precision."""
    value = np.float64(np.float32(evaluation.value(game, p, np.int64(ws.searcher), ws.weights)))
    return value if game.mover(p) == ws.searcher else -value


def history_slot(move: int) -> int:
    """Where a move's history is kept; moves of small games have a slot of their own."""
    return (move ^ (move >> 12)) & (_HISTORY - 1)


def quiesce(
    game: Any, evaluation: Any, p: Words, alpha: float, beta: float, ply: int, at: int, ws: Any
) -> float:
    """Noisy moves only, until the position is quiet; the mover may also stand still."""
    ws.leaves += 1
    best = static_value(game, evaluation, p, ws)
    if best >= beta or ply >= MAX_PLY or at + game.max_moves > _MOVES:
        return best
    alpha = max(alpha, best)
    end = game.noisy_moves(p, ws.moves, at)
    mover = game.mover(p)
    for i in range(at, end):
        ws.order[i] = (game.priority(p, ws.moves[i]) << 16) | (i - at)
    for k in range(at, end):
        pick(ws, k, end)
        after = game.play(p, ws.moves[at + (ws.order[k] & 0xFFFF)])
        ws.nodes += 1
        value, known = ended(game, after, ply + 1, ws)
        if not known:
            if game.mover(after) == mover:
                value = quiesce(game, evaluation, after, alpha, beta, ply + 1, end, ws)
            else:
                value = quiesce(game, evaluation, after, -beta, -alpha, ply + 1, end, ws)
        if game.mover(after) != mover:
            value = -value
        if value > best:
            best = value
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def ended(game: Any, p: Words, ply: int, ws: Any) -> tuple[float, bool]:
    """The value for the mover where the game is over or its end is certain, and whether it is."""
    if game.kind(p) == TERMINAL:
        return terminal_value(game, p, game.mover(p), ply), True
    forced = game.forced(p)
    if forced == 0 and ws.exact != 0:
        forced = game.known(p, ws.exact)
        if forced == DRAWN:
            return 0.0, True
    if forced > 0:
        return WIN - (ply + forced), True
    if forced < 0:
        return -(WIN - (ply - forced)), True
    return 0.0, False


def identity_key(game: Any, p: Words) -> Any:
    """The key of a position to the rule of repetition."""
    return key_of(game.identity(p), U(0))


def stands_again(game: Any, p: Words, ply: int, ws: Any) -> bool:
    """Whether the position counts as a draw by repetition.

    Once is enough below the root: who can repeat a position once can do it again. What was played
    before the root counts as the rule says.
    """
    key = identity_key(game, p)
    here = ws.past + ply
    ws.keys[here] = key
    times = 1
    for i in range(here - 1, max(here - game.lookback(p), 0) - 1, -1):
        if ws.keys[i] == key:
            if i > ws.past:
                return True
            times += 1
    return times >= game.repetitions


def pick(ws: Any, at: int, end: int) -> None:
    """Brings the move with the highest score to ``at``."""
    best, highest = at, ws.order[at]
    for i in range(at + 1, end):
        if ws.order[i] > highest:
            best, highest = i, ws.order[i]
    ws.order[best] = ws.order[at]
    ws.order[at] = highest


def score_moves(
    game: Any, p: Words, at: int, end: int, table_place: int, ply: int, ws: Any
) -> None:
    """Scores for the order: table move, tactical moves, killers, history. The score stands above
    bit 16, the place of the move in the list below it."""
    mover = game.mover(p)
    first, second = ws.killers[ply, 0], ws.killers[ply, 1]
    for i in range(at, end):
        move = ws.moves[i]
        place = i - at
        if place == table_place:
            score = 1 << 40
        else:
            priority = game.priority(p, move)
            if priority >= _TACTICAL:
                score = priority << 24
            elif move == first:
                score = 1 << 29
            elif move == second:
                score = 1 << 28
            else:
                score = (priority << 8) + ws.history[mover, history_slot(move)]
        ws.order[i] = (score << 16) | place


def reward(ws: Any, mover: int, move: int, ply: int, depth: int) -> None:
    """A quiet move refuted the line: killers and history learn it."""
    if ws.killers[ply, 0] != move:
        ws.killers[ply, 1] = ws.killers[ply, 0]
        ws.killers[ply, 0] = move
    slot = history_slot(move)
    grown = ws.history[mover, slot] + depth * depth
    if grown > 1 << 20:
        for side in range(2):
            for i in range(_HISTORY):
                ws.history[side, i] >>= 1
        grown >>= 1
    ws.history[mover, slot] = grown


def to_table(value: float, ply: int) -> float:
    """Forced ends are kept by their distance from the node, not from the root."""
    if value > _DECIDED:
        return value + ply
    return value - ply if value < -_DECIDED else value


def from_table(value: float, ply: int) -> float:
    """The opposite of ``to_table``."""
    if value > _DECIDED:
        return value - ply
    return value + ply if value < -_DECIDED else value


def extend_line(ws: Any, ply: int, move: int) -> None:
    """The best line at this ply is the move and the best line after it."""
    ws.line[ply, 0] = move
    i = 0
    while ws.line[ply + 1, i] >= 0:
        ws.line[ply, i + 1] = ws.line[ply + 1, i]
        i += 1
    ws.line[ply, i + 1] = -1


def reduction(depth: int, number: int) -> int:
    """How many plies a late quiet move is searched less deep at first."""
    if depth < 3 or number < 3:
        return 0
    return 2 if number >= 9 and depth >= 5 else 1


def is_late(game: Any, depth: int, number: int) -> bool:
    """Whether a quiet move comes too late to be looked at with so few plies left."""
    return 1 <= depth <= 3 and number >= game.late_moves[depth - 1]


def is_open(alpha: float, beta: float) -> bool:
    """Whether a window has room for a value, so that its best line is wanted."""
    return beta - alpha > 6e-8 * max(abs(alpha), abs(beta)) + 2e-12


def next_above(value: float) -> float:
    """The upper end of a closed window: no single-precision value lies strictly inside."""
    return value + max(3e-8 * abs(value), 1e-12)


def pvs(
    game: Any,
    evaluation: Any,
    p: Words,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    at: int,
    ws: Any,
) -> float:
    """The value for the mover; exact inside the window, a bound outside."""
    ws.nodes += 1
    ws.line[ply, 0] = -1
    if ws.nodes >= ws.node_limit or (ws.nodes & 1023 == 0 and nanoseconds() > ws.deadline):
        ws.stop = 1
    if ws.stop != 0:
        return 0.0
    if game.repetitions > 0 and stands_again(game, p, ply, ws):
        ws.leaves += 1
        return 0.0
    value, known = ended(game, p, ply, ws)
    if known:
        ws.leaves += 1
        return value
    if ply >= MAX_PLY or at + game.max_moves > _MOVES:
        return quiesce(game, evaluation, p, alpha, beta, ply, at, ws)
    if depth <= 0 and not game.restless(p, -depth):
        return quiesce(game, evaluation, p, alpha, beta, ply, at, ws)

    table = words_at(ws.table, 2 * ws.mask + 2)
    key = U(0)
    table_place = -1
    if depth >= 0:  # beyond the depth, the table would not know how far
        key = key_of(p, ws.salt)
        prefetch(table, ws.mask, key)
    end = game.moves(p, ws.moves, at)
    data = probe(table, ws.mask, key, ws.generation) if depth >= 0 else U(0)
    if data != U(0):
        table_place = place_of(data)
        # Without reductions a search promises the value of exactly its depth.
        if depth_of(data) == depth or (depth_of(data) > depth and ws.reduce != 0):
            value = from_table(value_of(data), ply)
            bound = bound_of(data)
            if (
                (bound == EXACT and not is_open(alpha, beta))
                or (bound == AT_LEAST and value >= beta)
                or (bound == AT_MOST and value <= alpha)
            ):
                return value

    score_moves(game, p, at, end, table_place, ply, ws)
    mover = game.mover(p)
    best, best_place, entry_alpha = -_INFINITY, -1, alpha
    prunes = ws.reduce != 0 and not is_open(alpha, beta)
    for k in range(at, end):
        pick(ws, k, end)
        place = ws.order[k] & 0xFFFF
        is_tactical = (ws.order[k] >> 16) >= (_TACTICAL << 24)
        if prunes and not is_tactical and is_late(game, depth, k - at) and best > -_DECIDED:
            break  # those that follow are quiet too
        move = ws.moves[at + place]
        after = game.play(p, move)
        sign = 1.0 if game.mover(after) == mover else -1.0
        value = alpha
        if k > at:
            reduced = depth - 1
            if ws.reduce != 0 and not is_tactical:
                reduced -= reduction(depth, k - at)
            a, b = window(alpha, next_above(alpha), sign)
            value = sign * pvs(game, evaluation, after, a, b, reduced, ply + 1, end, ws)
            if value > alpha and reduced < depth - 1:
                value = sign * pvs(game, evaluation, after, a, b, depth - 1, ply + 1, end, ws)
        if k == at or (alpha < value < beta):
            a, b = window(alpha, beta, sign)
            value = sign * pvs(game, evaluation, after, a, b, depth - 1, ply + 1, end, ws)
        if ws.stop != 0:
            return 0.0
        if value > best:
            best, best_place = value, place
            if value > alpha:
                alpha = value
                extend_line(ws, ply, move)
                if value >= beta:
                    if not is_tactical:
                        reward(ws, mover, move, ply, depth)
                    break
    bound = AT_MOST if best <= entry_alpha else AT_LEAST if best >= beta else EXACT
    if depth >= 0:
        remember(table, ws.mask, key, ws.generation, to_table(best, ply), depth, bound, best_place)
    return best


def window(alpha: float, beta: float, sign: float) -> tuple[float, float]:
    """The window as the child's mover sees it."""
    if sign > 0.0:
        return alpha, beta
    return -beta, -alpha


@kernel
def root_search(
    game: Any,
    evaluation: Any,
    p: Words,
    depth: int,
    alpha: float,
    beta: float,
    first: int,
    last: int,
    ws: Any,
) -> float:
    """Searches the root moves ``first`` to ``last`` (exclusive) in their order.

    Writes every move's value, the best move's place and line into the workspace; returns the
    best value for the mover. When it is stopped, what it wrote before still holds.
    """
    ws.best = -1
    best = -_INFINITY
    mover = game.mover(p)
    for i in range(first, last):
        after = game.play(p, ws.root_moves[i])
        sign = 1.0 if game.mover(after) == mover else -1.0
        value = alpha
        if i > first:
            a, b = window(alpha, next_above(alpha), sign)
            value = sign * pvs(game, evaluation, after, a, b, depth - 1, 1, 0, ws)
        if i == first or (alpha < value < beta):
            a, b = window(alpha, beta, sign)
            value = sign * pvs(game, evaluation, after, a, b, depth - 1, 1, 0, ws)
        if ws.stop != 0:
            break
        ws.root_values[i] = value
        if value > best:
            best = value
            ws.best = i
            extend_line(ws, 0, ws.root_moves[i])
            if value > alpha:
                alpha = value
            if value >= beta:
                break
    return best
