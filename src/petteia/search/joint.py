"""Search where both players choose at the same time: kernels that know no game.

Depth counts turns: a choice of both or the move of one player alone. Throws of the dice are
averaged over and cost no depth; where it is used up, the evaluation speaks before the next throw,
as in ``search.expectimax``. Values speak for player 0, whose moves are the rows of a matrix; the
evaluation is asked for the player who searches, and turned around where that is player 1.

- ``fill``: the matrix of a position, every pair of moves evaluated
- ``serial``: one player moves first and the other sees it; alpha-beta. With the searching player
  first this is the *paranoid* search of course reports, and a lower bound for that player; with
  the other first an upper bound
- ``equilibrium``: backward induction, a matrix game at every node, its matrix filled only where
  the double oracle looks (McMahan, Gordon and Blum 2003; in trees Bosansky et al. 2013), the
  cells bounded by ``serial`` where that is asked for
- ``hopeful``: the searching player takes the best or the mean over all answers; dice are dice

A bound on a mean says nothing of its parts, so that below a throw all windows are open.

Memory, and where a line ends: ``search.joint_node``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.game import CHANCE, DECISION
from petteia.core.words import Words
from petteia.search.joint_node import look_at_clock, settled, throw
from petteia.search.matrix import SIMPLEX, solve_part

__all__ = [
    "BEST", "MEAN", "equilibrium", "fill", "hopeful", "root_equilibrium", "root_hopeful",
    "root_serial", "serial", "value_hopeful", "value_serial",
]  # fmt: skip

BEST, MEAN = 0, 1
_INFINITY = 1e18


# --- one after the other -------------------------------------------------------------------------


def serial(
    game: Any,
    evaluation: Any,
    p: Words,
    depth: int,
    ply: int,
    first: int,
    alpha: float,
    beta: float,
    ws: Any,
) -> float:
    """The value if in every turn player ``first`` moves first and the other sees it.

    Alpha-beta with both bounds passed down; fails soft.
    """
    value, known = settled(game, evaluation, p, depth, ply, ws)
    if known:
        return value
    look_at_clock(ws)
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        mean = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            mean += chance * serial(
                game, evaluation, after, depth, ply + 1, first, -_INFINITY, _INFINITY, ws
            )
        ws.thrown = begin
        return mean
    moves = ws.moves[depth]
    if game.has_decisions and game.kind(p) == DECISION:
        turn = 1.0 if game.mover(p) == 0 else -1.0  # in the eyes of the player who moves
        best, low, high = -_INFINITY, min(turn * alpha, turn * beta), max(turn * alpha, turn * beta)
        for k in range(game.moves(p, moves, 0)):
            after = game.play(p, moves[k])
            a, b = (low, high) if turn > 0.0 else (-high, -low)
            value = turn * serial(game, evaluation, after, depth - 1, ply + 1, first, a, b, ws)
            best = max(best, value)
            low = max(low, best)
            if low >= high:
                break
        return turn * best
    middle = game.moves_of(p, first, moves, 0)
    end = game.moves_of(p, 1 - first, moves, middle)
    sign = 1.0 if first == 0 else -1.0  # in the eyes of the player who moves first
    best, low, high = -_INFINITY, (alpha if first == 0 else -beta), (beta if first == 0 else -alpha)
    refuting = middle + (ws.killer[depth] if ws.ordered != 0 else 0)
    if refuting >= end:
        refuting = middle
    for i in range(middle):
        worst = _INFINITY
        for k in range(middle, end):
            # The answer that refuted the last move comes first.
            j = refuting if k == middle else middle if k == refuting else k
            if first == 0:
                after = game.play_both(p, moves[i], moves[j])
            else:
                after = game.play_both(p, moves[j], moves[i])
            window = min(high, worst)
            a, b = (low, window) if first == 0 else (-window, -low)
            value = sign * serial(game, evaluation, after, depth - 1, ply + 1, first, a, b, ws)
            if value < worst:
                worst = value
                if worst <= low:
                    if ws.ordered != 0:
                        refuting = j
                        ws.killer[depth] = j - middle
                    break
        if worst > best:
            best = worst
            low = max(low, best)
            if best >= high:
                break
    return sign * best


@kernel
def value_serial(
    game: Any, evaluation: Any, p: Words, depth: int, ply: int, first: int, ws: Any
) -> float:
    """``serial`` for Python."""
    return serial(game, evaluation, p, depth, ply, first, -_INFINITY, _INFINITY, ws)


@kernel
def root_serial(
    game: Any, evaluation: Any, p: Words, depth: int, first: int, order: np.ndarray,
    values: np.ndarray, ws: Any,
) -> float:  # fmt: skip
    """The paranoid value of a position for player ``first``, whose moves stand in ``order``.

    ``values`` gets the value of every move, or a bound that is not above the best before it.
    """
    ws.interior += 1
    moves = ws.moves[depth]
    end = game.moves_of(p, 1 - first, moves, 0)
    sign = 1.0 if first == 0 else -1.0
    best = -_INFINITY
    refuting = 0
    for i in range(len(order)):
        worst = _INFINITY
        for k in range(end):
            j = refuting if k == 0 else 0 if k == refuting else k
            if first == 0:
                after = game.play_both(p, order[i], moves[j])
            else:
                after = game.play_both(p, moves[j], order[i])
            a, b = (best, worst) if first == 0 else (-worst, -best)
            value = sign * serial(game, evaluation, after, depth - 1, 1, first, a, b, ws)
            if value < worst:
                worst = value
                if worst <= best:
                    if ws.ordered != 0:
                        refuting = j
                    break
        if ws.stop != 0 and i > 0:
            break
        values[i] = worst
        best = max(best, worst)
    return best


# --- hope ----------------------------------------------------------------------------------------


def hopeful(
    game: Any, evaluation: Any, p: Words, depth: int, ply: int, mode: int, ws: Any
) -> float:
    """The value if the searching player moves best and the enemy best for it, or at random."""
    value, known = settled(game, evaluation, p, depth, ply, ws)
    if known:
        return value
    look_at_clock(ws)
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        mean = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            mean += chance * hopeful(game, evaluation, after, depth, ply + 1, mode, ws)
        ws.thrown = begin
        return mean
    moves, searcher = ws.moves[depth], ws.searcher
    sign = 1.0 if searcher == 0 else -1.0
    if game.has_decisions and game.kind(p) == DECISION:
        end = game.moves(p, moves, 0)
        total, highest = 0.0, -_INFINITY
        for k in range(end):
            after = game.play(p, moves[k])
            value = sign * hopeful(game, evaluation, after, depth - 1, ply + 1, mode, ws)
            total += value
            highest = max(highest, value)
        is_own = game.mover(p) == searcher
        return sign * (highest if is_own or mode == BEST else total / end)
    middle = game.moves_of(p, searcher, moves, 0)
    end = game.moves_of(p, 1 - searcher, moves, middle)
    best = -_INFINITY
    for i in range(middle):
        total, highest = 0.0, -_INFINITY
        for j in range(middle, end):
            if searcher == 0:
                after = game.play_both(p, moves[i], moves[j])
            else:
                after = game.play_both(p, moves[j], moves[i])
            value = sign * hopeful(game, evaluation, after, depth - 1, ply + 1, mode, ws)
            total += value
            highest = max(highest, value)
        best = max(best, highest if mode == BEST else total / (end - middle))
    return sign * best


@kernel
def value_hopeful(
    game: Any, evaluation: Any, p: Words, depth: int, ply: int, mode: int, ws: Any
) -> float:
    """``hopeful`` for Python."""
    return hopeful(game, evaluation, p, depth, ply, mode, ws)


@kernel
def root_hopeful(
    game: Any, evaluation: Any, p: Words, depth: int, mode: int, order: np.ndarray,
    values: np.ndarray, ws: Any,
) -> float:  # fmt: skip
    """The value of each of the searching player's moves in ``order``, in its own eyes."""
    ws.interior += 1
    moves, searcher = ws.moves[depth], ws.searcher
    sign = 1.0 if searcher == 0 else -1.0
    end = game.moves_of(p, 1 - searcher, moves, 0)
    best = -_INFINITY
    for i in range(len(order)):
        total, highest = 0.0, -_INFINITY
        for j in range(end):
            if searcher == 0:
                after = game.play_both(p, order[i], moves[j])
            else:
                after = game.play_both(p, moves[j], order[i])
            value = sign * hopeful(game, evaluation, after, depth - 1, 1, mode, ws)
            total += value
            highest = max(highest, value)
        values[i] = highest if mode == BEST else total / end
        best = max(best, values[i])
    return best


