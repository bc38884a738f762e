"""A look ahead that several threads share: each takes throws after the best plays.

A value is a mean over throws. Its terms are worked out by whichever thread is free and added up in
the order in which one thread alone adds them, so the values are the same to the last bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from petteia.compiled import kernel, load, store
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.words import Words
from petteia.games.backgammon.solution.lookahead import (
    DEEPER,
    MOST,
    PLACES,
    Tools,
    ahead,
    answered,
    answers,
    expected,
    first_look,
    is_open,
    near_the_best,
    reply,
    settled,
    sorted_again,
)
from petteia.search.game_loop import game_memory

__all__ = ["Team"]

_POSITIONS = 3 * MOST
"""A double has up to three answers."""
_THROWS = 36
"""Where the order of the dice counts."""
_TABLE = np.dtype([
    ("player", np.int64),  # for whom values speak
    ("plies", np.int64),
    ("kept", np.int64),  # how many moves are looked at
    ("count", np.int64),  # positions after them
    ("positions", np.uint64, (_POSITIONS, 5)),
    ("moves", np.int64, (_POSITIONS,)),  # which of the moves leads to each
    ("throws", np.int64, (_POSITIONS,)),  # terms of each
    ("terms", np.float64, (_POSITIONS, _THROWS)),
    ("values", np.float64, (MOST,)),  # of the moves
    ("open", np.int64),  # terms that are to be worked out
    ("places", np.int64, (_POSITIONS * _THROWS,)),  # where they stand
])  # fmt: skip


class Team:
    """Some threads with a memory of their own each, and the table on which they work."""

    def __init__(
        self, game: Game, evaluation: Evaluation, weights: np.ndarray, record: Any, threads: int
    ) -> None:
        """``record`` is the memory of the agent: the best moves stand there afterwards, as if it
        had looked ahead alone."""
        self.game, self.evaluation, self.weights = game, evaluation, weights
        self.threads = threads
        self._record = record
        self._table = np.zeros(1, _TABLE).view(np.recarray)[0]
        # The networks leave sums in their weights, so that each thread needs its own.
        self._seats = [(weights.copy(), game_memory(game)[0]) for _ in range(threads)]
        self._others = ThreadPoolExecutor(threads - 1)

    def choose(self, p: Words, plies: int) -> int:
        """The best move after so many plies."""
        record, table = self._record, self._table
        end = look(self.game, self.evaluation, p, self.weights, record)
        for each in range(1, plies + 1):
            table["plies"] = each
            lay_out(self.game, self.evaluation, p, end, self.weights, record, table)
            if not table["kept"]:
                break
            self._work()
            add_up(table)
            take_over(record, table)
        return int(record["out"][int(record["scratch"][PLACES])])

    def value(self, p: Words, player: int, plies: int) -> float:
        """What a position is worth to a player after so many plies."""
        table = self._table
        table["plies"], table["player"] = plies, player
        lay_out_one(self.game, self.evaluation, p, self.weights, self._record, table)
        self._work()
        add_up(table)
        return float(table["values"][0])

    def _work(self) -> None:
        """Works out all terms that are open."""
        turns = deque(_turns(int(self._table["open"]), self.threads))

        def work(seat: tuple[np.ndarray, Any]) -> None:
            while turns:
                try:
                    begin, end = turns.popleft()
                except IndexError:  # somebody was quicker
                    return
                work_out(self.game, self.evaluation, begin, end, *seat, self._table)

        others = [self._others.submit(work, seat) for seat in self._seats[1:]]
        try:
            work(self._seats[0])
        finally:
            turns.clear()  # where this thread was interrupted
            for each in others:
                each.result()


def _turns(count: int, threads: int) -> Iterator[tuple[int, int]]:
    """From where to where threads take terms, many at first and one by one in the end."""
    begin = 0
    while begin < count:
        end = begin + max(1, (count - begin) // (2 * threads))
        yield begin, end
        begin = end


@kernel
def look(game: Any, evaluation: Any, p: Words, w: np.ndarray, memory: Any) -> int:
    """Notes the best moves at a glance; where the list of all ends."""
    return first_look(game, evaluation, p, Tools(w, memory))


@kernel
def lay_out(
    game: Any, evaluation: Any, p: Words, end: int, w: np.ndarray, memory: Any, table: Any
) -> None:
    """Lays out the positions after the moves that are near the best, and their throws."""
    tools = Tools(w, memory)
    table.player, table.count, table.open = game.mover(p), 0, 0
    table.kept = near_the_best(game, p, table.plies, tools, end)
    for k in range(table.kept):
        q = game.play(p, memory.out[int(memory.scratch[PLACES + k])])
        for option in range(answers(game, q)):
            _put(game, evaluation, answered(game, q, option), k, tools, table, end)


@kernel
def lay_out_one(
    game: Any, evaluation: Any, p: Words, w: np.ndarray, memory: Any, table: Any
) -> None:
    """Lays out one position and its throws."""
    table.kept, table.count, table.open = 1, 0, 0
    _put(game, evaluation, p, 0, Tools(w, memory), table, 0)


def _put(
    game: Any, evaluation: Any, p: Words, move: int, tools: Tools, table: Any, begin: int
) -> None:
    """Puts a position on the table. The list of its throws begins at a place of the memory."""
    p = settled(game, evaluation, p, tools.w)
    at = table.count
    table.count = at + 1
    table.moves[at] = move
    store(table.positions, at, p)
    if not is_open(game, p, tools.w):
        table.throws[at] = 1
        table.terms[at, 0] = expected(game, evaluation, p, table.player, tools.w)
        return
    end = game.chances(p, tools.memory.out, tools.memory.prob, begin)
    table.throws[at] = end - begin
    for t in range(end - begin):
        table.places[table.open] = at * _THROWS + t
        table.open += 1


@kernel
def work_out(
    game: Any, evaluation: Any, begin: int, end: int, w: np.ndarray, memory: Any, table: Any
) -> None:
    """Works out some terms of the means, each as ``ahead`` does."""
    tools, player = Tools(w, memory), table.player
    for i in range(begin, end):
        at, t = table.places[i] // _THROWS, table.places[i] % _THROWS
        p = load(table.positions, at, game.start())
        throws = game.chances(p, memory.out, memory.prob, 0)
        best, value = reply(game, evaluation, game.play(p, memory.out[t]), tools, throws)
        if table.plies > 1:
            value = ahead(game, evaluation, best, player, table.plies - 1, tools, throws)
        elif game.mover(p) != player:
            value = -value
        table.terms[at, t] = memory.prob[t] * value


@kernel
def add_up(table: Any) -> None:
    """The values of the moves; a double is answered by the better of all ways."""
    for k in range(table.kept):
        table.values[k] = 1e18
    for at in range(table.count):
        total = 0.0
        for t in range(table.throws[at]):
            total += table.terms[at, t]
        k = table.moves[at]
        table.values[k] = min(table.values[k], total)


@kernel
def take_over(memory: Any, table: Any) -> None:
    """Sorts the moves in the agent's memory by their new values."""
    for k in range(table.kept):
        memory.scratch[DEEPER + k] = table.values[k]
    sorted_again(memory.scratch, table.kept)
