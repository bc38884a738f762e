"""A solved table held against the rules, in two ways that know nothing of how it was made.

``consistent`` takes random positions: a position is won if and only if some move leads to one that
is lost, and both are looked up. ``walk`` proves the result of a whole game: it follows every move
of one player and, to each, a single answer of the other that the table names, to the end of every
line. Where all lines end as claimed the claim is proven, whatever else the table may hold. Moves,
captures and ends are those of the rules' own kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, load, mix, random_below, signed, store
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words
from petteia.games.breakthrough.sweep import is_won

__all__ = ["consistent", "mover_wins", "walk"]


def turned(side: np.uint64, columns: int, rows: int) -> np.uint64:
    """Squares seen from the other end of the board."""
    row = (U(1) << U(columns)) - U(1)
    found = U(0)
    for r in range(rows):
        found |= ((side >> U(r * columns)) & row) << U((rows - 1 - r) * columns)
    return found


def looked_up(
    game: Any,
    p: Words,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    mirrored: np.ndarray,
    bits: np.ndarray,
) -> bool:
    """Whether the mover wins where nobody is one step from his goal."""
    white, black = p[0], turned(p[1], game.columns, game.rows)
    mine, his = (white, black) if p[2] == U(0) else (black, white)
    found = is_won(
        signed(mine), signed(his), numbers, ternary, ternary_enemy, slots, mirrored, bits
    )
    return found != 0


@kernel
def mover_wins(
    game: Any,
    p: Words,
    out: np.ndarray,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    mirrored: np.ndarray,
    bits: np.ndarray,
) -> bool:
    """Whether the player to move wins against every defence; ``out`` is room for moves."""
    player = game.mover(p)
    if game.kind(p) == TERMINAL:
        return (game.result(p) > 0.0) == (player == 0)
    forced = game.forced(p)
    if forced == 1 or forced == -2:  # longer races are looked up too, which is how they are tested
        return forced > 0
    threats = (p[1] & game.thresholds[1]) if player == 0 else (p[0] & game.thresholds[0])
    if threats == U(0):
        return looked_up(game, p, numbers, ternary, ternary_enemy, slots, mirrored, bits)
    for i in range(game.moves(p, out, 0)):  # it must be captured, or it arrives
        if (threats >> U(out[i] & 63)) & U(1) != U(0):
            after = game.play(p, out[i])
            if game.kind(after) == TERMINAL:
                return True
            if not looked_up(game, after, numbers, ternary, ternary_enemy, slots, mirrored, bits):
                return True
    return False


@kernel
def consistent(
    game: Any,
    count: int,
    state: np.ndarray,
    out: np.ndarray,
    wrong: np.ndarray,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    mirrored: np.ndarray,
    bits: np.ndarray,
) -> int:
    """Holds random positions against their successors; how many were looked up, or -1.

    Workers are thrown onto the board, any number a side; ``wrong`` gets the first position whose
    value does not follow from its successors', and the answer is -1 then.
    """
    squares, cap = game.columns * game.rows, numbers[2]
    seen = 0
    for _ in range(count):
        boards = (U(0), U(0))
        for side in range(2):
            workers = 1 + random_below(state, cap)
            board = U(0)
            for _ in range(workers):  # fewer where two fall on one square
                square = U(1) << U(random_below(state, squares))
                if square & (boards[0] | game.goals[side]) == U(0):
                    board |= square
            boards = (board, boards[1]) if side == 0 else (boards[0], board)
        p = (boards[0], boards[1], U(random_below(state, 2)))
        if game.kind(p) == TERMINAL:
            continue
        end = game.moves(p, out, 0)
        wins = False
        for i in range(end):
            after = game.play(p, out[i])
            if not mover_wins(
                game, after, out[end:], numbers, ternary, ternary_enemy, slots, mirrored, bits
            ):
                wins = True
                break
        if wins != mover_wins(
            game, p, out[end:], numbers, ternary, ternary_enemy, slots, mirrored, bits
        ):
            store(wrong, 0, p)
            return -1
        if (p[0] & game.thresholds[0]) | (p[1] & game.thresholds[1]) == U(0):
            seen += 1
    return seen


def is_new(p: Words, visited: np.ndarray) -> bool:
    """Whether a position was not met before; it is from now on. The set is a power of two large.

    Boards of up to 31 squares, and those that can be solved have fewer, make one key together:
    two positions never share one.
    """
    mask = U(len(visited) - 1)
    key = (p[0] << U(32)) | (p[1] << U(1)) | U(1)
    at = mix(key) & mask
    while visited[at] != U(0):
        if visited[at] == key:
            return False
        at = (at + U(1)) & mask
    visited[at] = key
    return True


@kernel
def walk(
    game: Any,
    root: Words,
    winner: int,
    out: np.ndarray,
    stack: np.ndarray,
    visited: np.ndarray,
    numbers: np.ndarray,
    ternary: np.ndarray,
    ternary_enemy: np.ndarray,
    slots: np.ndarray,
    mirrored: np.ndarray,
    bits: np.ndarray,
) -> int:
    """Proves that ``winner`` wins from the root; how many positions the proof has.

    -1 if some line does not end so, -2 where the stack or the set of visited positions is full. The
    proof's positions are those where the loser moves.
    """
    top, count = 1, 0
    room = len(visited) - len(visited) // 8
    store(stack, 0, root)
    while top > 0:
        top -= 1
        p = load(stack, top, root)
        if game.kind(p) == TERMINAL:
            if (game.result(p) > 0.0) != (winner == 0):
                return -1
            continue
        if game.mover(p) == winner:
            end, best, chosen = game.moves(p, out, 0), -1, -1
            for i in range(end):
                after = game.play(p, out[i])
                # Captures and advances first: they end the game sooner.
                if game.priority(p, out[i]) > best and not mover_wins(
                    game, after, out[end:], numbers, ternary, ternary_enemy, slots, mirrored, bits
                ):
                    best, chosen = game.priority(p, out[i]), out[i]
            if chosen < 0:
                return -1
            store(stack, top, game.play(p, chosen))
            top += 1
            continue
        if not is_new(p, visited):
            continue
        count += 1
        if count >= room:
            return -2
        end = game.moves(p, out, 0)
        if top + end > len(stack):
            return -2
        for i in range(end):
            store(stack, top, game.play(p, out[i]))
            top += 1
    return count
