"""Random play to the end of the game, for any game: what Monte Carlo methods stand on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from petteia.compiled import kernel, random_below, random_unit
from petteia.core.errors import PetteiaError
from petteia.core.game import CHANCE, SIMULTANEOUS, TERMINAL, Game
from petteia.core.seeds import derive
from petteia.core.words import Words

__all__ = ["RandomGames", "drawn_outcome", "playout", "playouts", "random_games"]

_TALLY = ("wins", "draws", "points", "points_squared", "plies", "plies_squared", "choices")


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


def random_games(game: Game, p: Words, count: int, seed: int = 0) -> RandomGames:
    """Plays ``count`` random games from a position."""
    if count < 1:
        raise PetteiaError(f"{count} random games cannot be played; at least 1")
    state = np.array([derive(seed, "playouts")], np.uint64)
    out = np.empty(2 * game.max_moves, np.int64)
    prob = np.empty(2 * game.max_moves, np.float64)
    tally = np.zeros(len(_TALLY), np.float64)
    playouts(game, p, count, state, out, prob, tally)
    found = dict(zip(_TALLY, tally.tolist(), strict=True))
    points, plies = found["points"] / count, found["plies"] / count
    return RandomGames(
        games=count,
        wins=int(found["wins"]),
        draws=int(found["draws"]),
        points=points,
        points_error=_error(points, found["points_squared"] / count, count),
        plies=plies,
        plies_error=_error(plies, found["plies_squared"] / count, count),
        branching=found["choices"] / found["plies"] if found["plies"] else 0.0,
    )


def _error(mean: float, mean_square: float, count: int) -> float:
    return math.sqrt(max(mean_square - mean * mean, 0.0) / max(count - 1, 1))


def drawn_outcome(prob: np.ndarray, end: int, unit: float) -> int:
    """The place of the outcome that a random number in [0, 1) falls on."""
    for i in range(end - 1):
        unit -= prob[i]
        if unit < 0.0:
            return i
    return end - 1


def random_line(
    game: Any, p: Words, state: np.ndarray, out: np.ndarray, prob: np.ndarray
) -> tuple[float, int, int]:
    """One random game: the points of player 0, the plies, and the choices that there were."""
    plies, choices = 0, 0
    while True:
        kind = game.kind(p)
        if kind == TERMINAL:
            return float(game.result(p)), plies, choices
        if plies == game.max_plies:
            return 0.0, plies, choices
        plies += 1
        if kind == SIMULTANEOUS:
            middle = game.moves_of(p, 0, out, 0)
            end = game.moves_of(p, 1, out, middle)
            choices += middle * (end - middle)
            first = out[random_below(state, middle)]
            second = out[middle + random_below(state, end - middle)]
            p = game.play_both(p, first, second)
        elif kind == CHANCE:
            end = game.chances(p, out, prob, 0)
            choices += end
            p = game.play(p, out[drawn_outcome(prob, end, random_unit(state))])
        else:
            end = game.moves(p, out, 0)
            choices += end
            p = game.play(p, out[random_below(state, end)])


@kernel
def playout(game: Any, p: Words, state: np.ndarray, out: np.ndarray, prob: np.ndarray) -> float:
    """The points of player 0 after random play; a draw where the game outlasts ``max_plies``.

    ``state`` is one word of randomness, ``out`` and ``prob`` hold 2 x ``max_moves`` entries.
    """
    return random_line(game, p, state, out, prob)[0]


@kernel
def playouts(
    game: Any,
    p: Words,
    count: int,
    state: np.ndarray,
    out: np.ndarray,
    prob: np.ndarray,
    tally: np.ndarray,
) -> float:
    """The sum of the points of ``count`` playouts; adds to the tally: wins and draws of player 0,
    points and their squares, plies and their squares, choices."""
    total = 0.0
    for _ in range(count):
        points, plies, choices = random_line(game, p, state, out, prob)
        total += points
        if points > 0.0:
            tally[0] += 1.0
        elif points == 0.0:
            tally[1] += 1.0
        tally[2] += points
        tally[3] += points * points
        tally[4] += plies
        tally[5] += float(plies) * float(plies)
        tally[6] += choices
    return total
