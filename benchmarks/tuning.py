"""How fast candidates are judged: whole games in one kernel beside the arena, and a restart.

python benchmarks/tuning.py [--game SPEC --agent SPEC --against SPEC] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np

from petteia.arena.contest import Contest, Job, run_job
from petteia.arena.executors import workers
from petteia.arena.points import is_compiled, pair_points
from petteia.tune.log import Log
from petteia.tune.methods import make
from petteia.tune.run import drive
from petteia.tune.session import setting_of
from petteia.tune.setting import Setting
from petteia.tune.tuner import Plan

RESTART = Plan(restarts=1, iterations=50)


def rates(contest: Contest, pairs: int, repeats: int = 5) -> tuple[float, float]:
    """Games a second of one processor, by the kernel and by the arena; medians, taken in turns."""
    found: tuple[list[float], list[float]] = ([], [])
    few = max(4, pairs // 20)
    for _ in range(repeats):
        started = time.process_time()
        points = pair_points(contest, range(pairs))
        found[0].append(2 * pairs / (time.process_time() - started))
        started = time.process_time()
        played = run_job(Job(contest, tuple(range(few))))
        found[1].append(2 * few / (time.process_time() - started))
        same = [(pair.games[0].result, -pair.games[1].result) for pair in played]
        assert np.array_equal(points[:few], same), "the kernel and the arena play different games"
    return statistics.median(found[0]), statistics.median(found[1])


def restart(setting: Setting) -> tuple[float, float]:
    """Seconds on the clock and of the processor of a restart of the report: 50 x 269 games."""
    tuner = make("hillclimb", setting, RESTART)
    clock, processor = time.perf_counter(), time.process_time()
    for _ in drive(tuner, setting, workers("serial"), Log(None, {})):
        pass
    return time.perf_counter() - clock, time.process_time() - processor


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="breakthrough")
    parser.add_argument("--agent", default="greedy(eval=offensive2)")
    parser.add_argument("--against", default="greedy(eval=defensive2)")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    setting = setting_of(chosen.game, chosen.agent, chosen.against, seed=4)
    contest = setting.contest(setting.agent, setting.against, "bench")
    pair_points(contest, range(2))
    if not is_compiled(contest):
        parser.error("these agents are no policies; they are judged at the arena's speed")
    run_job(Job(contest, (0,)))
    kernel, arena = rates(contest, 1000)
    clock, processor = restart(setting)
    facts = {
        "kernel_games_per_second": kernel,
        "arena_games_per_second": arena,
        "ratio": kernel / arena,
        "restart_seconds": clock,
        "restart_processor_seconds": processor,
    }
    for key, value in facts.items():
        print(f"{key:28} {value:12,.1f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
