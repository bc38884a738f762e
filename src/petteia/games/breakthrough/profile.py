"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from typing import ClassVar

from petteia.core.game import Game, Level
from petteia.games.breakthrough.evaluations import EVALUATIONS, LEARNED
from petteia.games.breakthrough.face import BreakthroughFace
from petteia.games.breakthrough.lessons import LESSON
from petteia.games.breakthrough.report import AsPrinted
from petteia.games.breakthrough.solution.perfect import Perfect

__all__ = ["Breakthrough"]


class Breakthrough(BreakthroughFace, Game):
    """Breakthrough on up to 64 squares, with the variants of the course report."""

    in_short = (
        "Bring a worker to the far row. Workers step straight or diagonally ahead, and capture "
        "diagonally."
    )
    parameter_names: ClassVar = {
        "filled": "Rows of workers",
        "workers": "Arrivals that win",
        "first": "First player (0: white)",
    }
    variants: ClassVar = {
        "three-workers": {"workers": 3},
        "long-board": {"columns": 10, "rows": 5},
    }
    evaluations = EVALUATIONS
    default_evaluation = "tuned"
    lesson = LESSON
    captures_for_good = True
    levels: ClassVar = (
        Level("Drifter", "random", "Makes any legal move and sees nothing coming."),
        Level("Novice", "mcts(simulations=10)", "Plays ten quick games in its head and guesses."),
        Level("Casual", "mcts(simulations=300)", "Plays 300 quick games in its head."),
        Level("Club player", "alphabeta(depth=2)", "Weighs every move and every answer."),
        Level("Expert", "engine(nodes=3000)", "Our engine and its network, at a glance."),
        Level("Master", "engine(nodes=300000)", "Our engine and its network, with time to think."),
    )
    agents: ClassVar = {AsPrinted.name: AsPrinted, Perfect.name: Perfect}
    solver = "petteia.games.breakthrough.solution.solver:BreakthroughSolver"
    study = "petteia.games.breakthrough.study:STUDY"
    opening_plies = 4

    @property
    def strongest_evaluation(self) -> str | None:
        board = (self.columns, self.rows, self.filled, self.workers)
        learned = LEARNED.get(board)
        return learned.name if learned else self.default_evaluation
