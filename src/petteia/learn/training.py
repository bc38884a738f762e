"""Trains a network by stochastic gradient descent (Adam).

The same lines run on NumPy and, with ``device="gpu"``, on CuPy; from one seed both see the same
positions in the same order, and differ by rounding only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from petteia.core.gpu import cupy_for
from petteia.learn.network import Parameters
from petteia.learn.samples import Samples, bits

__all__ = [
    "Plan", "Trained", "chance_of", "epoch_seconds", "fitted_scale", "is_held_out", "targets",
    "train",
]  # fmt: skip

_HELD = 20
"""One game in so many is held out."""
_LAST_RATE = 4e-5
_MOMENTS = 0.9, 0.999
_TRIED = 10
"""Batches that tell how fast a machine is."""
_MOST_OUT = 3.9
"""Weights beyond it could not be kept as whole numbers."""


@dataclass(frozen=True)
class Plan:
    """How a network is trained."""

    hidden: int = 64
    phases: int = 8
    """Parts of the game that have weights of their own at the end."""
    epochs: int = 12
    batch: int = 1024
    rate: float = 5e-3
    """Of the first steps; it falls from there."""
    seed: int = 0
    device: str = "cpu"


@dataclass
class Trained:
    """A network, and how well it knows what it saw and what it never saw."""

    parameters: Parameters
    loss: list[float] = field(default_factory=list)
    """Cross entropy after each epoch."""
    held_out: list[float] = field(default_factory=list)


def chance_of(value: np.ndarray, scale: float) -> np.ndarray:
    """The chance of winning that belongs to a value."""
    found: np.ndarray = 1 / (1 + np.exp(-np.clip(scale * value, -30, 30)))
    return found


def fitted_scale(samples: Samples) -> float:
    """By how much a value must be multiplied to give the logarithm of the odds: the most likely
    one, by Newton's method. Where nearly all games are drawn it is next to nothing; then values
    are spread over the chances as widely as they are elsewhere."""
    known = np.isfinite(samples.value)
    value = samples.value[known].astype(np.float64)
    result = samples.result[known]
    if not np.any(value):
        return 0.0
    scale = 0.5 / float(np.abs(value).mean())
    for _ in range(50):
        q = chance_of(value, scale)
        slope = float(((result - q) * value).mean())
        bend = float((q * (1 - q) * value * value).mean()) + 1e-12
        scale = float(np.clip(scale + slope / bend, 0.2 * scale, 5 * scale))
    spread = float(value.std())
    return max(scale, 1 / spread) if spread > 0 else scale


def targets(samples: Samples, share: float, scale: float | None = None) -> np.ndarray:
    """What the network should say: the search's word, mixed with a share of the game's end.
    ``scale`` makes the logarithm of the odds of a value; by default the one that fits best."""
    scale = fitted_scale(samples) if scale is None else scale
    said = chance_of(np.nan_to_num(samples.value), scale)
    weight = np.where(np.isfinite(samples.value), share, 1.0)
    found: np.ndarray = (weight * samples.result + (1 - weight) * said).astype(np.float32)
    return found


def fresh(
    inputs: int, sides: int, hidden: int, steps: np.ndarray, rng: np.random.Generator
) -> Parameters:
    """Small random numbers, the same in all phases."""
    phases = len(steps) + 1
    return Parameters(
        rng.normal(0, 0.15, (sides * inputs, hidden)).astype(np.float32),
        np.full((sides, hidden), 0.2, np.float32),
        np.tile(rng.normal(0, 0.2, (2, hidden)).astype(np.float32), (phases, 1, 1)),
        np.zeros(phases, np.float32),
        steps,
    )


def standing(samples: Samples) -> np.ndarray:
    """How many bits are set in the mover's view of each position."""
    found: np.ndarray = np.bitwise_count(samples.own).sum(axis=1, dtype=np.int64)
    return found


def steps_of(samples: Samples, phases: int) -> np.ndarray:
    """Where phases begin that have equally many of these positions."""
    parts = np.arange(1, phases) / phases
    found: np.ndarray = np.quantile(standing(samples), parts, method="nearest").astype(np.int64)
    return found


def is_held_out(samples: Samples) -> np.ndarray:
    """Which positions are of games that training never sees."""
    found: np.ndarray = samples.game % _HELD == 0
    return found


