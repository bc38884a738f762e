"""The solver of any game whose positions can be enumerated."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from petteia.core import files
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.core.spec import Spec
from petteia.solve.control import Control, Stopped
from petteia.solve.graph import MOST_POSITIONS, Graph, explored, prepare
from petteia.solve.iteration import iterate
from petteia.solve.kept import KeptTable, sample_text
from petteia.solve.parts import Parts
from petteia.solve.retrograde import NEVER, Values, retrograde
from petteia.solve.solved import (
    KIND,
    SolvedTable,
    rows_of,
    solved_folder,
    solved_name,
    solved_path,
)
from petteia.solve.solver import Solver
from petteia.solve.tablefile import TableFile

__all__ = ["GeneralSolver", "kept_tables"]

_TRIED = 200
"""Random values of a new table that are held against their successors; ``petteia tables --verify``
tries more."""


class GeneralSolver(Solver):
    """Solves a user's game: finds every position, then works the values out."""

    def __init__(self, game: Game, most: int = MOST_POSITIONS) -> None:
        self.solved, self.most = game, most

    @property
    def spec(self) -> Spec:
        return self.solved.spec

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        path, of = solved_path(self.solved), solved_name(self.solved)
        parts = Parts(path.with_suffix(".parts"), of)
        if again:
            parts.clear()
        elif path.exists():
            return {**TableFile.open(path, KIND, of).facts, "file": str(path)}
        prepare(self.solved)
        started = time.perf_counter()
        graph = explored(self.solved, control, parts, most=self.most)
        try:
            values, facts = self._values(graph, control, parts)
        except Stopped:
            graph.keep(parts)
            raise
        control.report(0.9, "table")
        seconds = time.perf_counter() - started
        facts = {
            "positions": graph.positions,
            "moves": graph.edges,
            **facts,
            "seconds": seconds,
            "positions_per_second": graph.positions / max(seconds, 1e-9),
            "spec": str(Spec(_absolute(self.solved.spec.name), self.solved.spec.arguments)),
        }
        rows = rows_of(graph.arrays.words, values.points, values.plies)
        tried = SolvedTable(self.solved, rows).hold_sample(_TRIED, 0)
        facts["verified"] = sample_text(tried)
        TableFile.write(path, KIND, of, rows, facts)
        parts.clear()
        return {**facts, "file": str(path)}

    def _values(
        self, graph: Graph, control: Control, parts: Parts
    ) -> tuple[Values, dict[str, object]]:
        game = self.solved
        if game.has_chance or game.has_simultaneous:
            found = iterate(graph, control, parts)
            value = float(found.points[0])
            first = {"first_player": (1 + value) / 2} if game.most_points == 1 else {}
            facts: dict[str, object] = {
                "value": value, **first, "residual": found.residual, "sweeps": found.sweeps,
            }  # fmt: skip
            return Values(found.points, np.full(graph.positions, NEVER, np.int32)), facts
        values = retrograde(graph, control)
        value = float(values.points[0])
        return values, {
            "result": "win" if value > 0 else "loss" if value < 0 else "draw",
            "value": value,
            "plies": int(values.plies[0]) if value else None,
            "wins": int((values.points > 0).sum()),
            "draws": int((values.points == 0).sum()),
            "losses": int((values.points < 0).sum()),
            "longest": int(values.plies.max()),
        }


def kept_tables(make: Callable[[str], Game]) -> list[KeptTable]:
    """The tables of users' games on this machine. ``make`` makes a game from its spec; a file is
    run only when its table is tried."""
    found = []
    for path in sorted(solved_folder().glob("*.table")):
        try:
            table = TableFile.read(path)
        except PetteiaError:  # it is named among the files that belong to no game
            continue
        if table.kind == KIND:
            spec = str(table.facts["spec"])
            name = table.of.rpartition(" ")[0]
            sample = partial(_sample, make, spec)
            found.append(KeptTable(path, name, spec, spec, KIND, table.of, sample))
    return found


def _sample(make: Callable[[str], Game], spec: str, table: TableFile, count: int, seed: int) -> int:
    """None of its values can be tried if the file of the game is gone or has other rules now."""
    try:
        game = make(spec)
    except PetteiaError:
        return 0
    if solved_name(game) != table.of:
        return 0
    return SolvedTable(game, table.data).hold_sample(count, seed)


def _absolute(name: str) -> str:
    path = files.path_of(name)
    _, found, rest = name.partition(str(path))  # without a "./" before it
    return f"{path.resolve()}{rest}" if found else name
