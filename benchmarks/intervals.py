"""How often the intervals hold the truth: after a sequential stop, and of a tournament's ratings.

python benchmarks/intervals.py [--trials 200] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import (
    Z95,
    Sample,
    Sprt,
    bradley_terry,
    score_from_elo,
    stopped_estimate,
)

Floats = NDArray[np.float64]
TESTS = (Sprt(0, 30), Sprt(0, 100), Sprt(0, 10))
DIFFERENCES = (0, 15, 30, 60, 120, 250, 450, 600, 800)
FAVOUR = 0.325
"""What the opening is worth to one side: between equals it wins 82.5 % of the games."""
DRAWS = 0.4


def pairs_of(score: float) -> dict[str, Floats]:
    """Distributions of a pair with this mean score, (5,) each."""
    found = {}
    for name, favour in (("independent", 0.0), ("favoured side", min(FAVOUR, 1 - score))):
        first, second = score + favour, score - favour
        found[name] = np.convolve([1 - first, 0, first], [1 - second, 0, second])
    drawn = min(DRAWS, 1.6 * (1 - score))
    won = score - drawn / 2
    game = [1 - won - drawn, drawn, won]
    found["draws"] = np.convolve(game, game)
    return found


def stopped(sprt: Sprt, pair: Floats, trials: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The counts with which simulated series stop, (trials, 5)."""
    like, counts, live = Sample.of_counts((0,) * 5), np.zeros((trials, 5)), np.arange(trials)
    low, high = sprt.bounds
    while len(live):
        counts[live] += rng.multinomial(1, pair, size=len(live))
        ratios = sprt.llrs(counts[live], like)
        live = live[(low < ratios) & (ratios < high)]
    return counts.astype(np.int64)


def after_stops(trials: int) -> list[dict[str, Any]]:
    """The coverage of the corrected interval for each test, difference and sort of pairs."""
    rows = []
    for sprt in TESTS:
        for elo in DIFFERENCES:
            truth = score_from_elo(elo)
            for name, pair in pairs_of(truth).items():
                counts = stopped(sprt, pair, trials, np.random.default_rng(elo))
                found = [stopped_estimate(sprt, row) for row in counts.tolist()]
                each = [one for one in found if one is not None]
                held = [one.low <= truth <= one.high for one in each]
                rows.append(
                    {
                        "test": f"{sprt.elo0:g},{sprt.elo1:g}",
                        "elo": elo,
                        "pairs": name,
                        "mean_pairs": float(counts.sum(1).mean()),
                        "coverage": float(np.sum(held)) / trials,
                        "too_high": float(np.mean([one.mean > truth for one in each])),
                    }
                )
                print("| " + " | ".join(_cell(value) for value in rows[-1].values()) + " |")
    return rows


def of_ratings(trials: int) -> list[dict[str, Any]]:
    """The coverage of rating +- 1.96 errors, for players 200 Elo apart on average."""
    rows = []
    for players in (4, 8):
        for favour in (0.0, 300.0):
            for pairs in (1, 2, 3, 5, 20):
                setting = {"players": players, "favour": favour, "pairs": pairs}
                held = coverage(players, pairs, favour, trials=trials, seed=pairs)
                rows.append({**setting, "coverage": held})
                print("| " + " | ".join(_cell(value) for value in rows[-1].values()) + " |")
    return rows


def coverage(players: int, pairs: int, favour: float, *, trials: int, seed: int) -> float:
    """How many of the true ratings lie within 1.96 errors of what simulated tournaments say.

    ``favour`` is the Elo that the opening of a game is worth to one side; the two games of a pair
    have it on either side.
    """
    rng = np.random.default_rng(seed)
    return sum(_tournament(players, pairs, favour, rng) for _ in range(trials)) / trials


def _tournament(players: int, pairs: int, favour: float, rng: np.random.Generator) -> float:
    """The share of ratings of one simulated tournament whose interval holds the truth."""
    truth = rng.normal(0, 200, players)
    apart = truth[:, None] - truth[None, :]
    chances = np.array([1 / (1 + 10 ** (-(apart + side) / 400)) for side in (favour, -favour)])
    means = np.triu((rng.random((pairs, 2, players, players)) < chances).mean(1), 1)
    means = means + np.tril(1 - means.transpose(0, 2, 1), -1)
    found = bradley_terry(2 * means.sum(0), pair_squares=((means - means.mean(0)) ** 2).sum(0))
    # The ratings that endless games would give: a favoured side brings scores nearer to even.
    endless = bradley_terry(1e6 * chances.mean(0))
    close = np.abs(np.subtract(found.elo, endless.elo)) <= Z95 * np.array(found.errors)
    return float(close.mean())


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--json", type=Path)
    wanted = parser.parse_args()
    print("| test | Elo | pairs | mean pairs | coverage | too high |\n|---|---|---|---|---|---|")
    stops = after_stops(wanted.trials)
    print("\n| players | favour | pairs | coverage |\n|---|---|---|---|")
    ratings = of_ratings(wanted.trials)
    if wanted.json:
        wanted.json.write_text(json.dumps({"stops": stops, "ratings": ratings}, indent=1))


if __name__ == "__main__":
    main()
