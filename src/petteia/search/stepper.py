"""A game played step by step from Python at native speed."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.rules import CHANCE, SIMULTANEOUS, SLACK, TERMINAL, Rules
from petteia.core.words import Words

__all__ = ["Look", "Stepper", "first_choice", "stepper_of"]

_MOST_KEPT = 16
_BEFORE, _AFTER = 0, 1  # rows of the board: the position, and the one that was played to
_ASKED = struct.Struct("3q")  # the first fields of the memory: advance, first, second
_TOLD = struct.Struct("4q")  # those after them: kind, mover, middle, end


class Look(NamedTuple):
    """What can be done at a position."""

    kind: int
    mover: int
    moves: list[int]
    """Legal moves at a decision, outcomes at a chance node, player 0's moves where both choose."""
    others: list[int]
    """Player 1's moves where both choose."""
    chances: list[float]
    """The probabilities of the outcomes at a chance node."""
    result: float
    """The points of player 0 where the game is over."""


class Stepper:
    """The rules of one game with their buffers, for one thread."""

    def __init__(self, game: Rules) -> None:
        self.game = game
        size = game.max_moves + SLACK
        layout = np.dtype(
            [
                ("advance", np.int64),  # whether a move is to be played before the look
                ("first", np.int64),  # that move, or player 0's where both choose
                ("second", np.int64),  # player 1's
                ("kind", np.int64),
                ("mover", np.int64),
                ("middle", np.int64),  # where player 0's moves end in ``out``,
                ("end", np.int64),  # and player 1's
                ("board", np.uint64, (2, len(game.start()))),
                ("out", np.int64, (2 * size,)),
                ("numbers", np.float64, (size,)),
            ]
        )
        # One record travels as one pointer; four arrays are thirty arguments to convert.
        self._memory = np.zeros(1, layout).view(np.recarray)
        record = self._memory[0]
        self._before, self._after = record["board"]
        # Packed bytes are read and written several times as fast as a record's fields.
        self._bytes = self._memory.view(np.uint8).data
        self._out, self._numbers = record["out"], record["numbers"]
        self._step: Callable[[], None] | None = None
        self._last: tuple[Words, Look] | None = None

    def _run(self, p: Words, advance: int, first: int, second: int) -> Look:
        if self._step is None:
            self._step = step.bind(self.game, self._memory[0])
        self._before[:] = p
        _ASKED.pack_into(self._bytes, 0, advance, first, second)
        self._step()
        kind, mover, middle, end = _TOLD.unpack_from(self._bytes, _ASKED.size)
        moves = self._out[:end].tolist()
        chances = self._numbers[:middle].tolist() if kind == CHANCE else []
        result = float(self._numbers[0]) if kind == TERMINAL else 0.0
        return Look(kind, mover, moves[:middle], moves[middle:], chances, result)

    def look(self, p: Words) -> Look:
        """Everything that the rules say about a position."""
        if self._last is None or self._last[0] is not p:
            self._last = (p, self._run(p, 0, 0, 0))
        return self._last[1]

    def play(self, p: Words, move: int) -> Words:
        """The position after a legal move or an outcome."""
        return self.play_both(p, move, -1)

    def play_both(self, p: Words, first: int, second: int) -> Words:
        """The position after both players' moves."""
        seen = self._run(p, 1, first, second)
        after = tuple(self._after)
        self._last = (after, seen)  # the position after a move is usually looked at next
        return after


_kept = threading.local()


def stepper_of(game: Rules) -> Stepper:
    """This thread's stepper of a game: what one asks, the other need not ask again."""
    table: dict[int, Stepper] = _kept.__dict__.setdefault("table", {})
    found = table.get(id(game))
    if found is None:
        if len(table) >= _MOST_KEPT:
            table.clear()
        found = table[id(game)] = Stepper(game)  # keeps the game, so that its id stays its own
    return found


def first_choice(game: Rules, p: Words) -> Words:
    """A position itself, or after throws of the dice one where somebody chooses or all is over."""
    stepper, met = stepper_of(game), {p}
    for _ in range(game.max_plies):
        seen = stepper.look(p)
        if seen.kind != CHANCE:
            break
        after = [stepper.play(p, outcome) for outcome in seen.moves]
        p = next((q for q in after if q not in met), after[0])  # some throws lead round in a circle
        met.add(p)
    return p


@kernel
def step(game: Any, memory: Any) -> None:
    """Plays a move, if asked to, and writes what the rules say of the position."""
    p, out = load(memory.board, _BEFORE, game.start()), memory.out
    if memory.advance != 0:
        if game.kind(p) == SIMULTANEOUS:
            p = game.play_both(p, memory.first, memory.second)
        else:
            p = game.play(p, memory.first)
        store(memory.board, _AFTER, p)
    kind = game.kind(p)
    middle = end = mover = 0
    if kind == TERMINAL:
        memory.numbers[0] = game.result(p)
    elif kind == CHANCE:
        middle = end = game.chances(p, out, memory.numbers, 0)
    elif kind == SIMULTANEOUS:
        middle = game.moves_of(p, 0, out, 0)
        end = game.moves_of(p, 1, out, middle)
    else:
        mover = game.mover(p)
        middle = end = game.moves(p, out, 0)
    memory.kind, memory.mover, memory.middle, memory.end = kind, mover, middle, end
