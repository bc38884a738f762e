"""The contract: what a game is.

A game is three things, each a class: its *rules* (``core.rules``), kernels that are compiled; its
*face* (``core.face``), texts and pictures; and its *profile*, which is here: who the game is, who
plays it, and what of it is exact. A game that ships has a class for each; a user's game is one
class, a ``Game``, with a few kernels and whatever else it wants to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from petteia.core import spec as specs
from petteia.core.evaluation import Evaluation
from petteia.core.face import Face
from petteia.core.rules import CHANCE, DECISION, DRAWN, SIMULTANEOUS, SLACK, TERMINAL, Kind
from petteia.core.words import Words

__all__ = [
    "CHANCE", "DECISION", "DRAWN", "SIMULTANEOUS", "SLACK", "TERMINAL", "Game", "Kind",
]  # fmt: skip


class Game(Face, is_contract=True):
    """A game for two players, 0 and 1: rules, face and profile.

    ``__init__`` takes the parameters of the game, each with a type and a default, and keeps each
    under its own name; numbers, words, tuples and arrays kept on ``self`` are constants of the
    kernels. A game never changes after ``__init__``.
    """

    title: ClassVar[str] = ""
    """What people call it, if not by its name."""
    in_short: ClassVar[str] = ""
    """How it is played, in a sentence or two for those who are new to it."""
    variants: ClassVar[Mapping[str, Mapping[str, specs.Value]]] = {}
    """Names for parameter settings that people ask for by name."""
    evaluations: ClassVar[Mapping[str, Evaluation]] = {}
    """The evaluations that belong to this game, by name."""
    default_evaluation: ClassVar[str | None] = None
    """The evaluation used where none is named: one that people can read, if there is one."""
    default_agent: ClassVar[str] = "engine(time=0.5)"
    """Who analyses and plays where nobody is named."""
    opponents: ClassVar[Mapping[str, str]] = {}
    """Agents for people to play against, the weakest first, each with what it does: for games in
    which the usual searches (``web.catalogue``) are not the strongest."""
    tuned_agent: ClassVar[str] = "greedy"
    """Whose weights are tuned where no agent is named; it has a parameter ``eval``."""
    obvious_agent: ClassVar[str] = "greedy"
    """Who plays the obvious move, for puzzles in which it is wrong."""
    agents: ClassVar[Mapping[str, type[Any]]] = {}
    """Agents of the game's own, by name; each a subclass of ``core.agent.Agent``."""
    solver: ClassVar[str | None] = None
    """Who solves it exactly, as ``module:Class``, a ``petteia.solve.Solver``; loaded when asked."""
    study: ClassVar[str | None] = None
    """What was published about it, run again: ``module:object``, a ``petteia.studies.frame.Study``;
    loaded when asked."""
    opening_plies: ClassVar[int] = 2
    """How many random plies open a game of a series, so that no two pairs are the same."""
    openings: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Lists of openings by name; an opening is its moves, separated by spaces."""
    perft_counts_dice: ClassVar[bool] = True
    """Whether perft counts a throw as a ply; where not, a depth is in moves of the players."""
    bench_depth: ClassVar[int | None] = None
    """How deep the bench searches, where the usual depth would take too long."""

    @property
    def strongest_evaluation(self) -> str | None:
        """The evaluation that the engine plays by where none is named."""
        return self.default_evaluation

    def perft_start(self) -> Words:
        """Where perft begins if no position is named: published figures may not be of the start."""
        return self.start()

    def missing_tables(self, p: Words, pieces: int | None) -> str | None:
        """The solver's spec of exact tables that would help a proof about a position and are not on
        this machine; None if there are none. ``pieces`` is how many they may have; None: as many as
        take seconds to build."""
        return None

    def stake(self, p: Words) -> float:
        """Half the difference between a win and a loss here, in points: the measure of errors and
        luck. Less than ``most_points`` if few games are worth so much."""
        return self.most_points
