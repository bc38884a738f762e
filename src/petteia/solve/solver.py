"""What a solver is: it computes the exact values of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from petteia.core import spec as specs
from petteia.solve.control import Control
from petteia.solve.kept import KeptTable

__all__ = ["Solver"]


class Solver(ABC):
    """Works out exact values and keeps them.

    ``petteia solve "ur(pieces=3)"`` makes it from the arguments of the spec: ``__init__`` takes
    them with types and defaults and keeps each under its own name. A game names its solver in
    ``Game.solver``.
    """

    game: ClassVar[str] = ""
    """The name of the game that it solves."""

    @abstractmethod
    def solve(self, control: Control, *, workers: int, again: bool = False) -> dict[str, object]:
        """Solves what is not yet solved and returns the facts, as JSON can write them.

        It reports to ``control`` often, keeps each finished part, and goes on from there when it
        is called again; ``again`` forgets what was kept.
        """

    @classmethod
    def kept(cls) -> list[KeptTable]:
        """The tables of this game on this machine, whole or damaged."""
        return []

    @property
    def spec(self) -> specs.Spec:
        """The spec that makes this solver again."""
        return specs.Spec(self.game, specs.arguments(self))

    def __str__(self) -> str:
        return str(self.spec)
