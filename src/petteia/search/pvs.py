"""The engine's tree search: principal variation search for any game of decisions.

Transposition table, killers, history, late-move reductions, quiescence and forced ends, the last
two as far as the game supplies them. Values speak for the mover (negamax); a player who moves
twice keeps the sign. Leaves are rounded to single precision, as in the table, so a search gives
the same value with any table.

The functions here are kernels; ``search.deepening`` drives them. All their memory is one record,
which travels as a single pointer: a recursion that carries arrays is two to three times slower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.game import DRAWN, TERMINAL
from petteia.core.words import U, Words
from petteia.search.claims import CLAIMED_DEPTH, claim_of, release, take, turn_to
from petteia.search.portable import found_fields
from petteia.search.table import (
    EXACT,
    TABLE_FIELDS,
    Entry,
    bound_of_value,
    decides,
    key_of,
    prefetch,
    probe,
    remember,
)
from petteia.search.tree import INFINITY, PLACE, Window, count_node, extend_line, pick, workspace_of
from petteia.search.values import DECIDED, WIN, terminal_value

__all__ = [
    "MAX_PAST", "MAX_PLY", "MAX_ROOT_MOVES", "identity_key", "next_above", "pvs",
    "turned", "workspace_for",
]  # fmt: skip

MAX_PLY = 120
MAX_PAST = 1024
"""So many earlier positions of the game are looked at for repetition."""
MAX_ROOT_MOVES = 4096
_MOVES = 1 << 15
_HISTORY = 4096
_TACTICAL = 100  # priorities from here on are captures and the like: never reduced
_TABLE_MOVE = 1 << 40  # scores, so far apart that the kinds of moves never mix
_KILLERS = 1 << 29, 1 << 28
_MOST_HISTORY = 1 << 20  # beyond it all are halved: what was learned long ago fades
_CLOCK = 1024  # nodes between two looks at the clock, some tenths of a millisecond

_FIELDS: list[Any] = [
    ("stop", np.int64),  # set from outside, or when the nodes are used up
    ("nodes", np.int64),
    ("leaves", np.int64),
    ("node_limit", np.int64),
    ("deadline", np.int64),  # on the kernels' clock
    ("searcher", np.int64),  # for whom the evaluation speaks
    ("reduce", np.int64),  # whether late moves are reduced
    *TABLE_FIELDS,
    ("claims", np.int64),  # address of what the threads claim, or 0 where one searches alone
    ("exact", np.int64),  # address of the game's exact tables, or 0
    # --- the deepening: what is asked ---
    ("depth_limit", np.int64),
    ("every", np.int64),  # whether every root move is to have its own value and line
    ("one_depth", np.int64),  # whether a call ends after each depth
    ("helper", np.int64),  # its number, if it only fills the table for another thread; else 0
    # --- what it keeps between two depths ---
    ("depth", np.int64),  # the last that was begun; 0: all is to begin
    ("guess", np.float64),  # the last depth's value
    ("root_count", np.int64),
    ("best", np.int64),  # place of the best root move
    # --- what it found ---
    *found_fields(MAX_ROOT_MOVES, MAX_PLY + 1),
    ("past", np.int64),  # how many keys of earlier positions stand before the root's
    ("killers", np.int64, (MAX_PLY + 2, 2)),
    ("history", np.int64, (2, _HISTORY)),
    ("begins", np.int64, (MAX_PLY + 3,)),  # where the moves of a ply begin; the last's end
    ("moves", np.int64, (_MOVES,)),
    ("order", np.int64, (_MOVES,)),
    ("line", np.int64, (MAX_PLY + 2, MAX_PLY + 2)),
    ("root_moves", np.int64, (MAX_ROOT_MOVES,)),
    ("put_off", np.int64, (MAX_ROOT_MOVES,)),  # whether another thread had claimed it
    ("keys", np.uint64, (MAX_PAST + MAX_PLY + 2,)),  # what was played, then the path
]


def workspace_for(weights: np.ndarray) -> np.dtype[Any]:
    """The memory of a search whose evaluation has weights like these."""
    return workspace_of(_FIELDS, weights)


def static_value(game: Any, evaluation: Any, p: Words, ws: Any) -> float:
    """The evaluation for the mover, in single precision."""
    value = np.float64(np.float32(evaluation.value(game, p, np.int64(ws.searcher), ws.weights)))
    return value if game.mover(p) == ws.searcher else -value


def history_slot(move: int) -> int:
    """Where a move's history is kept; moves of small games have a slot of their own."""
    return (move ^ (move >> 12)) & (_HISTORY - 1)


