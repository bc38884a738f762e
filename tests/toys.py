"""Tiny games whose exact values can be worked out by hand: one of plain moves, one with dice,
one simultaneous, one with positions of every kind, one whose rules look back."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from petteia.core.evaluation import of_function
from petteia.core.game import CHANCE, DECISION, SIMULTANEOUS, TERMINAL, Game
from petteia.core.words import U, Words

__all__ = ["Heap", "Market", "OddEven", "Pacing", "Race"]


class Heap(Game):
    """Take one or two from a heap; who takes the last wins."""

    name = "heap"
    max_moves = 2

    def start(self) -> Words:
        return (U(5), U(0))

    def kind(self, p: Words) -> int:
        return TERMINAL if p[0] == U(0) else DECISION

    def mover(self, p: Words) -> int:
        return 0 if p[1] == U(0) else 1

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at] = 1
        if p[0] == U(1):
            return at + 1
        out[at + 1] = 2
        return at + 2

    def play(self, p: Words, move: int) -> Words:
        return (p[0] - U(move), p[1] ^ U(1))

    def result(self, p: Words) -> float:
        return 1.0 if p[1] == U(1) else -1.0


class Race(Game):
    """Two runners to an exact goal. A die with three faces is thrown, then the mover walks what it
    shows, unless that leads past the goal, or a single step. Who arrives wins; double if the other
    has not left the first half.

    A position: the places of the runners, the throw (0 before it), the mover.
    """

    name = "race"
    max_moves = 3
    most_points = 2.0
    max_plies = 100

    def __init__(self, goal: int = 5) -> None:
        self.goal = goal

    def start(self) -> Words:
        return (U(0), U(0), U(0), U(0))

    def kind(self, p: Words) -> int:
        if p[0] == U(self.goal) or p[1] == U(self.goal):
            return TERMINAL
        return CHANCE if p[2] == U(0) else DECISION

    def mover(self, p: Words) -> int:
        return np.int64(p[3])  # type: ignore[return-value]

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        place = p[0] if p[3] == U(0) else p[1]
        out[at] = 1
        if p[2] == U(1) or place + p[2] > U(self.goal):
            return at + 1
        out[at + 1] = np.int64(p[2])
        return at + 2

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        for face in range(3):
            out[at + face] = face + 1
            prob[at + face] = 0.5 if face == 0 else 0.25
        return at + 3

    def play(self, p: Words, move: int) -> Words:
        if p[2] == U(0):
            return (p[0], p[1], U(move), p[3])
        if p[3] == U(0):
            return (p[0] + U(move), p[1], U(0), U(1))
        return (p[0], p[1] + U(move), U(0), U(0))

    def result(self, p: Words) -> float:
        won = p[0] == U(self.goal)
        loser = p[1] if won else p[0]
        points = 2.0 if loser + loser < U(self.goal) else 1.0
        return points if won else -points


class OddEven(Game):
    """Both show one to three fingers, the second player at most two. An even sum is a point for
    the first player, an odd one for the second; two points win, and ``tie`` rounds are a draw.

    A position: the points of both players, the rounds played.
    """

    name = "oddeven"
    max_moves = 3
    max_plies = 100

    def __init__(self, tie: int = 3) -> None:
        self.tie = tie

    def start(self) -> Words:
        return (U(0), U(0), U(0))

    def kind(self, p: Words) -> int:
        over = p[0] == U(2) or p[1] == U(2) or p[2] == U(self.tie)
        return TERMINAL if over else SIMULTANEOUS

    def mover(self, p: Words) -> int:
        return 0

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        return at  # nobody ever moves alone

    def play(self, p: Words, move: int) -> Words:
        return p

    def moves_of(self, p: Words, player: int, out: np.ndarray, at: int) -> int:
        count = 3 if player == 0 else 2
        for i in range(count):
            out[at + i] = i + 1
        return at + count

    def play_both(self, p: Words, first: int, second: int) -> Words:
        if (first + second) % 2 == 0:
            return (p[0] + U(1), p[1], p[2] + U(1))
        return (p[0], p[1] + U(1), p[2] + U(1))

    def result(self, p: Words) -> float:
        return 1.0 if p[0] == U(2) else -1.0 if p[1] == U(2) else 0.0


class Market(Game):
    """Positions of every kind. In a round a stake of 1 or 2 is drawn, 1 twice as often, and then
    whether it counts twice, once in four times. The players in turn take it (1) or halve it (0).
    Both show one or two fingers: an even sum wins the stake for the first player, two and two win
    it twice, an odd sum wins it for the second; a stake is worth a fifth to the first. After
    ``rounds`` the difference is paid.

    A position: the step within the round, the stake and the difference beside 100, both in halves
    of a point, and the rounds played.
    """

    name = "market"
    max_moves = 2
    max_plies = 20

    def __init__(self, rounds: int = 2) -> None:
        self.rounds = rounds
        self.most_points = 8.0 * rounds

    def start(self) -> Words:
        return (U(0), U(0), U(100), U(0))

    def kind(self, p: Words) -> int:
        if p[3] == U(self.rounds):
            return TERMINAL
        return CHANCE if p[0] < U(2) else DECISION if p[0] == U(2) else SIMULTANEOUS

    def mover(self, p: Words) -> int:
        return np.int64(p[3] & U(1))  # type: ignore[return-value]

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        out[at], out[at + 1] = 0, 1
        return at + 2

    def chances(self, p: Words, out: np.ndarray, prob: np.ndarray, at: int) -> int:
        out[at], out[at + 1] = 1, 2
        prob[at] = 2.0 / 3.0 if p[0] == U(0) else 0.75
        prob[at + 1] = 1.0 - prob[at]
        return at + 2

    def play(self, p: Words, move: int) -> Words:
        stake = p[1]
        if p[0] == U(0):
            stake = U(2 * move)
        elif p[0] == U(1):
            stake = stake * U(move)
        elif move == 0:
            stake = stake // U(2)
        return (p[0] + U(1), stake, p[2], p[3])

    def moves_of(self, p: Words, player: int, out: np.ndarray, at: int) -> int:
        out[at], out[at + 1] = 1, 2
        return at + 2

    def play_both(self, p: Words, first: int, second: int) -> Words:
        worth = p[1] + p[1] if first == 2 and second == 2 else p[1]
        after = p[2] + worth if (first + second) % 2 == 0 else p[2] - p[1]
        return (U(0), U(0), after, p[3] + U(1))

    def result(self, p: Words) -> float:
        return float(np.int64(p[2]) - 100) / 2.0


def first_is_better(game: Pacing, p: Words, player: int) -> float:
    """Five points for the first player, wherever the two stand."""
    return 5.0 if player == 0 else -5.0


class Pacing(Game):
    """Two sentries pace on rows of their own, one step to either side a move. Nobody ever wins; the
    third time that both stand as they stood is a draw. ``eval=first`` likes the first sentry.

    A position: the places of the two, the mover, the moves made.
    """

    name = "pacing"
    max_moves = 2
    max_plies = 200
    repetitions = 3
    evaluations: ClassVar = {"first": of_function("first", first_is_better)}
    default_evaluation = "first"

    def __init__(self, length: int = 4) -> None:
        self.length = length

    def start(self) -> Words:
        return (U(0), U(0), U(0), U(0))

    def kind(self, p: Words) -> int:
        return DECISION

    def mover(self, p: Words) -> int:
        return np.int64(p[2])  # type: ignore[return-value]

    def moves(self, p: Words, out: np.ndarray, at: int) -> int:
        place = p[0] if p[2] == U(0) else p[1]
        if place > U(0):
            out[at] = 0
            at += 1
        if place < U(self.length - 1):
            out[at] = 1
            at += 1
        return at

    def play(self, p: Words, move: int) -> Words:
        place = p[0] if p[2] == U(0) else p[1]
        place = place + U(1) if move == 1 else place - U(1)
        if p[2] == U(0):
            return (place, p[1], U(1), p[3] + U(1))
        return (p[0], place, U(0), p[3] + U(1))

    def result(self, p: Words) -> float:
        return 0.0

    def identity(self, p: Words) -> Words:
        return (p[0], p[1], p[2], U(0))

    def move_text(self, p: Words, move: int) -> str:
        return "right" if move == 1 else "left"
