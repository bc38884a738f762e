"""Bearing off exactly: how many rolls a side needs, and who wins when both are home.

The one-sided table has, for every way to put up to fifteen checkers on the six points of the home
board (54,264), the chances that 0, 1, 2, .. rolls bear all of them off, if each roll is played so
that the mean is least; and for all fifteen the same of the first checker, which saves the gammon.

The two-sided table has for any two sides of up to six checkers (924 x 924) what is exact: the
chance that the player on roll wins, and what a game for points with the cube at 1 is worth to him
if he throws now and the cube is his, the other's, or in the middle.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.words import U, Words
from petteia.games.backgammon.evaluations.cube import MINE, THEIRS, Chances
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import CHECKERS, HOME, checkers, count_on, occupied
from petteia.games.backgammon.rules.state import CENTRED, ROLL, state_of
from petteia.solve import SAMPLE, Control, KeptTable, Solver, TableFile, folder, sample_text

__all__ = [
    "FEW", "FIRST_ROLLS", "ONE_SIDED", "ROLLS", "ROW", "BearOffSolver", "chances_of", "first_off",
    "index_of", "is_bear_off", "kept_or_built", "one_sided", "positions", "race_chances",
    "sides_with", "two_sided", "win_chance",
]  # fmt: skip

_POINTS = 6
ROLLS = 32
"""No side needs as many rolls."""
FIRST_ROLLS = 16
"""No side needs as many rolls for its first checker."""
ROW = ROLLS + FIRST_ROLLS
"""Numbers of a side in the one-sided table: for all checkers, then for the first."""
FEW = 6
"""Checkers a side for which both sides' table is built at once."""
ONE_SIDED = math.comb(CHECKERS + _POINTS, _POINTS)
"""Sides of the one-sided table."""
_ALL_ON = math.comb(CHECKERS + _POINTS - 1, _POINTS)
"""From this number on all fifteen checkers are on the board."""
_MOST_TWO_SIDED = 10
_PLAIN = 10
"""Pairs of sides are tried in plain Python: so many times fewer."""
_CHOOSE = np.array(
    [[math.comb(n, k) for k in range(_POINTS + 1)] for n in range(CHECKERS + _POINTS + 1)],
    np.int64,
)
_THROWS = 32
"""Throws stand before the moves in one array."""


def sides_with(most: int) -> int:
    """How many ways there are to put at most so many checkers on the six points."""
    return math.comb(most + _POINTS, _POINTS)


def index_of(a: np.uint64, b: np.uint64) -> int:
    """Kernel: the number of a side that is home. Fewer checkers come first, then those with
    fewer on six, on five, and so on: every step leads to a lower number."""
    left = checkers(a, b)
    index = _CHOOSE[left + _POINTS - 1, _POINTS]
    for place in range(_POINTS, 1, -1):
        count = count_on(a, b, place)
        index += _CHOOSE[left + place - 1, place - 1]
        left -= count
        index -= _CHOOSE[left + place - 1, place - 1]
    return index


def positions(most: int = CHECKERS) -> list[tuple[int, ...]]:
    """The checkers by point of every side with at most so many, in the order of their numbers."""
    found: list[tuple[int, ...]] = []

    def fill(place: int, left: int, counts: tuple[int, ...]) -> None:
        if place == 1:
            found.append((left, *counts))
            return
        for count in range(left + 1):
            fill(place - 1, left - count, (count, *counts))

    for total in range(most + 1):
        fill(_POINTS, total, ())
    return found


def _words(sides: list[tuple[int, ...]]) -> np.ndarray:
    """The two words of every side."""
    words = np.zeros((len(sides), 2), np.uint64)
    counts = np.array(sides, np.uint64)
    for point in range(_POINTS):
        for plane, (word, up) in enumerate(((0, 0), (0, 32), (1, 0), (1, 32))):
            bits = (counts[:, point] >> U(plane)) & U(1)
            words[:, word] |= bits << U(point + 1 + up)
    return words


_ROLLING = state_of(phase=ROLL)


class Throws(NamedTuple):
    """Room for the throws of a side, and for the moves of each behind them."""

    out: np.ndarray
    prob: np.ndarray


def _room(game: BackgammonRules) -> Throws:
    return Throws(np.zeros(game.max_moves + _THROWS, np.int64), np.zeros(_THROWS))


