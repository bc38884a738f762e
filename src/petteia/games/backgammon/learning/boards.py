"""Many boards at once, on this machine's processors or on a GPU: plays, classes, inputs.

A board is four words: the two of the player on roll, then those of the other. The pieces of work
are kernels of the rules and of the networks' inputs; nothing is written again for a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.compiled import Batch
from petteia.core.gpu import cupy_for
from petteia.core.words import U
from petteia.games.backgammon.evaluations.inputs import MOST_ACTIVE, RACE, class_of, inputs
from petteia.games.backgammon.evaluations.network import (
    OUT,
    OUTPUTS,
    SHAPES,
    SIZE,
    WEIGHTS,
    estimate,
)
from petteia.games.backgammon.rules import BackgammonRules
from petteia.games.backgammon.rules.board import CHECKERS, checkers
from petteia.games.backgammon.rules.plays import all_plays

__all__ = [
    "FINISHED", "OTHER_ALL", "OWN_ALL", "PROBABILITIES", "THROWS", "Boards", "on_host",
    "place_of", "swapped", "turned",
]  # fmt: skip

THROWS = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)], np.int64)
"""The 21 throws."""
PROBABILITIES = np.array([1 / 36 if a == b else 1 / 18 for a, b in THROWS])
FINISHED = 4
"""The class of boards on which the one who has just played is done."""
OWN_ALL, OTHER_ALL = 8, 16
"""Flags beside the class: nobody of a side is off."""
_CHUNK = 1 << 19
"""Boards whose inputs are laid out at a time."""

_MEMORY = [
    ("out", np.int64, (BackgammonRules().max_moves,)),
    ("seen", np.float32, (2 * MOST_ACTIVE,)),
]


def count_plays(
    i: int, memory: Any, game: Any, throws: np.ndarray, boards: np.ndarray, counts: np.ndarray,
) -> None:  # fmt: skip
    """Piece: how many plays a board has with a throw; boards times throws."""
    b, t = i // len(throws), i % len(throws)
    own, other = (boards[b, 0], boards[b, 1]), (boards[b, 2], boards[b, 3])
    counts[i] = all_plays(game, own, other, throws[t, 0], throws[t, 1], memory.out, 0)


def list_plays(
    i: int, memory: Any, game: Any, throws: np.ndarray, boards: np.ndarray, begins: np.ndarray,
    after: np.ndarray,
) -> None:  # fmt: skip
    """Piece: the boards after these plays, as the other sees them, from a place on."""
    b, t = i // len(throws), i % len(throws)
    own, other = (boards[b, 0], boards[b, 1]), (boards[b, 2], boards[b, 3])
    end = all_plays(game, own, other, throws[t, 0], throws[t, 1], memory.out, 0)
    p = (boards[b, 0], boards[b, 1], boards[b, 2], boards[b, 3], U(0))
    for k in range(end):
        q = game.moved(p, memory.out[k])
        at = begins[i] + k
        after[at, 0], after[at, 1], after[at, 2], after[at, 3] = q[2], q[3], q[0], q[1]


def sort_boards(
    i: int, memory: Any, game: Any, boards: np.ndarray, flags: np.ndarray, chances: np.ndarray,
) -> None:  # fmt: skip
    """Piece: the class of a board with its flags; where the game is over, the outcome too."""
    a, b, other_a, other_b = boards[i, 0], boards[i, 1], boards[i, 2], boards[i, 3]
    found = 0
    if checkers(a, b) == CHECKERS:
        found |= OWN_ALL
    if checkers(other_a, other_b) == CHECKERS:
        found |= OTHER_ALL
    if other_a | other_b == U(0):
        worth = game.worth((a, b, other_a, other_b, U(0)), 0)
        for k in range(OUTPUTS):
            chances[i, k] = 0.0
        if worth > 1:
            chances[i, 3] = 1.0
        if worth > 2:
            chances[i, 4] = 1.0
        found |= FINISHED
    else:
        found |= class_of(a, b, other_a, other_b)
    flags[i] = found


def show_boards(
    i: int, memory: Any, boards: np.ndarray, which: np.ndarray, contact: int, rows: np.ndarray,
) -> None:  # fmt: skip
    """Piece: a row of inputs, the bias last."""
    at = which[i]
    sides = (boards[at, 0], boards[at, 1], boards[at, 2], boards[at, 3])
    width = rows.shape[1]
    for k in range(width - 1):
        rows[i, k] = 0.0
    rows[i, width - 1] = 1.0
    seen = memory.seen
    for k in range(inputs(sides, contact == 1, seen, 0, MOST_ACTIVE)):
        rows[i, int(seen[k])] = seen[MOST_ACTIVE + k]


def judge_boards(
    i: int, memory: Any, weights: np.ndarray, boards: np.ndarray, flags: np.ndarray,
    chances: np.ndarray,
) -> None:  # fmt: skip
    """Piece: the five chances of a board that goes on, one after another on a processor."""
    if memory.is_ready[0] == 0:  # a thread's first piece
        for k in range(WEIGHTS):
            memory.w[k] = weights[k]
        memory.is_ready[0] = 1
    if flags[i] & 7 != FINISHED:
        estimate((boards[i, 0], boards[i, 1], boards[i, 2], boards[i, 3]), 0, memory.w)
        for k in range(OUTPUTS):
            chances[i, k] = memory.w[OUT + k]


def best_plays(
    i: int, memory: Any, begins: np.ndarray, counts: np.ndarray, chances: np.ndarray,
    best: np.ndarray,
) -> None:  # fmt: skip
    """Piece: which board of a list is worst for the one who is on roll there."""
    least = 1e9
    for k in range(begins[i], begins[i] + counts[i]):
        value = 2.0 * chances[k, 0] + chances[k, 1] + chances[k, 2] - chances[k, 3] - chances[k, 4]
        if value < least:
            best[i], least = k, value


_COUNT, _LIST = Batch(count_plays, _MEMORY), Batch(list_plays, _MEMORY)
_SORT, _SHOW, _BEST = (
    Batch(piece, _MEMORY[1:]) for piece in (sort_boards, show_boards, best_plays)
)
_JUDGE = Batch(judge_boards, [("is_ready", np.int64, (1,)), ("w", np.float32, (SIZE,))])


def place_of(kind: int) -> slice:
    """Where a class's network stands in the weights."""
    shape = SHAPES[kind]
    return slice(shape.into, shape.out + OUTPUTS * (shape.hidden + 1))


