"""The strategies of Project Ur as kernels, in two readings.

``massugu`` and ``ashikazu`` follow the report's text. ``coded_massugu`` and ``coded_ashikazu`` do
what the report's program really does: its imaginary boards share their pieces, so that every
simulated move stays, replies are paired with candidates by piece number, and the last choice takes
places of a list for piece numbers. Only so does the report's Diagram 1 come out.

A strategy gives the number of the piece to move, or -1 for none. Where pieces have no numbers they
are numbered by progress, the least advanced first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import kernel, signed
from petteia.core.words import U, Words

__all__ = ["MEMORY", "STRATEGIES", "TIES", "choose_piece", "chosen_piece", "move_of_piece"]

STRATEGIES = ("massugu", "ashikazu", "coded_massugu", "coded_ashikazu")
TIES = ("back", "front", "number")
"""Which of equal pieces goes: the least advanced, the most advanced, or the lowest number."""

HOME = 15
_SAFE = 8
_NONE = -1_000_000

MEMORY = np.dtype(
    [
        ("places", np.int64, (2, 7)),  # progress of every piece
        ("board", np.int64, (2, 7)),  # the imaginary board
        ("before", np.int64, (2, 7)),  # a copy of it
        ("utility", np.int64, (8,)),
        ("piece", np.int64, (8,)),
        ("new_utility", np.int64, (8,)),
        ("new_piece", np.int64, (8,)),
        ("reply", np.int64, (8,)),
        ("replier", np.int64, (8,)),
        ("candidate", np.int64, (8,)),
    ],
    align=True,
)


def read_places(game: Any, p: Words, memory: Any) -> None:
    """Writes the progress of all pieces."""
    for player in range(2):
        if p[1] != U(0):
            for n in range(game.count):
                memory.places[player, n] = signed((p[1] >> U(28 * player + 4 * n)) & U(15))
            continue
        n = game.hand(p, player)
        for i in range(n):
            memory.places[player, i] = 0
        side = game.side(p, player)
        for square in range(1, game.squares + 1):
            if (side >> U(square)) & U(1) != U(0):
                memory.places[player, n] = square
                n += 1
        for i in range(n, game.count):
            memory.places[player, i] = game.squares + 1


def copy_places(game: Any, source: np.ndarray, target: np.ndarray) -> None:
    """Copies a board."""
    for player in range(2):
        for n in range(game.count):
            target[player, n] = source[player, n]


# --- the text ----------------------------------------------------------------------------------


def standing(game: Any, board: np.ndarray, player: int, square: int) -> int:
    """The player's piece on a square of its own path, or -1."""
    for n in range(game.count):
        if board[player, n] == square:
            return n
    return -1


def victim(game: Any, board: np.ndarray, player: int, square: int) -> int:
    """The opposing piece that a landing of the player meets, or -1."""
    if square > game.squares or game.meets[square] == 0:
        return -1
    return standing(game, board, 1 - player, game.meets[square])


def is_legal(game: Any, board: np.ndarray, player: int, n: int, steps: int) -> bool:
    """Whether the rules let a piece go this many steps."""
    place = board[player, n]
    square = place + steps
    if steps == 0 or place > game.squares or square > game.squares + 1:
        return False
    if square == game.squares + 1:
        return True
    if (game.open_squares >> U(square)) & U(1) == U(0):
        return False
    if standing(game, board, player, square) >= 0:
        return False
    safe = (game.safe >> U(square)) & U(1) != U(0)
    return not (safe and victim(game, board, player, square) >= 0)


def go(game: Any, board: np.ndarray, player: int, n: int, steps: int) -> None:
    """Moves a piece; whom it meets goes back to the hand."""
    square = board[player, n] + steps
    met = victim(game, board, player, square)
    if met >= 0:
        board[1 - player, met] = 0
    board[player, n] = square