def _used(samples: Samples, orders: Sequence[np.ndarray]) -> np.ndarray:
    """The bits that are ever set in a view: the others need no rows."""
    views = [each for each in (samples.own, samples.other) if len(each)]
    every = np.zeros((1, samples.own.shape[1]), np.uint64)
    for view in views:
        every |= np.bitwise_or.reduce(view, axis=0)
    is_set = bits(every)[0] != 0
    found = is_set.copy()
    for order in orders:
        found |= is_set[order]
    return np.flatnonzero(found)


class _Trainer:
    """The arrays on a device, and a step of Adam."""

    def __init__(
        self,
        samples: Samples,
        goals: np.ndarray,
        sides: int,
        plan: Plan,
        orders: Sequence[np.ndarray] = (),
    ) -> None:
        self.xp: Any = np
        if plan.device == "gpu":
            self.xp = cupy_for("training", "leave out --device")
        self.sides = sides
        self.views = [self.xp.asarray(view) for view in (samples.own, samples.other)]
        self.goals = self.xp.asarray(goals)
        self.mover = self.xp.asarray(samples.mover)
        self.standing = self.xp.asarray(standing(samples))
        self.used = _used(samples, orders)
        self.inputs = len(self.used)
        self.bits = 64 * samples.own.shape[1]
        self.step = 0

    def begin(self, given: Parameters) -> None:
        """Takes the numbers to begin with."""
        *learned, steps = given
        self.weights = [self.xp.array(each, np.float32) for each in learned]
        self.steps = self.xp.asarray(steps)
        self.moments = [[self.xp.zeros_like(w) for w in self.weights] for _ in range(2)]

    def inputs_of(self, rows: Any, order: np.ndarray | None) -> list[Any]:
        """The bits of both views; those of a network for each player stand side by side."""
        found = []
        for number, view in enumerate(self.views):
            octets = self.xp.ascontiguousarray(view[rows]).view(np.uint8).reshape(-1)
            x = self.xp.unpackbits(octets, bitorder="little").reshape(len(rows), self.bits)
            columns = self.used if order is None else order[self.used]
            x = x[:, self.xp.asarray(columns)].astype(np.float32)
            if self.sides > 1:
                side = (self.mover[rows] != number).astype(np.float32)[:, None]
                x = self.xp.concatenate([x * (1 - side), x * side], axis=1)
            found.append(x)
        return found

    def sides_of(self, rows: Any, number: int) -> Any:
        """For each row, which player's bias counts."""
        xp = self.xp
        if self.sides == 1:
            return xp.zeros(len(rows), np.int64)
        return (self.mover[rows] != number).astype(np.int64)

    def phases_of(self, rows: Any) -> Any:
        """(n, phases): 1 in the phase of each row, else 0."""
        phase = self.xp.searchsorted(self.steps, self.standing[rows], side="right")
        numbers = self.xp.arange(len(self.steps) + 1)
        return (phase[:, None] == numbers).astype(np.float32)

    def forward(self, rows: Any, xs: list[Any]) -> tuple[Any, list[Any]]:
        """The logarithm of the odds, and the sums of both views."""
        w1, b1, out, rest = self.weights
        sums = [x @ w1 + b1[self.sides_of(rows, k)] for k, x in enumerate(xs)]
        said = rest
        for k, a in enumerate(sums):
            c = self.xp.clip(a, 0, 1)
            said = said + (c * c) @ out[:, k].T
        return (said * self.phases_of(rows)).sum(axis=1), sums

    def loss(self, rows: np.ndarray, batch: int) -> float:
        """The mean cross entropy."""
        total = 0.0
        for at in range(0, len(rows), batch):
            part = self.xp.asarray(rows[at : at + batch])
            z, _ = self.forward(part, self.inputs_of(part, None))
            total += float((self.xp.logaddexp(0, z) - self.goals[part] * z).sum())
        return total / max(1, len(rows))

    def learn(self, rows: np.ndarray, order: np.ndarray | None, rate: float) -> None:
        """A step along the slope of one batch."""
        xp = self.xp
        part = xp.asarray(rows)
        xs = self.inputs_of(part, order)
        z, sums = self.forward(part, xs)
        out = self.weights[2]
        d = (1 / (1 + xp.exp(-xp.clip(z, -30, 30))) - self.goals[part]) / len(rows)
        by_phase = d[:, None] * self.phases_of(part)
        slopes = [xp.zeros_like(w) for w in self.weights]
        for k, (x, a) in enumerate(zip(xs, sums, strict=True)):
            c = xp.clip(a, 0, 1)
            slopes[2][:, k] = by_phase.T @ (c * c)
            inner = (by_phase @ out[:, k]) * (2 * c) * ((a > 0) & (a < 1))
            slopes[0] += x.T @ inner
            side = self.sides_of(part, k)
            for player in range(self.sides):
                slopes[1][player] += inner[side == player].sum(0)
        slopes[3][:] = by_phase.sum(axis=0)
        self._move(slopes, rate)
        xp.clip(out, -_MOST_OUT, _MOST_OUT, out=out)

    def _move(self, slopes: list[Any], rate: float) -> None:
        self.step += 1
        first, second = _MOMENTS
        for w, slope, m, v in zip(self.weights, slopes, *self.moments, strict=True):
            m += (1 - first) * (slope - m)
            v += (1 - second) * (slope * slope - v)
            w -= (
                rate
                * (m / (1 - first**self.step))
                / (self.xp.sqrt(v / (1 - second**self.step)) + 1e-8)
            )

    def wait(self) -> None:
        """Until the device has done what it was told."""
        float(self.weights[3][0])

    def narrowed(self, given: Parameters) -> Parameters:
        """The same without the rows of bits that no position has."""
        rows = given.rows.reshape(self.sides, self.bits, -1)[:, self.used]
        return given._replace(rows=rows.reshape(self.sides * self.inputs, -1))

    def found(self) -> Parameters:
        """The numbers as they are now, here; bits that no position has count nothing."""
        learned = [np.array(getattr(w, "get", lambda w=w: w)()) for w in self.weights]
        rows = np.zeros((self.sides, self.bits, learned[0].shape[1]), np.float32)
        rows[:, self.used] = learned[0].reshape(self.sides, self.inputs, -1)
        steps = np.array(getattr(self.steps, "get", lambda: self.steps)())
        _, bias, out, rest = learned
        return Parameters(rows.reshape(self.sides * self.bits, -1), bias, out, rest, steps)


