"""Many games between Ur's own players in one kernel: the report's tournaments in seconds."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, mix, random_below
from petteia.core.game import TERMINAL
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.ur.learning import greedy_move, perfect_move, thrown
from petteia.games.ur.report.strategies import MEMORY, STRATEGIES, chosen_piece, move_of_piece
from petteia.games.ur.rules import PASS, UrRules
from petteia.games.ur.solution.tables import Values

__all__ = ["MODEL", "PERFECT", "RANDOM", "Cell", "Player", "decision_time", "meeting"]

MODEL, PERFECT, RANDOM = 4, 5, 6
"""Beside the report's strategies: a linear model, perfect play, and any move."""


@dataclass(frozen=True)
class Player:
    """One of Ur's players as the kernel knows it."""

    name: str
    kind: int
    depth: int = 0
    weights: np.ndarray | None = None

    @classmethod
    def of_report(cls, depth: int, *, as_coded: bool) -> Player:
        """The report's player of a depth: SM, or SA with a number."""
        name = "ashikazu" if depth else "massugu"
        kind = STRATEGIES.index(f"coded_{name}" if as_coded else name)
        return cls(f"SA{depth}" if depth else "SM", kind, depth)


@dataclass(frozen=True)
class Cell:
    """Games of one player as left against another as right."""

    games: int
    wins: int
    """Of the left player."""
    turns: float
    """Mean turns a game; a turn lasts until the sides alternate."""

    @property
    def rate(self) -> float:
        """How often left wins."""
        return self.wins / self.games

    @property
    def error(self) -> float:
        """Half the 95 % interval of the rate."""
        return 1.96 * math.sqrt(max(self.rate * (1 - self.rate), 1e-9) / self.games)


def meeting(
    game: UrRules,
    first: Player,
    second: Player,
    pairs: int,
    *,
    seed: int = 0,
    start: Words | None = None,
    known: Values | None = None,
    threads: int = 1,
) -> tuple[Cell, Cell]:
    """Pairs of games with the same dice: ``first`` as left, then ``second`` as left."""
    nothing = np.zeros(1, np.uint16)
    weights = [w if w is not None else np.zeros(33) for w in (first.weights, second.weights)]
    offset, counts, weight, slot, fits, rank_of = known.index if known else _no_index()
    table = known.table.data if known else nothing

    def share(number: int) -> np.ndarray:
        memory = np.zeros(1, MEMORY).view(np.recarray)
        tally, out = np.zeros(4, np.int64), np.zeros(16, np.int64)
        begin, end = number * pairs // threads, (number + 1) * pairs // threads
        play_pairs(
            game, start or game.start(), first.kind, first.depth, second.kind, second.depth,
            begin, end, derive(seed, "dice") % 2**52, weights[0], weights[1], table,
            offset, counts, weight, slot, fits, rank_of, memory[0], out, tally,
        )  # fmt: skip
        return tally

    with ThreadPoolExecutor(threads) as pool:
        total = sum(pool.map(share, range(threads)), np.zeros(4, np.int64))
    first_left, second_left = (
        Cell(pairs, int(total[2 * n]), float(total[2 * n + 1]) / pairs) for n in (0, 1)
    )
    return first_left, second_left


def _no_index() -> tuple[np.ndarray, ...]:
    """Arrays of the right sorts where no table is used."""
    one, two = np.zeros(1, np.int64), np.zeros((1, 2), np.int64)
    return (np.zeros((1, 1, 1), np.uint32), two, one, one, one, one)


def choice(
    game: Any,
    p: Words,
    kind: int,
    depth: int,
    w: np.ndarray,
    table: np.ndarray,
    offset: np.ndarray,
    counts: np.ndarray,
    weight: np.ndarray,
    slot: np.ndarray,
    fits: np.ndarray,
    rank_of: np.ndarray,
    memory: Any,
    out: np.ndarray,
    state: np.ndarray,
) -> int:
    """Kernel: the move of a player."""
    if kind == MODEL:
        return greedy_move(game, p, w, out)
    if kind == PERFECT:
        return perfect_move(game, p, table, offset, counts, weight, slot, fits, rank_of, out)
    end = game.moves(p, out, 0)
    if kind == RANDOM:
        return out[random_below(state, end)]
    if out[0] == PASS:
        return PASS
    piece = chosen_piece(game, p, kind, depth, 0, memory)
    return move_of_piece(game, p, piece, memory) if piece >= 0 else out[0]


@kernel
def play_pairs(
    game: Any,
    start: Words,
    kind: int,
    depth: int,
    other_kind: int,
    other_depth: int,
    begin: int,
    end: int,
    seed: int,
    w: np.ndarray,
    other_w: np.ndarray,
    table: np.ndarray,
    offset: np.ndarray,
    counts: np.ndarray,
    weight: np.ndarray,
    slot: np.ndarray,
    fits: np.ndarray,
    rank_of: np.ndarray,
    memory: Any,
    out: np.ndarray,
    tally: np.ndarray,
) -> int:
    """Plays pairs; the tally has left's wins and the turns, first for the first player as left."""
    dice, own = memory.dice, memory.own
    for pair in range(begin, end):
        for half in range(2):
            dice[0] = mix(U(seed) + U(pair))
            own[0] = mix(dice[0] + U(half))
            p, turns = start, 0
            while game.kind(p) != TERMINAL:
                q = thrown(game, p, dice)
                mover = game.mover(q)
                if mover == half:  # the first player is left in the first half
                    move = choice(
                        game, q, kind, depth, w, table, offset, counts, weight, slot, fits,
                        rank_of, memory, out, own,
                    )  # fmt: skip
                else:
                    move = choice(
                        game, q, other_kind, other_depth, other_w, table, offset, counts, weight,
                        slot, fits, rank_of, memory, out, own,
                    )  # fmt: skip
                p = game.play(q, move)
                if game.kind(p) == TERMINAL or game.mover(p) != mover:
                    turns += 1
            if game.result(p) > 0.0:
                tally[2 * half] += 1
            tally[2 * half + 1] += turns
    return end - begin


@kernel
def decide_often(
    game: Any, p: Words, kind: int, depth: int, times: int, memory: Any, out: np.ndarray
) -> int:
    """Decides again and again, so that a clock can measure it."""
    total = 0
    for _ in range(times):
        if game.moves(p, out, 0) > 0 and out[0] != PASS:
            total += chosen_piece(game, p, kind, depth, 0, memory)
    return total


def decision_time(game: UrRules, boards: list[Words], player: Player, times: int = 2000) -> float:
    """The mean time of a decision over all rolls on some boards, in seconds."""
    memory, out = np.zeros(1, MEMORY).view(np.recarray), np.zeros(16, np.int64)
    places = [game.play(p, roll) for p in boards for roll in range(5)]
    decide_often(game, places[0], player.kind, player.depth, 1, memory[0], out)
    started = time.perf_counter()
    for p in places:
        decide_often(game, p, player.kind, player.depth, times, memory[0], out)
    return (time.perf_counter() - started) / (times * len(places))
