"""Equilibria where both players choose at the same time: kernels that know no game.

Depth counts turns: a choice of both or the move of one player alone. Throws of the dice are
averaged over and cost no depth; where it is used up, the evaluation speaks before the next throw,
as in ``search.expectimax``. Values speak for player 0, whose moves are the rows of a matrix; the
evaluation is asked for the player who searches, and turned around where that is player 1.

- ``fill``: the matrix of a position, every pair of moves evaluated
- ``equilibrium``: backward induction, a matrix game at every node, its matrix filled only where
  the double oracle looks (McMahan, Gordon and Blum 2003; in trees Bosansky et al. 2013), the
  cells bounded by ``serial`` where that is asked for

A *pair* is a cell of a node's matrix: a move of each player. ``ws.hope`` holds the most that it can
bring each of them; it is known when the two are opposite. So both players are treated alike.

Memory, and where a line ends: ``search.joint_node``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.game import CHANCE, DECISION
from petteia.core.words import Words
from petteia.search.joint_node import INFINITY, look_at_clock, settled, sign_of, throw
from petteia.search.joint_serial import serial
from petteia.search.matrix import solve
from petteia.search.pvs import turned

__all__ = ["fill", "root_equilibrium"]


@kernel
def fill(
    game: Any, evaluation: Any, p: Words, matrix: np.ndarray, rows: np.ndarray,
    columns: np.ndarray, ws: Any,
) -> None:  # fmt: skip
    """Writes the value of the position after every pair of moves."""
    ws.interior += 1
    ws.ply = 1
    width = len(columns)
    for i in range(len(rows)):
        for j in range(width):
            after = game.play_both(p, rows[i], columns[j])
            matrix[i * width + j] = settled(game, evaluation, after, 0, ws)[0]


@kernel
def root_equilibrium(game: Any, evaluation: Any, p: Words, depth: int, ply: int, ws: Any) -> float:
    """``equilibrium`` for Python; the strategies are read from the memory."""
    ws.ply = ply
    return equilibrium(game, evaluation, p, depth, -INFINITY, INFINITY, ws)


def equilibrium(
    game: Any, evaluation: Any, p: Words, depth: int, alpha: float, beta: float, ws: Any
) -> float:
    """The value of a position when both play an equilibrium for ``depth`` turns.

    The double oracle: solve the game of a few moves a side, add each side's best answer to the
    other's strategy, until nobody gains by any answer. An answer's value bounds the position's, so
    that a value outside (alpha, beta) is left as soon as that is known. The strategies stand in
    ``ws.strategy[depth]``.

    The function is long because all its calls of itself must stand in it: the compiler knows no
    functions that call each other.
    """
    value, known = settled(game, evaluation, p, depth, ws)
    if known:
        return value
    look_at_clock(ws)
    ws.ply += 1
    if game.has_chance and game.kind(p) == CHANCE:
        begin, end = throw(game, p, ws)
        value = 0.0
        for k in range(begin, end):
            after, chance = game.play(p, ws.outcomes[k]), ws.chance[k]
            value += chance * equilibrium(game, evaluation, after, depth, -INFINITY, INFINITY, ws)
        ws.thrown = begin
    elif game.has_decisions and game.kind(p) == DECISION:
        sign, best = sign_of(game.mover(p)), -INFINITY
        low, high = turned(alpha, beta, sign)
        for k in range(game.moves(p, ws.moves[depth], 0)):
            after = game.play(p, ws.moves[depth, k])
            a, b = turned(low, high, sign)
            best = max(best, sign * equilibrium(game, evaluation, after, depth - 1, a, b, ws))
            low = max(low, best)
            if low >= high:
                break
        value = sign * best
    else:
        begin_oracle(game, p, depth, ws)
        width, done = ws.counts[depth, 1], False
        while not done:
            # The game of the chosen moves: every pair must be known.
            for i in range(ws.chosen_counts[depth, 0]):
                for j in range(ws.chosen_counts[depth, 1]):
                    row, column = ws.chosen[depth, 0, i], ws.chosen[depth, 1, j]
                    pair = row * width + column
                    if is_open(depth, pair, ws):
                        after = after_moves(game, p, depth, row, column, ws)
                        a, b = bounds(depth, pair, ws)
                        value = equilibrium(game, evaluation, after, depth - 1, a, b, ws)
                        learn(depth, pair, value, ws)
            solve_chosen(depth, ws)
            for player in range(2):
                best = -INFINITY
                for own in range(ws.counts[depth, player]):
                    hope = hope_of(depth, player, own, ws)
                    for k in range(ws.chosen_counts[depth, 1 - player]):
                        chance, row, column = faced(depth, player, own, k, ws)
                        pair = row * width + column
                        if chance <= 0.0 or not is_open(depth, pair, ws):
                            continue
                        if hope <= best:
                            break  # even at its best it is not better
                        after = after_moves(game, p, depth, row, column, ws)
                        before = ws.hope[depth, player, pair]
                        if ws.bounded != 0 and depth > 1:
                            bound(game, evaluation, after, depth, pair, ws)
                            hope -= chance * (before - ws.hope[depth, player, pair])
                            before = ws.hope[depth, player, pair]
                        if hope > best and is_open(depth, pair, ws):
                            a, b = bounds(depth, pair, ws)
                            value = equilibrium(game, evaluation, after, depth - 1, a, b, ws)
                            learn(depth, pair, value, ws)
                            hope -= chance * (before - ws.hope[depth, player, pair])
                    if hope > best:
                        best, ws.answer[depth, player] = hope, own
                ws.ceiling[depth, player] = min(ws.ceiling[depth, player], best)
            value, done = concluded(depth, alpha, beta, ws)
    ws.ply -= 1
    return value


# --- parts of the double oracle ------------------------------------------------------------------


def begin_oracle(game: Any, p: Words, depth: int, ws: Any) -> None:
    """Lists both players' moves. Nothing is known of any pair, and one move a side is chosen.

    What is played in the node beside this one is likely to be good here as well: a quarter fewer
    leaves. Searching cells for bounds alone was tried: more of them, again and again.
    """
    moves = ws.moves[depth]
    if ws.ply == 1 and ws.root_counts[0] > 0:  # the root, narrowed
        rows, columns = ws.root_counts[0], ws.root_counts[1]
        for k in range(rows + columns):
            moves[k] = ws.root_moves[k]
    else:
        rows = game.moves_of(p, 0, moves, 0)
        columns = game.moves_of(p, 1, moves, rows) - rows
    ws.counts[depth, 0], ws.counts[depth, 1] = rows, columns
    for player in range(2):
        for pair in range(rows * columns):
            ws.hope[depth, player, pair] = ws.top
        ws.chosen_counts[depth, player] = 1
        ws.chosen[depth, player, 0] = 0
        ws.ceiling[depth, player] = INFINITY
        for k in range(ws.counts[depth, player] - 1, -1, -1):
            if moves[player * rows + k] == ws.guess[depth, player]:
                ws.chosen[depth, player, 0] = k


def faced(depth: int, player: int, own: int, k: int, ws: Any) -> tuple[float, int, int]:
    """The probability of one of the enemy's chosen moves; the pair of a move of one's own and it,
    as row and column."""
    answer = ws.chosen[depth, 1 - player, k]
    chance = ws.strategy[depth, 1 - player, answer]
    if player == 0:
        return chance, own, answer
    return chance, answer, own


def after_moves(game: Any, p: Words, depth: int, row: int, column: int, ws: Any) -> Words:
    """The position after a pair."""
    moves = ws.moves[depth]
    return game.play_both(p, moves[row], moves[ws.counts[depth, 0] + column])


def bounds(depth: int, pair: int, ws: Any) -> tuple[float, float]:
    """Between which values that of a pair lies."""
    return -ws.hope[depth, 1, pair], ws.hope[depth, 0, pair]


def is_open(depth: int, pair: int, ws: Any) -> bool:
    """Whether the value of a pair is not known yet."""
    return -ws.hope[depth, 1, pair] < ws.hope[depth, 0, pair]


def learn(depth: int, pair: int, value: float, ws: Any) -> None:
    """The value of a pair is known."""
    ws.hope[depth, 0, pair], ws.hope[depth, 1, pair] = value, -value


def hope_of(depth: int, player: int, own: int, ws: Any) -> float:
    """The most that a move can bring against the other's strategy."""
    hope = 0.0
    for k in range(ws.chosen_counts[depth, 1 - player]):
        chance, row, column = faced(depth, player, own, k, ws)
        if chance > 0.0:
            hope += chance * ws.hope[depth, player, row * ws.counts[depth, 1] + column]
    return hope