# --- equilibria ----------------------------------------------------------------------------------


@kernel
def fill(
    game: Any, evaluation: Any, p: Words, matrix: np.ndarray, rows: np.ndarray,
    columns: np.ndarray, ws: Any,
) -> None:  # fmt: skip
    """Writes the value of the position after every pair of moves."""
    ws.interior += 1
    width = len(columns)
    for i in range(len(rows)):
        for j in range(width):
            after = game.play_both(p, rows[i], columns[j])
            matrix[i * width + j] = settled(game, evaluation, after, 0, 1, ws)[0]


def equilibrium(
    game: Any,
    evaluation: Any,
    p: Words,
    depth: int,
    ply: int,
    alpha: float,
    beta: float,
    ws: Any,
    solver: Any,
) -> float:
    """The value of a position when both play an equilibrium for ``depth`` turns.

    The double oracle: solve the game of a few moves a side, add each side's best answer to the
    other's strategy, until nobody gains by any answer. An answer's value bounds the position's, so
    that a value outside (alpha, beta) is left as soon as that is known. The strategies stand in
    ``ws.x[depth]`` and ``ws.y[depth]``.
    """
    value, known = settled(game, evaluation, p, depth, ply, ws)
    if known:
        return value
    look_at_clock(ws)
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        mean = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            mean += chance * equilibrium(
                game, evaluation, after, depth, ply + 1, -_INFINITY, _INFINITY, ws, solver
            )
        ws.thrown = begin
        return mean
    if game.has_decisions and game.kind(p) == DECISION:
        turn = 1.0 if game.mover(p) == 0 else -1.0  # in the eyes of the player who moves
        best, least, most = (
            -_INFINITY,
            min(turn * alpha, turn * beta),
            max(turn * alpha, turn * beta),
        )
        for k in range(game.moves(p, ws.moves[depth], 0)):
            after = game.play(p, ws.moves[depth, k])
            a, b = (least, most) if turn > 0.0 else (-most, -least)
            value = turn * equilibrium(
                game, evaluation, after, depth - 1, ply + 1, a, b, ws, solver
            )
            best = max(best, value)
            least = max(least, best)
            if least >= most:
                break
        return turn * best
    moves, low, high = ws.moves[depth], ws.low[depth], ws.high[depth]
    row_in, column_in = ws.row_in[depth], ws.column_in[depth]
    x, y = ws.x[depth], ws.y[depth]
    if ply == 0 and ws.root_counts[0] > 0:
        rows = ws.root_counts[0]
        end = rows + ws.root_counts[1]
        for k in range(end):
            moves[k] = ws.root_moves[k]
    else:
        rows = game.moves_of(p, 0, moves, 0)
        end = game.moves_of(p, 1, moves, rows)
    width = end - rows
    top = ws.top
    for c in range(rows * width):
        low[c], high[c] = -top, top
    # What is played in the node beside this one is likely to be good here as well: a quarter
    # fewer leaves. Searching cells for bounds alone was tried: more of them, again and again.
    count_r, count_c = 1, 1
    row_in[0] = place_of(moves, 0, rows, ws.guess[depth, 0])
    column_in[0] = place_of(moves, rows, end, ws.guess[depth, 1])
    at_most, at_least = _INFINITY, -_INFINITY
    while True:
        # The game of the moves that are in: every cell must be exact.
        for a in range(count_r):
            for b in range(count_c):
                c = row_in[a] * width + column_in[b]
                if low[c] < high[c]:
                    after = game.play_both(p, moves[row_in[a]], moves[rows + column_in[b]])
                    low[c] = high[c] = equilibrium(
                        game, evaluation, after, depth - 1, ply + 1, low[c], high[c], ws, solver
                    )
        for a in range(count_r):
            for b in range(count_c):
                ws.part[a * count_c + b] = low[row_in[a] * width + column_in[b]]
        solve_part(ws.part, count_c, count_r, count_c, ws.part_x, ws.part_y, solver, SIMPLEX)
        for i in range(rows):
            x[i] = 0.0
        for j in range(width):
            y[j] = 0.0
        for a in range(count_r):
            x[row_in[a]] = ws.part_x[a]
        for b in range(count_c):
            y[column_in[b]] = ws.part_y[b]
        # The best row against y. A row that even at its best is not better is left unfinished.
        best, best_row = -_INFINITY, -1
        for i in range(rows):
            hope = 0.0
            for b in range(count_c):
                j = column_in[b]
                if y[j] > 0.0:
                    hope += y[j] * high[i * width + j]
            for b in range(count_c):
                j = column_in[b]
                c = i * width + j
                if y[j] <= 0.0 or low[c] == high[c]:
                    continue
                if hope <= best:
                    break
                after = game.play_both(p, moves[i], moves[rows + j])
                if ws.bounded != 0 and depth > 1:
                    before = high[c]
                    bound(game, evaluation, after, depth - 1, ply + 1, c, low, high, ws)
                    hope -= y[j] * (before - high[c])
                    if hope <= best or low[c] == high[c]:
                        continue
                before = high[c]
                low[c] = high[c] = equilibrium(
                    game, evaluation, after, depth - 1, ply + 1, low[c], high[c], ws, solver
                )
                hope -= y[j] * (before - high[c])
            if hope > best:
                best, best_row = hope, i
        worst, best_column = _INFINITY, -1
        for j in range(width):
            fear = 0.0
            for a in range(count_r):
                i = row_in[a]
                if x[i] > 0.0:
                    fear += x[i] * low[i * width + j]
            for a in range(count_r):
                i = row_in[a]
                c = i * width + j
                if x[i] <= 0.0 or low[c] == high[c]:
                    continue
                if fear >= worst:
                    break
                after = game.play_both(p, moves[i], moves[rows + j])
                if ws.bounded != 0 and depth > 1:
                    before = low[c]
                    bound(game, evaluation, after, depth - 1, ply + 1, c, low, high, ws)
                    fear += x[i] * (low[c] - before)
                    if fear >= worst or low[c] == high[c]:
                        continue
                before = low[c]
                low[c] = high[c] = equilibrium(
                    game, evaluation, after, depth - 1, ply + 1, low[c], high[c], ws, solver
                )
                fear += x[i] * (low[c] - before)
            if fear < worst:
                worst, best_column = fear, j
        at_most, at_least = min(at_most, best), max(at_least, worst)
        ws.guess[depth, 0] = moves[likeliest(row_in, count_r, x)]
        ws.guess[depth, 1] = moves[rows + likeliest(column_in, count_c, y)]
        if at_most - at_least <= ws.close or ws.stop != 0:
            return 0.5 * (at_most + at_least)
        if at_least >= beta:
            return at_least
        if at_most <= alpha:
            return at_most
        new = False
        if not is_in(row_in, count_r, best_row):
            row_in[count_r] = best_row
            count_r += 1
            new = True
        if not is_in(column_in, count_c, best_column):
            column_in[count_c] = best_column
            count_c += 1
            new = True
        if not new:
            return 0.5 * (at_most + at_least)


