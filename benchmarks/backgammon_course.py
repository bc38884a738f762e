"""The course framework's game in plain Python, as it is described, and ours held against it.

    python benchmarks/backgammon_course.py [--games 2500] [--seed 20261] [A B]

A game is played as the framework plays it: absolute locations on a live board, dice in the order
in which they fell, strategies that try steps on copies and make them one by one, a coin for who
starts, and A always White. Nothing of our rules or searches is used for it but the value of a
position. At every turn the compiled agent is asked too, and must come to the same board.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable

import numpy as np

from petteia import agents
from petteia.compiled import kernel
from petteia.core.words import Words
from petteia.games.backgammon import Backgammon
from petteia.games.backgammon.evaluations import EVALUATIONS
from petteia.games.backgammon.face.positions import position_of
from petteia.games.backgammon.rules.state import PLAY

GAME = Backgammon(rules="course")
WHITE, BLACK = 0, 1
BARS = (0, 25)

Steps = list[tuple[int, int]]
"""Locations, each with the die that moves a checker from there."""
Value = Callable[["Board", int], float]


class Board:
    """How many checkers of each colour stand where. White goes up from 1 to 24, Black down."""

    def __init__(self, white: dict[int, int], black: dict[int, int]) -> None:
        self.sides = (white, black)

    def copy(self) -> Board:
        return Board(dict(self.sides[0]), dict(self.sides[1]))

    def locations(self, colour: int) -> list[int]:
        """Where a colour stands, the farthest from home first."""
        return sorted(self.sides[colour], key=lambda at: -distance(colour, at))

    def can_step(self, colour: int, at: int, die: int) -> bool:
        own, bar = self.sides[colour], BARS[colour]
        if at not in own or (bar in own and at != bar):
            return False
        to = landing(colour, at, die)
        if 1 <= to <= 24:
            return self.sides[1 - colour].get(to, 0) < 2
        distances = [distance(colour, each) for each in own]
        return max(distances) <= 6 and (distance(colour, at) == die or max(distances) < die)

    def step(self, colour: int, at: int, die: int) -> None:
        own, other = self.sides[colour], self.sides[1 - colour]
        _add(own, at, -1)
        to = landing(colour, at, die)
        if 1 <= to <= 24:
            if to in other:
                _add(other, to, -1)
                _add(other, BARS[1 - colour], 1)
            _add(own, to, 1)

    def words(self, mover: int, first: int = 0, second: int = 0) -> Words:
        """The position as ours."""
        counts = [[0] * 26, [0] * 26]
        for colour, side in enumerate(self.sides):
            for at, count in side.items():
                counts[colour][distance(colour, at)] = count
        return position_of(*counts, phase=PLAY, first=first, second=second, mover=mover)


def _add(side: dict[int, int], at: int, count: int) -> None:
    side[at] = side.get(at, 0) + count
    if not side[at]:
        del side[at]


def distance(colour: int, at: int) -> int:
    return 25 - at if colour == WHITE else at


def landing(colour: int, at: int, die: int) -> int:
    return at + die if colour == WHITE else at - die


def search(board: Board, colour: int, dice: list[int], value: Value) -> tuple[float, Steps]:
    """CompareAllMoves with the dice in one order: the lowest value, and its steps."""
    best, steps = math.inf, Steps()
    die, rest = dice[0], dice[1:]
    for at in board.locations(colour):
        if not board.can_step(colour, at, die):
            continue
        after = board.copy()
        after.step(colour, at, die)
        found, more = search(after, colour, rest, value) if rest else (math.inf, Steps())
        if more:
            if found < best and len(more) + 1 >= len(steps):
                best, steps = found, [(at, die), *more]
            continue
        found = value(after, colour)
        if found < best and (not rest or len(steps) < 2):
            best, steps = found, [(at, die)]
    return best, steps


def turn(board: Board, colour: int, dice: list[int], value: Value) -> None:
    """One turn of CompareAllMoves on the live board."""
    best, steps = search(board, colour, dice, value)
    if len(dice) == 2:
        other, turned = search(board, colour, dice[::-1], value)
        if other < best and len(turned) >= len(steps):
            steps = turned
    for at, die in steps:
        board.step(colour, at, die)


@kernel
def value_at(game, evaluation, p, player, w):  # type: ignore[no-untyped-def]
    return evaluation.value(game, p, player, w)


def value_of(name: str) -> Value:
    """What a strategy thinks of a board: the lower the better."""
    evaluation = EVALUATIONS[name]
    weights: np.ndarray = evaluation.array
    return lambda board, colour: (
        -value_at(GAME, evaluation.tag, board.words(colour), colour, weights)
    )


class Series:
    """Games between two strategies, and how many turns were ours."""

    def __init__(self, names: tuple[str, str], seed: int) -> None:
        self.values = [value_of(name) for name in names]
        self.agents = [agents.make(name, GAME) for name in names]
        self.chance = random.Random(seed)
        self.turns = self.same = 0

    def winner(self) -> int:
        """Plays a game."""
        white, black = {1: 2, 12: 5, 17: 3, 19: 5}, {24: 2, 13: 5, 8: 3, 6: 5}
        board, colour = Board(white, black), self.chance.randrange(2)
        while True:
            first, second = (self.chance.randint(1, 6) for _ in range(2))
            before = board.words(colour, first, second)
            dice = [first] * 4 if first == second else [first, second]
            turn(board, colour, dice, self.values[colour])
            ours = GAME.moved(before, self.agents[colour].choose(before).move)
            self.turns += 1
            self.same += ours[:4] == board.words(colour)[:4]
            if not board.sides[colour]:
                return colour
            colour = 1 - colour


def main() -> None:
    parser = argparse.ArgumentParser(description="The course framework in plain Python.")
    parser.add_argument("names", nargs="*", default=["tuned", "end_game2"])
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=20261)
    options = parser.parse_args()
    first, second = options.names
    series = Series((first, second), options.seed)
    wins = sum(series.winner() == WHITE for _ in range(options.games))
    share = wins / options.games
    error = 1.96 * math.sqrt(share * (1 - share) / options.games)
    print(f"{first} v {second}, {options.games} games: {100 * share:.1f} % "
          f"({100 * (share - error):.1f} to {100 * (share + error):.1f})")  # fmt: skip
    print(f"turns: {series.turns}, of which ours: {series.same}")


if __name__ == "__main__":
    main()
