"""The engine's root: one depth after another, each with a window around the last one's value.

One kernel, so that whoever asks, Python or a browser, only fills the workspace (``search.pvs``)
and reads it:

- to be filled: ``stop`` and ``depth`` (0), ``depth_limit``, ``node_limit``, ``deadline``,
  ``every``, ``one_depth``, ``searcher``, ``reduce``, ``weights``, the table's fields, ``exact``,
  and where the rules look back ``past`` and the earlier positions' ``keys``;
- to be read: ``found`` rows of ``values`` and ``lines``, ``found_depth``, ``found_nodes``,
  ``found_leaves``, and ``done``. There is one row, that of the best move, or if ``every`` is set
  one for every root move, in the order of the rules.
"""

from __future__ import annotations

from typing import Any

from petteia.compiled import kernel
from petteia.core.game import DECISION
from petteia.core.words import Words
from petteia.search.clock import NEVER
from petteia.search.pvs import MAX_PLY, identity_key, next_above, pvs, turned
from petteia.search.tree import INFINITY, extend_line
from petteia.search.values import WIN, is_decided

__all__ = ["DEEPEST", "deepen"]

DEEPEST = MAX_PLY - 20  # room for plies beyond the depth
_FIRST_WINDOW = 0.02  # of the last depth's value, which the next seldom leaves further
_OPENED = 4  # each failure opens the window so many times as wide
_ASPIRES_FROM = 4  # the values of shallower depths differ too much from one to the next


@kernel
def deepen(game: Any, evaluation: Any, p: Words, ws: Any) -> None:
    """Searches the next depth, or if not ``ws.one_depth`` all that are left."""
    if ws.depth == 0:
        begin(game, p, ws)
    while ws.done == 0:
        ws.depth += 1
        if ws.every != 0:
            look_at_every_move(game, evaluation, p, ws.depth, ws)
        else:
            look_for_the_best(game, evaluation, p, ws.depth, ws)
        if ws.stop != 0 or ws.depth >= ws.depth_limit:
            ws.done = 1
        if ws.one_depth != 0:
            break


def begin(game: Any, p: Words, ws: Any) -> None:
    """Writes the root's moves; nothing is found yet."""
    ws.nodes, ws.leaves = 1, 0
    ws.found, ws.found_depth, ws.found_nodes, ws.found_leaves = 0, 0, 1, 0
    ws.guess = 0.0
    ws.root_count = game.moves(p, ws.root_moves, 0) if game.kind(p) == DECISION else 0
    ws.done = 1 if ws.root_count == 0 else 0
    if game.repetitions > 0:
        ws.keys[ws.past] = identity_key(game, p)


def look_for_the_best(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> None:
    """Searches a depth; its best move comes first in the next."""
    value = aspire(game, evaluation, p, depth, ws)
    ws.guess = value
    if ws.best >= 0:
        bring_forward(ws)
        keep(ws, 0, value)
        ws.found, ws.found_depth = 1, depth
        ws.found_nodes, ws.found_leaves = ws.nodes, ws.leaves
    # Where games bring several points, a longer line may win more.
    if game.most_points <= 1.0 and is_decided(value) and WIN - depth <= abs(value) <= WIN:
        ws.done = 1


def look_at_every_move(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> None:
    """Searches every root move by itself. The first depth is always finished, so that every move
    has a value."""
    settled = True
    for i in range(ws.root_count):
        value = root_search(game, evaluation, p, -INFINITY, INFINITY, depth, i, i + 1, ws)
        if ws.stop != 0:
            if depth > 1:
                break
            ws.stop, ws.node_limit, ws.deadline = 0, NEVER, NEVER
            ws.depth_limit = depth
            value = root_search(game, evaluation, p, -INFINITY, INFINITY, depth, i, i + 1, ws)
        keep(ws, i, value)
    for i in range(ws.root_count):
        settled = settled and is_decided(ws.values[i])
    ws.found, ws.found_depth = ws.root_count, depth - (1 if ws.stop != 0 else 0)
    ws.found_nodes, ws.found_leaves = ws.nodes, ws.leaves
    if settled and game.most_points <= 1.0:
        ws.done = 1


def aspire(game: Any, evaluation: Any, p: Words, depth: int, ws: Any) -> float:
    """Searches a depth with a window around the last value, opened where that was wrong."""
    guess = ws.guess
    width = max(abs(guess) * _FIRST_WINDOW, 1.0)
    if depth < _ASPIRES_FROM or is_decided(guess):
        width = INFINITY
    alpha, beta = guess - width, guess + width
    while True:
        value = root_search(game, evaluation, p, alpha, beta, depth, 0, ws.root_count, ws)
        if ws.stop != 0:
            if value <= alpha:  # no more than upper bounds: they name no best move
                ws.best = -1
            return value
        if alpha < value < beta or width >= INFINITY:
            return value
        width *= _OPENED
        if is_decided(value):
            width = INFINITY
            alpha, beta = -INFINITY, INFINITY
        elif value <= alpha:
            alpha = guess - width
        else:
            bring_forward(ws)
            beta = guess + width


def root_search(
    game: Any,
    evaluation: Any,
    p: Words,
    alpha: float,
    beta: float,
    depth: int,
    first: int,
    last: int,
    ws: Any,
) -> float:
    """Searches the root moves from ``first`` to ``last`` (exclusive) in their order.

    Writes the best move's place and line into the workspace; returns its value for the mover. When
    it is stopped, what it wrote before still holds.
    """
    ws.best = -1
    ws.begins[1] = 0
    best = -INFINITY
    mover = game.mover(p)
    for i in range(first, last):
        after = game.play(p, ws.root_moves[i])
        sign = 1.0 if game.mover(after) == mover else -1.0
        value = alpha
        if i > first:
            closed = turned(alpha, next_above(alpha), sign)
            value = sign * pvs(game, evaluation, after, closed, depth - 1, 1, ws)
        if i == first or (alpha < value < beta):
            seen = turned(alpha, beta, sign)
            value = sign * pvs(game, evaluation, after, seen, depth - 1, 1, ws)
        if ws.stop != 0:
            break
        if value > best:
            best = value
            ws.best = i
            extend_line(ws, 0, ws.root_moves[i])
            alpha = max(alpha, value)
            if value >= beta:
                break
    return best


def bring_forward(ws: Any) -> None:
    """Puts the best root move before the others, which keep their order."""
    best = ws.root_moves[ws.best]
    for i in range(ws.best, 0, -1):
        ws.root_moves[i] = ws.root_moves[i - 1]
    ws.root_moves[0] = best
    ws.best = 0


def keep(ws: Any, row: int, value: float) -> None:
    """Writes a value and the line that was just found where the asker reads them."""
    ws.values[row] = value
    i = 0
    while ws.line[0, i] >= 0:
        ws.lines[row, i] = ws.line[0, i]
        i += 1
    ws.lines[row, i] = -1
