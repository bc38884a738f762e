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
from petteia.learn.models import Batch, model_for
from petteia.learn.parameters import Parameters
from petteia.learn.regions import Regions
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


@dataclass(frozen=True)
class Plan:
    """How a network is trained."""

    shape: str = "network"
    hidden: int = 64
    layers: int = 0
    """Units of a network's second layer; 0: there is none."""
    regions: Regions | None = None
    """What patterns need."""
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
        self.model = model_for(self.xp, sides, plan.shape, plan.layers, plan.regions)
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
        self.model.take(given)
        self.steps = self.xp.asarray(given.steps)
        self.moments = [[self.xp.zeros_like(w) for w in self.model.weights] for _ in range(2)]

    def batch(self, rows: Any, order: np.ndarray | None) -> Batch:
        """Some positions; the bits of a view for each player stand side by side."""
        xp, xs, sides = self.xp, [], []
        for number, view in enumerate(self.views[: self.model.views]):
            octets = xp.ascontiguousarray(view[rows]).view(np.uint8).reshape(-1)
            x = xp.unpackbits(octets, bitorder="little").reshape(len(rows), self.bits)
            columns = self.used if order is None else order[self.used]
            x = x[:, xp.asarray(columns)].astype(np.float32)
            side = xp.zeros(len(rows), np.int64)
            if self.sides > 1:
                side = (self.mover[rows] != number).astype(np.int64)
                second = side.astype(np.float32)[:, None]
                x = xp.concatenate([x * (1 - second), x * second], axis=1)
            xs.append(x)
            sides.append(side)
        return Batch(xs, sides, self.phases_of(rows))

    def phases_of(self, rows: Any) -> Any:
        """(n, phases): 1 in the phase of each row, else 0."""
        phase = self.xp.searchsorted(self.steps, self.standing[rows], side="right")
        numbers = self.xp.arange(len(self.steps) + 1)
        return (phase[:, None] == numbers).astype(np.float32)

    def loss(self, rows: np.ndarray, batch: int) -> float:
        """The mean cross entropy."""
        total = 0.0
        for at in range(0, len(rows), batch):
            part = self.xp.asarray(rows[at : at + batch])
            z, _ = self.model.forward(self.batch(part, None))
            total += float((self.xp.logaddexp(0, z) - self.goals[part] * z).sum())
        return total / max(1, len(rows))

    def learn(self, rows: np.ndarray, order: np.ndarray | None, rate: float) -> None:
        """A step along the slope of one batch."""
        xp = self.xp
        part = xp.asarray(rows)
        batch = self.batch(part, order)
        z, kept = self.model.forward(batch)
        d = (1 / (1 + xp.exp(-xp.clip(z, -30, 30))) - self.goals[part]) / len(rows)
        self._move(self.model.slopes(batch, kept, d.astype(np.float32)), rate)
        self.model.bound()

    def _move(self, slopes: list[Any], rate: float) -> None:
        self.step += 1
        first, second = _MOMENTS
        for w, slope, m, v in zip(self.model.weights, slopes, *self.moments, strict=True):
            m += (1 - first) * (slope - m)
            v += (1 - second) * (slope * slope - v)
            w -= (
                rate
                * (m / (1 - first**self.step))
                / (self.xp.sqrt(v / (1 - second**self.step)) + 1e-8)
            )

    def wait(self) -> None:
        """Until the device has done what it was told."""
        float(self.model.weights[-1][0])

    def narrowed(self, given: Parameters) -> Parameters:
        """The same without the rows of bits that no position has."""
        rows = given.rows.reshape(self.sides, self.bits, -1)[:, self.used]
        return given._replace(rows=rows.reshape(self.sides * self.inputs, -1))

    def fresh(self, plan: Plan, rng: np.random.Generator, steps: np.ndarray) -> Parameters:
        """Numbers to begin with."""
        found = self.model.fresh(self.inputs, (plan.hidden, plan.layers), steps, rng)
        return found if plan.regions is None else self.narrowed(found)

    def found(self) -> Parameters:
        """The numbers as they are now, here; bits that no position has count nothing."""
        found = self.model.found()
        rows = np.zeros((self.sides, self.bits, found.rows.shape[1]), found.rows.dtype)
        rows[:, self.used] = found.rows.reshape(self.sides, self.inputs, -1)
        return found._replace(rows=rows.reshape(self.sides * self.bits, -1))


def epoch_seconds(samples: Samples, goals: np.ndarray, sides: int, plan: Plan) -> float:
    """About how long an epoch takes here, from a few of its batches."""
    rng = np.random.default_rng(plan.seed)
    trainer = _Trainer(samples, goals, sides, plan)
    steps = steps_of(samples, plan.phases)
    trainer.begin(trainer.fresh(plan, rng, steps))
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
    trainer.begin(trainer.fresh(plan, rng, steps))
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
