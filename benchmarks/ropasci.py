"""How fast RoPaSci 360 is, on one core, and whether the goals are met.

    python benchmarks/ropasci.py [--seconds 2] [--repeats 5] [--matrices 300] [--agree 0]
                                 [--games FILE] [--json FILE]

``--games`` takes positions from recorded games (lines of JSON or referee logs) rather than from our
own play; ``--agree 1000`` also compares the linear program, regret matching and the double oracle
on so many matrices.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.replay import replay
from petteia.core.words import Words
from petteia.core.writing import write_whole
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.games.ropasci.study.parts import copying, positions_of_play
from petteia.search.contract import Question
from petteia.search.matrix import exploitability
from petteia.search.nash import NashSearch
from petteia.search.playout import random_games
from petteia.search.reference_joint import by_double_oracle, by_linear_program

GAME = RoPaSci()
TOKEN = 10.0


def positions(count: int, games: Path | None) -> list[Words]:
    """Positions of recorded games, or of our own play."""
    if games is None:
        return positions_of_play(count)
    kept = GAME.foreign_records(games.read_text()) or []
    every = [p for each in kept for p in replay(each, GAME)[:-1]]
    chosen = np.random.default_rng(1).choice(len(every), min(count, len(every)), replace=False)
    return [every[k] for k in chosen]


def median_rate(work: Callable[[], float], seconds: float, repeats: int) -> float:
    """The median over repeats of what is done in a second of processor time."""
    rates = []
    for _ in range(repeats):
        done, started = 0.0, time.process_time()
        while time.process_time() - started < seconds:
            done += work()
        rates.append(done / (time.process_time() - started))
    return statistics.median(rates)


def solving(places: list[Words], name: str) -> dict[str, float]:
    """Milliseconds to fill and to solve a matrix, and how exact the solution is."""
    evaluation = EVALUATIONS[name]
    search = NashSearch(GAME, evaluation)
    search.ask(Question(places[0], evaluation.array))
    filled, solved, gaps, cells = [], [], [], 0
    for p in places:
        started = time.process_time()
        _, _, matrix = search.matrix(Question(p, evaluation.array))
        middle = time.process_time()
        found = search.solver.solve(matrix)
        solved.append(1000 * (time.process_time() - middle))
        filled.append(1000 * (middle - started))
        gaps.append(exploitability(matrix, found.row, found.column))
        cells += matrix.size
    return {
        "fill_ms": statistics.median(filled),
        "solve_ms": statistics.median(solved),
        "largest_gap": max(gaps),
        "cells_per_second": 1000 * cells / sum(filled),
        "cells": cells / len(places),
    }


def agreement(places: list[Words]) -> dict[str, float]:
    """The largest differences between the ways to solve a matrix."""
    evaluation = EVALUATIONS["report"]
    search = NashSearch(GAME, evaluation)
    worst = {"simplex": 0.0, "double_oracle": 0.0, "regret_matching": 0.0}
    for p in places:
        _, _, matrix = search.matrix(Question(p, evaluation.array))
        value, _, _ = by_linear_program(matrix)
        # A win of 1000 in the matrix would hide differences of tokens: relative to the range.
        size = max(1.0, float(np.ptp(matrix)) / 100)
        by_regret = search.solver.solve(matrix, 1)
        for name, other in (
            ("simplex", search.solver.solve(matrix).value),
            ("double_oracle", by_double_oracle(matrix)[0]),
            ("regret_matching", by_regret.value),
        ):
            worst[name] = max(worst[name], abs(other - value) / size)
    return worst


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=2.0)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--matrices", type=int, default=300)
    options.add_argument("--agree", type=int, default=0)
    options.add_argument("--games", type=Path)
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    random_games(GAME, GAME.start(), 10)
    rate = median_rate(
        lambda: random_games(GAME, GAME.start(), 500).games, given.seconds, given.repeats
    )
    places = positions(max(given.matrices, given.agree), given.games)
    facts: dict[str, Any] = {"random_games_per_second": rate}
    rows = [("random games a second", f"{rate:,.0f}", "23,000", rate >= 23_000)]
    for name in EVALUATIONS:
        found = solving(places[: given.matrices], name)
        facts[name] = found
        per_second = found["cells_per_second"]
        rows += [
            (f"joint successors with `{name}` a second", f"{per_second / 1e6:.2f} M", "2 M",
             per_second >= 2e6),
            (f"a matrix with `{name}` filled ({found['cells']:,.0f} cells), median",
             f"{found['fill_ms']:.2f} ms", "5 ms", found["fill_ms"] <= 5),
            ("the same solved, median", f"{found['solve_ms']:.3f} ms", "1 ms",
             found["solve_ms"] <= 1),
            ("largest exploitability, % of a token", f"{100 * found['largest_gap'] / TOKEN:.2g}",
             "0.5", found["largest_gap"] <= 0.005 * TOKEN),
        ]  # fmt: skip
    facts["copying"] = copying(given.seconds / 2)
    ratio = facts["copying"]["ratio"]
    rows.append(("undo in place of deepcopy, Python", f"{ratio:.1f} times", "33 (report)", True))
    if given.agree:
        facts["agreement"] = agreement(places[: given.agree])
        worst = facts["agreement"]["regret_matching"]
        told = ", ".join(f"{key} {value:.1g}" for key, value in facts["agreement"].items())
        rows.append((f"values against HiGHS, {given.agree} matrices", told, "0.05", worst <= 0.05))
    print("| measured | here | goal | met |\n|---|---|---|---|")
    for what, here, goal, met in rows:
        print(f"| {what} | {here} | {goal} | {'yes' if met else 'no'} |")
    if given.json:
        write_whole(given.json, json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
