"""Small boards solved, in one sweep over all positions."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import numpy as np

from petteia.games.breakthrough import Breakthrough
from petteia.games.breakthrough.solution.layout import Layout, layout_of
from petteia.games.breakthrough.solution.sweep import SOLVE_ROW, space_of
from petteia.games.breakthrough.solution.table import KIND, Values, table_name, table_path
from petteia.solve import (
    Control,
    KeptTable,
    Solver,
    Stopped,
    Sweeps,
    TableFile,
    folder,
    sample_text,
)

__all__ = ["BreakthroughSolver", "swept"]

_FILE = re.compile(r"breakthrough-(\d{1,2})x(\d{1,2})-filled(\d)\.table")
UNFINISHED = "breakthrough-unfinished"
_PARTS = 8  # of a level, between which it can be stopped
_NARROW = 2  # columns: a row of the table is shorter than a word
_EVERY = 120.0  # seconds between two saves of what is finished


class BreakthroughSolver(Solver):
    """Solves a small board by one sweep over all positions."""

    game = "breakthrough"

    def __init__(self, columns: int = 8, rows: int = 8, filled: int = 2, gpu: bool = False) -> None:
        self.columns, self.rows, self.filled, self.gpu = columns, rows, filled, gpu
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
        run = _Run(layout, workers, device="gpu" if self.gpu else "cpu")
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
            columns, rows, filled = map(int, name.groups())
            made = cls(columns, rows, filled)
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

    def __init__(self, layout: Layout, workers: int, device: str = "cpu") -> None:
        self.layout, self.workers, self.device = layout, workers, device
        self.bits = np.zeros(layout.words, np.uint64)
        self.level = 0
        """The next level to be solved; all below it are finished."""
        self.seconds = 0.0

    def go_on(self, kept: TableFile) -> None:
        """Takes up what an interrupted run has left."""
        self.bits[:] = kept.data
        self.level, self.seconds = int(kept.facts["level"]), float(kept.facts["seconds"])

    def to_the_end(self, control: Control, save: Callable[[], None]) -> None:
        """Solves every level; saves now and then, and when it is stopped."""
        t = self.layout
        pieces = len(t.own) << (2 * t.columns)
        # The rows of narrower boards share words: one thread, and there is little to do.
        threads, device = (self.workers, self.device) if t.columns > _NARROW else (1, "cpu")
        space = space_of(t, self.bits, threads)
        sweeps = Sweeps(SOLVE_ROW, space, device=device, threads=threads)
        shares = _shares(t)
        before = saved = time.perf_counter()
        while self.level <= t.last_level:
            done = shares[self.level]
            share = shares[self.level + 1] - done
            try:
                for part in range(_PARTS):
                    first, last = (pieces * edge // _PARTS for edge in (part, part + 1))
                    sweeps(last - first, self.level, first=first)
                    control.report(done + share * (part + 1) / _PARTS, f"level {self.level}")
                sweeps.finish()
            except Stopped:
                self.seconds += time.perf_counter() - before
                sweeps.fetch()
                save()
                raise
            self.level += 1
            now = time.perf_counter()
            self.seconds, before = self.seconds + now - before, now
            if now - saved > _EVERY:
                sweeps.fetch()
                save()
                before = saved = time.perf_counter()
        sweeps.fetch()


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