@kernel
def fill_rolls(
    game: Any, words: np.ndarray, table: np.ndarray, mean: np.ndarray, room: Throws,
    first: int, last: int,
) -> None:  # fmt: skip
    """The chances to be done after n rolls; every row stands on rows with lower numbers, and those
    before the first are filled already."""
    out, prob = room
    for i in range(first, last):
        p = (words[i, 0], words[i, 1], U(0), U(0), _ROLLING)
        throws = game.chances(p, out, prob, 0)
        for t in range(throws):
            q = game.play(p, out[t])
            best, least = 0, 1e9
            end = game.moves(q, out, _THROWS)
            for m in range(_THROWS, end):
                after = game.moved(q, out[m])
                j = index_of(after[0], after[1])
                if mean[j] < least:
                    best, least = j, mean[j]
            mean[i] += prob[t] * (1.0 + least)
            for n in range(1, table.shape[1]):
                table[i, n] += prob[t] * table[best, n - 1]


class Steps(NamedTuple):
    """The numbers that every side can reach with every throw, one list after the other."""

    to: np.ndarray
    ends: np.ndarray
    """By side and throw: where its list ends."""
    weights: np.ndarray
    """By throw: its chance."""


@kernel
def list_steps(game: Any, words: np.ndarray, steps: Steps, room: Throws) -> None:
    """Fills the lists."""
    out, prob = room
    at = 0
    for i in range(1, len(words)):
        p = (words[i, 0], words[i, 1], U(0), U(0), _ROLLING)
        throws = game.chances(p, out, prob, 0)
        for t in range(throws):
            steps.weights[t] = prob[t]
            q = game.play(p, out[t])
            end = game.moves(q, out, _THROWS)
            for m in range(_THROWS, end):
                after = game.moved(q, out[m])
                steps.to[at] = index_of(after[0], after[1])
                at += 1
            steps.ends[i, t] = at


@kernel
def fill_two_sided(steps: Steps, table: np.ndarray) -> None:
    """By rising sums of both numbers: each stands on lower ones. The first page has chances to win,
    the others points, by whose the cube is."""
    to, ends, weights = steps
    chance, mine, theirs, middle = table[0], table[1 + MINE], table[1 + THEIRS], table[1 + CENTRED]
    size, throws = len(chance), len(weights)
    for total in range(1, 2 * size - 1):
        for i in range(max(1, total - size + 1), min(total, size - 1) + 1):
            j = total - i
            if j == 0:
                continue
            at = ends[i - 1, throws - 1] if i > 1 else 0
            value = own = other = centred = 0.0
            for t in range(throws):
                # After the roll the other is to throw, and what is mine is his enemy's.
                a, b, c, d = 0.0, -9.0, -9.0, -9.0
                while at < ends[i, t]:
                    k = to[at]
                    if k == 0:
                        a = b = c = d = 1.0
                    else:
                        a = max(a, 1.0 - chance[j, k])
                        doubled = min(2.0 * theirs[j, k], 1.0)
                        b, c = max(b, -theirs[j, k]), max(c, -max(mine[j, k], doubled))
                        d = max(d, -max(middle[j, k], doubled))
                    at += 1
                value += weights[t] * a
                own += weights[t] * b
                other += weights[t] * c
                centred += weights[t] * d
            chance[i, j], mine[i, j], theirs[i, j], middle[i, j] = value, own, other, centred


