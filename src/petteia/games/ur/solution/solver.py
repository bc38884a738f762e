"""The exact solution: every position's chance of winning, layer by layer.

A layer is all positions with the same numbers of pieces home; it is left only by bearing off, into
layers that are already final. Layers (a, b) and (b, a) are solved together, since the turn
alternates; within them captures and passes make circles, so they are iterated in place until no
value changes by more than the tolerance. A last pass over all positions is the certificate: the
residual is the largest difference between a value and what its successors say.
"""

from __future__ import annotations

import math
import re
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.errors import PetteiaError
from petteia.core.reading import naming
from petteia.games.ur import Ur
from petteia.games.ur.rules.rule_sets import RULE_SETS
from petteia.games.ur.solution import rgu
from petteia.games.ur.solution.layout import Layout, layout_of
from petteia.games.ur.solution.sweep import Layer, guess, index_of, layer_of, sweep
from petteia.games.ur.solution.tables import (
    KIND,
    SCALE,
    Lookup,
    all_rules,
    quantised,
    table_path,
)
from petteia.solve import SAMPLE, Control, KeptTable, Solver, TableFile, folder

__all__ = ["Solved", "UrSolver", "first_rolls", "layer_pairs", "solve_layers"]

_FILE = re.compile(r"ur-([a-z-]+)-([1-7])-([34])\.table")
SINGLE, DOUBLE = 32, 64
_SLACK = 64
"""Values past the last: rows are read in whole vectors."""
TOLERANCE = {SINGLE: 5e-7, DOUBLE: 1e-13}
"""Single precision cannot go below 1.2e-7 near 1: a finer tolerance would never be met."""
SMALL = 5_000_000
"""Tables of fewer states are solved in double precision unless told otherwise."""
KEPT_FROM = 5_000_000
"""From so many states on, finished layers are kept on disk until the table is whole."""
_MOST_SWEEPS = 5000
_USUAL_SWEEPS = 60  # for the estimate
_RESTS = 3
"""Sweeps over what still changes, after each over everything."""
_STATES_A_THREAD = 100_000


@dataclass
class Solved:
    """The values of all states, and what they took."""

    values: np.ndarray
    """Each state's chance of winning for the side to roll, and some slack at the end."""
    residual: float = math.inf
    sweeps: int = 0
    updates: int = 0
    resumed: int = 0
    """Pairs of layers that an earlier run had finished."""
    seconds: float = 0.0
    facts: dict[str, object] = field(default_factory=dict)


class _Sweeper:
    """The kernel with its arrays, on some threads."""

    def __init__(self, game: Ur, layout: Layout, values: np.ndarray, workers: int) -> None:
        self.game, self.layout, self.values, self.workers = game, layout, values, workers
        self.chance = np.array([*game.chance, 1.0], values.dtype)
        self.pool = ThreadPoolExecutor(workers)
        self.layers: dict[tuple[int, int], list[Layer]] = {}

    def of_threads(self, a: int, b: int) -> list[Layer]:
        """A layer for every thread, each with scratch of its own."""
        if (a, b) not in self.layers:
            first = layer_of(a, b, self.layout, self.values, self.chance)
            others = [first._replace(room=first.room.copy()) for _ in range(self.workers - 1)]
            self.layers[a, b] = [first, *others]
        return self.layers[a, b]

    def guess(self, a: int, b: int) -> None:
        """First values of the layers (a, b) and (b, a)."""
        for place in {(a, b), (b, a)}:
            guess(self.game, self.of_threads(*place)[0])

    def both(self, a: int, b: int, *, write: bool, least: float = 0.0) -> tuple[float, int]:
        """A sweep over the layers (a, b) and (b, a): the largest change, and how many states there
        were. Only contents of the shared tiles that changed by ``least`` in their last sweep."""
        work = []
        for layers in [self.of_threads(a, b), *([self.of_threads(b, a)] if a != b else [])]:
            order = layers[0].order[layers[0].changes[layers[0].order] >= least]
            work.append([layer._replace(order=order) for layer in layers])
        states = sum(int((each[0].heights * each[0].widths)[each[0].order].sum()) for each in work)

        def share(number: int) -> float:
            return max(
                sweep(self.game, layers[number], number, self.workers, int(write))
                for layers in work
            )

        return max(self.pool.map(share, range(self.workers))), states


def layer_pairs(pieces: int) -> list[tuple[int, int]]:
    """The layers in the order in which they can be solved, each with its mirror image."""
    return [(a, b) for a in reversed(range(pieces)) for b in reversed(range(a, pieces))]


