"""Games to learn from: an agent plays itself, and what it saw is kept as rows of features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from petteia import agents
from petteia.arena.match import Opening
from petteia.compiled import kernel, store
from petteia.core.agent import Agent
from petteia.core.errors import PetteiaError
from petteia.core.evaluation import LinearEvaluation
from petteia.core.game import DECISION, TERMINAL, Game
from petteia.core.policy import Playable
from petteia.core.seeds import derive
from petteia.core.words import Words
from petteia.search.game_loop import (
    EXPLORING_FIELDS,
    Exploring,
    Observer,
    can_duel,
    exploring_of,
    game_memory,
    play_out,
)
from petteia.search.policy import GREEDY
from petteia.search.stepper import stepper_of
from petteia.search.values import is_decided
from petteia.tune.question import PART, Question
from petteia.tune.setting import Setting, Weights, bench_of, scores_of

__all__ = ["Lookahead", "Outcomes", "School", "Start", "labelled_rows", "school_of"]


class Start(NamedTuple):
    """Where a game for learning begins."""

    position: Words
    plies: int
    dice: int


@dataclass(frozen=True)
class School:
    """What games for learning need: the rules, who plays, and whose features are kept."""

    game: Game
    evaluation: LinearEvaluation
    players: Exploring
    opening: Opening
    seed: int

    @property
    def features(self) -> int:
        """How many there are."""
        return len(self.evaluation.weights)

    def start(self, number: int) -> Start:
        """The start of the game of this number."""
        dice = derive(self.seed, "lesson", number)
        moves = self.opening.moves(self.game, number, dice)
        p = self.game.start()
        for move in moves:
            p = stepper_of(self.game).play(p, move)
        return Start(p, len(moves), dice)


@lru_cache(maxsize=4)
def school_of(setting: Setting, method: str) -> School:
    """The school of a setting; it needs a linear evaluation, and rules that never look back."""
    bench = bench_of(setting)
    evaluation = bench.linear(method)
    if not can_duel(bench.game):
        raise PetteiaError(
            f"method {method} cannot learn {bench.game.spec.name} by itself: its games cannot run "
            "in one kernel"
        )
    if len(bench.names) != len(evaluation.weights):
        raise PetteiaError(f"method {method} tunes all weights together; --only is for the others")
    played: Playable | None = bench.agent.playable()
    policy = played.policy if played is not None else GREEDY
    opening = Opening.parse(bench.game, setting.opening)
    players = exploring_of(policy, evaluation.tag)
    return School(bench.game, evaluation, players, opening, setting.seed)


class Seen(NamedTuple):
    """What the players of one game saw after their moves."""

    features: np.ndarray
    """(moves, features), for the player who had moved."""
    movers: np.ndarray
    decisions: np.ndarray
    """(moves, words): the positions before the moves."""
    points: float
    """Of player 0."""


class _Classroom:
    """A school with its buffers."""

    def __init__(self, school: School) -> None:
        self.school = school
        game = school.game
        rows = game.max_plies + 1
        fields = [
            *EXPLORING_FIELDS,
            ("count", np.int64),  # of rows so far
            ("features", np.float64, (rows, school.features)),
            ("movers", np.int64, (rows,)),
            ("decisions", np.uint64, (rows, len(game.start()))),
        ]
        self._memory = game_memory(game, fields)

    def play(self, weights: np.ndarray, number: int, epsilon: float) -> Seen:
        """The game of this number, with a random move now and then."""
        school, memory = self.school, self._memory[0]
        start = school.start(number)
        memory["ply"], memory["dice"] = start.plies, start.dice
        memory["epsilon"], memory["whims"][0] = epsilon, derive(start.dice, "whims")
        one_game(school.game, start.position, school.players, weights, memory)
        count = int(memory["count"])
        kept = [memory[name][:count].copy() for name in ("features", "movers", "decisions")]
        return Seen(kept[0], kept[1], kept[2], float(memory["result"]))


@kernel
def features_at(game: Any, evaluation: Any, p: Words, player: int, row: np.ndarray) -> None:
    """Writes the features of a position into a row."""
    features = evaluation.function(game, p, player)
    for i in range(len(features)):
        row[i] = features[i]


class LessonsKept(Observer):
    """Keeps a row of what each mover saw after the move, unless the game was over with it."""

    def begin(self, memory: Any) -> None:
        memory.count = 0

    def step(
        self, game: Any, players: Any, weights: Any, p: Words, after: Words, memory: Any
    ) -> None:
        if memory.kind != DECISION or game.kind(after) == TERMINAL:
            return
        row, player = memory.count, game.mover(p)
        features = players.chooser.evaluation.function(game, after, player)
        for i in range(len(features)):
            memory.features[row, i] = features[i]
        memory.movers[row] = player
        store(memory.decisions, row, p)
        memory.count += 1


_LESSONS_KEPT = LessonsKept()


@kernel
def one_game(game: Any, p: Words, players: Any, weights: np.ndarray, memory: Any) -> None:
    """Plays a game against itself, and keeps its lessons."""
    play_out(game, p, players, weights, _LESSONS_KEPT, memory)


@dataclass(frozen=True)
class _Games(Question):
    """Games of an agent against itself, by number."""

    method: str
    weights: Weights
    count: int
    first: int = 0
    epsilon: float = 0.0

    @property
    def games(self) -> int:
        return self.count

    def parts(self) -> list[Question]:
        ends = range(0, self.count, 2 * PART)
        return [
            replace(self, first=self.first + at, count=min(2 * PART, self.count - at))
            for at in ends
        ]

    def _played(self, school: School) -> Iterator[tuple[int, Seen]]:
        room, weights = _Classroom(school), np.array(self.weights)
        for number in range(self.first, self.first + self.count):
            yield number, room.play(weights, number, self.epsilon)


@dataclass(frozen=True)
class Outcomes(_Games):
    """The answer has a row for every move: the features after it, how the game ended for who
    had moved (1, 0.5 or 0), and the number of the game."""

    def answer(self, setting: Setting) -> np.ndarray:
        school = school_of(setting, self.method)
        parts = [np.empty((0, school.features + 2))]
        for number, seen in self._played(school):
            sign = 1.0 - 2.0 * seen.movers
            ends = scores_of(sign * seen.points, "wins")
            numbers = np.full(len(ends), float(number))
            parts.append(np.column_stack([seen.features, ends, numbers]))
        return np.concatenate(parts)


@dataclass(frozen=True)
class Lookahead(_Games):
    """The answer has a row for every legal move at some positions: the features after it, the
    teacher's value, and the number of the game; features and values less their mean over the
    moves of the position, since a choice sees nothing but differences."""

    teacher: str = ""
    every: int = 5
    """One decision out of this many is shown to the teacher."""

    def answer(self, setting: Setting) -> np.ndarray:
        school = school_of(setting, self.method)
        teacher = agents.make(self.teacher, school.game)
        parts = [np.empty((0, school.features + 2))]
        for number, seen in self._played(school):
            for place in range(number % self.every, len(seen.movers), self.every):
                p = tuple(seen.decisions[place])
                seed = derive(self.first, "teacher", number, place)
                rows = _taught(school, teacher, p, seed)
                if len(rows) > 1:
                    rows -= rows.mean(axis=0)
                    parts.append(np.column_stack([rows, np.full(len(rows), float(number))]))
        return np.concatenate(parts)


def _taught(school: School, teacher: Agent, p: Words, seed: int) -> np.ndarray:
    """A row for every move whose value is known and not the end of the game."""
    mover = int(stepper_of(school.game).look(p).mover)
    rows = []
    for found in teacher.values(p, seed=seed):
        if found.value is None:
            raise PetteiaError(f"agent {teacher.spec.name} gives moves no values: it cannot teach")
        after = stepper_of(school.game).play(p, found.move)
        over = stepper_of(school.game).look(after).kind == TERMINAL
        if not over and not is_decided(found.value):
            row = np.empty(school.features + 1)
            features_at(school.game, school.evaluation.tag, after, mover, row)
            row[-1] = found.value
            rows.append(row)
    return np.array(rows).reshape(len(rows), school.features + 1)


def labelled_rows(setting: Setting, text: str, method: str) -> np.ndarray:
    """Rows from lines of ``position <tab or last comma> value``: the features and the value.

    The value speaks for the player to move, where nobody moves alone for player 0.
    """
    bench = bench_of(setting)
    evaluation = bench.linear(method)
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        position, _, value = line.rpartition("\t" if "\t" in line else ",")
        try:
            label = float(value)
        except ValueError:
            raise PetteiaError(
                f"line {number} of the labels: expected a position, a tab or a comma, and a number"
            ) from None
        p = bench.game.parse(position)
        mover = int(bench.game.mover(p)) if bench.game.kind(p) == DECISION else 0
        rows.append([*map(float, evaluation.function(bench.game, p, mover)), label])
    if len(rows) <= len(evaluation.weights):
        raise PetteiaError(f"{len(rows)} labels are too few for {len(evaluation.weights)} weights")
    return np.array(rows)