def one_sided(control: Control | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The chances to be done after n rolls, (54264, 32), and the mean number of rolls."""
    game = BackgammonRules()
    words = _words(positions())
    table, mean = np.zeros((ONE_SIDED, ROLLS)), np.zeros(ONE_SIDED)
    table[0, 0] = 1.0
    room, step = _room(game), 4096
    for first in range(1, ONE_SIDED, step):
        if control is not None:
            control.report(first / ONE_SIDED, "one side")
        last = min(first + step, ONE_SIDED)
        fill_rolls(game, words, table, mean, room, first, last)
    return table, mean


def first_off() -> np.ndarray:
    """The chances that the first checker is off after n rolls, (54264, 16): each roll is played for
    that alone. At once where one is off already."""
    game = BackgammonRules()
    words = _words(positions())
    table, mean = np.zeros((ONE_SIDED, FIRST_ROLLS)), np.zeros(ONE_SIDED)
    table[:_ALL_ON, 0] = 1.0
    fill_rolls(game, words, table, mean, _room(game), _ALL_ON, ONE_SIDED)
    return table


def two_sided(most: int) -> np.ndarray:
    """Four pages by the numbers of the roller and of the other: the chance that the roller wins,
    and his points if he throws now with the cube at 1, his, the other's, or in the middle
    (1 + owner).

    A side with no checkers has won: neither number is ever 0 where somebody is to roll.
    """
    steps = _steps(most)
    table = np.zeros((4, len(steps.ends), len(steps.ends)))
    fill_two_sided(steps, table)
    return table


def _steps(most: int) -> Steps:
    """Where every side with at most so many checkers can come to."""
    game = BackgammonRules()
    words = _words(positions(most))
    to, ends = np.zeros(len(words) * 21 * 64, np.int64), np.zeros((len(words), 21), np.int64)
    steps = Steps(to, ends, np.zeros(21))
    list_steps(game, words, steps, _room(game))
    return steps


# --- on disk -----------------------------------------------------------------------------------


class BearOffSolver(Solver):
    """Builds the bear-off tables: ``backgammon(sides=1)``, ``backgammon(sides=2, checkers=6)``."""

    game = "backgammon"

    def __init__(self, sides: int = 1, checkers: int = 6) -> None:
        if sides not in (1, 2):
            raise PetteiaError(f"solve backgammon: sides={sides} is not possible; 1 or 2")
        if not 1 <= checkers <= _MOST_TWO_SIDED:
            raise PetteiaError(
                f"solve backgammon: checkers={checkers} is not possible; 1 to {_MOST_TWO_SIDED}"
            )
        self.sides = sides
        self.checkers = checkers

    @property
    def _most(self) -> int:
        """Checkers a side."""
        return CHECKERS if self.sides == 1 else self.checkers

    @property
    def path(self) -> Path:
        """Where the table is kept."""
        name = "one-sided" if self.sides == 1 else f"two-sided-{self.checkers}"
        return folder() / f"backgammon-{name}.table"

    @property
    def kind(self) -> str:
        """What the table holds."""
        return "backgammon-rolls-and-first" if self.sides == 1 else "backgammon-cube-values"

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        started = time.monotonic()
        if again or not self.path.exists():
            data = self._built(control)
            count = self._hold_sample(data, SAMPLE, 0)
            facts = {"positions": data.shape[-2], "verified": sample_text(count)}
            TableFile.write(self.path, self.kind, str(self), data, facts)
        found = TableFile.open(self.path, self.kind, str(self))
        control.report(1.0, "done")
        size = found.data.shape[-2]
        return {
            "sides": self.sides,
            "positions": size if self.sides == 1 else size * size,
            "seconds": time.monotonic() - started,
            "file": str(self.path),
        }

    def _built(self, control: Control) -> np.ndarray:
        if self.sides == 2:
            return two_sided(self.checkers)
        return np.concatenate([one_sided(control)[0], first_off()], axis=1)

    @classmethod
    def kept(cls) -> list[KeptTable]:
        every = [cls(1), *(cls(2, checkers) for checkers in range(1, _MOST_TWO_SIDED + 1))]
        return [
            KeptTable(
                path=each.path,
                game=cls.game,
                rules=f"backgammon(sides={each.sides}, checkers={each._most}), a game for points",
                solver=str(each),
                kind=each.kind,
                of=str(each),
                sample=each._sample,
            )
            for each in every
            if each.path.exists()
        ]

    def _sample(self, table: TableFile, count: int, seed: int) -> int:
        return self._hold_sample(np.asarray(table.data), count, seed)

    def _hold_sample(self, data: np.ndarray, count: int, seed: int) -> int:
        """Holds random rows against the rows that they stand on."""
        chance = np.random.default_rng(seed)
        if self.sides == 2:
            count //= _PLAIN
        wrong = (
            _wrong_rolls(data, count, chance)
            if self.sides == 1
            else _wrong_values(data, self.checkers, count, chance)
        )
        if wrong is not None:
            raise PetteiaError(f"the table {self.path} is wrong at {wrong}")
        return count

    def table(self) -> np.ndarray:
        """What was solved; refuses where nothing was."""
        if not self.path.exists():
            raise PetteiaError(
                "perfect play needs the table of both sides: "
                f'petteia solve "backgammon(sides=2, checkers={self.checkers})"'
            )
        found: np.ndarray = TableFile.open(self.path, self.kind, str(self)).data
        return found


def _wrong_rolls(data: np.ndarray, count: int, chance: np.random.Generator) -> int | None:
    """The first of so many random sides whose rolls do not follow from those of others."""
    game = BackgammonRules()
    words, room = _words(positions()), _room(game)
    for first, last, columns in (
        (1, ONE_SIDED, slice(ROLLS)),
        (_ALL_ON, ONE_SIDED, slice(ROLLS, None)),
    ):
        table = np.array(data[:, columns])
        mean = table @ np.arange(table.shape[1], dtype=np.float64)
        for i in chance.integers(first, last, count // 2).tolist():
            kept = table[i].copy()
            table[i], mean[i] = 0.0, 0.0
            fill_rolls(game, words, table, mean, room, i, i + 1)
            if not np.allclose(table[i], kept, rtol=0, atol=1e-9):
                return int(i)
    return None


def _wrong_values(
    data: np.ndarray, most: int, count: int, chance: np.random.Generator
) -> tuple[int, int] | None:
    """The first of so many random pairs of sides whose values do not follow from those of others:
    the recursion once more, in plain numbers."""
    to, ends, weights = _steps(most)
    wins, mine, theirs, middle = data[0], data[1 + MINE], data[1 + THEIRS], data[1 + CENTRED]
    for i, j in chance.integers(1, data.shape[-1], (count, 2)).tolist():
        begin = int(ends[i - 1, -1]) if i > 1 else 0
        found = np.zeros(4)
        for weight, end in zip(weights, ends[i], strict=True):
            after = to[begin:end]
            doubled = np.minimum(2.0 * theirs[j, after], 1.0)
            values = np.stack(
                [
                    1.0 - wins[j, after],
                    -theirs[j, after],
                    -np.maximum(mine[j, after], doubled),
                    -np.maximum(middle[j, after], doubled),
                ]
            )
            values[:, after == 0] = 1.0
            found += weight * values.max(1)
            begin = end
        kept = [wins[i, j], mine[i, j], theirs[i, j], middle[i, j]]
        if not np.allclose(found, kept, rtol=0, atol=1e-9):
            return i, j
    return None


def kept_or_built(sides: int) -> np.ndarray:
    """The table of one side, or of both with few checkers; built on the spot if none is kept."""
    solver = BearOffSolver(sides, FEW)
    return solver.table() if solver.path.exists() else solver._built(Control())


@lru_cache(maxsize=1)
def _one_sided_table() -> np.ndarray:
    return kept_or_built(1)


def is_bear_off(p: Words) -> bool:
    """Whether both sides have all their checkers home."""
    return not (int(occupied(p[0], p[1]) | occupied(p[2], p[3])) & ~int(HOME))


def numbers(p: Words, roller: int) -> tuple[int, int]:
    """The numbers of the roller's side and of the other."""
    own, other = (int(index_of(p[2 * side], p[2 * side + 1])) for side in (roller, 1 - roller))
    return own, other


def chances_of(p: Words, roller: int) -> Chances:
    """The chances of the player on roll in a race in which both sides are home.

    By one-sided tables: nearly exact, since each side plays as if it were alone.
    """
    own, other = numbers(p, roller)
    return race_chances(_one_sided_table().ravel(), ROW * own, ROW * other)


def race_chances(rows: np.ndarray, own: int, other: int) -> Chances:
    """Kernel: the same by the rows of two sides, which begin at two places of an array."""
    # The roller wins with n rolls if the other is not done in n - 1, and a gammon if the other has
    # none off by then; the other has as many rolls against him, but one.
    win = gammon = lost_gammon = 0.0
    not_done = other_first = own_first = 1.0
    for n in range(ROLLS):
        if n < FIRST_ROLLS:
            own_first -= np.float64(rows[own + ROLLS + n])
        win += np.float64(rows[own + n]) * not_done
        gammon += np.float64(rows[own + n]) * other_first
        lost_gammon += np.float64(rows[other + n]) * own_first
        not_done -= np.float64(rows[other + n])
        if n < FIRST_ROLLS:
            other_first -= np.float64(rows[other + ROLLS + n])
    win = min(1.0, max(0.0, win))  # sums of many small numbers
    gammon, lost_gammon = max(0.0, gammon), max(0.0, lost_gammon)
    return (win, min(win, gammon), 0.0, min(1.0 - win, lost_gammon), 0.0)


def win_chance(p: Words, roller: int) -> float:
    """The chance that the player on roll wins such a race."""
    return chances_of(p, roller)[0]