class _Kept:
    """Finished layers on disk, for a run that was interrupted."""

    def __init__(self, game: Ur, layout: Layout, precision: int) -> None:
        self.game, self.layout, self.precision = game, layout, precision
        self.folder = table_path(game).with_suffix(".parts")
        self.used = layout.states >= KEPT_FROM

    def _file(self, a: int, b: int) -> tuple[Path, str]:
        name = f"{a}-{b}-{self.precision}.layer"
        return self.folder / name, f"{self.game}, layer {a} {b}, {self.precision} bits"

    def load(self, a: int, b: int, values: np.ndarray) -> bool:
        """Takes a finished layer from disk; whether there was one."""
        path, of = self._file(a, b)
        if not self.used or not path.exists():
            return False
        try:
            data = TableFile.open(path, "ur-layer", of).data
        except PetteiaError:  # damaged: solved again
            return False
        first, second = self.layout.layer(a, b), self.layout.layer(b, a)
        size = first.stop - first.start
        values[first] = data[:size]
        if a != b:
            values[second] = data[size:]
        return True

    def save(self, a: int, b: int, values: np.ndarray) -> None:
        """Keeps a finished layer."""
        if self.used:
            path, of = self._file(a, b)
            parts = [values[self.layout.layer(a, b)]]
            parts += [values[self.layout.layer(b, a)]] if a != b else []
            TableFile.write(path, "ur-layer", of, np.concatenate(parts), {})

    def clear(self) -> None:
        """Forgets all layers."""
        shutil.rmtree(self.folder, ignore_errors=True)


