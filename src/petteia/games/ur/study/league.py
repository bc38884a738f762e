"""Many games between Ur's own players in one kernel: the report's tournaments in seconds."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, mix, random_below, random_unit
from petteia.core.game import DECISION, TERMINAL
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.ur.learning import greedy_move, perfect_move
from petteia.games.ur.report.strategies import MEMORY, STRATEGIES, chosen_piece, move_of_piece
from petteia.games.ur.rules import PASS, UrRules
from petteia.games.ur.solution.layout import layout_of
from petteia.games.ur.solution.sweep import Exact
from petteia.games.ur.solution.tables import Values
from petteia.search.game_loop import Observer, Players, game_memory, play_out

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
    first_w, second_w = (
        w if w is not None else np.zeros(33) for w in (first.weights, second.weights)
    )
    exact = known.exact if known else Exact(np.zeros(1, np.uint16), layout_of(game))

    def share(number: int) -> Any:
        memory = game_memory(game, _FIELDS)[0]
        memory["kinds"] = first.kind, second.kind
        memory["depths"] = first.depth, second.depth
        memory["seed"] = derive(seed, "dice") % 2**52
        memory["first_pair"] = number * pairs // threads
        memory["last_pair"] = (number + 1) * pairs // threads
        play_pairs(game, start or game.start(), first_w, second_w, exact, memory)
        return memory

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(share, range(threads)))
    wins, turns = (np.sum([part[name] for part in parts], axis=0) for name in ("wins", "turns"))
    first_left, second_left = (Cell(pairs, int(wins[n]), float(turns[n]) / pairs) for n in (0, 1))
    return first_left, second_left


_FIELDS = [
    ("kinds", np.int64, (2,)),  # of the first and the second player
    ("depths", np.int64, (2,)),
    ("seed", np.uint64),  # of all pairs
    ("first_pair", np.int64),
    ("last_pair", np.int64),  # exclusive
    ("rolls", np.uint64, (1,)),  # randomness of the dice
    ("own", np.uint64, (1,)),  # randomness of the players
    ("wins", np.int64, (2,)),  # of left, first for the first player as left
    ("turns", np.int64, (2,)),
    *MEMORY.descr,  # of the strategies
]


class Sides(Players):
    """Two of Ur's players; the weights are those of both, then the exact values."""

    def unit(self, memory: Any) -> float:
        return random_unit(memory.rolls)

    def choose(self, game: Any, p: Words, weights: Any, memory: Any) -> int:
        side = 0 if game.mover(p) == memory.first_plays else 1
        kind, out = memory.kinds[side], memory.out
        if kind == MODEL:
            w = weights[0] if side == 0 else weights[1]
            return greedy_move(game, p, w, out)
        if kind == PERFECT:
            return perfect_move(game, p, weights[2], out)
        end = game.moves(p, out, 0)
        if kind == RANDOM:
            return out[random_below(memory.own, end)]
        if out[0] == PASS:
            return PASS
        piece = chosen_piece(game, p, kind, memory.depths[side], 0, memory)
        return move_of_piece(game, p, piece, memory) if piece >= 0 else out[0]


class TurnsCounted(Observer):
    """Counts left's wins, and the turns; a turn ends where the sides alternate or the game does."""

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        if memory.kind != DECISION:
            return
        if game.kind(after) == TERMINAL or game.mover(after) != game.mover(p):
            memory.turns[memory.first_plays] += 1

    def end(self, game: Any, players: Any, weights: Any, p: Words, memory: Any) -> None:
        if memory.result > 0.0:
            memory.wins[memory.first_plays] += 1


_SIDES, _TURNS_COUNTED = Sides(), TurnsCounted()


@kernel
def play_pairs(
    game: Any,
    start: Words,
    first_w: np.ndarray,
    second_w: np.ndarray,
    exact: Exact,
    memory: Any,
) -> None:
    """Plays pairs with the same dice; the first player is left in the first half."""
    weights = (first_w, second_w, exact)
    for number in range(2 * memory.first_pair, 2 * memory.last_pair):
        memory.ply, memory.first_plays = 0, number & 1
        memory.rolls[0] = mix(U(memory.seed) + U(number >> 1))
        memory.own[0] = mix(U(memory.rolls[0]) + U(memory.first_plays))
        play_out(game, start, _SIDES, weights, _TURNS_COUNTED, memory)


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