def captured(game: Any, board: np.ndarray, player: int, n: int, steps: int) -> int:
    """The progress of whom a move would capture, or 0."""
    square = board[player, n] + steps
    met = victim(game, board, player, square)
    return board[1 - player, met] if met >= 0 else 0


def ashikazu_value(game: Any, player: int, n: int, roll: int, depth: int, memory: Any) -> int:
    """Steps made and sent back, own less the opponent's, over ``depth`` half-turns."""
    board = memory.board
    copy_places(game, memory.places, board)
    total = roll + captured(game, board, player, n, roll)
    go(game, board, player, n, roll)
    side = player
    for _ in range(depth - 1):
        all_home = True
        for i in range(game.count):
            all_home = all_home and board[side, i] > game.squares
        if all_home:
            break
        side = 1 - side
        best, best_piece, best_steps = _NONE, -1, 0
        for i in range(game.count):
            for steps in range(1, 5):
                if is_legal(game, board, side, i, steps):
                    utility = steps + captured(game, board, side, i, steps)
                    if utility > best:
                        best, best_piece, best_steps = utility, i, steps
        if best_piece < 0:
            break
        total += best if side == player else -best
        go(game, board, side, best_piece, best_steps)
    return total


def text_choice(
    game: Any, player: int, roll: int, strategy: int, depth: int, tie: int, memory: Any
) -> int:
    """The piece that the text's strategies move, or -1."""
    places = memory.places
    chosen, best, best_rank = -1, _NONE, 0
    for n in range(game.count):
        if not is_legal(game, places, player, n, roll):
            continue
        if strategy == 0:
            value = places[player, n] + roll + captured(game, places, player, n, roll)
        else:
            value = ashikazu_value(game, player, n, roll, depth, memory)
        rank = 0 if tie == 2 else -places[player, n] if tie == 0 else places[player, n]
        if value > best or (value == best and rank > best_rank):
            chosen, best, best_rank = n, value, rank
    return chosen


# --- as coded ----------------------------------------------------------------------------------


def first_on(game: Any, board: np.ndarray, side: int, square: int) -> int:
    """The first piece, left's before right's, on the cell that ``side`` calls so; 7 is R0."""
    for player in range(2):
        if player == side or 5 <= square <= 12:
            for n in range(game.count):
                if board[player, n] == square:
                    return 7 * player + n
    return -1


