"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from petteia.core.collection import Collection
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.games.ropasci import formats
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.games.ropasci.face import RoPaSciFace
from petteia.games.ropasci.report import AGENTS

__all__ = ["RoPaSci"]


class RoPaSci(RoPaSciFace, Game):
    """RoPaSci 360: rock, paper, scissors on hexes, both players at the same time."""

    title = "RoPaSci 360"
    in_short = (
        "Both players move at the same time: throw a token onto a hex, or move one. Rock beats "
        "scissors, scissors beat paper, paper beats rock. A player with no tokens left loses."
    )
    foreign_suffixes = (".log",)
    evaluations = EVALUATIONS
    default_evaluation = "hunt"
    agents = AGENTS
    study = "petteia.games.ropasci.study:STUDY"
    default_agent = "nash(guard=1, contempt=1.0)"
    opponents: ClassVar[Mapping[str, str]] = {
        "report": "a course report's player, which thinks that its moves are seen",
        "nash(guard=1, contempt=1.0)": "mixes its moves so that none can be exploited",
    }
    opening_plies = 0
    variants: ClassVar = {}

    def foreign_games(self, text: str) -> Collection | None:
        return formats.games_in(self, text)

    def foreign_text(self, played: Record, suffix: str) -> str | None:
        return formats.log_text(self, played) if suffix == ".log" else None