def has_room(game: Any, ply: int, ws: Any) -> bool:
    """Whether there is memory for another ply's moves."""
    return ply < MAX_PLY and ws.begins[ply] + game.max_moves <= _MOVES


def quiesce(game: Any, evaluation: Any, p: Words, window: Window, ply: int, ws: Any) -> float:
    """Noisy moves only, until the position is quiet; the mover may also stand still."""
    ws.leaves += 1
    alpha, beta = window
    best = static_value(game, evaluation, p, ws)
    if best >= beta or not has_room(game, ply, ws):
        return best
    alpha = max(alpha, best)
    at = ws.begins[ply]
    end = ws.begins[ply + 1] = game.noisy_moves(p, ws.moves, at)
    mover = game.mover(p)
    for i in range(at, end):
        ws.order[i] = (game.priority(p, ws.moves[i]) << 16) | (i - at)
    for k in range(at, end):
        pick(ws, k, end)
        after = game.play(p, ws.moves[at + (ws.order[k] & PLACE)])
        ws.nodes += 1
        sign = 1.0 if game.mover(after) == mover else -1.0
        value, known = ended(game, after, ply + 1, ws)
        if not known:
            seen = turned(alpha, beta, sign)
            value = quiesce(game, evaluation, after, seen, ply + 1, ws)
        value *= sign
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


def score_moves(game: Any, p: Words, table_place: int, ply: int, ws: Any) -> None:
    """Scores for the order: table move, tactical moves, killers, history. The score stands above
    bit 16, the place of the move in the list below it."""
    mover = game.mover(p)
    first, second = ws.killers[ply, 0], ws.killers[ply, 1]
    at = ws.begins[ply]
    for i in range(at, ws.begins[ply + 1]):
        move = ws.moves[i]
        place = i - at
        if place == table_place:
            score = _TABLE_MOVE
        else:
            priority = game.priority(p, move)
            if priority >= _TACTICAL:
                score = priority << 24
            elif move == first:
                score = _KILLERS[0]
            elif move == second:
                score = _KILLERS[1]
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
    if grown > _MOST_HISTORY:
        for side in range(2):
            for i in range(_HISTORY):
                ws.history[side, i] >>= 1
        grown >>= 1
    ws.history[mover, slot] = grown


def to_table(game: Any, value: float, ply: int) -> float:
    """Forced ends are kept by their distance from the node, not from the root."""
    if value > DECIDED:
        return value + ply * points_of(game, value)
    return value - ply * points_of(game, -value) if value < -DECIDED else value


def from_table(game: Any, value: float, ply: int) -> float:
    """The opposite of ``to_table``."""
    if value > DECIDED:
        return value - ply * points_of(game, value)
    return value + ply * points_of(game, -value) if value < -DECIDED else value


def points_of(game: Any, value: float) -> float:
    """How many points a forced end of this value brings: a ply less makes each worth one more."""
    return 1.0 if game.most_points <= 1.0 else np.floor(value / WIN + 0.5)


def answers(entry: Entry, value: float, window: Window, depth: int, ws: Any) -> bool:
    """Whether an entry makes a search needless. Where the window is open the line is wanted too;
    without reductions a search promises the value of exactly its depth."""
    alpha, beta = window
    if entry.depth != depth and (entry.depth < depth or ws.reduce == 0):
        return False
    return (entry.bound == EXACT and not is_open(alpha, beta)) or decides(entry, value, alpha, beta)


