"""Policies: a choice of moves written as a kernel, so that whole games can run compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core.compile_time import CompileTime
from petteia.core.evaluation import Evaluation
from petteia.core.words import Words

__all__ = ["Playable", "Policy"]


class Policy(CompileTime):
    """How to choose a move; it is compiled with the game and an evaluation.

    It remembers nothing from one move to the next.
    """

    def pick(
        self, game: Any, evaluation: Any, p: Words, w: np.ndarray, seed: int, memory: Any
    ) -> int:
        """Kernel: the chosen legal move.

        ``memory.out`` has room for the moves, ``memory.scratch`` for some numbers, and
        ``memory.state`` is a word of randomness of the policy's own; ``seed`` decides all chance.
        """
        raise NotImplementedError


class Playable(NamedTuple):
    """All there is to an agent that always follows a policy (``Agent.playable``).

    Series of such agents need no call from Python for every move.
    """

    policy: Policy
    evaluation: Evaluation
    """The tag, which kernels are compiled for."""
    weights: np.ndarray
    """Numbers that change without compiling anything."""

    def own_weights(self) -> np.ndarray:
        """The weights for one thread: a copy, where the evaluation notes in them what it saw."""
        return self.weights.copy() if self.evaluation.remembers else self.weights
