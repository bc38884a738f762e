"""A solved table held against the rules, in two ways that know nothing of how it was made.

``consistent`` takes random positions: a position is won if and only if some move leads to one that
is lost, and both are looked up. ``walk`` proves the result of a whole game: it follows every move
of one player and, to each, a single answer of the other that the table names, to the end of every
line. Where all lines end as claimed the claim is proven, whatever else the table may hold. Moves,
captures and ends are those of the rules' own kernels. ``ends_hold`` goes the other way: it holds
the ends that the rules call certain against every position of the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load, mix, popcount, random_below, signed, store
from petteia.core.game import TERMINAL
from petteia.core.words import U, Words
from petteia.games.breakthrough.solution.sweep import Exact, bit_at, is_won

__all__ = [
    "FULL", "MOST_PLIES", "PROGRESS", "REFUTED", "Proof", "consistent", "ends_hold",
    "mover_wins", "walk",
]  # fmt: skip

MOST_PLIES = 64
"""No certain end is farther off."""


def turned(side: np.uint64, columns: int, rows: int) -> np.uint64:
    """Squares seen from the other end of the board."""
    row = (U(1) << U(columns)) - U(1)
    found = U(0)
    for r in range(rows):
        found |= ((side >> U(r * columns)) & row) << U((rows - 1 - r) * columns)
    return found


def looked_up(game: Any, p: Words, exact: Exact) -> bool:
    """Whether the mover wins where nobody is one step from his goal."""
    white, black = p[0], turned(p[1], game.columns, game.rows)
    mine, his = (white, black) if p[2] == U(0) else (black, white)
    return is_won(exact, signed(mine), signed(his)) != 0


@kernel
def mover_wins(game: Any, p: Words, out: np.ndarray, exact: Exact) -> bool:
    """Whether the player to move wins against every defence; ``out`` is room for moves."""
    player = game.mover(p)
    if game.kind(p) == TERMINAL:
        return (game.result(p) > 0.0) == (player == 0)
    forced = game.forced(p)
    if forced == 1 or forced == -2:  # longer races are looked up too, which is how they are tested
        return forced > 0
    threats = (p[1] & game.thresholds[1]) if player == 0 else (p[0] & game.thresholds[0])
    if threats == U(0):
        return looked_up(game, p, exact)
    for i in range(game.moves(p, out, 0)):  # it must be captured, or it arrives
        if (threats >> U(out[i] & 63)) & U(1) != U(0):
            after = game.play(p, out[i])
            if game.kind(after) == TERMINAL or not looked_up(game, after, exact):
                return True
    return False


def thrown_workers(game: Any, cap: int, state: np.ndarray) -> Words:
    """Kernel: a random position; at most ``cap`` workers a side, fewer where two fall on one
    square."""
    squares = game.columns * game.rows
    boards = (U(0), U(0))
    for side in range(2):
        workers = 1 + random_below(state, cap)
        board = U(0)
        for _ in range(workers):
            square = U(1) << U(random_below(state, squares))
            if square & (boards[0] | game.goals[side]) == U(0):
                board |= square
        boards = (board, boards[1]) if side == 0 else (boards[0], board)
    return (boards[0], boards[1], U(random_below(state, 2)))


@kernel
def consistent(
    game: Any, exact: Exact, count: int, state: np.ndarray, out: np.ndarray, wrong: np.ndarray
) -> int:
    """Holds random positions against their successors; how many were looked up, or -1.

    ``wrong`` gets the first position whose value does not follow from its successors', and the
    answer is -1 then.
    """
    seen = 0
    for _ in range(count):
        p = thrown_workers(game, exact.layout.cap, state)
        if game.kind(p) == TERMINAL:
            continue
        end = game.moves(p, out, 0)
        wins = False
        for i in range(end):
            if not mover_wins(game, game.play(p, out[i]), out[end:], exact):
                wins = True
                break
        if wins != mover_wins(game, p, out[end:], exact):
            store(wrong, 0, p)
            return -1
        if (p[0] & game.thresholds[0]) | (p[1] & game.thresholds[1]) == U(0):
            seen += 1
    return seen


@kernel
def ends_hold(game: Any, exact: Exact, told: np.ndarray, wrong: np.ndarray) -> int:
    """Compares ``forced`` with every position of a table, either player to move; how many there
    are, or -1.

    ``told`` counts positions by ``MOST_PLIES`` plus the plies of their certain end. ``wrong`` gets
    the first position whose certain end is not that of the table, or not the same with colours
    exchanged, and the answer is -1 then.
    """
    t = exact.layout
    shift = 2 * t.columns
    done = 0
    for place in range(len(t.own)):
        own, enemy = U(t.own[place]), U(t.enemy[place])
        for home in range(1 << shift):
            if t.counts[home] + popcount(own) > t.cap:
                continue
            mine = (own << U(shift)) | U(home)
            for facing in range(1 << shift):
                if t.counts[facing] + popcount(enemy) > t.cap:
                    continue
                his = (enemy << U(shift)) | U(facing)
                if mine == U(0) or his == U(0):
                    continue
                done += 2
                p = (mine, turned(his, game.columns, game.rows), U(0))
                forced = game.forced(p)
                told[MOST_PLIES + forced] += 2
                won = bit_at(exact.bits, (place << (2 * shift)) + (home << shift) + facing)
                other = game.forced((his, turned(mine, game.columns, game.rows), U(1)))
                if other != forced or (forced != 0 and won != (forced > 0)):
                    store(wrong, 0, p)
                    return -1
    return done


def mirrored_board(side: np.uint64, columns: int, rows: int) -> np.uint64:
    """Squares seen in a mirror."""
    first = U(0)  # column a
    for r in range(rows):
        first |= U(1) << U(r * columns)
    found = U(0)
    for c in range(columns):
        found |= ((side >> U(c)) & first) << U(columns - 1 - c)
    return found


def place_in(game: Any, p: Words, visited: np.ndarray) -> tuple[np.uint64, np.uint64]:
    """A position's key, and where it stands in the set of visited ones or belongs.

    Boards of up to 31 squares, and those that can be solved have fewer, make one key together: two
    positions never share one, unless they are each other's mirror picture.
    """
    key = (p[0] << U(32)) | (p[1] << U(1)) | U(1)
    white = mirrored_board(p[0], game.columns, game.rows)
    black = mirrored_board(p[1], game.columns, game.rows)
    picture = (white << U(32)) | (black << U(1)) | U(1)
    if picture < key:
        key = picture
    mask = U(len(visited) - 1)
    at = mix(key) & mask
    while visited[at] != U(0) and visited[at] != key:
        at = (at + U(1)) & mask
    return key, at


GOES_ON, PROVEN, REFUTED, FULL = 0, 1, 2, 3


PROGRESS = np.dtype([("waiting", np.int64), ("proven", np.int64)])
"""Positions on the stack, and those that the proof has: where the loser moves, mirror pictures
counted once."""


class Proof(NamedTuple):
    """That ``winner`` wins from every position on the stack."""

    winner: int
    races: bool
    """A line ends where the rules call the winner's end certain, else where the game is over."""
    exact: Exact
    progress: Any
    stack: np.ndarray
    visited: np.ndarray
    """The positions that the proof has; its length is a power of two. Threads share it without
    locks: what one of them overwrites is followed once more, no more than that."""
    room: int
    """How many this thread may add."""
    out: np.ndarray


