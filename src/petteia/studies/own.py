"""The study of a user's own game: the one in its file, or what each step of strength is worth."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from petteia import agents, games
from petteia.arena.contest import Contest
from petteia.core import files
from petteia.core.errors import PetteiaError
from petteia.core.game import Game
from petteia.studies.frame import Experiment, Outcome, Study
from petteia.studies.parts import score_chart, score_table
from petteia.studies.report import Report

__all__ = ["study_of"]

_STEPS = (
    "random", "greedy", "alphabeta(depth=2)", "alphabeta(depth=4)", "expectimax(depth=2)",
    "mcts(simulations=100)", "mcts(simulations=1000)", "nash", "smmcts(simulations=1000)",
)  # fmt: skip
"""Agents that play the same on every machine, the weakest first. Each game has those that can play
it, those that judge positions only if it has an evaluation."""
_BY_EVALUATION = {"greedy", "alphabeta", "expectimax"}
_QUICK, _FULL = 10, 200


def study_of(spec: str) -> Study:
    """The study in the file of a game, or one of the agents that can play it."""
    game = games.make(spec)
    module = files.load_module(files.path_of(game.spec.name))
    found = [each for each in vars(module).values() if isinstance(each, Study)]
    if len(found) > 1:
        raise PetteiaError(f"{game.spec.name} holds {len(found)} studies; it should hold one")
    return found[0] if found else _of_steps(game)


def _of_steps(game: Game) -> Study:
    able = set(agents.able(game))
    if not game.default_evaluation:
        able -= _BY_EVALUATION
    steps = [step for step in _STEPS if step.partition("(")[0] in able]
    experiments = tuple(
        Experiment(
            f"step-{number}", f"{stronger} against {weaker}",
            Contest(str(game), stronger, weaker), quick=_QUICK, full=_FULL,
        )
        for number, (weaker, stronger) in enumerate(pairwise(steps), 1)
    )  # fmt: skip
    title = type(game).title or files.path_of(game.spec.name).stem
    about = f"Each agent that can play {title} against the one before it."
    return Study(str(game), f"The steps of {title}", about, experiments, (_tell,))


def _tell(report: Report, told: Mapping[str, Any]) -> dict[str, Any]:
    outcomes: list[Outcome] = list(told.values())
    report.heading("How much each step is worth")
    score_chart(report, "Score of the agent named first", outcomes)
    score_table(report, "The series", outcomes)
    return {"scores": {each.experiment.title: each.result.score for each in outcomes}}
