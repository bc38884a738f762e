"""Games of a varied pool of players, from which the evaluation ``fitted`` is made.

An evaluation that learns from its own games alone learns only what it plays already. So many kinds
of players play here: equilibria, paranoid and greedy ones, by several evaluations, with weights
drawn anew for every game, from an opening of random turns, and with a share of random moves.

In each game a player meets itself. Between players of different skill a fit would take what the
better one likes to do for what is good: it did, and foretold tournament games worse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from petteia.core.agent import Agent
from petteia.core.evaluation import Evaluation
from petteia.core.game import TERMINAL
from petteia.core.words import Words
from petteia.games.ropasci import RoPaSci
from petteia.games.ropasci.evaluations import EVALUATIONS
from petteia.search.contract import Limits, Question
from petteia.search.joint_search import JointSearch
from petteia.search.nash import NashSearch
from petteia.search.paranoid import ParanoidSearch
from petteia.search.stepper import stepper_of

__all__ = ["Lesson", "Pool", "play_games"]

LONGEST = 150
"""Turns after which a game is given up as drawn."""
_OPENING = 12
"""Random turns at the start, at most."""
_NOISE = (0.0, 0.03, 0.1)
"""Shares of random moves; one is drawn for every game."""
_KEPT = 0.25
"""The share of a game's positions that is kept: neighbours say nearly the same."""

_RANGES: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "hunt": {
        "tokens": (7.0, 14.0), "throws": (2.0, 16.0), "attack": (0.5, 4.0),
        "pressure": (0.2, 4.0), "exposed": (-0.5, 1.0), "safe": (1.0, 40.0), "variety": (0.0, 4.0),
    },
    "report": {
        "throws": (1.0, 12.0), "attack": (1.0, 5.0), "danger": (0.5, 4.0), "invincible": (0.0, 4.0),
    },
}  # fmt: skip
"""Between which values weights are drawn; the others stay as they are."""


class Chooser(Protocol):
    """Chooses a move for a player."""

    def __call__(self, p: Words, player: int, earlier: Sequence[Words], seed: int) -> int: ...


@dataclass(frozen=True)
class Lesson:
    """What is kept of a game."""

    positions: list[Words]
    result: float
    """Of upper: 1, 0 or -1."""


class Pool:
    """Players of every kind, with one memory for each kind of search."""

    def __init__(self, game: RoPaSci) -> None:
        self.game = game
        self._searches: dict[tuple[str, str], JointSearch] = {}
        self.kinds = [
            (kind, name) for name in ("hunt", "report") for kind in ("nash", "paranoid", "greedy")
        ]
        """A way to choose and an evaluation, each."""

    def drawn(self, rng: np.random.Generator) -> Chooser:
        """A player of any kind with weights of its own."""
        kind, name = self.kinds[int(rng.integers(len(self.kinds)))]
        evaluation = EVALUATIONS[name]
        weights = _weights(evaluation, rng)
        if kind == "greedy":
            return self._greedy(evaluation, weights)
        search = self._searches.get((kind, name))
        if search is None:
            made = NashSearch if kind == "nash" else ParanoidSearch
            search = made(self.game, evaluation, guard=1, contempt=1.0)
            self._searches[kind, name] = search

        def choose(p: Words, player: int, earlier: Sequence[Words], seed: int) -> int:
            asked = Question(p, weights, Limits(depth=1), player, seed, earlier)
            return search.answer(asked).drawn(seed).move

        return choose

    def _greedy(self, evaluation: Evaluation, weights: np.ndarray) -> Chooser:
        given = dict(zip(evaluation.weights, weights.tolist(), strict=True))
        kind: Any = self.game.agents["greedy"]
        agent: Agent = kind(self.game, evaluation.with_weights(given).spec)

        def choose(p: Words, player: int, earlier: Sequence[Words], seed: int) -> int:
            return agent.choose(p, seed=seed, player=player).move

        return choose


def _weights(evaluation: Evaluation, rng: np.random.Generator) -> np.ndarray:
    ranges = _RANGES[evaluation.name]
    drawn = {name: rng.uniform(low, high) for name, (low, high) in ranges.items()}
    return np.array(list({**evaluation.weights, **drawn}.values()), np.float64)


def play_games(pool: Pool, count: int, seed: int, first: int = 0) -> list[Lesson]:
    """So many games of players of the pool against themselves, numbered from ``first``."""
    return [
        _play(pool, np.random.default_rng([seed, number])) for number in range(first, first + count)
    ]


def _play(pool: Pool, rng: np.random.Generator) -> Lesson:
    game, stepper = pool.game, stepper_of(pool.game)
    choose, noise = pool.drawn(rng), float(rng.choice(_NOISE))
    opening = int(rng.integers(_OPENING + 1))
    p, line, times = game.start(), list[Words](), Counter[Words]()
    while True:
        seen = stepper.look(p)
        times[game.identity(p)] += 1
        is_repeated = game.repetitions > 0 and times[game.identity(p)] >= game.repetitions
        is_over = seen.kind == TERMINAL
        if is_over or is_repeated or len(line) >= LONGEST:
            kept = [q for q in line[opening:] if rng.random() < _KEPT]
            return Lesson(kept, seen.result if is_over else 0.0)
        chosen = list[int]()
        for player, moves in enumerate((seen.moves, seen.others)):
            if len(line) < opening or rng.random() < noise:
                chosen.append(int(rng.choice(moves)))
            else:
                chosen.append(choose(p, player, line, int(rng.integers(2**62))))
        line.append(p)
        p = stepper.play_both(p, chosen[0], chosen[1])
