"""How hard a puzzle is for a person: what the hardest step is that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from petteia.puzzles.flow.hints.logic import Logic
from petteia.puzzles.flow.rules import Puzzle, Rule

__all__ = ["DIFFICULTIES", "Grade", "grade"]

DIFFICULTIES = ("easy", "medium", "hard", "expert")


@dataclass(frozen=True)
class Grade:
    """What solving by deduction takes."""

    level: int
    """Of the hardest step, 1 to 4; 5 if deduction does not finish."""
    trials: int
    """Links that had to be tried."""
    steps: int
    """Links that were settled."""

    @property
    def difficulty(self) -> str:
        """easy: local rules are enough; medium: regions must be looked at, or a link or two be
        tried; hard: more trials; expert: trials do not finish it."""
        if self.level == 5:
            return "expert"
        if self.trials > 2:
            return "hard"
        return "medium" if self.level > 2 else "easy"


def grade(puzzle: Puzzle, rule: Rule) -> Grade:
    """Solves a puzzle as a person would."""
    logic = Logic(puzzle, rule)
    while not logic.done:
        if not logic.advance():
            return Grade(5, _trials(logic), len(logic.log))
    highest = max((step.level for step in logic.log), default=1)
    return Grade(max(1, highest), _trials(logic), len(logic.log))


def _trials(logic: Logic) -> int:
    return sum(1 for step in logic.log if step.reason == "trial")