def bound(
    game: Any, evaluation: Any, p: Words, depth: int, ply: int, c: int, low: np.ndarray,
    high: np.ndarray, ws: Any,
) -> None:  # fmt: skip
    """Narrows the bounds of a cell: who moves first in every turn gets no more than by chance."""
    under = serial(game, evaluation, p, depth, ply, 0, low[c], high[c], ws)
    over = serial(game, evaluation, p, depth, ply, 1, low[c], high[c], ws)
    low[c], high[c] = max(low[c], under), min(high[c], over)
    if high[c] < low[c]:
        high[c] = low[c]


def place_of(moves: np.ndarray, first: int, end: int, move: int) -> int:
    """Where a move stands among those from ``first`` on, counted from there; 0 if it does not."""
    for k in range(first, end):
        if moves[k] == move:
            return k - first
    return 0


def likeliest(chosen: np.ndarray, count: int, strategy: np.ndarray) -> int:
    """Of the first chosen the one that is played most."""
    found = chosen[0]
    for k in range(1, count):
        if strategy[chosen[k]] > strategy[found]:
            found = chosen[k]
    return int(found)


def is_in(chosen: np.ndarray, count: int, move: int) -> bool:
    """Whether a move is among the first chosen."""
    found = False
    for k in range(count):
        found |= chosen[k] == move
    return found


@kernel
def root_equilibrium(
    game: Any, evaluation: Any, p: Words, depth: int, ply: int, ws: Any, solver: Any
) -> float:
    """``equilibrium`` for Python; the strategies are read from the memory."""
    return equilibrium(game, evaluation, p, depth, ply, -_INFINITY, _INFINITY, ws, solver)
