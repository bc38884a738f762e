"""Games of the best player against itself, for a network to learn from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from petteia import games
from petteia.core import spec as specs
from petteia.core.evaluation import Evaluation
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.rules import Rules
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.learn.network import SCALE, points_of, shape_of
from petteia.learn.samples import Samples, joined, views
from petteia.search.contract import Limits, Question
from petteia.search.engine import Engine
from petteia.search.evaluations import evaluation_for
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided
from petteia.tune.dice_play import DicePlay
from petteia.tune.hindsight import worth
from petteia.tune.joint_play import JointPlay

__all__ = ["SelfPlay", "played"]

_OPENING = 10
"""At most so many plies at the beginning are chance, so that games differ."""
_TABLE_BITS = 16
"""Small: it is emptied before every game, and a search sees few positions."""
_THROWN = 1 / 3
"""So many of the positions after a throw are kept: searches ask for those before it."""
_SURE = 1e-4
"""No chance is taken to be nearer to 0 or to 1."""


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
    """A longer game of an engine counts as a draw: long endings are much alike."""
    wander: float = 0.1
    """So often a move is chance: positions in which somebody has erred are to be known too."""


@lru_cache(maxsize=4)
def _engine(game: str, evaluation: str) -> tuple[Game, Evaluation, Engine]:
    made = games.make(game)
    judge = evaluation_for(made, specs.parse(evaluation))
    return made, judge, Engine(made, judge, table_bits=_TABLE_BITS)


@lru_cache(maxsize=4)
def _player(game: str, evaluation: str) -> DicePlay | JointPlay:
    made = games.make(game)
    judge = evaluation_for(made, specs.parse(evaluation))
    return (JointPlay if made.has_simultaneous else DicePlay)(made, judge)


def played(asked: SelfPlay) -> Samples:
    """Plays the games; every position at which a search had to judge is a sample."""
    game = games.make(asked.game)
    by_chance = points_of(game) > 0
    parts = [
        (_with_chance if by_chance else _searched)(asked, number) for number in range(asked.games)
    ]
    nothing = _samples(game, [], np.zeros(0), 0.0)
    return joined([nothing, *(part for part in parts if len(part.value))])


def _samples(
    game: Game, positions: Sequence[Words] | np.ndarray, value: np.ndarray, points: float,
    turned: np.ndarray | None = None,
) -> Samples:  # fmt: skip
    """What is kept of one game; the values and the points at its end are player 0's. ``turned``
    says which positions are to be seen as the one who waits sees them."""
    own, other, mover = views(game, positions)
    if turned is not None:
        mover = np.where(turned, 1 - mover, mover)
        swap = turned[:, None]
        own, other = np.where(swap, other, own), np.where(swap, own, other)
    most = points_of(game)
    first = 0.5 + 0.5 * (points / most if most else np.sign(points))
    return Samples(
        own,
        other,
        mover.astype(np.int8),
        np.where(mover == 0, value, -value).astype(np.float32),
        np.where(mover == 0, first, 1 - first).astype(np.float32),
        np.zeros(len(mover), np.int64),
    )


def _with_chance(asked: SelfPlay, number: int) -> Samples:
    """One game in which dice fall or both choose at once."""
    player, seed = _player(asked.game, asked.evaluation), derive(asked.seed, number)
    game, chance = player.game, np.random.default_rng(seed)
    seen = player.play(asked.wander, seed)
    kept = (seen.kinds != DECISION) | (not game.has_chance)
    kept |= chance.random(len(kept)) < _THROWN
    value = _odds(worth(seen)[kept], game)
    turned = None
    if type(game).mover is Rules.mover and shape_of(game)[1] == 1:
        # Nobody is to move, and both see alike: each is learned from as if it were.
        turned = chance.random(len(value)) < 0.5
    return _samples(game, seen.positions[kept], value, seen.points, turned)


def _odds(points: np.ndarray, game: Game) -> np.ndarray:
    """What a network would say of these points, before it makes points of it."""
    chance = np.clip(0.5 + 0.5 * points / points_of(game), _SURE, 1 - _SURE)
    found: np.ndarray = SCALE * np.log(chance / (1 - chance))
    return found


def _searched(asked: SelfPlay, number: int) -> Samples:
    """One game of an engine."""
    game, judge, engine = _engine(asked.game, asked.evaluation)
    chance, stepper = random.Random(f"{asked.seed} {number}"), stepper_of(game)
    engine.new_game()
    p, line = game.start(), [game.start()]
    kept, values = list[Words](), list[float]()
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
                kept.append(p)
                first = value if seen.mover == 0 else -value
                values.append(float("nan") if judge.says_nothing else first)
            wanders = chance.random() < asked.wander
            move = chance.choice(seen.moves) if wanders else answer.moves[0].move
        p = stepper.play(p, move)
        line.append(p)
    points = 0.0
    if winner is not None:
        points = 1.0 if winner == 0 else -1.0
    elif seen.kind == TERMINAL:
        points = seen.result
    return _samples(game, kept, np.array(values), points)
