"""What an agent finds where both choose at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.core.agent import Decision

__all__ = ["Equilibrium", "equilibrium_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Equilibrium:
    """A matrix game and how an agent would play it on both sides."""

    payoffs: Floats
    """Of player 0, (rows, columns)."""
    names: tuple[list[str], list[str]]
    """The moves of both players."""
    shares: tuple[Floats, Floats]
    """How often each move is played."""
    against: tuple[Floats, Floats]
    """What each move brings its player against the other's strategy."""
    value: float
    """For player 0."""
    exploitability: float | None


def equilibrium_of(choice: Decision) -> Equilibrium | None:
    """What an agent found at a position; None where it told no matrix."""
    notes: Mapping[str, Any] = choice.notes or {}
    if "matrix" not in notes:
        return None
    payoffs = np.array(notes["matrix"], float)
    rows, columns = (np.array(notes[key], float) for key in ("row_strategy", "column_strategy"))
    return Equilibrium(
        payoffs, (list(notes["row_actions"]), list(notes["column_actions"])),
        (rows, columns), (payoffs @ columns, -(rows @ payoffs)), float(notes["value"]),
        notes.get("exploitability"),
    )  # fmt: skip
