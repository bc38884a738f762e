"""What training knows of each shape: its numbers at the beginning, its value, and its slopes.

A model gets arrays of NumPy or CuPy and uses only what both have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from petteia.learn.parameters import Parameters
from petteia.learn.regions import Regions

__all__ = ["Batch", "Model", "model_for"]

_MOST_OUT = 3.9
"""Weights of a network beyond it could not be kept as whole numbers."""


class Batch(NamedTuple):
    """Some positions as a model sees them."""

    xs: Sequence[Any]
    """(n, inputs): the bits of the mover's view, and of the other's where a model wants it."""
    sides: Sequence[Any]
    """(n,): which player's rows count in them."""
    phases: Any
    """(n, phases): 1 in the phase of each position, else 0."""


class Model:
    """How a shape makes the logarithm of the odds of positions, and what to change in it."""

    learned: ClassVar[tuple[str, ...]]
    """The parameters that are learned, in the order of ``weights``."""
    views: ClassVar[int] = 1
    """1 if it looks at the mover's view alone."""

    def __init__(self, xp: Any, sides: int) -> None:
        self.xp, self.sides = xp, sides
        self.weights: list[Any] = []
        self.fixed: dict[str, Any] = {}

    def fresh(
        self, inputs: int, sizes: tuple[int, int], steps: np.ndarray, rng: np.random.Generator
    ) -> Parameters:
        """Numbers to begin with; ``sizes`` are the units of the first layer and of the second."""
        raise NotImplementedError

    def take(self, given: Parameters) -> None:
        """Goes on from these numbers."""
        numbers = given._asdict()
        self.weights = [self.xp.array(numbers.pop(name), np.float32) for name in self.learned]
        self.fixed = numbers

    def forward(self, batch: Batch) -> tuple[Any, Any]:
        """The logarithm of the odds, and what ``slopes`` needs again."""
        raise NotImplementedError

    def slopes(self, batch: Batch, kept: Any, d: Any) -> list[Any]:
        """For each of the weights; ``d`` is the slope of the loss by the logarithm of the odds."""
        raise NotImplementedError

    def bound(self) -> None:
        """Keeps weights where they can be made whole numbers."""

    def found(self) -> Parameters:
        """The numbers as they are now, here."""
        numbers = [np.array(getattr(w, "get", lambda w=w: w)()) for w in self.weights]
        return Parameters(**{**self.fixed, **dict(zip(self.learned, numbers, strict=True))})

    def by_side(self, slope: Any, side: Any, rows: Any) -> None:
        """Adds the slopes of a layer's sums to those of its bias."""
        for player in range(self.sides):
            slope[player] += rows[side == player].sum(0)


class Network(Model):
    """bits -> 2 x hidden -> 1."""

    learned: ClassVar[tuple[str, ...]] = ("rows", "bias", "out", "rest")
    views = 2

    def fresh(
        self, inputs: int, sizes: tuple[int, int], steps: np.ndarray, rng: np.random.Generator
    ) -> Parameters:
        hidden, phases = sizes[0], len(steps) + 1
        return Parameters(
            rng.normal(0, 0.15, (self.sides * inputs, hidden)).astype(np.float32),
            np.full((self.sides, hidden), 0.2, np.float32),
            np.tile(rng.normal(0, 0.2, (2, hidden)).astype(np.float32), (phases, 1, 1)),
            np.zeros(phases, np.float32),
            steps,
        )

    def sums(self, batch: Batch) -> list[Any]:
        """Of both views."""
        rows, bias = self.weights[:2]
        return [x @ rows + bias[side] for x, side in zip(batch.xs, batch.sides, strict=True)]

    def first(self, batch: Batch, sums: Sequence[Any], inner: Sequence[Any]) -> tuple[Any, Any]:
        """The slopes of rows and bias, from those of the squares of both views."""
        rows, bias = (self.xp.zeros_like(w) for w in self.weights[:2])
        for x, side, a, by in zip(batch.xs, batch.sides, sums, inner, strict=True):
            by = by * (2 * self.xp.clip(a, 0, 1)) * ((a > 0) & (a < 1))
            rows += x.T @ by
            self.by_side(bias, side, by)
        return rows, bias

    def forward(self, batch: Batch) -> tuple[Any, Any]:
        _, _, out, rest = self.weights
        sums = self.sums(batch)
        said = rest
        for k, a in enumerate(sums):
            c = self.xp.clip(a, 0, 1)
            said = said + (c * c) @ out[:, k].T
        return (said * batch.phases).sum(axis=1), sums

    def slopes(self, batch: Batch, kept: Any, d: Any) -> list[Any]:
        out = self.weights[2]
        by_phase = d[:, None] * batch.phases
        slope = self.xp.zeros_like(out)
        for k, a in enumerate(kept):
            c = self.xp.clip(a, 0, 1)
            slope[:, k] = by_phase.T @ (c * c)
        first = self.first(batch, kept, [by_phase @ out[:, k] for k in range(2)])
        return [*first, slope, by_phase.sum(axis=0)]

    def bound(self) -> None:
        out = self.weights[2]
        self.xp.clip(out, -_MOST_OUT, _MOST_OUT, out=out)