def bound(game: Any, evaluation: Any, after: Words, depth: int, pair: int, ws: Any) -> None:
    """Narrows what a pair can bring: who moves first in every turn gets no more than by chance."""
    low, high = bounds(depth, pair, ws)
    ws.first = 0
    under = serial(game, evaluation, after, depth - 1, low, high, ws)
    ws.first = 1
    over = serial(game, evaluation, after, depth - 1, low, high, ws)
    low = max(low, under)
    ws.hope[depth, 0, pair], ws.hope[depth, 1, pair] = max(min(high, over), low), -low


def solve_chosen(depth: int, ws: Any) -> None:
    """Both players' strategies in the game of the chosen moves."""
    solver = ws.solver
    rows, columns = ws.chosen_counts[depth, 0], ws.chosen_counts[depth, 1]
    solver.counts[0], solver.counts[1] = rows, columns
    for i in range(rows):
        at = ws.chosen[depth, 0, i] * ws.counts[depth, 1]
        for j in range(columns):
            solver.matrix[i * columns + j] = ws.hope[depth, 0, at + ws.chosen[depth, 1, j]]
    solve(solver)
    for player in range(2):
        for k in range(ws.counts[depth, player]):
            ws.strategy[depth, player, k] = 0.0
        for k in range(ws.chosen_counts[depth, player]):
            ws.strategy[depth, player, ws.chosen[depth, player, k]] = solver.strategy[player, k]


