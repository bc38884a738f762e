"""The contract: what a game is.

A game is three things, each a class: its *rules* (``core.rules``), kernels that are compiled; its
*face* (``core.face``), texts and pictures; and its *profile*, which is here: who the game is, who
plays it, and what of it is exact. A game that ships has a class for each; a user's game is one
class, a ``Game``, with a few kernels and whatever else it wants to say.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from petteia.core import spec as specs
from petteia.core.evaluation import Evaluation, of_function
from petteia.core.face import Face
from petteia.core.lesson import Lesson
from petteia.core.rules import CHANCE, DECISION, DRAWN, SIMULTANEOUS, SLACK, TERMINAL, Kind
from petteia.core.words import Words

__all__ = [
    "CHANCE", "DECISION", "DRAWN", "SIMULTANEOUS", "SLACK", "TERMINAL", "Game", "Kind", "Level",
    "described",
]  # fmt: skip


@dataclass(frozen=True)
class Level:
    """An opponent for people."""

    name: str
    """What people call it."""
    agent: str
    """The agent that plays, as a spec. It counts nodes and not time, so that it is as strong on
    every machine."""
    about: str
    """How it plays, in one sentence."""


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
    lesson: ClassVar[Lesson | None] = None
    """The rules for newcomers, with exercises."""
    reminder: ClassVar[str] = ""
    """What people want to see again and again while they play, such as what beats what."""
    turns_board: ClassVar[bool] = True
    """Whether the board turns so that a person sits at its bottom; not if the players are named
    after their places."""
    captures_for_good: ClassVar[bool] = False
    """Whether captured pieces never come back; they are then shown beside the board."""
    parameter_names: ClassVar[Mapping[str, str]] = {}
    """What people call the parameters, where their own names do not say it."""
    variants: ClassVar[Mapping[str, Mapping[str, specs.Value]]] = {}
    """Names for parameter settings that people ask for by name."""
    evaluations: ClassVar[Mapping[str, Evaluation]] = {}
    """The evaluations that belong to this game, by name. A class may also name plain functions of
    (game, p, player)."""
    default_evaluation: ClassVar[str | None] = None
    """The evaluation used where none is named: one that people can read, if there is one."""
    default_agent: ClassVar[str] = "engine(time=0.5)"
    """Who analyses and plays where nobody is named."""
    default_judge: ClassVar[str] = ""
    """Who reviews games where nobody is named, if not the usual agent: one that sees more than it,
    so that its own games can be judged too."""
    levels: ClassVar[Sequence[Level]] = ()
    """Opponents for people, the weakest first; a game without any has the usual searches
    (``web.catalogue``). ``arena.levels`` measures how strong they are."""
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

    regions: ClassVar[Sequence[Sequence[int]]] = ()
    """Regions of the board whose patterns ``petteia learn --shape patterns`` values: each a few
    bits of the words, the same in all words. Without any they are found."""
    bench_evaluation: ClassVar[str | None] = None
    """By which evaluation the bench searches, so that its signature outlives a new default; None:
    by the default."""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "evaluations" in vars(cls):
            cls.evaluations = {
                name: each if isinstance(each, Evaluation) else of_function(name, each)
                for name, each in dict[str, Any](cls.evaluations).items()
            }

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

    def is_decision(self, p: Words, move: int, margin: float | None) -> bool:
        """Whether a move counts in rates of error; not where it goes without saying. ``margin`` is
        by how many stakes the best move is ahead of the second; None if that is not known."""
        return True

    def stake(self, p: Words) -> float:
        """Half the difference between a win and a loss here, in points: the measure of errors and
        luck. Less than ``most_points`` if few games are worth so much."""
        return self.most_points


def described(kind: type[Game]) -> str:
    """What a game's class says of it in the first line of its docstring."""
    words = inspect.getdoc(kind) or ""
    if words == inspect.getdoc(Game):  # inherited: it tells what games are, not what this one is
        return "A game of your own; the first line of its class's docstring would stand here."
    return words.split("\n")[0]
