"""Which evaluation a spec means."""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core import files, saved
from petteia.core import spec as specs
from petteia.core.errors import one_of
from petteia.core.evaluation import SEED, Evaluation, PlainEvaluation, of_function
from petteia.core.game import Game
from petteia.core.seeds import derive
from petteia.core.trial import try_evaluation
from petteia.core.words import Words
from petteia.learn import network
from petteia.learn.parameters import is_file_name

__all__ = ["EVEN", "evaluation_for", "weights_for_move"]


def even(game: Any, p: Words, player: int) -> float:
    """Every unfinished position is worth the same: only the end of the game counts."""
    return 0.0


EVEN = PlainEvaluation("even", even)
"""The evaluation of a game that has none."""
EVEN.says_nothing = True


def evaluation_for(
    game: Game, spec: specs.Spec | None, *, default: str | None = None
) -> Evaluation:
    """The evaluation that a spec names; without one ``default``, else the game's own choice.

    A name is one of the game's evaluations, a saved one, ``file.py:function``, or the file
    (``.npz``) of a network that was learned; arguments set weights.
    """
    known = {**game.evaluations, EVEN.name: EVEN}
    if spec is None:
        spec = specs.Spec(default or game.default_evaluation or EVEN.name)
    if files.is_file_name(spec.name):
        function = files.function_in(spec.name, what="evaluation")
        found = function if isinstance(function, Evaluation) else of_function(spec.name, function)
        try_evaluation(game, found)
    elif is_file_name(spec.name):
        found = network.load(spec.name, game)
    elif spec.name in known:
        found = known[spec.name]
    else:
        kept = saved.find(spec.name, game)
        if kept is None:
            all_names = [*known, *saved.names()]
            raise one_of(spec.name, all_names, what=f"evaluation of {game.spec.name}")
        found = evaluation_for(game, specs.parse(kept.evaluation))
    found.check(game)
    return found.with_weights(dict(spec.arguments)) if spec.arguments else found


def weights_for_move(evaluation: Evaluation, seed: int) -> np.ndarray:
    """The weights with a fresh seed for the noise of this move, where the evaluation has noise."""
    weights = evaluation.array
    if evaluation.is_seeded:
        weights[list(evaluation.weights).index(SEED)] = derive(seed, "noise") % 2**52
    return weights
