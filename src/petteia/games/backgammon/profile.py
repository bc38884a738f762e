"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from petteia.core import spec as specs
from petteia.core.collection import Collection
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game, Level
from petteia.core.record import Record
from petteia.core.words import Words
from petteia.games.backgammon import formats
from petteia.games.backgammon.evaluations import EVALUATIONS, cube
from petteia.games.backgammon.evaluations.pubeval import PUBEVAL, PubevalAgent
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.lessons import LESSON
from petteia.games.backgammon.programs import GnubgAgent
from petteia.games.backgammon.report import STRATEGIES
from petteia.games.backgammon.rules.state import CUBE, parts_of
from petteia.games.backgammon.solution.agent import NetworkAgent
from petteia.games.backgammon.solution.neural import NETWORK
from petteia.games.backgammon.solution.perfect import PerfectAgent

__all__ = ["Backgammon"]

_CLOSE = 0.16
"""In points of a game for money."""


class Backgammon(BackgammonFace, Game):
    """Backgammon by the official rules or by those of the course framework."""

    in_short = (
        "Be the first to bring all your checkers home and bear them off. Two dice move them; a "
        "checker that stands alone can be hit and must enter again."
    )
    foreign_suffixes = tuple(formats.WRITERS)
    opening_plies = 0
    perft_counts_dice = False
    bench_depth = 2
    parameter_names: ClassVar = {
        "match": "Match to points (0: one game)",
        "cube": "Doubling cube",
        "crawford": "Crawford rule",
        "jacoby": "Jacoby rule",
        "beaver": "Beavers",
    }
    variants: ClassVar[Mapping[str, Mapping[str, specs.Value]]] = {
        "course-backgammon": {"rules": "course"},
    }
    evaluations: ClassVar[Mapping[str, Evaluation]] = {
        **EVALUATIONS,
        PUBEVAL.name: PUBEVAL,
        NETWORK.name: NETWORK,
    }
    default_evaluation = "end_game2"
    default_agent = "network"
    default_judge = "network(plies=2)"
    lesson = LESSON
    levels: ClassVar = (
        Level("Drifter", "random", "Makes any legal play."),
        Level("Novice", "move_furthest_back", "Always moves its rearmost checker."),
        Level("Casual", "simple", "Covers its blots and hits yours."),
        Level("Club player", "pubeval", "Plays by Gerald Tesauro's public weights of 1993."),
        Level("Expert", "network", "Plays what networks learned from their own games."),
        Level("Master", "network(plies=1)", "The networks, and all answers to their best plays."),
    )
    tuned_agent = "compare(eval=features)"
    solver = "petteia.games.backgammon.solution.bearoff:BearOffSolver"
    study = "petteia.games.backgammon.study:STUDY"
    agents: ClassVar[Mapping[str, type[Any]]] = {
        **STRATEGIES,
        PubevalAgent.name: PubevalAgent,
        NetworkAgent.name: NetworkAgent,
        PerfectAgent.name: PerfectAgent,
        GnubgAgent.name: GnubgAgent,
    }

    def is_decision(self, p: Words, move: int, margin: float | None) -> bool:
        # As GNU Backgammon counts: not to double is one where doubling is not out of the question.
        waits = parts_of(p[4])["phase"] == CUBE and move == 0
        return not waits or margin is None or margin < _CLOSE

    def stake(self, p: Words) -> float:
        return cube.stake(self, p)

    def foreign_games(self, text: str) -> Collection | None:
        return formats.games_in(self, text)

    def foreign_text(self, records: Sequence[Record], suffix: str) -> str | None:
        return formats.text_of(self, records, suffix)
