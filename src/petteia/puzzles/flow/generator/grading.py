"""How hard a puzzle is for a person: what the hardest step is that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from petteia.puzzles.flow.hints.logic import Logic
from petteia.puzzles.flow.rules import Puzzle, Rule

__all__ = ["DIFFICULTIES", "Grade", "grade", "share_of_colours"]

DIFFICULTIES = {
    "easy": (1, (1.0, 2.6)),
    "medium": (2, (0.8, 1.1)),
    "hard": (4, (0.5, 0.9)),
    "expert": (4, (0.5, 0.8)),
}
"""The difficulties, each with the level of the hardest rule that may be needed, and with how many
colours such boards have, as parts of the usual number: the fewer, the harder."""
_OF_KINDS = {
    ("hex", "hard"): (1.2, 2.1),
    ("warps", "easy"): (1.6, 3.0),
    ("warps", "medium"): (1.4, 3.0),
    ("warps", "hard"): (1.4, 2.6),
}
"""The same where boards of a kind have other numbers."""


def share_of_colours(difficulty: str, kind: str) -> tuple[float, float]:
    """How many colours boards of a difficulty have, from and to, as parts of the usual number."""
    return _OF_KINDS.get((kind, difficulty), DIFFICULTIES[difficulty][1])


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
        """easy: it is enough to look at single cells and at the pieces that they end; medium: one
        must know that no path runs beside itself, and what that means for bends; hard: regions
        must be looked at, or one link be tried; expert: more trials, or they do not finish it."""
        if self.level == 5 or self.trials > 1:
            return "expert"
        return ("easy", "medium", "hard", "hard")[self.level - 1]


def grade(
    puzzle: Puzzle,
    rule: Rule,
    *,
    highest: int = 4,
    most_trials: int | None = None,
    end: float | None = None,
) -> Grade:
    """Solves a puzzle as a person would, the easiest rule first.

    Rules above the level ``highest`` are not used; if one is needed, or more than ``most_trials``,
    the level is 5. Raises TimeoutError when the clock ``time.perf_counter`` has passed ``end``.
    """
    logic = Logic(puzzle, rule, end)
    while not logic.done:
        late = most_trials is not None and _trials(logic) > most_trials
        if late or not logic.advance(highest):
            return Grade(5, _trials(logic), len(logic.log))
    hardest = max((step.level for step in logic.log), default=1)
    return Grade(max(1, hardest), _trials(logic), len(logic.log))


def _trials(logic: Logic) -> int:
    return sum(1 for step in logic.log if step.reason == "trial")