@kernel
def walk(game: Any, proof: Proof, patience: int) -> int:
    """Goes on with a proof for this many positions.

    ``REFUTED`` if some line does not end so, ``FULL`` where the stack or the set of visited
    positions is.
    """
    progress, like = proof.progress, game.start()
    for _ in range(patience):
        if progress.waiting == 0:
            return PROVEN
        progress.waiting -= 1
        p = load(proof.stack, progress.waiting, like)
        if game.kind(p) == TERMINAL:
            if (game.result(p) > 0.0) != (proof.winner == 0):
                return REFUTED
        elif game.mover(p) == proof.winner:
            if not is_answered(game, p, proof):
                return REFUTED
        elif not is_followed(game, p, proof):
            return FULL
    return GOES_ON


def is_answered(game: Any, p: Words, proof: Proof) -> bool:
    """Puts the winner's move on the stack; whether there is one."""
    if proof.races and game.forced(p) > 0:
        return True
    chosen = winning_move(game, p, proof)
    if chosen >= 0:
        store(proof.stack, proof.progress.waiting, game.play(p, proof.out[chosen]))
        proof.progress.waiting += 1
    return chosen >= 0


def winning_move(game: Any, p: Words, proof: Proof) -> int:
    """The place of the move that ends the game soonest, as far as can be seen; -1 if none wins."""
    out, visited = proof.out, proof.visited
    end, best, chosen = game.moves(p, out, 0), -1, -1
    for i in range(end):
        after = game.play(p, out[i])
        if game.kind(after) == TERMINAL:
            return i
        certain = game.forced(after)
        if certain > 0:
            continue
        rank = game.priority(p, out[i])  # captures and advances end the game sooner
        if certain < 0:  # the sooner the better
            rank += (MOST_PLIES + certain) << 12
        else:
            _, at = place_in(game, after, visited)
            if visited[at] != U(0):  # a position of the proof already
                rank += 1 << 11
        if rank > best and (
            certain != 0 or rank >= 1 << 11 or not mover_wins(game, after, out[end:], proof.exact)
        ):
            best, chosen = rank, i
    return chosen


def is_followed(game: Any, p: Words, proof: Proof) -> bool:
    """Puts every move of the loser on the stack, once a position; whether there was room."""
    if proof.races and game.forced(p) < 0:
        return True
    progress, visited, out = proof.progress, proof.visited, proof.out
    key, at = place_in(game, p, visited)
    if visited[at] != U(0):
        return True
    visited[at] = key
    progress.proven += 1
    end = game.moves(p, out, 0)
    if progress.proven >= proof.room or progress.waiting + end > len(proof.stack):
        return False
    for i in range(end):
        store(proof.stack, progress.waiting, game.play(p, out[i]))
        progress.waiting += 1
    return True