def concluded(depth: int, alpha: float, beta: float, ws: Any) -> tuple[float, bool]:
    """The value, and whether it is known well enough; else the best answers are chosen too."""
    most, least = ws.ceiling[depth, 0], -ws.ceiling[depth, 1]
    middle = 0.5 * (most + least)
    for player in range(2):
        place = player * ws.counts[depth, 0] + likeliest(depth, player, ws)
        ws.guess[depth, player] = ws.moves[depth, place]
    if most - least <= ws.close or ws.stop != 0:
        return middle, True
    if least >= beta:
        return least, True
    if most <= alpha:
        return most, True
    is_new = choose_answer(depth, 0, ws)
    is_new |= choose_answer(depth, 1, ws)
    return middle, not is_new


def likeliest(depth: int, player: int, ws: Any) -> int:
    """Of the chosen moves of a player the one that is played most."""
    found = ws.chosen[depth, player, 0]
    for k in range(1, ws.chosen_counts[depth, player]):
        move = ws.chosen[depth, player, k]
        if ws.strategy[depth, player, move] > ws.strategy[depth, player, found]:
            found = move
    return int(found)


def choose_answer(depth: int, player: int, ws: Any) -> bool:
    """Adds a player's best answer to the chosen moves; whether it was not among them."""
    count = ws.chosen_counts[depth, player]
    for k in range(count):
        if ws.chosen[depth, player, k] == ws.answer[depth, player]:
            return False
    ws.chosen[depth, player, count] = ws.answer[depth, player]
    ws.chosen_counts[depth, player] = count + 1
    return True
