"""``petteia solve checkers``: builds the tables, slice by slice, on all processors."""

from __future__ import annotations

import contextlib
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.games.checkers import Checkers
from petteia.games.checkers.solution import build
from petteia.games.checkers.solution.files import (
    KIND,
    Tables,
    path_of,
    slices_there,
    table_name,
)
from petteia.games.checkers.solution.packed import occurrences, pack
from petteia.games.checkers.solution.probe import DRAW, NONE
from petteia.games.checkers.solution.slices import Slice, slices
from petteia.solve import (
    SAMPLE,
    Control,
    KeptTable,
    Solver,
    Stopped,
    TableFile,
    folder,
    sample_text,
)

__all__ = ["EndgameSolver"]

_CHUNK = 1 << 20
_SPREAD_OUT = 5
"""Tables of so many pieces lie unpacked in memory while others are built on them."""
_AT_ONCE = 1 << 29
"""Numbers of the slices that are built at the same time, six bytes each; one may be larger."""


class EndgameSolver(Solver):
    """Exact distances of all positions with few pieces."""

    game = "checkers"

    def __init__(self, pieces: int = 5, side: int = 0, verify: bool = False) -> None:
        """All positions with at most ``pieces``, and at most ``side`` of one colour if that is
        not 0; ``verify`` holds every value against its successors afterwards."""
        if not 2 <= pieces <= 6:
            raise PetteiaError(f"checkers: pieces={pieces} is not possible; 2 to 6")
        if not 0 <= side <= 5:
            raise PetteiaError(f"checkers: side={side} is not possible; 1 to 5, or 0 for any")
        self.pieces, self.side, self.verify = pieces, side, verify

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        work = _Work(self, control, workers)
        started = time.perf_counter()
        work.build(again)
        built = time.perf_counter() - started
        facts = work.facts()
        facts["folder"] = str(folder() / "checkers")
        facts["build_seconds"] = built
        if self.verify:
            facts["verified"] = work.verify()
        return facts

    @classmethod
    def kept(cls) -> list[KeptTable]:
        """In an order in which each leads only to earlier ones."""
        return [
            KeptTable(
                path=path_of(one),
                game=cls.game,
                rules=f"{_RULES}, {one.name}",
                solver=str(cls(one.pieces, _largest_side(one))),
                kind=KIND,
                of=table_name(one),
                sample=partial(_sample, one),
            )
            for one in slices_there()
        ]


_RULES = Checkers(repetitions=0, quiet_plies=0)
"""The tables know neither repetition nor quiet plies."""


def _largest_side(one: Slice) -> int:
    a, b, c, d = one.counts
    return max(a + b, c + d)


def _sample(one: Slice, table: TableFile, count: int, seed: int) -> int:
    """Among all tables that can be opened: a slice leads to others."""
    tables = Tables()
    for each in slices_there():
        with contextlib.suppress(PetteiaError):
            tables.open(each)
    return hold_sample(one, tables, count, seed)


def hold_sample(one: Slice, tables: Tables, count: int, seed: int) -> int:
    """Holds random values of a slice against those of their successors; how many there were."""
    out = np.empty(_RULES.max_moves, np.int64)
    state = np.array([derive(seed, one.name)], np.uint64)
    held = build.sampled(_RULES, one.array, count, state, tables.directory, out)
    if held < 0:
        raise PetteiaError(f"the table {path_of(one)} is wrong at {-1 - held}")
    return int(held)


