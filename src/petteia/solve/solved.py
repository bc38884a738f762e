"""The table of a solved game: every position with its value, looked up by a binary search."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled.fingerprint import rules_fingerprint
from petteia.core import files
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.rules import CHANCE, SIMULTANEOUS, TERMINAL
from petteia.core.spec import Spec
from petteia.core.words import U, Words
from petteia.search.matrix import MatrixSolver
from petteia.search.stepper import Look, stepper_of
from petteia.solve.retrograde import NEVER
from petteia.solve.tablefile import TableFile, folder

__all__ = [
    "KIND", "Known", "SolvedTable", "preference", "rows_of", "solved_folder", "solved_name",
    "solved_path",
]  # fmt: skip

KIND = "solved-positions"
_CLOSE = 1e-7
"""A value and those of its successors differ by the tolerance of the iteration and by rounding."""


class Known(NamedTuple):
    """What the table says of a position."""

    points: float
    """To player 0 if both play perfectly."""
    plies: int
    """To the end of a game of plain moves; ``NEVER`` for a draw, and where there are dice."""


def _rules(game: Any, p: Words, out: np.ndarray, prob: np.ndarray) -> Any:
    """Everything on which a solution depends, for the fingerprint; never called."""
    return (
        game.start(), game.kind(p), game.mover(p), game.moves(p, out, 0), game.play(p, 0),
        game.result(p), game.chances(p, out, prob, 0), game.moves_of(p, 0, out, 0),
        game.play_both(p, 0, 0), game.max_moves,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _fingerprint(game: Game) -> str:
    return rules_fingerprint(_rules, [game])[:16]  # type: ignore[arg-type]


def _stem(game: Game) -> str:
    name = game.spec.name
    return files.path_of(name).stem if files.is_file_name(name) else name


def solved_name(game: Game) -> str:
    """A game and its rules, wherever its file lies."""
    return f"{Spec(_stem(game), game.spec.arguments)} {_fingerprint(game)}"


def solved_folder() -> Path:
    """Where the tables of games in users' files are kept."""
    return folder() / "solved"


def solved_path(game: Game) -> Path:
    """Where the table of a game is kept. An edit of its rules leads to another place."""
    stem = re.sub(r"[^\w-]", "_", _stem(game))
    return solved_folder() / f"{stem}-{_fingerprint(game)}.table"


def rows_of(words: np.ndarray, points: np.ndarray, plies: np.ndarray) -> np.ndarray:
    """The data of a table: in each row the words of a position, its points as bits, and the plies
    to the end and one; rows in the order of the words."""
    order = np.lexsort(words.T[::-1])
    size = words.shape[1]
    found = np.empty((len(words), size + 2), np.uint64)
    found[:, :size] = words[order]
    found[:, size] = points[order].view(np.uint64)
    found[:, size + 1] = (plies[order].astype(np.int64) + 1).view(np.uint64)
    return found


class SolvedTable:
    """The exact values of a game: the data of a table, mapped into memory or just worked out."""

    def __init__(self, game: Game, rows: np.ndarray) -> None:
        self.game = game
        self._size = len(game.start())
        self._rows = np.asarray(rows)
        self._points = self._rows[:, self._size].view(np.float64)
        self._stepper = stepper_of(game)

    @classmethod
    def of(cls, game: Game) -> SolvedTable:
        """The table of a game on this machine."""
        path = solved_path(game)
        if not path.exists():
            raise PetteiaError(f"there is no table of {game} yet; petteia solve {game} makes it")
        return cls(game, TableFile.open(path, KIND, solved_name(game)).data)

    @property
    def has_distances(self) -> bool:
        """Whether it knows how many plies a forced end takes: in games of plain moves."""
        return not (self.game.has_chance or self.game.has_simultaneous)

    def find(self, p: Words) -> Known | None:
        """What a position is worth; None if it cannot be reached from the start."""
        wanted, size = [int(word) for word in p], self._size
        low, high = 0, len(self._rows)
        while low < high:
            middle = (low + high) // 2
            row = self._rows[middle, :size].tolist()
            if row == wanted:
                return self._known(middle)
            if row < wanted:
                low = middle + 1
            else:
                high = middle
        return None

    def _known(self, row: int) -> Known:
        return Known(float(self._points[row]), int(self._rows[row, self._size + 1]) - 1)

    def value(self, p: Words) -> Known:
        """The same for a position that must be there."""
        found = self.find(p)
        if found is None:
            raise PetteiaError(
                f"the position {self.game.text(p)!r} cannot be reached from the start of "
                f"{self.game}, so the table does not have it"
            )
        return found

    def after(self, p: Words) -> tuple[Look, list[Known]]:
        """What can be done at a position, and what each of it leads to; where both choose, each
        pair of moves, row by row."""
        step, seen = self._stepper, self._stepper.look(p)
        if seen.kind == SIMULTANEOUS:
            pairs = ((a, b) for a in seen.moves for b in seen.others)
            return seen, [self.value(step.play_both(p, a, b)) for a, b in pairs]
        return seen, [self.value(step.play(p, move)) for move in seen.moves]

    def hold_sample(self, count: int, seed: int) -> int:
        """Holds the values of so many random positions against those of their successors."""
        choose = random.Random(seed)
        for _ in range(count):
            row = choose.randrange(len(self._rows))
            p = tuple(U(word) for word in self._rows[row, : self._size])
            said, right = self._known(row), self._by_successors(p)
            if abs(said.points - right.points) > _CLOSE or said.plies != right.plies:
                raise PetteiaError(
                    f"the table of {self.game} says {said.points:g} at {self.game.text(p)!r}, the "
                    f"positions after it {right.points:g}"
                )
        return count

    def _by_successors(self, p: Words) -> Known:
        seen, found = self.after(p)
        if seen.kind == TERMINAL:
            return Known(seen.result, 0 if seen.result and self.has_distances else NEVER)
        if seen.kind == CHANCE:
            mean = sum(c * k.points for c, k in zip(seen.chances, found, strict=True))
            return Known(mean, NEVER)
        if seen.kind == SIMULTANEOUS:
            matrix = np.array([k.points for k in found]).reshape(len(seen.moves), -1)
            return Known(MatrixSolver(max(matrix.shape)).solve(matrix).value, NEVER)
        best = max(found, key=lambda known: preference(known, seen.mover))
        return Known(best.points, best.plies + 1 if best.plies >= 0 else NEVER)


def preference(known: Known, player: int) -> tuple[float, int]:
    """How much a player wants a position: more points, then a quicker win or a slower loss."""
    points = known.points if player == 0 else -known.points
    return points, -known.plies if points > 0 else known.plies
