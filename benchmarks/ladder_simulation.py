"""How many games a ladder needs until its ranks are settled: simulated, no game is played.

    OMP_NUM_THREADS=1 python benchmarks/ladder_simulation.py

Submissions have true strengths, drawn from a normal distribution; a game is won with the
probability that the Bradley-Terry model gives their difference. The ladder's own schedule
(``petteia.arena.ladder.schedule``) chooses the meetings, twenty jobs of two pairs at a time as on
ten workers, and its own ratings rank; beside it the same number of games in random order.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy.stats import kendalltau

from petteia.arena.ladder.schedule import Plan
from petteia.arena.statistics import bradley_terry

POINTS = (10, 20, 40, 80, 160, 320, 640, 1280)
"""Games a submission at which the ranking is looked at."""
PAIRS_A_JOB, AT_ONCE = 2, 20


class Simulated:
    """A ladder of submissions whose strengths are known."""

    def __init__(self, count: int, spread: float, pairs: int, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.count, self.pairs = count, pairs
        self.elo = self.random.normal(0.0, spread, count)
        self.scores = np.zeros((count, count))
        self.left = {(i, j): pairs for i in range(count) for j in range(i + 1, count)}
        self.games = 0

    def play(self, first: int, second: int) -> list[float]:
        """A job: the first one's mean score in each pair."""
        number = min(PAIRS_A_JOB, self.left[first, second])
        self.left[first, second] -= number
        chance = 1 / (1 + 10 ** ((self.elo[second] - self.elo[first]) / 400))
        found = [float(score) for score in self.random.binomial(2, chance, number) / 2]
        self.scores[first, second] += 2 * sum(found)
        self.scores[second, first] += 2 * sum(1 - score for score in found)
        self.games += 2 * number
        return found

    def ranking(self) -> dict[str, float]:
        """How far the ranking by the games so far is from the true one."""
        rated = np.array(bradley_terry(self.scores).elo)
        true = np.argsort(np.argsort(-self.elo))
        found = np.argsort(np.argsort(-rated))
        best = set(np.argsort(-self.elo)[:10])
        return {
            "tau": float(kendalltau(self.elo, rated).statistic),
            "error": float(np.abs(true - found).mean()),
            "worst": float(np.abs(true - found).max()),
            "top": len(best & set(np.argsort(-rated)[:10])) / 10,
        }


def informative(ladder: Simulated, until: int, plan: Plan) -> None:
    """Plays the meetings that tell most until there are so many games."""
    while ladder.games < until and plan.is_open:
        chosen = []
        for _ in range(AT_ONCE):
            if not plan.is_open:
                break
            chosen.append(plan.next())
            if ladder.left[chosen[-1]] <= PAIRS_A_JOB:
                plan.close(*chosen[-1])
        for meeting in chosen:
            plan.is_back(*meeting)
            if ladder.left[meeting]:
                plan.add(*meeting, ladder.play(*meeting))


def at_random(ladder: Simulated, until: int) -> None:
    """Plays random meetings until there are so many games."""
    meetings = list(ladder.left)
    while ladder.games < until:
        meeting = meetings[ladder.random.integers(len(meetings))]
        if ladder.left[meeting]:
            ladder.play(*meeting)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--spread", type=float, default=250.0, help="of the strengths, in Elo")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    started = time.perf_counter()
    ladder, other = (
        Simulated(given.submissions, given.spread, given.pairs, given.seed) for _ in range(2)
    )
    plan = Plan(given.submissions)
    for meeting in ladder.left:
        plan.open(*meeting)
    whole = given.submissions * (given.submissions - 1) * given.pairs
    print(f"{given.submissions} submissions, spread {given.spread:g} Elo, seed {given.seed}; all")
    print(f"meetings of {given.pairs} pairs would be {whole:,} games\n")
    print(
        "| games each | games | share of all | Kendall's tau | mean rank error | worst | top ten |"
    )
    print("|---|---|---|---|---|---|---|")
    for each in POINTS:
        until = min(whole, each * given.submissions // 2)
        informative(ladder, until, plan)
        at_random(other, until)
        ours, theirs = ladder.ranking(), other.ranking()
        cells = [str(each), f"{ladder.games:,}", f"{100 * ladder.games / whole:.1f} %"]
        for name, form in (("tau", ".3f"), ("error", ".1f"), ("worst", ".0f"), ("top", ".0%")):
            cells.append(f"{ours[name]:{form}} ({theirs[name]:{form}})")
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
