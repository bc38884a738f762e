"""Two small networks that estimate how a game will end, one for contact and one for races.

Each has one hidden layer. Five outputs, all for the player on roll: the chances to win, to win a
gammon or more, to win a backgammon, to lose a gammon or more, to lose a backgammon. All weights
and the scratch memory of the forward pass are one array of single precision.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petteia.core.words import Words
from petteia.games.backgammon.evaluations.inputs import (
    CONTACT_INPUTS,
    MOST_ACTIVE,
    RACE_INPUTS,
    has_contact,
    inputs,
)
from petteia.games.backgammon.rules.board import CHECKERS, checkers

__all__ = [
    "GIVEN_EFFICIENCY", "HIDDEN", "OUT", "OUTPUTS", "RACE_HIDDEN", "SIZE", "WEIGHTS", "estimate",
    "fresh_weights", "money",
]  # fmt: skip

HIDDEN, RACE_HIDDEN, OUTPUTS = 256, 64, 5
# A network is the weights into the hidden units, input by input and the bias last; then those out
# of them, output by output, each with its bias last.
CONTACT = 0
CONTACT_OUT = (CONTACT_INPUTS + 1) * HIDDEN
RACE = CONTACT_OUT + OUTPUTS * (HIDDEN + 1)
RACE_OUT = RACE + (RACE_INPUTS + 1) * RACE_HIDDEN
WEIGHTS = RACE_OUT + OUTPUTS * (RACE_HIDDEN + 1)
"""How many numbers the networks have."""
_SUMS = WEIGHTS
_INDEX = _SUMS + HIDDEN
_VALUE = _INDEX + MOST_ACTIVE
OUT = _VALUE + MOST_ACTIVE
"""Where the outputs stand after a forward pass."""
_SLOPE = OUT + OUTPUTS
GIVEN_EFFICIENCY = _SLOPE + HIDDEN
"""Where the efficiency of the cube stands that a person chose; nought for the usual ones."""
SIZE = GIVEN_EFFICIENCY + 1
"""The whole array: weights, then scratch memory."""


def fresh_weights(seed: int) -> np.ndarray:
    """Small random weights, and outputs that begin near the usual chances."""
    chance = np.random.default_rng(seed)
    w = np.zeros(SIZE, np.float32)
    w[:CONTACT_OUT] = chance.uniform(-0.2, 0.2, CONTACT_OUT)
    w[RACE:RACE_OUT] = chance.uniform(-0.2, 0.2, RACE_OUT - RACE)
    for begin, hidden in ((CONTACT_OUT, HIDDEN), (RACE_OUT, RACE_HIDDEN)):
        for output in range(OUTPUTS):
            row = begin + output * (hidden + 1)
            w[row : row + hidden] = chance.uniform(-0.1, 0.1, hidden)
            w[row + hidden] = (0.0, -1.2, -4.0, -1.2, -4.0)[output]
    return w


def _layer(w: np.ndarray, at: int, hidden: int, bias: int, active: int) -> None:
    """The sums of the hidden units."""
    row = at + bias * hidden
    for h in range(hidden):
        w[_SUMS + h] = w[row + h]
    for k in range(active):
        row = at + int(w[_INDEX + k]) * hidden
        x = w[_VALUE + k]
        for h in range(hidden):
            w[_SUMS + h] += w[row + h] * x


def _activate(w: np.ndarray, hidden: int) -> None:
    """Softsign, which costs no exponential; keeps the slope for training."""
    one = np.float32(1.0)
    for h in range(hidden):
        x = w[_SUMS + h]
        r = one / (one + abs(x))
        w[_SUMS + h] = x * r
        w[_SLOPE + h] = r * r


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


def forward(w: np.ndarray, contact: bool, active: int) -> None:
    """From the inputs in the scratch memory to the outputs there."""
    if contact:
        _layer(w, CONTACT, HIDDEN, CONTACT_INPUTS, active)
        _activate(w, HIDDEN)
        _outputs(w, CONTACT_OUT, HIDDEN)
    else:
        _layer(w, RACE, RACE_HIDDEN, RACE_INPUTS, active)
        _activate(w, RACE_HIDDEN)
        _outputs(w, RACE_OUT, RACE_HIDDEN)


def learn(
    w: np.ndarray, contact: bool, active: int, targets: np.ndarray, row: int, rate: float
) -> None:
    """Moves the weights so that the outputs of the last forward pass come nearer to the targets.

    The error is the cross entropy, whose slope at an output is simply target less output.
    """
    into = CONTACT if contact else RACE
    bias = CONTACT_INPUTS if contact else RACE_INPUTS
    out = CONTACT_OUT if contact else RACE_OUT
    hidden = HIDDEN if contact else RACE_HIDDEN
    step = np.float32(rate)
    for k in range(OUTPUTS):  # how much each hidden unit should grow, times its slope
        at = out + k * (hidden + 1)
        error = step * np.float32(targets[row, k] - w[OUT + k])
        w[OUT + k] = error
        w[at + hidden] += error
    # The slopes become the steps of the hidden sums.
    for h in range(hidden):
        total = np.float32(0.0)
        for k in range(OUTPUTS):
            at = out + k * (hidden + 1) + h
            total += w[OUT + k] * w[at]
            w[at] += w[OUT + k] * w[_SUMS + h]
        w[_SLOPE + h] *= total
    for h in range(hidden):
        w[into + bias * hidden + h] += w[_SLOPE + h]
    for k in range(active):
        at = into + int(w[_INDEX + k]) * hidden
        x = w[_VALUE + k]
        for h in range(hidden):
            w[at + h] += w[_SLOPE + h] * x


def estimate(p: Words, player: int, w: np.ndarray) -> int:
    """The outputs for a player on roll, into the scratch memory.

    Gives 2 * (number of active inputs) + 1 for contact, as ``learn`` needs to know them.
    """
    a, b = (p[0], p[1]) if player == 0 else (p[2], p[3])
    other_a, other_b = (p[2], p[3]) if player == 0 else (p[0], p[1])
    contact = has_contact(a, b, other_a, other_b)
    active = inputs((a, b, other_a, other_b), contact, w, _INDEX, _VALUE)
    forward(w, contact, active)
    _reasonable(a, b, other_a, other_b, contact, w)
    return 2 * active + (1 if contact else 0)


def _reasonable(a: Any, b: Any, other_a: Any, other_b: Any, contact: bool, w: np.ndarray) -> None:
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


def money(w: np.ndarray) -> float:
    """Points a game without the cube, by the outputs in the scratch memory."""
    won, lost = np.float64(w[OUT + 1]) + w[OUT + 2], np.float64(w[OUT + 3]) + w[OUT + 4]
    return 2.0 * np.float64(w[OUT]) - 1.0 + won - lost
