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
    """Pairs and moves a second from the first pairs' arrival on, so that starting up is left out.

    Engines with a clock never play the same games twice, and games differ in length: how much two
    processes gain is told by the moves.
    """
    where = workers(wish)
    steps = run_series(contest, pairs, where)
    for _ in range(where.count):
        before = next(steps)
    started = time.perf_counter()
    *_, result = steps
    passed = time.perf_counter() - started
    moves = sum(plies(each) for each in result.pairs) - sum(plies(each) for each in before.pairs)
    return (len(result.pairs) - len(before.pairs)) / passed, moves / passed


def plies(pair: Pair) -> int:
    """The moves of both games."""
    return sum(game.plies for game in pair.games)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    facts = {"random_ms_per_game": overhead()}
    for name, contest, pairs in (("engine_10ms", ENGINES, 50), ("engine_2000_nodes", FIXED, 200)):
        single, double = rates(contest, pairs, "serial"), rates(contest, pairs, "2")
        facts[f"{name}_pairs_per_second_1"] = single[0]
        facts[f"{name}_pairs_per_second_2"] = double[0]
        facts[f"{name}_speed_up"] = double[1] / single[1]
    for key, value in facts.items():
        print(f"{key:36} {value:8.3f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
