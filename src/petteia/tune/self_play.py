"""Games of an engine against itself, for a network to learn from."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from petteia import games
from petteia.core import spec as specs
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.words import Words
from petteia.learn.samples import Samples, joined, views
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided

__all__ = ["SelfPlay", "played"]

_OPENING = 10
"""At most so many plies at the beginning are chance, so that games differ."""
_TABLE_BITS = 16
"""Small: it is emptied before every game, and a search sees few positions."""


@dataclass(frozen=True)
class SelfPlay:
    """A number of games, the same wherever they are played."""

    game: str
    evaluation: str
    """Its spec."""
    nodes: int
    """Of each search."""
    games: int
    seed: int
    plies: int = 120
    """A longer game counts as a draw: long endings are much alike."""
    wander: float = 0.1
    """So often a move is chance: positions in which somebody has erred are to be known too."""


@lru_cache(maxsize=4)
def _engine(game: str, evaluation: str) -> tuple[Game, Evaluation, Engine]:
    made = games.make(game)
    judge = evaluation_for(made, specs.parse(evaluation))
    return made, judge, Engine(made, judge, table_bits=_TABLE_BITS)


def played(asked: SelfPlay) -> Samples:
    """Plays the games; every position at which a search had to judge is a sample."""
    game, _, _ = _engine(asked.game, asked.evaluation)
    own, other = (np.zeros((0, views(game, [])[0].shape[1]), np.uint64) for _ in range(2))
    empty = np.zeros(0, np.float32)
    nothing = Samples(own, other, np.zeros(0, np.int8), empty, empty, np.zeros(0, np.int64))
    parts = [_played(asked, number) for number in range(asked.games)]
    return joined([nothing, *(part for part in parts if len(part.value))])


def _played(asked: SelfPlay, number: int) -> Samples:
    """One game."""
    game, judge, engine = _engine(asked.game, asked.evaluation)
    chance, stepper = random.Random(f"{asked.seed} {number}"), stepper_of(game)
    engine.new_game()
    p, line = game.start(), [game.start()]
    kept: list[tuple[Words, int, float]] = []
    winner: int | None = None
    opening = chance.randrange(_OPENING + 1)
    while (seen := stepper.look(p)).kind == DECISION and len(line) <= asked.plies:
        if len(line) <= opening:
            move = chance.choice(seen.moves)
        else:
            question = Question(p, judge.array, Limits(nodes=asked.nodes), seen.mover)
            question.earlier = line[:-1] if game.repetitions else ()
            answer = engine.answer(question)
            value = answer.value
            if value is None:
                break
            if is_decided(value):
                winner = seen.mover if value > 0 else 1 - seen.mover
                break
            # Where captures are compulsory no evaluation is ever asked.
            if not game.restless(p, 0):
                kept.append((p, seen.mover, float("nan") if judge.says_nothing else value))
            wanders = chance.random() < asked.wander
            move = chance.choice(seen.moves) if wanders else answer.moves[0].move
        p = stepper.play(p, move)
        line.append(p)
    points = 0.0
    if winner is not None:
        points = 1.0 if winner == 0 else -1.0
    elif seen.kind == TERMINAL:
        points = seen.result
    first = 0.5 + 0.5 * np.sign(points)
    own, other = views(game, [each[0] for each in kept])
    mover = np.array([each[1] for each in kept], np.int8)
    return Samples(
        own,
        other,
        mover,
        np.array([each[2] for each in kept], np.float32),
        np.where(mover == 0, first, 1 - first).astype(np.float32),
        np.zeros(len(kept), np.int64),
    )
