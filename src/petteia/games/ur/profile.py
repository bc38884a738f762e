"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from petteia.core.collection import Collection
from petteia.core.game import Game, Level
from petteia.core.record import Record
from petteia.games.ur import formats
from petteia.games.ur.evaluations import EVALUATIONS
from petteia.games.ur.evaluations.distilled import Distilled
from petteia.games.ur.face import UrFace
from petteia.games.ur.lessons import LESSON
from petteia.games.ur.report import AGENTS
from petteia.games.ur.solution.perfect import Perfect

__all__ = ["Ur"]


class Ur(UrFace, Game):
    """The Royal Game of Ur by four rule sets, with one to seven pieces a side."""

    title = "Royal Game of Ur"
    in_short = (
        "Be the first to bring all your pieces along the track and off it. Dice give the steps, a "
        "rosette gives another throw, and a piece that is captured starts again."
    )
    foreign_suffixes = (".rgn",)
    parameter_names: ClassVar = {
        "pieces": "Pieces a side (0: as usual)",
        "dice": "Dice (0: as usual)",
    }
    variants: ClassVar = {
        "blitz": {"rules": "blitz"},
        "masters": {"rules": "masters"},
        "aseb": {"rules": "aseb"},
        "project-ur": {"rules": "project-ur"},
    }
    evaluations = EVALUATIONS
    default_evaluation = "fitted"
    agents: ClassVar = {**AGENTS, Distilled.name: Distilled, Perfect.name: Perfect}
    solver = "petteia.games.ur.solution.solver:UrSolver"
    study = "petteia.games.ur.study:STUDY"
    obvious_agent = "royalur_greedy"
    lesson = LESSON
    levels: ClassVar = (
        Level("Drifter", "random", "Moves any piece that can move."),
        Level("Novice", "mcts(simulations=50)", "Plays fifty quick games in its head."),
        Level("Casual", "royalur_greedy", "Captures if it can, else takes a rosette, else runs."),
        Level("Club player", "greedy", "Takes the next position that looks best."),
        Level("Expert", "expectimax(depth=3)", "Looks three moves and their dice ahead."),
        Level("Master", "distilled", "A network that was taught by the solved game."),
    )
    default_agent = "expectimax(depth=4)"
    opening_plies = 0

    def foreign_text(self, records: Sequence[Record], suffix: str) -> str | None:
        if suffix != ".rgn":
            return None
        return "\n".join(formats.write(self, kept) for kept in records)

    def foreign_games(self, text: str) -> Collection | None:
        return formats.read(self, text) if formats.is_rgn(text) else None