def solve_layers(
    game: Ur,
    control: Control,
    *,
    precision: int,
    workers: int,
    tolerance: float | None = None,
    again: bool = False,
) -> Solved:
    """Solves all layers on the processor."""
    layout = layout_of(game)
    dtype = np.float32 if precision == SINGLE else np.float64
    try:
        values = np.full(layout.states + _SLACK, 0.5, dtype)
    except MemoryError:
        need = (layout.states * np.dtype(dtype).itemsize) / 1e9
        raise PetteiaError(f"solving {game} needs {need:.1f} GB of memory") from None
    # Threads that have little to do wait for each other more than they work.
    workers = max(1, min(workers, layout.states // _STATES_A_THREAD))
    sweeper = _Sweeper(game, layout, values, workers)
    tolerance = tolerance or TOLERANCE[precision]
    kept = _Kept(game, layout, precision)
    if again:
        kept.clear()
    found = Solved(values)
    sweeper.both(game.count - 1, game.count - 1, write=False)  # compiled before the clock starts
    started, done = time.perf_counter(), 0
    for a, b in layer_pairs(game.count):
        size = layout.layer(a, b).stop - layout.layer(a, b).start
        size *= 1 if a == b else 2
        if kept.load(a, b, values):
            found.resumed += 1
        else:
            sweeper.guess(a, b)
            for number in range(_MOST_SWEEPS):
                part = min(number / _USUAL_SWEEPS, 0.97)
                control.report((done + part * size) / layout.states, f"{a} and {b} pieces home")
                # Most contents settle long before the last: in three of four sweeps they rest.
                least = 0.0 if number % (_RESTS + 1) == 0 else tolerance
                change, states = sweeper.both(a, b, write=True, least=least)
                found.sweeps += 1
                found.updates += states
                if change < tolerance and least == 0.0:
                    break
            else:
                raise PetteiaError(f"{game}: layer {a}, {b} does not settle below {tolerance:g}")
            kept.save(a, b, values)
        done += size
    control.report(1.0, "certificate")
    found.residual = max(sweeper.both(a, b, write=False)[0] for a, b in layer_pairs(game.count))
    found.seconds = time.perf_counter() - started
    return found


def residual_of(game: Ur, table: np.ndarray) -> float:
    """The largest difference of a finished table from what its own values make of each position."""
    layout = layout_of(game)
    values = np.zeros(layout.states + _SLACK, np.float32)
    np.divide(table, SCALE, out=values[: layout.states])
    sweeper = _Sweeper(game, layout, values, 1)
    return max(sweeper.both(a, b, write=False)[0] for a, b in layer_pairs(game.count))


def _certificate(residual: float) -> str:
    return f"every position against its successors: residual {residual:.1e}"


def first_rolls(game: Ur, value: Callable[[tuple[Any, ...]], float]) -> dict[str, float]:
    """The first player's chance after each first roll and the best move.

    ``value`` gives the chance of the side to roll.
    """
    found = {}
    for roll, _ in game.outcomes(game.start()):
        p = game.play(game.start(), roll)
        options = []
        for move in game.legal_moves(p):
            q = game.play(p, move)
            options.append(value(q) if game.mover(q) == 0 else 1 - value(q))
        found[str(roll)] = max(options)
    return found


class UrSolver(Solver):
    """Solves one rule set with one number of pieces."""

    game = "ur"

    def __init__(
        self,
        pieces: int = 0,
        rules: str = "finkel",
        dice: int = 0,
        precision: int = 0,
        gpu: bool = False,
        save: str = "",
        load: str = "",
    ) -> None:
        """``precision`` is 32 or 64 bits, 0 for 64 where the table is small; ``gpu`` solves on a
        graphics processor; ``save`` also writes RoyalUr's ``.rgu``, ``load`` takes one over."""
        if precision not in (0, SINGLE, DOUBLE):
            raise PetteiaError(f"ur: precision={precision} is not possible; 32 or 64")
        self.ur = Ur(pieces, rules, dice)
        self.pieces, self.rules, self.dice = self.ur.pieces, rules, self.ur.dice
        self.precision, self.gpu, self.save, self.load = precision, gpu, save, load

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        if self.load:
            return self._taken_over()
        facts = self._solved(control, workers, again)
        if self.save:
            table = TableFile.open(table_path(self.ur), KIND, str(self.ur))
            facts["rgu_entries"] = rgu.write(self.ur, table.data, Path(self.save))
        return facts

    @classmethod
    def kept(cls) -> list[KeptTable]:
        found = []
        for path in sorted(folder().glob("ur-*.table")):
            name = _FILE.fullmatch(path.name)
            if name is None or name[1] not in RULE_SETS:
                continue
            made = cls(int(name[2]), name[1], int(name[3]))
            found.append(
                KeptTable(
                    path=path,
                    game=cls.game,
                    rules=all_rules(made.ur),
                    solver=str(made),
                    kind=KIND,
                    of=str(made.ur),
                    sample=made._sample,
                )
            )
        return found

    def _sample(self, table: TableFile, count: int, seed: int) -> int:
        Lookup(self.ur, table.data).hold_sample(count, seed)
        return count

    def _taken_over(self) -> dict[str, object]:
        """A table of RoyalUr's in place of our own. Before it is believed a sample of it is held
        against the rules, and every value against those of its successors."""
        table = rgu.read(self.ur, Path(self.load))
        with naming(self.load):
            Lookup(self.ur, table).hold_sample(SAMPLE, 0)
            residual = residual_of(self.ur, table)
            if residual > 2 / SCALE + 1e-6:  # each value is rounded, perhaps down
                raise PetteiaError(
                    f"the values are not those of {all_rules(self.ur)}: somewhere the table and "
                    f"the positions after it differ by {residual:.5f}"
                )
        facts: dict[str, object] = {
            "first_player": float(table[0]) / SCALE, "states": len(table), "residual": residual,
            "precision": 16, "seconds": 0.0, "source": self.load,
            "verified": _certificate(residual),
        }  # fmt: skip
        kept = TableFile.write(table_path(self.ur), KIND, str(self.ur), table, facts)
        return {**facts, "file": str(kept.path)}

    def _solved(self, control: Control, workers: int, again: bool) -> dict[str, object]:
        game, path = self.ur, table_path(self.ur)
        states = layout_of(game).states
        bits = self.precision or (DOUBLE if states < SMALL else SINGLE)
        if path.exists() and not again:
            table = TableFile.open(path, KIND, str(game))
            if int(table.facts["precision"]) >= bits:
                return {**table.facts, "file": str(path)}
        if self.gpu:
            from petteia.games.ur.solution.gpu import solve_in_pieces

            found = solve_in_pieces(game, control, precision=bits)
        else:
            found = solve_layers(game, control, precision=bits, workers=workers, again=again)
        facts = self._facts(found, states, bits, workers)
        table = TableFile.write(path, KIND, str(game), quantised(found.values, states), facts)
        _Kept(game, layout_of(game), bits).clear()
        return {**facts, "file": str(table.path)}

    def _facts(self, found: Solved, states: int, bits: int, workers: int) -> dict[str, object]:
        t = layout_of(self.ur)

        def value(p: tuple[Any, ...]) -> float:
            return float(found.values[index_of(self.ur, p, t)])

        return {
            "first_player": float(found.values[0]),
            "first_rolls": first_rolls(self.ur, value),
            "states": states,
            "residual": float(found.residual),
            "verified": _certificate(found.residual),
            "precision": bits,
            "sweeps": found.sweeps,
            "updates": found.updates,
            "resumed_layers": found.resumed,
            "workers": workers,
            "seconds": found.seconds,
            **found.facts,
        }