def reduction(depth: int, number: int) -> int:
    """How many plies a late quiet move is searched less deep at first.

    The best move is mostly among the first three, and with fewer than three plies left nothing is
    saved. A move that turns out to be good is searched again to the full depth.
    """
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


def turned(alpha: float, beta: float, sign: float) -> Window:
    """The window as the child's mover sees it: the same player if the sign is 1, else the other."""
    if sign > 0.0:
        return alpha, beta
    return -beta, -alpha


def leaf(
    game: Any, evaluation: Any, p: Words, window: Window, depth: int, ply: int, ws: Any
) -> tuple[float, bool]:
    """The value of a node whose moves are not searched, and whether it is one: the search is
    stopped, the game is over or drawn by repetition, or the depth is used up."""
    if ws.stop != 0:
        return 0.0, True
    if game.repetitions > 0 and stands_again(game, p, ply, ws):
        ws.leaves += 1
        return 0.0, True
    value, known = ended(game, p, ply, ws)
    if known:
        ws.leaves += 1
        return value, True
    if not has_room(game, ply, ws) or (depth <= 0 and not game.restless(p, -depth)):
        return quiesce(game, evaluation, p, window, ply, ws), True
    return 0.0, False


def pvs(
    game: Any, evaluation: Any, p: Words, window: Window, depth: int, ply: int, ws: Any
) -> float:
    """The value for the mover; exact inside the window, a bound outside."""
    count_node(ws, _CLOCK)
    ws.line[ply, 0] = -1
    value, is_leaf = leaf(game, evaluation, p, window, depth, ply, ws)
    if is_leaf:
        return value
    key, table_place = U(0), -1
    if depth >= 0:  # beyond the depth, the table would not know how far
        key = key_of(game.remembered(p), ws.salt)
        prefetch(ws, key)
    at = ws.begins[ply]
    end = ws.begins[ply + 1] = game.moves(p, ws.moves, at)
    if depth >= 0:
        entry = probe(ws, key)
        table_place = entry.place
        value = from_table(game, entry.value, ply)
        if answers(entry, value, window, depth, ws):
            return value

    score_moves(game, p, table_place, ply, ws)
    alpha, beta = window
    mover = game.mover(p)
    best, best_place = -INFINITY, -1
    prunes = ws.reduce != 0 and not is_open(alpha, beta)
    again = end - at if ws.claims != 0 and depth >= CLAIMED_DEPTH else 0
    for turn in range(at, end + again):
        k = turn_to(ws, turn, end, again)
        if k < 0:
            continue
        place = ws.order[k] & PLACE
        is_tactical = (ws.order[k] >> 16) >= (_TACTICAL << 24)
        if prunes and not is_tactical and is_late(game, depth, k - at) and best > -DECIDED:
            break  # those that follow are quiet too
        move = ws.moves[at + place]
        held = U(0)
        if again > 0 and at < k == turn:
            held = take(ws, k, claim_of(key, move, depth))
            if held == U(0):
                continue
        after = game.play(p, move)
        sign = 1.0 if game.mover(after) == mover else -1.0
        value = alpha
        if k > at:
            reduced = depth - 1
            if ws.reduce != 0 and not is_tactical:
                reduced -= reduction(depth, k - at)
            closed = turned(alpha, next_above(alpha), sign)
            value = sign * pvs(game, evaluation, after, closed, reduced, ply + 1, ws)
            if value > alpha and reduced < depth - 1:
                value = sign * pvs(game, evaluation, after, closed, depth - 1, ply + 1, ws)
        if k == at or (alpha < value < beta):
            seen = turned(alpha, beta, sign)
            value = sign * pvs(game, evaluation, after, seen, depth - 1, ply + 1, ws)
        if held != U(0):
            release(ws, held)
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
    if depth >= 0:
        bound = bound_of_value(best, window[0], beta)
        remember(ws, key, Entry(to_table(game, best, ply), depth, bound, best_place))
    return best