def place_of(board: np.ndarray, piece: int) -> int:
    """The progress of a piece as ``first_on`` names it; 0 for nobody."""
    return board[piece // 7, piece % 7] if piece >= 0 else 0


def coded_can(
    game: Any, board: np.ndarray, seen: np.ndarray, side: int, n: int, steps: int
) -> bool:
    """Whether the program lets a piece go: places by one board, occupancy by another."""
    place = board[side, n]
    square = place + steps
    if steps == 0 or place == HOME or square > HOME or square == _SAFE:
        return False
    if square == HOME:
        return True
    there = first_on(game, seen, side, square)
    return there < 0 or there // 7 != side


def coded_put(game: Any, board: np.ndarray, side: int, n: int, square: int) -> None:
    """Puts a piece somewhere; a piece there, of either side, goes to the start."""
    if square not in (0, HOME):
        there = first_on(game, board, side, square)
        if there >= 0:
            board[there // 7, there % 7] = 0
    board[side, n] = square


def coded_candidates(game: Any, side: int, roll: int, memory: Any) -> int:
    """Lists the pieces that may go, before anything moves."""
    count = 0
    for n in range(game.count):
        if coded_can(game, memory.board, memory.board, side, n, roll):
            memory.candidate[count] = n
            count += 1
    return count


def coded_massugu(game: Any, side: int, roll: int, memory: Any) -> int:
    """Judges each candidate on the board that the earlier ones have changed."""
    board = memory.board
    count = coded_candidates(game, side, roll, memory)
    for i in range(count):
        n = memory.candidate[i]
        square = board[side, n] + roll
        memory.utility[i] = square + place_of(board, first_on(game, board, side, square))
        memory.piece[i] = n
        coded_put(game, board, side, n, square)
    return count


def coded_first(game: Any, side: int, roll: int, memory: Any) -> int:
    """Ashikazu's own move: whom it meets goes back for good, the mover stays where it was."""
    board = memory.board
    count = coded_candidates(game, side, roll, memory)
    for i in range(count):
        n = memory.candidate[i]
        square = board[side, n] + roll
        there = first_on(game, board, side, square)
        memory.utility[i] = roll + place_of(board, there)
        memory.piece[i] = n
        if there >= 0 and square != HOME:
            board[there // 7, there % 7] = 0
    return count


def coded_replies(game: Any, player: int, memory: Any) -> int:
    """The best single step of each of a player's pieces; the steps add up on the board."""
    board, seen = memory.board, memory.before
    count = 0
    for m in range(game.count):
        copy_places(game, board, seen)
        best = _NONE
        for steps in range(1, 5):
            if coded_can(game, board, seen, player, m, steps):
                square = board[player, m] + steps
                utility = steps + place_of(board, first_on(game, board, player, square))
                coded_put(game, board, player, m, square)
                best = max(best, utility)
        if best > _NONE:
            memory.reply[count] = best
            memory.replier[count] = m
            count += 1
    return count


def coded_paired(count: int, replies: int, sign: int, memory: Any) -> None:
    """Adds each reply to the entry of the same piece number, or to the first entry."""
    for i in range(replies):
        found = 0
        for k in range(count):
            if memory.piece[k] == memory.replier[i]:
                found = k
                break
        memory.new_utility[i] = memory.utility[found] + sign * memory.reply[i]
        memory.new_piece[i] = memory.piece[found]
    for i in range(replies):
        memory.utility[i] = memory.new_utility[i]
        memory.piece[i] = memory.new_piece[i]


def coded_select(side: int, count: int, memory: Any) -> int:
    """The best entry; of equals that whose place in the list, as a piece, is least advanced."""
    chosen = -1
    for x in range(count):
        if chosen < 0:
            chosen = x
            continue
        ahead = memory.utility[x] - memory.utility[chosen]
        behind = memory.board[side, x] < memory.board[side, chosen]
        if ahead > 0 or (ahead == 0 and behind):
            chosen = x
    return memory.piece[chosen] if chosen >= 0 else -1


def coded_choice(game: Any, side: int, roll: int, strategy: int, depth: int, memory: Any) -> int:
    """The piece that the program's strategies move, or -1."""
    copy_places(game, memory.places, memory.board)
    if strategy == 2:
        return coded_select(side, coded_massugu(game, side, roll, memory), memory)
    count = coded_first(game, side, roll, memory)
    player = side
    for _ in range(depth - 1):
        if count == 0:
            break
        player = 1 - player
        replies = coded_replies(game, player, memory)
        if replies == 0:
            break
        sign = 1 if player == side else -1
        coded_paired(count, replies, sign, memory)
        count = replies
    return coded_select(side, count, memory)


# --- both --------------------------------------------------------------------------------------


def chosen_piece(game: Any, p: Words, strategy: int, depth: int, tie: int, memory: Any) -> int:
    """The number of the piece that a strategy moves at a decision, or -1 for none."""
    read_places(game, p, memory)
    player, roll = game.mover(p), game.roll(p)
    if strategy >= 2:
        return coded_choice(game, player, roll, strategy, depth, memory)
    return text_choice(game, player, roll, strategy, depth, tie, memory)


def move_of_piece(game: Any, p: Words, piece: int, memory: Any) -> int:
    """The move of a numbered piece, from what ``chosen_piece`` has read."""
    place = memory.places[game.mover(p), piece]
    return 32 * (piece + 1) + place if p[1] != U(0) else place


@kernel
def choose_piece(game: Any, p: Words, strategy: int, depth: int, tie: int, memory: Any) -> int:
    """For Python: the number of the piece, or -1."""
    return chosen_piece(game, p, strategy, depth, tie, memory)
