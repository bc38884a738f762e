"""Endings of three tokens solved: value iteration over moves that both make at the same time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.solution.layout import SIZE, ending_of, placement, position_of
from petteia.games.ropasci.solution.table import KIND, NAME, TURNS, path
from petteia.search.matrix import matrix_memory, solve, worth
from petteia.solve import Control, KeptTable, Solver, TableFile

__all__ = ["EndingSolver"]

_WON = 0.999
"""A chance above this within all turns counts as won."""
_CLOSE = 1e-6
"""By how much a value that is kept in single precision may differ from its successors'."""


@kernel
def turn_longer(
    game: Any, places: np.ndarray, before: np.ndarray, after: np.ndarray, moves: np.ndarray, ws: Any
) -> int:
    """The chances with one turn more, for these places; how many are new among those above 0."""
    count = 0
    for k in range(len(places)):
        place = places[k]
        p = position_of(game, place)
        rows = game.moves_of(p, 0, moves, 0)
        columns = game.moves_of(p, 1, moves, rows) - rows
        ws.counts[0], ws.counts[1] = rows, columns
        for i in range(rows):
            for j in range(columns):
                q = game.play_both(p, moves[i], moves[rows + j])
                at, _ = ending_of(game, q)
                ws.matrix[i * columns + j] = before[at] if at >= 0 else game.result(q)
        solve(ws)
        after[place] = worth(ws)
        if after[place] > 0.0 and before[place] == 0.0:
            count += 1
    return count


class EndingSolver(Solver):
    """Solves the endings without throws of so many tokens."""

    game = "ropasci"

    def __init__(self, tokens: int = 3) -> None:
        if tokens != 3:
            raise PetteiaError(f"ropasci: endings of {tokens} tokens are not solved; tokens=3 are")
        self.tokens = tokens
        self._rules = RoPaSci()
        self._memory: Any = np.zeros(1, matrix_memory(self._rules.max_moves)).view(np.recarray)[0]
        self._moves = np.zeros(2 * self._rules.max_moves, np.int64)

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        if again:
            path().unlink(missing_ok=True)
        if not path().exists():
            self._solve(control)
        found = TableFile.open(path(), KIND, NAME)
        return {**found.facts, "bytes": found.path.stat().st_size, "file": str(found.path)}

    def _solve(self, control: Control) -> None:
        started = time.perf_counter()
        every = _places()
        chances, places = self._hunted(every, control)
        data = np.concatenate([places[:, None], chances], axis=1).astype(np.float32)
        won = int((chances[:, -1] > _WON).sum())
        facts = {
            "positions": len(every),
            "won": won,
            "uncertain": len(places) - won,
            "drawn": len(every) - len(places),
            "lost": 0,
            "turns": TURNS,
            "seconds": round(time.perf_counter() - started, 3),
        }
        TableFile.write(path(), KIND, NAME, data, facts)

    def _hunted(self, every: np.ndarray, control: Control) -> tuple[np.ndarray, np.ndarray]:
        """The chances by turns, (places, turns + 1), of all places where there is any; and these.

        Where every answer of the prey leaves some move of the hunter a chance, the hunter has one
        that mixes all of them. So once no place is new among those with a chance, none will be.
        """
        before, line = np.zeros(SIZE), [np.zeros(SIZE)]
        places, is_growing = every, True
        while len(line) <= TURNS:
            after = np.zeros(SIZE)
            new = turn_longer(self._rules, places, before, after, self._moves, self._memory)
            line.append(after)
            before = after
            if is_growing and new == 0:
                is_growing, places = False, np.flatnonzero(after)
            control.report(len(line) / (TURNS + 1), f"{len(line) - 1} turns")
        return np.stack([chances[places] for chances in line], axis=1), places

    @classmethod
    def kept(cls) -> list[KeptTable]:
        if not path().exists():
            return []
        return [KeptTable(path(), cls.game, NAME, NAME, KIND, NAME, cls()._sample)]

    def _sample(self, table: TableFile, count: int, seed: int) -> int:
        """Holds chances of random positions against those of their successors a turn earlier."""
        data = np.asarray(table.data, np.float64)
        places = data[:, 0].astype(np.int64)
        for number in range(count):
            left = 1 + derive(seed, "left", number) % TURNS
            row = derive(seed, "row", number) % len(places)
            before, after = np.zeros(SIZE), np.zeros(SIZE)
            before[places] = data[:, left]
            turn_longer(
                self._rules, places[row : row + 1], before, after, self._moves, self._memory
            )
            kept = float(data[row, 1 + left])
            if abs(after[places[row]] - kept) > _CLOSE:
                raise PetteiaError(
                    f"{table.path}: place {places[row]} has the chance {kept} with {left} turns "
                    f"left, but its successors say {after[places[row]]}"
                )
        return count


def _places() -> np.ndarray:
    """All places where hunter and prey stand apart."""
    found = []
    for number in range(SIZE):
        hunter, first, second = placement(number)
        if first <= second and hunter not in (first, second):
            found.append(number)
    return np.array(found, np.int64)
