"""Small networks that estimate how a game will end, one for each class of positions.

Each has one hidden layer. Five outputs, all for the player on roll: the chances to win, to win a
gammon or more, to win a backgammon, to lose a gammon or more, to lose a backgammon. All weights
and the scratch memory of the forward pass are one array of single precision.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from petteia.core.words import Words
from petteia.games.backgammon.evaluations.inputs import (
    CONTACT_INPUTS,
    MOST_ACTIVE,
    RACE,
    RACE_INPUTS,
    class_of,
    inputs,
)
from petteia.games.backgammon.rules.board import CHECKERS, checkers

__all__ = [
    "GIVEN_EFFICIENCY", "OUT", "OUTPUTS", "SHAPES", "SIZE", "WEIGHTS", "Shape", "estimate",
    "fresh_weights",
]  # fmt: skip

OUTPUTS = 5


class Shape(NamedTuple):
    """A network's size, and where it stands in the array: the weights into the hidden units, input
    by input and the bias last; then those out of them, output by output, each with its bias last.
    """

    inputs: int
    hidden: int
    into: int
    out: int


def _shapes() -> tuple[Shape, ...]:
    """One after another, by class."""
    sizes = [(CONTACT_INPUTS, 256)] * 3 + [(RACE_INPUTS, 64)]
    lengths = [(inputs + 1) * hidden + OUTPUTS * (hidden + 1) for inputs, hidden in sizes]
    return tuple(
        Shape(inputs, hidden, begin, begin + (inputs + 1) * hidden)
        for (inputs, hidden), begin in zip(sizes, accumulate([0, *lengths]), strict=False)
    )


SHAPES = _shapes()
"""By class, see ``inputs``."""
_PLACES = np.array(SHAPES, np.int64)
WEIGHTS = SHAPES[-1].out + OUTPUTS * (SHAPES[-1].hidden + 1)
"""How many numbers the networks have."""
_SUMS = WEIGHTS
_INDEX = _SUMS + max(shape.hidden for shape in SHAPES)
_VALUE = _INDEX + MOST_ACTIVE
OUT = _VALUE + MOST_ACTIVE
"""Where the outputs stand after a forward pass."""
GIVEN_EFFICIENCY = OUT + OUTPUTS
"""Where the efficiency of the cube stands that a person chose; zero for the usual ones."""
SIZE = GIVEN_EFFICIENCY + 1
"""The whole array: weights, then scratch memory."""


def fresh_weights(seed: int) -> np.ndarray:
    """Small random weights, and outputs that begin near the usual chances."""
    chance = np.random.default_rng(seed)
    w = np.zeros(WEIGHTS, np.float32)
    for shape in SHAPES:
        w[shape.into : shape.out] = chance.uniform(-0.1, 0.1, shape.out - shape.into)
        for output in range(OUTPUTS):
            row = shape.out + output * (shape.hidden + 1)
            w[row : row + shape.hidden] = chance.uniform(-0.1, 0.1, shape.hidden)
            w[row + shape.hidden] = (0.0, -1.2, -4.0, -1.2, -4.0)[output]
    return w


def _layer(w: np.ndarray, at: int, hidden: int, bias: int, active: int) -> None:
    """The sums of the hidden units, through softsign, which costs no exponential."""
    row = at + bias * hidden
    for h in range(hidden):
        w[_SUMS + h] = w[row + h]
    if active & 1 == 1:  # two inputs at a time: half as many looks at the sums
        w[_INDEX + active], w[_VALUE + active] = 0.0, 0.0
    for k in range(0, active, 2):
        row, next_row = at + int(w[_INDEX + k]) * hidden, at + int(w[_INDEX + k + 1]) * hidden
        x, y = w[_VALUE + k], w[_VALUE + k + 1]
        for h in range(hidden):
            w[_SUMS + h] += w[row + h] * x + w[next_row + h] * y
    one = np.float32(1.0)
    for h in range(hidden):
        total = w[_SUMS + h]
        w[_SUMS + h] = total / (one + abs(total))


def _outputs(w: np.ndarray, at: int, hidden: int) -> None:
    for k in range(OUTPUTS):
        row = at + k * (hidden + 1)
        # Four sums side by side: one alone would wait for each addition.
        a = b = c = d = np.float32(0.0)
        for h in range(0, hidden, 4):
            a += w[row + h] * w[_SUMS + h]
            b += w[row + h + 1] * w[_SUMS + h + 1]
            c += w[row + h + 2] * w[_SUMS + h + 2]
            d += w[row + h + 3] * w[_SUMS + h + 3]
        total = (a + b) + (c + d) + w[row + hidden]
        w[OUT + k] = 1.0 / (1.0 + math.exp(-np.float64(total)))


def estimate(p: Words, player: int, w: np.ndarray) -> None:
    """The outputs for a player on roll, into the scratch memory."""
    a, b = (p[0], p[1]) if player == 0 else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if player == 0 else (p[0], p[1])
    kind = class_of(a, b, other_a, other_b)
    active = inputs((a, b, other_a, other_b), kind != RACE, w, _INDEX, _VALUE)
    bias, hidden, into, out = _PLACES[kind]
    _layer(w, into, hidden, bias, active)
    _outputs(w, out, hidden)
    _make_possible(a, b, other_a, other_b, w)


def _make_possible(
    a: np.uint64, b: np.uint64, other_a: np.uint64, other_b: np.uint64, w: np.ndarray
) -> None:
    """Sets what is impossible to 0: no gammon once a checker is off, no part above the whole."""
    from_me, from_other = checkers(a, b) == CHECKERS, checkers(other_a, other_b) == CHECKERS
    if not from_other:
        w[OUT + 1] = w[OUT + 2] = 0.0
    if not from_me:
        w[OUT + 3] = w[OUT + 4] = 0.0
    w[OUT + 1] = min(w[OUT + 1], w[OUT])
    w[OUT + 2] = min(w[OUT + 2], w[OUT + 1])
    w[OUT + 3] = min(w[OUT + 3], np.float32(1.0) - w[OUT])
    w[OUT + 4] = min(w[OUT + 4], w[OUT + 3])
