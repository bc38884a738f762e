"""Policies: a choice of moves written as a kernel, so that whole games can run compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petteia.core.compile_time import CompileTime
from petteia.core.words import Words

__all__ = ["PlayedPolicy", "Policy"]


class Policy(CompileTime):
    """How an agent chooses, for kernels: no search memory, no seed, nothing remembered.

    An agent that always plays what a policy says may give it (``Agent.policy``); then series of
    such agents need no call from Python for every move.
    """

    def move(self, game: Any, p: Words, w: np.ndarray, out: np.ndarray) -> int:
        """Kernel: the move at a decision. ``w`` are the weights, ``out`` has room for the moves."""
        raise NotImplementedError


class PlayedPolicy(NamedTuple):
    """A policy and the weights with which it is played."""

    policy: Policy
    weights: np.ndarray
    """Numbers that change without compiling anything."""
