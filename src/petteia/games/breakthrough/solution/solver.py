"""Small boards solved: the solver, and the table that it leaves behind."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.core.words import U, Words
from petteia.games.breakthrough.rules import Breakthrough
from petteia.games.breakthrough.solution.layout import Layout, layout_of
from petteia.games.breakthrough.solution.sweep import SCRATCH, is_won, sweep
from petteia.games.breakthrough.solution.verify import (
    FULL,
    GOES_ON,
    MOST_PLIES,
    REFUTED,
    consistent,
    ends_hold,
    mover_wins,
    walk,
)
from petteia.solve import Control, Solver, Stopped, TableFile, folder

__all__ = ["BreakthroughSolver", "Solution", "swept", "table_path"]

KIND, UNFINISHED = "breakthrough-wins", "breakthrough-unfinished"
_CHUNKS = 64  # a level is shared out in so many parts at most
_EVERY = 120.0  # seconds between two saves of what is finished
_PATIENCE = 1 << 20  # positions of a proof that are looked at between two reports
_CHECKED = 20_000  # random positions that are held against their successors


def table_path(game: Breakthrough) -> Path:
    """The file of a board's table."""
    return folder() / f"breakthrough-{game.columns}x{game.rows}-filled{game.filled}.table"


def table_name(game: Breakthrough) -> str:
    """The board as the table calls it: who begins is no part of it."""
    return f"breakthrough(columns={game.columns}, rows={game.rows}, filled={game.filled})"


class Solution:
    """The exact value of every position of a board."""

    def __init__(self, game: Breakthrough, layout: Layout, bits: np.ndarray) -> None:
        self.game, self.layout, self.bits = game, layout, bits
        self._out = np.empty(3 * game.max_moves, np.int64)

    @classmethod
    def load(cls, game: Breakthrough) -> Solution:
        """The table that ``petteia solve`` has left."""
        path = table_path(game)
        if not path.exists():
            raise PetteiaError(
                f"{game} is not solved yet; petteia solve {table_name(game)!r} does it"
            )
        found = TableFile.open(path, KIND, table_name(game))
        return cls(game, layout_of(game), np.asarray(found.data))

    @property
    def _table(self) -> tuple[np.ndarray, ...]:
        t = self.layout
        return (t.numbers, t.ternary, t.ternary_enemy, t.slots, t.mirrored, self.bits)

    def mover_wins(self, p: Words) -> bool:
        """Whether the player to move wins against every defence."""
        return bool(mover_wins(self.game, p, self._out, *self._table))

    @property
    def first_wins(self) -> bool:
        """Whether whoever begins wins the game."""
        t, home = self.layout, int(self.game.homes[0])
        return bool(
            is_won(
                home, home, t.numbers, t.ternary, t.ternary_enemy, t.slots, t.mirrored, self.bits
            )
        )

    def winning_moves(self, p: Words) -> list[int]:
        """The moves after which the mover still wins."""
        game = self.game
        return [m for m in game.legal_moves(p) if not self.mover_wins(game.play(p, m))]

    def check(self, count: int = _CHECKED, seed: int = 0) -> int:
        """Holds random values against those of their successors, found by the rules themselves.

        Returns how many were looked up in the table rather than seen at a glance.
        """
        state, wrong = np.array([derive(seed, "check")], np.uint64), np.zeros((1, 3), np.uint64)
        seen = consistent(self.game, count, state, self._out, wrong, *self._table)
        if seen < 0:
            p = tuple(U(word) for word in wrong[0])
            raise PetteiaError(
                f"the table of {self.game} is wrong at {self.game.text(p)!r}; solve again"
            )
        return int(seen)

    def check_ends(self) -> dict[int, int]:
        """Holds the ends that the rules call certain against every position of the table.

        Returns how many positions, of the two that are each other's mirror picture only one, have
        which plies to a certain end, 0 where none is seen.
        """
        t, told = self.layout, np.zeros(2 * MOST_PLIES + 1, np.int64)
        wrong = np.zeros((1, 3), np.uint64)
        done = ends_hold(self.game, t.own, t.enemy, t.numbers, t.counts, self.bits, told, wrong)
        if done < 0:
            p = tuple(U(word) for word in wrong[0])
            raise PetteiaError(
                f"{self.game}: the certain end at {self.game.text(p)!r} is not the table's"
            )
        return {int(plies) - MOST_PLIES: int(told[plies]) for plies in np.flatnonzero(told)}

    def prove(
        self,
        bits: int = 24,
        *,
        races: bool = False,
        report: Callable[[int, int], None] = lambda proven, waiting: None,
    ) -> int:
        """Proves the result of the game by following every line of the loser.

        Each line is followed until the game is over; with ``races`` only until its end is certain
        by the rules' own ``forced``, which takes far fewer positions. Returns how many the proof
        has; room is for ``2**bits``. ``report`` hears how it goes on.
        """
        start = self.game.start()
        winner = int(self.game.mover(start))
        if not self.mover_wins(start):
            winner = 1 - winner
        stack, visited = np.empty((1 << 16, 3), np.uint64), np.zeros(1 << bits, np.uint64)
        stack[0] = start
        state = np.array([1, 0], np.int64)
        answer = GOES_ON
        while answer == GOES_ON:
            answer = walk(
                self.game, winner, int(races), _PATIENCE, state, self._out, stack, visited,
                *self._table,
            )  # fmt: skip
            report(int(state[1]), int(state[0]))
        if answer == REFUTED:
            raise PetteiaError(f"the table of {self.game} does not lead to the end it promises")
        if answer == FULL:
            raise PetteiaError(f"the proof of {self.game} has more positions than there is room")
        return int(state[1])


