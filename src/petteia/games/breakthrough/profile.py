"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from typing import ClassVar

from petteia.core.game import Game
from petteia.games.breakthrough.evaluations import EVALUATIONS, LEARNED
from petteia.games.breakthrough.face import BreakthroughFace
from petteia.games.breakthrough.report import AsPrinted
from petteia.games.breakthrough.solution.perfect import Perfect

__all__ = ["Breakthrough"]


class Breakthrough(BreakthroughFace, Game):
    """Breakthrough on up to 64 squares, with the variants of the course report."""

    in_short = (
        "Bring a worker to the far row. Workers step straight or diagonally ahead, and capture "
        "diagonally."
    )
    variants: ClassVar = {
        "three-workers": {"workers": 3},
        "long-board": {"columns": 10, "rows": 5},
    }
    evaluations = EVALUATIONS
    default_evaluation = "tuned"
    agents: ClassVar = {AsPrinted.name: AsPrinted, Perfect.name: Perfect}
    solver = "petteia.games.breakthrough.solution.solver:BreakthroughSolver"
    study = "petteia.games.breakthrough.study:STUDY"
    opening_plies = 4

    @property
    def strongest_evaluation(self) -> str | None:
        board = (self.columns, self.rows, self.filled, self.workers)
        return LEARNED.get(board, self.default_evaluation)
