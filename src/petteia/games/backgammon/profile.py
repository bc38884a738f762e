"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from petteia.core import spec as specs
from petteia.core.collection import Collection
from petteia.core.evaluation import Evaluation
from petteia.core.game import Game
from petteia.core.record import Record
from petteia.core.words import Words
from petteia.games.backgammon import formats
from petteia.games.backgammon.evaluations import EVALUATIONS, cube
from petteia.games.backgammon.evaluations.neural import NETWORK, NetworkAgent
from petteia.games.backgammon.evaluations.pubeval import PUBEVAL, PubevalAgent
from petteia.games.backgammon.face import BackgammonFace
from petteia.games.backgammon.programs import GnubgAgent
from petteia.games.backgammon.report import STRATEGIES
from petteia.games.backgammon.solution.perfect import PerfectAgent

__all__ = ["Backgammon"]


class Backgammon(BackgammonFace, Game):
    """Backgammon by the official rules or by those of the course framework."""

    in_short = (
        "Be the first to bring all your checkers home and bear them off. Two dice move them; a "
        "checker that stands alone can be hit and must enter again."
    )
    foreign_suffixes = (".mat", ".sgf")
    opening_plies = 0
    perft_counts_dice = False
    bench_depth = 2
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
    opponents: ClassVar[Mapping[str, str]] = {
        "expectimax(depth=2)": "looks at all throws and answers",
        "pubeval": "plays by Gerald Tesauro's public weights",
        "network": "plays what networks learned from their own games",
        "network(plies=1)": "the networks, and all answers to their best plays",
    }
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

    def stake(self, p: Words) -> float:
        return cube.stake(self, p)

    def foreign_games(self, text: str) -> Collection | None:
        return formats.games_in(self, text)

    def foreign_text(self, played: Record, suffix: str) -> str | None:
        writers = {".mat": formats.write_mat, ".sgf": formats.write_sgf}
        return writers[suffix](self, played) if suffix in writers else None