class BreakthroughSolver(Solver):
    """Solves a small board by one sweep over all positions."""

    game = "breakthrough"

    def __init__(self, columns: int = 8, rows: int = 8, filled: int = 2) -> None:
        self.columns, self.rows, self.filled = columns, rows, filled
        self.board = Breakthrough(columns, rows, filled)

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        path = table_path(self.board)
        part = path.with_suffix(".unfinished")
        name = table_name(self.board)
        layout = layout_of(self.board)
        if again:
            path.unlink(missing_ok=True)
            part.unlink(missing_ok=True)
        if path.exists():
            found = TableFile.open(path, KIND, name)
            solution = Solution(self.board, layout, np.asarray(found.data))
            return self._facts(solution, found)
        run = _Run(layout, workers)
        if part.exists():
            run.go_on(TableFile.open(part, UNFINISHED, name))

        def save() -> None:
            facts = {"level": run.level, "seconds": run.seconds}
            TableFile.write(part, UNFINISHED, name, run.bits, facts)

        run.to_the_end(control, save)
        solution = Solution(self.board, layout, run.bits)
        control.report(1.0, "checking")
        checked = solution.check()
        facts = {
            "winner": "first" if solution.first_wins else "second",
            "positions": layout.positions,
            "checked": checked,
            "seconds": run.seconds,
        }
        found = TableFile.write(path, KIND, name, run.bits, facts)
        part.unlink(missing_ok=True)
        return self._facts(solution, found)

    def _facts(self, solution: Solution, found: TableFile) -> dict[str, object]:
        return {
            **{key: found.facts[key] for key in ("winner", "positions", "checked", "seconds")},
            "bytes": int(solution.bits.nbytes),
            "file": str(found.path),
        }


def swept(game: Breakthrough, workers: int = 1) -> Solution:
    """A board solved in memory, for whoever needs it once."""
    layout = layout_of(game)
    run = _Run(layout, workers)
    run.to_the_end(Control(), lambda: None)
    return Solution(game, layout, run.bits)


class _Run:
    """A sweep under way: its bits, and the levels that are finished."""

    def __init__(self, layout: Layout, workers: int) -> None:
        self.layout, self.workers = layout, workers
        self.bits = np.zeros(layout.words, np.uint64)
        self.level = 0
        """The next level to be solved; all below it are finished."""
        self.seconds = 0.0
        self._own = threading.local()

    def go_on(self, kept: TableFile) -> None:
        """Takes up what an interrupted run has left."""
        self.bits[:] = kept.data
        self.level, self.seconds = int(kept.facts["level"]), float(kept.facts["seconds"])

    def to_the_end(self, control: Control, save: Callable[[], None]) -> None:
        """Solves every level; saves now and then, and when it is stopped."""
        blocks = len(self.layout.own)
        edges = np.linspace(0, blocks, min(blocks, _CHUNKS) + 1).astype(int).tolist()
        shares = _shares(self.layout)
        before = saved = time.perf_counter()
        with ThreadPoolExecutor(self.workers) as pool, contextlib.ExitStack() as stack:
            stack.callback(pool.shutdown, cancel_futures=True)
            while self.level <= self.layout.last_level:
                done = shares[self.level]
                share = (shares[self.level + 1] - done) / max(1, len(edges) - 1)
                parts = [
                    pool.submit(self._part, self.level, first, last)
                    for first, last in pairwise(edges)
                ]
                try:
                    for number, each in enumerate(parts):
                        each.result()
                        control.report(done + share * (number + 1), f"level {self.level}")
                except Stopped:
                    for each in parts:
                        each.cancel()
                    pool.shutdown(wait=True)
                    self.seconds += time.perf_counter() - before
                    save()
                    raise
                self.level += 1
                now = time.perf_counter()
                self.seconds, before = self.seconds + now - before, now
                if now - saved > _EVERY:
                    save()
                    before = saved = time.perf_counter()

    def _part(self, level: int, first: int, last: int) -> int:
        if not hasattr(self._own, "scratch"):
            self._own.memory = np.zeros(1, SCRATCH).view(np.recarray)
            self._own.scratch = self._own.memory[0]
        t = self.layout
        return sweep(
            level, first, last, t.numbers, t.ternary, t.ternary_enemy, t.slots, t.own, t.enemy,
            t.homes, t.first_home, t.mirrored, t.counts, self.bits, self._own.scratch,
        )  # fmt: skip


def _shares(layout: Layout) -> list[float]:
    """By level: what part of all positions stands below it, for an honest estimate.

    Each worker stands somewhere or is gone, so that the number of positions by level is the
    product of a small polynomial for every square; limits on the number of workers, which matter
    little for the estimate, are left out.
    """
    columns, rows = layout.columns, layout.rows
    ways = np.ones(1)
    for _ in range(columns):
        for row in (0, 1):
            factor = np.zeros(rows)
            factor[0] = factor[rows - 2 - row] = 1
            ways = np.convolve(np.convolve(ways, factor), factor)
        for row in range(2, rows - 2):
            factor = np.zeros(rows)
            factor[0] = 1
            factor[rows - 2 - row] += 1
            factor[row - 1] += 1
            ways = np.convolve(ways, factor)
    ways = ways[: layout.last_level + 1]
    ways = np.pad(ways, (0, layout.last_level + 1 - len(ways)))
    return [0.0, *(ways.cumsum() / ways.sum()).tolist()]
