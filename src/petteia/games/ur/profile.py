"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from petteia.core.collection import Collection
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.games.ur import formats
from petteia.games.ur.evaluations import EVALUATIONS
from petteia.games.ur.evaluations.distilled import Distilled
from petteia.games.ur.face import UrFace
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
    opponents: ClassVar[Mapping[str, str]] = {
        "expectimax(depth=2)": "looks two moves and their dice ahead",
        "expectimax(depth=3)": "looks three moves and their dice ahead",
        "expectimax(depth=4)": "looks four moves and their dice ahead",
        "expectimax(depth=5)": "looks five moves and their dice ahead",
    }
    default_agent = "expectimax(depth=4)"
    opening_plies = 0

    def foreign_text(self, played: Record, suffix: str) -> str | None:
        return formats.write(self, played) if suffix == ".rgn" else None

    def foreign_games(self, text: str) -> Collection | None:
        return formats.read(self, text) if formats.is_rgn(text) else None
