"""Who this game is: its names, its agents and evaluations, and what of it is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from petteia.compiled import popcount, signed, words_at
from petteia.core.collection import Collection
from petteia.core.errors import PetteiaError
from petteia.core.game import DRAWN, Game, Level
from petteia.core.record import Record
from petteia.core.words import U, Words
from petteia.games.checkers import formats
from petteia.games.checkers.evaluations import EVALUATIONS
from petteia.games.checkers.face import CheckersFace
from petteia.games.checkers.lessons import LESSON
from petteia.games.checkers.openings import OPENINGS
from petteia.games.checkers.programs import HubAgent
from petteia.games.checkers.report import ReportAgent
from petteia.games.checkers.solution.files import are_there, tables_there
from petteia.games.checkers.solution.perfect import PerfectAgent
from petteia.games.checkers.solution.probe import DRAW, most_pieces, value_of
from petteia.games.checkers.solution.slices import DIRECTORY

__all__ = ["Checkers"]

_QUICK, _MOST = 4, 6
"""Pieces of the tables that take seconds, and of the largest that can be built."""


class Checkers(CheckersFace, Game):
    """English draughts: forced captures with free choice, short kings, crowning ends the move."""

    in_short = (
        "Capture or block all enemy pieces. Men step and jump diagonally forward, kings backward "
        "too. Captures are compulsory."
    )
    captures_for_good = True
    foreign_suffixes = (".pdn",)
    parameter_names: ClassVar = {
        "repetitions": "Draw at this repetition (0: never)",
        "quiet_plies": "Draw after quiet moves (0: never)",
        "advances": "Moves of men are not quiet",
        "both_ways": "Circuits count both ways",
    }
    variants: ClassVar = {
        "course-checkers": {"repetitions": 0, "quiet_plies": 0},
        "openspiel-checkers": {"repetitions": 0, "quiet_plies": 40, "advances": False},
    }
    openings = OPENINGS
    evaluations = EVALUATIONS
    default_evaluation = "tuned"
    default_agent = "engine(time=0.5)"
    lesson = LESSON
    levels: ClassVar = (
        Level("Drifter", "random", "Makes any legal move."),
        Level("Novice", "mcts(simulations=10)", "Plays ten quick games in its head and guesses."),
        Level("Casual", "alphabeta(depth=2)", "Weighs every move and every answer."),
        Level("Club player", "alphabeta(depth=4)", "Looks four moves ahead."),
        Level("Expert", "engine(nodes=1000)", "Our engine and its network, at a glance."),
        Level("Master", "engine(nodes=200000)", "Our engine and its network, with time to think."),
    )
    solver = "petteia.games.checkers.solution.solver:EndgameSolver"
    study = "petteia.games.checkers.study:STUDY"
    agents: ClassVar = {kind.name: kind for kind in (ReportAgent, PerfectAgent, HubAgent)}
    opening_plies = 3

    @property
    def strongest_evaluation(self) -> str | None:
        return "learned"

    def known(self, p: Words, tables: int) -> int:
        """The endgame tables, which know neither repetition nor quiet plies."""
        if popcount(p[0] | p[1]) > most_pieces(tables):
            return 0
        value = value_of(p, words_at(tables, DIRECTORY))
        if value < 0:
            return 0
        if value == DRAW:
            return DRAWN
        return value if value & 1 == 1 else -value

    def certain(self, p: Words, tables: int) -> int:
        """A draw is one under any rule; a win, if quiet plies cannot end the game before it."""
        value = self.known(p, tables)
        if self.quiet_plies == 0 or value == DRAWN:
            return value
        plies = value if value > 0 else -value
        return value if signed(p[3] >> U(1)) + plies <= self.quiet_plies else 0

    def exact_tables(self) -> np.ndarray | None:
        found = tables_there()
        return None if found is None else found.directory

    def missing_tables(self, p: Words, pieces: int | None) -> str | None:
        """Those of four pieces take seconds; farther than three captures away they are no help."""
        black, white = popcount(p[0]), popcount(p[1])
        most = _QUICK if pieces is None else pieces
        if not 2 <= most <= _MOST:
            raise PetteiaError(f"tables of {most} pieces are not possible; 2 to {_MOST}")
        if pieces is None and black + white > _QUICK + 3:
            return None
        a_side = max(black, white)
        if are_there(most, a_side):
            return None
        return (
            f"checkers(pieces={most}, side={a_side})"
            if a_side < most
            else (f"checkers(pieces={most})")
        )

    def foreign_games(self, text: str) -> Collection | None:
        """The games of a PDN text; None if it is none."""
        return formats.games_in(self, text)

    def foreign_text(self, records: Sequence[Record], suffix: str) -> str | None:
        if suffix != ".pdn":
            return None
        return "\n".join(formats.write(self, formats.of_record(self, kept)) for kept in records)
