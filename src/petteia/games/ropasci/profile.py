"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from petteia.core.collection import Collection
from petteia.core.game import Game, Level
from petteia.core.record import Record
from petteia.core.words import Words
from petteia.games.ropasci import formats
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.games.ropasci.face import RoPaSciFace
from petteia.games.ropasci.lessons import LESSON
from petteia.games.ropasci.report import AGENTS
from petteia.games.ropasci.solution import table

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
    default_evaluation = "learned"
    bench_evaluation = "hunt"
    agents = AGENTS
    solver = "petteia.games.ropasci.solution.solver:EndingSolver"
    study = "petteia.games.ropasci.study:STUDY"
    default_agent = "nash(guard=1, contempt=1.0)"
    lesson = LESSON
    turns_board = False
    reminder = "R beats S, S beats P, P beats R"
    levels: ClassVar = (
        Level("Drifter", "random", "Throws and moves anywhere."),
        Level("Novice", "smmcts(simulations=1000)", "Tries random games in its head."),
        Level("Casual", "greedy", "Takes what it would like best if you did nothing."),
        Level("Club player", "optimistic", "Hopes that you choose what suits it best."),
        Level("Expert", "mean", "Takes what is best on average, whatever you choose."),
        Level("Master", "nash(guard=1, contempt=1.0)", "Mixes its moves: none can be exploited."),
    )
    opening_plies = 0
    parameter_names: ClassVar = {
        "throws": "Throws a player",
        "turns": "Draw after turns",
        "repetitions": "Draw at this repetition (0: never)",
    }
    variants: ClassVar = {}

    def exact_value(self, p: Words, tables: int) -> float:
        return table.exact_value(self, p, tables)

    def exact_tables(self) -> np.ndarray | None:
        return table.words_there()

    def exact_error(self, p: Words) -> float:
        return table.exact_error(self, p)

    def foreign_games(self, text: str) -> Collection | None:
        return formats.games_in(self, text)

    def foreign_text(self, records: Sequence[Record], suffix: str) -> str | None:
        if suffix != ".log":
            return None
        return "\n".join(formats.log_text(self, kept) for kept in records)
