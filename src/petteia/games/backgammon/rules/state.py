"""The last word of a position: whose turn it is, what is to be done, the cube and the score."""

from __future__ import annotations

import numpy as np

from petteia.compiled import signed
from petteia.core.words import U

__all__ = [
    "CENTRED", "CUBE", "LARGEST_CUBE", "MASKS", "OPENING", "OVER", "PLAY", "ROLL", "SHIFTS",
    "TAKE", "field", "parts_of", "state_of",
]  # fmt: skip

OPENING, ROLL, PLAY, CUBE, TAKE, OVER = range(6)
"""What is to be done: the opening throw, a throw, a play, double or roll, take or drop, nothing."""
CENTRED = 2
"""The owner of a cube that nobody owns."""
LARGEST_CUBE = 10
"""The cube goes up to 2 to this power."""

# Where each part lies: mover, two dice, what is to be done, log2 of the cube, its owner, the two
# scores of the match, whether this is the Crawford game; and at the end the points and the winner.
MOVER, FIRST, SECOND, PHASE, LEVEL, OWNER, SCORES, CRAWFORD, POINTS, WINNER = (
    0, 1, 4, 7, 10, 14, 16, 30, 32, 48,
)  # fmt: skip
SHIFTS = {
    "mover": MOVER, "first": FIRST, "second": SECOND, "phase": PHASE, "level": LEVEL,
    "owner": OWNER, "white": SCORES, "black": SCORES + 7, "crawford": CRAWFORD,
    "points": POINTS, "winner": WINNER,
}  # fmt: skip
MASKS = {
    "mover": 1, "first": 7, "second": 7, "phase": 7, "level": 15, "owner": 3,
    "white": 127, "black": 127, "crawford": 1, "points": 0xFFFF, "winner": 1,
}  # fmt: skip


def field(state: np.uint64, shift: int, mask: int) -> int:
    """Kernel: one part of the word."""
    return signed((state >> U(shift)) & U(mask))


def state_of(**parts: int) -> np.uint64:
    """The word with these parts; the cube is centred unless said."""
    parts = {"owner": CENTRED, **parts}
    assert all(0 <= value <= MASKS[key] for key, value in parts.items()), parts
    return U(sum(value << SHIFTS[key] for key, value in parts.items()))


def parts_of(state: np.uint64) -> dict[str, int]:
    """The parts of the word by name."""
    return {key: int(state) >> shift & MASKS[key] for key, shift in SHIFTS.items()}
