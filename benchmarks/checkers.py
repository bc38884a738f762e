"""How fast checkers is, side by side with its peers, and how strong.

    python benchmarks/checkers.py [--seconds 2] [--repeats 5] [--strength PAIRS] [--json FILE]

Ours and a peer take turns and are timed by the processor's clock; every figure is a median. The
tables are built in a folder of their own. ``--strength`` also plays that many pairs over the
ballots against py-draughts and OpenSpiel, which takes minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from breakthrough import Row, compared, rate, show

from petteia import agents, games
from petteia.arena.match import Match
from petteia.compiled import kernel, load
from petteia.core.words import Words
from petteia.games.checkers import Checkers
from petteia.games.checkers.solution.files import Tables
from petteia.games.checkers.solution.probe import value_of
from petteia.games.checkers.solution.slices import placement, slices
from petteia.games.checkers.study import PUZZLES
from petteia.search.contract import Limits, Question
from petteia.search.distance import Prover
from petteia.search.engine import Engine
from petteia.search.perft import perft
from petteia.solve import Control

PERFT = {False: 388_617_999, True: 388_623_673}
"""Depth 12 with circuits counted once and both ways."""
PEER_DEPTH, DEPTH = 5, 13
PEERS = Path(__file__).parent / "peers" / "checkers_agents.py"


def compare_perft(seconds: float, repeats: int) -> list[Row]:
    rows = []
    for both_ways, leaves in PERFT.items():
        game = Checkers(both_ways=both_ways)
        perft(game, game.start(), 1)
        started = time.process_time()
        found = perft(game, game.start(), 12)
        spent = time.process_time() - started
        if found != leaves:
            raise SystemExit(f"perft 12 with both_ways={both_ways} is {found}, expected {leaves}")
        name = "both ways" if both_ways else "once"
        rows.append(
            Row(f"perft 12, circuits {name}, leaves", "M/s", found / spent / 1e6, at_least=30)
        )
    game = Checkers()
    peer = py_draughts()
    rows.append(
        compared(
            f"perft {PEER_DEPTH}, leaves",
            lambda: rate(lambda: perft(game, game.start(), PEER_DEPTH), seconds),
            "py-draughts", peer and (lambda: rate(peer, seconds)), repeats, ratio_at_least=50,
        )
    )  # fmt: skip
    return rows


def py_draughts() -> Callable[[], int] | None:
    """Counts its leaves once; None where it is not installed."""
    try:
        from draughts.boards import american
    except ImportError:
        return None

    class AcfBoard(american.Board):  # type: ignore[misc]
        @property
        def legal_moves(self) -> Any:
            return self._legal_moves_from_core(
                american._CORE, max_capture=False, captures_optional=False
            )

    start = AcfBoard.from_fen("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12")

    def count(board: Any, depth: int) -> int:
        moves = list(board.legal_moves)
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return lambda: count(start, PEER_DEPTH)


def time_engine(repeats: int) -> list[Row]:
    game = Checkers()
    evaluation = game.evaluations["tuned"]
    engine = Engine(game, evaluation, table_bits=20)
    engine.prepare(game.start())
    times, rates = [], []
    for _ in range(repeats):
        engine.new_game()
        started = time.process_time()
        engine.ask(Question(game.start(), evaluation.array, Limits(depth=DEPTH)))
        times.append(time.process_time() - started)
        engine.new_game()
        started = time.process_time()
        found = engine.ask(Question(game.start(), evaluation.array, Limits(nodes=3_000_000)))
        rates.append(found.nodes / (time.process_time() - started) / 1e6)
    return [
        Row(f"engine to depth {DEPTH} from the start", "s", sorted(times)[repeats // 2],
            at_most=3, samples={"ours": times}),
        Row("engine, 3 M nodes from the start", "M/s", sorted(rates)[repeats // 2], at_least=2,
            samples={"ours": rates}),
    ]  # fmt: skip


def time_puzzles() -> list[Row]:
    game = games.make("course-checkers")
    rows = []
    Prover(game).prove(game.parse(PUZZLES["checkers1"]))
    for name, fen in PUZZLES.items():
        started = time.process_time()
        found = Prover(game).prove(game.parse(fen))
        spent = time.process_time() - started
        what = f"proof of {name}: {found.plies} plies, {found.nodes} nodes"
        rows.append(Row(what, "s", spent, at_most=1))
    return rows


def time_tables(pieces: int, side: int, workers: int, at_most: float) -> Row:
    """Wall clock: two threads share the work."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PETTEIA_TABLES"] = folder
        games.solver("checkers(pieces=2)").solve(Control(), workers=1)  # compiled
        solver = games.solver(f"checkers(pieces={pieces}, side={side})")
        started, spent = time.perf_counter(), time.process_time()
        facts = solver.solve(Control(), workers=workers, again=True)
        wall, spent = time.perf_counter() - started, time.process_time() - spent
    what = f"tables to {pieces} pieces, {facts['positions']:,} positions, {workers} threads"
    return Row(f"{what} ({spent:.0f} s of the processor)", "s", wall, at_most=at_most)


