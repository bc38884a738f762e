"""Who this puzzle is."""

from __future__ import annotations

from petteia.core.puzzle import Profile

__all__ = ["PROFILE"]

PROFILE = Profile(
    name="flow",
    title="Flow",
    in_short="Join the two dots of every colour. Paths never cross, and every cell is covered.",
    study="petteia.puzzles.flow.study:STUDY",
)
