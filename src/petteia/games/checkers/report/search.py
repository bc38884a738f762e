"""The report's search, compiled: alpha-beta with its cache, its node ordering and its heap.

Red, which is White here, is always Max, Black always Min; values speak for Red. The readable
form, with a dictionary and Python's own heap, is ``report_reference.py``; both give the same
values, moves and counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, mix, popcount, signed
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words
from petteia.games.checkers.rules.board import BLACK_HOME, WHITE_HOME, mask
from petteia.games.checkers.rules.moves import CAPTURES
from petteia.search.tree import Window, extend_line

__all__ = [
    "BEST", "CORRECTED", "DEEPEST", "HEAP", "INCLUSIVE", "MOST_WEIGHTS", "NONE", "PRINTED",
    "SORT", "WIN", "WINDOW", "WORKSPACE", "root",
]  # fmt: skip

WIN = 10_000.0
"""The value of a won game, less its plies from the root."""
DEEPEST = 40
MOST_WEIGHTS = 64
NONE, PRINTED, INCLUSIVE, WINDOW, CORRECTED = range(5)
"""What decides that a saved value may be used: nothing; present beta < saved beta at Max and
present alpha > saved alpha at Min; the same with "or equal"; the present window lies within the
saved one; the saved value is exact or a bound that decides."""
UNSORTED, HEAP, SORT, BEST = range(4)
"""How the next move is found: as generated, from a heap, from a sorted list, by a scan."""

_INFINITY = 1e18
_SLOTS = 1 << 19
_FULL = _SLOTS - _SLOTS // 8
_MOVES = (DEEPEST + 1) * 256
_CENTRE = mask(14, 15, 18, 19)
_FAR = (mask(*range(21, 33)), mask(*range(1, 13)))
"""The furthest three rows of Black and of White."""
_EXACT, _LOWER, _UPPER = range(3)

WORKSPACE = np.dtype(
    [
        ("stop", np.int64),
        ("interior", np.int64),
        ("leaves", np.int64),
        ("hits", np.int64),  # how often a saved value was used
        ("saved", np.int64),  # positions in the cache
        ("depth", np.int64),
        ("cache", np.int64),
        ("equal_depth", np.int64),  # whether a value of another depth may be used
        ("picking", np.int64),
        ("jumps_first", np.int64),
        ("flat", np.int64),  # whether all wins are worth the same
        ("age", np.int64),  # of the cache: entries of another age count as empty
        ("points", np.int64, (5,)),  # captured, centre, home, crown, far
        ("weights", np.float64, (MOST_WEIGHTS,)),
        ("moves", np.int64, (_MOVES,)),
        ("order", np.int64, (_MOVES,)),
        ("scratch", np.int64, (512,)),
        ("line", np.int64, (DEEPEST + 2, DEEPEST + 2)),
        ("boards", np.uint64, (_SLOTS, 4)),
        ("windows", np.float64, (_SLOTS, 3)),  # alpha, beta, value
        ("notes", np.int64, (_SLOTS, 3)),  # age, depth, move
    ],
    align=True,
)


def ordering_points(p: Words, move: int, points: np.ndarray) -> int:
    """Kernel: the report's points for a move, from the move alone."""
    player = signed(p[3] & U(1))
    target = U(1) << U(move >> 6 & 63)
    total = points[0] * popcount(U(move >> CAPTURES) & U((1 << 36) - 1))
    if target & _CENTRE != U(0):
        total += points[1]
    home, crown = (BLACK_HOME, WHITE_HOME) if player == 0 else (WHITE_HOME, BLACK_HOME)
    if target & home != U(0):
        total += points[2]
    if target & crown != U(0):
        total += points[3]
    if target & (_FAR[0] if player == 0 else _FAR[1]) != U(0):
        total += points[4]
    return total


