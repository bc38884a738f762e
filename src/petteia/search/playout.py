"""Random play to the end of the game, for any game: what Monte Carlo methods stand on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import Batch, kernel, random_next, unit_of, whole_below
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.gpu import cupy_for
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.chance import nth_word

__all__ = [
    "RandomGames", "RandomPlay", "by_number", "playout", "playout_memory", "random_games",
    "random_line",
]  # fmt: skip

_SLACK = 64
_AT_ONCE = 1 << 22
"""So many games are played before their results are added up: about 100 MB of them."""


@dataclass(frozen=True)
class RandomGames:
    """What many random games have in common."""

    games: int
    wins: int
    """Games that player 0 won."""
    draws: int
    """Games without a winner, those given up after ``max_plies`` included."""
    points: float
    """Mean points of player 0."""
    points_error: float
    """Standard error of the mean points."""
    plies: float
    """Mean length; outcomes of dice and joint moves count as one ply each."""
    plies_error: float
    """Standard error of the mean length."""
    branching: float
    """Mean number of moves, outcomes or joint moves over all positions that were played on."""
    lengths: Mapping[int, int]
    """How many games had so many plies."""


class Seen(NamedTuple):
    """What came of every game."""

    points: np.ndarray
    plies: np.ndarray
    choices: np.ndarray


def playout_memory(game: Game) -> list[tuple[Any, ...]]:
    """What a thread needs for ``random_line``."""
    size = game.max_moves + _SLACK
    return [
        ("state", np.uint64, (1,)),
        ("prob", np.float64, (size if game.has_chance else 1,)),
        ("out", np.int64, (size,)),
    ]


class RandomPlay:
    """Random games of one game, on all processors or a GPU: the same from the same seed."""

    def __init__(self, game: Game, p: Words | None = None) -> None:
        """From the start, or from a position."""
        self.game = game
        self.p = game.start() if p is None else p
        self.batch = Batch(random_game, playout_memory(game))

    def arguments(self, seed: int, count: int, library: Any = np) -> tuple[Any, ...]:
        """What its pieces are given, from the first on; ``library`` makes the arrays."""
        kinds = np.float64, np.int64, np.int64
        seeds = np.uint64(derive(seed, "playouts"))
        seen = Seen(*(library.empty(count, kind) for kind in kinds))
        return self.game, self.p, seeds, 0, seen

    def run(
        self,
        count: int,
        seed: int = 0,
        *,
        device: str = "cpu",
        threads: int | None = None,
        on_games: Callable[[int], None] | None = None,
    ) -> RandomGames:
        """Plays ``count`` games; ``on_games`` hears how many are played, from time to time."""
        if count < 1:
            raise PetteiaError(f"{count} random games cannot be played; at least 1")
        library: Any = cupy_for("random play", "the cpu plays them too") if device == "gpu" else np
        sums, lengths = np.zeros(7), np.zeros(self.game.max_plies + 1, np.int64)
        game, p, seeds, _, seen = self.arguments(seed, min(count, _AT_ONCE), library)
        for first in range(0, count, _AT_ONCE):
            part = min(_AT_ONCE, count - first)
            points, plies, choices = found = Seen(*(each[:part] for each in seen))
            self.batch(part, game, p, seeds, first, found, device=device, threads=threads)
            sums += [
                float(each)
                for each in (
                    (points > 0).sum(), (points == 0).sum(), points.sum(), (points * points).sum(),
                    plies.sum(), (plies * plies).sum(), choices.sum(),
                )
            ]  # fmt: skip
            counted = library.bincount(plies, minlength=len(lengths))
            lengths += counted if library is np else library.asnumpy(counted)
            if on_games is not None:
                on_games(first + part)
        return _summed(count, sums, lengths)


def random_games(game: Game, p: Words, count: int, seed: int = 0) -> RandomGames:
    """Plays ``count`` random games from a position, on this thread."""
    return RandomPlay(game, p).run(count, seed, threads=1)


def _summed(count: int, sums: np.ndarray, lengths: np.ndarray) -> RandomGames:
    wins, draws, points, points_squared, plies, plies_squared, choices = sums.tolist()
    return RandomGames(
        games=count,
        wins=int(wins),
        draws=int(draws),
        points=points / count,
        points_error=_error(points / count, points_squared / count, count),
        plies=plies / count,
        plies_error=_error(plies / count, plies_squared / count, count),
        branching=choices / plies if plies else 0.0,
        lengths={int(each): int(lengths[each]) for each in np.flatnonzero(lengths)},
    )


def _error(mean: float, mean_square: float, count: int) -> float:
    return math.sqrt(max(mean_square - mean * mean, 0.0) / max(count - 1, 1))


def random_line(
    game: Any, p: Words, state: np.ndarray, out: np.ndarray, prob: np.ndarray
) -> tuple[float, int, int]:
    """One random game: the points of player 0, the plies, and the choices that there were."""
    random = state[0]
    plies, choices, points = 0, 0, 0.0
    while plies < game.max_plies:
        kind = game.kind(p)
        if kind == TERMINAL:
            break
        plies += 1
        random = random_next(random)
        if kind == SIMULTANEOUS:
            count = game.count_moves_of(p, 0, out)
            first = game.nth_move_of(p, 0, whole_below(random, count), out)
            random = random_next(random)
            others = game.count_moves_of(p, 1, out)
            second = game.nth_move_of(p, 1, whole_below(random, others), out)
            choices += count * others
            p = game.play_both(p, first, second)
        elif kind == CHANCE:
            count = game.count_chances(p, out, prob)
            choices += count
            p = game.play(p, game.chance_at(p, unit_of(random), count, out, prob))
        else:
            count = game.count_moves(p, out)
            choices += count
            p = game.play(p, game.nth_move(p, whole_below(random, count), out))
    state[0] = random
    if game.kind(p) == TERMINAL:
        points = float(game.result(p))
    return points, plies, choices


@kernel
def playout(game: Any, p: Words, state: np.ndarray, out: np.ndarray, prob: np.ndarray) -> float:
    """The points of player 0 after random play; a draw where the game outlasts ``max_plies``.

    ``state`` is one word of randomness, ``out`` and ``prob`` hold ``max_moves`` entries.
    """
    return random_line(game, p, state, out, prob)[0]


@kernel
def by_number(
    game: Any, p: Words, unit: float, out: np.ndarray, prob: np.ndarray, found: np.ndarray
) -> int:
    """Writes what random play draws from: the moves one by one, player 0's first where both choose;
    of dice how many outcomes there are, and on which a number falls. Returns the end.

    A game that spares itself the lists must say here what stands in them.
    """
    kind, end = game.kind(p), 0
    if kind == SIMULTANEOUS:
        for player in range(2):
            count = game.count_moves_of(p, player, out)
            for n in range(count):
                found[end + n] = game.nth_move_of(p, player, n, out)
            end += count
    elif kind == CHANCE:
        found[0] = game.count_chances(p, out, prob)
        found[1] = game.chance_at(p, unit, found[0], out, prob)
        end = 2
    elif kind != TERMINAL:
        end = game.count_moves(p, out)
        for n in range(end):
            found[n] = game.nth_move(p, n, out)
    return end


def random_game(
    i: int,
    memory: Any,
    game: Any,
    start: Words,
    seed: np.uint64,
    first: int,
    seen: Seen,
) -> None:
    """Piece ``i``: random game number ``first + i`` of a seed, and what came of it."""
    memory.state[0] = nth_word(seed, first + i)
    found = random_line(game, start, memory.state, memory.out, memory.prob)
    seen.points[i], seen.plies[i], seen.choices[i] = found
