"""Small boards solved, in one sweep over all positions."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution.layout import Layout, layout_of
from petteia.games.breakthrough.solution.sweep import MOVES, Exact, sweep
from petteia.games.breakthrough.solution.table import KIND, Values, table_name, table_path
from petteia.solve import (
    Control,
    KeptTable,
    Solver,
    Stopped,
    TableFile,
    folder,
    sample_text,
)

__all__ = ["BreakthroughSolver", "swept"]

_FILE = re.compile(r"breakthrough-(\d{1,2})x(\d{1,2})-filled(\d)\.table")
UNFINISHED = "breakthrough-unfinished"
_CHUNKS = 64  # a level is shared out in this many parts at most
_EVERY = 120.0  # seconds between two saves of what is finished


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
            solution = Values(self.board, layout, np.asarray(found.data))
            return self._facts(solution, found)
        run = _Run(layout, workers)
        if part.exists():
            run.go_on(TableFile.open(part, UNFINISHED, name))

        def save() -> None:
            facts = {"level": run.level, "seconds": run.seconds}
            TableFile.write(part, UNFINISHED, name, run.bits, facts)

        run.to_the_end(control, save)
        solution = Values(self.board, layout, run.bits)
        control.report(1.0, "checking")
        checked = solution.check()
        facts = {
            "winner": "first" if solution.first_wins else "second",
            "positions": layout.positions,
            "checked": checked,
            "verified": sample_text(checked),
            "seconds": run.seconds,
        }
        found = TableFile.write(path, KIND, name, run.bits, facts)
        part.unlink(missing_ok=True)
        return self._facts(solution, found)

    @classmethod
    def kept(cls) -> list[KeptTable]:
        found = []
        for path in sorted(folder().glob("breakthrough-*.table")):
            name = _FILE.fullmatch(path.name)
            if name is None:
                continue
            made = cls(*map(int, name.groups()))
            found.append(
                KeptTable(
                    path=path,
                    game=cls.game,
                    rules=table_name(made.board),
                    solver=table_name(made.board),
                    kind=KIND,
                    of=table_name(made.board),
                    sample=made._sample,
                )
            )
        return found

    def _sample(self, table: TableFile, count: int, seed: int) -> int:
        solution = Values(self.board, layout_of(self.board), np.asarray(table.data))
        return solution.check(count, seed)

    def _facts(self, solution: Values, found: TableFile) -> dict[str, object]:
        return {
            **{key: found.facts[key] for key in ("winner", "positions", "checked", "seconds")},
            "bytes": int(solution.bits.nbytes),
            "file": str(found.path),
        }


def swept(game: Breakthrough, workers: int = 1) -> Values:
    """A board solved in memory, for use once."""
    layout = layout_of(game)
    run = _Run(layout, workers)
    run.to_the_end(Control(), lambda: None)
    return Values(game, layout, run.bits)


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
        if not hasattr(self._own, "moves"):
            self._own.moves = np.zeros(1, MOVES).view(np.recarray)[0]
        return sweep(Exact(self.layout, self.bits), level, first, last, self._own.moves)


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