class _Work:
    def __init__(self, solver: EndgameSolver, control: Control, workers: int) -> None:
        self.control, self.workers = control, max(1, workers)
        self.wanted = slices(solver.pieces, solver.side or solver.pieces)
        self.rules = _RULES
        self.tables = Tables()
        self.done = 0
        self.total = sum(2 * one.size for one in self.wanted)
        self.lock = threading.Lock()
        self.cancelled = False

    # --- building ------------------------------------------------------------------------------

    def build(self, again: bool) -> None:
        """Builds what is missing, every slice as soon as those it leads to are there."""
        missing = []
        for one in self.wanted:
            if not again and path_of(one).exists():
                self.tables.open(one)
                self.advance(2 * one.size, f"{one.name} was there")
            else:
                missing.append(one)
        if missing:
            for one in self.tables.files:
                if one.pieces <= _SPREAD_OUT:
                    self.tables.spread_out(one)
        running: dict[Future[np.ndarray], Slice] = {}
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                while missing or running:
                    for one in list(missing):
                        if self.is_ready(one, missing, running):
                            missing.remove(one)
                            running[pool.submit(self.slice, one)] = one
                    finished, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        one = running.pop(future)
                        values = future.result()
                        self.tables.open(one)
                        self.try_out(one)
                        if one.pieces <= _SPREAD_OUT and missing:
                            self.tables.spread_out(one, values)
            except BaseException:
                self.cancelled = True
                raise

    def try_out(self, one: Slice) -> None:
        """Holds a sample of a new table against the rules; a wrong one is not kept."""
        try:
            hold_sample(one, self.tables, SAMPLE, 0)
        except PetteiaError:
            path_of(one).unlink(missing_ok=True)
            raise

    def is_ready(self, one: Slice, missing: list[Slice], running: dict[Any, Slice]) -> bool:
        """Whether every slice to which a capture or a crowning leads is finished."""
        at_once = sum(other.size for other in running.values()) + one.size
        if len(running) >= self.workers or (running and at_once > _AT_ONCE):
            return False
        unfinished = [*missing, *running.values()]
        crowned = set(one.crowned())
        return not any(other.pieces < one.pieces or other in crowned for other in unfinished)

    def advance(self, positions: int, what: str) -> None:
        """So many more positions are done. Raises if the work should stop."""
        with self.lock:
            self.done += positions
            if self.cancelled:
                raise Stopped("stopped")
            self.control.report(min(1.0, self.done / max(1, self.total)), what)

    def slice(self, one: Slice) -> np.ndarray:
        """Works out one slice and writes its file; gives its values."""
        size = one.size
        sides = [_unknown(one, mover) for mover in (0, 1)]
        out = np.empty(self.rules.max_moves, np.int64)
        directory = self.tables.directory
        highest = 0
        for side in sides:
            for first in range(0, size, _CHUNK):
                last = min(size, first + _CHUNK)
                found = build.look_forward(self.rules, side, first, last, directory, out)
                if found < 0:
                    raise PetteiaError(f"a table to which {one.name} leads is missing")
                highest = max(highest, found)
                self.advance((last - first) // 2, one.name)
        plies = 0
        while plies <= highest:
            for side, told in (sides, sides[::-1]):
                for first in range(0, len(side.words), _CHUNK):
                    last = min(len(side.words), first + _CHUNK)
                    highest = max(highest, build.spread(side, told, plies, first, last))
                    self.advance(0, one.name)
            if highest > build.LONGEST:
                raise PetteiaError(
                    f"{one.name} has a distance of {highest} plies: too long for a byte"
                )
            plies += 1
        self.advance(size, one.name)
        data = np.concatenate([side.values[:size] for side in sides])
        facts = {"facts": _rows(one, data), "verified": sample_text(SAMPLE)}
        TableFile.write(path_of(one), KIND, table_name(one), pack(data), facts)
        return data

    # --- what was found ------------------------------------------------------------------------

    def facts(self) -> dict[str, object]:
        """Counts of every slice, from the side of the player to move."""
        rows: list[dict[str, Any]] = []
        size = 0
        for one in self.wanted:
            table = self.tables.files[one]
            rows += table.facts["facts"]
            size += table.data.nbytes
        total = {key: sum(row[key] for row in rows) for key in ("positions", *_OUTCOMES)}
        return {**total, "slices": rows, "bytes": size}

    def verify(self) -> int:
        """Reads all files again and holds all values against their successors; how many placements
        were looked at."""
        self.done = 0
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                return sum(pool.map(self.verify_slice, self.wanted))
            except BaseException:
                self.cancelled = True
                raise

    def verify_slice(self, one: Slice) -> int:
        """The same for one slice."""
        self.tables.files[one].check()
        out = np.empty(self.rules.max_moves, np.int64)
        values, nothing = self.tables.values(one), np.zeros(0, np.uint8)
        for mover in (0, 1):
            known = values[mover * one.size : (mover + 1) * one.size]
            side = build.Side(one.array, mover, known, nothing.view(np.uint64), nothing, nothing)
            for first in range(0, one.size, _CHUNK):
                last = min(one.size, first + _CHUNK)
                wrong = build.check(self.rules, side, first, last, self.tables.directory, out)
                if wrong >= 0:
                    raise PetteiaError(
                        f"the table {path_of(one)} is wrong at {wrong}; solve with --again"
                    )
                self.advance(last - first, f"verifying {one.name}")
        return 2 * one.size


def _unknown(one: Slice, mover: int) -> build.Side:
    """A slice of which nothing is known yet."""
    values = np.full((one.size + 7) // 8 * 8, NONE, np.uint8)
    open_moves, longest = (np.zeros(one.size, np.uint8) for _ in range(2))
    return build.Side(one.array, mover, values, values.view(np.uint64), open_moves, longest)


_OUTCOMES = ("wins", "draws", "losses")


def _rows(one: Slice, data: np.ndarray) -> list[dict[str, Any]]:
    """What a slice holds for each side to move; once, where both are the same."""
    rows = []
    for mover, name in ((1, one.name), (0, one.turned.name)):
        found = occurrences(data[mover * one.size : (mover + 1) * one.size])
        wins, losses = int(found[1:NONE:2].sum()), int(found[0:NONE:2].sum())
        draws = int(found[DRAW])
        decided = [plies for plies in range(NONE) if found[plies]]
        rows.append(
            {
                "slice": name, "positions": wins + draws + losses, "wins": wins, "draws": draws,
                "losses": losses,
                "longest_win": max((n for n in decided if n % 2), default=0),
                "longest_loss": max((n for n in decided if n % 2 == 0), default=0),
            }
        )  # fmt: skip
        if one == one.turned:
            break
    return rows