def swapped(numbers: Any) -> Any:
    """Five numbers with what is won and what is lost exchanged, the first as it is."""
    found = numbers.copy()
    found[..., 1:3], found[..., 3:5] = numbers[..., 3:5], numbers[..., 1:3]
    return found


def turned(chances: Any) -> Any:
    """Chances as the other sees them."""
    found = swapped(chances)
    found[..., 0] = 1.0 - found[..., 0]
    return found


def on_host(array: Any) -> np.ndarray:
    """An array of either library as one of NumPy, never the same one."""
    found: np.ndarray = array.copy() if isinstance(array, np.ndarray) else array.get()
    return found


class Boards:
    """Arrays of boards on a device, and networks to judge them by."""

    def __init__(self, weights: np.ndarray, device: str = "cpu") -> None:
        self.game = BackgammonRules()
        self.device = device
        self.xp: Any = cupy_for("learning", "--device cpu does the same") if device == "gpu" else np
        self.w = self.xp.array(weights, np.float32)  # a copy, which learns
        self.throws = self.xp.asarray(THROWS)
        self.probabilities = self.xp.asarray(PROBABILITIES, np.float32)
        self.evaluations = 0

    def parts(self, kind: int) -> tuple[Any, Any]:
        """Views of a network's weights: into the hidden units and out of them, the bias last."""
        shape, end = SHAPES[kind], place_of(kind).stop
        first = self.w[shape.into : shape.out].reshape(shape.inputs + 1, shape.hidden)
        return first, self.w[shape.out : end].reshape(OUTPUTS, shape.hidden + 1)

    def plays(self, boards: Any) -> tuple[Any, Any, Any]:
        """After every play of every throw: where the boards of each begin, how many, and all."""
        xp, n = self.xp, len(boards) * len(THROWS)
        counts = xp.zeros(n, np.int64)
        _COUNT(n, self.game, self.throws, boards, counts, device=self.device)
        ends = xp.cumsum(counts)
        begins = ends - counts
        after = xp.zeros((int(ends[-1]), 4), np.uint64)
        _LIST(n, self.game, self.throws, boards, begins, after, device=self.device)
        return begins, counts, after

    def rows(self, boards: Any, which: Any, kind: int) -> Any:
        """The inputs of some boards of a class, (n, inputs + 1)."""
        rows = self.xp.empty((len(which), SHAPES[kind].inputs + 1), np.float32)
        contact = 0 if kind == RACE else 1
        _SHOW(len(which), boards, which, contact, rows, device=self.device)
        return rows

    def flags(self, boards: Any) -> tuple[Any, Any]:
        """The class of each board with its flags, and the chances where the game is over."""
        xp, n = self.xp, len(boards)
        found, flags = xp.zeros((n, OUTPUTS), np.float32), xp.zeros(n, np.int64)
        _SORT(n, self.game, boards, flags, found, device=self.device)
        return flags, found

    def chances(self, boards: Any) -> tuple[Any, Any]:
        """The five chances of the player on roll, (n, 5), and the flags of the boards."""
        flags, found = self.flags(boards)
        n = len(boards)
        self.evaluations += n
        if self.device == "cpu":
            _JUDGE(n, self.w, boards, flags, found)
        else:
            self._judge(boards, flags, found)
        return found, flags

    def _judge(self, boards: Any, flags: Any, found: Any) -> None:
        """The chances by products of matrices, as a GPU likes it; within rounding the same."""
        xp = self.xp
        for kind in range(FINISHED):
            (all_of,) = xp.nonzero(flags & 7 == kind)
            first, second = self.parts(kind)
            for begin in range(0, len(all_of), _CHUNK):
                which = all_of[begin : begin + _CHUNK]
                sums = self.rows(boards, which, kind) @ first
                units = sums / (1.0 + xp.abs(sums))
                said = units @ second[:, :-1].T + second[:, -1]
                found[which] = 1.0 / (1.0 + xp.exp(-said))
        going = flags & 7 != FINISHED
        found[:, 1:3] *= ((flags & OTHER_ALL) != 0)[:, None]
        found[:, 3:5] *= ((flags & OWN_ALL) != 0)[:, None]
        found[:, 1] = xp.minimum(found[:, 1], found[:, 0])
        found[:, 3] = xp.where(going, xp.minimum(found[:, 3], 1.0 - found[:, 0]), found[:, 3])
        found[:, 2] = xp.minimum(found[:, 2], found[:, 1])
        found[:, 4] = xp.minimum(found[:, 4], found[:, 3])

    def best(self, begins: Any, counts: Any, chances: Any) -> Any:
        """For every list of boards which is best for the one who played."""
        found = self.xp.zeros(len(begins), np.int64)
        _BEST(len(begins), begins, counts, chances, found, device=self.device)
        return found
