"""The recipe of the evaluation ``fitted``: logistic regression on games of the pool.

    python -m petteia.games.ropasci.learning.fitting --games 8000 --seed 1 [--workers 16]
        [--keep FOLDER] [--write]

A game of the pool says who won, and the fit asks which features tell that beforehand. Every tenth
game is not learned from but tested on. Drawn games are left out: no feature can tell who wins a
draw. ``--keep`` writes the positions to a folder and takes those that are there already;
``--write`` makes the weights the evaluation's own.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from petteia.compiled import kernel
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import learned
from petteia.games.ropasci.learning.pool import Pool, play_games

__all__ = ["Data", "data_of", "feature_rows", "fit", "log_loss", "logistic"]

LEFT_OUT = ("throws_log", "exposed", "two_away")
"""Features without which games that were held out are foretold as well: their weights stay 0."""
_RIDGE, _EARLY_RIDGE = 3e-3, 3e-2
"""By how much weights are drawn to 0; those that count early have less to learn from."""
_HELD_OUT = 10
NAMES = tuple(learned.FITTED.weights)[: 2 * len(learned.FEATURES)]
"""Of the weights that are coefficients."""
_AT_ONCE = 100
"""Games that a worker plays before it reports."""


class Data(NamedTuple):
    """Positions with how their games ended."""

    words: np.ndarray
    """(positions, 11)"""
    results: np.ndarray
    """Upper's: 1, 0 or -1."""
    games: np.ndarray
    """The number of the game."""


def data_of(seed: int, count: int, first: int) -> Data:
    """The positions of so many games of the pool, numbered from ``first``."""
    lessons = play_games(Pool(RoPaSci()), count, seed, first)
    flat = [(p, each, first + n) for n, each in enumerate(lessons) for p in each.positions]
    return Data(
        np.array([[int(word) for word in p] for p, _, _ in flat], np.uint64).reshape(-1, 11),
        np.array([each.result for _, each, _ in flat], np.int8),
        np.array([number for _, _, number in flat], np.int64),
    )


@kernel
def write_features(game: Any, words: np.ndarray, out: np.ndarray, early: np.ndarray) -> None:
    """The features of positions for upper, row by row, and the share of throws left."""
    at = 0
    for i in range(len(early)):
        w = words[11 * i : 11 * i + 11]
        p = (w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10])
        found = learned.features(game, p, 0)
        early[i] = learned.early(game, p)
        for j in range(len(found) - 2):  # the last two are no features
            out[at] = found[j]
            at += 1


def feature_rows(game: RoPaSci, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each weight is multiplied with, shape (positions, weights); the share of throws left."""
    count, width = len(words), len(learned.FEATURES)
    out, early = np.zeros(count * width), np.zeros(count)
    write_features(game, np.ascontiguousarray(words).reshape(-1), out, early)
    plain = out.reshape(count, width)
    return np.stack([plain, plain * early[:, None]], axis=2).reshape(count, 2 * width), early


def logistic(x: np.ndarray, y: np.ndarray, ridge: np.ndarray) -> np.ndarray:
    """Weights that make the results ``y`` (0 to 1) likeliest, by Newton's method."""
    scale = x.std(axis=0)
    scale[scale < 1e-9] = 1.0
    z, w = x / scale, np.zeros(x.shape[1])
    for _ in range(50):
        expected = 0.5 * (1 + np.tanh(0.5 * (z @ w)))
        slope = z.T @ (y - expected) / len(y) - ridge * w
        curve = (z.T * (expected * (1 - expected))) @ z / len(y) + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        w += step
        if float(np.abs(step).max()) < 1e-9:
            break
    return np.asarray(w / scale)


def log_loss(logits: np.ndarray, y: np.ndarray) -> float:
    """The mean log loss in nats; 0.693 is that of a coin."""
    return float(np.mean(np.logaddexp(0, logits) - y * logits))


def fit(game: RoPaSci, data: Data) -> tuple[dict[str, float], dict[str, float]]:
    """The weights, and the figures of the fit."""
    is_won = data.results != 0
    x, _ = feature_rows(game, data.words[is_won])
    y, games = 0.5 + data.results[is_won] / 2, data.games[is_won]
    x[:, [i for i, name in enumerate(NAMES) if name.removesuffix("_early") in LEFT_OUT]] = 0.0
    is_held = games % _HELD_OUT == _HELD_OUT - 1
    ridge = np.tile([_RIDGE, _EARLY_RIDGE], len(learned.FEATURES))
    w = logistic(x[~is_held], y[~is_held], ridge)
    figures = {
        "games": len(np.unique(data.games)),
        "decided": len(np.unique(games)),
        "positions": len(y),
        "log_loss": log_loss(x[~is_held] @ w, y[~is_held]),
        "held_out": log_loss(x[is_held] @ w, y[is_held]),
    }
    return dict(zip(NAMES, np.round(w, 4).tolist(), strict=True)), figures


def _played(seed: int, games: int, workers: int, folder: Path | None) -> Data:
    parts = list[Data]()
    for path in sorted(folder.glob("*.npz")) if folder else ():
        kept = np.load(path)
        parts.append(Data(*(kept[name] for name in Data._fields)))
    wanted = max(0, games - sum(len(np.unique(part.games)) for part in parts))
    if wanted:
        with ProcessPoolExecutor(workers) as pool:
            jobs = [
                pool.submit(data_of, seed, _AT_ONCE, first) for first in range(0, wanted, _AT_ONCE)
            ]
            played = [job.result() for job in jobs]
        parts += played
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            whole = Data(*(np.concatenate(columns) for columns in zip(*played, strict=True)))
            np.savez_compressed(folder / f"games-{seed}.npz", **whole._asdict())
    return Data(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--keep", type=Path)
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    data = _played(asked.seed, asked.games, asked.workers, asked.keep)
    weights, figures = fit(RoPaSci(), data)
    print(json.dumps(figures, indent=1))
    if asked.write:
        settings = {name: learned.FITTED.weights[name] for name in learned.SETTINGS}
        learned.write_weights("fitted", {**weights, **settings})


if __name__ == "__main__":
    main()
