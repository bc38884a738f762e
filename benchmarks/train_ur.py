"""How Ur's linear model ``fitted`` and its network ``distilled`` are made from the exact solution.

    python benchmarks/train_ur.py [--positions 12000000] [--epochs 6] [--out FILE.npz]

Needs the table of the whole game (petteia solve ur). Positions before the dice come from perfect
play in which no move, every tenth and four of ten are random, a third of them each; their targets
are the exact chances. The linear model is a logistic regression by Newton's method. The network has
layers of 256 and 128 on the features of ``distilled``, learns by cross-entropy with Adam in batches
of 4,096 and a rate that falls to nothing, and is written in half precision. A twentieth of the
positions is held out: the mean error there is printed, in chances of winning.
"""

from __future__ import annotations

import argparse
import io
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from petteia.core.game import CHANCE
from petteia.core.words import U
from petteia.core.writing import write_whole
from petteia.games.ur import Ur
from petteia.games.ur.evaluations.distilled import inputs
from petteia.games.ur.learning import FEATURES
from petteia.games.ur.solution.sweep import index_of
from petteia.games.ur.solution.tables import SCALE, Values
from petteia.games.ur.study.strength import positions_of_play

SLIPS = (0.0, 0.1, 0.4)
LAYERS = (60, 256, 128, 1)
BATCH, RATE = 4096, 2e-3


def samples(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """First words of positions, and the exact chance of the side to roll."""
    known = Values(Ur())
    part = count // len(SLIPS)
    words = np.concatenate(
        [
            positions_of_play(known, part, kind=CHANCE, slips=slips, seed=seed + place)
            for place, slips in enumerate(SLIPS)
        ]
    )
    words = np.unique(words)
    places = [index_of(known.game, (U(int(word)), U(0)), known.exact.layout) for word in words]
    chances = known.table.data[np.array(places)].astype(np.float32) / SCALE
    order = np.random.default_rng(seed).permutation(len(words))
    return words[order], chances[order]


def linear(x: np.ndarray) -> np.ndarray:
    """The 33 features of the linear model from the 60 of the network."""
    sides = []
    for at in (0, 30):
        counts = np.arange(8, dtype=np.float32)
        hand, home = x[:, at + 14 : at + 22] @ counts, x[:, at + 22 : at + 30] @ counts
        sides.append(np.column_stack([hand, x[:, at : at + 14], home]))
    found = np.column_stack([*sides, np.ones(len(x), np.float32)])
    assert found.shape[1] == FEATURES
    return found


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 1e-3) -> np.ndarray:
    """Logistic regression on chances, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-x @ w))
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + ridge * np.eye(len(w))
        w += np.linalg.solve(curve, x.T @ (y - chance) - ridge * w)
    return w


class Network:
    """Three layers with rectifiers between them, and Adam."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.numbers = []
        for size, to in pairwise(LAYERS):
            scale = np.sqrt(2 / size)
            self.numbers += [rng.normal(0, scale, (size, to)), np.zeros(to)]
        self.numbers = [each.astype(np.float32) for each in self.numbers]
        self.means = [np.zeros_like(each) for each in self.numbers]
        self.squares = [np.zeros_like(each) for each in self.numbers]
        self.steps = 0

    def forward(self, x: np.ndarray) -> list[np.ndarray]:
        """What each layer gives; the last is the chance of winning."""
        w0, b0, w1, b1, w2, b2 = self.numbers
        first = np.maximum(x @ w0 + b0, 0)
        second = np.maximum(first @ w1 + b1, 0)
        return [first, second, 1 / (1 + np.exp(-(second @ w2 + b2)[:, 0]))]

    def learn(self, x: np.ndarray, y: np.ndarray, rate: float) -> None:
        """One step of Adam on the cross-entropy of a batch."""
        first, second, chance = self.forward(x)
        error = ((chance - y) / len(y))[:, None]
        back2 = error @ self.numbers[4].T * (second > 0)
        back1 = back2 @ self.numbers[2].T * (first > 0)
        slopes = [x.T @ back1, back1.sum(0), first.T @ back2, back2.sum(0)]
        slopes += [second.T @ error, error.sum(0)]
        self.steps += 1
        fair = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for each, mean, square, slope in zip(
            self.numbers, self.means, self.squares, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            each -= np.float32(rate * fair) * mean / (np.sqrt(square) + np.float32(1e-8))

    def error(self, words: np.ndarray, y: np.ndarray) -> float:
        """The mean difference to the exact chances."""
        parts = range(0, len(words), 1 << 16)
        found = [self.forward(inputs(words[at : at + (1 << 16)]))[-1] for at in parts]
        return float(np.abs(np.concatenate(found) - y).mean())

    def save(self, path: Path) -> None:
        """Writes the weights as ``distilled`` reads them."""
        named = {
            f"{'wb'[place % 2]}{place // 2}": each.astype(np.float16)
            for place, each in enumerate(self.numbers)
        }
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **named)
        write_whole(path, file.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=12_000_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    words, chances = samples(given.positions, given.seed)
    held = len(words) // 20
    print(f"{len(words)} different positions, {held} of them held out", flush=True)
    some = slice(held, held + 1_000_000)
    weights = fit(linear(inputs(words[some])).astype(np.float64), chances[some])
    guess = 1 / (1 + np.exp(-linear(inputs(words[:held])) @ weights))
    print("fitted:", ", ".join(f"{weight:.4f}" for weight in weights))
    print(f"fitted: mean error {np.abs(guess - chances[:held]).mean():.4f}", flush=True)
    network, rng = Network(given.seed), np.random.default_rng(given.seed)
    batches, started = (len(words) - held) // BATCH, time.perf_counter()
    for epoch in range(given.epochs):
        order = held + rng.permutation(len(words) - held)
        for number in range(batches):
            done = (epoch + number / batches) / given.epochs
            chosen = order[number * BATCH : (number + 1) * BATCH]
            rate = RATE * 0.5 * (1 + np.cos(np.pi * done))
            network.learn(inputs(words[chosen]), chances[chosen], rate)
        error = network.error(words[:held], chances[:held])
        left = (time.perf_counter() - started) * (given.epochs - epoch - 1) / (epoch + 1)
        print(f"epoch {epoch + 1}: mean error {error:.4f}, about {left:.0f} s to go", flush=True)
    if given.out:
        network.save(given.out)
        print(given.out)


if __name__ == "__main__":
    main()