class TwoLayers(Network):
    """bits -> 2 x hidden -> layers -> 1."""

    learned = ("rows", "bias", "inner", "inner_bias", "out", "rest")

    def fresh(
        self, inputs: int, sizes: tuple[int, int], steps: np.ndarray, rng: np.random.Generator
    ) -> Parameters:
        (hidden, layers), phases = sizes, len(steps) + 1
        first = super().fresh(inputs, sizes, steps, rng)
        return first._replace(
            inner=rng.normal(0, 1 / np.sqrt(hidden), (2 * hidden, layers)).astype(np.float32),
            inner_bias=np.full((phases, layers), 0.3, np.float32),
            out=np.tile(rng.normal(0, 0.5, layers).astype(np.float32), (phases, 1)),
        )

    def forward(self, batch: Batch) -> tuple[Any, Any]:
        _, _, inner, added, out, rest = self.weights
        sums = self.sums(batch)
        clipped = self.xp.concatenate([self.xp.clip(a, 0, 1) for a in sums], axis=1)
        squares = clipped * clipped
        second = squares @ inner + batch.phases @ added
        said = (self.xp.clip(second, 0, 1) * (batch.phases @ out)).sum(axis=1)
        return said + batch.phases @ rest, (sums, squares, second)

    def slopes(self, batch: Batch, kept: Any, d: Any) -> list[Any]:
        _, _, inner, _, out, _ = self.weights
        sums, squares, second = kept
        by_out = batch.phases.T @ (d[:, None] * self.xp.clip(second, 0, 1))
        by = d[:, None] * (batch.phases @ out) * ((second > 0) & (second < 1))
        back = by @ inner.T
        hidden = back.shape[1] // 2
        first = self.first(batch, sums, [back[:, :hidden], back[:, hidden:]])
        return [*first, squares.T @ by, batch.phases.T @ by, by_out, batch.phases.T @ d]

    def bound(self) -> None:
        """They stay small by themselves."""


class Linear(Model):
    """A weight for each bit and each phase."""

    learned = ("rows", "bias", "rest")

    def fresh(
        self, inputs: int, sizes: tuple[int, int], steps: np.ndarray, rng: np.random.Generator
    ) -> Parameters:
        phases = len(steps) + 1
        wanted = (self.sides * inputs, phases), (self.sides, phases), (phases, 0), (phases,)
        rows, bias, out, rest = (np.zeros(each, np.float32) for each in wanted)
        return Parameters(rows, bias, out, rest, steps, shape="linear")

    def forward(self, batch: Batch) -> tuple[Any, Any]:
        rows, bias, rest = self.weights
        said = batch.xs[0] @ rows + bias[batch.sides[0]] + rest
        return (said * batch.phases).sum(axis=1), None

    def slopes(self, batch: Batch, kept: Any, d: Any) -> list[Any]:
        by_phase = d[:, None] * batch.phases
        bias = self.xp.zeros_like(self.weights[1])
        self.by_side(bias, batch.sides[0], by_phase)
        return [batch.xs[0].T @ by_phase, bias, by_phase.sum(axis=0)]


class Patterns(Model):
    """Tables of regions."""

    learned = ("out", "rest")

    def __init__(self, xp: Any, sides: int, regions: Regions) -> None:
        super().__init__(xp, sides)
        self.regions = regions

    def fresh(
        self, inputs: int, sizes: tuple[int, int], steps: np.ndarray, rng: np.random.Generator
    ) -> Parameters:
        phases, (rows, bias, size) = len(steps) + 1, self.regions
        tables = np.zeros((phases, rows.shape[1], size), np.float32)
        return Parameters(rows, bias, tables, np.zeros(phases, np.float32), steps, shape="patterns")

    def take(self, given: Parameters) -> None:
        super().take(given)
        self.rows = self.xp.asarray(given.rows.astype(np.float32))
        self.bias = self.xp.asarray(given.bias.astype(np.float32))

    def forward(self, batch: Batch) -> tuple[Any, Any]:
        tables, rest = self.weights
        places = self.xp.rint(batch.xs[0] @ self.rows + self.bias[batch.sides[0]]).astype(np.int64)
        lanes, size = tables.shape[1:]
        places += size * (self.xp.arange(lanes) + lanes * batch.phases.argmax(axis=1)[:, None])
        said = tables.reshape(-1)[places].sum(axis=1)
        return said + batch.phases @ rest, places

    def slopes(self, batch: Batch, kept: Any, d: Any) -> list[Any]:
        tables = self.weights[0]
        every = self.xp.repeat(d, tables.shape[1])
        slope = self.xp.bincount(kept.reshape(-1), weights=every, minlength=tables.size)
        return [slope.reshape(tables.shape).astype(np.float32), batch.phases.T @ d]


def model_for(xp: Any, sides: int, shape: str, layers: int, regions: Regions | None) -> Model:
    """The model of a shape."""
    if shape == "patterns":
        assert regions is not None, "patterns need regions"
        return Patterns(xp, sides, regions)
    if shape == "linear":
        return Linear(xp, sides)
    return (TwoLayers if layers else Network)(xp, sides)
