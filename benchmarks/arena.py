"""How much the arena costs: games a second, overhead, speed-up on two processes.

python benchmarks/arena.py [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from petteia.arena.contest import Contest, match_of
from petteia.arena.executors import workers
from petteia.arena.match import Pair
from petteia.arena.series import run_series

CHEAP = Contest("breakthrough", "random", "random", seed=1)
ENGINES = Contest("breakthrough", "engine(time=0.01)", "engine(time=0.01)", seed=1)
FIXED = Contest("breakthrough", "engine(nodes=2000)", "engine(nodes=2000)", seed=1)


def overhead(repeats: int = 5, pairs: int = 200) -> float:
    """Milliseconds of one processor for a game of random against random, median of repeats."""
    match = match_of(CHEAP)
    match.pair(0)
    found = []
    for _ in range(repeats):
        started = time.process_time()
        for index in range(pairs):
            match.pair(index)
        found.append(1000 * (time.process_time() - started) / (2 * pairs))
    return statistics.median(found)


def rates(contest: Contest, pairs: int, wish: str) -> tuple[float, float]:
    """Pairs and moves a second of a series, starting up left out.

    Engines with a clock never play the same games twice, and games differ in length: how much two
    processes gain is told by the moves.
    """
    where = workers(wish)
    skipped = 0 if where.count == 1 else where.count
    steps = run_series(contest, pairs, where)
    if not skipped:
        match_of(contest).pair(0)  # this process is warm then, and plays from the first step on
    for _ in range(skipped):  # the first pair of each process
        next(steps)
    started = time.perf_counter()
    *_, result = steps
    passed = time.perf_counter() - started
    counted = result.pairs[skipped:]
    return len(counted) / passed, sum(plies(pair) for pair in counted) / passed


def plies(pair: Pair) -> int:
    """The moves of both games."""
    return sum(game.plies for game in pair.games)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    facts = {"random_ms_per_game": overhead()}
    for name, contest, pairs in (("engine_10ms", ENGINES, 40), ("engine_2000_nodes", FIXED, 200)):
        # At the end of a series one process waits for the other: the longer, the less it weighs.
        single, double = rates(contest, pairs, "serial"), rates(contest, 3 * pairs, "2")
        facts[f"{name}_pairs_per_second_1"] = single[0]
        facts[f"{name}_pairs_per_second_2"] = double[0]
        facts[f"{name}_speed_up"] = double[1] / single[1]
    for key, value in facts.items():
        print(f"{key:36} {value:8.3f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