def epoch_seconds(samples: Samples, goals: np.ndarray, sides: int, plan: Plan) -> float:
    """About how long an epoch takes here, from a few of its batches."""
    rng = np.random.default_rng(plan.seed)
    trainer = _Trainer(samples, goals, sides, plan)
    steps = steps_of(samples, plan.phases)
    trainer.begin(fresh(trainer.inputs, sides, plan.hidden, steps, rng))
    rows = rng.choice(len(goals), min(plan.batch, len(goals)), replace=False)
    trainer.learn(rows, None, plan.rate)
    trainer.wait()
    started = time.perf_counter()
    for _ in range(_TRIED):
        trainer.learn(rows, None, plan.rate)
    trainer.wait()
    return (time.perf_counter() - started) / _TRIED * max(1, len(goals) // plan.batch)


def train(
    samples: Samples,
    goals: np.ndarray,
    sides: int,
    plan: Plan,
    *,
    orders: Sequence[np.ndarray] = (),
    start: Parameters | None = None,
) -> Iterator[Trained]:
    """Trains a network towards the goals, a fresh one or one to start with; tells after each epoch
    what was learned so far.

    ``orders`` are the game's symmetries: each batch is seen as it is or through one of them.
    """
    rng = np.random.default_rng(plan.seed)
    is_held = is_held_out(samples)
    held, seen = np.flatnonzero(is_held), np.flatnonzero(~is_held)
    trainer = _Trainer(samples, goals, sides, plan, orders)
    steps = steps_of(samples, plan.phases)
    trainer.begin(fresh(trainer.inputs, sides, plan.hidden, steps, rng))
    if start is not None:
        trainer.begin(trainer.narrowed(start))
    sample = rng.choice(seen, min(len(seen), max(len(held), 1000)), replace=False)
    every: list[np.ndarray | None] = [None, *orders]
    batches = max(1, len(seen) // plan.batch)
    trained = Trained(trainer.found())
    for epoch in range(plan.epochs):
        rng.shuffle(seen)
        for number in range(batches):
            done = (epoch * batches + number) / (plan.epochs * batches)
            rate = _LAST_RATE + (plan.rate - _LAST_RATE) * (1 + np.cos(np.pi * done)) / 2
            rows = seen[number * plan.batch : (number + 1) * plan.batch]
            trainer.learn(rows, every[rng.integers(len(every))], float(rate))
        trained.loss.append(trainer.loss(sample, plan.batch))
        trained.held_out.append(trainer.loss(held, plan.batch) if len(held) else float("nan"))
        trained.parameters = trainer.found()
        yield trained
