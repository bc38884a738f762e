"""Endings of three and of four tokens solved: what is worked out, and what of it is kept."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from petteia.compiled import kernel
from petteia.core.errors import PetteiaError
from petteia.core.seeds import derive
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.solution import table
from petteia.games.ropasci.solution.chase import Three
from petteia.games.ropasci.solution.hunts import HUNTS, OFF, place_of, position_with
from petteia.games.ropasci.solution.layout import SIZE, placement, position_of
from petteia.games.ropasci.solution.table import TURNS
from petteia.games.ropasci.solution.work import WON, Work, parts_of
from petteia.search.matrix import matrix_memory, solve, worth
from petteia.solve import Control, KeptTable, Solver, TableFile

__all__ = ["EndingSolver"]

_CLOSE = 1e-6
"""By how much a value that is kept in single precision may differ from its successors'."""


@kernel
def chance_by_rules(game: Any, p: Any, moves: np.ndarray, tables: int, ws: Any) -> float:
    """What the tables say of the positions after all pairs of moves, as a matrix game: its value.
    It asks the rules for every one, where ``sweep`` asks for places."""
    rows = game.moves_of(p, 0, moves, 0)
    columns = game.moves_of(p, 1, moves, rows) - rows
    ws.counts[0], ws.counts[1] = rows, columns
    for i in range(rows):
        for j in range(columns):
            q = game.play_both(p, moves[i], moves[rows + j])
            over = game.end_of(q) != 0
            ws.matrix[i * columns + j] = game.result(q) if over else game.exact_value(q, tables)
    solve(ws)
    return worth(ws)


class EndingSolver(Solver):
    """Solves the endings without throws of so many tokens."""

    game = "ropasci"

    def __init__(self, tokens: int = 3) -> None:
        if tokens not in (3, 4):
            raise PetteiaError(
                f"ropasci: endings of {tokens} tokens are not solved; tokens=3 and tokens=4 are"
            )
        self.tokens = tokens

    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        where, kind, name, work = (
            (table.path(), table.KIND, table.NAME, self._solve_three)
            if self.tokens == 3
            else (table.large_path(), table.LARGE_KIND, table.LARGE_NAME, self._solve_four)
        )
        if again:
            where.unlink(missing_ok=True)
            for hunt in HUNTS[1:]:
                parts_of(hunt).clear()
        if not where.exists():
            work(control, workers)
        found = TableFile.open(where, kind, name)
        return {**found.facts, "bytes": found.path.stat().st_size, "file": str(found.path)}

    def _solve_three(self, control: Control, workers: int) -> None:
        started = time.perf_counter()
        data, count = _data(Three.solved(TURNS, workers, control.report)), len(places())
        won = int((data[:, -1] > WON).sum())
        facts = {
            "positions": count,
            "won": won,
            "uncertain": len(data) - won,
            "drawn": count - len(data),
            "lost": 0,
            "turns": TURNS,
            "seconds": round(time.perf_counter() - started, 3),
        }
        TableFile.write(table.path(), table.KIND, table.NAME, data, facts)

    def _solve_four(self, control: Control, workers: int) -> None:
        started = time.perf_counter()
        three = Three.solved(TURNS, workers, lambda _, turns: control.report(0, f"three, {turns}"))
        works = [Work(hunt, three, workers) for hunt in HUNTS[1:]]
        seconds, total, done = time.perf_counter() - started, sum(work.size for work in works), 0
        for work in works:
            size = work.size

            def report(share: float, what: str, done: int = done, size: int = size) -> None:
                control.report((done + share * size) / total, what)

            work.to_the_end(TURNS, report)
            done += size
        hunts = [work.facts() for work in works]
        words = table.words_of(_data(three), [work.kept() for work in works])
        facts: dict[str, Any] = {
            key: sum(each[key] for each in hunts)
            for key in ("positions", "won", "uncertain", "drawn")
        }
        facts |= {
            "lost": 0,
            "turns": TURNS,
            "within": max(each["within"] for each in hunts),
            "seconds": round(seconds + sum(work.seconds for work in works), 1),
            "hunts": hunts,
        }
        TableFile.write(table.large_path(), table.LARGE_KIND, table.LARGE_NAME, words, facts)
        for work in works:
            work.parts.clear()

    @classmethod
    def kept(cls) -> list[KeptTable]:
        found = []
        for tokens, where, kind, name in (
            (3, table.path(), table.KIND, table.NAME),
            (4, table.large_path(), table.LARGE_KIND, table.LARGE_NAME),
        ):
            if where.exists():
                sample = cls(tokens)._sample
                found.append(KeptTable(where, cls.game, name, name, kind, name, sample))
        return found

    def _sample(self, kept: TableFile, count: int, seed: int) -> int:
        """Holds chances of random positions against those of their successors a turn earlier."""
        words = table.words_of(np.asarray(kept.data)) if self.tokens == 3 else kept.data
        address = words.__array_interface__["data"][0]
        error = _CLOSE if self.tokens == 3 else 2 * float(kept.facts["within"])
        game = RoPaSci()
        ws: Any = np.zeros(1, matrix_memory(game.max_moves)).view(np.recarray)[0]
        moves = np.zeros(2 * game.max_moves, np.int64)
        for number in range(count):
            left = 1 + derive(seed, "left", number) % TURNS
            p = self._some_position(words, derive(seed, "position", number))
            p = (*p[:-1], p[-1] | np.uint64((game.turns - left) << 8))
            said = game.exact_value(p, address)
            found = chance_by_rules(game, p, moves, address, ws)
            if not abs(said - found) <= error:
                raise PetteiaError(
                    f"{kept.path}: {game.text(p)} has the chance {said} with {left} turns left, "
                    f"but its successors say {found}"
                )
        return count

    def _some_position(self, words: np.ndarray, seed: int) -> Any:
        """A position that is in the table; of four tokens on four hexes."""
        if self.tokens == 3:
            places = table.rows_of(words)[0]
            return position_of(RoPaSci(), int(places[seed % len(places)]))
        hunt = HUNTS[1 + seed % (len(HUNTS) - 1)]
        hexes = [derive(seed, "hex", k) % OFF for k in range(4)]
        if len(set(hexes)) < len(hexes):
            return self._some_position(words, derive(seed, "again"))
        return position_with(hunt, (hexes[0], hexes[1], hexes[2], hexes[3]))


def _data(three: Three) -> np.ndarray:
    """The rows of the table of three tokens."""
    numbers = places()
    there, chances = three.at(
        np.array([place_of(*placement(number), OFF) for number in numbers.tolist()])
    )
    return np.concatenate([numbers[there, None], chances], axis=1).astype(np.float32)


def places() -> np.ndarray:
    """All places of three tokens where hunter and prey stand apart."""
    found = []
    for number in range(SIZE):
        hunter, first, second = placement(number)
        if first <= second and hunter not in (first, second):
            found.append(number)
    return np.array(found, np.int64)