@kernel
def read_all(boards: np.ndarray, directory: np.ndarray, like: Words) -> int:
    """Asks the tables about many positions."""
    total = 0
    for row in range(len(boards)):
        total += value_of(load(boards, row, like), directory)
    return total


def time_reading(seconds: float) -> list[Row]:
    """How fast kernels read tables, packed as in their files and plain in memory, and what opening
    them costs."""
    chance = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PETTEIA_TABLES"] = folder
        games.solver("checkers(pieces=4)").solve(Control(), workers=2)
        started = time.process_time()
        tables = Tables()
        for one in slices(4, 4):
            tables.open(one)
        opening = time.process_time() - started
        boards = []
        while len(boards) < 100_000:
            one = slices(4, 4)[int(chance.integers(len(tables.files)))]
            p = placement(int(chance.integers(one.size)), one.array, int(chance.integers(2)))
            if not p[0] & p[1]:
                boards.append(p)
        where = np.array(boards, np.uint64)
        plain = Tables()
        for one in tables.files:
            plain.open(one)
            plain.spread_out(one)
        like = Checkers().start()
        if read_all(where, tables.directory, like) != read_all(where, plain.directory, like):
            raise SystemExit("packed and plain tables differ")

        def reader(found: Tables) -> Callable[[], int]:
            def read() -> int:
                read_all(where, found.directory, like)
                return len(where)

            return read

        return [
            Row(f"opening {len(tables.files)} tables of at most 4 pieces", "s", opening),
            *(
                Row(f"values read, {name}", "M/s", rate(reader(found), seconds) / 1e6)
                for name, found in (("packed", tables), ("plain in memory", plain))
            ),
        ]


def strength(pairs: int) -> list[Row]:
    game = games.make("checkers")
    rows = []
    for first, second, goal in (
        ("engine(time=0.05)", f"{PEERS}:PyDraughts(depth=6, time=60)", 95.0),
        ("engine(time=0.05)", f"{PEERS}:OpenSpielMcts(simulations=2000, time=60)", 95.0),
        ("report(depth=8)", "random", 90.0),
        ("report(depth=8)", "engine(time=0.05)", None),
    ):
        sides = [agents.make(spec, game) for spec in (first, second)]
        result = Match(game, *sides, seed=1, opening="ballots").run(pairs=pairs)
        low, high = (100 * bound for bound in result.interval)
        name = second.split(":")[-1]
        what = f"{first} v {name}, {2 * pairs} games ({low:.0f} to {high:.0f} %)"
        rows.append(Row(what, "%", 100 * result.score, at_least=goal))
        print(rows[-1].cells(), file=sys.stderr, flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for every measurement")
    parser.add_argument("--repeats", type=int, default=5, help="of every measurement")
    parser.add_argument("--strength", type=int, default=0, metavar="PAIRS", help="also play")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all samples here")
    options = parser.parse_args()
    rows = [
        *compare_perft(options.seconds, options.repeats),
        *time_engine(options.repeats),
        *time_puzzles(),
        time_tables(4, 0, 2, 10),
        time_tables(5, 3, 2, 120),
        *time_reading(options.seconds),
    ]
    if options.strength:
        rows += strength(options.strength)
    show(rows, options)


if __name__ == "__main__":
    main()