def prepare_order(p: Words, at: int, end: int, ws: Any) -> None:
    """Kernel: the keys of the moves, highest first: points above, order of generation below."""
    for i in range(at, end):
        points = ordering_points(p, ws.moves[i], ws.points) if ws.picking != UNSORTED else 0
        key = (points << 16) | (0xFFFF - (i - at))
        if ws.picking == HEAP:
            hole = i - at  # rises until its parent is no smaller
            while hole > 0 and ws.order[at + (hole - 1) // 2] < key:
                ws.order[at + hole] = ws.order[at + (hole - 1) // 2]
                hole = (hole - 1) // 2
            ws.order[at + hole] = key
        elif ws.picking == SORT:
            j = i
            while j > at and ws.order[j - 1] < key:
                ws.order[j] = ws.order[j - 1]
                j -= 1
            ws.order[j] = key
        else:
            ws.order[i] = key


def next_move(at: int, k: int, end: int, ws: Any) -> int:
    """Kernel: the k-th move in the order of the keys."""
    if ws.picking == HEAP:
        top = ws.order[at]
        size = end - at - k - 1
        last = ws.order[at + size]
        hole = 0
        while 2 * hole + 1 < size:  # sinks below its larger child
            child = 2 * hole + 1
            if child + 1 < size and ws.order[at + child + 1] > ws.order[at + child]:
                child += 1
            if ws.order[at + child] <= last:
                break
            ws.order[at + hole] = ws.order[at + child]
            hole = child
        ws.order[at + hole] = last
    elif ws.picking == BEST:
        best = at + k
        for i in range(at + k + 1, end):
            if ws.order[i] > ws.order[best]:
                best = i
        top = ws.order[best]
        ws.order[best] = ws.order[at + k]
        ws.order[at + k] = top
    else:
        top = ws.order[at + k]
    return ws.moves[at + 0xFFFF - (top & 0xFFFF)]


def slot_of(p: Words, ws: Any) -> int:
    """Kernel: where a position stands in the cache, or would; -1 where there is no room."""
    place = signed(mix(p[0] ^ mix(p[1] ^ mix(p[2] ^ mix(p[3])))) >> U(1)) & (_SLOTS - 1)
    while ws.notes[place, 0] == ws.age:
        if (
            ws.boards[place, 0] == p[0]
            and ws.boards[place, 1] == p[1]
            and ws.boards[place, 2] == p[2]
            and ws.boards[place, 3] == p[3]
        ):
            return place
        place = (place + 1) & (_SLOTS - 1)
    return place if ws.saved < _FULL else -1


def moved_by(value: float, plies: int) -> float:
    """Kernel: a win or loss this many plies nearer to the root."""
    if value > WIN / 2:
        return value + plies
    return value - plies if value < -WIN / 2 else value


def is_usable(slot: int, depth: int, alpha: float, beta: float, is_max: bool, ws: Any) -> bool:
    """Kernel: whether what was saved may stand for a search with this window."""
    saved = ws.notes[slot, 1]
    if saved > depth or (ws.equal_depth != 0 and saved != depth):
        return False
    alpha0, beta0, value = ws.windows[slot, 0], ws.windows[slot, 1], ws.windows[slot, 2]
    if ws.cache == PRINTED:
        return beta < beta0 if is_max else alpha > alpha0
    if ws.cache == INCLUSIVE:
        return beta <= beta0 if is_max else alpha >= alpha0
    if ws.cache == WINDOW:
        return alpha0 <= alpha and beta <= beta0
    here = moved_by(value, -depth) if ws.flat == 0 else value
    then = moved_by(value, -saved) if ws.flat == 0 else value  # as it stood beside its window
    if then <= alpha0:
        return here <= alpha
    if then >= beta0:
        return here >= beta
    return True


def save(slot: int, p: Words, depth: int, alpha: float, beta: float, value: float, ws: Any) -> None:
    """Kernel: writes an entry over whatever was saved for the position."""
    if ws.notes[slot, 0] != ws.age:
        ws.saved += 1
    for i in range(4):
        ws.boards[slot, i] = p[i]
    ws.notes[slot, 0], ws.notes[slot, 1], ws.notes[slot, 2] = ws.age, depth, ws.line[depth, 0]
    ws.windows[slot, 0], ws.windows[slot, 1] = alpha, beta
    relative = ws.cache >= WINDOW and ws.flat == 0
    ws.windows[slot, 2] = moved_by(value, depth) if relative else value


def saved_value(slot: int, depth: int, ws: Any) -> float:
    """Kernel: the value of an entry, met at this depth."""
    value = ws.windows[slot, 2]
    return moved_by(value, -depth) if ws.cache >= WINDOW and ws.flat == 0 else value


def descend(
    game: Any, evaluation: Any, p: Words, window: Window, depth: int, at: int, ws: Any
) -> float:
    """The value of a position for Red, ``depth`` plies below the root."""
    alpha, beta = window
    ws.line[depth, 0] = -1
    over = game.kind(p) == TERMINAL
    if over and game.result(p) != 0.0:
        ws.leaves += 1
        return -game.result(p) * (WIN if ws.flat != 0 else WIN - depth)
    if over or depth >= ws.depth:  # the course knows no draws: one is worth what stands there
        ws.leaves += 1
        return evaluation.value(game, p, 1, ws.weights)
    is_max = game.mover(p) == 1
    slot = -1
    if depth > 0 and ws.cache != NONE:
        slot = slot_of(p, ws)
        known = slot >= 0 and ws.notes[slot, 0] == ws.age
        if known and is_usable(slot, depth, alpha, beta, is_max, ws):
            ws.hits += 1
            ws.line[depth, 0], ws.line[depth, 1] = ws.notes[slot, 2], -1
            return saved_value(slot, depth, ws)
    ws.interior += 1
    if ws.jumps_first == 0:
        game.steps(p, ws.scratch, 0)  # found, and thrown away where there is a jump
    end = game.moves(p, ws.moves, at)
    prepare_order(p, at, end, ws)
    best = -_INFINITY if is_max else _INFINITY
    for k in range(end - at):
        move = next_move(at, k, end, ws)
        value = descend(game, evaluation, game.play(p, move), (alpha, beta), depth + 1, end, ws)
        if ws.stop != 0:
            return best
        if (is_max and value > best) or (not is_max and value < best):
            best = value
            extend_line(ws, depth, move)
        if is_max:
            if best >= beta:
                break
            alpha = max(alpha, best)
        else:
            if best <= alpha:
                break
            beta = min(beta, best)
    if depth > 0 and ws.cache != NONE:
        slot = slot_of(p, ws)  # the searches below may have taken the place
        if slot >= 0:
            save(slot, p, depth, window[0], window[1], best, ws)
    return best


@kernel
def root(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """The value of a position for Red; its best line stands in the workspace."""
    return descend(game, evaluation, p, (-_INFINITY, _INFINITY), depth, 0, ws)
