"""A matrix game and how it is played: what a search tells where both choose at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.core.agent import Decision
from petteia.search.matrix import exploitability

__all__ = ["Equilibrium", "equilibrium_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Equilibrium:
    """A matrix game and how both sides would play it."""

    payoffs: Floats
    """Of player 0, (rows, columns)."""
    names: tuple[list[str], list[str]]
    """The moves of both players."""
    shares: tuple[Floats, Floats]
    """How often each move is played."""
    value: float
    """For player 0."""

    @property
    def against(self) -> tuple[Floats, Floats]:
        """What each move brings its player against the other's strategy."""
        rows, columns = self.shares
        return self.payoffs @ columns, -(rows @ self.payoffs)

    @property
    def exploitability(self) -> float:
        """What both players together could gain by best responses."""
        return exploitability(self.payoffs, *self.shares)

    def notes(self) -> dict[str, Any]:
        """The same as JSON can write it."""
        return {
            "row_actions": self.names[0],
            "column_actions": self.names[1],
            "matrix": self.payoffs.tolist(),
            "row_strategy": self.shares[0].tolist(),
            "column_strategy": self.shares[1].tolist(),
            "value": self.value,
            "exploitability": self.exploitability,
        }


def equilibrium_of(choice: Decision) -> Equilibrium | None:
    """What an agent found at a position; None where it told no matrix."""
    notes: Mapping[str, Any] = choice.notes or {}
    if "matrix" not in notes:
        return None
    return Equilibrium(
        np.array(notes["matrix"], float),
        (list(notes["row_actions"]), list(notes["column_actions"])),
        (np.array(notes["row_strategy"], float), np.array(notes["column_strategy"], float)),
        float(notes["value"]),
    )
